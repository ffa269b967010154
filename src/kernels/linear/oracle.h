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
TERM_OF(dot_rows)
TERM_OF(axpy_rows)
TERM_OF(symv)
TERM_OF(symv_rows)
TERM_OF(trmv)
TERM_OF(trsv)
TERM_OF(symm)
TERM_OF(symm_right)
TERM_OF(syrk)
TERM_OF(syr2k)
TERM_OF(trmm)
TERM_OF(trmm_right)
TERM_OF(trsm)
TERM_OF(trsm_right)
#undef TERM_OF

/* The real part, if part is 0, or the imaginary part of a number, which has another sign if the numbers are conjugated. */
static REAL R(part_of)(struct isk_array x, size_t i, int part, unsigned conjugated)
{
	return part && conjugated ? -AT(x, 2 * i + 1) : AT(x, 2 * i + (size_t)part);
}

/* The bound counts at most 16 multiply-adds of a lane and 6 additions of lanes in a block, and one addition of each block. */
ISK_SHARED static void R(form_dot_rows)(struct isk_sink *s, const enum isk_type *types, struct isk_args_dot_rows *g,
                                        REAL (*oracle)(REAL a, REAL x))
{
	const enum isk_type type = isk_part_type(types[0]);
	const struct isk_array a = {g->a, type, 1}, x = {g->x, type, 1};

	if (R(triangle_status)(s, &g->result, 0, 0, g->conjugated))
		return;
	for (size_t i = 0; i < g->rows; i++)
		for (int part = 0; part < 2; part++) {
			struct R(terms) all = {0, 0};

			for (size_t j = 0; j < g->cols; j++) {
				const REAL re = R(part_of)(a, i * g->lda + j, 0, 0), im = R(part_of)(a, i * g->lda + j, 1, g->conjugated);

				R(add_term)(&all, (long double)oracle(re, R(part_of)(x, j, part, 0)));
				R(add_term)(&all, (long double)oracle(part ? im : -im, R(part_of)(x, j, !part, 0)));
			}
			s->put(s, g->y, 2 * i + (size_t)part, type, all.sum, ((long double)(g->cols / 256) + 24) * all.size, 4 * g->cols + 64);
		}
}

/* The oracle is that of the real axpy, of which each product is one with y = 0. */
ISK_SHARED static void R(form_axpy_complex)(struct isk_sink *s, const enum isk_type *types, struct isk_args_axpy_complex *g,
                                            REAL (*oracle)(REAL y, REAL x, REAL alpha, REAL beta))
{
	const enum isk_type type = isk_part_type(types[0]);
	const struct isk_array x = {g->x, type, 1}, y = {g->y, type, 1};

	if (R(triangle_status)(s, &g->result, 0, 0, g->conjugated))
		return;
	for (size_t i = 0; i < g->n; i++) {
		const REAL x_re = R(part_of)(x, i, 0, 0), x_im = R(part_of)(x, i, 1, g->conjugated);

		for (int part = 0; part < 2; part++) {
			const REAL direct = oracle(0, part ? x_im : x_re, (REAL)g->alpha, 0), before = R(part_of)(y, i, part, 0);
			const REAL turned = oracle(0, part ? x_re : -x_im, (REAL)g->alpha_im, 0);

			s->put(s, g->y, 2 * i + (size_t)part, type, (long double)(before + direct + turned),
			       3 * (long double)(fabs(before) + fabs(direct) + fabs(turned)), 8);
		}
	}
}

/* alpha * x is rounded to a number that may be denormal, so its error is at least that of the least normal number. */
ISK_SHARED static void R(form_axpy_rows)(struct isk_sink *s, const enum isk_type *types, struct isk_args_axpy_rows *g,
                                         REAL (*oracle)(REAL a, REAL x))
{
	const struct isk_array a = {g->a, types[0], 1}, x = {g->x, types[0], 1}, y = {g->y, types[0], 1};
	const REAL alpha = (REAL)g->alpha, least = (REAL)isk_two_to(1 - isk_format_of(types[0]).bias);

	for (size_t j = 0; j < g->cols; j++) {
		const REAL before = AT(y, j);
		struct R(terms) all = {0, 0};
		REAL size = fabs(before);

		for (size_t i = 0; i < g->rows; i++) {
			const REAL e = AT(a, i * g->lda + j);

			R(add_term)(&all, (long double)(alpha * oracle(e, AT(x, i))));
			size += fmax(fabs(alpha * AT(x, i)), least) * fabs(e);
		}
		s->put(s, g->y, j, types[0], all.sum + (long double)before, (long double)(g->rows + 1) * (long double)size,
		       2 * g->rows + 64);
	}
}

/* The bound is symv's. The diagonal of the first stored row of a lower triangle is in column n - rows. */
ISK_SHARED static void R(form_symv_rows)(struct isk_sink *s, const enum isk_type *types, struct isk_args_symv_rows *g,
                                         REAL (*oracle)(REAL a, REAL x))
{
	const struct isk_array a = {g->a, types[0], 1}, x = {g->x, types[0], 1}, y = {g->y, types[0], 1};
	const REAL alpha = (REAL)g->alpha, least = (REAL)isk_two_to(1 - isk_format_of(types[0]).bias);
	const size_t first = g->lower ? g->n - g->rows : 0;

	if (R(triangle_status)(s, &g->result, g->n, g->lda, g->rows > g->n ? 2 : g->lower))
		return;
	for (size_t i = 0; i < g->n; i++) {
		const int is_row = i >= first && i - first < g->rows;
		const size_t terms = alpha == 0 ? 0 : is_row ? g->n : g->rows;
		const REAL before = AT(y, i);
		struct R(terms) all = {0, 0};
		REAL size = fabs(before);

		/* If row i is not stored, only the stored rows have elements in column i. */
		for (size_t t = 0; t < terms; t++) {
			const size_t j = is_row ? t : first + t;
			const int in_row_i = R(is_stored)(g->lower, i, j);
			const size_t row = in_row_i ? i : j, col = in_row_i ? j : i;
			REAL e;

			if (row < first || row - first >= g->rows)
				continue;
			e = AT(a, (row - first) * g->lda + col);
			R(add_term)(&all, (long double)(alpha * oracle(e, AT(x, j))));
			size += fmax(fabs(alpha * AT(x, j)), least) * fabs(e);
		}
		s->put(s, g->y, i, types[0], all.sum + (long double)before, (long double)(g->n + 4) * (long double)size, 2 * g->n + 64);
	}
}

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
 * there. A term or a quotient may be denormal, so its size is at least that of the least normal number. Where a sum may overflow or a
 * divisor is 0, anything may be the result, whose error is infinite, unless a NaN is among the inputs.
 */
ISK_UNUSED static struct R(solved) R(divided)(struct R(terms) all, REAL each, REAL by, size_t roundings, int is_nan,
                                              enum isk_type type)
{
	const REAL least = (REAL)isk_two_to(1 - isk_format_of(type).bias), value = (REAL)all.sum / by;
	const REAL size = (REAL)roundings * ((REAL)all.size + (REAL)roundings * least);
	const struct R(solved) y = {value, (size + each) / fabs(by) + fmax(fabs(value), least), is_nan};

	if (is_nan || (y.scale < R(greatest_sum)(type) && size < R(greatest_sum)(type)))
		return y;
	return (struct R(solved)){0, (REAL)HUGE_VAL, 0};
}

/* The equation of row i of the matrix or, if it is transposed, of column i; those that it needs are solved. */
ISK_SHARED static struct R(solved) R(solve_one)(const struct R(solved) *y, REAL b, struct isk_array a, size_t i,
                                                size_t n, size_t row_step, size_t step, int is_before, int unit,
                                                size_t roundings, REAL (*oracle)(REAL a, REAL x))
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
	return R(divided)(all, each, diagonal, roundings, is_nan, a.type);
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
		                    g->unit != 0, g->n, oracle);
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

/* How many elements of a matrix are stored: of one triangle, the other one is its mirror image, or is not there at all. */
#if !ISK_WIDE
enum stored { ALL_STORED, MIRRORED, ONE_TRIANGLE };
#endif

struct R(matrix) {
	struct isk_array a;
	size_t ld;
	unsigned turned;
	enum stored kind;
	unsigned lower, unit;
};

/* Whether there is an element [i][j]. */
ISK_UNUSED static int R(is_there)(const struct R(matrix) *m, size_t i, size_t j)
{
	return m->kind != ONE_TRIANGLE || R(is_stored)(m->lower, m->turned ? j : i, m->turned ? i : j);
}

ISK_UNUSED static REAL R(entry)(const struct R(matrix) *m, size_t i, size_t j)
{
	const size_t row = m->turned ? j : i, col = m->turned ? i : j;
	const int elsewhere = m->kind == MIRRORED && !R(is_stored)(m->lower, row, col);

	if (m->unit && i == j)
		return 1;
	return AT(m->a, elsewhere ? col * m->ld + row : row * m->ld + col);
}

/* To all, the terms of element [i][j] of alpha * a * b. */
ISK_UNUSED static void R(add_products)(struct R(terms) *all, const struct R(matrix) *a, const struct R(matrix) *b, size_t i,
                                       size_t j, size_t k, REAL alpha, REAL (*oracle)(REAL a, REAL x))
{
	for (size_t p = 0; p < k && alpha != 0; p++)
		if (R(is_there)(a, i, p) && R(is_there)(b, p, j))
			R(add_term)(all, (long double)(alpha * oracle(R(entry)(a, i, p), R(entry)(b, p, j))));
}

/* Puts element [i][j] of c = all + beta * c, whose terms are rounded up to `roundings` times. */
ISK_SHARED static void R(put_sum)(struct isk_sink *s, void *c, size_t at, enum isk_type type, struct R(terms) all,
                                  size_t roundings, REAL beta, int times)
{
	const long double added = beta != 0 ? (long double)(beta * AT(((struct isk_array){c, type, 1}), at)) : 0;
	const long double value = all.sum + added;

	s->put(s, c, at, type, value, (long double)roundings * all.size + (long double)times * fabsl(added) + fabsl(value),
	       2 * roundings + 64);
}

ISK_SHARED static int R(symm_status)(struct isk_sink *s, union isk_result *result, size_t order, size_t n, size_t ldc, size_t lda,
                                     size_t ldb, unsigned lower)
{
	const int status = lower > 1 ? ISK_ERR_SHAPE : lda < order || ldb < n || ldc < n ? ISK_ERR_STRIDE : ISK_OK;

	s->put_bits(s, result, 0, ISK_S32, (uint32_t)status);
	return status;
}

ISK_SHARED static void R(put_symm)(struct isk_sink *s, void *c, enum isk_type type, const struct R(matrix) *a,
                                   const struct R(matrix) *b, size_t m, size_t n, size_t k, size_t ldc, REAL alpha, REAL beta,
                                   REAL (*oracle)(REAL a, REAL x))
{
	for (size_t i = 0; n && i < m; i++)
		for (size_t j = 0; j < n; j++) {
			struct R(terms) all = {0, 0};

			R(add_products)(&all, a, b, i, j, k, alpha, oracle);
			R(put_sum)(s, c, i * ldc + j, type, all, k + 2, beta, 1);
		}
}

#define FORM_SYMM(shape, order, left, right)                                   \
	ISK_SHARED static void R(form_##shape)(struct isk_sink *s, const enum isk_type *types, struct isk_args_##shape *g, \
	                                       REAL (*oracle)(REAL a, REAL x))     \
	{                                                                          \
		const struct R(matrix) a = {{g->a, types[0], 1}, g->lda, 0, MIRRORED, g->lower, 0}; \
		const struct R(matrix) b = {{g->b, types[0], 1}, g->ldb, 0, ALL_STORED, 0, 0}; \
                                                                               \
		if (!R(symm_status)(s, &g->result, g->order, g->n, g->ldc, g->lda, g->ldb, g->lower)) \
			R(put_symm)(s, g->c, types[0], &left, &right, g->m, g->n, g->order, g->ldc, (REAL)g->alpha, (REAL)g->beta, oracle); \
	}
FORM_SYMM(symm, m, a, b)
FORM_SYMM(symm_right, n, b, a)
#undef FORM_SYMM

/* The stored triangle of a times the transpose of b and, if there are two products, of b times that of a. */
ISK_SHARED static void R(put_update)(struct isk_sink *s, const enum isk_type *types, union isk_result *result,
                                     const struct isk_args_syr2k *g, int two, REAL (*oracle)(REAL a, REAL x))
{
	const struct isk_array of_a = {g->a, types[0], 1}, of_b = {g->b, types[0], 1};
	const struct R(matrix) a = {of_a, g->lda, g->transposed, ALL_STORED, 0, 0}, b = {of_b, g->ldb, g->transposed, ALL_STORED, 0, 0};
	const struct R(matrix) turned_a = {of_a, g->lda, !g->transposed, ALL_STORED, 0, 0};
	const struct R(matrix) turned_b = {of_b, g->ldb, !g->transposed, ALL_STORED, 0, 0};
	const size_t row = g->transposed ? g->n : g->k;
	const int status = g->lower > 1 || g->transposed > 1 ? ISK_ERR_SHAPE
	                   : g->ldc < g->n || g->lda < row || g->ldb < row ? ISK_ERR_STRIDE : ISK_OK;

	s->put_bits(s, result, 0, ISK_S32, (uint32_t)status);
	for (size_t i = 0; i < g->n && !status; i++)
		for (size_t j = 0; j < g->n; j++) {
			const size_t at = i * g->ldc + j;
			struct R(terms) all = {0, 0};

			if (!R(is_stored)(g->lower, i, j)) {
				s->put_bits(s, g->c, at, types[0], isk_element_bits(types[0], g->c, at));
				continue;
			}
			R(add_products)(&all, &a, &turned_b, i, j, g->k, (REAL)g->alpha, oracle);
			if (two)
				R(add_products)(&all, &b, &turned_a, i, j, g->k, (REAL)g->alpha, oracle);
			R(put_sum)(s, g->c, at, types[0], all, g->k + 2 + (two != 0), (REAL)g->beta, 1 + two);
		}
}

ISK_SHARED static void R(form_syr2k)(struct isk_sink *s, const enum isk_type *types, struct isk_args_syr2k *g,
                                     REAL (*oracle)(REAL a, REAL x))
{
	R(put_update)(s, types, &g->result, g, 1, oracle);
}

ISK_SHARED static void R(form_syrk)(struct isk_sink *s, const enum isk_type *types, struct isk_args_syrk *g,
                                    REAL (*oracle)(REAL a, REAL x))
{
	const struct isk_args_syr2k all = {.c = g->c, .a = g->a, .b = g->a, .n = g->n, .k = g->k, .ldc = g->ldc, .lda = g->lda,
	                             .ldb = g->lda, .lower = g->lower, .transposed = g->transposed, .alpha = g->alpha, .beta = g->beta};

	R(put_update)(s, types, &g->result, &all, 0, oracle);
}

/* A product or an equation of a triangular matrix, of `order` rows, and of b, whose rows or columns are `length` vectors. */
struct R(vectors) {
	struct R(matrix) a;
	size_t order, length;
	void *b;
	size_t step, apart; /* elements from one element of a vector to the next, and from one vector to the next */
	REAL alpha;
	int is_before; /* whether an element needs those before it */
};

/* The status of a call, and the vectors: those of A on the right are rows, and A is seen transposed. */
ISK_SHARED static int R(vectors_of)(struct isk_sink *s, union isk_result *result, struct R(vectors) *v, enum isk_type type,
                                    const struct isk_args_trmm *g, int right)
{
	const size_t order = right ? g->n : g->m;
	const int status = (g->lower | g->transposed | g->unit) > 1 ? ISK_ERR_SHAPE
	                   : g->lda < order || g->ldb < g->n        ? ISK_ERR_STRIDE : ISK_OK;
	const unsigned turned = (g->transposed != 0) != right;

	s->put_bits(s, result, 0, ISK_S32, (uint32_t)status);
	*v = (struct R(vectors)){{{g->a, type, 1}, g->lda, turned, ONE_TRIANGLE, g->lower, g->unit}, order, right ? g->m : g->n, g->b,
	                         right ? 1 : g->ldb, right ? g->ldb : 1, (REAL)g->alpha, (g->lower != 0) != (turned != 0)};
	return status;
}

/* Products in the order in which no element is overwritten that a later one needs. */
ISK_SHARED static void R(put_multiplied)(struct isk_sink *s, const struct R(vectors) *v, REAL (*oracle)(REAL a, REAL x))
{
	const enum isk_type type = v->a.a.type;
	const REAL least = (REAL)isk_two_to(1 - isk_format_of(type).bias);

	for (size_t of = 0; of < v->length; of++)
		for (size_t step = 0; step < v->order; step++) {
			const size_t i = v->is_before ? v->order - 1 - step : step, at = of * v->apart + i * v->step;
			struct R(terms) all = {0, 0};

			for (size_t p = 0; p < v->order && v->alpha != 0; p++) {
				const REAL x = AT(((struct isk_array){v->b, type, 1}), of * v->apart + p * v->step);

				if (R(is_there)(&v->a, i, p))
					R(add_term)(&all, (long double)(v->alpha * oracle(R(entry)(&v->a, i, p), x)));
				/* alpha * diagonal may be denormal. */
				if (i == p && isfinite(x))
					all.size += (long double)(least * fabs(x));
			}
			s->put(s, v->b, at, type, all.sum, (long double)(v->order + 3) * all.size, 4 * v->order + 64);
		}
}

/* Solutions. If alpha is 0, they are 0 whatever the matrix is. */
ISK_SHARED static void R(put_solved)(struct isk_sink *s, const struct R(vectors) *v, REAL (*oracle)(REAL a, REAL x))
{
	const enum isk_type type = v->a.a.type;
	const size_t row_step = v->a.turned ? 1 : v->a.ld, step = v->a.turned ? v->a.ld : 1;
	struct R(solved) *y = v->length ? malloc(v->order * sizeof(*y)) : NULL;

	if (v->length && !y)
		abort();
	for (size_t of = 0; of < v->length; of++)
		for (size_t turn = 0; turn < v->order; turn++) {
			const size_t i = v->is_before ? turn : v->order - 1 - turn, at = of * v->apart + i * v->step;

			y[i] = (struct R(solved)){0, 0, 0};
			if (v->alpha != 0)
				y[i] = R(solve_one)(y, v->alpha * AT(((struct isk_array){v->b, type, 1}), at), v->a.a, i, v->order, row_step, step,
				                    v->is_before, v->a.unit != 0, v->order + 1, oracle);
			s->put(s, v->b, at, type, (long double)y[i].value, (long double)y[i].scale, 1);
		}
	free(y);
}

/* The forms of shapes whose arguments are those of trmm. */
#define FORM_VECTORS(shape, right, put)                                        \
	ISK_SHARED static void R(form_##shape)(struct isk_sink *s, const enum isk_type *types, struct isk_args_##shape *g, \
	                                       REAL (*oracle)(REAL a, REAL x))     \
	{                                                                          \
		const struct isk_args_trmm all = {.b = g->b, .a = g->a, .m = g->m, .n = g->n, .ldb = g->ldb, .lda = g->lda, .lower = g->lower, \
		                                  .transposed = g->transposed, .unit = g->unit, .alpha = g->alpha}; \
		struct R(vectors) v;                                                   \
                                                                               \
		if (!R(vectors_of)(s, &g->result, &v, types[0], &all, right) && v.order) \
			R(put)(s, &v, oracle);                                             \
	}
FORM_VECTORS(trmm, 0, put_multiplied)
FORM_VECTORS(trmm_right, 1, put_multiplied)
FORM_VECTORS(trsm, 0, put_solved)
FORM_VECTORS(trsm_right, 1, put_solved)
#undef FORM_VECTORS
