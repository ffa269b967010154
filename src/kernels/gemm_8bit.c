/* SPDX-License-Identifier: MIT */
/*
 * u8 and s8 A by s8 B. A signed A is fetched as an unsigned one: one product
 * serves both. AMX has a product for each, which takes A where it is.
 */
#include "gemm_int.h"
#include "gemm_amx.h"

/* Up to so many rows a line of B takes vectors no longer than tiles. */
#define VECTOR_ROWS 4

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

static void amx_us(const struct amx_job *g, size_t m, int straight, amx_emit_fn *emit)
{
	amx_product(g, m, straight, g->p->post->b_zeros != 0, emit, AMX_US);
}

static void amx_ss(const struct amx_job *g, size_t m, int straight, amx_emit_fn *emit)
{
	amx_product(g, m, straight, g->p->post->b_zeros != 0, emit, AMX_SS);
}

/* p with its signed A as it is. */
static void amx(const struct product *p, size_t m, int straight, amx_emit_fn *emit)
{
	struct product as_is = *p;
	const struct amx_job g = {&as_is, p->k, p->lda, isk_packed_depth(ISK_S8, p->k) * ISK_PACKED_LINE,
	                          p->sums, -p->post->a_zero};

	as_is.a_zero = p->post->a_zero;
	if (p->flip)
		amx_ss(&g, m, straight, emit);
	else
		amx_us(&g, m, straight, emit);
}

#define PRODUCT(name, finish, type)                                            \
	DEFINE_EMIT(name##_emit, finish, type)                                     \
	static void name(const struct product *p, size_t m)                        \
	{                                                                          \
		if (HAS_AMX && m > VECTOR_ROWS)                                        \
			amx(p, m, type == C_S32 && !p->post->b_zeros, name##_emit);        \
		else                                                                   \
			product(p, m, fetch, finish, type);                                \
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
		struct product p = {c, a, NULL, NULL, n, k, ldc, lda, post ? post : &isk_no_post, 0, 0}; \
		const int status =                                                     \
			check_gemm(c, a, packed, m, n, k, ldc, lda, p.post, 1, ISK_S8, type, a_low, a_high, 0); \
                                                                               \
		if (status)                                                            \
			return status;                                                     \
		p.a_zero = p.post->a_zero - (a_low);                                   \
		p.flip = (a_low) ? (int32_t)0x80808080 : 0;                            \
		p.panels = first_panel(packed, ISK_S8, k, p.post->first_column);       \
		p.sums = (const int32_t *)(const void *)first_panel(packed, ISK_S8, k, header->n + PANEL - 1) \
		         + p.post->first_column;                                       \
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
