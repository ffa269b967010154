/* SPDX-License-Identifier: MIT */
/* The oracles of rotary embeddings: the positions of the elements of a pair, and the angles of tables. */

/* Defines the oracle that gives the positions of the first and the second element of pair j. */
#define ROPE(op, first, second)                                                \
	ISK_UNUSED static void R(oracle_##op)(size_t j, size_t pairs, size_t at[2]) \
	{                                                                          \
		(void)pairs;                                                           \
		at[0] = first;                                                         \
		at[1] = second;                                                        \
	}
ROPE(rope_halves, j, j + pairs)
ROPE(rope_pairs, 2 * j, 2 * j + 1)

ISK_SHARED static void R(form_rope)(struct isk_sink *s, const enum isk_type *types, struct isk_args_rope *a,
                                    void (*oracle)(size_t j, size_t pairs, size_t at[2]))
{
	const struct isk_array x = {a->x, types[0], 1}, cosine = {a->cosine, ISK_F32, 1}, sine = {a->sine, ISK_F32, 1};
	const size_t pairs = a->pairs < a->cols / 2 ? a->pairs : a->cols / 2;

	for (size_t r = 0; a->cols && r < a->rows; r++) {
		for (size_t j = 0; j < pairs; j++) {
			const REAL c = AT(cosine, r * a->ldt + j), t = AT(sine, r * a->ldt + j);
			size_t at[2];
			REAL first, second;

			oracle(j, pairs, at);
			first = AT(x, r * a->ldx + at[0]);
			second = AT(x, r * a->ldx + at[1]);
			s->put(s, a->y, r * a->ldy + at[0], types[0], (long double)(first * c - second * t),
			       (long double)(fabs(first * c) + fabs(second * t)), 2);
			s->put(s, a->y, r * a->ldy + at[1], types[0], (long double)(second * c + first * t),
			       (long double)(fabs(second * c) + fabs(first * t)), 2);
		}
		for (size_t i = 2 * pairs; i < a->cols; i++)
			s->put_bits(s, a->y, r * a->ldy + i, types[0], isk_element_bits(types[0], a->x, r * a->ldx + i));
	}
}

/* Defines the oracle that gives the angle of pair j at position 1. */
#define ROPE_TABLE(op, angle)                                                  \
	ISK_UNUSED static long double R(oracle_##op)(long double base, long double j, long double pairs) \
	{                                                                          \
		return angle;                                                          \
	}
ROPE_TABLE(rope_table, powl(base, -j / pairs))

ISK_SHARED static void R(form_rope_table)(struct isk_sink *s, const enum isk_type *types,
                                          struct isk_args_rope_table *a,
                                          long double (*oracle)(long double base, long double j, long double pairs))
{
	const struct isk_array positions = {a->position, ISK_S32, 1};
	const int is_allowed = a->base >= 1 && a->base <= 0x1p64;

	(void)types;
	for (size_t j = 0; a->rows && j < a->pairs; j++) {
		const long double step = is_allowed ? oracle((long double)a->base, (long double)j, (long double)a->pairs)
		                                    : (long double)NAN;

		for (size_t r = 0; r < a->rows; r++) {
			const REAL position = AT(positions, r), angle = (REAL)((long double)position * step);
			const long double scale = 1 + (long double)fabs(position) * 0x1p-24L;

			s->put(s, a->cosine, r * a->ldt + j, ISK_F32, (long double)cos(angle), scale, 0);
			s->put(s, a->sine, r * a->ldt + j, ISK_F32, (long double)sin(angle), scale, 0);
		}
	}
}
