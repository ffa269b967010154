/* SPDX-License-Identifier: MIT */
/*
 * Embedding bags: all sums of a block of columns stay in registers while the rows of a bag
 * are added, and later rows are prefetched. Worst error found: 0.66 of the error that the
 * contract allows for a bound of 1.
 */
#include "bag_kernels.h"
#include "bag_ends.h"
#include "loops.h"

/*
 * MOST: the largest number of vectors of columns that are summed at once. AHEAD: the distance in rows of the prefetch. FAR:
 * the size in bytes of the largest table without prefetches, since it is likely in a cache.
 */
#define MOST  8
#define AHEAD 16
#define FAR   ((size_t)1 << 20)

enum what { SUM, MEAN, MAXIMUM };

struct table {
	const void *x, *index;
	const int64_t *ends;
	const float *weight, *scale, *bias; /* each may be NULL */
	size_t rows, bags, count, cols, ldy, ldx;
	enum isk_type index_type;
	enum what what;
};

ISK_INLINE size_t row_of(const struct table *t, size_t k)
{
	return t->index_type == ISK_S32 ? (size_t)((const int32_t *)t->index)[k] : (size_t)((const int64_t *)t->index)[k];
}

/* Computes columns from c on of the bag of index[k] to index[end - 1]: `vectors` vectors, the last one of `tail` columns. */
ISK_INLINE void bag(void *y, size_t at, const struct table *t, size_t k, size_t end, size_t c, const size_t vectors,
                    size_t tail, const int maximum, const enum isk_type from, const enum isk_type to)
{
	static const float one = 1;
	const float n = (float)(end - k), *weights = t->weight ? t->weight : &one;
	const int empty = k == end, whole = !isk_element_is_float(from);
	const size_t step = isk_bytes_of(from, t->ldx);
	const int is_far = t->rows * step > FAR;
	const char *x = (const char *)t->x + isk_bytes_of(from, c);
	vf s[MOST];

#pragma GCC unroll 8
	for (size_t v = 0; v < vectors; v++)
		s[v] = vf_set1(maximum && !empty ? -__builtin_inff() : 0);
	for (; k < end; k++) {
		const size_t row = row_of(t, k);
		const vf weight = vf_set1(weights[t->weight ? k : 0]);
		const vf scale = vf_set1(whole ? t->scale[row] : 1);
		const vf bias = vf_set1(whole && t->bias ? t->bias[row] : 0);

		if (is_far && k + AHEAD < t->count) {
			const char *later = x + row_of(t, k + AHEAD) * step;

			for (size_t ahead = 0; ahead < vectors * VL; ahead += VL)
				__builtin_prefetch(later + isk_bytes_of(from, ahead));
		}
#pragma GCC unroll 8
		for (size_t v = 0; v < vectors; v++) {
			vf e = vf_load_as(x + row * step, v * VL, v + 1 < vectors ? VL : tail, from);

			if (whole)
				e = vf_fma(e, scale, bias);
			s[v] = maximum ? vf_sel(vm_or(vf_gt(e, s[v]), vf_isnan(e)), e, s[v]) : vf_fma(weight, e, s[v]);
		}
	}
	if (t->what == MEAN && !empty)
#pragma GCC unroll 8
		for (size_t v = 0; v < vectors; v++)
			s[v] /= n;
#pragma GCC unroll 8
	for (size_t v = 0; v < vectors; v++)
		vf_store_as(y, at + v * VL, s[v], v + 1 < vectors ? VL : tail, to);
}

ISK_INLINE int bags(void *y, const struct table *t, const int maximum, const enum isk_type from, const enum isk_type to)
{
	size_t k = 0;

	if (!t->bags || !t->cols)
		return ISK_OK;
	if (!is_in_range(t->index, t->ends, t->rows, t->bags, t->count, t->index_type))
		return ISK_ERR_INDEX;
	for (size_t b = 0; b < t->bags; b++) {
		const size_t end = t->ends ? (size_t)t->ends[b] : k + t->count / t->bags, at = b * t->ldy;
		size_t c = 0;

		for (; t->cols - c >= MOST * VL; c += MOST * VL)
			bag(y, at + c, t, k, end, c, MOST, VL, maximum, from, to);
		for (; t->cols - c > 3 * VL; c += t->cols - c < 4 * VL ? t->cols - c : 4 * VL)
			bag(y, at + c, t, k, end, c, 4, t->cols - c < 4 * VL ? t->cols - c - 3 * VL : VL, maximum, from, to);
		for (; c < t->cols; c += t->cols - c < VL ? t->cols - c : VL)
			bag(y, at + c, t, k, end, c, 1, t->cols - c < VL ? t->cols - c : VL, maximum, from, to);
		k = end;
	}
	return ISK_OK;
}

/* One function for each pair of types, which serves all types of indices, and sums and means. */
#define ISK_BAGS(name, maximum, from, to)                                      \
	static __attribute__((noinline)) int name##_##from##_##to(void *y, const struct table *t) \
	{                                                                          \
		return bags(y, t, maximum, ISK_ENUM_##from, ISK_ENUM_##to);            \
	}
ISK_BAGS(bags, 0, f32, f32)
ISK_BAGS(bags, 0, bf16, f32)
ISK_BAGS(bags, 0, bf16, bf16)
ISK_BAGS(bags, 0, f16, f32)
ISK_BAGS(bags, 0, s8, f32)
ISK_BAGS(bags, 0, s4, f32)
ISK_BAGS(maxima, 1, f32, f32)
ISK_BAGS(maxima, 1, bf16, bf16)
ISK_BAGS(maxima, 1, f16, f16)
ISK_BAGS(maxima, 1, s8, f32)
ISK_BAGS(maxima, 1, s4, f32)

#define ISK_BAG(kernel, F, T, I, what)                                         \
	int ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##F *x, const ISK_C_##I *index, const int64_t *ends, \
	                   const float *weight, size_t rows, size_t bag_count, size_t count, size_t cols, size_t ldy, \
	                   size_t ldx)                                             \
	{                                                                          \
		return bags_##F##_##T(y, &(struct table){x, index, ends, weight, NULL, NULL, rows, bag_count, count, cols, ldy, \
		                                         ldx, ISK_ENUM_##I, what});    \
	}
ISK_EACH_bag_sum(ISK_BAG, SUM)
ISK_EACH_bag_mean(ISK_BAG, MEAN)

#define ISK_MAXIMA(kernel, F, T, I, what)                                      \
	int ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##F *x, const ISK_C_##I *index, const int64_t *ends, size_t rows, \
	                   size_t bag_count, size_t count, size_t cols, size_t ldy, size_t ldx) \
	{                                                                          \
		return maxima_##F##_##T(y, &(struct table){x, index, ends, NULL, NULL, NULL, rows, bag_count, count, cols, ldy, \
		                                          ldx, ISK_ENUM_##I, what});   \
	}
ISK_EACH_bag_max(ISK_MAXIMA, MAXIMUM)

#define ISK_SCALED(kernel, F, T, I, what)                                      \
	int ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##F *x, const float *scale, const float *bias, const ISK_C_##I *index, \
	                   const int64_t *ends, const float *weight, size_t rows, size_t bag_count, size_t count, \
	                   size_t cols, size_t ldy, size_t ldx)                    \
	{                                                                          \
		return bags_##F##_##T(y, &(struct table){x, index, ends, weight, scale, bias, rows, bag_count, count, cols, ldy, \
		                                         ldx, ISK_ENUM_##I, what});    \
	}
ISK_EACH_bag_scaled(ISK_SCALED, SUM)
ISK_EACH_bag_scaled_mean(ISK_SCALED, MEAN)

#define ISK_SCALED_MAXIMA(kernel, F, T, I, what)                               \
	int ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##F *x, const float *scale, const float *bias, const ISK_C_##I *index, \
	                   const int64_t *ends, size_t rows, size_t bag_count, size_t count, size_t cols, size_t ldy, \
	                   size_t ldx)                                             \
	{                                                                          \
		return maxima_##F##_##T(y, &(struct table){x, index, ends, NULL, scale, bias, rows, bag_count, count, cols, ldy, \
		                                          ldx, ISK_ENUM_##I, what});   \
	}
ISK_EACH_bag_scaled_max(ISK_SCALED_MAXIMA, MAXIMUM)
