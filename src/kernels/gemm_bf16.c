/* SPDX-License-Identifier: MIT */
/*
 * bf16 by bf16. The order of a pair is that of vdpbf16ps, whose one rounding an
 * element is that of a fused multiply-add (checked on 60 million random pairs on
 * Zen 4, 32 million on Emerald Rapids). But it takes denormals for 0, so it is
 * used where none can come up: see bf16_pairs.h. Elsewhere bf16 is widened to f32,
 * and denormals count. AMX has an order of its own, for any number of rows, and
 * does without denormals: see gemm_amx.h.
 */
#include "gemm_float.h"
#include "gemm_amx.h"
#include "bf16_pairs.h"

ISK_INLINE vf load_upto(const isk_bf16 *x, size_t n)
{
	return vf_swap_pairs(n >= VL ? vf_load_bf16(x) : vf_load_bf16_n(x, n));
}

static inline void fetch_wide(float *to, size_t stride, const struct product *p, size_t row, size_t rows,
                              size_t at, size_t k)
{
	FETCH_ROWS(isk_bf16, load_upto)
}

DEFINE_FINISH(finish_f32, C_F32)
DEFINE_FINISH(finish_bf16, C_BF16)
DEFINE_TILE(tile_wide, B_BF16)
DEFINE_TILE(tile_dot, B_DOT)

ISK_INLINE vi load_halves(const isk_bf16 *x, size_t n)
{
	return n >= VL ? vi_load_u16(x) : vi_load_u16_n(x, n);
}

/* Pairs as they are, the last one filled up with 0. */
static inline void fetch_pairs(float *to, size_t stride, const struct product *p, size_t row, size_t rows,
                               size_t at, size_t k)
{
	for (; rows; rows--, to += stride, row++) {
		const isk_bf16 *x = (const isk_bf16 *)p->a + row * p->lda + at;

		for (size_t i = 0; i < k; i += VL)
			vi_store_high16((isk_bf16 *)to + i, load_halves(x + i, k - i) << 16);
	}
}

static int meets_no_denormal(const struct product *p, size_t m, int least_b)
{
	/* Where there are no columns A may be NULL. */
	const int least_a = least_b && p->n ? least_exponent(p->a, m, p->k, p->lda) : 0;

	return least_a && least_a + least_b >= DOT_EXPONENTS;
}

DEFINE_EMIT(emit_f32, finish_f32)
DEFINE_EMIT(emit_bf16, finish_bf16)

static void amx(const struct product *p, size_t m, int straight, amx_emit_fn *emit)
{
	const size_t panel = isk_packed_depth(ISK_BF16, p->k) * ISK_PACKED_LINE;
	const struct amx_job g = {p, 2 * p->k, 2 * p->lda, panel, NULL, 0};

	amx_product(&g, m, straight, 0, emit, AMX_BF16);
}

#define GEMM(name, type, finish, emit, c_type)                                 \
	int ISK_FN(name)(type *c, const isk_bf16 *a, const void *packed, size_t m, size_t n, size_t k, \
	                 size_t ldc, size_t lda, const struct isk_post *post)      \
	{                                                                          \
		struct product p = {c, a, packed, n, k, ldc, lda, post ? post : &isk_no_post, 0}; \
		const int status = check_gemm(c, a, packed, m, n, k, ldc, lda, p.post, sizeof(*a), ISK_BF16, c_type, \
		                              0, 0, 0);                                \
                                                                               \
		if (status)                                                            \
			return status;                                                     \
		p.panels = first_panel(packed, ISK_BF16, k, p.post->first_column);     \
		if (HAS_AMX)                                                           \
			amx(&p, m, c_type == C_F32 && post_is_plain(p.post), emit);        \
		else if (VF_DOT_IS_FAST && meets_no_denormal(&p, m, ((const struct isk_packed *)packed)->least)) { \
			p.a_bytes = sizeof(*a);                                            \
			product(&p, m, fetch_pairs, tile_dot, finish, B_DOT, c_type);      \
		} else {                                                               \
			product(&p, m, fetch_wide, tile_wide, finish, B_BF16, c_type);     \
		}                                                                      \
		return ISK_OK;                                                         \
	}

GEMM(gemm_bf16, isk_bf16, finish_bf16, emit_bf16, C_BF16)
GEMM(gemm_bf16_f32, float, finish_f32, emit_f32, C_F32)
