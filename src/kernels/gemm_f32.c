/* SPDX-License-Identifier: MIT */
/* f32 A by B of any type: whatever B is becomes f32 on its way to the registers. */
#include "gemm_float.h"

/* The order of B's pairs: the odd one first. */
ISK_INLINE vf load_swapped(const float *x, size_t n)
{
	return vf_swap_pairs(vf_load_upto(x, n));
}

static inline void fetch_swapped(float *to, size_t stride, const struct product *p, size_t row, size_t rows,
                                 size_t at, size_t k)
{
	FETCH_ROWS(float, load_swapped)
}

DEFINE_FINISH(finish, C_F32)
DEFINE_TILE(tile_f32, B_F32)
DEFINE_TILE(tile_bf16, B_BF16)
DEFINE_TILE(tile_f16, B_F16)
DEFINE_TILE(tile_s8, B_S8)

#define GEMM(name, type, b_type, fetch, tile)                                  \
	int ISK_FN(name)(float *c, const float *a, const void *packed, size_t m, size_t n, size_t k, size_t ldc, \
	                 size_t lda, const struct isk_post *post)                  \
	{                                                                          \
		struct product p = {c, a, packed, n, k, ldc, lda, post ? post : &isk_no_post, \
		                    b_type == B_F32 ? sizeof(*a) : 0};                 \
		const int status = check_gemm(c, a, packed, m, n, k, ldc, lda, p.post, sizeof(*a), type, C_F32, \
		                              0, 0, b_type == B_S8);                   \
                                                                               \
		if (status)                                                            \
			return status;                                                     \
		p.panels = first_panel(packed, type, k, p.post->first_column);         \
		product(&p, m, fetch, tile, finish, b_type, C_F32);                    \
		return ISK_OK;                                                         \
	}

GEMM(gemm_f32, ISK_F32, B_F32, fetch_f32, tile_f32)
GEMM(gemm_f32bf16, ISK_BF16, B_BF16, fetch_swapped, tile_bf16)
GEMM(gemm_f32f16, ISK_F16, B_F16, fetch_f32, tile_f16)
GEMM(gemm_f32s8, ISK_S8, B_S8, fetch_f32, tile_s8)
