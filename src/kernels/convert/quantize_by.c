/* SPDX-License-Identifier: MIT */
/*
 * quantize.c with a scale and a zero point for each column or for each row. quantize_by_col goes down strips of four
 * vectors, so that one division serves a whole column. The other kernels go along rows.
 */
#include "quantize_by_kernels.h"
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

/* The quantizer of the n columns from i on. */
ISK_INLINE struct quantizer quantizer_at(const float *scale, const int32_t *zero, size_t i, size_t n, const enum isk_type to)
{
	return quantizer_of(vf_load_as(scale, i, n, ISK_F32), zeros_at(zero, i, n, to), to);
}

ISK_INLINE void quantize_by_col(void *y, const float *scale, const int32_t *zero, const void *x, size_t rows, size_t cols,
                                size_t ldy, size_t ldx, const enum isk_type from, const enum isk_type to)
{
	size_t i = 0;

	for (; rows && cols - i >= 4 * VL; i += 4 * VL) {
		struct quantizer q[4];

		for (size_t v = 0; v < 4; v++)
			q[v] = quantizer_at(scale, zero, i + v * VL, VL, to);
		quantize_strip(y, i, (const float *)x + i, q, rows, ldy, ldx, to);
	}
	for (; rows && i < cols; i += VL) {
		const struct quantizer q = quantizer_at(scale, zero, i, cols - i, to);

		for (size_t r = 0; r < rows; r++)
			vi_store_as(y, r * ldy + i, quantize(vf_load_as(x, r * ldx + i, cols - i, from), q), cols - i, to);
	}
}

ISK_INLINE void quantize_by_row(void *y, const float *scale, const int32_t *zero, const void *x, size_t rows, size_t cols,
                                size_t ldy, size_t ldx, const enum isk_type from, const enum isk_type to)
{
	for (size_t r = 0; cols && r < rows; r++)
		quantize_elements((char *)y + isk_bytes_of(to, r * ldy), (const char *)x + isk_bytes_of(from, r * ldx), cols,
		                  quantizer(scale[r], zero_at(zero, r, to), to), from);
}

ISK_INLINE void dequantize_by_row(void *y, const float *scale, const int32_t *zero, const void *x, size_t rows, size_t cols,
                                  size_t ldy, size_t ldx, const enum isk_type from, const enum isk_type to)
{
	char *out = y;
	const char *in = x;

	for (size_t r = 0; cols && r < rows; r++, out += isk_bytes_of(to, ldy), in += isk_bytes_of(from, ldx))
		dequantize_elements(out, in, cols, scale[r], zero_at(zero, r, from), from, to);
}

/* Dequantizes or, if `to` is an integer, requantizes the n columns of a row from i on. */
ISK_INLINE void rescale(void *y, const float *scale, const int32_t *zero, const void *x, size_t i, size_t n,
                        const enum isk_type from, const enum isk_type to)
{
	if (isk_element_is_float(to)) {
		const vi v = vi_load_as(x, i, n, from) - zeros_at(zero, i, n, from);

		vf_store_as(y, i, vi_to_vf(v) * vf_load_as(scale, i, n, ISK_F32), n, to);
	} else {
		const struct quantizer q = quantizer_at(scale, zero, i, n, to);

		vi_store_as(y, i, quantized(vi_to_vf(vi_load_as(x, i, n, from)) * q.scale, q), n, to);
	}
}

ISK_INLINE void rescale_by_col(void *y, const float *scale, const int32_t *zero, const void *x, size_t rows, size_t cols,
                               size_t ldy, size_t ldx, const enum isk_type from, const enum isk_type to)
{
	char *out = y;
	const char *in = x;

	for (; rows && cols; rows--, out += isk_bytes_of(to, ldy), in += isk_bytes_of(from, ldx)) {
		size_t i = 0;

		for (; cols - i >= VL; i += VL)
			rescale(out, scale, zero, in, i, VL, from, to);
		if (i < cols)
			rescale(out, scale, zero, in, i, cols - i, from, to);
	}
}

#define SCALED_BY(kernel, F, T, function)                                      \
	void ISK_FN(kernel)(ISK_C_##T *y, const float *scale, const int32_t *zero, const ISK_C_##F *x, size_t rows, size_t cols, \
	                    size_t ldy, size_t ldx)                                \
	{                                                                          \
		function(y, scale, zero, x, rows, cols, ldy, ldx, ISK_ENUM_##F, ISK_ENUM_##T); \
	}
ISK_EACH_quantize_by_col(SCALED_BY, quantize_by_col)
ISK_EACH_quantize_by_row(SCALED_BY, quantize_by_row)
ISK_EACH_dequantize_by_col(SCALED_BY, rescale_by_col)
ISK_EACH_dequantize_by_row(SCALED_BY, dequantize_by_row)
ISK_EACH_requantize_by_col(SCALED_BY, rescale_by_col)
