/* SPDX-License-Identifier: MIT */
/*
 * The form of maps of integers, and of all maps that work on bits. Oracles compute in signed
 * 128-bit integers; the lowest bits of the result, as many as an element has, are the
 * element. Included by reference.h before forms.h.
 *
 *     INTEGERS(shape, op, f(x))   f may use type; in an oracle.h, only while ISK_WIDE is 0
 */

static inline int isk_integer_bits(enum isk_type type)
{
	return 8 * (int)isk_element_bytes(type);
}

/* The value of an element; types that are no signed integers count as unsigned bits. */
static inline __int128 isk_integer(enum isk_type type, uint64_t bits)
{
	switch (type) {
	case ISK_S8:
		return (int8_t)bits;
	case ISK_S16:
		return (int16_t)bits;
	case ISK_S32:
		return (int32_t)bits;
	case ISK_S64:
		return (int64_t)bits;
	default:
		return bits;
	}
}

/* An input as a parameter of an oracle, and as an argument of its call, for the lists of maps.h. */
#define ISK_INTEGER(x, ...)   __int128 x
#define ISK_INTEGER_AT(x, i)  isk_integer(types[0], isk_element_bits(types[0], args->x, i))

#define INTEGERS(shape, op, f)                                                 \
	ISK_UNUSED static __int128 oracle_##op##_integer(ISK_INPUTS_##shape(ISK_INTEGER, ), enum isk_type type) \
	{                                                                          \
		(void)type;                                                            \
		return f;                                                              \
	}

#define ISK_FORM_OF_INTEGERS(shape, y, n)                                      \
	ISK_SHARED static void form_##shape##_integer(                             \
		struct isk_sink *s, const enum isk_type *types, struct isk_args_##shape *args, \
		__int128 (*oracle)(ISK_INPUTS_##shape(ISK_INTEGER, ), enum isk_type type)) \
	{                                                                          \
		const uint64_t all = UINT64_MAX >> (64 - isk_integer_bits(types[0]));  \
                                                                               \
		for (size_t i = 0; i < args->n; i++)                                   \
			s->put_bits(s, args->y, i, types[0],                               \
			            (uint64_t)oracle(ISK_INPUTS_##shape(ISK_INTEGER_AT, i), types[0]) & all); \
	}
ISK_MAPS(ISK_FORM_OF_INTEGERS)
