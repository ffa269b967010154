/* SPDX-License-Identifier: MIT */
/* The functions whose contract says that they are monotonic: all numbers from -Inf to +Inf, in order. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <isakern.h>

enum { CHUNK = 1 << 14 };
#define INFINITY_BITS ((int64_t)0x7f800000)
#define SIGN          UINT32_C(0x80000000)

static const struct {
	const char *name;
	void (*fn)(float *y, const float *x, size_t n);
} functions[] = {{"tanh_f32", isk_tanh_f32}, {"cr_sigmoid_f32", isk_cr_sigmoid_f32}};

/* Number i, counted from 0 up and down. */
static float number(int64_t i)
{
	const uint32_t bits = i < 0 ? SIGN | (uint32_t)-i : (uint32_t)i;
	float x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

static int is_monotonic(void (*fn)(float *y, const float *x, size_t n))
{
	static float x[CHUNK], y[CHUNK];
	float before = -1;

	for (int64_t i = -INFINITY_BITS; i <= INFINITY_BITS; i += CHUNK) {
		const size_t n = INFINITY_BITS - i < CHUNK ? (size_t)(INFINITY_BITS - i) + 1 : CHUNK;

		for (size_t j = 0; j < n; j++)
			x[j] = number(i + (int64_t)j);
		fn(y, x, n);
		for (size_t j = 0; j < n; j++) {
			if (!(y[j] >= before)) {
				printf("# x = %a gives %a, the number before it %a\n", (double)x[j], (double)y[j], (double)before);
				return 0;
			}
			before = y[j];
		}
	}
	return 1;
}

int main(void)
{
	const size_t count = sizeof(functions) / sizeof(*functions);
	int failed = 0;

	printf("1..%zu\n", count);
	for (size_t i = 0; i < count; i++) {
		const int good = is_monotonic(functions[i].fn);

		failed |= !good;
		printf("%sok %zu - %s is monotonic\n", good ? "" : "not ", i + 1, functions[i].name);
	}
	return failed;
}
