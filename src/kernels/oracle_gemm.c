/* SPDX-License-Identifier: MIT */
/*
 * The oracles of the matrix kernels, and the checks of their references. The
 * layout of a packed matrix is written here from its description in packed.h,
 * element by element; only the header and the sum over it are shared.
 */
#include "oracle.h"
#include "packed.h"

#include <math.h>
#include <string.h>

/* Where element (depth, col) of a packed matrix is, in elements from its first panel. */
static size_t place(enum isk_type type, size_t lines, size_t depth, size_t col)
{
	const size_t group = isk_packed_group(type), panel = col / ISK_PACKED_PANEL;

	return ((panel * lines + depth / group) * ISK_PACKED_PANEL + col % ISK_PACKED_PANEL) * group
	       + depth % group;
}

static uint64_t payload_check(const unsigned char *packed, size_t bytes)
{
	uint32_t h[ISK_PACKED_PANEL] = {0}, word;

	for (size_t at = ISK_PACKED_LINE; at < bytes; at += sizeof(word)) {
		uint32_t *lane = &h[at / sizeof(word) % ISK_PACKED_PANEL];

		memcpy(&word, packed + at, sizeof(word));
		*lane = isk_packed_step(*lane, word);
	}
	return isk_packed_fold(h);
}

/* The lines of sums that s8 has after its panels. */
static void sum_columns(void *packed, enum isk_type type, size_t k, size_t n)
{
	const size_t lines = isk_packed_depth(type, k), panels = isk_packed_panels(n);
	const int8_t *elements = (const int8_t *)packed + ISK_PACKED_LINE;

	for (size_t col = 0; col < panels * ISK_PACKED_PANEL && type == ISK_S8; col++) {
		uint32_t sum = 0;

		for (size_t i = 0; i < k; i++)
			sum += (uint32_t)elements[place(type, lines, i, col)];
		memcpy((unsigned char *)packed + ISK_PACKED_LINE * (1 + panels * lines) + 4 * col, &sum, sizeof(sum));
	}
}

static unsigned least_exponent(const void *packed, enum isk_type type, size_t bytes)
{
	unsigned least = type == ISK_BF16 ? 255 : 0;
	isk_bf16 x;

	for (size_t at = ISK_PACKED_LINE; at < bytes && type == ISK_BF16; at += sizeof(x)) {
		memcpy(&x, (const unsigned char *)packed + at, sizeof(x));
		if (x << 1 & 0xffff && (x >> 7 & 255u) < least)
			least = x >> 7 & 255u;
		if ((x >> 7 & 255u) == 255)
			least = 0;
	}
	return least;
}

#define PACK(name, T, type)                                                    \
	int isk_oracle_##name(void *packed, const ISK_C_##T *b, size_t bytes, size_t k, size_t n, \
	                      size_t ldb, int transposed)                          \
	{                                                                          \
		const size_t need = isk_packed_bytes(type, k, n), lines = isk_packed_depth(type, k); \
		const size_t row = transposed ? k : n, rows = transposed ? n : k;      \
		ISK_C_##T *panels = (ISK_C_##T *)((unsigned char *)packed + ISK_PACKED_LINE); \
		struct isk_packed header;                                              \
                                                                               \
		if (!packed || (!b && k && n))                                         \
			return ISK_ERR_NULL;                                               \
		if (need == 0 || isk_too_large(rows, ldb, sizeof(*b)))                 \
			return ISK_ERR_SIZE;                                               \
		if (ldb < row)                                                         \
			return ISK_ERR_STRIDE;                                             \
		if (bytes < need)                                                      \
			return ISK_ERR_SPACE;                                              \
		memset(packed, 0, need);                                               \
		for (size_t i = 0; i < rows && row; i++)                               \
			for (size_t j = 0; j < row; j++)                                   \
				memcpy(&panels[transposed ? place(type, lines, j, i) : place(type, lines, i, j)], \
				       &b[i * ldb + j], sizeof(*b));                           \
		sum_columns(packed, type, k, n);                                       \
		header = isk_packed_header(type, k, n, least_exponent(packed, type, need), \
		                           payload_check(packed, need));               \
		memcpy(packed, &header, sizeof(header));                               \
		return ISK_OK;                                                         \
	}

PACK(gemm_pack_f32, f32, ISK_F32)
PACK(gemm_pack_bf16, bf16, ISK_BF16)
PACK(gemm_pack_f16, f16, ISK_F16)
PACK(gemm_pack_s8, s8, ISK_S8)

/* Bytes; for 8 bits the range, both 0 elsewhere. */
static const struct {
	size_t bytes;
	int32_t low, high;
	enum isk_type packed;
} elements[] = {
	[ISK_E_f32] = {4, 0, 0, ISK_F32}, [ISK_E_bf16] = {2, 0, 0, ISK_BF16},  [ISK_E_f16] = {2, 0, 0, ISK_F16},
	[ISK_E_u8] = {1, 0, 255, 0},      [ISK_E_s8] = {1, -128, 127, ISK_S8}, [ISK_E_s32] = {4, 0, 0, 0},
};

/* What there is of scales or zero points: none, one for all columns, or one a column. */
static int wrong_count(size_t count, size_t n)
{
	return count > 1 && count != n;
}

/* A value of an 8-bit element; 0 where there is none. */
static int wrong_zero(int32_t zero, enum isk_element element)
{
	return zero < elements[element].low || zero > elements[element].high;
}

/* Whether B may have scales for groups of k. */
static int has_groups(enum isk_element a, enum isk_element b)
{
	return a == ISK_E_f32 && b == ISK_E_s8;
}

int isk_oracle_post_check(enum isk_element a, enum isk_element b, enum isk_element c, size_t m, size_t n,
                          size_t k, const struct isk_post *post)
{
	const int quantized = elements[c].high != 0, integers = elements[a].high != 0;
	const int grouped = has_groups(a, b);

	if (!post)
		return quantized ? ISK_ERR_POST : ISK_OK;
	if (post->size != sizeof(*post) || post->first_column % ISK_PACKED_PANEL || post->act < ISK_ACT_NONE
	    || post->act > ISK_ACT_SILU || post->binary < ISK_BINARY_NONE || post->binary > ISK_BINARY_AXPY
	    || wrong_count(post->scales, n))
		return ISK_ERR_POST;
	if (c == ISK_E_s32 && (post->scales || post->bias || post->act || post->binary))
		return ISK_ERR_POST;
	if (wrong_zero(post->a_zero, a) || wrong_count(post->b_zeros, n) || (post->b_zeros && !integers))
		return ISK_ERR_POST;
	if (wrong_zero(post->out_zero, c) || (quantized && !(post->out_scale > 0 && isfinite(post->out_scale)))
	    || (!quantized && fpclassify(post->out_scale) != FP_ZERO))
		return ISK_ERR_POST;
	if (post->group && (!grouped || (post->group != 32 && post->group != 64 && post->group != 128)))
		return ISK_ERR_POST;
	if (m && n && ((post->scales && !post->scale) || (post->b_zeros && !post->b_zero)
	               || (post->binary && !post->other)))
		return ISK_ERR_NULL;
	if ((post->group && post->ldgroup < n) || (post->binary && post->ldother < n))
		return ISK_ERR_STRIDE;
	if ((post->group && isk_too_large(k / post->group + (k % post->group != 0), post->ldgroup, sizeof(float)))
	    || (post->binary && isk_too_large(m, post->ldother, elements[c].bytes)))
		return ISK_ERR_SIZE;
	return ISK_OK;
}

static int check(enum isk_element at, enum isk_element bt, enum isk_element ct, const void *c, const void *a,
                 const void *packed, size_t m, size_t n, size_t k, size_t ldc, size_t lda,
                 const struct isk_post *post)
{
	struct isk_packed header;
	size_t first;
	int status;

	if (post && post->size != sizeof(*post))
		return ISK_ERR_POST;
	first = post ? post->first_column : 0;
	if (!packed || (!c && m && n) || (!a && m && n && k)
	    || (post && has_groups(at, bt) && post->group && !post->group_scale && m && n && k))
		return ISK_ERR_NULL;
	if (lda < k || ldc < n)
		return ISK_ERR_STRIDE;
	if (isk_too_large(m, lda, elements[at].bytes) || isk_too_large(m, ldc, elements[ct].bytes))
		return ISK_ERR_SIZE;
	memcpy(&header, packed, sizeof(header));
	status = isk_packed_check_header(&header, elements[bt].packed);
	if (status)
		return status;
	if (header.k != k || first > header.n || n > header.n - first)
		return ISK_ERR_SHAPE;
	return isk_oracle_post_check(at, bt, ct, m, n, k, post);
}

/* Inlined with a constant type: no switch is left where elements are counted in millions. */
static inline __attribute__((always_inline)) double element(const enum isk_element type, const void *x,
                                                            size_t i)
{
	switch (type) {
	case ISK_E_f32:
		return (double)((const float *)x)[i];
	case ISK_E_bf16:
		return (double)isk_oracle_cvt_bf16_f32(((const isk_bf16 *)x)[i]);
	case ISK_E_f16:
		return (double)isk_oracle_cvt_f16_f32(((const isk_f16 *)x)[i]);
	case ISK_E_s8:
		return ((const int8_t *)x)[i];
	case ISK_E_u8:
		return ((const uint8_t *)x)[i];
	case ISK_E_s32:
		return ((const int32_t *)x)[i];
	}
	return (double)NAN;
}

#define ROUND_FLOAT(T, f)                                                      \
	ISK_C_##T isk_oracle_round_##T(double value, const struct isk_post *post)  \
	{                                                                          \
		(void)post;                                                            \
		return f;                                                              \
	}

ROUND_FLOAT(f32, (float)value)
ROUND_FLOAT(bf16, isk_oracle_cvt_f32_bf16((float)value))
ROUND_FLOAT(f16, isk_oracle_cvt_f32_f16((float)value))
ROUND_FLOAT(s32, (int32_t)value)

#define ROUND_QUANTIZED(T)                                                     \
	ISK_C_##T isk_oracle_round_##T(double value, const struct isk_post *post)  \
	{                                                                          \
		return isk_oracle_quantize_f32_##T((float)value, post->out_scale, post->out_zero); \
	}

ROUND_QUANTIZED(s8)
ROUND_QUANTIZED(u8)

/*
 * The operations on a value: each passes on the error it is given and adds what
 * its own roundings may, as a multiple of eps.
 */
static double clamp(double x, double low, double high)
{
	return isnan(x) ? x : fmin(fmax(x, low), high);
}

/* Steepness is the largest |derivative| of f. An activation of 6 ulp errs by up to 12 eps. */
static struct isk_value activated(struct isk_value x, double f, double steepness)
{
	return (struct isk_value){f, x.scale * steepness + 12 * fabs(f)};
}

static struct isk_value activate(struct isk_value x, enum isk_activation act, double a, double b)
{
	const double sixth = fabs(x.v / 6), hard = clamp(x.v / 6 + 0.5, 0, 1);

	switch (act) {
	case ISK_ACT_NONE:
		return x;
	case ISK_ACT_RELU:
		return (struct isk_value){clamp(x.v, 0, HUGE_VAL), x.scale};
	case ISK_ACT_RELU6:
		return (struct isk_value){clamp(x.v, 0, 6), x.scale};
	case ISK_ACT_LEAKY_RELU:
		return activated(x, x.v < 0 ? a * x.v : x.v, fmax(1, fabs(a)));
	case ISK_ACT_SIGMOID:
		return activated(x, isk_oracle_sigmoid_f32(x.v), 0.25);
	case ISK_ACT_HARDSIGMOID:
		return (struct isk_value){hard, x.scale / 6 + (hard > 0 && hard < 1 ? sixth + 1 : 0)};
	case ISK_ACT_TANH:
		return activated(x, isk_oracle_tanh_f32(x.v), 1);
	case ISK_ACT_HARDTANH:
		return (struct isk_value){clamp(x.v, a, b), x.scale};
	case ISK_ACT_HARDSWISH:
		return (struct isk_value){hard > 0 ? x.v * hard : isnan(x.v) ? x.v : 0,
		                      x.scale * 1.5 + fabs(x.v) * (hard > 0 && hard < 1 ? sixth + 2 : 1)};
	case ISK_ACT_GELU:
		return activated(x, isk_oracle_gelu_f32(x.v), 1.2);
	case ISK_ACT_GELU_TANH:
		return activated(x, isk_oracle_gelu_tanh_f32(x.v), 1.2);
	case ISK_ACT_SILU:
		return activated(x, isk_oracle_silu_f32(x.v), 1.2);
	}
	return (struct isk_value){(double)NAN, 0};
}

static struct isk_value combine(struct isk_value x, enum isk_binary binary, double other, double other_scale)
{
	const double term = binary == ISK_BINARY_AXPY ? other_scale * other : other;

	switch (binary) {
	case ISK_BINARY_NONE:
		return x;
	case ISK_BINARY_ADD:
		return (struct isk_value){x.v + term, x.scale + fabs(x.v + term)};
	case ISK_BINARY_SUB:
		return (struct isk_value){x.v - term, x.scale + fabs(x.v - term)};
	case ISK_BINARY_MUL:
		return (struct isk_value){x.v * term, x.scale * fabs(term) + fabs(x.v * term)};
	case ISK_BINARY_AXPY:
		return (struct isk_value){x.v + term, x.scale + fabs(term) + fabs(x.v + term)};
	}
	return (struct isk_value){(double)NAN, 0};
}

struct isk_value isk_oracle_post(struct isk_value x, enum isk_element c, size_t row, size_t col,
                                 const struct isk_post *post)
{
	double other;

	if (!post)
		return x;
	if (post->scales) {
		const double s = (double)post->scale[post->scales == 1 ? 0 : col];

		x = (struct isk_value){x.v * s, x.scale * fabs(s) + fabs(x.v * s)};
	}
	if (post->bias) {
		x.v += (double)post->bias[col];
		x.scale += fabs(x.v);
	}
	x = activate(x, post->act, (double)post->act_a, (double)post->act_b);
	other = post->binary ? element(c, post->other, row * post->ldother + col) : 0;
	return combine(x, post->binary, other, (double)post->other_scale);
}

/* A sum of floats: so many roundings of each of its terms, which size is the sum of, without their signs. */
struct sum {
	long double sum, size;
};

static inline __attribute__((always_inline)) struct sum
add_terms(const enum isk_element at, const void *a, size_t step_a, const enum isk_element bt,
          const struct isk_column *b, size_t from, size_t to)
{
	struct sum s = {0, 0};

	for (size_t i = from; i < to; i++) {
		const size_t place_b = i / b->group * b->stride + i % b->group;
		const long double x = (long double)element(at, a, i * step_a);
		const long double term = x * (long double)element(bt, b->first, place_b);

		s.sum += term;
		s.size += fabsl(term);
	}
	return s;
}

struct isk_value isk_oracle_terms_f32(const float *a, size_t step_a, const float *b, size_t step_b, size_t k)
{
	const struct isk_column column = {b, 1, step_b};
	const struct sum s = add_terms(ISK_E_f32, a, step_a, ISK_E_f32, &column, 0, k);

	return (struct isk_value){(double)s.sum, (double)k * (double)s.size};
}

/*
 * With groups, a term is rounded in its group, of at most as many terms, and then
 * once for each group: at most k + 1 times.
 */
static inline __attribute__((always_inline)) struct isk_value
float_sum(const enum isk_element at, const void *a, const enum isk_element bt, const struct isk_column *b,
          size_t k, size_t col, const struct isk_post *post)
{
	const size_t group = post && post->group ? post->group : 0;
	struct sum s = {0, 0};

	if (!group)
		s = add_terms(at, a, 1, bt, b, 0, k);
	for (size_t i = 0; group && i < k; i += group) {
		const long double scale = (long double)post->group_scale[i / group * post->ldgroup + col];
		const struct sum part = add_terms(at, a, 1, bt, b, i, k - i < group ? k : i + group);

		s.sum += part.sum * scale;
		s.size += part.size * fabsl(scale);
	}
	return (struct isk_value){(double)s.sum, (double)(k + (group != 0)) * (double)s.size};
}

/* Modulo 2^32, then a signed number; only an s32 C takes all its bits. */
static inline __attribute__((always_inline)) struct isk_value
integer_sum(const enum isk_element at, const void *a, const struct isk_column *b, size_t k,
            const enum isk_element ct, size_t col, const struct isk_post *post)
{
	const uint32_t a_zero = post ? (uint32_t)post->a_zero : 0;
	const uint32_t b_zero = post && post->b_zeros ? (uint32_t)post->b_zero[post->b_zeros == 1 ? 0 : col] : 0;
	const int8_t *column = b->first;
	uint32_t sum = 0;
	double v;

	for (size_t i = 0; i < k; i++)
		sum += ((uint32_t)(int32_t)element(at, a, i) - a_zero)
		       * ((uint32_t)column[i / b->group * b->stride + i % b->group] - b_zero);
	v = (int32_t)sum;
	return (struct isk_value){v, ct == ISK_E_s32 ? 0 : fabs(v)};
}

#define GEMM(name, A, B, C)                                                    \
	double isk_oracle_##name(const ISK_C_##A *a, const struct isk_column *b, size_t k, size_t row, \
	                         size_t col, const struct isk_post *post, double *scale) \
	{                                                                          \
		const int integers = ISK_E_##A == ISK_E_s8 || ISK_E_##A == ISK_E_u8;   \
		const struct isk_value sum = integers ? integer_sum(ISK_E_##A, a, b, k, ISK_E_##C, col, post) \
		                                      : float_sum(ISK_E_##A, a, ISK_E_##B, b, k, col, post); \
		const struct isk_value x = isk_oracle_post(sum, ISK_E_##C, row, col, post); \
                                                                               \
		*scale = x.scale;                                                      \
		return x.v;                                                            \
	}                                                                          \
	int isk_oracle_check_##name(ISK_C_##C *c, const ISK_C_##A *a, const void *packed, size_t m, size_t n, \
	                            size_t k, size_t ldc, size_t lda, const struct isk_post *post) \
	{                                                                          \
		return check(ISK_E_##A, ISK_E_##B, ISK_E_##C, c, a, packed, m, n, k, ldc, lda, post); \
	}

GEMM(gemm_f32, f32, f32, f32)
GEMM(gemm_f32bf16, f32, bf16, f32)
GEMM(gemm_f32f16, f32, f16, f32)
GEMM(gemm_f32s8, f32, s8, f32)
GEMM(gemm_bf16, bf16, bf16, bf16)
GEMM(gemm_bf16_f32, bf16, bf16, f32)
GEMM(gemm_f16, f16, f16, f16)
GEMM(gemm_f16_f32, f16, f16, f32)
GEMM(gemm_u8s8_s32, u8, s8, s32)
GEMM(gemm_u8s8_f32, u8, s8, f32)
GEMM(gemm_u8s8_s8, u8, s8, s8)
GEMM(gemm_u8s8_u8, u8, s8, u8)
GEMM(gemm_s8s8_s32, s8, s8, s32)
GEMM(gemm_s8s8_f32, s8, s8, f32)
GEMM(gemm_s8s8_s8, s8, s8, s8)
GEMM(gemm_s8s8_u8, s8, s8, u8)

struct isk_column isk_oracle_packed_column(const void *packed, size_t col)
{
	struct isk_packed header;
	size_t group, first;

	memcpy(&header, packed, sizeof(header));
	group = isk_packed_group(header.type);
	first = place(header.type, isk_packed_depth(header.type, header.k), 0, col);
	return (struct isk_column){(const unsigned char *)packed + ISK_PACKED_LINE + 4 / group * first, group,
	                           group * ISK_PACKED_PANEL};
}
