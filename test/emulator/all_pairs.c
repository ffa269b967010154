/* SPDX-License-Identifier: MIT */
/*
 * All 2^32 pairs of f16: the kernels of this CPU, which compute in f32, against the arithmetic of the emulator of
 * AVX512-FP16, which rounds once. So variants for AVX512-FP16 have the same bits. absdiff and add_relu are left out: they
 * change no digit of a difference or a sum.
 */
#include <stdint.h>
#include <stdio.h>

#include "fp16_numbers.h"
#include "isakern.h"

enum { ALL = 1 << 16 };

static int is_nan(uint16_t x)
{
	return (x & 0x7fff) > 0x7c00;
}

static const struct {
	const char *name;
	void (*kernel)(isk_f16 *y, const isk_f16 *a, const isk_f16 *b, size_t n);
	uint16_t (*emulated)(uint16_t a, uint16_t b, int immediate);
} operations[] = {
	{"add", isk_add_f16, fp16_add},
	{"sub", isk_sub_f16, fp16_sub},
	{"mul", isk_mul_f16, fp16_mul},
	{"div", isk_div_f16, fp16_div},
};

#define OPERATIONS (sizeof(operations) / sizeof(operations[0]))

int main(void)
{
	static isk_f16 a[ALL], b[ALL], y[ALL];
	int failed = 0;

	printf("1..%zu\n", OPERATIONS);
	for (uint32_t i = 0; i < ALL; i++)
		b[i] = (isk_f16)i;
	for (size_t o = 0; o < OPERATIONS; o++) {
		uint64_t differ = 0;

		for (uint32_t x = 0; x < ALL; x++) {
			for (uint32_t i = 0; i < ALL; i++)
				a[i] = (isk_f16)x;
			operations[o].kernel(y, a, b, ALL);
			for (uint32_t i = 0; i < ALL; i++) {
				const uint16_t wanted = operations[o].emulated((uint16_t)x, (uint16_t)i, 0);

				if (y[i] == wanted || (is_nan(y[i]) && is_nan(wanted)))
					continue;
				if (!differ++)
					printf("# %s of %04x and %04x: got %04x, wanted %04x\n", operations[o].name, x, i, y[i], wanted);
			}
		}
		printf("%sok %zu - %s: %llu of 2^32 pairs differ\n", differ ? "not " : "", o + 1, operations[o].name,
		       (unsigned long long)differ);
		fflush(stdout);
		failed |= differ != 0;
	}
	return failed;
}
