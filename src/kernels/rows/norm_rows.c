/* SPDX-License-Identifier: MIT */
/*
 * Normalised rows: of types beside f32, after an addition, with their statistics, by groups of channels, and to
 * length 1. Sums and the order of roundings are those of norm.c, so that a kernel here has the bits of the plain
 * one on what it normalises; what is 16 bits wide is computed in f32 and rounded once. What is seldom called, or
 * shared, stands apart.
 *
 * Worst errors found, of the bounds: as in norm.c, and rstd 0.75; l2normalize 0.67 in few columns, with a
 * square, a root, a quotient and a product rounded.
 */
#include "norm_rows_kernels.h"
#include "sum_tree.h"

#define ISK_APART __attribute__((noinline))

#define LANE(T)       TREE_OF(lane, T)
#define WORD(T, word) ISK_PASTE2(ISK_VECTOR(T), _##word)

/* A sum over a row: SUM of x - 0, DEVIATION of (x - centre)^2. */
#define ROW_SUM_OF(T, term)                                                    \
	ISK_APART static void block_##term##_##T(struct TREE_OF(line, T) *s, const ISK_C_##T *x, size_t at, size_t n, \
	                                         LANE(T) centre)                   \
	{                                                                          \
		TREE_OF(reduce_block, T)(s, x, NULL, at, n, WORD(T, set1)(centre), term, ISK_ENUM_##T); \
	}                                                                          \
                                                                               \
	ISK_LONG static LANE(T) long_##term##_##T(const ISK_C_##T *x, size_t n, LANE(T) centre) \
	{                                                                          \
		const size_t step = TREE_OF(block_of, T)(term);                        \
		struct TREE_OF(cascade, T) c;                                          \
		struct TREE_OF(line, T) s;                                             \
		size_t at = 0;                                                         \
                                                                               \
		c.blocks = c.depth = 0;                                                \
		for (; n - at > step; at += step) {                                    \
			block_##term##_##T(&s, x, at, step, centre);                       \
			TREE_OF(cascade_push, T)(&c, s);                                   \
		}                                                                      \
		block_##term##_##T(&s, x, at, n - at, centre);                         \
		return TREE_OF(cascade_end, T)(&c, s);                                 \
	}                                                                          \
                                                                               \
	ISK_INLINE LANE(T) row_##term##_##T(const ISK_C_##T *x, size_t n, LANE(T) centre) \
	{                                                                          \
		struct TREE_OF(line, T) s;                                             \
                                                                               \
		if (n > TREE_OF(block_of, T)(term))                                    \
			return long_##term##_##T(x, n, centre);                            \
		block_##term##_##T(&s, x, 0, n, centre);                               \
		return WORD(T, fold_add)(s.v);                                         \
	}

/* What a row is normalised by. */
#define MOMENTS_OF(T)                                                          \
	struct moments_##T {                                                       \
		LANE(T) mean, scale;                                                   \
	};                                                                         \
                                                                               \
	static struct moments_##T moments_##T(const ISK_C_##T *x, size_t n, float epsilon, const int centred) \
	{                                                                          \
		const LANE(T) mean = centred ? row_SUM_##T(x, n, 0) / (LANE(T))n : 0;  \
                                                                               \
		return (struct moments_##T){                                           \
			mean, 1 / SQUARE_ROOT(row_DEVIATION_##T(x, n, mean) / (LANE(T))n + (LANE(T))epsilon)}; \
	}

/* y = (x - mean) * scale * weight + bias; a NULL weight or bias is left out. */
#define SCALE_ROW_OF(T)                                                        \
	ISK_APART static void scale_row_##T(ISK_C_##T *y, const ISK_C_##T *x, const ISK_C_##T *weight, \
	                                    const ISK_C_##T *bias, size_t n, struct moments_##T m) \
	{                                                                          \
		for (size_t i = 0; i < n; i += ISK_COUNT(T)) {                         \
			const size_t left = n - i;                                         \
			ISK_VECTOR(T) v = (WORD(T, load_as)(x, i, left, ISK_ENUM_##T) - m.mean) * m.scale; \
                                                                               \
			if (weight && bias)                                                \
				v = WORD(T, fma)(v, WORD(T, load_as)(weight, i, left, ISK_ENUM_##T), \
				                 WORD(T, load_as)(bias, i, left, ISK_ENUM_##T)); \
			else if (weight)                                                   \
				v *= WORD(T, load_as)(weight, i, left, ISK_ENUM_##T);          \
			else if (bias)                                                     \
				v += WORD(T, load_as)(bias, i, left, ISK_ENUM_##T);            \
			WORD(T, store_as)(y, i, v, left, ISK_ENUM_##T);                    \
		}                                                                      \
	}

#define SHARED_OF(kernel, T, ...)                                              \
	ROW_SUM_OF(T, SUM)                                                         \
	ROW_SUM_OF(T, DEVIATION)                                                   \
	MOMENTS_OF(T)                                                              \
	SCALE_ROW_OF(T)

/* Wanted in every type there is here. */
ISK_EACH_add_layernorm(SHARED_OF, )

#define NORM_OF(kernel, T, centred)                                            \
	void ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *x, const ISK_C_##T *weight, const ISK_C_##T *bias, size_t rows, \
	                    size_t cols, size_t ldy, size_t ldx, float epsilon)  \
	{                                                                          \
		for (; rows && cols; rows--, y += ldy, x += ldx)                       \
			scale_row_##T(y, x, weight, bias, cols, moments_##T(x, cols, epsilon, centred)); \
	}

ISK_EACH_layernorm(NORM_OF, 1)
ISK_EACH_rmsnorm(NORM_OF, 0)

#define ADD_NORM_OF(kernel, T, centred)                                        \
	void ISK_FN(kernel)(ISK_C_##T *sum, ISK_C_##T *y, const ISK_C_##T *residual, const ISK_C_##T *x, \
	                    const ISK_C_##T *weight, const ISK_C_##T *bias, size_t rows, size_t cols, size_t lds, \
	                    size_t ldy, size_t ldr, size_t ldx, float epsilon)   \
	{                                                                          \
		for (; rows && cols; rows--, sum += lds, y += ldy, residual += ldr, x += ldx) { \
			for (size_t i = 0; i < cols; i += ISK_COUNT(T))                    \
				WORD(T, store_as)(sum, i,                                      \
				                  WORD(T, load_as)(residual, i, cols - i, ISK_ENUM_##T) \
				                      + WORD(T, load_as)(x, i, cols - i, ISK_ENUM_##T), \
				                  cols - i, ISK_ENUM_##T);                     \
			scale_row_##T(y, sum, weight, bias, cols, moments_##T(sum, cols, epsilon, centred)); \
		}                                                                      \
	}

ISK_EACH_add_layernorm(ADD_NORM_OF, 1)
ISK_EACH_add_rmsnorm(ADD_NORM_OF, 0)

#define LAYERNORM_STATS_OF(kernel, T, ...)                                     \
	void ISK_FN(kernel)(ISK_C_##T *y, ISK_C_##T *mean, ISK_C_##T *rstd, const ISK_C_##T *x, const ISK_C_##T *weight, \
	                    const ISK_C_##T *bias, size_t rows, size_t cols, size_t ldy, size_t ldx, float epsilon) \
	{                                                                          \
		for (size_t r = 0; r < rows; r++, y += ldy, x += ldx) {                \
			const struct moments_##T m = moments_##T(x, cols, epsilon, 1);     \
                                                                               \
			scale_row_##T(y, x, weight, bias, cols, m);                        \
			if (mean)                                                          \
				PUT_OF(T, mean, r, m.mean);                                    \
			if (rstd)                                                          \
				PUT_OF(T, rstd, r, m.scale);                                   \
		}                                                                      \
	}

ISK_EACH_layernorm_stats(LAYERNORM_STATS_OF, )

#define RMSNORM_STATS_OF(kernel, T, ...)                                       \
	void ISK_FN(kernel)(ISK_C_##T *y, ISK_C_##T *rstd, const ISK_C_##T *x, const ISK_C_##T *weight, size_t rows, \
	                    size_t cols, size_t ldy, size_t ldx, float epsilon)  \
	{                                                                          \
		for (size_t r = 0; r < rows; r++, y += ldy, x += ldx) {                \
			const struct moments_##T m = moments_##T(x, cols, epsilon, 0);     \
                                                                               \
			scale_row_##T(y, x, weight, NULL, cols, m);                        \
			if (rstd)                                                          \
				PUT_OF(T, rstd, r, m.scale);                                   \
		}                                                                      \
	}

ISK_EACH_rmsnorm_stats(RMSNORM_STATS_OF, )

/* A number that a channel has, 1 or 0 where it has none. */
#define OF_CHANNEL(T, p, c, none) ((p) ? WORD(T, load_as)(p, c, 1, ISK_ENUM_##T)[0] : (LANE(T))(none))

#define GROUPNORM_OF(kernel, T, ...)                                           \
	void ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *x, const ISK_C_##T *weight, const ISK_C_##T *bias, size_t images, \
	                    size_t groups, size_t channels, size_t pixels, float epsilon) \
	{                                                                          \
		const size_t all = channels * pixels;                                  \
                                                                               \
		for (size_t i = 0; i < images && groups && all; i++)                   \
			for (size_t g = 0; g < groups; g++, x += all, y += all) {          \
				const struct moments_##T m = moments_##T(x, all, epsilon, 1);  \
                                                                               \
				for (size_t c = 0; c < channels; c++) {                        \
					const LANE(T) w = OF_CHANNEL(T, weight, g * channels + c, 1); \
					const LANE(T) b = OF_CHANNEL(T, bias, g * channels + c, 0); \
					const ISK_C_##T *from = x + c * pixels;                    \
					ISK_C_##T *to = y + c * pixels;                            \
                                                                               \
					for (size_t p = 0; p < pixels; p += ISK_COUNT(T))          \
						WORD(T, store_as)(                                     \
							to, p,                                             \
							WORD(T, fma)((WORD(T, load_as)(from, p, pixels - p, ISK_ENUM_##T) - m.mean) * m.scale, \
						                 WORD(T, set1)(w), WORD(T, set1)(b)),  \
							pixels - p, ISK_ENUM_##T);                         \
				}                                                              \
			}                                                                  \
	}

ISK_EACH_groupnorm(GROUPNORM_OF, )

/* Below this a sum of squares lacks those that vanished. */
#define LEAST_SQUARES(T) (sizeof(LANE(T)) == 4 ? (LANE(T))0x1p-80 : (LANE(T))0x1p-900)

/*
 * The sum of the squares where they leave the range of the lanes: y = x over the power of two below the largest of
 * them, in two steps as its reciprocal may not be a number, and the sum of the squares of y.
 */
#define SQUARES_SCALED_OF(T)                                                   \
	ISK_APART static LANE(T) squares_scaled_##T(ISK_C_##T *y, const ISK_C_##T *x, size_t n) \
	{                                                                          \
		double most = 0;                                                       \
		union {                                                                \
			double power;                                                      \
			int64_t bits;                                                      \
		} low = {0}, high = {0};                                               \
		int64_t exponent;                                                      \
                                                                               \
		for (size_t i = 0; i < n; i++) {                                       \
			const double v = (double)WORD(T, load_as)(x, i, 1, ISK_ENUM_##T)[0]; \
                                                                               \
			most = v > most ? v : -v > most ? -v : most;                       \
		}                                                                      \
		low.power = most;                                                      \
		exponent = (low.bits >> 52) - 1023;                                    \
		low.bits = (1023 - exponent / 2) << 52;                                \
		high.bits = (1023 - (exponent - exponent / 2)) << 52;                  \
		for (size_t i = 0; i < n; i++) {                                       \
			const double v = (double)WORD(T, load_as)(x, i, 1, ISK_ENUM_##T)[0]; \
                                                                               \
			WORD(T, store_as)(y, i, WORD(T, set1)((LANE(T))(v * low.power * high.power)), 1, ISK_ENUM_##T); \
		}                                                                      \
		return row_DEVIATION_##T(y, n, 0);                                     \
	}

#define L2NORMALIZE_OF(kernel, T, ...)                                         \
	SQUARES_SCALED_OF(T)                                                       \
	void ISK_FN(kernel)(ISK_C_##T *y, const ISK_C_##T *x, size_t rows, size_t cols, size_t ldy, size_t ldx) \
	{                                                                          \
		const LANE(T) infinite = (LANE(T))__builtin_inff();                    \
                                                                               \
		for (; rows && cols; rows--, y += ldy, x += ldx) {                     \
			LANE(T) squares = row_DEVIATION_##T(x, cols, 0);                   \
			const ISK_C_##T *from = x;                                         \
                                                                               \
			if (squares < LEAST_SQUARES(T) || squares == infinite) {           \
				squares = squares_scaled_##T(y, x, cols);                      \
				from = y;                                                      \
			}                                                                  \
			scale_row_##T(y, from, NULL, NULL, cols,                           \
			              (struct moments_##T){0, squares == 0 ? 1 : 1 / SQUARE_ROOT(squares)}); \
		}                                                                      \
	}

ISK_EACH_l2normalize(L2NORMALIZE_OF, )
