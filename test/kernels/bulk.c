/* SPDX-License-Identifier: MIT */
#include "bulk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "clones.h"

#define SIGN ((uint64_t)1 << 63)

/* Bits for comparison: all NaNs have the same. */
static inline uint64_t same_bits(double x)
{
	return x != x ? SIGN - 1 : isk_double_bits(x);
}

static inline int is_finite(double x)
{
	return fabs(x) < HUGE_VAL;
}

static enum isk_type type_of(const struct isk_kernel *k)
{
	return isk_argument_type(k, &k->shape->arguments[0]);
}

/* The same operation on f32, which answers for 16-bit floats. */
static isk_bulk *bulk_of_f32(const struct isk_kernel *k)
{
	for (size_t i = 0; i < isk_kernels_count; i++)
		if (isk_kernels[i].shape == k->shape && strcmp(isk_kernels[i].op, k->op) == 0 && isk_kernels[i].types[0] == ISK_F32)
			return isk_bulks[i];
	return NULL;
}

static isk_bulk *bulk_of(const struct isk_kernel *k)
{
	const int is_map_of_16_bits = k->shape->types == 1 && (k->types[0] == ISK_BF16 || k->types[0] == ISK_F16);

	return is_map_of_16_bits ? bulk_of_f32(k) : isk_bulks[k - isk_kernels];
}

/* f64 and s64 need more digits than a double has. Elements that share bytes are not computed one by one. */
int bulk_is_there(const struct isk_kernel *k)
{
	return bulk_of(k) && type_of(k) != ISK_F64 && type_of(k) != ISK_S64 && !isk_shares_byte(type_of(k));
}

/*
 * The exponent of a number in this format, as a double's exponent field: the least one for denormals, the
 * next after the largest for everything beyond.
 */
static inline uint64_t exponent_in(struct isk_format f, double x)
{
	const uint64_t e = isk_double_bits(x) >> 52 & 0x7ff, least = (uint64_t)(1024 - f.bias), most = (uint64_t)(1024 + f.bias);

	return e < least ? least : e > most ? most : e;
}

/* Rounds to nearest, ties to even, by adding a number so large that its last place is that of the format. */
ISK_CLONES static void round_floats(double *restrict y, const double *restrict x, size_t n, double factor,
                                    struct isk_format f, double most)
{
	_Pragma("omp simd") for (size_t i = 0; i < n; i++)
	{
		const double value = x[i] * factor;
		const double large = isk_double_of((exponent_in(f, value) + (uint64_t)(52 - f.fraction)) << 52 | (uint64_t)1 << 51);
		const double size = fabs(value + large - large);

		y[i] = copysign(size > most ? HUGE_VAL : size, value);
	}
}

/* Both zeros become +0. */
ISK_CLONES static void round_integers(double *restrict y, const double *restrict x, size_t n, double factor,
                                      double least, double most)
{
	_Pragma("omp simd") for (size_t i = 0; i < n; i++)
	{
		const double value = x[i] * factor, raised = value < least ? least : value;

		y[i] = rint(raised > most ? most : raised) + 0.0;
	}
}

static void round_all(enum isk_type type, double *y, const double *x, size_t n, double factor)
{
	if (isk_element_is_float(type))
		round_floats(y, x, n, factor, isk_format_of(type), isk_element_value(type, isk_infinity_bits(type) - 1));
	else
		round_integers(y, x, n, factor, (double)isk_least_integer(type), (double)isk_greatest_integer(type));
}

/*
 * Marks the elements that the answer in bulk leaves open: the ends of the margin round differently; the
 * answer is 0 or not finite and its neighbours differ; NaN in a type without room for it; and every 256th.
 */
ISK_CLONES static void find_open(struct bulk *b, int finite)
{
	const double *exact = b->exact, *low = b->low, *high = b->rounded;
	uint64_t *open = b->open;

	open[0] = open[b->count - 1] = 1;
	_Pragma("omp simd") for (size_t i = 1; i < b->count - 1; i++)
	{
		const uint64_t bits = same_bits(exact[i]);
		const int special = !(exact[i] != 0 && is_finite(exact[i]));
		const int alone = bits != same_bits(exact[i - 1]) || bits != same_bits(exact[i + 1]);

		open[i] = (same_bits(low[i]) != same_bits(high[i])) | (special & alone) | (finite & !is_finite(low[i]))
		          | (i % 256 == 0);
	}
}

ISK_CLONES static void open_nans(uint64_t *restrict open, const float *restrict x, size_t n)
{
	_Pragma("omp simd") for (size_t i = 0; i < n; i++) open[i] |= x[i] != x[i];
}

/* The array, converted to f32. */
static void *as_f32(struct bulk *b, int input, enum isk_type type, void *x)
{
	if (type == ISK_F32)
		return x;
	for (size_t i = 0; i < b->count; i++)
		b->wide[input][i] = (float)isk_element_value(type, isk_element_bits(type, x, i));
	return b->wide[input];
}

void bulk_ask(struct bulk *b, const struct isk_kernel *k, const union isk_args *args)
{
	const struct arguments all = arguments_of(k);
	const enum isk_type type = type_of(k);
	union isk_args of_f32 = *args;

	b->kernel = k;
	b->type = type;
	b->count = *size_at(k, &of_f32, all.sizes[0]);
	for (int j = 0; j < all.in_count; j++) {
		void **x = pointer_at(k, &of_f32, all.ins[j]);

		*x = as_f32(b, j, argument_type(k, all.ins[j]), *x);
	}
	bulk_of(k)(b->exact, &of_f32);
	round_all(type, b->low, b->exact, b->count, 1 - BULK_MARGIN);
	round_all(type, b->rounded, b->exact, b->count, 1 + BULK_MARGIN);
	find_open(b, !isk_format_of(type).has_infinity);
	for (int j = 0; j < all.in_count; j++)
		open_nans(b->open, *pointer_at(k, &of_f32, all.ins[j]), b->count);
}

ISK_CLONES static void widen(double *restrict y, const float *restrict x, size_t n)
{
	_Pragma("omp simd") for (size_t i = 0; i < n; i++) y[i] = (double)x[i];
}

static void values_of(enum isk_type type, double *y, const void *x, size_t n)
{
	if (type == ISK_F32)
		widen(y, x, n);
	else
		for (size_t i = 0; i < n; i++)
			y[i] = isk_element_value(type, isk_element_bits(type, x, i));
}

/* Marks open elements, and results that are not the exact result rounded. */
ISK_CLONES static void compare(const struct bulk *b, uint64_t *restrict left)
{
	_Pragma("omp simd") for (size_t i = 0; i < b->count; i++) left[i] =
		b->open[i] | (same_bits(b->got[i]) != same_bits(b->rounded[i]));
}

/* Marks open elements, and results with an error above the limit, in ulp. Returns how many others are misrounded. */
ISK_CLONES static uint64_t measure(const struct bulk *b, uint64_t *restrict left, struct isk_format f, double limit)
{
	const double beyond = isk_two_to(f.bias + 1);
	uint64_t misrounded = 0;

	_Pragma("omp simd reduction(+ : misrounded)") for (size_t i = 0; i < b->count; i++)
	{
		const double got = b->got[i], exact = b->exact[i];
		const uint64_t differs = same_bits(got) != same_bits(b->rounded[i]) ? 1 : 0;
		const double to_ulp = isk_double_of(((uint64_t)(2046 + f.fraction) - exponent_in(f, exact)) << 52);
		const double error = fabs(got - exact) * to_ulp;
		const uint64_t signs = (isk_double_bits(got) ^ isk_double_bits(exact)) >> 63;
		/* Infinities and NaNs are right, unless a finite exact result was rounded up to infinity. */
		const uint64_t of_numbers = error > limit ? 1 : signs;
		const uint64_t of_others = fabs(exact) < beyond ? 1 : differs;
		const uint64_t is_left = b->open[i] | (fabs(got) + fabs(exact) < HUGE_VAL ? of_numbers : of_others);

		left[i] = is_left;
		misrounded += differs & ~is_left;
	}
	return misrounded;
}

size_t bulk_left(struct bulk *b, const struct variant *v, const void *got, double worst, uint32_t *left,
                 uint64_t *misrounded)
{
	static uint64_t is_left[BULK_MOST];
	const double known = worst < v->bound ? worst : v->bound;
	size_t count = 0;

	values_of(b->type, b->got, got, b->count);
	if (v->exact)
		compare(b, is_left);
	else
		*misrounded += measure(b, is_left, isk_format_of(b->type), known > 0x1p-16 ? known - 0x1p-16 : 0);
	for (size_t i = 0; i < b->count; i++) {
		left[count] = (uint32_t)i;
		count += is_left[i];
	}
	return count;
}

int bulk_agrees(const struct bulk *b, size_t i, const struct exact *exact)
{
	const double answer = b->exact[i];
	const long double value = exact->value;

	/* The oracle gives bits for a NaN, and for the integer that a NaN becomes. */
	if (exact->given == BITS) {
		const double rounded = isk_element_value(b->type, exact->bits);

		if (isnan(rounded) || (isnan(answer) && !isk_format_of(b->type).has_nan))
			return 1;
		return b->low[i] == rounded || b->rounded[i] == rounded;
	}
	if (isnan(value) || isnan(answer))
		return isnan(value) && isnan(answer);
	if (!signbit(value) != !signbit(answer))
		return 0;
	/* Near the ends of double's range, which vector code may leave earlier. */
	if (fabsl(value) < 0x1p-1000L)
		return fabs(answer) < 0x1p-999;
	if (fabsl(value) > 0x1p1000L)
		return fabs(answer) > 0x1p999;
	return fabsl((long double)answer - value) <= (long double)BULK_MARGIN / 16 * fabsl(value);
}
