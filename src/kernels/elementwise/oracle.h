/* SPDX-License-Identifier: MIT */
/* The oracles of the elementwise operations. */
#include "activation_oracles.h"

MAP(exp, exp(x))
MAP(tanh, tanh(x))
MAP(sigmoid, 1 / (1 + exp(-x)))
MAP(relu, isnan(x) || x > 0 ? x : 0)
MAP(relu6, isnan(x) ? x : x > 0 ? fmin(x, 6) : 0)
MAP(hardsigmoid, isnan(x) ? x : x <= -3 ? 0 : x >= 3 ? 1 : (x + 3) / 6)
MAP(hardswish, isnan(x) ? x : x <= -3 ? -(REAL)0 : x >= 3 ? x : R(above_half)(x, x * (x + 3) / 6))
MAP(sin, sin(x))
MAP(cos, cos(x))
MAP(abs, fabs(x))
MAP(neg, -x)
MAP(sign, isnan(x) ? x : (x > 0) - (x < 0))
MAP(floor, floor(x))
MAP(ceil, ceil(x))
MAP(round, nearbyint(x))
MAP(trunc, trunc(x))
MAP(square, x *x)
MAP(recip, 1 / x)
MAP(sqrt, sqrt(x))
MAP(rsqrt, 1 / sqrt(x))
ZIP(add, a + b)
ZIP(sub, a - b)
ZIP(mul, a *b)
ZIP(div, a / b)
ZIP(absdiff, fabs(a - b))
ZIP(add_relu, isnan(a + b) || a + b > 0 ? a + b : 0)
ZIP(copysign, copysign(a, b))
ZIP(minimum, isnan(a) || isnan(b) ? a + b : a < b || (a == b && signbit(a)) ? a : b)
ZIP(maximum, isnan(a) || isnan(b) ? a + b : a > b || (a == b && !signbit(a)) ? a : b)
ZIP3(fma, fma(a, b, c))
ZIP3(clamp, R(oracle_minimum)(R(oracle_maximum)(a, b), c))

/* The type of lanes, to which some intermediate results are rounded. */
#undef LANE
#if ISK_WIDE
#define LANE double
#else
#define LANE float
#endif

ISK_UNUSED static REAL R(lane_product)(REAL a, REAL b)
{
	return (REAL)((LANE)a * (LANE)b);
}

ISK_UNUSED static REAL R(lane_fma)(REAL a, REAL b, REAL c)
{
	return (REAL)fma((LANE)a, (LANE)b, (LANE)c);
}

ISK_UNUSED static REAL R(clipped)(REAL x, REAL low, REAL high)
{
	const REAL raised = x < low ? low : x;

	return raised > high ? high : raised;
}

MAP_SCALAR(leaky_relu, x > 0 ? x : (REAL)alpha * x)
MAP_SCALAR(scale, (REAL)alpha *x)
MAP_SCALAR(add_scalar, x + (REAL)alpha)
MAP_SCALAR2(axpb, fma((REAL)alpha, x, (REAL)beta))
MAP_RANGE(clip, R(clipped)(x, (REAL)low, (REAL)high))
ZIP3(lerp, fma(c, b, R(lane_fma)(-c, a, a)))
ZIP3_SCALAR(addcmul, fma(R(lane_product)(b, (REAL)alpha), c, a))

/* Defines the oracle of an operation on y and x, which are read before y is written. */
#define AXPBY(op, f)                                                           \
	ISK_UNUSED static REAL R(oracle_##op)(REAL y, REAL x, REAL alpha, REAL beta) \
	{                                                                          \
		(void)beta;                                                            \
		return f;                                                              \
	}
AXPBY(axpy, fma(alpha, x, y))
AXPBY(axpby, fma(alpha, x, R(lane_product)(beta, y)))
#undef AXPBY

ISK_SHARED static void R(form_axpby)(struct isk_sink *s, const enum isk_type *types, struct isk_args_axpby *a,
                                     REAL (*oracle)(REAL y, REAL x, REAL alpha, REAL beta))
{
	const struct isk_array y = {a->y, types[0], 1}, x = {a->x, types[0], 1};

	for (size_t i = 0; i < a->n; i++)
		s->put(s, a->y, i, types[0], (long double)oracle(AT(y, i), AT(x, i), (REAL)a->alpha, (REAL)a->beta), ISK_ULP, 0);
}

ISK_SHARED static void R(form_axpy)(struct isk_sink *s, const enum isk_type *types, struct isk_args_axpy *a,
                                    REAL (*oracle)(REAL y, REAL x, REAL alpha, REAL beta))
{
	struct isk_args_axpby args = {.y = a->y, .x = a->x, .n = a->n, .alpha = a->alpha};

	R(form_axpby)(s, types, &args, oracle);
}

/* Defines the oracle of element i of an array that is made of two values. */
#define IOTA(op, f)                                                            \
	ISK_UNUSED static REAL R(oracle_##op)(REAL i, REAL start, REAL step)       \
	{                                                                          \
		return f;                                                              \
	}
IOTA(iota, fma(i, step, start))
IOTA(fill, start + 0 * (i + step))
#undef IOTA

ISK_SHARED static void R(form_iota)(struct isk_sink *s, const enum isk_type *types, struct isk_args_iota *a,
                                    REAL (*oracle)(REAL i, REAL start, REAL step))
{
	for (size_t i = 0; i < a->n; i++)
		s->put(s, a->y, i, types[0], (long double)oracle((REAL)i, (REAL)a->start, (REAL)a->step), ISK_ULP, 0);
}

ISK_SHARED static void R(form_fill)(struct isk_sink *s, const enum isk_type *types, struct isk_args_fill *a,
                                    REAL (*oracle)(REAL i, REAL start, REAL step))
{
	struct isk_args_iota args = {.y = a->y, .n = a->n, .start = a->value};

	R(form_iota)(s, types, &args, oracle);
}

/* Defines the oracle that gives the factor of element i of each row. */
#define BY_ROWS(op, factor)                                                    \
	ISK_UNUSED static REAL R(oracle_##op)(struct isk_array w, size_t i)        \
	{                                                                          \
		return factor;                                                         \
	}
BY_ROWS(mul_rows, AT(w, i))
BY_ROWS(scale_rows, AT(w, 0 * i))
#undef BY_ROWS

ISK_SHARED static void R(form_mul_rows)(struct isk_sink *s, const enum isk_type *types, struct isk_args_mul_rows *a,
                                        REAL (*oracle)(struct isk_array w, size_t i))
{
	const struct isk_array x = {a->x, types[0], 1}, w = {a->w, types[0], 1};

	for (size_t r = 0; a->cols && r < a->rows; r++)
		for (size_t i = 0; i < a->cols; i++)
			s->put(s, a->y, r * a->ldy + i, types[0], (long double)(AT(x, r * a->ldx + i) * oracle(w, i)), ISK_ULP, 0);
}

ISK_SHARED static void R(form_scale_rows)(struct isk_sink *s, const enum isk_type *types,
                                          struct isk_args_scale_rows *a,
                                          REAL (*oracle)(struct isk_array w, size_t i))
{
	const struct isk_array x = {a->x, types[0], 1}, alpha = {&a->alpha, ISK_F64, 1};

	for (size_t r = 0; a->cols && r < a->rows; r++)
		for (size_t i = 0; i < a->cols; i++)
			s->put(s, a->y, r * a->ldy + i, types[0], (long double)(AT(x, r * a->ldx + i) * oracle(alpha, i)), ISK_ULP, 0);
}
