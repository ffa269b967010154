/* SPDX-License-Identifier: MIT */
/*
 * The oracles: one line, or one short function, for each kernel. Where a
 * function of a double loses bits that its f32 result would show, its text
 * avoids that: erfc for the left tail of gelu, expm1 nowhere else needed.
 */
#include "oracle.h"

#include <math.h>
#include <string.h>

#define MAP(k, f)                                                              \
	double isk_oracle_##k(double x)                                            \
	{                                                                          \
		return f;                                                              \
	}

MAP(exp_f32, exp(x))
MAP(tanh_f32, tanh(x))
MAP(sigmoid_f32, 1 / (1 + exp(-x)))
MAP(silu_f32, x == -HUGE_VAL ? -0.0 : x / (1 + exp(-x)))
MAP(gelu_f32, x == -HUGE_VAL ? -0.0 : x / 2 * erfc(-x * M_SQRT1_2))
/* (1 + tanh(u)) / 2 = 1 / (1 + exp(-2u)), without the cancellation */
MAP(gelu_tanh_f32,
    x == -HUGE_VAL ? -0.0 : x / (1 + exp(-2 * (M_SQRT1_2 * M_2_SQRTPI) * (x + 0.044715 * x * x * x))))
MAP(relu_f32, isnan(x) || x > 0 ? x : 0)
MAP(sin_f32, sin(x))
MAP(cos_f32, cos(x))

#define ZIP(k, f)                                                              \
	double isk_oracle_##k(double a, double b)                                  \
	{                                                                          \
		return f;                                                              \
	}

ZIP(add_f32, a + b)
ZIP(mul_f32, a *b)

static uint32_t bits_of(float x)
{
	uint32_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

static float float_of(uint32_t bits)
{
	float x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

/* A NaN keeps its sign and the upper bits of its payload, and becomes quiet. */
#define QUIET 0x400000u

isk_bf16 isk_oracle_cvt_f32_bf16(float x)
{
	const uint32_t bits = bits_of(x);

	if (isnan(x))
		return (isk_bf16)((bits | QUIET) >> 16);
	return (isk_bf16)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

float isk_oracle_cvt_bf16_f32(isk_bf16 x)
{
	const uint32_t bits = (uint32_t)x << 16;

	return float_of(isnan(float_of(bits)) ? bits | QUIET : bits);
}

isk_f16 isk_oracle_cvt_f32_f16(float x)
{
	const uint32_t bits = bits_of(x), sign = bits >> 16 & 0x8000;
	const double size = fabs((double)x);
	/* The distance of neighbouring f16 around |x|; rint rounds ties to even. */
	const double step = ldexp(1, size < 0x1p-14 || !isfinite(x) ? -24 : ilogb(size) - 10);
	const double rounded = isfinite(x) ? rint(size / step) * step : size;

	if (isnan(x))
		return (isk_f16)(sign | 0x7e00 | (bits >> 13 & 0x1ff));
	if (rounded >= 65536)
		return (isk_f16)(sign | 0x7c00);
	if (rounded < 0x1p-14)
		return (isk_f16)(sign | (uint32_t)(rounded * 0x1p24));
	return (isk_f16)(sign | (uint32_t)(ilogb(rounded) + 15) << 10
	                 | ((uint32_t)ldexp(rounded, 10 - ilogb(rounded)) & 0x3ff));
}

float isk_oracle_cvt_f16_f32(isk_f16 x)
{
	const uint32_t sign = (uint32_t)(x & 0x8000) << 16, exponent = x >> 10 & 31, fraction = x & 0x3ff;

	if (exponent == 31)
		return float_of(sign | 0x7f800000 | fraction << 13 | (fraction ? QUIET : 0));
	return float_of(sign | bits_of((float)(exponent ? (1024 + fraction) * (double)(1u << exponent) * 0x1p-25
	                                                : fraction * 0x1p-24)));
}

/* The division is the f32 one, as the contract says; what follows it is exact. */
static double quantized(float x, float scale, int32_t zero, double low, double high)
{
	return isnan(x) ? zero : fmin(fmax(rint((double)(x / scale)) + zero, low), high);
}

#define QUANTIZE(k, T, low, high)                                              \
	ISK_C_##T isk_oracle_##k(float x, float scale, int32_t zero)               \
	{                                                                          \
		return (ISK_C_##T)quantized(x, scale, zero, low, high);                \
	}

QUANTIZE(quantize_f32_s8, s8, INT8_MIN, INT8_MAX)
QUANTIZE(quantize_f32_u8, u8, 0, UINT8_MAX)

#define DEQUANTIZE(k, F)                                                       \
	float isk_oracle_##k(ISK_C_##F x, float scale, int32_t zero)               \
	{                                                                          \
		return (float)(((double)x - zero) * (double)scale);                    \
	}

DEQUANTIZE(dequantize_s8_f32, s8)
DEQUANTIZE(dequantize_u8_f32, u8)

double isk_depth(size_t n)
{
	return n ? fmin((double)n + 2, 32 + log2((double)n)) : 0;
}

/* The body of a function that adds a term for each i, and its size to *scale. */
#define SUM_OF(term)                                                           \
	{                                                                          \
		long double sum = 0, size = 0;                                         \
                                                                               \
		for (size_t i = 0; i < n; i++) {                                       \
			sum += (long double)(term);                                        \
			size += fabsl((long double)(term));                                \
		}                                                                      \
		*scale = (double)size * isk_depth(n);                                  \
		return (double)sum;                                                    \
	}

#define REDUCE(k, T, term)                                                     \
	double isk_oracle_##k(const ISK_C_##T *x, size_t n, double *scale)         \
	SUM_OF(term)

REDUCE(sum_f32, f32, (double)x[i])

double isk_oracle_max_f32(const float *x, size_t n, double *scale)
{
	double max = -HUGE_VAL;

	*scale = 0;
	for (size_t i = 0; i < n; i++)
		if (isnan(x[i]))
			return (double)x[i];
		else if ((double)x[i] > max)
			max = (double)x[i];
	return max;
}

#define REDUCE2(k, T, term)                                                    \
	double isk_oracle_##k(const ISK_C_##T *a, const ISK_C_##T *b, size_t n, double *scale) \
	SUM_OF(term)

REDUCE2(dot_f32, f32, (double)a[i] * (double)b[i])
REDUCE2(l2sq_f32, f32, ((double)a[i] - (double)b[i]) * ((double)a[i] - (double)b[i]))

double isk_oracle_cosine_f32(const float *a, const float *b, size_t n, double *scale)
{
	double ab_size, unused;
	const double ab = isk_oracle_dot_f32(a, b, n, &ab_size);
	const double aa = isk_oracle_dot_f32(a, a, n, &unused), bb = isk_oracle_dot_f32(b, b, n, &unused);

	/* Where sums of squares leave the range of f32, nothing is promised. */
	*scale = fmin(aa, bb) > 0 && (fmin(aa, bb) < 0x1p-100 || fmax(aa, bb) > 0x1p127) ? (double)INFINITY : 0;
	if (aa == 0 || bb == 0 || *scale > 0)
		return 0;
	*scale = (ab_size + fabs(ab) * isk_depth(n)) / sqrt(aa * bb);
	return ab / sqrt(aa * bb);
}

size_t isk_oracle_argmax_f32(const float *x, size_t n)
{
	size_t best = 0;

	for (size_t i = 0; i < n; i++)
		if (isnan(x[i]))
			return i;
		else if (x[i] > x[best])
			best = i;
	return best;
}

struct isk_row_stats isk_oracle_row_softmax_f32(const float *x, size_t cols)
{
	double unused, sum = 0;
	const double max = isk_oracle_max_f32(x, cols, &unused);

	for (size_t i = 0; i < cols; i++)
		sum += exp((double)x[i] - max);
	return (struct isk_row_stats){.centre = max, .factor = 1 / sum, .depth = isk_depth(cols)};
}

double isk_oracle_softmax_f32(const struct isk_row_stats *row, double x, double *scale)
{
	const double y = exp(x - row->centre) * row->factor;

	*scale = y * (row->depth + (row->centre - x));
	return x == -HUGE_VAL && !isnan(y) ? *scale = 0 : y;
}

static struct isk_row_stats norm_row(const float *x, size_t cols, double epsilon, int centred)
{
	struct isk_row_stats row = {.depth = isk_depth(cols)};
	double squares = 0;

	for (size_t i = 0; i < cols && centred; i++)
		row.centre += (double)x[i] / (double)cols;
	for (size_t i = 0; i < cols; i++) {
		const double d = (double)x[i] - row.centre;

		squares += d * d;
		row.reach = fmax(row.reach, centred ? fabs((double)x[i]) : 0);
	}
	row.factor = 1 / sqrt(squares / (double)cols + epsilon);
	row.reach *= row.factor;
	return row;
}

static double norm_element(const struct isk_row_stats *row, double x, double weight, double bias,
                           double *scale)
{
	const double y = (x - row->centre) * row->factor * weight + bias;

	*scale = row->depth * (fabs(y) + fabs(bias) + fabs(weight)) * (1 + row->reach);
	return y;
}

#define NORM(k, T, centred)                                                    \
	struct isk_row_stats isk_oracle_row_##k(const ISK_C_##T *x, size_t cols, double epsilon) \
	{                                                                          \
		return norm_row(x, cols, epsilon, centred);                            \
	}                                                                          \
	double isk_oracle_##k(const struct isk_row_stats *row, double x, double weight, double bias, \
	                      double *scale)                                       \
	{                                                                          \
		return norm_element(row, x, weight, bias, scale);                      \
	}

NORM(layernorm_f32, f32, 1)
NORM(rmsnorm_f32, f32, 0)

double isk_oracle_meanpool_f32(const float *x, size_t rows, size_t ldx, double *scale)
{
	long double sum = 0, size = 0;

	for (size_t r = 0; r < rows; r++) {
		sum += (long double)x[r * ldx];
		size += fabsl((long double)x[r * ldx]);
	}
	*scale = (double)(size / (long double)rows) * isk_depth(rows);
	return (double)(sum / (long double)rows);
}

#define TRANSPOSE(k)                                                           \
	size_t isk_oracle_##k(size_t j, size_t i, size_t ldx)                      \
	{                                                                          \
		return i * ldx + j;                                                    \
	}

TRANSPOSE(transpose_b8)
TRANSPOSE(transpose_b16)
TRANSPOSE(transpose_b32)
TRANSPOSE(transpose_b64)

#define IMAGES(k, from)                                                        \
	size_t isk_oracle_##k(size_t i, size_t channels, size_t pixels)            \
	{                                                                          \
		return from;                                                           \
	}

IMAGES(nchw_nhwc_b8, i % channels * pixels + i / channels)
IMAGES(nchw_nhwc_b16, i % channels * pixels + i / channels)
IMAGES(nchw_nhwc_b32, i % channels * pixels + i / channels)
IMAGES(nhwc_nchw_b8, i % pixels * channels + i / pixels)
IMAGES(nhwc_nchw_b16, i % pixels * channels + i / pixels)
IMAGES(nhwc_nchw_b32, i % pixels * channels + i / pixels)
