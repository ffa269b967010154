/* SPDX-License-Identifier: MIT */
/*
 * quantize.c with a scale and a zero point for each column or for each row. quantize_by_col goes down strips of four
 * vectors, so that one division serves a whole column. The other kernels go along rows.
 */
#include "quantize_by_kernels.h"
#include "loops.h"
#include "quantize.h"

/* The zero points of the n columns from i on, clamped to the values of an integer type; 0 if zero is NULL. */
ISK_INLINE vi zeros_at(const int32_t *zero, size_t i, size_t n, const enum isk_type type)
{
	const vi least = vi_set1(least_of_type(type)), most = vi_set1(greatest_of_type(type));
	vi v = zero ? vi_load_as(zero, i, n, ISK_S32) : vi_set1(0);

	v = vi_sel(vi_gt(least, v), least, v);
	return vi_sel(vi_gt(v, most), most, v);
}

ISK_INLINE int32_t zero_at(const int32_t *zero, size_t i, const enum isk_type type)
{
	const int32_t given = zero ? zero[i] : 0, least = least_of_type(type), most = greatest_of_type(type);

	return given < least ? least : given > most ? most : given;
}

ISK_INLINE void quantize_strip(void *y, size_t at, const float *x, const struct quantizer q[4], size_t rows, size_t ldy,
                               size_t ldx, const enum isk_type type)
{
	struct multiplier p[4];

	_Pragma("GCC unroll 4")
	for (int v = 0; v < 4; v++)
		p[v] = multiplier(q[v]);
	for (; rows; rows--, at += ldy, x += ldx) {
		vi doubt = vi_set1(0), four[4];

		_Pragma("GCC unroll 4")
		for (int v = 0; v < 4; v++)
			four[v] = quantize_by_product(&doubt, vf_load(x + v * VL), p[v], type);
		if (__builtin_expect(is_doubtful(doubt), 0)) {
			_Pragma("GCC unroll 4")
			for (int v = 0; v < 4; v++)
				four[v] = quantize(vf_load(x + v * VL), q[v]);
		}
		vi_store_four_as(y, at, four, type);
	}
}

#define PARAMETERS(F, T)                                                       \
	ISK_C_##T *y, const float *scale, const int32_t *zero, const ISK_C_##F *x, size_t rows, size_t cols, size_t ldy, \
		size_t ldx

/* The quantizer of the n columns from i on. */
#define QUANTIZER(i, n, T)                                                     \
	quantizer_of(vf_load_as(scale, i, n, ISK_F32), zeros_at(zero, i, n, ISK_ENUM_##T), ISK_ENUM_##T)

#define QUANTIZE_BY_COL(kernel, F, T, ...)                                     \
	void ISK_FN(kernel)(PARAMETERS(F, T))                                      \
	{                                                                          \
		size_t i = 0;                                                          \
                                                                               \
		for (; rows && cols - i >= 4 * VL; i += 4 * VL) {                      \
			struct quantizer q[4];                                             \
                                                                               \
			for (size_t v = 0; v < 4; v++)                                     \
				q[v] = QUANTIZER(i + v * VL, VL, T);                           \
			quantize_strip(y, i, x + i, q, rows, ldy, ldx, ISK_ENUM_##T);      \
		}                                                                      \
		for (; rows && i < cols; i += VL) {                                    \
			const struct quantizer q = QUANTIZER(i, cols - i, T);              \
                                                                               \
			for (size_t r = 0; r < rows; r++)                                  \
				vi_store_as(y, r *ldy + i, quantize(vf_load_as(x, r * ldx + i, cols - i, ISK_F32), q), cols - i, \
				            ISK_ENUM_##T);                                     \
		}                                                                      \
	}
ISK_EACH_quantize_by_col(QUANTIZE_BY_COL, )

#define QUANTIZE_BY_ROW(kernel, F, T, ...)                                     \
	static void kernel##_row(ISK_C_##T *out, const ISK_C_##F *in, size_t n, struct quantizer q) \
	{                                                                          \
		ISK_QUANTIZE_LOOP(F, T, quantize(x, q), quantize_four(four, x, p, q))  \
	}                                                                          \
                                                                               \
	void ISK_FN(kernel)(PARAMETERS(F, T))                                      \
	{                                                                          \
		for (size_t r = 0; cols && r < rows; r++)                              \
			kernel##_row(ISK_FROM(T, y, r * ldy), x + r * ldx, cols,             \
			             quantizer(scale[r], zero_at(zero, r, ISK_ENUM_##T), ISK_ENUM_##T)); \
	}
ISK_EACH_quantize_by_row(QUANTIZE_BY_ROW, )

/* Goes along each row r: STEP(m, F, T) converts its m columns from i on. */
#define ALONG_ROWS(STEP, F, T)                                                 \
	for (size_t r = 0; cols && r < rows; r++, y = ISK_FROM(T, y, ldy), x = ISK_FROM(F, x, ldx)) { \
		size_t i = 0;                                                          \
                                                                               \
		for (; cols - i >= VL; i += VL)                                        \
			STEP(VL, F, T)                                                     \
		if (i < cols)                                                          \
			STEP(cols - i, F, T)                                               \
	}

#define DEQUANTIZED(m, F, zeros, scales)                                       \
	vf_store_as(y, i, vi_to_vf(vi_load_as(x, i, m, ISK_ENUM_##F) - zeros) * scales, m, ISK_F32);
#define DEQUANTIZE_COLS(m, F, T) DEQUANTIZED(m, F, zeros_at(zero, i, m, ISK_ENUM_##F), vf_load_as(scale, i, m, ISK_F32))
#define DEQUANTIZE_ROW(m, F, T)  DEQUANTIZED(m, F, zero_at(zero, r, ISK_ENUM_##F), scale[r])
#define REQUANTIZE_COLS(m, F, T)                                               \
	{                                                                          \
		const struct quantizer q = QUANTIZER(i, m, T);                         \
                                                                               \
		vi_store_as(y, i, quantized(vi_to_vf(vi_load_as(x, i, m, ISK_S32)) * q.scale, q), m, ISK_ENUM_##T); \
	}

#define SCALE_ROWS(kernel, F, T, STEP)                                         \
	void ISK_FN(kernel)(PARAMETERS(F, T))                                      \
	{                                                                          \
		ALONG_ROWS(STEP, F, T)                                                 \
	}
ISK_EACH_dequantize_by_col(SCALE_ROWS, DEQUANTIZE_COLS)
ISK_EACH_dequantize_by_row(SCALE_ROWS, DEQUANTIZE_ROW)
ISK_EACH_requantize_by_col(SCALE_ROWS, REQUANTIZE_COLS)
