/* SPDX-License-Identifier: MIT */
/*
 * The forms of shapes: a form calls the oracle for each element and puts its answers into
 * the sink. reference.h includes this once for each precision:
 *
 *     REAL     double or long double
 *     R(name)  the name with its precision
 *
 * An oracle that bounds an error gives *scale with its answer: the factor of eps and of the
 * table row's bound in the contract of the shape. Oracles are defined by MAP, ZIP and so on,
 * in the oracle.h of each family.
 */

/* An element as a number. */
ISK_SHARED static REAL R(at)(struct isk_array x, size_t i)
{
	const uint64_t bits = isk_element_bits(x.type, x.x, i * x.step);

	/* An s64 may have more bits than a double holds. */
	return x.type == ISK_S64 ? (REAL)(int64_t)bits : (REAL)isk_element_value(x.type, bits);
}

#define AT(x, i) R(at)(x, i)

/* Inputs and values as parameters of an oracle, and as arguments of its call, for the lists of maps.h. */
#define ISK_REAL(x, ...)   REAL x
#define ISK_VALUE(type, x) type x
#define ISK_AT(x, i)       R(at)((struct isk_array){args->x, types[0], 1}, i)
#define ISK_GIVEN(type, x) args->x

/* Defines the oracle of MAP(op, f(x)), ZIP(op, f(a, b)) and of all shapes that are maps. */
#define ISK_MAP(shape, op, f)                                                  \
	ISK_UNUSED static REAL R(oracle_##op)(ISK_INPUTS_##shape(ISK_REAL, ) ISK_VALUES_##shape(ISK_VALUE, )) \
	{                                                                          \
		return f;                                                              \
	}

#define ISK_FORM_OF_MAP(shape, y, n)                                           \
	ISK_SHARED static void R(form_##shape)(                                    \
		struct isk_sink *s, const enum isk_type *types, struct isk_args_##shape *args, \
		REAL (*oracle)(ISK_INPUTS_##shape(ISK_REAL, ) ISK_VALUES_##shape(ISK_VALUE, ))) \
	{                                                                          \
		for (size_t i = 0; i < args->n; i++) {                                 \
			const REAL value = oracle(ISK_INPUTS_##shape(ISK_AT, i) ISK_VALUES_##shape(ISK_GIVEN, )); \
                                                                               \
			s->put(s, args->y, i, types[0], (long double)value, ISK_ULP, 0);   \
		}                                                                      \
	}
ISK_MAPS(ISK_FORM_OF_MAP)

/*
 * sin(pi |x|), computed from the distance to the nearest integer. The sine of an even integer is +0, of an odd one -0.
 */
ISK_UNUSED static REAL R(sine_of_pi)(REAL x)
{
	const REAL pi = 2 * acos((REAL)0), size = fabs(x), a = size - 2 * floor(size / 2), n = nearbyint(a), r = fabs(a - n);
	const REAL sine = r <= (REAL)0.25 ? sin(pi * r) : cos(pi * ((REAL)0.5 - r));

	return (a < n) != (n == 1) ? -sine : sine;
}

/* Defines the oracle of a conversion; most is isk_most_of() of the type of y. */
#define CVT(op, f)                                                             \
	ISK_UNUSED static REAL R(oracle_##op)(REAL x, REAL most)                   \
	{                                                                          \
		(void)most;                                                            \
		return f;                                                              \
	}

/* A NaN keeps its sign and the upper bits of its payload, and becomes quiet. */
ISK_UNUSED static uint64_t R(quiet_nan)(uint64_t bits, enum isk_type from, enum isk_type to)
{
	const int f = isk_format_of(from).fraction, t = isk_format_of(to).fraction;
	const uint64_t payload = bits & (((uint64_t)1 << f) - 1), quiet = (uint64_t)1 << (t - 1);

	return (bits & isk_sign_bit(from) ? isk_sign_bit(to) : 0) | isk_infinity_bits(to) | quiet
	       | (t < f ? payload >> (f - t) : payload << (t - f));
}

ISK_SHARED static void R(form_cvt)(struct isk_sink *s, const enum isk_type *types, struct isk_args_cvt *a,
                                   REAL (*oracle)(REAL x, REAL most))
{
	const enum isk_type from = types[0], to = types[1];
	const struct isk_array x = {a->x, from, 1};

	for (size_t i = 0; i < a->n; i++) {
		const REAL value = AT(x, i);

		s->put_bits(s, a->y, i, to,
		            isnan(value) && isk_format_of(to).has_nan
		                ? R(quiet_nan)(isk_element_bits(from, a->x, i), from, to)
		                : isk_element_round(to, (long double)oracle(value, (REAL)isk_most_of(to))));
	}
}

/* The division is in f32, as the contract says; the following operations are exact. */
ISK_UNUSED static REAL R(quantized)(REAL x, float scale, int32_t zero)
{
	const float quotient = (float)x / scale;

	return isnan(quotient) ? zero : rint((REAL)quotient) + zero;
}

#define QUANTIZE(op, f)                                                        \
	ISK_UNUSED static REAL R(oracle_##op)(REAL x, float scale, int32_t zero)   \
	{                                                                          \
		return f;                                                              \
	}
#define DEQUANTIZE(op, f) QUANTIZE(op, f)

ISK_SHARED static void R(form_quantize)(struct isk_sink *s, const enum isk_type *types,
                                        struct isk_args_quantize *a,
                                        REAL (*oracle)(REAL x, float scale, int32_t zero))
{
	const struct isk_array x = {a->x, types[0], 1};

	for (size_t i = 0; i < a->n; i++)
		s->put_bits(s, a->y, i, types[1],
		            isk_element_round(types[1], (long double)oracle(AT(x, i), a->scale, a->zero)));
}

ISK_SHARED static void R(form_dequantize)(struct isk_sink *s, const enum isk_type *types,
                                          struct isk_args_dequantize *a,
                                          REAL (*oracle)(REAL x, float scale, int32_t zero))
{
	struct isk_args_quantize args = {.y = a->y, .x = a->x, .n = a->n, .scale = a->scale, .zero = a->zero};

	R(form_quantize)(s, types, &args, oracle);
}

/* The largest number of roundings of a term in a sum of n: depth(n) of isakern.h. */
ISK_UNUSED static REAL R(depth)(size_t n)
{
	return n ? fmin((REAL)n + 2, 32 + log2((REAL)n)) : 0;
}

/* A sum so far, and the sum of the magnitudes of its finite terms. */
struct R(terms) {
	long double sum, size;
};

ISK_UNUSED static void R(add_term)(struct R(terms) *all, long double term)
{
	all->sum += term;
	all->size += isfinite(term) ? fabsl(term) : 0;
}

/* The body of an oracle that adds a term for each i; *scale is depth(n) times the sum of the magnitudes of finite terms. */
#define SUM_OF(term)                                                           \
	{                                                                          \
		struct R(terms) all = {0, 0};                                        \
                                                                               \
		for (size_t i = 0; i < n; i++)                                         \
			R(add_term)(&all, (long double)(term));                          \
		*scale = (REAL)all.size * R(depth)(n);                               \
		return (REAL)all.sum;                                                \
	}

/* Puts element i of y, computed from n elements or pairs of elements; for integers, its bits. */
ISK_SHARED static void R(put_one)(struct isk_sink *s, void *y, size_t i, enum isk_type type, REAL value, REAL scale,
                                  size_t n)
{
	if (isk_element_is_float(type))
		s->put(s, y, i, type, (long double)value, (long double)scale, n + 64);
	else
		s->put_bits(s, y, i, type, isk_element_round(type, (long double)value));
}

/* Puts the result of a kernel of n elements, or pairs of elements, of this type. */
ISK_SHARED static void R(put_result)(struct isk_sink *s, union isk_result *result, enum isk_type type, REAL value,
                                     REAL scale, size_t n)
{
	R(put_one)(s, result, 0, isk_by_value(type), value, scale, n);
}

/* REDUCE(op, term) defines the oracle of a sum; REDUCE_AS(op) and a body define any other oracle. */
#define REDUCE_AS(op)    ISK_UNUSED static REAL R(oracle_##op)(struct isk_array x, size_t n, REAL *scale)
#define REDUCE(op, term) REDUCE_AS(op) SUM_OF(term)

ISK_SHARED static void R(form_reduce)(struct isk_sink *s, const enum isk_type *types,
                                      struct isk_args_reduce *a,
                                      REAL (*oracle)(struct isk_array x, size_t n, REAL *scale))
{
	REAL scale;
	const REAL value = oracle((struct isk_array){a->x, types[0], 1}, a->n, &scale);

	R(put_result)(s, &a->result, types[0], value, scale, a->n);
}

#define REDUCE2_AS(op)                                                         \
	ISK_UNUSED static REAL R(oracle_##op)(struct isk_array a, struct isk_array b, size_t n, REAL *scale)
#define REDUCE2(op, term) REDUCE2_AS(op) SUM_OF(term)

ISK_SHARED static void R(form_reduce2)(struct isk_sink *s, const enum isk_type *types,
                                       struct isk_args_reduce2 *z,
                                       REAL (*oracle)(struct isk_array a, struct isk_array b, size_t n, REAL *scale))
{
	const struct isk_array a = {z->a, types[0], 1}, b = {z->b, types[0], 1};
	REAL scale;
	const REAL value = oracle(a, b, z->n, &scale);

	R(put_result)(s, &z->result, types[0], value, scale, z->n);
}

#define INDEX(op) ISK_UNUSED static size_t R(oracle_##op)(struct isk_array x, size_t n)

ISK_SHARED static void R(form_index)(struct isk_sink *s, const enum isk_type *types, struct isk_args_index *a,
                                     size_t (*oracle)(struct isk_array x, size_t n))
{
	s->put_bits(s, &a->result, 0, ISK_S64, oracle((struct isk_array){a->x, types[0], 1}, a->n));
}

/* The values that the oracle of a kernel by rows computes from a row. */
struct R(row) {
	REAL centre; /* subtracted from each element */
	REAL factor; /* factor of the difference, or of its exponential */
	REAL reach;  /* the largest |element| times factor, if centre is subtracted */
	REAL depth;  /* depth() of the row */
};

typedef struct R(row) R(know)(struct isk_array x, size_t cols, REAL epsilon);
typedef REAL R(element)(const struct R(row) *row, REAL x, REAL weight, REAL bias, REAL *scale);

/* An oracle by rows: know() computes the values of a row, element() computes an element from them. */
struct R(by_row) {
	R(know) *know;
	R(element) *element;
};

#define ROWS(op, know, element)                                                \
	ISK_UNUSED static struct R(by_row) R(oracle_##op)(void)                    \
	{                                                                          \
		return (struct R(by_row)){know, element};                              \
	}

ISK_SHARED static void R(form_norm)(struct isk_sink *s, const enum isk_type *types, struct isk_args_norm *a,
                                    struct R(by_row) (*oracle)(void))
{
	const struct isk_array weight = {a->weight, types[0], 1}, bias = {a->bias, types[0], 1};
	const size_t bytes = isk_element_bytes(types[0]);

	for (size_t r = 0; a->cols && r < a->rows; r++) {
		const struct isk_array x = {(const char *)a->x + r * a->ldx * bytes, types[0], 1};
		const struct R(row) row = oracle().know(x, a->cols, (REAL)a->epsilon);

		for (size_t i = 0; i < a->cols; i++) {
			REAL scale;
			const REAL value = oracle().element(&row, AT(x, i), a->weight ? AT(weight, i) : 1,
			                                    a->bias ? AT(bias, i) : 0, &scale);

			s->put(s, a->y, r * a->ldy + i, types[0], (long double)value, (long double)scale, 2);
		}
	}
}

ISK_SHARED static void R(form_softmax)(struct isk_sink *s, const enum isk_type *types,
                                       struct isk_args_softmax *a, struct R(by_row) (*oracle)(void))
{
	struct isk_args_norm rows = {.y = a->y, .x = a->x, .rows = a->rows, .cols = a->cols, .ldy = a->ldy, .ldx = a->ldx};

	R(form_norm)(s, types, &rows, oracle);
}

/* Defines the oracle that gives the scale and the zero point of a row. */
#define QUANTIZE_ROWS(op)                                                      \
	ISK_UNUSED static void R(oracle_##op)(struct isk_array x, size_t cols, int is_signed, float *scale, int32_t *zero)

ISK_SHARED static void R(form_quantize_rows)(struct isk_sink *s, const enum isk_type *types,
                                             struct isk_args_quantize_rows *a,
                                             void (*oracle)(struct isk_array x, size_t cols, int is_signed,
                                                            float *scale, int32_t *zero))
{
	const size_t bytes = isk_element_bytes(types[0]);

	for (size_t r = 0; r < a->rows; r++) {
		const struct isk_array x = {(const char *)a->x + r * a->ldx * bytes, types[0], 1};
		float scale;
		int32_t zero;

		oracle(x, a->cols, types[1] == ISK_S8, &scale, &zero);
		s->put_bits(s, a->scale, r, ISK_F32, isk_element_round(ISK_F32, (long double)scale));
		if (a->zero)
			s->put_bits(s, a->zero, r, ISK_S32, (uint32_t)zero);
		for (size_t i = 0; i < a->cols; i++)
			s->put_bits(s, a->y, r * a->ldy + i, types[1],
			            isk_element_round(types[1], (long double)R(quantized)(AT(x, i), scale, zero)));
	}
}

#define POOL(op) ISK_UNUSED static REAL R(oracle_##op)(struct isk_array x, size_t rows, REAL *scale)

ISK_SHARED static void R(form_pool)(struct isk_sink *s, const enum isk_type *types, struct isk_args_pool *a,
                                    REAL (*oracle)(struct isk_array x, size_t rows, REAL *scale))
{
	const size_t bytes = isk_element_bytes(types[0]);

	for (size_t i = 0; i < a->cols; i++) {
		REAL scale;
		const REAL value = oracle((struct isk_array){(const char *)a->x + i * bytes, types[0], a->ldx}, a->rows, &scale);

		s->put(s, a->y, i, types[0], (long double)value, (long double)scale, a->rows);
	}
}

/* Defines the index of the element of x that becomes element i of row j of y. */
#define TRANSPOSE(op, from)                                                    \
	ISK_UNUSED static size_t R(oracle_##op)(size_t j, size_t i, size_t ldx)    \
	{                                                                          \
		return from;                                                           \
	}

ISK_SHARED static void R(form_transpose)(struct isk_sink *s, const enum isk_type *types,
                                         struct isk_args_transpose *a,
                                         size_t (*oracle)(size_t j, size_t i, size_t ldx))
{
	for (size_t j = 0; a->rows && j < a->cols; j++)
		for (size_t i = 0; i < a->rows; i++)
			s->put_bits(s, a->y, j * a->ldy + i, types[0],
			            isk_element_bits(types[0], a->x, oracle(j, i, a->ldx)));
}

/* Defines the index of the element of an image of x that becomes element i of the image of y. */
#define IMAGES(op, from)                                                       \
	ISK_UNUSED static size_t R(oracle_##op)(size_t i, size_t channels, size_t pixels) \
	{                                                                          \
		return from;                                                           \
	}

ISK_SHARED static void R(form_images)(struct isk_sink *s, const enum isk_type *types, struct isk_args_images *a,
                                      size_t (*oracle)(size_t i, size_t channels, size_t pixels))
{
	const size_t each = a->channels * a->pixels;

	for (size_t n = 0; n < a->images && each; n++)
		for (size_t i = 0; i < each; i++)
			s->put_bits(s, a->y, n * each + i, types[0],
			            isk_element_bits(types[0], a->x, n * each + oracle(i, a->channels, a->pixels)));
}

/* Defines a property of a variant; the references have values of their own. */
#define QUERY(op, f)                                                           \
	ISK_UNUSED static size_t R(oracle_##op)(void)                              \
	{                                                                          \
		return f;                                                              \
	}

ISK_SHARED static void R(form_query)(struct isk_sink *s, const enum isk_type *types, struct isk_args_query *a,
                                     size_t (*oracle)(void))
{
	(void)types;
	s->put_bits(s, &a->result, 0, ISK_S64, oracle());
}

#include "oracles.inc"
