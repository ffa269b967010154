/* SPDX-License-Identifier: MIT */
/*
 * Softmax of rows of any type, with a mask, its logarithm, and cross-entropy: all of them want the maximum of a
 * row and the sum of exp(x - max), which softmax_lanes.h gives. f32 without a mask has a file of its own.
 *
 * Errors are as softmax.c has them. A mask adds the rounding of scale * x + mask, and without fma another of
 * scale * x, of its element and of those it is compared with; the logarithm adds two roundings of less than |y|
 * and that of log(sum). Worst found, of the bounds' units: softmax 0.97 (f64, three columns), masked 0.96, at
 * baseline 1.3, log_softmax 0.95, cross_entropy 0.95 and its gradient 0.90.
 */
#include "softmax_rows_kernels.h"
#include "sum_tree.h"
#include "exp_lanes.h"
#include "indices.h"
#include "logarithm.h"

#define ISK_APART __attribute__((noinline))

#define TREE      vf
#define TREE_MASK vm
#define TREE_TYPE ISK_F32
#include "softmax_lanes.h"

#define TREE      vd
#define TREE_MASK vmd
#define TREE_TYPE ISK_F64
#include "softmax_lanes.h"

#define LANE(T)       TREE_OF(lane, T)
#define WORD(T, word) ISK_PASTE2(ISK_VECTOR(T), _##word)
#define IS_SHORT(n, T) ((n) <= TREE_OF(block_at, T)(0, (n)))

/* No element is hot. */
#define NONE SIZE_MAX

/*
 * The softmax of a row, less 1 where hot, times a number: what is in lanes already keeps its exponentials in y.
 * And log(sum) of a row, with its maximum; NaN where the sum is.
 */
#define ROW_OF(kernel, T, ...)                                                 \
	ISK_APART static void load_##T(struct TREE_OF(buffer, T) *b, const struct TREE_OF(row, T) *row, size_t i) \
	{                                                                          \
		TREE_OF(load_block, T)(b, row, i, ISK_ENUM_##T);                       \
	}                                                                          \
                                                                               \
	ISK_APART static void row_##T(ISK_C_##T *y, const struct TREE_OF(row, T) *row, size_t hot, LANE(T) times) \
	{                                                                          \
		LANE(T) *const kept = sizeof(*y) == sizeof(times) ? (void *)y : NULL;  \
		const int is_short = IS_SHORT(row->n, T);                              \
		struct TREE_OF(buffer, T) b;                                           \
		size_t n;                                                              \
                                                                               \
		if (is_short)                                                          \
			TREE_OF(spread_short, T)(&b, row, load_##T);                       \
		else                                                                   \
			TREE_OF(spread_long, T)(&b, row, kept, load_##T);                  \
		for (size_t i = 0; i < row->n; i += n) {                               \
			n = TREE_OF(block_at, T)(i, row->n);                               \
			TREE_OF(write_block, T)(y, is_short ? b.e : TREE_OF(again, T)(&b, row, kept, i, load_##T), b.sum, i, n, hot, \
			                        times, ISK_ENUM_##T);                      \
		}                                                                      \
	}                                                                          \
                                                                               \
	ISK_APART static LANE(T) log_sum_##T(LANE(T) *max, const ISK_C_##T *x, size_t n) \
	{                                                                          \
		const struct TREE_OF(row, T) row = {x, NULL, n, 1, 0};                 \
		struct TREE_OF(buffer, T) b;                                           \
                                                                               \
		if (IS_SHORT(n, T))                                                    \
			TREE_OF(spread_short, T)(&b, &row, load_##T);                      \
		else                                                                   \
			TREE_OF(spread_long, T)(&b, &row, NULL, load_##T);                 \
		*max = b.max;                                                          \
		return b.sum == b.sum ? (LANE(T))ln_of_one((double)b.sum) : b.sum;         \
	}

/* Wanted in every type there is here. */
ISK_EACH_log_softmax(ROW_OF, )

#define SOFTMAX_OF(kernel, T, ...)                                             \
	void ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *x, size_t rows, size_t cols, size_t ldy, size_t ldx) \
	{                                                                          \
		for (; rows && cols; rows--, y += ldy, x += ldx)                       \
			row_##T(y, &(struct TREE_OF(row, T)){x, NULL, cols, 1, 0}, NONE, 1); \
	}

/* How many columns row r sees. */
ISK_INLINE size_t seen(size_t r, int64_t ahead, size_t cols)
{
	const uint64_t last = r + (uint64_t)ahead;

	return ahead < 0 && r < -(uint64_t)ahead ? 0 : last < cols ? last + 1 : cols;
}

#define SOFTMAX_MASKED_OF(kernel, T, ...)                                      \
	void ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *x, const ISK_C_##T *mask, size_t rows, size_t cols, \
	                    size_t ldy, size_t ldx, size_t ldm, LANE(T) scale, int64_t ahead) \
	{                                                                          \
		for (size_t r = 0; r < rows && cols; r++, y += ldy, x += ldx) {        \
			const ISK_C_##T *masks = mask ? mask + r * ldm : NULL;             \
			const size_t n = seen(r, ahead, cols);                             \
                                                                               \
			if (n)                                                             \
				row_##T(y, &(struct TREE_OF(row, T)){x, masks, n, scale, 1}, NONE, 1); \
			for (size_t i = n; i < cols; i += ISK_COUNT(T))                    \
				WORD(T, store_as)(y, i, (ISK_VECTOR(T)){0}, cols - i, ISK_ENUM_##T); \
		}                                                                      \
	}

#define LOG_SOFTMAX_OF(kernel, T, ...)                                         \
	void ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *x, size_t rows, size_t cols, size_t ldy, size_t ldx) \
	{                                                                          \
		for (; rows && cols; rows--, y += ldy, x += ldx) {                     \
			LANE(T) max;                                                       \
			const LANE(T) log_sum = log_sum_##T(&max, x, cols);                \
                                                                               \
			for (size_t i = 0; i < cols; i += ISK_COUNT(T)) {                  \
				const ISK_VECTOR(T) v = WORD(T, load_as)(x, i, cols - i, ISK_ENUM_##T); \
                                                                               \
				WORD(T, store_as)(y, i, v - max - log_sum, cols - i, ISK_ENUM_##T); \
			}                                                                  \
		}                                                                      \
	}

#define CROSS_ENTROPY_OF(kernel, T, ...)                                       \
	int ISK_FN(kernel)(ISK_C_##T *loss, const ISK_C_##T *x, const int64_t *labels, size_t rows, size_t cols, \
	                   size_t ldx)                                             \
	{                                                                          \
		if (!indices_below(labels, rows, cols, ISK_S64))                       \
			return ISK_ERR_INDEX;                                              \
		for (size_t r = 0; r < rows; r++, x += ldx) {                          \
			LANE(T) max;                                                       \
			const LANE(T) log_sum = log_sum_##T(&max, x, cols);                \
			const ISK_VECTOR(T) at = WORD(T, load_as)(x, (size_t)labels[r], 1, ISK_ENUM_##T); \
                                                                               \
			WORD(T, store_as)(loss, r, log_sum - (at - max), 1, ISK_ENUM_##T); \
		}                                                                      \
		return ISK_OK;                                                         \
	}

#define CROSS_ENTROPY_BACKWARD_OF(kernel, T, ...)                              \
	int ISK_FN(kernel)(ISK_C_##T *dx, const ISK_C_##T *x, const ISK_C_##T *dloss, const int64_t *labels, size_t rows, \
	                   size_t cols, size_t lddx, size_t ldx)                   \
	{                                                                          \
		if (cols && !indices_below(labels, rows, cols, ISK_S64))               \
			return ISK_ERR_INDEX;                                              \
		for (size_t r = 0; r < rows && cols; r++, dx += lddx, x += ldx)        \
			row_##T(dx, &(struct TREE_OF(row, T)){x, NULL, cols, 1, 0}, (size_t)labels[r], \
			        WORD(T, load_as)(dloss, r, 1, ISK_ENUM_##T)[0]);           \
		return ISK_OK;                                                         \
	}

ISK_EACH_softmax(SOFTMAX_OF, )
ISK_EACH_softmax_masked(SOFTMAX_MASKED_OF, )
ISK_EACH_log_softmax(LOG_SOFTMAX_OF, )
ISK_EACH_cross_entropy(CROSS_ENTROPY_OF, )
ISK_EACH_cross_entropy_backward(CROSS_ENTROPY_BACKWARD_OF, )
