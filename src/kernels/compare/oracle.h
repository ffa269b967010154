/* SPDX-License-Identifier: MIT */
/* The operations on one or two elements, and the forms of their shapes. */

ISK_UNUSED static int R(truth)(const void *mask, size_t i)
{
	return isk_element_bits(ISK_U8, mask, i) != 0;
}

#define COMPARE(op, relation)                                                  \
	ISK_UNUSED static int R(oracle_##op)(REAL a, REAL b)                       \
	{                                                                          \
		return relation;                                                       \
	}                                                                          \
	ISK_UNUSED static int R(oracle_##op##_scalar)(REAL a, REAL b)              \
	{                                                                          \
		return relation;                                                       \
	}
COMPARE(eq, a == b)
COMPARE(ne, a != b)
COMPARE(lt, a < b)
COMPARE(le, a <= b)
COMPARE(gt, a > b)
COMPARE(ge, a >= b)

ISK_SHARED static void R(form_compare)(struct isk_sink *s, const enum isk_type *types, struct isk_args_compare *args,
                                       int (*oracle)(REAL a, REAL b))
{
	const struct isk_array a = {args->a, types[0], 1}, b = {args->b, types[0], 1};

	for (size_t i = 0; i < args->n; i++)
		s->put_bits(s, args->y, i, ISK_U8, (uint64_t)oracle(AT(a, i), AT(b, i)));
}

ISK_SHARED static void R(form_compare_to)(struct isk_sink *s, const enum isk_type *types,
                                          struct isk_args_compare_to *a, int (*oracle)(REAL a, REAL b))
{
	const struct isk_array x = {a->x, types[0], 1};

	for (size_t i = 0; i < a->n; i++)
		s->put_bits(s, a->y, i, ISK_U8, (uint64_t)oracle(AT(x, i), (REAL)a->alpha));
}

#define CLASSIFY(op, f)                                                        \
	ISK_UNUSED static int R(oracle_##op)(REAL x)                               \
	{                                                                          \
		return f;                                                              \
	}
CLASSIFY(isnan, isnan(x) != 0)
CLASSIFY(isinf, isinf(x) != 0)
CLASSIFY(isfinite, isfinite(x) != 0)

ISK_SHARED static void R(form_classify)(struct isk_sink *s, const enum isk_type *types, struct isk_args_classify *a,
                                        int (*oracle)(REAL x))
{
	const struct isk_array x = {a->x, types[0], 1};

	for (size_t i = 0; i < a->n; i++)
		s->put_bits(s, a->y, i, ISK_U8, (uint64_t)oracle(AT(x, i)));
}

#define TRUTHS(op, f)                                                          \
	ISK_UNUSED static int R(oracle_##op)(int a, int b)                         \
	{                                                                          \
		(void)b;                                                               \
		return f;                                                              \
	}
TRUTHS(mask_not, !a)
TRUTHS(mask_and, a &&b)
TRUTHS(mask_or, a || b)
TRUTHS(mask_xor, a != b)

ISK_SHARED static void R(form_mask_zip)(struct isk_sink *s, const enum isk_type *types, struct isk_args_mask_zip *m,
                                        int (*oracle)(int a, int b))
{
	(void)types;
	for (size_t i = 0; i < m->n; i++)
		s->put_bits(s, m->y, i, ISK_U8, (uint64_t)oracle(R(truth)(m->a, i), R(truth)(m->b, i)));
}

ISK_SHARED static void R(form_mask_map)(struct isk_sink *s, const enum isk_type *types, struct isk_args_mask_map *m,
                                        int (*oracle)(int a, int b))
{
	struct isk_args_mask_zip both = {.y = m->y, .a = m->x, .b = m->x, .n = m->n};

	R(form_mask_zip)(s, types, &both, oracle);
}

/* f is computed from count, the number of true elements, and n, the number of all. */
#define MASK_REDUCE(op, f)                                                     \
	ISK_UNUSED static size_t R(oracle_##op)(size_t count, size_t n)            \
	{                                                                          \
		(void)n;                                                               \
		return f;                                                              \
	}
MASK_REDUCE(mask_any, count != 0)
MASK_REDUCE(mask_all, count == n)
MASK_REDUCE(mask_count, count)

ISK_SHARED static void R(form_mask_reduce)(struct isk_sink *s, const enum isk_type *types,
                                           struct isk_args_mask_reduce *a, size_t (*oracle)(size_t count, size_t n))
{
	size_t count = 0;

	(void)types;
	for (size_t i = 0; i < a->n; i++)
		count += (size_t)R(truth)(a->x, i);
	s->put_bits(s, &a->result, 0, ISK_S64, oracle(count, a->n));
}

#define CHOOSE(op, f)                                                          \
	ISK_UNUSED static uint64_t R(oracle_##op)(int mask, uint64_t a, uint64_t b) \
	{                                                                          \
		return f;                                                              \
	}
CHOOSE(from_mask, mask ? a : b)
CHOOSE(select, mask ? a : b)
CHOOSE(masked_fill, mask ? b : a)
CHOOSE(masked_keep, mask ? a : b)

ISK_SHARED static void R(form_from_mask)(struct isk_sink *s, const enum isk_type *types, struct isk_args_from_mask *m,
                                         uint64_t (*oracle)(int mask, uint64_t a, uint64_t b))
{
	for (size_t i = 0; i < m->n; i++)
		s->put_bits(s, m->y, i, types[0],
		            oracle(R(truth)(m->x, i), isk_element_round(types[0], 1), isk_element_round(types[0], 0)));
}

ISK_SHARED static void R(form_select)(struct isk_sink *s, const enum isk_type *types, struct isk_args_select *m,
                                      uint64_t (*oracle)(int mask, uint64_t a, uint64_t b))
{
	for (size_t i = 0; i < m->n; i++)
		s->put_bits(s, m->y, i, types[0],
		            oracle(R(truth)(m->mask, i), isk_element_bits(types[0], m->a, i), isk_element_bits(types[0], m->b, i)));
}

ISK_SHARED static void R(form_masked)(struct isk_sink *s, const enum isk_type *types, struct isk_args_masked *m,
                                      uint64_t (*oracle)(int mask, uint64_t a, uint64_t b))
{
	const uint64_t alpha = isk_element_round(types[0], (long double)m->alpha);

	for (size_t i = 0; i < m->n; i++)
		s->put_bits(s, m->y, i, types[0],
		            oracle(R(truth)(m->mask, i), isk_element_bits(types[0], m->x, i), alpha));
}

/* Whether an element with this mask goes to y. */
ISK_UNUSED static int R(oracle_compress)(int mask)
{
	return mask;
}

ISK_SHARED static void R(form_compress)(struct isk_sink *s, const enum isk_type *types, struct isk_args_compress *a,
                                        int (*oracle)(int mask))
{
	size_t count = 0;

	for (size_t i = 0; i < a->n; i++)
		if (oracle(R(truth)(a->mask, i)))
			s->put_bits(s, a->y, count++, types[0], isk_element_bits(types[0], a->x, i));
	for (size_t i = count; i < a->n; i++)
		s->put_bits(s, a->y, i, types[0], isk_element_bits(types[0], a->y, i));
	s->put_bits(s, &a->result, 0, ISK_S64, count);
}
