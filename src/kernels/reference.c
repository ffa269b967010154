/* SPDX-License-Identifier: MIT */
/*
 * The plain scalar form of every kernel: its oracle, rounded once. Compiled
 * twice: as isk_<kernel>__ref for isk_reference(), and under the public names
 * for libisakern-ref.so. A kernel of a known shape gets its reference by itself.
 */
#include <errno.h>

#include "oracle.h"
#include "packed.h"

/* libm sets errno, which no kernel does. */
static inline void restore(const int *kept)
{
	errno = *kept;
}

/* Elements of so many bits, of whatever type they are. */
#define ISK_ANY(T) ISK_C_##T __attribute__((may_alias))

#define KEEP_ERRNO const int kept __attribute__((cleanup(restore), unused)) = errno

#ifdef ISK_REFERENCE_PUBLIC
#define REF(k) __attribute__((visibility("default"))) isk_##k
#else
#define REF(k) isk_##k##__ref
#define X(k, ...) extern __typeof(isk_##k) REF(k);
ISK_KERNELS(X)
#undef X
#endif

#define X(k, T)                                                                \
	void REF(k)(ISK_C_##T * y, const ISK_C_##T *x, size_t n)                   \
	{                                                                          \
		KEEP_ERRNO;                                                            \
                                                                               \
		for (size_t i = 0; i < n; i++)                                         \
			y[i] = (ISK_C_##T)isk_oracle_##k((double)x[i]);                    \
	}
ISK_KERNELS_map(X)
#undef X

#define X(k, T)                                                                \
	void REF(k)(ISK_C_##T * y, const ISK_C_##T *a, const ISK_C_##T *b, size_t n) \
	{                                                                          \
		KEEP_ERRNO;                                                            \
                                                                               \
		for (size_t i = 0; i < n; i++)                                         \
			y[i] = (ISK_C_##T)isk_oracle_##k((double)a[i], (double)b[i]);      \
	}
ISK_KERNELS_zip(X)
#undef X

#define X(k, F, T)                                                             \
	void REF(k)(ISK_C_##T * y, const ISK_C_##F *x, size_t n)                   \
	{                                                                          \
		KEEP_ERRNO;                                                            \
                                                                               \
		for (size_t i = 0; i < n; i++)                                         \
			y[i] = isk_oracle_##k(x[i]);                                       \
	}
ISK_KERNELS_cvt(X)
#undef X

#define X(k, F, T)                                                             \
	void REF(k)(ISK_C_##T * y, const ISK_C_##F *x, size_t n, float scale, int32_t zero) \
	{                                                                          \
		KEEP_ERRNO;                                                            \
                                                                               \
		for (size_t i = 0; i < n; i++)                                         \
			y[i] = isk_oracle_##k(x[i], scale, zero);                          \
	}
ISK_KERNELS_quantize(X)
ISK_KERNELS_dequantize(X)
#undef X

#define X(k, T)                                                                \
	ISK_C_##T REF(k)(const ISK_C_##T *x, size_t n)                             \
	{                                                                          \
		KEEP_ERRNO;                                                            \
		double scale;                                                          \
                                                                               \
		return (ISK_C_##T)isk_oracle_##k(x, n, &scale);                        \
	}
ISK_KERNELS_reduce(X)
#undef X

#define X(k, T)                                                                \
	ISK_C_##T REF(k)(const ISK_C_##T *a, const ISK_C_##T *b, size_t n)         \
	{                                                                          \
		KEEP_ERRNO;                                                            \
		double scale;                                                          \
                                                                               \
		return (ISK_C_##T)isk_oracle_##k(a, b, n, &scale);                     \
	}
ISK_KERNELS_reduce2(X)
#undef X

#define X(k, T)                                                                \
	size_t REF(k)(const ISK_C_##T *x, size_t n)                                \
	{                                                                          \
		return isk_oracle_##k(x, n);                                           \
	}
ISK_KERNELS_index(X)
#undef X

#define X(k, T)                                                                \
	void REF(k)(ISK_C_##T * y, const ISK_C_##T *x, size_t rows, size_t cols, size_t ldy, \
	            size_t ldx)                                                    \
	{                                                                          \
		KEEP_ERRNO;                                                            \
		double scale;                                                          \
                                                                               \
		for (size_t r = 0; r < rows; r++) {                                    \
			const struct isk_row_stats row = isk_oracle_row_##k(x + r * ldx, cols); \
                                                                               \
			for (size_t i = 0; i < cols; i++)                                  \
				y[r * ldy + i] =                                               \
				    (ISK_C_##T)isk_oracle_##k(&row, (double)x[r * ldx + i], &scale); \
		}                                                                      \
	}
ISK_KERNELS_softmax(X)
#undef X

#define X(k, T)                                                                \
	void REF(k)(ISK_C_##T * y, const ISK_C_##T *x, const ISK_C_##T *weight,    \
	            const ISK_C_##T *bias, size_t rows, size_t cols, size_t ldy, size_t ldx, \
	            float epsilon)                                                 \
	{                                                                          \
		KEEP_ERRNO;                                                            \
		double scale;                                                          \
                                                                               \
		for (size_t r = 0; r < rows; r++) {                                    \
			const struct isk_row_stats row =                                   \
			    isk_oracle_row_##k(x + r * ldx, cols, (double)epsilon);        \
                                                                               \
			for (size_t i = 0; i < cols; i++)                                  \
				y[r * ldy + i] = (ISK_C_##T)isk_oracle_##k(                    \
				    &row, (double)x[r * ldx + i], weight ? (double)weight[i] : 1, \
				    bias ? (double)bias[i] : 0, &scale);                       \
		}                                                                      \
	}
ISK_KERNELS_norm(X)
#undef X

#define X(k, T)                                                                \
	void REF(k)(ISK_C_##T * y, const ISK_C_##T *x, size_t rows, size_t cols, size_t ldx) \
	{                                                                          \
		KEEP_ERRNO;                                                            \
		double scale;                                                          \
                                                                               \
		for (size_t i = 0; i < cols; i++)                                      \
			y[i] = (ISK_C_##T)isk_oracle_##k(x + i, rows, ldx, &scale);        \
	}
ISK_KERNELS_pool(X)
#undef X

#define X(k, T)                                                                \
	int REF(k)(void *packed, const ISK_C_##T *b, size_t bytes, size_t depth, size_t n, \
	           size_t ldb, int transposed)                                     \
	{                                                                          \
		return isk_oracle_##k(packed, b, bytes, depth, n, ldb, transposed);    \
	}
ISK_KERNELS_pack(X)
#undef X

#define X(k, A, B, C)                                                          \
	int REF(k)(ISK_C_##C * c, const ISK_C_##A *a, const void *packed, size_t m, size_t n, size_t depth, \
	           size_t ldc, size_t lda, const struct isk_post *post)            \
	{                                                                          \
		KEEP_ERRNO;                                                            \
		const int status = isk_oracle_check_##k(c, a, packed, m, n, depth, ldc, lda, post); \
		size_t first;                                                          \
		double scale;                                                          \
                                                                               \
		if (status)                                                            \
			return status;                                                     \
		first = post ? post->first_column : 0;                                 \
		for (size_t j = 0; m && j < n; j++) {                                  \
			const struct isk_column b = isk_oracle_packed_column(packed, first + j); \
                                                                               \
			for (size_t i = 0; i < m; i++)                                     \
				c[i * ldc + j] = isk_oracle_round_##C(                         \
				    isk_oracle_##k(a + i * lda, &b, depth, i, j, post, &scale), post); \
		}                                                                      \
		return ISK_OK;                                                         \
	}
ISK_KERNELS_gemm(X)
#undef X

#define X(k, T)                                                                \
	void REF(k)(void *y, const void *x, size_t rows, size_t cols, size_t ldy, size_t ldx) \
	{                                                                          \
		ISK_ANY(T) *to = y;                                                    \
		const ISK_ANY(T) *from = x;                                            \
                                                                               \
		for (size_t j = 0; rows && j < cols; j++)                              \
			for (size_t i = 0; i < rows; i++)                                  \
				to[j * ldy + i] = from[isk_oracle_##k(j, i, ldx)];             \
	}
ISK_KERNELS_transpose(X)
#undef X

#define X(k, T)                                                                \
	void REF(k)(void *y, const void *x, size_t images, size_t channels, size_t pixels) \
	{                                                                          \
		const size_t each = channels * pixels;                                 \
		ISK_ANY(T) *to = y;                                                    \
		const ISK_ANY(T) *from = x;                                            \
                                                                               \
		for (size_t n = 0; n < images && each; n++, to += each, from += each)  \
			for (size_t i = 0; i < each; i++)                                  \
				to[i] = from[isk_oracle_##k(i, channels, pixels)];             \
	}
ISK_KERNELS_images(X)
#undef X

#define TRANSPOSED_A (transposed & ISK_TRANSPOSED_A)
#define TRANSPOSED_B (transposed & ISK_TRANSPOSED_B)

/* One product, for either shape. */
#define MATMUL(k, T, c, a, b, post)                                            \
	for (size_t i = 0; n && i < m; i++)                                        \
		for (size_t j = 0; j < n; j++) {                                       \
			double scale;                                                      \
                                                                               \
			(c)[i * ldc + j] = (ISK_C_##T)isk_oracle_##k(                      \
			    (a) + i * (TRANSPOSED_A ? 1 : lda), TRANSPOSED_A ? lda : 1,    \
			    (b) + j * (TRANSPOSED_B ? ldb : 1), TRANSPOSED_B ? 1 : ldb, depth, i, j, post, &scale); \
		}

#define X(k, T)                                                                \
	int REF(k)(ISK_C_##T * c, const ISK_C_##T *a, const ISK_C_##T *b, size_t m, size_t n, size_t depth, \
	           size_t ldc, size_t lda, size_t ldb, unsigned transposed, const struct isk_post *post) \
	{                                                                          \
		KEEP_ERRNO;                                                            \
		const int status =                                                     \
		    isk_oracle_check_##k(c, a, b, m, n, depth, ldc, lda, ldb, transposed, post); \
                                                                               \
		if (status)                                                            \
			return status;                                                     \
		MATMUL(k, T, c, a, b, post)                                            \
		return ISK_OK;                                                         \
	}
ISK_KERNELS_matmul(X)
#undef X

#define X(k, T)                                                                \
	int REF(k)(ISK_C_##T * c, const ISK_C_##T *a, const ISK_C_##T *b, size_t batch, size_t m, size_t n, \
	           size_t depth, size_t ldc, size_t lda, size_t ldb, size_t stride_c, size_t stride_a, \
	           size_t stride_b, unsigned transposed, const struct isk_post *post) \
	{                                                                          \
		KEEP_ERRNO;                                                            \
		const int status = isk_oracle_check_##k(c, a, b, batch, m, n, depth, ldc, lda, ldb, stride_c, \
		                                        stride_a, stride_b, transposed, post); \
		struct isk_post each = {.size = sizeof(each)};                         \
                                                                               \
		if (status || !m || !n)                                                \
			return status;                                                     \
		if (post)                                                              \
			each = *post;                                                      \
		for (size_t which = 0; which < batch; which++) {                       \
			MATMUL(k, T, c + which * stride_c, a + which * stride_a, b + which * stride_b, &each) \
			if (each.binary)                                                   \
				each.other = (const ISK_C_##T *)each.other + stride_c;         \
		}                                                                      \
		return ISK_OK;                                                         \
	}
ISK_KERNELS_matmul_batch(X)
#undef X

#define X(k, T)                                                                \
	int REF(k)(void *packed, const ISK_C_##T *w, size_t bytes, const struct isk_conv *conv) \
	{                                                                          \
		KEEP_ERRNO;                                                            \
                                                                               \
		return isk_oracle_##k(packed, w, bytes, conv);                         \
	}
ISK_KERNELS_conv_pack(X)
#undef X

#define X(k, A, B, C)                                                          \
	int REF(k)(ISK_C_##C * y, const ISK_C_##A *x, const void *packed, const struct isk_conv *conv, \
	           const struct isk_post *post)                                    \
	{                                                                          \
		KEEP_ERRNO;                                                            \
		const struct isk_weights w = {.packed = packed};                       \
		const int status = isk_oracle_check_##k(y, x, packed, conv, post);     \
		double scale;                                                          \
                                                                               \
		/* Of no outputs there may be any number of pixels. */                 \
		for (size_t i = 0; !status && conv->out_channels && i < isk_oracle_conv_pixels(conv); i++) \
			for (size_t o = 0; o < conv->out_channels; o++)                    \
				y[i * (conv->ldy ? conv->ldy : conv->out_channels) + o] = isk_oracle_round_##C( \
				    isk_oracle_##k(x, &w, conv, i, o, post, &scale), post);    \
		return status;                                                         \
	}
ISK_KERNELS_conv(X)
#undef X

/* A property of the variant: the reference has one lane. */
#define X(k)                                                                   \
	size_t REF(k)(void)                                                        \
	{                                                                          \
		return 1;                                                              \
	}
ISK_KERNELS_query(X)
#undef X
