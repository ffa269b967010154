/* SPDX-License-Identifier: MIT */
/* Attention by its definition: all scores of a query, their softmax, and the sum of the weighted values. */

/* The score of a key, and the size of its terms. */
struct R(score) {
	REAL value, size;
};

ISK_UNUSED static struct R(score) R(oracle_attention)(const struct isk_args_attention *a, enum isk_type type, size_t i, size_t j)
{
	const struct isk_array q = {a->q, ISK_F32, 1}, k = {a->k, type, 1}, mask = {a->mask, ISK_F32, 1};
	const REAL scale = (REAL)a->scale, cap = (REAL)a->cap, more = a->mask ? AT(mask, i * a->ldmask + j) : 0;
	struct R(score) s = {0, 0};

	for (size_t d = 0; d < a->width; d++) {
		const REAL term = AT(q, i * a->ldq + d) * AT(k, j * a->ldk + d);

		s.value += term;
		s.size += fabs(term);
	}
	s.value *= scale;
	s.size *= fabs(scale);
	if (cap > 0)
		s.value = cap * tanh(s.value / cap);
	s.value += more;
	s.size += isinf(more) && more < 0 ? 0 : fabs(more);
	return s;
}

ISK_SHARED static void R(form_attention)(struct isk_sink *s, const enum isk_type *types, struct isk_args_attention *a,
                                         struct R(score) (*oracle)(const struct isk_args_attention *a, enum isk_type type,
                                                                   size_t i, size_t j))
{
	const struct isk_array v = {a->v, types[0], 1};

	for (size_t i = 0; a->value_width && i < a->queries; i++) {
		const int64_t last = a->ahead < INT64_MAX - (int64_t)i ? a->ahead + (int64_t)i : INT64_MAX - 1;
		const size_t reach = last >= 0 ? (size_t)last + 1 : 0, end = reach < a->keys ? reach : a->keys;
		const size_t first = a->window && reach > a->window ? reach - a->window : 0;
		REAL max = -(REAL)INFINITY, sum = 0, size = 0;

		for (size_t j = first; j < end; j++) {
			const struct R(score) score = oracle(a, types[0], i, j);

			max = isnan(score.value) || score.value > max ? score.value : max;
			size = isfinite(score.size) ? fmax(size, score.size) : (REAL)INFINITY;
		}
		for (size_t j = first; j < end && max > -(REAL)INFINITY; j++)
			sum += exp(oracle(a, types[0], i, j).value - max);
		for (size_t e = 0; e < a->value_width; e++) {
			REAL y = isnan(max) ? max : 0, most = 0;

			for (size_t j = first; j < end && max > -(REAL)INFINITY; j++) {
				const REAL value = AT(v, j * a->ldv + e);

				y += exp(oracle(a, types[0], i, j).value - max) / sum * value;
				most = fmax(most, fabs(value));
			}
			s->put(s, a->y, i * a->ldy + e, ISK_F32, (long double)y,
			       (long double)(most * (2 * (REAL)(a->width + 8) * size + (REAL)(a->keys + 8 * (a->keys / 64 + 2)))),
			       a->keys + a->width);
		}
	}
}
