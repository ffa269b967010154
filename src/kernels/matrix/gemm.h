/* SPDX-License-Identifier: MIT */
/*
 * The entry of every product by a packed B. GEMM(kernel, A, B, C, choose) defines the
 * kernel for these types. choose(p, type of B) completes the struct product with the
 * functions that multiply, and calls the driver.
 */
#ifndef ISK_GEMM_H
#define ISK_GEMM_H

#include "check.h"

/* Finds the panels, sums and scales of a packed matrix from post->first_column on. */
ISK_INLINE void find_in_packed(struct product *p, const void *packed)
{
	const struct isk_packed *header = packed;
	const unsigned char *const lines = (const unsigned char *)packed + ISK_PACKED_LINE;
	const size_t depth = isk_packed_depth(header->type, header->k), panels = isk_packed_panels(header->type, header->n);
	const size_t first = isk_packed_full_panels(header->type, p->post->first_column);

	p->panel = depth * ISK_PACKED_LINE;
	p->panels = lines + first * p->panel;
	p->sums = (const int32_t *)(const void *)(lines + panels * p->panel) + first * PANEL;
	p->group = header->scale_k;
	p->scales = header->scale_k
	                ? (const float *)(const void *)(lines + panels * (p->panel + ISK_PACKED_LINE))
	                      + first * isk_packed_groups(header->scale_k, header->k) * PANEL
	                : NULL;
	p->least = header->least;
}

/* The epilogue into each type of C. */
#define ISK_EPILOGUE_f32  ISK_PART(epilogue, epilogue_f32)
#define ISK_EPILOGUE_f64  ISK_PART(epilogue_f64, epilogue_f64)
#define ISK_EPILOGUE_f16  ISK_PART(epilogue, epilogue_f16)
#define ISK_EPILOGUE_bf16 ISK_PART(epilogue_bf16, epilogue_bf16)
#define ISK_EPILOGUE_s8   ISK_PART(epilogue, epilogue_s8)
#define ISK_EPILOGUE_u8   ISK_PART(epilogue, epilogue_u8)
#define ISK_EPILOGUE_s32  ISK_PART(epilogue, epilogue_s32)

ISK_EXTERN epilogue_fn ISK_EPILOGUE_f32, ISK_EPILOGUE_f64, ISK_EPILOGUE_f16, ISK_EPILOGUE_bf16, ISK_EPILOGUE_s8, ISK_EPILOGUE_u8,
    ISK_EPILOGUE_s32;
ISK_EXTERN drive_fn ISK_PART(driver, drive);

/* The functions that multiply. Some exist for some ISAs only. */
ISK_EXTERN pack_fn ISK_PART(pack_a, pack_floats), ISK_PART(pack_a, pack_doubles), ISK_PART(pack_a, pack_pairs), ISK_PART(pack_a, pack_bytes),
    ISK_PART(micro_fours, pack_fours);
ISK_EXTERN micro_fn ISK_PART(micro_float, micro_f32), ISK_PART(micro_wide, micro_wide_f32), ISK_PART(micro_f64, micro_f64),
    ISK_PART(micro_f64, direct_f64), ISK_PART(micro_float, micro_bf16), ISK_PART(micro_float, micro_f16),
    ISK_PART(micro_float, micro_s8), ISK_PART(micro_float, micro_raised_s8), ISK_PART(micro_float, direct_f32),
    ISK_FN(micro_pairs), ISK_FN(direct_pairs), ISK_PART(micro_fours, micro_fours), ISK_FN(direct_fours),
    ISK_FN(micro_amx_bf16), ISK_FN(micro_amx_us), ISK_FN(micro_amx_ss);
ISK_EXTERN row_sums_fn ISK_PART(micro_fours, row_sums_fours), ISK_FN(row_sums_amx);

/* Has pack_fours flip the signs of A if vi_dot does not take them, and moves the zero point with A. */
ISK_INLINE void take_as_dot_does(struct product *p, int is_signed)
{
	if (is_signed != VI_DOT_IS_SIGNED) {
		p->a_zero += is_signed ? 128 : -128;
		p->flip = (int32_t)0x80808080;
	}
}

/* Checks a product by a packed B of type b and has choose() compute it. Returns the status of the kernel. */
ISK_INLINE int multiply_packed(struct product *p, const void *packed, const enum isk_type b,
                               void choose(struct product *p, const enum isk_type b))
{
	const int status = check_gemm(p, packed, p->a_type, b, p->c_type, p->a_type == ISK_F32 && b == ISK_S8);

	if (status)
		return status;
	find_in_packed(p, packed);
	choose(p, b);
	return ISK_OK;
}

#define GEMM(kernel, A, B, C, choose)                                          \
	int ISK_FN(kernel)(ISK_C_##C *c, const ISK_C_##A *a, const void *packed, size_t m, size_t n, size_t k, \
	                   size_t ldc, size_t lda, const struct isk_post *post)    \
	{                                                                          \
		struct product p = {                                                   \
			.c = c, .a = a, .m = m, .n = n, .k = k, .ldc = ldc, .lda = lda, .post = post ? post : &isk_no_post, \
			.a_type = ISK_ENUM_##A, .c_type = ISK_ENUM_##C, .words = 1, .epilogue = ISK_EPILOGUE_##C, \
		};                                                                     \
                                                                               \
		return multiply_packed(&p, packed, ISK_ENUM_##B, choose);              \
	}

#endif
