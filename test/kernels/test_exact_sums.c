/* SPDX-License-Identifier: MIT */
/*
 * sum_exact and dot_exact where a block cancels, ends next to a tie, or has elements more than 2^64 apart, at
 * every ISA and for the references. They are compared with a sum in binary digits, added by hand.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../candidates.h"

/*
 * Digit 0 is worth 2^-298, as the product of two least denormals; 20 groups of 32 digits hold 2^80 of the
 * largest.
 */
enum { LOWEST = -298, GROUPS = 20, DIGITS = 32 * GROUPS, MOST = 3500, LARGE = 768, CASES = 3000 };

struct binary {
	uint32_t group[GROUPS];
};

static void add_digits(struct binary *sum, uint64_t digits, int at)
{
	uint64_t carry = 0;

	for (int i = at / 32; i < GROUPS && (digits || carry); i++) {
		const int shift = i == at / 32 ? at % 32 : 0;
		const uint64_t now = (uint64_t)sum->group[i] + (uint32_t)(digits << shift) + carry;

		sum->group[i] = (uint32_t)now;
		carry = now >> 32;
		digits >>= 32 - shift;
	}
}

static int is_less(const struct binary *a, const struct binary *b)
{
	for (int i = GROUPS - 1; i >= 0; i--)
		if (a->group[i] != b->group[i])
			return a->group[i] < b->group[i];
	return 0;
}

/* a - b, which is not below 0. */
static struct binary difference(const struct binary *a, const struct binary *b)
{
	struct binary d;
	int64_t borrow = 0;

	for (int i = 0; i < GROUPS; i++) {
		const int64_t now = (int64_t)a->group[i] - b->group[i] + borrow;

		d.group[i] = (uint32_t)now;
		borrow = now < 0 ? -1 : 0;
	}
	return d;
}

static int digit(const struct binary *b, int i)
{
	return (int)(b->group[i / 32] >> i % 32 & 1);
}

/*
 * The nearest f32, ties to even: the digits from the last one of the result on, the one below it, and any
 * further one.
 */
static float nearest(const struct binary *b)
{
	int top = DIGITS - 1, last;
	uint32_t kept = 0;
	int more = 0;

	while (top > 0 && !digit(b, top))
		top--;
	last = top - 23 > -149 - LOWEST ? top - 23 : -149 - LOWEST;
	for (int i = top; i >= last; i--)
		kept = 2 * kept + (uint32_t)digit(b, i);
	for (int i = 0; i < last - 1; i++)
		more |= digit(b, i);
	if (digit(b, last - 1) && (more || (kept & 1)))
		kept++;
	return (float)ldexp(kept, last + LOWEST);
}

/*
 * The sum of a[i] * b[i], or of a[i] if b is NULL. All are finite, so that a product has at most 48 digits in
 * double.
 */
static float expected(const float *a, const float *b, size_t n)
{
	struct binary sums[2] = {{{0}}, {{0}}}, d;
	int negative;

	for (size_t i = 0; i < n; i++) {
		const double term = b ? (double)a[i] * (double)b[i] : (double)a[i];
		int exponent;
		const double fraction = frexp(fabs(term), &exponent);

		const uint64_t digits = (uint64_t)ldexp(fraction, 53);
		const int zeros = digits ? __builtin_ctzll(digits) : 0;

		add_digits(&sums[term < 0], digits >> zeros, digits ? exponent - 53 + zeros - LOWEST : 0);
	}
	negative = is_less(&sums[0], &sums[1]);
	d = difference(&sums[negative], &sums[!negative]);
	return negative ? -nearest(&d) : nearest(&d);
}

static uint64_t state = 1;

static uint32_t random_below(uint32_t n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((state >> 32) * n >> 32);
}

/* A number of either sign, 2^low or more and less than 2^(low + range). */
static float random_float(int low, uint32_t range)
{
	const double fraction = 1 + random_below(1 << 23) * 0x1p-23;

	return (float)ldexp(random_below(2) ? fraction : -fraction, low + (int)random_below(range));
}

static void swap(float *a, size_t i, size_t j)
{
	const float kept = a[i];

	a[i] = a[j];
	a[j] = kept;
}

/*
 * One, two or three numbers whose sum is often a tie of f32, or next to one, among pairs of numbers that
 * cancel, in any order. A range of exponents of 1 keeps all elements of a block near each other, one of 200
 * takes them far apart.
 */
static void make(float *a, float *b, size_t n)
{
	static const uint32_t ranges[] = {1, 30, 60, 100, 200};
	const uint32_t range = ranges[random_below(5)];
	const int low = -100 + (int)random_below(220 - range);
	const float sum = random_float(low, range), half_ulp = (float)ldexp(1, ilogb((double)sum) - 24);
	const float few[] = {sum, random_below(2) ? half_ulp : -half_ulp,
	                     random_below(2) ? 0 : random_float(-149, (uint32_t)(low + 100))};
	const size_t kept = n < 3 ? n : 1 + random_below(3);
	const int factors_are_1 = random_below(2) == 0;

	for (size_t i = 0; i < n; i++) {
		b[i] = factors_are_1 ? 1 : random_float(-5, 6);
		a[i] = i < kept ? few[i] : random_float(low, range);
	}
	for (size_t i = kept; i + 1 < n; i += 2) {
		a[i + 1] = -a[i];
		b[i + 1] = b[i];
	}
	for (size_t i = 0; i < n; i++) {
		const size_t j = i + random_below((uint32_t)(n - i));

		swap(a, i, j);
		swap(b, i, j);
	}
}

/*
 * Pairs of terms that cancel to their last bit, up to 71 binades below terms that cancel before them, and below the least
 * f32. Some of them are 0. A block has up to LARGE elements.
 */
static void make_apart(float *a, float *b, size_t n)
{
	const int high = (int)random_below(160) - 70, low = high - (int)random_below(72), of_b = (int)random_below(120) - 60;
	const int has_zeros = random_below(4) == 0;

	for (size_t i = 0; i < n; i++) {
		a[i] = has_zeros && random_below(2) ? 0 : fabsf(random_float(i < LARGE ? high : low, 1));
		b[i] = fabsf(random_float(of_b, 1));
	}
	for (size_t i = 0; i + 1 < n; i += 2) {
		a[i + 1] = i < LARGE ? -a[i] : -nextafterf(a[i], 0);
		b[i + 1] = b[i];
	}
}

typedef float sum(const float *x, size_t n);
typedef float dot(const float *a, const float *b, size_t n);

static int tests, failed;

static void check(const void *to, const char *isa, void (*fn)(void))
{
	const char *const kernel = to;
	sum *const of_one = (sum *)fn;
	dot *const of_two = strcmp(kernel, "dot_exact_f32") == 0 ? (dot *)fn : NULL;
	static const size_t sizes[] = {1, 2, 3, 4, 10, 17, 256, 700};
	static float a[MOST], b[MOST];
	size_t wrong = 0;

	state = 1;
	for (int i = 0; i < CASES; i++) {
		const size_t n = i % 8 ? sizes[random_below(sizeof(sizes) / sizeof(sizes[0]))] : MOST;
		float got, wanted;

		if (i % 8)
			make(a, b, n);
		else
			make_apart(a, b, n);
		got = of_two ? of_two(a, b, n) : of_one(a, n);
		wanted = expected(a, of_two ? b : NULL, n);
		if (memcmp(&got, &wanted, sizeof(got)) != 0 && wrong++ == 0)
			printf("# %s/%s: case %d, %zu elements: got %a, the sum is %a\n", kernel, isa, i, n, (double)got,
			       (double)wanted);
	}
	failed += wrong != 0;
	printf("%sok %d - %s/%s: %d sums, %zu wrong\n", wrong ? "not " : "", ++tests, kernel, isa, CASES, wrong);
}

int main(void)
{
	each_variant("sum_exact_f32", &tests, check, "sum_exact_f32");
	each_variant("dot_exact_f32", &tests, check, "dot_exact_f32");
	printf("1..%d\n", tests);
	return failed || !tests;
}
