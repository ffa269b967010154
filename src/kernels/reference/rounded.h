/* SPDX-License-Identifier: MIT */
/*
 * The form of maps of f32 that are exact. If double precision does not determine the f32 to
 * which a result rounds, long double does, because it has 11 bits more. Included by
 * reference.h after forms.h.
 */

/* Whether a relative change of 2^-40 may change the f32 to which value rounds; oracles err by less than that. */
static inline int isk_is_near_tie(double value)
{
	return isfinite(value) && (float)(value * (1 - 0x1p-40)) != (float)(value * (1 + 0x1p-40));
}

/* An input as a parameter of either oracle, and as an argument of their calls, for the lists of maps.h. */
#define ISK_DOUBLE(x, ...)      double x
#define ISK_LONG_DOUBLE(x, ...) long double x
#define ISK_DOUBLE_AT(x, i)     isk_element_value(ISK_F32, isk_element_bits(ISK_F32, args->x, i))
#define ISK_LONG_AT(x, i)       (long double)ISK_DOUBLE_AT(x, i)

/* All parameters of an oracle of this shape, and all arguments of a call. */
#define ISK_PARAMETERS(shape, INPUT) (ISK_INPUTS_##shape(INPUT, ) ISK_VALUES_##shape(ISK_VALUE, ))
#define ISK_ARGUMENTS(shape, AT, i)  (ISK_INPUTS_##shape(AT, i) ISK_VALUES_##shape(ISK_GIVEN, ))

#define ISK_FORM_OF_ROUNDED_MAP(shape, y, n)                                   \
	ISK_SHARED static void form_##shape##_rounded(struct isk_sink *s, struct isk_args_##shape *args, \
	                                              double (*in_double)ISK_PARAMETERS(shape, ISK_DOUBLE), \
	                                              long double (*in_wide)ISK_PARAMETERS(shape, ISK_LONG_DOUBLE)) \
	{                                                                          \
		for (size_t i = 0; i < args->n; i++) {                                 \
			const double near = in_double ISK_ARGUMENTS(shape, ISK_DOUBLE_AT, i); \
			const int is_tie = isk_is_near_tie(near);                          \
                                                                               \
			s->put(s, args->y, i, ISK_F32, is_tie ? in_wide ISK_ARGUMENTS(shape, ISK_LONG_AT, i) : (long double)near, ISK_ULP, 0); \
		}                                                                      \
	}
ISK_MAPS(ISK_FORM_OF_ROUNDED_MAP)

#define ISK_FORM_ROUNDED(kernel, shape, op)                                    \
	static void form_##kernel(struct isk_sink *s, union isk_args *args)        \
	{                                                                          \
		form_##shape##_rounded(s, &args->shape, oracle_##op##_plain, oracle_##op##_wide); \
	}
