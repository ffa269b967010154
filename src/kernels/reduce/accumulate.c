/* SPDX-License-Identifier: MIT */
/*
 * Adds elements of f32 or f64, or their products, to a sum of fixed_point.h.
 *
 * A product of f32 is exact in f64, and one of f64 is the sum of two f64, if it is neither too large nor too small. The
 * bits of terms are divided among levels of WIDTH bits, down from the largest term of a block. The sum s of a level is a f64
 * that begins with 1.5 * 2^52 units. s + x rounds x to a multiple of the unit, and the difference from x is exact (Fast2Sum,
 * because s is larger than x). The difference goes to the next level. The bits of s are an integer, the sum of the level in
 * units: blocks are added as integers, and these are added to the words when the units change or the integers could overflow.
 *
 * Few levels hold most blocks: the last bits of all terms then are multiples of the last unit, which the sizes of the terms
 * tell, and the last difference is not computed. Otherwise all levels are used, and the block is done if all last
 * differences are 0. If they are not, the elements of the block are added to the words one after another.
 *
 * Bounds: a term of the first level is below 2^WIDTH units, a difference at most half a unit, thus 2^(WIDTH - 1) units
 * of the next level. So STEPS terms are at most STEPS * (2^WIDTH + 1/2) < 2^51 units, and s stays between 2^52 and 2^53.
 */
#include "part.h"
#include "of_type.h"
#include "fixed_point.h"

enum {
	IS_F32 = TYPE == ISK_F32,
	WORDS = IS_F32 ? ISK_ACC_F32_WORDS : ISK_ACC_F64_WORDS,
	LOWEST = IS_F32 ? ISK_LOWEST_F32 : ISK_LOWEST_F64,
	WIDTH = 45,
	STEPS = 48,
	LEVELS = 4,
	/* A block adds less than 2^52 to an integer. */
	BLOCKS = 1024,
	/* The unit of the last level is a f64 and no less than that of the words, and 1.5 * 2^52 of the first one a f64. */
	LEAST_TOP = (IS_F32 ? ISK_LOWEST_F32 : -1074) + LEVELS * WIDTH - 1,
	MOST_TOP = 1023 - 53 + WIDTH - 1,
};

/* The sums of the levels, for terms below 2^(top + 1). */
struct levels {
	vl sum[LEVELS];
	int top, blocks, is_deep;
	uint64_t *word;
	uint32_t *flags;
};

/* A product of two f64, however large or small. */
static void add_product(uint64_t *word, uint32_t *flags, double a, double b)
{
	int of_a, of_b;
	const __int128 product = (__int128)isk_integer_of(a, &of_a) * isk_integer_of(b, &of_b);

	if (__builtin_isfinite(a) && __builtin_isfinite(b))
		isk_fixed_add(word, WORDS, product, of_a + of_b - LOWEST);
	else
		isk_add_special(flags, a * b);
}

/* Adds n elements or products one after another. */
__attribute__((noinline)) static void add_each(struct levels *s, const elem *a, const elem *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!b)
			isk_fixed_add_number(s->word, WORDS, LOWEST, s->flags, (double)a[i]);
		else if (IS_F32)
			isk_fixed_add_number(s->word, WORDS, LOWEST, s->flags, (double)a[i] * (double)b[i]);
		else
			add_product(s->word, s->flags, (double)a[i], (double)b[i]);
}

/* e if size is at least 2^e and less than 2^(e + 1); less than any unit if it is 0, more if it is infinite. */
ISK_INLINE int exponent_of(double size)
{
	uint64_t bits;

	__builtin_memcpy(&bits, &size, sizeof(bits));
	return (int)(bits >> 52) - 1023;
}

/* The exponent of a level's unit. */
ISK_INLINE int unit_of(int top, int level)
{
	return top + 1 - (level + 1) * WIDTH;
}

/* Adds the integers of all levels to the words. */
__attribute__((noinline)) static void carry(struct levels *s)
{
	for (int l = 0; l < LEVELS && s->blocks; l++) {
		__int128 sum = 0;
		int64_t lanes[VD];

		__builtin_memcpy(lanes, &s->sum[l], sizeof(lanes));
		for (int i = 0; i < VD; i++)
			sum += lanes[i];
		if (sum)
			isk_fixed_add(s->word, WORDS, sum, unit_of(s->top, l) - LOWEST);
		s->sum[l] = (vl){0};
	}
	s->blocks = 0;
}

/* Whether terms of f64 are products: the second term is then the error of the first one. */
ISK_INLINE int has_errors(const elem *b)
{
	return !IS_F32 && b;
}

/* The elements of a step. */
ISK_INLINE size_t step_of(const elem *b)
{
	return has_errors(b) ? VD : VL;
}

/* The terms of a step, in two vectors. The error of a product of which a half overflows is a NaN. */
ISK_INLINE void terms_of(vd x[2], const elem *a, const elem *b, size_t i)
{
	if (IS_F32) {
		const vf p = vf_load((const float *)a + i);

		x[0] = vf_low_half(p);
		x[1] = vf_high_half(p);
		if (b) {
			const vf q = vf_load((const float *)b + i);

			x[0] *= vf_low_half(q);
			x[1] *= vf_high_half(q);
		}
	} else {
		const vd p = vd_load((const double *)a + i);

		if (b) {
			const vd q = vd_load((const double *)b + i);

			x[0] = p * q;
			x[1] = vd_mul_low(p, q, x[0]);
		} else {
			x[0] = p;
			x[1] = vd_load((const double *)a + i + VD);
		}
	}
}

/* Products of this size or larger have errors that f64 holds: the last bit of an error is worth 2^-106 of the product or more. */
#define LEAST_PRODUCT 0x1p-960

/* Whether a product that is not 0 is too small for its error, in a block of n elements. */
__attribute__((noinline)) static int has_small(const elem *a, const elem *b, size_t n)
{
	int any = 0;

	for (size_t i = 0; i < n; i++) {
		const double product = (double)a[i] * (double)b[i];

		any |= a[i] != 0 && b[i] != 0 && product < LEAST_PRODUCT && product > -LEAST_PRODUCT;
	}
	return any;
}

/* The value with which the sum of a level begins. */
ISK_INLINE vd beginning(int top, int level)
{
	return (vd)((vl){0} + ((int64_t)(1023 + 52 + unit_of(top, level)) << 52 | (int64_t)1 << 51));
}

/* a + b and a - b. With FMA by a product with 1, which the compiler does not know, because Zen has other units for it. */
ISK_INLINE vd plus(vd a, vd b, vd one)
{
#if ISK_FMA
	return vd_fma(a, one, b);
#else
	(void)one;
	return a + b;
#endif
}

ISK_INLINE vd minus(vd a, vd b, vd one)
{
#if ISK_FMA
	return vd_fma(-b, one, a);
#else
	(void)one;
	return a - b;
#endif
}

/* In each lane the largest size of terms, but for NaNs, and the least one, or somewhat less than it. */
struct sizes {
	vd most, least;
};

/*
 * The least size leaves out 0, because the bits of 0 minus 1 are a NaN, which vd_min() drops. But 0 counts as the size of a
 * product of f64, since a product that is too small can become 0.
 */
ISK_INLINE void add_sizes(vd *most, vd *least, vd x, int counts_0)
{
	const vd size = vd_abs(x);

	*most = vd_max(size, *most);
	*least = vd_min(counts_0 ? size : (vd)((vl)size - 1), *least);
}

/* The same in vectors of f32. */
ISK_INLINE void add_float_sizes(vf *most, vf *least, vf x)
{
	const vf size = vf_abs(x);

	*most = vf_max(size, *most);
	*least = vf_min(vi_float(vf_bits(size) - 1), *least);
}

ISK_INLINE double largest(vd v)
{
	double lanes[VD], most = 0;

	vd_store(lanes, v);
	for (int i = 0; i < VD; i++)
		most = lanes[i] > most ? lanes[i] : most;
	return most;
}

/*
 * The last bit of a term, or of a product's error, is worth at least 2^(1 - this) of the first bit of the term. Sizes have a bit
 * to spare, because 1 was subtracted from theirs.
 */
ISK_INLINE int bits_of(const elem *b)
{
	return IS_F32 ? (b ? 48 : 24) : (b ? 106 : 53);
}

/* The levels that most sums need: one for f32, two for products and f64. */
ISK_INLINE int few_levels(const elem *b)
{
	return IS_F32 && !b ? 1 : 2;
}

/* 2^e, which is normal. */
ISK_INLINE vd power(int e)
{
	return (vd)((vl){0} + ((int64_t)(1023 + e) << 52));
}

/* Whether few levels below top hold terms of these sizes. */
ISK_INLINE int is_quick(const struct sizes *sizes, int top, const elem *b)
{
	const vd least = power(unit_of(top, few_levels(b) - 1 + has_errors(b)) + bits_of(b));

	return !vmd_any(vd_lt(sizes->least, has_errors(b) ? vd_max(least, vd_set1(LEAST_PRODUCT)) : least));
}

/*
 * Adds a block of steps to `count` levels, and errors of products to as many, from the second level on. Returns 0 and adds
 * nothing if these levels do not hold the block. If is_plain, the sizes of the terms must show that the last differences
 * are 0.
 */
ISK_INLINE int add_steps(struct levels *s, struct sizes *sizes, const elem *a, const elem *b, size_t steps, const int count,
                         const int is_plain)
{
	const int later = has_errors(b), in_floats = IS_F32 && !b;
	vd sum[LEVELS][2], x[2], most = vd_set1(0), least = vd_set1(__builtin_inf());
	vf most_float = vf_set1(0), least_float = vf_set1(__builtin_inff());
	vl rests = {0};
	const vd one = (vd)vf_here((vf)vd_set1(1));

#pragma GCC unroll 4
	for (int l = 0; l < count + later; l++)
		sum[l][0] = sum[l][1] = beginning(s->top, l);
	for (size_t i = 0; i < steps; i++) {
		terms_of(x, a, b, i * step_of(b));
		if (in_floats) {
			add_float_sizes(&most_float, &least_float, vf_load((const float *)a + i * VL));
		} else {
			add_sizes(&most, &least, x[0], later);
			if (!later)
				add_sizes(&most, &least, x[1], 0);
		}
#pragma GCC unroll 2
		for (int j = 0; j < 2; j++) {
#pragma GCC unroll 4
			for (int l = j * later; l < count + j * later; l++) {
				const vd before = sum[l][j];

				sum[l][j] = plus(before, x[j], one);
				x[j] = minus(x[j], sum[l][j] - before, one);
			}
			rests |= (vl)x[j];
		}
	}
	if (in_floats) {
		most = vd_max(vf_low_half(most_float), vf_high_half(most_float));
		least = vd_min(vf_low_half(least_float), vf_high_half(least_float));
	}
	sizes->most = most;
	sizes->least = least;
	/* A NaN among the terms makes the sum to which it is added first a NaN. */
	if (vmd_any(vd_le(power(s->top + 1), most)) || vmd_any(vd_unordered(sum[0][0], sum[later][1])))
		return 0;
	/* Differences are looked at as integers, because if they are or-ed they can have the bits of a NaN. */
	if (is_plain ? !is_quick(sizes, s->top, b)
	             : vmd_any(vl_lt((vl){0}, (vl)vd_abs((vd)rests)))
	                   || (later && vmd_any(vd_lt(least, vd_set1(LEAST_PRODUCT))) && has_small(a, b, steps * step_of(b))))
		return 0;
#pragma GCC unroll 4
	for (int l = 0; l < count + later; l++)
		s->sum[l] += (vl)sum[l][0] + (vl)sum[l][1] - 2 * (vl)beginning(s->top, l);
	s->blocks++;
	return 1;
}

ISK_INLINE int add_to_levels(struct levels *s, struct sizes *sizes, const elem *a, const elem *b, size_t steps)
{
	if (s->is_deep)
		return add_steps(s, sizes, a, b, steps, LEVELS - has_errors(b), 0);
	return add_steps(s, sizes, a, b, steps, few_levels(b), 1);
}

/* Makes the levels suit terms of these sizes. Returns 0 if they did so already, for instance because a term is a NaN. */
ISK_INLINE int fit(struct levels *s, const struct sizes *sizes, const elem *b)
{
	const int own = exponent_of(largest(sizes->most)), top = own > LEAST_TOP ? own : LEAST_TOP, is_deep = !is_quick(sizes, top, b);

	if (top > MOST_TOP || (top == s->top && (s->is_deep || !is_deep)))
		return 0;
	if (top > s->top || s->is_deep || !is_deep) {
		carry(s);
		s->top = top;
	}
	s->is_deep = is_deep;
	return 1;
}

/* Adds a block to levels, or one element after another if levels cannot hold it. Deep levels are left when few are enough. */
ISK_INLINE void add_block(struct levels *s, const elem *a, const elem *b, size_t steps)
{
	struct sizes sizes;
	int is_added;

	do
		is_added = add_to_levels(s, &sizes, a, b, steps);
	while (!is_added && fit(s, &sizes, b));
	if (is_added)
		s->is_deep = s->is_deep && !is_quick(&sizes, s->top, b);
	else
		add_each(s, a, b, steps * step_of(b));
	if (s->blocks == BLOCKS)
		carry(s);
}

ISK_INLINE void add_all(struct levels *s, const elem *a, const elem *b, size_t n)
{
	const size_t step = step_of(b);

	while (n >= step) {
		const size_t steps = n / step < STEPS ? n / step : STEPS;

		add_block(s, a, b, steps);
		a += steps * step;
		b = b ? b + steps * step : NULL;
		n -= steps * step;
	}
	add_each(s, a, b, n);
	carry(s);
}

ISK_EXTERN isk_accumulate_fn KERNEL(accumulate);

void KERNEL(accumulate)(uint64_t *word, uint32_t *flags, const void *a, const void *b, size_t n)
{
	struct levels s = {.top = LEAST_TOP, .word = word, .flags = flags};

	if (b)
		add_all(&s, a, b, n);
	else
		add_all(&s, a, NULL, n);
}
