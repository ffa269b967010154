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
 * tell, and the last difference is not computed. For f32, it is quickest to see whether all sizes lie in a window (WINDOW).
 * Sizes are measured if they do not. If they are too far apart for few levels, all levels are used, and the block is done if all
 * last differences are 0. If they are not, the elements of the block are added to the words one after another.
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
	SETS = 2, /* see sets_of() */
	/* The elements of a block, which are the likelier to have sizes too far apart the more they are. */
	BLOCK = 768,
	/* A block adds less than 1.5 * 2^52 to an integer. */
	BLOCKS = 1024,
	/* The unit of the last level is a f64 and no less than that of the words, and 1.5 * 2^52 of the first one a f64. */
	LEAST_TOP = (IS_F32 ? ISK_LOWEST_F32 : -1074) + LEVELS * WIDTH - 1,
	MOST_TOP = 1023 - 53 + WIDTH - 1,
};

/* The sums of the levels, for terms below 2^(top + 1). */
struct levels {
	vl sum[LEVELS];
	int top, blocks, is_deep;
	size_t waits, delay; /* blocks until a window is tried again, and how many they were when it was tried last */
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

/* The terms of a step, in two vectors, or the factors x and y of products of f32. */
ISK_INLINE void terms_of(vd x[2], vd y[2], const elem *a, const elem *b, size_t i)
{
	if (IS_F32) {
		const vf p = vf_load((const float *)a + i);

		x[0] = vf_low_half(p);
		x[1] = vf_high_half(p);
		if (b) {
			const vf q = vf_load((const float *)b + i);

			y[0] = vf_low_half(q);
			y[1] = vf_high_half(q);
		}
	} else {
		const vd p = vd_load((const double *)a + i);

		if (b) {
			const vd q = vd_load((const double *)b + i);

			/* The error of a product of which a half overflows is a NaN. */
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
 * to spare, because 1 was subtracted from theirs, or because those of products are rounded.
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

/* Whether a term is too large for levels below top. */
ISK_INLINE int is_large(const struct sizes *sizes, int top)
{
	return vmd_any(vd_le(power(top + 1), sizes->most));
}

/* Adds the sizes of elements of f32. */
ISK_INLINE void add_float_sizes(vf *most, vf *least, vf x)
{
	const vf size = vf_abs(x);

	*most = vf_max(size, *most);
	*least = vf_min(vi_float(vf_bits(size) - 1), *least);
}

/* Adds the sizes of products in vectors of the elements. The least size leaves out those with a factor 0. */
ISK_INLINE void add_product_sizes(vec *most, vec *least, vec x, vec y)
{
	const vec size = magnitude(x * y);

	*most = maximum(size, *most);
	*least = minimum(choose(less(splat(0), minimum(magnitude(x), magnitude(y))), size, *least), *least);
}

/*
 * The sizes of n products that are measured again: of f32, because one is too large or too small for f32, but not for f64; of
 * f64, because one is too small, perhaps because a factor is 0.
 */
__attribute__((noinline)) static void measure_products(struct sizes *sizes, const elem *a, const elem *b, size_t n)
{
	vec most = splat(0), least = splat(INFINITE);
	vd x[2], y[2] = {vd_set1(0), vd_set1(0)};

	sizes->most = vd_set1(0);
	sizes->least = vd_set1(__builtin_inf());
	for (size_t i = 0; i < n && IS_F32; i += VL) {
		terms_of(x, y, a, b, i);
		for (int j = 0; j < 2; j++)
			add_sizes(&sizes->most, &sizes->least, x[j] * y[j], 0);
	}
	for (size_t i = 0; i < n && !IS_F32; i += VD)
		add_product_sizes(&most, &least, load(a, i, COUNT), load(b, i, COUNT));
	if (!IS_F32) {
		sizes->most = (vd)most;
		sizes->least = (vd)least;
	}
}

/*
 * The window: the WINDOW binades below 2^(top + 1). If the bits of the least f32 in it are subtracted from those of a term, the
 * bits for WINDOW binades and more, but for the sign, are 0 for the terms inside. Products are rounded to f32 for that. A 0
 * is outside, and so is a product too small or too large for f32. Few levels hold all terms inside, because 16 is at
 * most 45 - 24 and 32 at most 90 - 48, with a binade to spare for rounding.
 */
#define WINDOW(b) ((b) ? 32 : 16)

/* The exponent field of the least f32 in the window. */
ISK_INLINE int least_field(int top, const elem *b)
{
	return top + 127 - (WINDOW(b) - 1);
}

/* Whether a term was outside, or f32 does not have the whole window. */
ISK_INLINE int is_outside(vi outside, int top, const elem *b)
{
	const vi bits = outside & vi_set1(INT32_MAX & -(WINDOW(b) << 23));

	return least_field(top, b) < 0 || top > 127 || vmd_any(vl_lt((vl){0}, (vl)bits));
}

/* The state that the steps of a block change: the sums of the levels, the sizes of the terms, and the bits of all last differences. */
struct block {
	vd sum[SETS][LEVELS][2];
	struct sizes sizes;
	vec most, least; /* sizes of f32 */
	vi outside;
	vl rests;
};

/* The sets of sums to which successive steps are added in turn, to hide the latency of an addition. */
ISK_INLINE int sets_of(const elem *b, const int is_plain)
{
	return IS_F32 && !b && is_plain ? SETS : 1;
}

/* Adds the terms of step i to sums of `count` levels, errors of products from the second level on. */
ISK_INLINE void add_step(struct block *block, const elem *a, const elem *b, size_t i, vi field, vd one, const int set,
                         const int count, const int has_window)
{
	const int later = has_errors(b), has_factors = IS_F32 && b;
	vd x[2], y[2];

	terms_of(x, y, a, b, i * step_of(b));
	if (IS_F32) {
		const vec p = load(a, i * VL, VL), q = b ? load(b, i * VL, VL) : p;

		if (has_window)
			block->outside |= vf_bits((vf)(b ? p * q : p)) - field;
		else if (b)
			add_product_sizes(&block->most, &block->least, p, q);
		else
			add_float_sizes((vf *)&block->most, (vf *)&block->least, (vf)p);
	} else {
		add_sizes(&block->sizes.most, &block->sizes.least, x[0], later);
		if (!later)
			add_sizes(&block->sizes.most, &block->sizes.least, x[1], 0);
	}
#pragma GCC unroll 2
	for (int j = 0; j < 2; j++) {
#pragma GCC unroll 4
		for (int l = j * later; l < count + j * later; l++) {
			vd *const sum = &block->sum[set][l][j];
			const vd before = *sum;

			/* A product of f32 is exact, so that it is rounded once even without FMA. */
			if (has_factors && l == 0) {
				*sum = vd_fma(x[j], y[j], before);
				x[j] = vd_fma(x[j], y[j], before - *sum);
			} else {
				*sum = plus(before, x[j], one);
				x[j] = minus(x[j], *sum - before, one);
			}
		}
		block->rests |= (vl)x[j];
	}
}

/* The sizes of the terms of a block. */
ISK_INLINE struct sizes sizes_of(const struct block *block, const elem *a, const elem *b, size_t n)
{
	struct sizes sizes = block->sizes;

	if (IS_F32) {
		sizes.most = vd_max(vf_low_half((vf)block->most), vf_high_half((vf)block->most));
		sizes.least = vd_min(vf_low_half((vf)block->least), vf_high_half((vf)block->least));
	}
	if (b && ((IS_F32 && vmd_any(vd_lt(vd_set1(0x1p128 - 0x1p104), sizes.most)))
	          || vmd_any(vd_lt(sizes.least, vd_set1(IS_F32 ? 0x1p-126 : LEAST_PRODUCT)))))
		measure_products(&sizes, a, b, n);
	return sizes;
}

/*
 * Adds a block of steps to `count` levels, and errors of products to as many, from the second level on. Returns 0 and adds
 * nothing if these levels do not hold the block. If is_plain, the last differences must be known to be 0: has_window, because no
 * term is outside, else because of the sizes of the terms.
 */
ISK_INLINE int add_steps(struct levels *s, struct sizes *sizes, const elem *a, const elem *b, size_t steps, const int count,
                         const int is_plain, const int has_window)
{
	const int later = has_errors(b), sets = sets_of(b, is_plain);
	const vi field = vi_set1((int32_t)((uint32_t)least_field(s->top, b) << 23));
	struct block block = {.sizes = {vd_set1(0), vd_set1(__builtin_inf())}, .most = splat(0), .least = splat(INFINITE)};
	const vd one = (vd)vf_here((vf)vd_set1(1));
	int is_unordered = 0;
	size_t i = 0;

#pragma GCC unroll 2
	for (int set = 0; set < sets; set++)
#pragma GCC unroll 4
		for (int l = 0; l < count + later; l++)
			block.sum[set][l][0] = block.sum[set][l][1] = beginning(s->top, l);
	for (; i + (size_t)sets <= steps; i += (size_t)sets)
#pragma GCC unroll 2
		for (int set = 0; set < sets; set++)
			add_step(&block, a, b, i + (size_t)set, field, one, set, count, has_window);
	if (i < steps)
		add_step(&block, a, b, i, field, one, 0, count, has_window);
	/* A NaN among the terms makes the sum to which it is added first a NaN. */
#pragma GCC unroll 2
	for (int set = 0; set < sets; set++)
		is_unordered |= vmd_any(vd_unordered(block.sum[set][0][0], block.sum[set][later][1]));
	if (has_window) {
		if (is_outside(block.outside, s->top, b))
			return 0;
	} else {
		*sizes = sizes_of(&block, a, b, steps * step_of(b));
		if (is_large(sizes, s->top) || is_unordered)
			return 0;
		/* Differences are looked at as integers, because if they are or-ed they can have the bits of a NaN. */
		if (is_plain ? !is_quick(sizes, s->top, b)
		             : vmd_any(vl_lt((vl){0}, (vl)vd_abs((vd)block.rests)))
		                   || (later && vmd_any(vd_lt(sizes->least, vd_set1(LEAST_PRODUCT)))))
			return 0;
	}
#pragma GCC unroll 2
	for (int set = 0; set < sets; set++)
#pragma GCC unroll 4
		for (int l = 0; l < count + later; l++)
			s->sum[l] += (vl)block.sum[set][l][0] + (vl)block.sum[set][l][1] - 2 * (vl)beginning(s->top, l);
	s->blocks++;
	return 1;
}

/* Whether a block is added by window. */
ISK_INLINE int has_window(const struct levels *s)
{
	return IS_F32 && !s->is_deep && !s->waits;
}

/* Waits longer each time that a window is too small, for instance because many elements are 0. */
ISK_INLINE void wait(struct levels *s, int is_added)
{
	s->delay = is_added ? 1 : 2 * s->delay;
	s->waits = is_added ? 0 : s->delay;
}

ISK_INLINE int add_to_levels(struct levels *s, struct sizes *sizes, const elem *a, const elem *b, size_t steps)
{
	if (has_window(s))
		return add_steps(s, sizes, a, b, steps, few_levels(b), 1, 1);
	if (s->is_deep)
		return add_steps(s, sizes, a, b, steps, LEVELS - has_errors(b), 0, 0);
	return add_steps(s, sizes, a, b, steps, few_levels(b), 1, 0);
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

/*
 * Adds a block of at most `left` steps to levels, or one element after another if levels cannot hold it. Returns its number
 * of steps. Deep levels have one set of sums. They are left when few levels are enough.
 */
ISK_INLINE size_t add_block(struct levels *s, const elem *a, const elem *b, size_t left)
{
	const size_t most = STEPS * (size_t)sets_of(b, 1), usual = BLOCK / step_of(b);
	size_t steps = usual < most ? usual : most;
	struct sizes sizes = {vd_set1(0), vd_set1(0)};
	int is_added, by_window;

	if (left < steps)
		steps = left;
	do {
		if (s->is_deep && steps > STEPS)
			steps = STEPS;
		by_window = has_window(s);
		is_added = add_to_levels(s, &sizes, a, b, steps);
		if (by_window)
			wait(s, is_added);
	} while (!is_added && (by_window || fit(s, &sizes, b)));
	if (s->waits)
		s->waits--;
	if (is_added)
		s->is_deep = s->is_deep && !is_quick(&sizes, s->top, b);
	else
		add_each(s, a, b, steps * step_of(b));
	if (s->blocks == BLOCKS)
		carry(s);
	return steps;
}

ISK_INLINE void add_all(struct levels *s, const elem *a, const elem *b, size_t n)
{
	const size_t step = step_of(b);

	while (n >= step) {
		const size_t done = step * add_block(s, a, b, n / step);

		a += done;
		b = b ? b + done : NULL;
		n -= done;
	}
	add_each(s, a, b, n);
	carry(s);
}

ISK_EXTERN isk_accumulate_fn KERNEL(accumulate);

void KERNEL(accumulate)(uint64_t *word, uint32_t *flags, const void *a, const void *b, size_t n)
{
	struct levels s = {.top = LEAST_TOP, .waits = 1, .delay = 1, .word = word, .flags = flags};

	if (b)
		add_all(&s, a, b, n);
	else
		add_all(&s, a, NULL, n);
}
