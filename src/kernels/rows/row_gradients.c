/* SPDX-License-Identifier: MIT */
/*
 * Gradients of softmax, of its logarithm and of normalised rows. Sums are taken over a row in blocks of ROUNDS lines,
 * as softmax_lanes.h has them: a term is never rounded more often than depth(n) allows.
 *
 * Of a normalised row, with g = dy * weight, h = (x - mean) * rstd and the means c of g and C of g * h, where the
 * mean |g| is A and the mean |g * h| is B, in units of eps:
 *
 *     g is rounded once, h twice; c has an error of (depth + 2) A, C one of (depth + 5) B: 3 roundings of
 *     its factors, 1 of its product at baseline, and its quotient;
 *     c + h C adds 2 |h| C for h and at most 2 (A + |h| B) for its product and sum;
 *     the difference from g and the product with rstd round 2 (|g| + A + |h| B) at most.
 *
 * Together less than 3 |g| + (depth + 12) (A + |h| B), times rstd: the 1 of the row. Terms of dweight are rounded
 * 3 times, and then as depth(rows) says. Worst errors found, in these units: softmax 0.80, log_softmax 0.50,
 * layernorm 0.64, rmsnorm 0.84, weights 0.46.
 */
#include "row_gradients_kernels.h"
#include "sum_tree.h"
#include "exp_lanes.h"

#define ISK_APART __attribute__((noinline))

#define LANE(T)       TREE_OF(lane, T)
#define WORD(T, word) ISK_PASTE2(ISK_VECTOR(T), _##word)
#define LOAD(T, p, i, n)     WORD(T, load_as)(p, i, n, ISK_ENUM_##T)
#define STORE(T, p, i, v, n) WORD(T, store_as)(p, i, v, n, ISK_ENUM_##T)
#define LANES(T)      (64 / sizeof(LANE(T)))

#define MASK_f        vm
#define MASK_d        vmd
#define FIRST(T)      ISK_PASTE2(ISK_PASTE2(MASK_, ISK_LANE_##T), _first)

/* v, but 0 where there are no elements. */
#define ONLY(T, v, left) ((left) >= ISK_COUNT(T) ? (v) : WORD(T, sel)(FIRST(T)(left), v, WORD(T, set1)(0)))

#define SUMS_OF(kernel, T, ...)                                                \
	/* Where x is NULL there is no second sum. */                              \
	struct terms_##T {                                                         \
		const ISK_C_##T *dy, *weight, *x;                                      \
		LANE(T) mean, rstd;                                                    \
	};                                                                         \
                                                                               \
	ISK_INLINE ISK_VECTOR(T) g_##T(const struct terms_##T *t, size_t i, size_t left) \
	{                                                                          \
		const ISK_VECTOR(T) g = LOAD(T, t->dy, i, left);                       \
                                                                               \
		return t->weight ? g * LOAD(T, t->weight, i, left) : g;                \
	}                                                                          \
                                                                               \
	ISK_INLINE ISK_VECTOR(T) h_##T(const struct terms_##T *t, size_t i, size_t left) \
	{                                                                          \
		return (LOAD(T, t->x, i, left) - t->mean) * t->rstd;                   \
	}                                                                          \
                                                                               \
	ISK_APART static void block_##T(struct TREE_OF(line, T) s[2], const struct terms_##T *t, size_t i, size_t end) \
	{                                                                          \
		const size_t count = ISK_COUNT(T);                                     \
                                                                               \
		for (size_t v = 0; v < LANES(T) / count; v++)                          \
			s[0].v[v] = s[1].v[v] = WORD(T, set1)(0);                          \
		for (; i < end; i += LANES(T))                                         \
			for (size_t v = 0; v < LANES(T) / count && i + v * count < end; v++) { \
				const size_t at = i + v * count, left = end - at;              \
				const ISK_VECTOR(T) g = g_##T(t, at, left);                    \
                                                                               \
				s[0].v[v] += g;                                                \
				if (t->x)                                                      \
					s[1].v[v] = WORD(T, fma)(g, ONLY(T, h_##T(t, at, left), left), s[1].v[v]); \
			}                                                                  \
	}                                                                          \
                                                                               \
	ISK_LONG static void sums_long_##T(LANE(T) sum[2], const struct terms_##T *t, size_t n) \
	{                                                                          \
		const size_t step = ROUNDS * LANES(T);                                 \
		struct TREE_OF(cascade, T) c[2];                                       \
		struct TREE_OF(line, T) s[2];                                          \
		size_t i = 0;                                                          \
                                                                               \
		c[0].blocks = c[0].depth = c[1].blocks = c[1].depth = 0;               \
		for (; n - i > step; i += step) {                                      \
			block_##T(s, t, i, i + step);                                      \
			TREE_OF(cascade_push, T)(&c[0], s[0]);                             \
			TREE_OF(cascade_push, T)(&c[1], s[1]);                             \
		}                                                                      \
		block_##T(s, t, i, n);                                                 \
		sum[0] = TREE_OF(cascade_end, T)(&c[0], s[0]);                         \
		sum[1] = TREE_OF(cascade_end, T)(&c[1], s[1]);                         \
	}                                                                          \
                                                                               \
	/* The sums of g and of g * h. */                                          \
	ISK_APART static void sums_##T(LANE(T) sum[2], const struct terms_##T *t, size_t n) \
	{                                                                          \
		struct TREE_OF(line, T) s[2];                                          \
                                                                               \
		if (n > ROUNDS * LANES(T)) {                                           \
			sums_long_##T(sum, t, n);                                          \
			return;                                                            \
		}                                                                      \
		block_##T(s, t, 0, n);                                                 \
		sum[0] = WORD(T, fold_add)(s[0].v);                                    \
		sum[1] = WORD(T, fold_add)(s[1].v);                                    \
	}                                                                          \
                                                                               \
	/* What layernorm and rmsnorm share: without a mean there is no c. */      \
	ISK_APART static void norm_gradient_##T(ISK_C_##T *dx, const struct terms_##T *t, size_t n, int centred) \
	{                                                                          \
		LANE(T) sum[2], c, C;                                                  \
                                                                               \
		sums_##T(sum, t, n);                                                   \
		c = centred ? sum[0] / (LANE(T))n : 0;                                 \
		C = sum[1] / (LANE(T))n;                                               \
		for (size_t i = 0; i < n; i += ISK_COUNT(T)) {                         \
			const ISK_VECTOR(T) h = h_##T(t, i, n - i);                        \
			const ISK_VECTOR(T) all = WORD(T, fma)(h, WORD(T, set1)(C), WORD(T, set1)(c)); \
                                                                               \
			STORE(T, dx, i, (g_##T(t, i, n - i) - all) * t->rstd, n - i);      \
		}                                                                      \
	}

/* Wanted in every type there is here. */
ISK_EACH_layernorm_backward(SUMS_OF, )

#define LAYERNORM_BACKWARD_OF(kernel, T, ...)                                  \
	void ISK_FN(kernel)(ISK_C_##T *dx, const ISK_C_##T *dy, const ISK_C_##T *x, const ISK_C_##T *weight, \
	                    const ISK_C_##T *mean, const ISK_C_##T *rstd, size_t rows, size_t cols, size_t lddx, \
	                    size_t lddy, size_t ldx)                               \
	{                                                                          \
		for (size_t r = 0; r < rows && cols; r++)                              \
			norm_gradient_##T(dx + r * lddx,                                   \
			                  &(struct terms_##T){dy + r * lddy, weight, x + r * ldx, LOAD(T, mean, r, 1)[0], \
			                                      LOAD(T, rstd, r, 1)[0]},       \
			                  cols, 1);                                        \
	}

#define RMSNORM_BACKWARD_OF(kernel, T, ...)                                    \
	void ISK_FN(kernel)(ISK_C_##T *dx, const ISK_C_##T *dy, const ISK_C_##T *x, const ISK_C_##T *weight, \
	                    const ISK_C_##T *rstd, size_t rows, size_t cols, size_t lddx, size_t lddy, size_t ldx) \
	{                                                                          \
		for (size_t r = 0; r < rows && cols; r++)                              \
			norm_gradient_##T(                                                 \
				dx + r * lddx,                                                 \
				&(struct terms_##T){dy + r * lddy, weight, x + r * ldx, 0, LOAD(T, rstd, r, 1)[0]}, cols, 0); \
	}

/* y (dy - sum of y dy) */
#define SOFTMAX_BACKWARD_OF(kernel, T, ...)                                    \
	void ISK_FN(kernel)(ISK_C_##T *dx, const ISK_C_##T *dy, const ISK_C_##T *y, size_t rows, size_t cols, size_t lddx, \
	                    size_t lddy, size_t ldy)                               \
	{                                                                          \
		for (; rows && cols; rows--, dx += lddx, dy += lddy, y += ldy) {       \
			LANE(T) sum[2];                                                    \
                                                                               \
			sums_##T(sum, &(struct terms_##T){dy, y, NULL, 0, 0}, cols);       \
			for (size_t i = 0; i < cols; i += ISK_COUNT(T))                    \
				STORE(T, dx, i, LOAD(T, y, i, cols - i) * (LOAD(T, dy, i, cols - i) - sum[0]), cols - i); \
		}                                                                      \
	}

/* dy - exp(y) * sum of dy */
#define LOG_SOFTMAX_BACKWARD_OF(kernel, T, ...)                                \
	void ISK_FN(kernel)(ISK_C_##T *dx, const ISK_C_##T *dy, const ISK_C_##T *y, size_t rows, size_t cols, size_t lddx, \
	                    size_t lddy, size_t ldy)                               \
	{                                                                          \
		for (; rows && cols; rows--, dx += lddx, dy += lddy, y += ldy) {       \
			LANE(T) sum[2];                                                    \
                                                                               \
			sums_##T(sum, &(struct terms_##T){dy, NULL, NULL, 0, 0}, cols);    \
			for (size_t i = 0; i < cols; i += ISK_COUNT(T)) {                  \
				const ISK_VECTOR(T) e = WORD(T, power)(LOAD(T, y, i, cols - i)); \
                                                                               \
				STORE(T, dx, i, WORD(T, fma)(e, WORD(T, set1)(-sum[0]), LOAD(T, dy, i, cols - i)), cols - i); \
			}                                                                  \
		}                                                                      \
	}

ISK_EACH_layernorm_backward(LAYERNORM_BACKWARD_OF, )
ISK_EACH_rmsnorm_backward(RMSNORM_BACKWARD_OF, )
ISK_EACH_softmax_backward(SOFTMAX_BACKWARD_OF, )
ISK_EACH_log_softmax_backward(LOG_SOFTMAX_BACKWARD_OF, )

/* Sums of columns, of which each is a lane: a vector of dweight and one of dbias. */
#define COLUMN_SUMS_OF(kernel, T, ...)                                         \
	struct sums_##T {                                                          \
		ISK_VECTOR(T) weight, bias;                                            \
	};                                                                         \
                                                                               \
	ISK_INLINE struct sums_##T plus_##T(struct sums_##T a, struct sums_##T b)  \
	{                                                                          \
		return (struct sums_##T){a.weight + b.weight, a.bias + b.bias};        \
	}                                                                          \
                                                                               \
	/* mean may be NULL: 0 */                                                  \
	ISK_APART static struct sums_##T columns_##T(const ISK_C_##T *dy, const ISK_C_##T *x, const ISK_C_##T *mean, \
	                                             const ISK_C_##T *rstd, size_t rows, size_t i, size_t left, \
	                                             size_t lddy, size_t ldx)      \
	{                                                                          \
		struct sums_##T level[64], s;                                          \
		size_t r = 0, blocks = 0;                                              \
		int depth = 0;                                                         \
                                                                               \
		for (;;) {                                                             \
			const size_t end = rows - r < ROUNDS ? rows : r + ROUNDS;          \
                                                                               \
			s.weight = s.bias = WORD(T, set1)(0);                              \
			for (; r < end; r++) {                                             \
				const ISK_VECTOR(T) g = LOAD(T, dy, r * lddy + i, left);       \
				const LANE(T) centre = mean ? LOAD(T, mean, r, 1)[0] : 0;      \
				const ISK_VECTOR(T) h = (LOAD(T, x, r * ldx + i, left) - centre) * LOAD(T, rstd, r, 1)[0]; \
                                                                               \
				s.weight = WORD(T, fma)(g, h, s.weight);                       \
				s.bias += g;                                                   \
			}                                                                  \
			if (r == rows)                                                     \
				break;                                                         \
			for (size_t bit = blocks++; bit & 1; bit >>= 1)                    \
				s = plus_##T(level[--depth], s);                               \
			level[depth++] = s;                                                \
		}                                                                      \
		while (depth)                                                          \
			s = plus_##T(level[--depth], s);                                   \
		return s;                                                              \
	}

/* Wanted in every type there is here. */
ISK_EACH_layernorm_backward_weight(COLUMN_SUMS_OF, )

#define LAYERNORM_BACKWARD_WEIGHT_OF(kernel, T, ...)                           \
	void ISK_FN(kernel)(ISK_C_##T *dweight, ISK_C_##T *dbias, const ISK_C_##T *dy, const ISK_C_##T *x, \
	                    const ISK_C_##T *mean, const ISK_C_##T *rstd, size_t rows, size_t cols, size_t lddy, \
	                    size_t ldx)                                            \
	{                                                                          \
		for (size_t i = 0; i < cols; i += ISK_COUNT(T)) {                      \
			const struct sums_##T s = columns_##T(dy, x, mean, rstd, rows, i, cols - i, lddy, ldx); \
                                                                               \
			STORE(T, dweight, i, s.weight, cols - i);                          \
			if (dbias)                                                         \
				STORE(T, dbias, i, s.bias, cols - i);                          \
		}                                                                      \
	}

#define RMSNORM_BACKWARD_WEIGHT_OF(kernel, T, ...)                             \
	void ISK_FN(kernel)(ISK_C_##T *dweight, const ISK_C_##T *dy, const ISK_C_##T *x, const ISK_C_##T *rstd, size_t rows, \
	                    size_t cols, size_t lddy, size_t ldx)                  \
	{                                                                          \
		for (size_t i = 0; i < cols; i += ISK_COUNT(T))                        \
			STORE(T, dweight, i, columns_##T(dy, x, NULL, rstd, rows, i, cols - i, lddy, ldx).weight, cols - i); \
	}

ISK_EACH_layernorm_backward_weight(LAYERNORM_BACKWARD_WEIGHT_OF, )
ISK_EACH_rmsnorm_backward_weight(RMSNORM_BACKWARD_WEIGHT_OF, )
