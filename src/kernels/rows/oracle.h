/* SPDX-License-Identifier: MIT */
/* The operations by their definitions. Most first compute the values that a row's elements share, then each element. */
#include <stdlib.h>

ISK_UNUSED static struct R(row) R(softmax_row)(struct isk_array x, size_t cols, REAL epsilon)
{
	REAL max = -(REAL)INFINITY, sum = 0;

	(void)epsilon;
	for (size_t i = 0; i < cols; i++)
		max = isnan(AT(x, i)) || AT(x, i) > max ? AT(x, i) : max;
	for (size_t i = 0; i < cols; i++)
		sum += exp(AT(x, i) - max);
	return (struct R(row)){.centre = max, .factor = 1 / sum, .depth = R(depth)(cols)};
}

ISK_UNUSED static REAL R(softmax_element)(const struct R(row) *row, REAL x, REAL weight, REAL bias, REAL *scale)
{
	const REAL y = exp(x - row->centre) * row->factor;

	(void)weight;
	(void)bias;
	*scale = y * (row->depth + (row->centre - x));
	return isinf(x) && x < 0 && !isnan(y) ? *scale = 0 : y;
}

/* Element i of x, or its sum with that of plus, rounded as kernels round it. */
ISK_UNUSED static REAL R(total)(struct isk_array x, struct isk_array plus, size_t i)
{
	const REAL a = AT(x, i), b = plus.x ? AT(plus, i) : 0;
	long double sum;

	if (!plus.x)
		return a;
	sum = x.type == ISK_F64 ? (long double)((double)a + (double)b) : (long double)((float)a + (float)b);
	if (x.type == ISK_F64 || x.type == ISK_F32)
		return (REAL)sum;
	return (REAL)isk_element_value(x.type, isk_element_round(x.type, sum));
}

ISK_UNUSED static struct R(row) R(normalised_row)(struct isk_array x, struct isk_array plus, size_t cols, REAL epsilon,
                                                  int centred)
{
	struct R(row) row = {.depth = R(depth)(cols)};
	REAL squares = 0, size = 0;

	for (size_t i = 0; i < cols && centred; i++) {
		row.centre += R(total)(x, plus, i) / (REAL)cols;
		size += fabs(R(total)(x, plus, i));
	}
	/* Adds the rounding error of the mean back, because a long double has only 11 bits more than f64. */
	if (ISK_WIDE && centred && isfinite(row.centre)) {
		REAL more = 0;

		for (size_t i = 0; i < cols; i++)
			more += (R(total)(x, plus, i) - row.centre) / (REAL)cols;
		row.centre += more;
	}
	for (size_t i = 0; i < cols; i++) {
		const REAL d = R(total)(x, plus, i) - row.centre;

		squares += d * d;
		row.reach = fmax(row.reach, centred ? fabs(R(total)(x, plus, i)) : 0);
	}
	row.factor = 1 / sqrt(squares / (REAL)cols + epsilon);
	row.reach *= row.factor;
	/* No error is promised if a sum may leave the range of the lanes, of f64 or of f32. */
	if (isfinite(squares) && fmax(squares, size) > (REAL)(ISK_WIDE ? 0x1p1023L : 0x1p127L))
		row.depth = (REAL)INFINITY;
	return row;
}

ISK_UNUSED static struct R(row) R(centred_row)(struct isk_array x, size_t cols, REAL epsilon)
{
	return R(normalised_row)(x, (struct isk_array){0}, cols, epsilon, 1);
}

ISK_UNUSED static struct R(row) R(plain_row)(struct isk_array x, size_t cols, REAL epsilon)
{
	return R(normalised_row)(x, (struct isk_array){0}, cols, epsilon, 0);
}

ISK_UNUSED static REAL R(normalised)(const struct R(row) *row, REAL x, REAL weight, REAL bias, REAL *scale)
{
	const REAL y = (x - row->centre) * row->factor * weight + bias;

	*scale = isinf(row->depth) ? row->depth : row->depth * (fabs(y) + fabs(bias) + fabs(weight)) * (1 + row->reach);
	return y;
}

/* As softmax_row, but factor is the logarithm of the sum instead of its reciprocal. */
ISK_UNUSED static struct R(row) R(log_row)(struct isk_array x, size_t cols, REAL epsilon)
{
	struct R(row) row = R(softmax_row)(x, cols, epsilon);

	row.factor = -log(row.factor);
	return row;
}

ISK_UNUSED static REAL R(log_element)(const struct R(row) *row, REAL x, REAL weight, REAL bias, REAL *scale)
{
	const REAL y = x - row->centre - row->factor;

	(void)weight;
	(void)bias;
	*scale = row->depth + 2 * fabs(y);
	return isinf(y) ? *scale = 0, y : y;
}

ISK_UNUSED static struct R(row) R(long_row)(struct isk_array x, size_t cols, REAL epsilon)
{
	struct R(row) row = {.depth = R(depth)(cols)};
	long double squares = 0;

	(void)epsilon;
	for (size_t i = 0; i < cols; i++)
		squares += (long double)AT(x, i) * (long double)AT(x, i);
	row.factor = squares == 0 ? 1 : (REAL)(1 / sqrtl(squares));
	return row;
}

ISK_UNUSED static REAL R(unit_element)(const struct R(row) *row, REAL x, REAL weight, REAL bias, REAL *scale)
{
	const REAL y = x * row->factor;

	(void)weight;
	(void)bias;
	*scale = row->depth * fabs(y);
	return y;
}

ROWS(softmax, R(softmax_row), R(softmax_element))
ROWS(log_softmax, R(log_row), R(log_element))
ROWS(l2normalize, R(long_row), R(unit_element))
ROWS(layernorm, R(centred_row), R(normalised))
ROWS(rmsnorm, R(plain_row), R(normalised))

/* The array p, which may be NULL, from element `at` on. */
#define ARRAY_OF(p, at, type) ((struct isk_array){(p) ? (const char *)(p) + (at) * isk_element_bytes(type) : NULL, type, 1})

/* The oracle tells whether the statistics are centred. */
#define ADD_NORM(op, centred)                                                  \
	ISK_UNUSED static int R(oracle_##op)(void)                                 \
	{                                                                          \
		return centred;                                                        \
	}

ISK_SHARED static void R(form_add_norm)(struct isk_sink *s, const enum isk_type *types, struct isk_args_add_norm *a,
                                        int (*centred)(void))
{
	const enum isk_type type = types[0];
	const struct isk_array weight = ARRAY_OF(a->weight, 0, type), bias = ARRAY_OF(a->bias, 0, type);

	for (size_t r = 0; a->cols && r < a->rows; r++) {
		const struct isk_array residual = ARRAY_OF(a->residual, r * a->ldr, type), x = ARRAY_OF(a->x, r * a->ldx, type);
		const struct R(row) row = R(normalised_row)(residual, x, a->cols, (REAL)a->epsilon, centred());

		for (size_t i = 0; i < a->cols; i++) {
			const REAL sum = R(total)(residual, x, i);
			REAL scale;
			const REAL y = R(normalised)(&row, sum, a->weight ? AT(weight, i) : 1, a->bias ? AT(bias, i) : 0, &scale);

			if (isnan(sum))
				s->put(s, a->sum, r * a->lds + i, type, (long double)sum, ISK_ULP, 0);
			else
				s->put_bits(s, a->sum, r * a->lds + i, type, isk_element_round(type, (long double)sum));
			s->put(s, a->y, r * a->ldy + i, type, (long double)y, (long double)scale, 2);
		}
	}
}

ADD_NORM(add_layernorm, 1)
ADD_NORM(add_rmsnorm, 0)

/* The statistics of layernorm (centred) and of rmsnorm. */
ISK_SHARED static void R(statistics)(struct isk_sink *s, enum isk_type type, struct isk_args_layernorm_stats *a,
                                     int centred)
{
	const struct isk_array weight = ARRAY_OF(a->weight, 0, type), bias = ARRAY_OF(a->bias, 0, type);

	for (size_t r = 0; r < a->rows; r++) {
		const struct isk_array x = ARRAY_OF(a->x, r * a->ldx, type);
		struct R(row) row = R(normalised_row)(x, (struct isk_array){0}, a->cols, (REAL)a->epsilon, centred);
		REAL size = 0, scale;

		if (!a->cols)
			row.centre = (REAL)NAN;
		for (size_t i = 0; i < a->cols; i++)
			size += fabs(AT(x, i)) / (REAL)a->cols;
		if (a->mean)
			s->put(s, a->mean, r, type, (long double)row.centre, (long double)(row.depth * size), a->cols);
		if (a->rstd)
			s->put(s, a->rstd, r, type, (long double)row.factor, (long double)(row.depth * row.factor * (1 + row.reach)), 2);
		for (size_t i = 0; i < a->cols; i++) {
			const REAL y = R(normalised)(&row, AT(x, i), a->weight ? AT(weight, i) : 1, a->bias ? AT(bias, i) : 0, &scale);

			s->put(s, a->y, r * a->ldy + i, type, (long double)y, (long double)scale, 2);
		}
	}
}

ISK_SHARED static void R(form_layernorm_stats)(struct isk_sink *s, const enum isk_type *types,
                                               struct isk_args_layernorm_stats *a, int (*centred)(void))
{
	R(statistics)(s, types[0], a, centred());
}

ISK_SHARED static void R(form_rmsnorm_stats)(struct isk_sink *s, const enum isk_type *types,
                                             struct isk_args_rmsnorm_stats *a, int (*centred)(void))
{
	struct isk_args_layernorm_stats args = {.y = a->y, .rstd = a->rstd, .x = a->x, .weight = a->weight, .rows = a->rows,
		.cols = a->cols, .ldy = a->ldy, .ldx = a->ldx, .epsilon = a->epsilon};

	R(statistics)(s, types[0], &args, centred());
}

ADD_NORM(layernorm_stats, 1)
ADD_NORM(rmsnorm_stats, 0)

ISK_SHARED static void R(form_groupnorm)(struct isk_sink *s, const enum isk_type *types, struct isk_args_groupnorm *a,
                                         int (*centred)(void))
{
	const enum isk_type type = types[0];
	const struct isk_array weight = ARRAY_OF(a->weight, 0, type), bias = ARRAY_OF(a->bias, 0, type);
	const size_t all = a->channels * a->pixels;

	for (size_t g = 0; all && g < (a->groups ? a->images : 0) * a->groups; g++) {
		const struct isk_array x = ARRAY_OF(a->x, g * all, type);
		const struct R(row) row = R(normalised_row)(x, (struct isk_array){0}, all, (REAL)a->epsilon, centred());

		for (size_t i = 0; i < all; i++) {
			const size_t c = g % a->groups * a->channels + i / a->pixels;
			REAL scale;
			const REAL y = R(normalised)(&row, AT(x, i), a->weight ? AT(weight, c) : 1, a->bias ? AT(bias, c) : 0, &scale);

			s->put(s, a->y, g * all + i, type, (long double)y, (long double)scale, 2);
		}
	}
}

ADD_NORM(groupnorm, 1)

/* The softmax of l, a masked logit. */
#define SOFTMAX_MASKED(op, f)                                                  \
	ISK_UNUSED static REAL R(oracle_##op)(REAL l, REAL max, REAL sum)          \
	{                                                                          \
		return f;                                                              \
	}

ISK_SHARED static void R(form_softmax_masked)(struct isk_sink *s, const enum isk_type *types,
                                              struct isk_args_softmax_masked *a,
                                              REAL (*oracle)(REAL l, REAL max, REAL sum))
{
	const enum isk_type type = types[0];
	const REAL by = type == ISK_F64 ? (REAL)a->scale : (REAL)(float)a->scale, eps = type == ISK_F64 ? (REAL)0x1p-53 : (REAL)0x1p-24;

#define LOGIT(i) (AT(x, i) * by + (mask.x ? AT(mask, i) : 0))
#define SIZE(i)  (fabs(AT(x, i) * by) + (mask.x ? fabs(AT(mask, i)) : 0))
	for (size_t r = 0; a->cols && r < a->rows; r++) {
		const struct isk_array x = ARRAY_OF(a->x, r * a->ldx, type), mask = ARRAY_OF(a->mask, r * a->ldm, type);
		REAL max = -(REAL)INFINITY, sum = 0, spread = 0, largest = 0, depth;
		size_t n = 0;

		while (n < a->cols && (int64_t)n <= (int64_t)r + a->ahead)
			n++;
		depth = R(depth)(n);
		for (size_t i = 0; i < n; i++)
			max = isnan(LOGIT(i)) || LOGIT(i) > max ? LOGIT(i) : max;
		for (size_t i = 0; i < n; i++) {
			const REAL e = exp(LOGIT(i) - max);

			sum += e;
			spread += e > 0 ? e * SIZE(i) : 0;
			largest = isfinite(SIZE(i)) && SIZE(i) > largest ? SIZE(i) : largest;
		}
		for (size_t i = 0; i < a->cols; i++) {
			const int none = i >= n || (isinf(max) && max < 0);
			const REAL y = none ? 0 : oracle(LOGIT(i), max, sum);
			const REAL first = y * (depth + max - LOGIT(i) + SIZE(i) + spread / sum);
			const REAL scale = !(y > 0) ? y : largest * 16 > 1 / eps ? (REAL)INFINITY : first;

			s->put(s, a->y, r * a->ldy + i, type, (long double)y, (long double)scale, 2);
		}
	}
#undef LOGIT
#undef SIZE
}

SOFTMAX_MASKED(softmax_masked, exp(l - max) / sum)

/* The loss from y, the logarithm of the label's softmax. */
#define CROSS_ENTROPY(op, f)                                                   \
	ISK_UNUSED static REAL R(oracle_##op)(REAL y)                              \
	{                                                                          \
		return f;                                                              \
	}

/* Whether all labels are in range. Otherwise the kernel writes nothing. */
ISK_SHARED static int R(labelled)(struct isk_sink *s, void *result, const void *labels, size_t rows, size_t cols)
{
	int status = 0;

	for (size_t r = 0; r < rows; r++)
		status = isk_element_bits(ISK_S64, labels, r) < cols ? status : ISK_ERR_INDEX;
	s->put_bits(s, result, 0, ISK_S32, (uint32_t)status);
	return !status;
}

ISK_SHARED static void R(form_cross_entropy)(struct isk_sink *s, const enum isk_type *types,
                                             struct isk_args_cross_entropy *a, REAL (*oracle)(REAL y))
{
	if (!R(labelled)(s, &a->result, a->labels, a->rows, a->cols))
		return;
	for (size_t r = 0; r < a->rows; r++) {
		const struct isk_array x = ARRAY_OF(a->x, r * a->ldx, types[0]);
		const struct R(row) row = R(log_row)(x, a->cols, 0);
		REAL scale;
		const REAL y = R(log_element)(&row, AT(x, isk_element_bits(ISK_S64, a->labels, r)), 1, 0, &scale);

		s->put(s, a->loss, r, types[0], (long double)oracle(y), (long double)scale, 2);
	}
}

CROSS_ENTROPY(cross_entropy, -y)

/* The gradient for softmax y; hot is 1 for the label, else 0. */
#define LABEL_GRADIENT(op, f)                                                  \
	ISK_UNUSED static REAL R(oracle_##op)(REAL y, REAL hot, REAL dloss)        \
	{                                                                          \
		return f;                                                              \
	}

ISK_SHARED static void R(form_label_gradient)(struct isk_sink *s, const enum isk_type *types,
                                              struct isk_args_label_gradient *a,
                                              REAL (*oracle)(REAL y, REAL hot, REAL dloss))
{
	const enum isk_type type = types[0];
	const struct isk_array dloss = ARRAY_OF(a->dloss, 0, type);

	if (!R(labelled)(s, &a->result, a->labels, a->cols ? a->rows : 0, a->cols))
		return;
	for (size_t r = 0; a->cols && r < a->rows; r++) {
		const struct isk_array x = ARRAY_OF(a->x, r * a->ldx, type);
		const struct R(row) row = R(softmax_row)(x, a->cols, 0);
		const size_t label = isk_element_bits(ISK_S64, a->labels, r);

		for (size_t i = 0; i < a->cols; i++) {
			REAL scale;
			const REAL y = R(softmax_element)(&row, AT(x, i), 1, 0, &scale), hot = i == label;

			scale = (scale + 2 * fabs(y - hot)) * fabs(AT(dloss, r));
			s->put(s, a->dx, r * a->lddx + i, type, (long double)oracle(y, hot, AT(dloss, r)), (long double)scale,
			       2 + (size_t)fmin(fabs(AT(dloss, r)), 1e9));
		}
	}
}

LABEL_GRADIENT(cross_entropy_backward, (y - hot) * dloss)

ISK_SHARED static void R(form_softmax_axis)(struct isk_sink *s, const enum isk_type *types,
                                            struct isk_args_softmax_axis *a, struct R(by_row) (*oracle)(void))
{
	const size_t columns = a->n ? a->outer * a->inner : 0;

	for (size_t c = 0; c < columns; c++) {
		const size_t first = c / a->inner * a->n * a->inner + c % a->inner;
		const struct isk_array x = {ARRAY_OF(a->x, first, types[0]).x, types[0], a->inner};
		struct R(row) row = oracle().know(x, a->n, 0);

		row.depth = (REAL)a->n + 2;
		for (size_t i = 0; i < a->n; i++) {
			REAL scale;
			const REAL y = oracle().element(&row, AT(x, i), 1, 0, &scale);

			s->put(s, a->y, first + i * a->inner, types[0], (long double)y, (long double)scale, 2);
		}
	}
}

ROWS(softmax_axis, R(softmax_row), R(softmax_element))

#define ROW_ZIP(op, f)                                                         \
	ISK_UNUSED static REAL R(oracle_##op)(REAL x, REAL b)                      \
	{                                                                          \
		return f;                                                              \
	}

ISK_SHARED static void R(form_row_zip)(struct isk_sink *s, const enum isk_type *types, struct isk_args_row_zip *a,
                                       REAL (*oracle)(REAL x, REAL b))
{
	const struct isk_array x = ARRAY_OF(a->x, 0, types[0]), b = ARRAY_OF(a->b, 0, types[0]);

	for (size_t r = 0; a->cols && r < a->rows; r++)
		for (size_t i = 0; i < a->cols; i++)
			s->put(s, a->y, r * a->ldy + i, types[0], (long double)oracle(AT(x, r * a->ldx + i), AT(b, i)), ISK_ULP, 0);
}

ROW_ZIP(add_row, x + b)
ROW_ZIP(mul_row, x *b)
ROW_ZIP(prelu, x > 0 ? x : x * b)

/* A linear function: the product and the sum are rounded. */
#define AFFINE(op, f)                                                          \
	ISK_UNUSED static REAL R(oracle_##op)(REAL x, REAL scale, REAL shift)      \
	{                                                                          \
		return f;                                                              \
	}

/* Puts element `to` of y from element `from` of x and element c of scale and of shift, which may be NULL. */
ISK_SHARED static void R(affine)(struct isk_sink *s, enum isk_type type, struct isk_args_plane_affine *a, size_t to,
                                 size_t from, size_t c, REAL (*oracle)(REAL x, REAL scale, REAL shift))
{
	const struct isk_array x = ARRAY_OF(a->x, 0, type), scale = ARRAY_OF(a->scale, 0, type);
	const struct isk_array shift = ARRAY_OF(a->shift, 0, type);
	const REAL y = oracle(AT(x, from), AT(scale, c), shift.x ? AT(shift, c) : 0);

	s->put(s, a->y, to, type, (long double)y, (long double)(fabs(y) + fabs(AT(x, from) * AT(scale, c))), 2);
}

ISK_SHARED static void R(form_plane_affine)(struct isk_sink *s, const enum isk_type *types,
                                            struct isk_args_plane_affine *a,
                                            REAL (*oracle)(REAL x, REAL scale, REAL shift))
{
	const size_t all = a->pixels && a->channels ? a->images * a->channels * a->pixels : 0;

	for (size_t i = 0; i < all; i++)
		R(affine)(s, types[0], a, i, i, i / a->pixels % a->channels, oracle);
}

ISK_SHARED static void R(form_row_affine)(struct isk_sink *s, const enum isk_type *types,
                                          struct isk_args_row_affine *a, REAL (*oracle)(REAL x, REAL scale, REAL shift))
{
	struct isk_args_plane_affine args = {.y = a->y, .x = a->x, .scale = a->scale, .shift = a->shift};

	for (size_t r = 0; a->cols && r < a->rows; r++)
		for (size_t i = 0; i < a->cols; i++)
			R(affine)(s, types[0], &args, r * a->ldy + i, r * a->ldx + i, i, oracle);
}

AFFINE(batchnorm_nhwc, x *scale + shift)
AFFINE(batchnorm_nchw, x *scale + shift)

/* The index in x of element i of a row of y. */
#define BROADCAST_ROWS(op, from)                                               \
	ISK_UNUSED static size_t R(oracle_##op)(size_t i)                          \
	{                                                                          \
		return from;                                                           \
	}

ISK_SHARED static void R(form_broadcast_rows)(struct isk_sink *s, const enum isk_type *types,
                                              struct isk_args_broadcast_rows *a, size_t (*oracle)(size_t i))
{
	for (size_t r = 0; a->cols && r < a->rows; r++)
		for (size_t i = 0; i < a->cols; i++)
			s->put_bits(s, a->y, r * a->ldy + i, types[0], isk_element_bits(types[0], a->x, oracle(i)));
}

BROADCAST_ROWS(broadcast_rows, i)

/*
 * A bound of the terms that vanish on the way, in units of the least number of the type. For f16 it does not depend on
 * the number of terms, because the kernel computes in f32, whose losses are too small for f16.
 */
ISK_UNUSED static size_t R(vanished)(enum isk_type type, size_t terms, REAL size)
{
	return type == ISK_F16 ? 2 : 2 + terms * (size_t)fmin(1 + size, 1e9);
}

/* No error is promised if most, the largest intermediate value, may leave the range of the lanes, of f64 or of f32. */
ISK_UNUSED static REAL R(beyond)(REAL most)
{
	return most > (REAL)(ISK_WIDE ? 0x1p1022L : 0x1p126L) ? (REAL)INFINITY : 0;
}

/* The gradients of softmax and of log_softmax, from y, dy and the sum over the row of the terms sum_is. */
#define ROW_GRADIENT(op, sum_is, f, rounded)                                   \
	ISK_UNUSED static REAL R(oracle_##op)(REAL y, REAL dy, const REAL *sum, REAL size, REAL depth, REAL *scale) \
	{                                                                          \
		if (!sum)                                                              \
			return sum_is;                                                     \
		*scale = rounded;                                                      \
		(void)size;                                                            \
		(void)depth;                                                           \
		return f;                                                              \
	}

ISK_SHARED static void R(form_row_gradient)(struct isk_sink *s, const enum isk_type *types,
                                            struct isk_args_row_gradient *a,
                                            REAL (*oracle)(REAL y, REAL dy, const REAL *sum, REAL size, REAL depth,
                                                           REAL *scale))
{
	const enum isk_type type = types[0];

	for (size_t r = 0; a->cols && r < a->rows; r++) {
		const struct isk_array y = ARRAY_OF(a->y, r * a->ldy, type), dy = ARRAY_OF(a->dy, r * a->lddy, type);
		REAL sum = 0, size = 0, scale;

		for (size_t i = 0; i < a->cols; i++) {
			const REAL term = oracle(AT(y, i), AT(dy, i), NULL, 0, 0, NULL);

			sum += term;
			size += fabs(term);
		}
		for (size_t i = 0; i < a->cols; i++) {
			const REAL dx = oracle(AT(y, i), AT(dy, i), &sum, size, R(depth)(a->cols), &scale);

			s->put(s, a->dx, r * a->lddx + i, type, (long double)dx, (long double)scale,
			       R(vanished)(type, a->cols + 2, fabs(AT(y, i)) + fabs(sum)));
		}
	}
}

/* Whether exp(y) may overflow. A y that is the logarithm of a softmax never does, because it is at most 0. */
#define IS_LARGE(y) ((y) > (ISK_WIDE ? 709 : 88))

ROW_GRADIENT(softmax_backward, y *dy, y *(dy - *sum),
             fabs(y) * ((depth + 2) * size + 2 * fabs(dy - *sum)) + R(beyond)(size + fabs(dy)))
ROW_GRADIENT(log_softmax_backward, dy, IS_LARGE(y) ? dy + *sum : dy - exp(y) * *sum,
             IS_LARGE(y)
                 ? (REAL)INFINITY
                 : exp(y) * (depth * size + 4 * fabs(*sum)) + 2 * fabs(dy - exp(y) * *sum) + R(beyond)(size))

/* The gradients of layernorm and of rmsnorm (mean is NULL): dx from g, h, and the means c of g and C of g h. */
#define NORM_GRADIENT(op, f)                                                   \
	ISK_UNUSED static REAL R(oracle_##op)(REAL g, REAL h, REAL c, REAL C, REAL rstd) \
	{                                                                          \
		return f;                                                              \
	}

ISK_SHARED static void R(form_norm_gradient)(struct isk_sink *s, const enum isk_type *types,
                                             struct isk_args_norm_gradient *a,
                                             REAL (*oracle)(REAL g, REAL h, REAL c, REAL C, REAL rstd))
{
	const enum isk_type type = types[0];
	const struct isk_array weight = ARRAY_OF(a->weight, 0, type), means = ARRAY_OF(a->mean, 0, type);
	const struct isk_array rstds = ARRAY_OF(a->rstd, 0, type);
	const REAL n = (REAL)a->cols, depth = R(depth)(a->cols) + 12;

#define G(i) (AT(dy, i) * (weight.x ? AT(weight, i) : 1))
#define H(i) ((AT(x, i) - mean) * rstd)
	for (size_t r = 0; a->cols && r < a->rows; r++) {
		const struct isk_array x = ARRAY_OF(a->x, r * a->ldx, type), dy = ARRAY_OF(a->dy, r * a->lddy, type);
		const REAL mean = means.x ? AT(means, r) : 0, rstd = AT(rstds, r);
		REAL c = 0, C = 0, A = 0, B = 0, most = 0;

		for (size_t i = 0; i < a->cols; i++) {
			c += means.x ? G(i) / n : 0;
			A += means.x ? fabs(G(i)) / n : 0;
			C += G(i) * H(i) / n;
			B += fabs(G(i) * H(i)) / n;
			most = fmax(most, fabs(G(i)));
			most = fmax(most, fabs(AT(x, i) - mean));
			most = fmax(most, fabs(H(i)));
		}
		most = fmax(fmax(most, n * A), fmax(n * B, most * B));
		for (size_t i = 0; i < a->cols; i++)
			s->put(s, a->dx, r * a->lddx + i, type, (long double)oracle(G(i), H(i), c, C, rstd),
			       (long double)(fabs(rstd) * (3 * fabs(G(i)) + depth * (A + fabs(H(i)) * B)) + R(beyond)(most)),
			       R(vanished)(type, 8 * (a->cols + 2), fabs(rstd) * (1 + fabs(H(i))) * (1 + fabs(G(i)) + fabs(rstd))));
	}
#undef G
#undef H
}

ISK_SHARED static void R(form_rms_gradient)(struct isk_sink *s, const enum isk_type *types,
                                            struct isk_args_rms_gradient *a,
                                            REAL (*oracle)(REAL g, REAL h, REAL c, REAL C, REAL rstd))
{
	struct isk_args_norm_gradient args = {.dx = a->dx, .dy = a->dy, .x = a->x, .weight = a->weight, .rstd = a->rstd,
		.rows = a->rows, .cols = a->cols, .lddx = a->lddx, .lddy = a->lddy, .ldx = a->ldx};

	R(form_norm_gradient)(s, types, &args, oracle);
}

NORM_GRADIENT(layernorm_backward, rstd *(g - c - h * C))
NORM_GRADIENT(rmsnorm_backward, rstd *(g - c - h * C))

/* A term of dweight. */
#define WEIGHT_GRADIENT(op, f)                                                 \
	ISK_UNUSED static REAL R(oracle_##op)(REAL dy, REAL h)                     \
	{                                                                          \
		return f;                                                              \
	}

/* mean and rstd have an element for each row or, if by_column, for each column. */
ISK_SHARED static void R(put_weight_gradients)(struct isk_sink *s, enum isk_type type,
                                               const struct isk_args_weight_gradient *a, REAL (*oracle)(REAL dy, REAL h),
                                               int by_column)
{
	const struct isk_array x = ARRAY_OF(a->x, 0, type), dy = ARRAY_OF(a->dy, 0, type);
	const struct isk_array mean = ARRAY_OF(a->mean, 0, type), rstd = ARRAY_OF(a->rstd, 0, type);
	const REAL depth = R(depth)(a->rows) + 3;

	for (size_t i = 0; i < a->cols; i++) {
		REAL weight = 0, bias = 0, size = 0, bias_size = 0, most = 1, far = 0;

		for (size_t r = 0; r < a->rows; r++) {
			const size_t of = by_column ? i : r;
			const REAL g = AT(dy, r * a->lddy + i), away = AT(x, r * a->ldx + i) - (mean.x ? AT(mean, of) : 0);
			const REAL h = away * AT(rstd, of);

			weight += oracle(g, h);
			size += fabs(oracle(g, h));
			bias += g;
			bias_size += fabs(g);
			most = fmax(most, fabs(g));
			far = fmax(far, fabs(h));
			far = fmax(far, fabs(away));
		}
		s->put(s, a->dweight, i, type, (long double)weight, (long double)(depth * size + R(beyond)(fmax(size, far))),
		       R(vanished)(type, 2 * a->rows, most));
		if (a->dbias)
			s->put(s, a->dbias, i, type, (long double)bias, (long double)(depth * bias_size + R(beyond)(bias_size)), 0);
	}
}

ISK_SHARED static void R(form_weight_gradient)(struct isk_sink *s, const enum isk_type *types,
                                               struct isk_args_weight_gradient *a, REAL (*oracle)(REAL dy, REAL h))
{
	R(put_weight_gradients)(s, types[0], a, oracle, 0);
}

ISK_SHARED static void R(form_rms_weight_grad)(struct isk_sink *s, const enum isk_type *types,
                                               struct isk_args_rms_weight_grad *a, REAL (*oracle)(REAL dy, REAL h))
{
	struct isk_args_weight_gradient args = {.dweight = a->dweight, .dy = a->dy, .x = a->x, .rstd = a->rstd,
		.rows = a->rows, .cols = a->cols, .lddy = a->lddy, .ldx = a->ldx};

	R(put_weight_gradients)(s, types[0], &args, oracle, 0);
}

WEIGHT_GRADIENT(layernorm_backward_weight, dy *h)
WEIGHT_GRADIENT(rmsnorm_backward_weight, dy *h)

/* The gradient of batch normalisation, from its definition: the means of dy and dy h come from dbias and dweight. */
#define BATCH_GRADIENT(op, f)                                                  \
	ISK_UNUSED static REAL R(oracle_##op)(REAL dy, REAL h, REAL c, REAL C, REAL scale) \
	{                                                                          \
		return f;                                                              \
	}
BATCH_GRADIENT(batchnorm_backward, (dy - c - h * C) * scale)

ISK_SHARED static void R(form_batch_gradient)(struct isk_sink *s, const enum isk_type *types,
                                              struct isk_args_batch_gradient *a,
                                              REAL (*oracle)(REAL dy, REAL h, REAL c, REAL C, REAL scale))
{
	const enum isk_type type = types[0];
	const struct isk_array mean = ARRAY_OF(a->mean, 0, type), rstd = ARRAY_OF(a->rstd, 0, type);
	const struct isk_array weight = ARRAY_OF(a->weight, 0, type), dweight = ARRAY_OF(a->dweight, 0, type);
	const struct isk_array dbias = ARRAY_OF(a->dbias, 0, type);

	for (size_t r = 0; a->cols && r < a->rows; r++) {
		const struct isk_array dy = ARRAY_OF(a->dy, r * a->lddy, type), x = ARRAY_OF(a->x, r * a->ldx, type);

		for (size_t i = 0; i < a->cols; i++) {
			const REAL h = (AT(x, i) - AT(mean, i)) * AT(rstd, i), c = AT(dbias, i) / (REAL)a->rows;
			const REAL C = AT(dweight, i) / (REAL)a->rows, scale = AT(rstd, i) * (weight.x ? AT(weight, i) : 1);
			const REAL size = 9 * fabs(h * C) + 6 * fabs(c) + 3 * fabs(AT(dy, i));
			REAL most = fmax(size, fabs(AT(x, i) - AT(mean, i)));

			most = fmax(most, fabs(h));
			most = fmax(most, fabs(scale));
			most = fmax(most, size * fabs(scale));
			s->put(s, a->dx, r * a->lddx + i, type, (long double)oracle(AT(dy, i), h, c, C, scale),
			       (long double)(fabs(scale) * size + R(beyond)(most)), R(vanished)(type, 8, most + fabs(C) * fabs(scale)));
		}
	}
}

WEIGHT_GRADIENT(batchnorm_backward_weight, dy *h)

ISK_SHARED static void R(form_column_gradient)(struct isk_sink *s, const enum isk_type *types,
                                               struct isk_args_column_gradient *a, REAL (*oracle)(REAL dy, REAL h))
{
	const struct isk_args_weight_gradient args = {.dweight = a->dweight, .dbias = a->dbias, .dy = a->dy, .x = a->x,
		.mean = a->mean, .rstd = a->rstd, .rows = a->rows, .cols = a->cols, .lddy = a->lddy, .ldx = a->ldx};

	R(put_weight_gradients)(s, types[0], &args, oracle, 1);
}

/* The next sum, rounded to the type: for f64 by C. */
#define SCAN(op, f)                                                            \
	ISK_UNUSED static double R(oracle_##op)(enum isk_type type, double sum, double x) \
	{                                                                          \
		const double next = f;                                                 \
		return isk_element_value(type, isk_element_round(type, (long double)next)); \
	}
SCAN(cumsum, sum + x)

ISK_SHARED static void R(form_scan)(struct isk_sink *s, const enum isk_type *types, struct isk_args_scan *a,
                                    double (*oracle)(enum isk_type type, double sum, double x))
{
	const struct isk_array x = ARRAY_OF(a->x, 0, types[0]);
	const size_t columns = a->n ? a->outer * a->inner : 0;

	for (size_t c = 0; c < columns; c++) {
		const size_t first = c / a->inner * a->n * a->inner + c % a->inner;
		double sum = 0;

		for (size_t i = 0; i < a->n; i++) {
			const size_t at = first + (a->reverse % 2 ? a->n - 1 - i : i) * a->inner;
			const double next = oracle(types[0], sum, (double)AT(x, at));

			s->put(s, a->y, at, types[0], (long double)(a->exclusive % 2 ? sum : next), ISK_ULP, 0);
			sum = next;
		}
	}
}

/* An element for qsort(): numbers are ordered by their keys, and all NaNs are on one side of them. */
struct R(ordered) {
	REAL key;
	int side;
	size_t i;
};

ISK_UNUSED static int R(in_order)(const void *a, const void *b)
{
	const struct R(ordered) *p = a, *q = b;

	return p->side != q->side ? p->side - q->side : p->key != q->key ? (p->key < q->key ? -1 : 1) : p->i < q->i ? -1 : 1;
}

/* The elements of x in order; the caller frees them. */
ISK_SHARED static struct R(ordered) *R(sorted)(struct isk_array x, size_t n, int descending)
{
	struct R(ordered) *all = malloc((n + 1) * sizeof(*all));

	if (!all)
		abort();
	for (size_t i = 0; i < n; i++) {
		const REAL v = AT(x, i);

		all[i] = (struct R(ordered)){isnan(v) ? 0 : descending ? -v : v, isnan(v) ? (descending ? -1 : 1) : 0, i};
	}
	qsort(all, n, sizeof(*all), R(in_order));
	return all;
}

/* The place, in the order, of result t. */
#define ORDER(op, f)                                                           \
	ISK_UNUSED static size_t R(oracle_##op)(size_t t)                          \
	{                                                                          \
		return f;                                                              \
	}

ISK_SHARED static void R(form_topk)(struct isk_sink *s, const enum isk_type *types, struct isk_args_topk *a,
                                    size_t (*oracle)(size_t t))
{
	for (size_t r = 0; a->k && r < a->rows; r++) {
		const struct isk_array x = ARRAY_OF(a->x, r * a->ldx, types[0]);
		struct R(ordered) *all = R(sorted)(x, a->cols, 1);

		for (size_t t = 0; t < a->k; t++) {
			const size_t i = oracle(t) < a->cols ? all[oracle(t)].i : SIZE_MAX;

			s->put_bits(s, a->indices, r * a->ldi + t, ISK_S64, i);
			s->put_bits(s, a->values, r * a->ldv + t, types[0],
			            i == SIZE_MAX ? isk_sign_bit(types[0]) | isk_infinity_bits(types[0])
			                          : isk_element_bits(types[0], x.x, i));
		}
		free(all);
	}
}

ISK_SHARED static void R(form_argsort)(struct isk_sink *s, const enum isk_type *types, struct isk_args_argsort *a,
                                       size_t (*oracle)(size_t t))
{
	for (size_t r = 0; a->cols && r < a->rows; r++) {
		struct R(ordered) *all = R(sorted)(ARRAY_OF(a->x, r * a->ldx, types[0]), a->cols, a->descending != 0);

		for (size_t t = 0; t < a->cols; t++)
			s->put_bits(s, a->indices, r * a->ldi + t, ISK_S64, all[oracle(t)].i);
		free(all);
	}
}

ORDER(topk, t)
ORDER(argsort, t)
