/* SPDX-License-Identifier: MIT */
/*
 * Exact sums against MPFR: sums and dot products of hostile arrays, by the kernels and by accumulators, in permutations that are
 * split at random and merged in random trees; means and variances; terms that are no numbers; refused calls; and saved
 * accumulators that are damaged.
 *
 *     test_accumulators [PERMUTATIONS]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpfr.h>

#include "isakern.h"

/* Sums of f64 and their products have at most 4261 bits, numerators of variances twice as many. */
enum { MOST = 3000, PARTS = 5, OF_A_CASE = 20, PRECISION = 4400, OF_QUOTIENTS = 9000 };

#define NOT_A_NUMBER ((double)NAN)
#define INFINITE     ((double)INFINITY)

static int tests, failed;

static void check(int right, const char *what)
{
	failed += !right;
	printf("%sok %d - %s\n", right ? "" : "not ", ++tests, what);
}

static uint64_t state = 1;

static uint64_t random_bits(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state * 0x9e3779b97f4a7c15;
}

static uint32_t random_below(uint32_t n)
{
	return (uint32_t)((random_bits() >> 32) * n >> 32);
}

/* An accumulator of either type, whose functions these are. */
union acc {
	struct isk_acc_f32 f32;
	struct isk_acc_f64 f64;
};

static int clear(int wide, union acc *a)
{
	return wide ? isk_acc_f64_clear(&a->f64, 1) : isk_acc_f32_clear(&a->f32, 1);
}

/* Elements of `from` on, as both types. */
struct array {
	double wide[MOST];
	float narrow[MOST];
};

static int add(int wide, union acc *acc, const struct array *a, const struct array *b, size_t from, size_t n)
{
	if (b)
		return wide ? isk_acc_f64_add_products(&acc->f64, a->wide + from, b->wide + from, n)
		            : isk_acc_f32_add_products(&acc->f32, a->narrow + from, b->narrow + from, n);
	return wide ? isk_acc_f64_add(&acc->f64, a->wide + from, n) : isk_acc_f32_add(&acc->f32, a->narrow + from, n);
}

static int merge(int wide, union acc *a, const union acc *from)
{
	return wide ? isk_acc_f64_merge(&a->f64, &from->f64, 1) : isk_acc_f32_merge(&a->f32, &from->f32, 1);
}

static int is_equal(int wide, const union acc *a, const union acc *b)
{
	return !memcmp(a, b, wide ? sizeof(a->f64) : sizeof(a->f32));
}

static size_t bytes_of(int wide)
{
	return wide ? ISK_ACC_F64_BYTES : ISK_ACC_F32_BYTES;
}

static int save(int wide, unsigned char *bytes, const union acc *a)
{
	return wide ? isk_acc_f64_save(bytes, &a->f64) : isk_acc_f32_save(bytes, &a->f32);
}

static int load(int wide, union acc *a, const unsigned char *bytes, size_t count)
{
	return wide ? isk_acc_f64_load(&a->f64, bytes, count) : isk_acc_f32_load(&a->f32, bytes, count);
}

/* A number of either sign, at least 2^low and less than 2^(low + range), with all bits of its type or a few. */
static double random_number(int wide, int low, int range)
{
	const int digits = random_below(4) ? wide ? 53 : 24 : 1 + (int)random_below(8);
	const uint64_t fraction = random_bits() >> (64 - digits) | (uint64_t)1 << (digits - 1);
	const double x = ldexp((double)fraction, low + (int)random_below((uint32_t)range) - (digits - 1));

	return random_below(2) ? x : -x;
}

static void put(struct array *a, size_t i, int wide, double x)
{
	a->narrow[i] = (float)x;
	a->wide[i] = wide ? x : (double)a->narrow[i];
}

static void swap(struct array *a, size_t i, size_t j)
{
	const double wide = a->wide[i];
	const float narrow = a->narrow[i];

	a->wide[i] = a->wide[j];
	a->narrow[i] = a->narrow[j];
	a->wide[j] = wide;
	a->narrow[j] = narrow;
}

static void shuffle(struct array *a, struct array *b, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const size_t j = i + random_below((uint32_t)(n - i));

		swap(a, i, j);
		swap(b, i, j);
	}
}

/*
 * Finite numbers near each other or as far apart as the type allows, zeros among them. In most cases a few of them remain, whose
 * sum is often a tie or next to one, and all others cancel in pairs; in others all elements are positive.
 */
static void make(struct array *a, struct array *b, size_t n, int wide)
{
	static const int ranges[] = {1, 1, 30, 60, 120, 240, 1000, 2040};
	const int least = wide ? -1074 : -149, most = wide ? 1024 : 128;
	const int asked = random_below(2) ? 1 + (int)random_below(160) : ranges[random_below(wide ? 8 : 6)], range = asked < most - least ? asked : most - least;
	const int low = least + (int)random_below((uint32_t)(most - least - range + 1)), digits = wide ? 53 : 24;
	const double sum = random_number(wide, low, range), half = ldexp(1, ilogb(sum) - digits);
	const double few[] = {sum, random_below(2) ? half : -half, random_below(2) ? 0 : ldexp(random_below(2) ? 1 : -1, least)};
	const size_t kept = random_below(4) == 0 ? n : n < 3 ? n : 1 + random_below(3);
	const int has_zeros = random_below(4) == 0, factors_are_1 = random_below(2) == 0, are_positive = random_below(3) == 0;

	for (size_t i = 0; i < n; i++) {
		put(a, i, wide, i < 3 && kept < 4 ? few[i] : has_zeros && random_below(2) ? -0.0 : random_number(wide, low, range));
		if (are_positive)
			put(a, i, wide, fabs(a->wide[i]));
		put(b, i, wide, factors_are_1 ? 1 : random_below(4) ? random_number(wide, -6, 12) : random_number(wide, low, range));
	}
	for (size_t i = are_positive ? n : kept; i + 1 < n; i += 2) {
		put(a, i + 1, wide, -a->wide[i]);
		put(b, i + 1, wide, b->wide[i]);
	}
}

/* The exact sum of all terms. */
static void exact(mpfr_ptr sum, const struct array *a, const struct array *b, size_t n)
{
	mpfr_t product;

	mpfr_init2(product, 106);
	mpfr_set_zero(sum, 1);
	for (size_t i = 0; i < n; i++) {
		mpfr_set_d(product, a->wide[i], MPFR_RNDN);
		if (b)
			mpfr_mul_d(product, product, b->wide[i], MPFR_RNDN);
		mpfr_add(sum, sum, product, MPFR_RNDN);
	}
	mpfr_clear(product);
}

/* Whether x and y are the same number, with the same sign of 0, or both NaN. */
static int is_same(double x, double y)
{
	return x == y ? !signbit(x) == !signbit(y) : x != x && y != y;
}

/* Adds parts of the arrays to accumulators, which are then merged, two at a time in any order. */
static void add_parts(int wide, union acc *sum, const struct array *a, const struct array *b, size_t n)
{
	union acc parts[PARTS];
	int count = 1 + (int)random_below(PARTS);
	size_t from = 0;

	for (int i = 0; i < count; i++) {
		const size_t length = i + 1 < count ? random_below((uint32_t)(n - from + 1)) : n - from;

		clear(wide, &parts[i]);
		add(wide, &parts[i], a, b, from, length);
		from += length;
	}
	for (; count > 1; count--) {
		const uint32_t to = random_below((uint32_t)count);
		const uint32_t other = (to + 1 + random_below((uint32_t)count - 1)) % (uint32_t)count;

		merge(wide, &parts[to], &parts[other]);
		parts[other] = parts[count - 1];
		if (to == (uint32_t)count - 1)
			parts[other] = parts[to];
	}
	*sum = parts[0];
}

static double kernel(int wide, const struct array *a, const struct array *b, size_t n)
{
	if (b)
		return wide ? isk_dot_exact_f64(a->wide, b->wide, n) : (double)isk_dot_exact_f32(a->narrow, b->narrow, n);
	return wide ? isk_sum_exact_f64(a->wide, n) : (double)isk_sum_exact_f32(a->narrow, n);
}

/* The results of a permutation that are not the exact ones. */
static int wrong_of(int wide, const union acc *first, mpfr_srcptr sum, const struct array *a, const struct array *b, size_t n)
{
	const double nearest = mpfr_get_d(sum, MPFR_RNDN);
	const float nearest_float = mpfr_get_flt(sum, MPFR_RNDN);
	union acc acc;
	double of_acc;
	float float_of_acc;

	add_parts(wide, &acc, a, b, n);
	if (wide) {
		isk_acc_f64_to_f64(&of_acc, &acc.f64, 1);
		isk_acc_f64_to_f32(&float_of_acc, &acc.f64, 1);
	} else {
		isk_acc_f32_to_f64(&of_acc, &acc.f32, 1);
		isk_acc_f32_to_f32(&float_of_acc, &acc.f32, 1);
	}
	return !is_same(kernel(wide, a, b, n), wide ? nearest : (double)nearest_float) + !is_same(of_acc, nearest)
	       + !is_same((double)float_of_acc, (double)nearest_float) + !is_equal(wide, &acc, first);
}

static void test_permutations(int permutations)
{
	static const size_t sizes[] = {0, 1, 2, 3, 7, 16, 33, 100, 257, 600, MOST};
	static struct array a, b;
	int wrong = 0;
	mpfr_t sum;

	mpfr_init2(sum, PRECISION);
	for (int done = 0; done < permutations; done += OF_A_CASE) {
		const int wide = (int)random_below(2), has_two = (int)random_below(2);
		const size_t n = sizes[random_below(sizeof(sizes) / sizeof(sizes[0]))];
		union acc first;

		make(&a, &b, n, wide);
		exact(sum, &a, has_two ? &b : NULL, n);
		clear(wide, &first);
		add(wide, &first, &a, has_two ? &b : NULL, 0, n);
		for (int i = 0; i < OF_A_CASE; i++) {
			shuffle(&a, &b, n);
			if (wrong_of(wide, &first, sum, &a, has_two ? &b : NULL, n) && wrong++ == 0)
				printf("# %zu %s of f%d, permutation %d\n", n, has_two ? "products" : "elements", wide ? 64 : 32,
				       done + i);
		}
	}
	mpfr_clear(sum);
	printf("# %d permutations, %d wrong\n", permutations, wrong);
	check(!wrong, "sums, dot products and accumulators of permutations are exact");
}

/* 2^1000 and its ulp, in long arrays whose blocks mostly cancel. */
static void test_cancellation(void)
{
	enum { LONG = 1 << 16 };
	static double x[LONG], y[LONG];
	int right = 1;

	for (int run = 0; run < 8; run++) {
		for (size_t i = 0; i < LONG; i += 2) {
			x[i] = ldexp(1, 1000) + ldexp(random_below(1 << 20), 948);
			x[i + 1] = -x[i];
			y[i] = y[i + 1] = 1;
		}
		x[random_below(LONG / 2) * 2] += ldexp(1, 948);
		x[LONG - 1] += run & 1 ? 0 : -ldexp(1, 948);
		for (size_t i = LONG - 1; i > 0; i--) {
			const size_t j = random_below((uint32_t)i + 1);
			const double kept = x[i];

			x[i] = x[j];
			x[j] = kept;
		}
		right &= isk_sum_exact_f64(x, LONG) == (run & 1 ? ldexp(1, 948) : 0) && isk_dot_exact_f64(x, y, LONG) == isk_sum_exact_f64(x, LONG);
	}
	check(right, "2^1000 cancels to its ulp, and to 0");
}

/* The nearest numbers to the sum over n, and to the variance. */
static void exact_moments(double *mean, double *variance, const struct array *a, size_t n, unsigned less, int wide)
{
	mpfr_t sum, squares;

	mpfr_inits2(OF_QUOTIENTS, sum, squares, (mpfr_ptr)0);
	exact(sum, a, NULL, n);
	exact(squares, a, a, n);
	mpfr_mul_ui(squares, squares, n, MPFR_RNDN);
	mpfr_div_ui(sum, sum, n, MPFR_RNDN);
	*mean = wide ? mpfr_get_d(sum, MPFR_RNDN) : (double)mpfr_get_flt(sum, MPFR_RNDN);
	exact(sum, a, NULL, n);
	mpfr_sqr(sum, sum, MPFR_RNDN);
	mpfr_sub(squares, squares, sum, MPFR_RNDN);
	mpfr_div_ui(squares, squares, n * (n - less), MPFR_RNDN);
	*variance = wide ? mpfr_get_d(squares, MPFR_RNDN) : (double)mpfr_get_flt(squares, MPFR_RNDN);
	mpfr_clears(sum, squares, (mpfr_ptr)0);
}

static void test_moments(void)
{
	static struct array a, b;
	int wrong = 0;

	for (int i = 0; i < 300; i++) {
		const int wide = i & 1;
		const size_t n = 2 + random_below(40);
		const unsigned less = random_below(2);
		union acc sum, squares;
		double wanted[2], got[2];
		float got_float[2];

		make(&a, &b, n, wide);
		clear(wide, &sum);
		clear(wide, &squares);
		add(wide, &sum, &a, NULL, 0, n);
		add(wide, &squares, &a, &a, 0, n);
		exact_moments(&wanted[0], &wanted[1], &a, n, less, wide);
		if (wide) {
			wrong += isk_acc_f64_mean(&got[0], &sum.f64, 1) || isk_acc_f64_variance(&got[1], &sum.f64, &squares.f64, 1, less);
		} else {
			wrong += isk_acc_f32_mean(&got_float[0], &sum.f32, 1)
			         || isk_acc_f32_variance(&got_float[1], &sum.f32, &squares.f32, 1, less);
			got[0] = (double)got_float[0];
			got[1] = (double)got_float[1];
		}
		wrong += !is_same(got[0], wanted[0]) || !is_same(got[1], wanted[1]);
	}
	printf("# %d wrong\n", wrong);
	check(!wrong, "means and variances are rounded once");
}

static void test_moments_of_few(void)
{
	static const double few[] = {3, 3};
	struct isk_acc_f64 sums, squares, other;
	double y[2] = {0, 0};

	isk_acc_f64_clear(&sums, 1);
	isk_acc_f64_clear(&squares, 1);
	isk_acc_f64_clear(&other, 1);
	check(!isk_acc_f64_mean(&y[0], &sums, 1) && !isk_acc_f64_variance(&y[1], &sums, &squares, 1, 0) && isnan(y[0]) && isnan(y[1]),
	      "the mean and the variance of nothing are NaN");
	isk_acc_f64_add(&sums, few, 1);
	isk_acc_f64_add_products(&squares, few, few, 1);
	check(!isk_acc_f64_variance(&y[0], &sums, &squares, 1, 1) && isnan(y[0]) && !isk_acc_f64_variance(&y[0], &sums, &squares, 1, 0)
	          && is_same(y[0], 0),
	      "the variance of one element is 0, or NaN");
	y[0] = 5;
	check(isk_acc_f64_variance(y, &sums, &other, 1, 0) == ISK_ERR_SIZE && y[0] == 5, "another count of squares is refused");
	isk_acc_f64_add(&other, few, 1);
	check(isk_acc_f64_variance(y, &sums, &other, 1, 0) == ISK_ERR_PACKED && y[0] == 5, "squares of other elements are refused");
	y[0] = ldexp(1, -700);
	isk_acc_f64_clear(&other, 1);
	isk_acc_f64_add_products(&other, y, y, 1);
	check(isk_acc_f64_variance(y, &other, &squares, 1, 0) == ISK_ERR_PACKED, "a sum that no elements have is refused");
}

static void test_specials(void)
{
	static const struct {
		double a[3], b[3], sum, dot;
	} cases[] = {
		{{1, NOT_A_NUMBER, 2}, {1, 1, 1}, NOT_A_NUMBER, NOT_A_NUMBER},
		{{1, INFINITE, 2}, {1, 1, 1}, INFINITE, INFINITE},
		{{1, INFINITE, -INFINITE}, {1, 1, 1}, NOT_A_NUMBER, NOT_A_NUMBER},
		{{-INFINITE, 1, -INFINITE}, {1, 0, -1}, -INFINITE, NOT_A_NUMBER},
		{{INFINITE, 1, 1}, {0, 1, 1}, INFINITE, NOT_A_NUMBER},
		{{-0.0, -0.0, -0.0}, {1, 1, 1}, 0, 0},
		{{1, -1, -0.0}, {1, 1, 1}, 0, 0},
	};
	int right = 1;

	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++)
		for (size_t n = 3; n < 600; n += 193)
			for (int wide = 0; wide < 2; wide++)
				for (int has_two = 0; has_two < 2; has_two++) {
					static struct array a, b;
					union acc acc;
					double of_acc;

					for (size_t i = 0; i < n; i++) {
						put(&a, i, wide, i < 3 ? cases[c].a[i] : 0);
						put(&b, i, wide, i < 3 ? cases[c].b[i] : 1);
					}
					shuffle(&a, &b, n);
					add_parts(wide, &acc, &a, has_two ? &b : NULL, n);
					if (wide)
						isk_acc_f64_to_f64(&of_acc, &acc.f64, 1);
					else
						isk_acc_f32_to_f64(&of_acc, &acc.f32, 1);
					right &= is_same(of_acc, has_two ? cases[c].dot : cases[c].sum)
					         && is_same(kernel(wide, &a, has_two ? &b : NULL, n), has_two ? cases[c].dot : cases[c].sum);
				}
	check(right, "NaNs, infinities and zeros have the sums that IEEE 754 gives them");
}

static void test_each(void)
{
	enum { N = 50 };
	static struct isk_acc_f32 each[N], other[N], one;
	static struct isk_acc_f64 wide[N], wide_one;
	static struct array a, b;
	int right = !isk_acc_f32_clear(each, N) && !isk_acc_f32_clear(other, N) && !isk_acc_f64_clear(wide, N);
	float y[N];

	make(&a, &b, MOST, 0);
	a.narrow[N + 3] = NAN;
	for (size_t i = 0; i < MOST; i += N) {
		right &= !isk_acc_f32_add_each(i & N ? each : other, a.narrow + i, N);
		right &= !isk_acc_f64_add_each(wide, a.wide + i, N);
	}
	right &= !isk_acc_f32_merge(each, other, N) && !isk_acc_f32_to_f32(y, each, N);
	for (size_t k = 0; k < N; k++) {
		isk_acc_f32_clear(&one, 1);
		isk_acc_f64_clear(&wide_one, 1);
		for (size_t i = k; i < MOST; i += N) {
			isk_acc_f32_add(&one, &a.narrow[i], 1);
			isk_acc_f64_add(&wide_one, &a.wide[i], 1);
		}
		right &= !memcmp(&one, &each[k], sizeof(one)) && !memcmp(&wide_one, &wide[k], sizeof(wide_one));
	}
	check(right && isnan(y[3]) && !isnan(y[4]), "arrays of accumulators have the sums of their elements");
}

static void test_saved(int wide)
{
	static struct array a, b;
	unsigned char bytes[ISK_ACC_F64_BYTES], damaged[ISK_ACC_F64_BYTES];
	union acc acc, loaded, before;
	int refused = 1;

	make(&a, &b, 10, wide);
	clear(wide, &acc);
	add(wide, &acc, &a, &b, 0, 10);
	memset(&loaded, 0x5a, sizeof(loaded));
	before = loaded;
	check(!save(wide, bytes, &acc) && !load(wide, &loaded, bytes, bytes_of(wide)) && is_equal(wide, &acc, &loaded),
	      "a saved accumulator is loaded");
	loaded = before;
	for (size_t i = 0; i < bytes_of(wide); i++)
		for (int change = 1; change < 256; change++) {
			memcpy(damaged, bytes, sizeof(damaged));
			damaged[i] = (unsigned char)(damaged[i] ^ change);
			refused &= load(wide, &loaded, damaged, bytes_of(wide)) < 0;
		}
	for (size_t count = 0; count < bytes_of(wide); count++)
		refused &= load(wide, &loaded, bytes, count) == ISK_ERR_PACKED;
	check(refused && is_equal(wide, &loaded, &before), "bytes with any change, and fewer bytes, are refused");
	memcpy(damaged, bytes, sizeof(damaged));
	damaged[2]++;
	check(load(wide, &loaded, damaged, bytes_of(wide)) == ISK_ERR_VERSION && load(!wide, &loaded, bytes, sizeof(bytes)) == ISK_ERR_TYPE
	          && is_equal(wide, &loaded, &before),
	      "newer bytes, and those of the other type, are refused");
}

/* The bytes of 1.5 are those of every machine. */
static void test_bytes(void)
{
	static const float x = 1.5f;
	unsigned char bytes[ISK_ACC_F32_BYTES], wanted[ISK_ACC_F32_BYTES - 8] = {'a', 'c', 1, ISK_F32, 0, 0, 0, 0, 1};
	static const unsigned char sum[8] = {0x74, 0x27, 0x30, 0x7e, 0xf3, 0x57, 0xe7, 0xeb};
	struct isk_acc_f32 acc;

	/* 1.5 is 3 * 2^297 units, and 297 is 8 * 37 + 1. */
	wanted[16 + 37] = 6;
	isk_acc_f32_clear(&acc, 1);
	isk_acc_f32_add(&acc, &x, 1);
	isk_acc_f32_save(bytes, &acc);
	check(!memcmp(bytes, wanted, sizeof(wanted)) && !memcmp(bytes + sizeof(wanted), sum, sizeof(sum)), "the bytes of a saved sum");
}

static void test_refusals(void)
{
	static const double x[2] = {1, 2};
	struct isk_acc_f64 acc, kept, full;
	double y = 5;

	memset(&acc, 0, sizeof(acc));
	check(isk_acc_f64_add(&acc, x, 2) == ISK_ERR_PACKED && isk_acc_f64_add_each(&acc, x, 1) == ISK_ERR_PACKED
	          && isk_acc_f64_to_f64(&y, &acc, 1) == ISK_ERR_PACKED && isk_acc_f64_mean(&y, &acc, 1) == ISK_ERR_PACKED && y == 5,
	      "an accumulator that was not cleared is refused");
	isk_acc_f64_clear(&acc, 1);
	isk_acc_f64_add(&acc, x, 2);
	kept = full = acc;
	full.count = UINT64_MAX - 1;
	check(isk_acc_f64_add(NULL, x, 2) == ISK_ERR_NULL && isk_acc_f64_add(&acc, NULL, 2) == ISK_ERR_NULL
	          && isk_acc_f64_add_products(&acc, x, NULL, 2) == ISK_ERR_NULL && isk_acc_f64_add_each(&acc, NULL, 1) == ISK_ERR_NULL
	          && isk_acc_f64_merge(&acc, NULL, 1) == ISK_ERR_NULL && isk_acc_f64_to_f64(NULL, &acc, 1) == ISK_ERR_NULL
	          && isk_acc_f64_save(NULL, &acc) == ISK_ERR_NULL && isk_acc_f64_load(&acc, NULL, 8) == ISK_ERR_NULL,
	      "NULL is refused");
	check(isk_acc_f64_merge(&acc, &full, 1) == ISK_ERR_SIZE && isk_acc_f64_add(&full, x, 2) == ISK_ERR_SIZE
	          && !isk_acc_f64_add(&full, x, 1) && isk_acc_f64_add_each(&full, x, 1) == ISK_ERR_SIZE,
	      "2^64 terms are refused");
	check(!memcmp(&acc, &kept, sizeof(acc)) && !isk_acc_f64_add(&acc, NULL, 0) && !memcmp(&acc, &kept, sizeof(acc)),
	      "refused calls, and calls without elements, change nothing");
}

/* 2^64 - 1 of the largest products, by merging an accumulator with itself. */
static void test_largest(void)
{
	const double largest = 0x1.fffffffffffffp1023, minus = -largest;
	struct isk_acc_f64 all, power;
	double y = 0;
	int right = 1;

	isk_acc_f64_clear(&all, 1);
	isk_acc_f64_clear(&power, 1);
	isk_acc_f64_add_products(&power, &largest, &largest, 1);
	for (int i = 0; i < 64; i++) {
		right &= !isk_acc_f64_merge(&all, &power, 1);
		if (i < 63)
			right &= !isk_acc_f64_merge(&power, &power, 1);
	}
	right &= all.count == UINT64_MAX && !isk_acc_f64_to_f64(&y, &all, 1) && isinf(y) && isk_acc_f64_merge(&power, &power, 1) == ISK_ERR_SIZE;
	/* The same sum, subtracted. */
	isk_acc_f64_clear(&power, 1);
	isk_acc_f64_add_products(&power, &largest, &minus, 1);
	all.count = 0;
	for (int i = 0; i < 64; i++) {
		all.count = 0;
		right &= !isk_acc_f64_merge(&all, &power, 1);
		if (i < 63)
			right &= !isk_acc_f64_merge(&power, &power, 1);
	}
	check(right && !isk_acc_f64_to_f64(&y, &all, 1) && is_same(y, 0), "2^64 - 1 of the largest products are in range");
}

int main(int argc, char **argv)
{
	printf("# %s\n", isk_isa_current());
	test_permutations(argc > 1 ? atoi(argv[1]) : 10000);
	test_cancellation();
	test_moments();
	test_moments_of_few();
	test_specials();
	test_each();
	test_saved(0);
	test_saved(1);
	test_bytes();
	test_refusals();
	test_largest();
	mpfr_free_cache();
	printf("1..%d\n", tests);
	return failed != 0;
}
