/* SPDX-License-Identifier: MIT */
/* u8 and s8 A by s8 B. A signed A is fetched as an unsigned one: one product serves both. */
#include "gemm_int.h"

static inline void fetch(unsigned char *to, size_t stride, const struct product *p, size_t row, size_t rows,
                         size_t at, size_t k)
{
	const vi flip = vi_set1(p->flip);

	for (; rows; rows--, row++, to += stride) {
		const unsigned char *x = (const unsigned char *)p->a + row * p->lda + at;

		for (size_t i = 0; i < k; i += 4 * VL)
			vi_store((int32_t *)(void *)(to + i), vi_load_bytes(x + i, k - i) ^ flip);
	}
}

DEFINE_FINISH(finish_f32, C_F32)
DEFINE_FINISH(finish_s8, C_S8)
DEFINE_FINISH(finish_u8, C_U8)

#define PRODUCT(name, finish, type)                                            \
	static void name(const struct product *p, size_t m)                        \
	{                                                                          \
		product(p, m, fetch, finish, type);                                    \
	}

PRODUCT(product_s32, NULL, C_S32)
PRODUCT(product_f32, finish_f32, C_F32)
PRODUCT(product_s8, finish_s8, C_S8)
PRODUCT(product_u8, finish_u8, C_U8)

#define GEMM(name, T, a_low, a_high, out, type, compute)                       \
	int ISK_FN(name)(out *c, const T *a, const void *packed, size_t m, size_t n, size_t k, size_t ldc, \
	                 size_t lda, const struct isk_post *post)                  \
	{                                                                          \
		const struct isk_packed *header = packed;                              \
		struct product p = {c, a, packed, NULL, n, k, ldc, lda, post ? post : &isk_no_post, 0, 0}; \
		const int status =                                                     \
			check_gemm(c, a, packed, m, n, k, ldc, lda, p.post, 1, ISK_S8, type, a_low, a_high, 0); \
		size_t lines;                                                          \
                                                                               \
		if (status)                                                            \
			return status;                                                     \
		p.a_zero = p.post->a_zero - (a_low);                                   \
		p.flip = (a_low) ? (int32_t)0x80808080 : 0;                            \
		lines = isk_packed_depth(ISK_S8, k);                                   \
		p.panels += ISK_PACKED_LINE;                                           \
		p.sums = (const int32_t *)(const void *)(p.panels + isk_packed_panels(header->n) * lines * ISK_PACKED_LINE) \
		         + p.post->first_column;                                       \
		p.panels += p.post->first_column / PANEL * lines * ISK_PACKED_LINE;    \
		compute(&p, m);                                                        \
		return ISK_OK;                                                         \
	}

GEMM(gemm_u8s8_s32, uint8_t, 0, UINT8_MAX, int32_t, C_S32, product_s32)
GEMM(gemm_u8s8_f32, uint8_t, 0, UINT8_MAX, float, C_F32, product_f32)
GEMM(gemm_u8s8_s8, uint8_t, 0, UINT8_MAX, int8_t, C_S8, product_s8)
GEMM(gemm_u8s8_u8, uint8_t, 0, UINT8_MAX, uint8_t, C_U8, product_u8)
GEMM(gemm_s8s8_s32, int8_t, INT8_MIN, INT8_MAX, int32_t, C_S32, product_s32)
GEMM(gemm_s8s8_f32, int8_t, INT8_MIN, INT8_MAX, float, C_F32, product_f32)
GEMM(gemm_s8s8_s8, int8_t, INT8_MIN, INT8_MAX, int8_t, C_S8, product_s8)
GEMM(gemm_s8s8_u8, int8_t, INT8_MIN, INT8_MAX, uint8_t, C_U8, product_u8)
