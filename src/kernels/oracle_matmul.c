/* SPDX-License-Identifier: MIT */
/* The oracles of products of unpacked matrices, and the checks of their references. */
#include "oracle.h"

/* The same of so many matrices, a distance apart. */
static int too_far(size_t batch, size_t distance, size_t rows, size_t stride, size_t element)
{
	size_t all, one;

	return __builtin_mul_overflow(batch, distance, &all) || __builtin_mul_overflow(rows, stride, &one)
	       || __builtin_add_overflow(all, one, &all) || __builtin_mul_overflow(all, element, &all);
}

static int check(enum isk_element element, size_t bytes, const void *c, const void *a, const void *b,
                 size_t m, size_t n, size_t k, size_t ldc, size_t lda, size_t ldb, unsigned transposed,
                 const struct isk_post *post)
{
	const int a_transposed = transposed & ISK_TRANSPOSED_A, b_transposed = transposed & ISK_TRANSPOSED_B;
	const size_t a_rows = a_transposed ? k : m, a_cols = a_transposed ? m : k;
	const size_t b_rows = b_transposed ? n : k, b_cols = b_transposed ? k : n;

	if (post && (post->size != sizeof(*post) || post->first_column))
		return ISK_ERR_POST;
	if (transposed & ~(unsigned)(ISK_TRANSPOSED_A | ISK_TRANSPOSED_B))
		return ISK_ERR_SHAPE;
	if (m && n && (!c || (k && (!a || !b))))
		return ISK_ERR_NULL;
	if (lda < a_cols || ldb < b_cols || ldc < n)
		return ISK_ERR_STRIDE;
	if (isk_too_large(a_rows, lda, bytes) || isk_too_large(b_rows, ldb, bytes)
	    || isk_too_large(m, ldc, bytes))
		return ISK_ERR_SIZE;
	return isk_oracle_post_check(element, element, element, m, n, k, post);
}

static int check_batch(size_t bytes, size_t batch, size_t m, size_t n, size_t k, size_t ldc, size_t lda,
                       size_t ldb, size_t stride_c, size_t stride_a, size_t stride_b, unsigned transposed,
                       const struct isk_post *post)
{
	const int below = n <= stride_c && (m - 1) * ldc + n <= stride_c;
	const int beside = n <= stride_c && stride_c <= (ldc - n) / (batch > 1 ? batch - 1 : 1);

	if (batch > 1 && !below && !beside)
		return ISK_ERR_STRIDE;
	if (too_far(batch, stride_c, m, ldc, bytes)
	    || too_far(batch, stride_a, transposed & ISK_TRANSPOSED_A ? k : m, lda, bytes)
	    || too_far(batch, stride_b, transposed & ISK_TRANSPOSED_B ? n : k, ldb, bytes)
	    || (post && post->binary && too_far(batch, stride_c, m, post->ldother, bytes)))
		return ISK_ERR_SIZE;
	return ISK_OK;
}

#define PRODUCT(name, T)                                                       \
	double isk_oracle_##name(const ISK_C_##T *a, size_t step_a, const ISK_C_##T *b, size_t step_b, \
	                         size_t k, size_t row, size_t col, const struct isk_post *post, double *scale) \
	{                                                                          \
		const struct isk_value sum = isk_oracle_terms_##T(a, step_a, b, step_b, k); \
		const struct isk_value x = isk_oracle_post(sum, ISK_E_##T, row, col, post); \
                                                                               \
		*scale = x.scale;                                                      \
		return x.v;                                                            \
	}

#define MATMUL(name, T)                                                        \
	PRODUCT(name, T)                                                           \
	int isk_oracle_check_##name(ISK_C_##T *c, const ISK_C_##T *a, const ISK_C_##T *b, size_t m, size_t n, \
	                            size_t k, size_t ldc, size_t lda, size_t ldb, unsigned transposed, \
	                            const struct isk_post *post)                   \
	{                                                                          \
		return check(ISK_E_##T, sizeof(*a), c, a, b, m, n, k, ldc, lda, ldb, transposed, post); \
	}

#define MATMUL_BATCH(name, T)                                                  \
	PRODUCT(name, T)                                                           \
	int isk_oracle_check_##name(ISK_C_##T *c, const ISK_C_##T *a, const ISK_C_##T *b, size_t batch, \
	                            size_t m, size_t n, size_t k, size_t ldc, size_t lda, size_t ldb, \
	                            size_t stride_c, size_t stride_a, size_t stride_b, unsigned transposed, \
	                            const struct isk_post *post)                   \
	{                                                                          \
		const int status = check(ISK_E_##T, sizeof(*a), c, a, b, batch ? m : 0, n, k, ldc, lda, ldb, \
		                         transposed, post);                            \
                                                                               \
		return status || !batch || !m || !n                                    \
		           ? status                                                    \
		           : check_batch(sizeof(*a), batch, m, n, k, ldc, lda, ldb, stride_c, stride_a, stride_b, \
		                         transposed, post);                            \
	}

MATMUL(matmul_f32, f32)
MATMUL_BATCH(matmul_batch_f32, f32)
