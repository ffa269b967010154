/* SPDX-License-Identifier: MIT */
/* Quantizes rows to 8 bits. A first pass finds the range of a row, which gives its scale and zero point. */
#include <float.h>

#include "quantize_rows_kernels.h"
#include "quantize.h"

#define LINE (16 / VL)

struct range {
	float low, high;
};

/* A NaN in x changes nothing, because vf_max() then returns its second argument. */
ISK_INLINE void extend(vf *low, vf *high, vf x)
{
	*low = vf_max(-x, *low);
	*high = vf_max(x, *high);
}

/* The least and the greatest of 0 and the elements of x, at most FLT_MAX in size. NaNs do not count. */
ISK_INLINE struct range range_of(const void *x, size_t n, const enum isk_type type)
{
	vf low[LINE], high[LINE];
	float most, least;
	size_t i = 0;

	for (int v = 0; v < LINE; v++)
		low[v] = high[v] = vf_set1(0);
	for (; n - i >= 16; i += 16)
		for (int v = 0; v < LINE; v++)
			extend(&low[v], &high[v], vf_load_as(x, i + v * VL, VL, type));
	for (int v = 0; i < n; i += VL, v++)
		extend(&low[v], &high[v], vf_load_as(x, i, n - i, type));
	least = vf_fold_max(low);
	most = vf_fold_max(high);
	return (struct range){-(least < FLT_MAX ? least : FLT_MAX), most < FLT_MAX ? most : FLT_MAX};
}

ISK_INLINE float scale_of(struct range r, const enum isk_type type)
{
	const float scale = type == ISK_S8 ? (r.high > -r.low ? r.high : -r.low) / 127
	                                   : (r.high / 2 - r.low / 2) / 127.5f;

	return r.high == r.low ? 1 : scale > FLT_MIN ? scale : FLT_MIN;
}

ISK_INLINE int32_t zero_of(struct range r, float scale, const enum isk_type type)
{
	const float zero = vf_nearest(vf_set1(-r.low / scale))[0];

	return type == ISK_S8 ? 0 : zero < 255 ? (int32_t)zero : 255;
}

ISK_INLINE void quantize_rows(void *y, float *scale, int32_t *zero, const void *x, size_t rows, size_t cols, size_t ldy,
                              size_t ldx, const enum isk_type from, const enum isk_type to)
{
	for (size_t r = 0; r < rows; r++) {
		const void *row = (const char *)x + r * ldx * isk_element_bytes(from);
		const struct range range = range_of(row, cols, from);
		const float s = scale_of(range, to);
		const int32_t z = zero_of(range, s, to);

		scale[r] = s;
		if (zero)
			zero[r] = z;
		quantize_elements((uint8_t *)y + r * ldy, row, cols, quantizer(s, z, to), from);
	}
}

#define QUANTIZE_ROWS(kernel, F, T, function)                                  \
	void ISK_FN(kernel)(ISK_C_##T *y, float *scale, int32_t *zero, const ISK_C_##F *x, size_t rows, size_t cols, \
	                    size_t ldy, size_t ldx)                                \
	{                                                                          \
		function(y, scale, zero, x, rows, cols, ldy, ldx, ISK_ENUM_##F, ISK_ENUM_##T); \
	}
ISK_EACH_quantize_rows(QUANTIZE_ROWS, quantize_rows)
