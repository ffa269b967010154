/* SPDX-License-Identifier: MIT */
/*
 * Comparisons: one loop for all relations and types. Elements are compared in lanes
 * of 32 or 64 bits, those of u8 as bytes, and the results of four vectors are stored
 * together. isnan compares x with itself, since only a NaN differs from itself; isinf
 * and isfinite compare |x| with infinity.
 */
#include "compare_kernels.h"
#include "ahead.h"

typedef uint8_t vb __attribute__((vector_size(4 * VL)));

enum relation { EQ, NE, LT, LE, GT, GE };

/* VL elements (those of 64 bits fill both vectors, others only v[0]), or 4 * VL bytes in v[0]. */
struct lanes {
	vi v[2];
};

ISK_INLINE int is_long(const enum isk_type type)
{
	return type == ISK_F64 || type == ISK_S64;
}

ISK_INLINE struct lanes load(const void *p, size_t i, size_t n, const enum isk_type type)
{
	const vi none = {0};

	if (is_long(type))
		return (struct lanes){{(vi)vd_load_as(p, i, n, ISK_F64),
		                       n > VD ? (vi)vd_load_as(p, i + VD, n - VD, ISK_F64) : none}};
	return (struct lanes){{type == ISK_S32 ? vi_load_as(p, i, n, type) : (vi)vf_load_as(p, i, n, type), none}};
}

ISK_INLINE vm equal(struct lanes a, struct lanes b, const enum isk_type type)
{
	switch (type) {
	case ISK_F64:
		return vm_halves(vd_eq((vd)a.v[0], (vd)b.v[0]), vd_eq((vd)a.v[1], (vd)b.v[1]));
	case ISK_S64:
		return vm_halves(vl_eq((vl)a.v[0], (vl)b.v[0]), vl_eq((vl)a.v[1], (vl)b.v[1]));
	case ISK_S32:
		return vi_eq(a.v[0], b.v[0]);
	default:
		return vf_eq((vf)a.v[0], (vf)b.v[0]);
	}
}

ISK_INLINE vm less(struct lanes a, struct lanes b, const enum isk_type type)
{
	switch (type) {
	case ISK_F64:
		return vm_halves(vd_lt((vd)a.v[0], (vd)b.v[0]), vd_lt((vd)a.v[1], (vd)b.v[1]));
	case ISK_S64:
		return vm_halves(vl_lt((vl)a.v[0], (vl)b.v[0]), vl_lt((vl)a.v[1], (vl)b.v[1]));
	case ISK_S32:
		return vi_gt(b.v[0], a.v[0]);
	default:
		return vf_lt((vf)a.v[0], (vf)b.v[0]);
	}
}

ISK_INLINE vm less_or_equal(struct lanes a, struct lanes b, const enum isk_type type)
{
	switch (type) {
	case ISK_F64:
		return vm_halves(vd_le((vd)a.v[0], (vd)b.v[0]), vd_le((vd)a.v[1], (vd)b.v[1]));
	case ISK_S64:
	case ISK_S32:
		return vm_not(less(b, a, type));
	default:
		return vf_le((vf)a.v[0], (vf)b.v[0]);
	}
}

ISK_INLINE vm related(struct lanes a, struct lanes b, const enum relation relation, const enum isk_type type)
{
	switch (relation) {
	case EQ:
		return equal(a, b, type);
	case NE:
		return vm_not(equal(a, b, type));
	case LT:
		return less(a, b, type);
	case LE:
		return less_or_equal(a, b, type);
	case GT:
		return less(b, a, type);
	default:
		return less_or_equal(b, a, type);
	}
}

/* 1 or 0 in each byte. */
ISK_INLINE vi related_bytes(vi a, vi b, const enum relation relation)
{
	const vb x = (vb)a, y = (vb)b;

	switch (relation) {
	case EQ:
		return (vi)((vb)(x == y) & 1);
	case NE:
		return (vi)((vb)(x != y) & 1);
	case LT:
		return (vi)((vb)(x < y) & 1);
	case LE:
		return (vi)((vb)(x <= y) & 1);
	case GT:
		return (vi)((vb)(x > y) & 1);
	default:
		return (vi)((vb)(x >= y) & 1);
	}
}

/*
 * The second operand: the elements of array or, unless is_array, scalar for all elements. Only those bits of the first
 * operand count that are set in keep; the others count as 0.
 */
struct other {
	int is_array;
	const void *array;
	struct lanes scalar, keep;
};

ISK_INLINE vm related_at(const void *a, const struct other *b, size_t i, size_t n, const enum relation relation,
                         const enum isk_type type)
{
	struct lanes x = load(a, i, n, type);

	x.v[0] &= b->keep.v[0];
	x.v[1] &= b->keep.v[1];
	return related(x, b->is_array ? load(b->array, i, n, type) : b->scalar, relation, type);
}

/* Compares four vectors from element i on. */
ISK_INLINE void compare_round(uint8_t *y, const void *a, const struct other *b, size_t i, const enum relation relation,
                              const enum isk_type type)
{
	vm m[4];

#pragma GCC unroll 4
	for (size_t v = 0; v < 4; v++)
		m[v] = related_at(a, b, i + v * VL, VL, relation, type);
	vm_store_four(y, m);
}

ISK_INLINE void compare(uint8_t *y, const void *a, const struct other b, size_t n, const enum relation relation,
                        const enum isk_type type)
{
	size_t i = 0;

	if (type == ISK_U8) {
		for (; i < n; i += 4 * VL) {
			const vi x = vi_load_bytes((const uint8_t *)a + i, n - i);
			const vi other = b.is_array ? vi_load_bytes((const uint8_t *)b.array + i, n - i) : b.scalar.v[0];

			vi_store_bytes(y + i, related_bytes(x, other, relation), n - i);
		}
		return;
	}
	for (; n - i >= 4 * VL; i += 4 * VL)
		compare_round(y + i, a, &b, i, relation, type);
	for (; i < n; i += VL)
		vi_store_as(y, i, vi_sel(related_at(a, &b, i, n - i, relation, type), vi_set1(1), vi_set1(0)), n - i, ISK_U8);
}

#define WHOLE(v_) {{(vi)(v_), (vi)(v_)}}

#define EVERY_BIT WHOLE(vi_set1(-1))
#define ARRAY(p)  ((struct other){.is_array = 1, .array = (p), .keep = EVERY_BIT})
#define SCALAR(v) ((struct other){.scalar = WHOLE(v), .keep = EVERY_BIT})

/* x in all lanes of its type. */
#define ALL_f32(x)  vf_set1(x)
#define ALL_bf16(x) vf_set1(x)
#define ALL_f16(x)  vf_set1(x)
#define ALL_f64(x)  vd_set1(x)
#define ALL_s32(x)  vi_set1(x)
#define ALL_s64(x)  ((vl){0} + (x))
#define ALL_u8(x)   vi_set1_u8(x)

/* Compares the first of many elements, with prefetches. Returns their number. */
ISK_INLINE size_t compare_ahead(uint8_t *y, const void *a, const struct other b, size_t n, const enum relation relation,
                                const enum isk_type type)
{
	const size_t bytes = isk_bytes_of(type, 1), last_ahead = isk_last_ahead(n, 4 * VL, bytes, 1);
	size_t i = 0;

	for (; n - i > last_ahead; i += 4 * VL) {
		isk_prefetch_ahead((const char *)a + i * bytes, 4 * VL * bytes);
		isk_prefetch_ahead((const char *)b.array + i * bytes, 4 * VL * bytes);
		compare_round(y + i, a, &b, i, relation, type);
	}
	return i;
}

#define COMPARE_AHEAD(kernel, T, relation)                                     \
	ISK_AHEAD_FUNCTION ahead_##kernel(uint8_t *y, const ISK_C_##T *a, const ISK_C_##T *b, size_t n) \
	{                                                                          \
		const size_t i = compare_ahead(y, a, ARRAY(b), n, relation, ISK_ENUM_##T); \
		ISK_FN(kernel)(y + i, a + i, b + i, n - i);                            \
	}
#define COMPARE_ARRAYS(kernel, T, relation)                                    \
	COMPARE_AHEAD(kernel, T, relation)                                         \
	void ISK_FN(kernel)(uint8_t *y, const ISK_C_##T *a, const ISK_C_##T *b, size_t n) \
	{                                                                          \
		if (isk_is_large_zip(n, sizeof(*a)) && (isk_is_split(a) || isk_is_split(b))) \
			ahead_##kernel(y, a, b, n);                                        \
		else                                                                   \
			compare(y, a, ARRAY(b), n, relation, ISK_ENUM_##T);                \
	}
ISK_EACH_eq(COMPARE_ARRAYS, EQ)
ISK_EACH_ne(COMPARE_ARRAYS, NE)
ISK_EACH_lt(COMPARE_ARRAYS, LT)
ISK_EACH_le(COMPARE_ARRAYS, LE)

/* a > b is b < a, and a >= b is b <= a. */
#define COMPARE_TURNED(kernel, T, less)                                        \
	void ISK_FN(kernel)(uint8_t *y, const ISK_C_##T *a, const ISK_C_##T *b, size_t n) \
	{                                                                          \
		ISK_FN(less##_##T)(y, b, a, n);                                        \
	}
ISK_EACH_gt(COMPARE_TURNED, lt)
ISK_EACH_ge(COMPARE_TURNED, le)

#define COMPARE_TO(kernel, T, relation)                                        \
	void ISK_FN(kernel)(uint8_t *y, const ISK_C_##T *x, size_t n, ISK_SCALAR_##T alpha) \
	{                                                                          \
		compare(y, x, SCALAR(ALL_##T(alpha)), n, relation, ISK_ENUM_##T);      \
	}
ISK_EACH_eq_scalar(COMPARE_TO, EQ)
ISK_EACH_ne_scalar(COMPARE_TO, NE)
ISK_EACH_lt_scalar(COMPARE_TO, LT)
ISK_EACH_le_scalar(COMPARE_TO, LE)
ISK_EACH_gt_scalar(COMPARE_TO, GT)
ISK_EACH_ge_scalar(COMPARE_TO, GE)

#define ISNAN(kernel, T, ...)                                                  \
	void ISK_FN(kernel)(uint8_t *y, const ISK_C_##T *x, size_t n)              \
	{                                                                          \
		compare(y, x, ARRAY(x), n, NE, ISK_ENUM_##T);                          \
	}
ISK_EACH_isnan(ISNAN)

/* Compares |x| with infinity: keep clears the sign of x. */
ISK_INLINE void compare_to_infinity(uint8_t *y, const void *x, size_t n, const enum relation relation, const enum isk_type type)
{
	const vi ones = vi_set1(-1);
	struct other infinity = is_long(type) ? SCALAR(vd_set1(__builtin_inf())) : SCALAR(vf_set1(__builtin_inff()));

	infinity.keep.v[0] = infinity.keep.v[1] = is_long(type) ? (vi)vd_abs((vd)ones) : (vi)vf_abs((vf)ones);
	compare(y, x, infinity, n, relation, type);
}

#define CLASSIFY(kernel, T, relation)                                          \
	void ISK_FN(kernel)(uint8_t *y, const ISK_C_##T *x, size_t n)              \
	{                                                                          \
		compare_to_infinity(y, x, n, relation, ISK_ENUM_##T);                  \
	}
ISK_EACH_isinf(CLASSIFY, EQ)
ISK_EACH_isfinite(CLASSIFY, LT)
