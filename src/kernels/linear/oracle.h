/* SPDX-License-Identifier: MIT */
/*
 * The oracles of linear algebra on vectors. That of rot and rotm is an element of a product of a 2 by 2 matrix, that of gemv
 * a sum, that of ger a product of three numbers.
 */
#include <stdlib.h>

#define PAIRS_OF(op)                                                           \
	ISK_UNUSED static REAL R(oracle_##op)(REAL p, REAL x, REAL q, REAL y)      \
	{                                                                          \
		return p * x + q * y;                                                  \
	}
PAIRS_OF(rot)
PAIRS_OF(rotm)
#undef PAIRS_OF

ISK_SHARED static void R(form_rotm)(struct isk_sink *s, const enum isk_type *types, struct isk_args_rotm *a,
                                    REAL (*oracle)(REAL p, REAL x, REAL q, REAL y))
{
	const struct isk_array all_x = {a->x, types[0], 1}, all_y = {a->y, types[0], 1};
	const REAL h11 = (REAL)a->h11, h12 = (REAL)a->h12, h21 = (REAL)a->h21, h22 = (REAL)a->h22;

	for (size_t i = 0; i < a->n; i++) {
		const REAL x = AT(all_x, i), y = AT(all_y, i);

		s->put(s, a->x, i, types[0], (long double)oracle(h11, x, h12, y), 2 * (long double)(fabs(h11 * x) + fabs(h12 * y)), 4);
		s->put(s, a->y, i, types[0], (long double)oracle(h21, x, h22, y), 2 * (long double)(fabs(h21 * x) + fabs(h22 * y)), 4);
	}
}

ISK_SHARED static void R(form_rot)(struct isk_sink *s, const enum isk_type *types, struct isk_args_rot *a,
                                   REAL (*oracle)(REAL p, REAL x, REAL q, REAL y))
{
	struct isk_args_rotm all = {.x = a->x, .y = a->y, .n = a->n, .h11 = a->c, .h12 = a->s, .h21 = -a->s, .h22 = a->c};

	R(form_rotm)(s, types, &all, oracle);
}

INDEX(iamax)
{
	size_t best = 0;

	for (size_t i = 1; i < n; i++)
		if (fabs(AT(x, i)) > fabs(AT(x, best)))
			best = i;
	return best;
}

REDUCE2(gemv, AT(a, i) * AT(b, i))

/* One chain, in which a term is rounded up to n times. */
REDUCE2_AS(gemv_t)
{
	struct R(terms) all = {0, 0};

	for (size_t i = 0; i < n; i++)
		R(add_term)(&all, (long double)(AT(a, i) * AT(b, i)));
	*scale = (REAL)all.size * (REAL)n;
	return (REAL)all.sum;
}

/* Puts element i of y = alpha * sum + beta * y. The sum does not count if alpha is 0, nor y if beta is. */
ISK_SHARED static void R(put_scaled_sum)(struct isk_sink *s, void *y, size_t i, enum isk_type type, REAL sum, REAL scale,
                                         size_t n, REAL alpha, REAL beta)
{
	const REAL times = alpha != 0 ? alpha * sum : 0, size = alpha != 0 ? fabs(alpha) * scale : 0;
	const REAL added = beta != 0 ? beta * AT(((struct isk_array){y, type, 1}), i) : 0, value = times + added;

	s->put(s, y, i, type, (long double)value,
	       (long double)(size + fabs(times) + fabs(added) + fabs(value)), 2 * n + 64);
}

ISK_SHARED static void R(form_gemv)(struct isk_sink *s, const enum isk_type *types, struct isk_args_gemv *g,
                                    REAL (*oracle)(struct isk_array a, struct isk_array b, size_t n, REAL *scale))
{
	const size_t bytes = isk_element_bytes(types[0]);

	for (size_t i = 0; i < g->rows; i++) {
		REAL scale;
		const REAL sum = oracle((struct isk_array){(const char *)g->a + i * g->lda * bytes, types[0], 1},
		                        (struct isk_array){g->x, types[0], 1}, g->cols, &scale);

		R(put_scaled_sum)(s, g->y, i, types[0], sum, scale, g->cols, (REAL)g->alpha, (REAL)g->beta);
	}
}

ISK_SHARED static void R(form_gemv_t)(struct isk_sink *s, const enum isk_type *types, struct isk_args_gemv_t *g,
                                      REAL (*oracle)(struct isk_array a, struct isk_array b, size_t n, REAL *scale))
{
	const size_t bytes = isk_element_bytes(types[0]);

	for (size_t j = 0; j < g->cols; j++) {
		REAL scale;
		const REAL sum = oracle((struct isk_array){(const char *)g->a + j * bytes, types[0], g->lda},
		                        (struct isk_array){g->x, types[0], 1}, g->rows, &scale);

		R(put_scaled_sum)(s, g->y, j, types[0], sum, scale, g->rows, (REAL)g->alpha, (REAL)g->beta);
	}
}

ISK_UNUSED static REAL R(oracle_ger)(REAL alpha, REAL x, REAL y)
{
	return alpha * x * y;
}

/* alpha * x is rounded to a number that may be denormal, so its error is at least that of the least normal number. */
ISK_SHARED static void R(form_ger)(struct isk_sink *s, const enum isk_type *types, struct isk_args_ger *g,
                                   REAL (*oracle)(REAL alpha, REAL x, REAL y))
{
	const struct isk_array all_a = {g->a, types[0], 1}, all_x = {g->x, types[0], 1}, all_y = {g->y, types[0], 1};
	const REAL least = (REAL)isk_two_to(1 - isk_format_of(types[0]).bias);

	for (size_t i = 0; g->cols && i < g->rows; i++)
		for (size_t j = 0; j < g->cols; j++) {
			const REAL x = AT(all_x, i), y = AT(all_y, j), value = AT(all_a, i * g->lda + j) + oracle((REAL)g->alpha, x, y);

			s->put(s, g->a, i * g->lda + j, types[0], (long double)value,
			       (long double)(fmax(fabs((REAL)g->alpha * x), least) * fabs(y) + fabs(value)), 2);
		}
}

/* Puts the status of a call, and returns it. options: those that must be 0 or 1. */
ISK_SHARED static int R(triangle_status)(struct isk_sink *s, union isk_result *result, size_t n, size_t lda, unsigned options)
{
	const int status = options > 1 ? ISK_ERR_SHAPE : lda < n ? ISK_ERR_STRIDE : ISK_OK;

	s->put_bits(s, result, 0, ISK_S32, (uint32_t)status);
	return status;
}

/* Whether an element of a matrix is in the triangle that is stored. */
ISK_UNUSED static int R(is_stored)(unsigned lower, size_t i, size_t j)
{
	return lower ? j <= i : j >= i;
}

/* The oracle of a sum over a triangle is one of its terms. */
#define TERM_OF(op)                                                            \
	ISK_UNUSED static REAL R(oracle_##op)(REAL a, REAL x)                      \
	{                                                                          \
		return a * x;                                                          \
	}
TERM_OF(symv)
TERM_OF(trmv)
TERM_OF(trsv)
#undef TERM_OF

/* alpha * x is rounded to a number that may be denormal, so its error is at least that of the least normal number. */
ISK_SHARED static void R(form_symv)(struct isk_sink *s, const enum isk_type *types, struct isk_args_symv *g,
                                    REAL (*oracle)(REAL a, REAL x))
{
	const struct isk_array a = {g->a, types[0], 1}, x = {g->x, types[0], 1}, y = {g->y, types[0], 1};
	const REAL alpha = (REAL)g->alpha, beta = (REAL)g->beta, least = (REAL)isk_two_to(1 - isk_format_of(types[0]).bias);

	if (R(triangle_status)(s, &g->result, g->n, g->lda, g->lower))
		return;
	for (size_t i = 0; i < g->n; i++) {
		const REAL added = beta != 0 ? beta * AT(y, i) : 0;
		struct R(terms) all = {0, 0};
		REAL size = fabs(added);

		for (size_t j = 0; j < g->n && alpha != 0; j++) {
			const REAL e = AT(a, R(is_stored)(g->lower, i, j) ? i * g->lda + j : j * g->lda + i);

			R(add_term)(&all, (long double)(alpha * oracle(e, AT(x, j))));
			size += fmax(fabs(alpha * AT(x, j)), least) * fabs(e);
		}
		s->put(s, g->y, i, types[0], all.sum + (long double)added, (long double)(g->n + 4) * (long double)size, 2 * g->n + 64);
	}
}

/*
 * Sums over the stored part of row i of the matrix or, if it is transposed, of column i, in the order in which no element of x
 * is overwritten that a later sum needs.
 */
ISK_SHARED static void R(form_trmv)(struct isk_sink *s, const enum isk_type *types, struct isk_args_trmv *g,
                                    REAL (*oracle)(REAL a, REAL x))
{
	const struct isk_array a = {g->a, types[0], 1}, x = {g->x, types[0], 1};

	if (R(triangle_status)(s, &g->result, g->n, g->lda, g->lower | g->transposed | g->unit))
		return;
	for (size_t step = 0; step < g->n; step++) {
		const size_t i = g->lower == g->transposed ? step : g->n - 1 - step;
		struct R(terms) all = {0, 0};

		for (size_t j = 0; j < g->n; j++) {
			const size_t row = g->transposed ? j : i, col = g->transposed ? i : j;

			if (R(is_stored)(g->lower, row, col))
				R(add_term)(&all, (long double)oracle(g->unit && i == j ? 1 : AT(a, row * g->lda + col), AT(x, j)));
		}
		s->put(s, g->x, i, types[0], all.sum, (long double)(g->n + 2) * all.size, 2 * g->n + 64);
	}
}

/* An element of a solution: its value, its error in units of eps, and whether a NaN among the inputs makes it a NaN. */
struct R(solved) {
	REAL value, scale;
	int is_nan;
};

/* The largest magnitude of sums that cannot overflow on the way. */
ISK_UNUSED static REAL R(greatest_sum)(enum isk_type type)
{
	return (REAL)isk_two_to(isk_format_of(type).bias - 1);
}

/*
 * Divides b minus the sum of some terms by the diagonal. each: the sum of the terms' |a| times the errors of the solution
 * there. A term may be denormal, so its size is at least that of the least normal number. Where a sum may overflow or a
 * divisor is 0, anything may be the result, whose error is infinite, unless a NaN is among the inputs.
 */
ISK_UNUSED static struct R(solved) R(divided)(struct R(terms) all, REAL each, REAL by, size_t n, int is_nan, enum isk_type type)
{
	const REAL size = (REAL)(n + 1) * ((REAL)all.size + (REAL)(n + 1) * (REAL)isk_two_to(1 - isk_format_of(type).bias));
	const struct R(solved) y = {(REAL)all.sum / by, (size + each) / fabs(by) + fabs((REAL)all.sum / by), is_nan};

	if (is_nan || (y.scale < R(greatest_sum)(type) && size < R(greatest_sum)(type)))
		return y;
	return (struct R(solved)){0, (REAL)HUGE_VAL, 0};
}

/* The equation of row i of the matrix or, if it is transposed, of column i; those that it needs are solved. */
ISK_SHARED static struct R(solved) R(solve_one)(const struct R(solved) *y, REAL b, struct isk_array a, size_t i,
                                                size_t n, size_t row_step, size_t step, int is_before, int unit,
                                                REAL (*oracle)(REAL a, REAL x))
{
	const REAL diagonal = unit ? 1 : AT(a, i * (row_step + step));
	struct R(terms) all = {0, 0};
	int is_nan = isnan(b) || isnan(diagonal);
	REAL each = 0;

	R(add_term)(&all, (long double)b);
	for (size_t j = is_before ? 0 : i + 1; j < (is_before ? i : n); j++) {
		const REAL e = AT(a, i * row_step + j * step);

		R(add_term)(&all, -(long double)oracle(e, y[j].value));
		each += fabs(e) * y[j].scale;
		is_nan |= isnan(e) || y[j].is_nan;
	}
	if (is_nan)
		all.sum = (long double)NAN;
	return R(divided)(all, each, diagonal, n, is_nan, a.type);
}

ISK_SHARED static void R(form_trsv)(struct isk_sink *s, const enum isk_type *types, struct isk_args_trsv *g,
                                    REAL (*oracle)(REAL a, REAL x))
{
	const struct isk_array a = {g->a, types[0], 1}, x = {g->x, types[0], 1};
	const int is_before = g->lower != g->transposed;
	struct R(solved) *y;

	if (R(triangle_status)(s, &g->result, g->n, g->lda, g->lower | g->transposed | g->unit))
		return;
	y = malloc((g->n + 1) * sizeof(*y));
	if (!y)
		abort();
	for (size_t step = 0; step < g->n; step++) {
		const size_t i = is_before ? step : g->n - 1 - step;

		y[i] = R(solve_one)(y, AT(x, i), a, i, g->n, g->transposed ? 1 : g->lda, g->transposed ? g->lda : 1, is_before,
		                    g->unit != 0, oracle);
		s->put(s, g->x, i, types[0], (long double)y[i].value, (long double)y[i].scale, 1);
	}
	free(y);
}

/* The oracle of a sum of products of two vectors is such a product. */
#define PRODUCT_OF(op)                                                         \
	ISK_UNUSED static REAL R(oracle_##op)(REAL alpha, REAL x, REAL y)          \
	{                                                                          \
		return alpha * x * y;                                                  \
	}
PRODUCT_OF(syr)
PRODUCT_OF(syr2)
#undef PRODUCT_OF

/* The stored triangle of a plus alpha * x * y^T and, if there are two, alpha * y * x^T; the other triangle keeps its bits. */
ISK_SHARED static void R(put_triangle)(struct isk_sink *s, const enum isk_type *types, const struct isk_args_syr2 *g, int two,
                                       REAL (*oracle)(REAL alpha, REAL x, REAL y))
{
	const struct isk_array a = {g->a, types[0], 1}, x = {g->x, types[0], 1}, y = {g->y, types[0], 1};
	const REAL alpha = (REAL)g->alpha, least = (REAL)isk_two_to(1 - isk_format_of(types[0]).bias);

	for (size_t i = 0; i < g->n; i++)
		for (size_t j = 0; j < g->n; j++) {
			const size_t at = i * g->lda + j;
			const REAL first = oracle(alpha, AT(y, i), AT(x, j)), second = two ? oracle(alpha, AT(x, i), AT(y, j)) : 0;
			const REAL value = AT(a, at) + first + second;
			REAL size = fmax(fabs(alpha * AT(y, i)), least) * fabs(AT(x, j)) + fabs(value);

			size += two ? fmax(fabs(alpha * AT(x, i)), least) * fabs(AT(y, j)) + fabs(value) + fabs(second) : 0;
			if (R(is_stored)(g->lower, i, j))
				s->put(s, g->a, at, types[0], (long double)value, (long double)size, 4);
			else
				s->put_bits(s, g->a, at, types[0], isk_element_bits(types[0], g->a, at));
		}
}

ISK_SHARED static void R(form_syr2)(struct isk_sink *s, const enum isk_type *types, struct isk_args_syr2 *g,
                                    REAL (*oracle)(REAL alpha, REAL x, REAL y))
{
	if (!R(triangle_status)(s, &g->result, g->n, g->lda, g->lower))
		R(put_triangle)(s, types, g, 1, oracle);
}

ISK_SHARED static void R(form_syr)(struct isk_sink *s, const enum isk_type *types, struct isk_args_syr *g,
                                   REAL (*oracle)(REAL alpha, REAL x, REAL y))
{
	const struct isk_args_syr2 all = {.a = g->a, .x = g->x, .y = g->x, .n = g->n, .lda = g->lda, .alpha = g->alpha, .lower = g->lower};

	if (!R(triangle_status)(s, &g->result, g->n, g->lda, g->lower))
		R(put_triangle)(s, types, &all, 0, oracle);
}
