/* SPDX-License-Identifier: MIT */
/* The operations on one element, and the forms of their shapes. */
CVT(cvt, isnan(x) ? x : fmax(-most, fmin(x, most)))
CVT(cvt_unsaturated, x)

/* As the contract says, the product is rounded to f32; the steps after it add no error. */
ISK_UNUSED static REAL R(requantized)(REAL x, float scale, int32_t zero)
{
	const float product = (float)x * scale;

	return isnan(product) ? zero : rint((REAL)product) + zero;
}

#define QUANTIZED   R(quantized)(x, scale, zero)
#define DEQUANTIZED (x - zero) * (REAL)scale
#define REQUANTIZED R(requantized)(x, scale, zero)

QUANTIZE(quantize, QUANTIZED)
QUANTIZE(quantize_by_col, QUANTIZED)
QUANTIZE(quantize_by_row, QUANTIZED)
DEQUANTIZE(dequantize, DEQUANTIZED)
DEQUANTIZE(dequantize_by_col, DEQUANTIZED)
DEQUANTIZE(dequantize_by_row, DEQUANTIZED)
QUANTIZE(requantize, REQUANTIZED)
QUANTIZE(requantize_by_col, REQUANTIZED)

#undef QUANTIZED
#undef DEQUANTIZED
#undef REQUANTIZED

/* Takes the scale and the zero point of each column (by_row: row), and clamps zero points to the integer type. */
ISK_UNUSED static void R(scaled_by)(struct isk_sink *s, const enum isk_type *types, struct isk_args_scaled_by_col *a,
                                    int by_row, REAL (*oracle)(REAL x, float scale, int32_t zero))
{
	const enum isk_type small = isk_element_bytes(types[1]) == 1 ? types[1] : types[0];
	const int32_t least = (int32_t)isk_least_integer(small), most = (int32_t)isk_greatest_integer(small);
	const struct isk_array x = {a->x, types[0], 1};

	for (size_t r = 0; a->cols && r < a->rows; r++)
		for (size_t c = 0; c < a->cols; c++) {
			const size_t at = by_row ? r : c;
			const int32_t given = a->zero ? ((const int32_t *)a->zero)[at] : 0;
			const int32_t zero = given < least ? least : given > most ? most : given;
			const REAL value = oracle(AT(x, r * a->ldx + c), ((const float *)a->scale)[at], zero);

			s->put_bits(s, a->y, r * a->ldy + c, types[1], isk_element_round(types[1], (long double)value));
		}
}

ISK_SHARED static void R(form_scaled_by_col)(struct isk_sink *s, const enum isk_type *types,
                                             struct isk_args_scaled_by_col *a,
                                             REAL (*oracle)(REAL x, float scale, int32_t zero))
{
	R(scaled_by)(s, types, a, 0, oracle);
}

ISK_SHARED static void R(form_scaled_by_row)(struct isk_sink *s, const enum isk_type *types,
                                             struct isk_args_scaled_by_row *a,
                                             REAL (*oracle)(REAL x, float scale, int32_t zero))
{
	struct isk_args_scaled_by_col args = {.y = a->y, .scale = a->scale, .zero = a->zero, .x = a->x, .rows = a->rows,
	                                      .cols = a->cols, .ldy = a->ldy, .ldx = a->ldx};

	R(scaled_by)(s, types, &args, 1, oracle);
}

/* As the contract says, scale and zero point are computed in float. */
QUANTIZE_ROWS(quantize_rows)
{
	float high = 0, low = 0, size;

	for (size_t i = 0; i < cols; i++) {
		high = fmaxf(high, (float)AT(x, i));
		low = fminf(low, (float)AT(x, i));
	}
	high = fminf(high, FLT_MAX);
	low = fmaxf(low, -FLT_MAX);
	size = is_signed ? fmaxf(high, -low) / 127 : (high / 2 - low / 2) / 127.5f;
	*scale = high == low ? 1 : fmaxf(size, FLT_MIN);
	*zero = is_signed ? 0 : (int32_t)fminf(rintf(-low / *scale), 255);
}
