/* SPDX-License-Identifier: MIT */
/*
 * f16 by f16: products are exact in f32, and so this is gemm_f32 of the same
 * numbers. No row is of avx512_fp16: sums are promised in f32, and its arithmetic
 * adds in f16.
 */
#include "gemm_float.h"

ISK_INLINE vf load_upto(const isk_f16 *x, size_t n)
{
	return n >= VL ? vf_load_f16(x) : vf_load_f16_n(x, n);
}

static inline void fetch(float *to, size_t stride, const struct product *p, size_t row, size_t rows,
                         size_t at, size_t k)
{
	FETCH_ROWS(isk_f16, load_upto)
}

DEFINE_FINISH(finish_f32, C_F32)
DEFINE_FINISH(finish_f16, C_F16)
DEFINE_TILE(tile, B_F16)

#define GEMM(name, type, finish, c_type)                                       \
	int ISK_FN(name)(type *c, const isk_f16 *a, const void *packed, size_t m, size_t n, size_t k, \
	                 size_t ldc, size_t lda, const struct isk_post *post)      \
	{                                                                          \
		struct product p = {c, a, packed, n, k, ldc, lda, post ? post : &isk_no_post, 0}; \
		const int status = check_gemm(c, a, packed, m, n, k, ldc, lda, p.post, sizeof(*a), ISK_F16, c_type, \
		                              0, 0, 0);                                \
                                                                               \
		if (status)                                                            \
			return status;                                                     \
		p.panels = first_panel(packed, ISK_F16, k, p.post->first_column);      \
		product(&p, m, fetch, tile, finish, B_F16, c_type);                    \
		return ISK_OK;                                                         \
	}

GEMM(gemm_f16, isk_f16, finish_f16, C_F16)
GEMM(gemm_f16_f32, float, finish_f32, C_F32)
