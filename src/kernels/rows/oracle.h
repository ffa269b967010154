/* SPDX-License-Identifier: MIT */
/* What the operations compute: what is known of a row first, then an element of it. */
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

/* An element, or the sum of two as kernels round it. */
ISK_UNUSED static REAL R(total)(struct isk_array x, struct isk_array plus, size_t i)
{
	const REAL a = AT(x, i), b = plus.x ? AT(plus, i) : 0;
	long double sum;

	if (!plus.x)
		return a;
	sum = x.type == ISK_F64 ? (long double)((double)a + (double)b) : (long double)((float)a + (float)b);
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
	for (size_t i = 0; i < cols; i++) {
		const REAL d = R(total)(x, plus, i) - row.centre;

		squares += d * d;
		row.reach = fmax(row.reach, centred ? fabs(R(total)(x, plus, i)) : 0);
	}
	row.factor = 1 / sqrt(squares / (REAL)cols + epsilon);
	row.reach *= row.factor;
	/* Out of the range of the lanes, of f64 or of f32. */
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

/* The logarithm of the sum stands for its reciprocal. */
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

/* From element at on; of an array that may be NULL. */
#define ARRAY_OF(p, at, type) ((struct isk_array){(p) ? (const char *)(p) + (at) * isk_element_bytes(type) : NULL, type, 1})

/* Whether statistics are centred, and what becomes of an element. */
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

/* Both kinds of statistics. */
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
	const REAL by = type == ISK_F64 ? (REAL)a->scale : (REAL)(float)a->scale;

#define LOGIT(i) (AT(x, i) * by + (mask.x ? AT(mask, i) : 0))
#define SIZE(i)  (fabs(AT(x, i) * by) + (mask.x ? fabs(AT(mask, i)) : 0))
	for (size_t r = 0; a->cols && r < a->rows; r++) {
		const struct isk_array x = ARRAY_OF(a->x, r * a->ldx, type), mask = ARRAY_OF(a->mask, r * a->ldm, type);
		REAL max = -(REAL)INFINITY, sum = 0, spread = 0, depth;
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
		}
		for (size_t i = 0; i < a->cols; i++) {
			const int none = i >= n || (isinf(max) && max < 0);
			const REAL y = none ? 0 : oracle(LOGIT(i), max, sum);
			const REAL scale = y > 0 ? y * (depth + max - LOGIT(i) + SIZE(i) + spread / sum) : y;

			s->put(s, a->y, r * a->ldy + i, type, (long double)y, (long double)scale, 2);
		}
	}
#undef LOGIT
#undef SIZE
}

SOFTMAX_MASKED(softmax_masked, exp(l - max) / sum)

/* The sign of the logarithm of a softmax. */
#define CROSS_ENTROPY(op, f)                                                   \
	ISK_UNUSED static REAL R(oracle_##op)(REAL y)                              \
	{                                                                          \
		return f;                                                              \
	}

/* Whether all labels are in range; else the call has done nothing. */
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

/* The gradient where the softmax is y and the label's is 1. */
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

/* In float, as the contract says. */
QUANTIZE_ROWS(quantize_rows)
{
	float high = 0, low = 0, size;

	for (size_t i = 0; i < cols; i++) {
		high = fmaxf(high, (float)AT(x, i));
		low = fminf(low, (float)AT(x, i));
	}
	high = fminf(high, FLT_MAX);
	low = fmaxf(low, -FLT_MAX);
	size = is_signed ? fmaxf(high, -low) / 127 : (high / 2 - low / 2) / 127.5f;
	*scale = high == low ? 1 : fmaxf(size, FLT_MIN);
	*zero = is_signed ? 0 : (int32_t)fminf(rintf(-low / *scale), 255);
}
