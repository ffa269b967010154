/* SPDX-License-Identifier: MIT */
/* The oracles of gathers and scatters. */

/* Index i, or rows if the index is out of range */
ISK_UNUSED static size_t R(index_of)(const void *index, size_t i, enum isk_type type, size_t rows)
{
	const uint64_t bits = isk_element_bits(type, index, i);
	const int64_t value = type == ISK_S32 ? (int64_t)(int32_t)bits : (int64_t)bits;

	return value < 0 || (uint64_t)value >= rows ? rows : (size_t)value;
}

/* Whether the call must be refused; gives the sink its status. */
ISK_UNUSED static int R(refused)(struct isk_sink *s, union isk_result *result, const void *index, size_t n,
                                 enum isk_type type, size_t rows)
{
	int refused = n && !rows;

	for (size_t i = 0; rows && i < n; i++)
		refused |= R(index_of)(index, i, type, rows) == rows;
	s->put_bits(s, result, 0, ISK_S32, refused ? (uint32_t)ISK_ERR_INDEX : 0);
	return refused;
}

/* Defines the oracle that gives the row of x from which a row of y comes. */
#define GATHER(op, from)                                                       \
	ISK_UNUSED static size_t R(oracle_##op)(size_t index)                      \
	{                                                                          \
		return from;                                                           \
	}
GATHER(gather, index)
GATHER(gather_rows, index)

ISK_SHARED static void R(form_gather_rows)(struct isk_sink *s, const enum isk_type *types,
                                           struct isk_args_gather_rows *a, size_t (*oracle)(size_t index))
{
	const size_t n = a->cols ? a->n : 0;

	if (R(refused)(s, &a->result, a->index, n, types[1], a->rows))
		return;
	for (size_t r = 0; r < n; r++)
		for (size_t i = 0; i < a->cols; i++)
			s->put_bits(s, a->y, r * a->ldy + i, types[0],
			            isk_element_bits(types[0], a->x,
			                             oracle(R(index_of)(a->index, r, types[1], a->rows)) * a->ldx + i));
}

ISK_SHARED static void R(form_gather)(struct isk_sink *s, const enum isk_type *types, struct isk_args_gather *a,
                                      size_t (*oracle)(size_t index))
{
	if (R(refused)(s, &a->result, a->index, a->n, types[1], a->rows))
		return;
	for (size_t i = 0; i < a->n; i++)
		s->put_bits(s, a->y, i, types[0],
		            isk_element_bits(types[0], a->x, oracle(R(index_of)(a->index, i, types[1], a->rows))));
}

/* y + x, rounded: for f64 by C, for other types from an exact sum. */
#define SCATTER(op)                                                            \
	ISK_UNUSED static uint64_t R(oracle_##op)(enum isk_type type, uint64_t y, uint64_t x)
SCATTER(scatter_add)
{
	const double sum = isk_element_value(type, y) + isk_element_value(type, x);

	return isk_element_round(type, (long double)sum);
}

SCATTER(scatter_add_rows)
{
	return R(oracle_scatter_add)(type, y, x);
}

/* Computes each element of y by adding all its terms, so that only one sum is kept at a time. */
ISK_UNUSED static void R(put_sums)(struct isk_sink *s, const enum isk_type *types, const struct isk_args_scatter_rows *a,
                                   uint64_t (*oracle)(enum isk_type type, uint64_t y, uint64_t x))
{
	for (size_t r = 0; r < a->rows; r++)
		for (size_t i = 0; i < a->cols; i++) {
			uint64_t y = isk_element_bits(types[0], a->y, r * a->ldy + i);
			int is_named = 0;

			for (size_t j = 0; j < a->n; j++)
				if (R(index_of)(a->index, j, types[1], a->rows) == r) {
					y = oracle(types[0], y, isk_element_bits(types[0], a->x, j * a->ldx + i));
					is_named = 1;
				}
			/* A sum that is NaN may be any NaN; elements that no index names keep their bits. */
			if (is_named)
				s->put(s, a->y, r * a->ldy + i, types[0], (long double)isk_element_value(types[0], y), ISK_ULP, 0);
			else
				s->put_bits(s, a->y, r * a->ldy + i, types[0], y);
		}
}

ISK_SHARED static void R(form_scatter_rows)(struct isk_sink *s, const enum isk_type *types,
                                            struct isk_args_scatter_rows *a,
                                            uint64_t (*oracle)(enum isk_type type, uint64_t y, uint64_t x))
{
	if (!R(refused)(s, &a->result, a->index, a->cols ? a->n : 0, types[1], a->rows) && a->cols)
		R(put_sums)(s, types, a, oracle);
}

ISK_SHARED static void R(form_scatter)(struct isk_sink *s, const enum isk_type *types, struct isk_args_scatter *a,
                                       uint64_t (*oracle)(enum isk_type type, uint64_t y, uint64_t x))
{
	const struct isk_args_scatter_rows rows = {.y = a->y, .x = a->x, .index = a->index, .n = a->n, .rows = a->rows,
	                                           .cols = 1, .ldy = 1, .ldx = 1};

	if (!R(refused)(s, &a->result, a->index, a->n, types[1], a->rows))
		R(put_sums)(s, types, &rows, oracle);
}
