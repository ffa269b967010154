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

static int too_large(size_t rows, size_t stride, size_t element)
{
	size_t bytes;

	return __builtin_mul_overflow(rows, stride, &bytes) || __builtin_mul_overflow(bytes, element, &bytes);
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
		if (need == 0 || too_large(rows, ldb, sizeof(*b)))                     \
			return ISK_ERR_SIZE;                                               \
		if (ldb < row)                                                         \
			return ISK_ERR_STRIDE;                                             \
		if (bytes < need)                                                      \
			return ISK_ERR_SPACE;                                              \
		memset(packed, 0, need);                                               \
		for (size_t i = 0; i < rows; i++)                                      \
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

int isk_oracle_gemm_check(enum isk_type type, const void *c, const void *a, const void *packed, size_t m,
                          size_t n, size_t k, size_t ldc, size_t lda, const struct isk_post *post)
{
	const size_t element = type == ISK_F32 ? 4 : type == ISK_S8 ? 1 : 2;
	const size_t first = post ? post->first_column : 0;
	struct isk_packed header;
	int status;

	if (!packed || (!c && m && n) || (!a && m && n && k))
		return ISK_ERR_NULL;
	if (lda < k || ldc < n)
		return ISK_ERR_STRIDE;
	if (too_large(m, lda, element) || too_large(m, ldc, element))
		return ISK_ERR_SIZE;
	memcpy(&header, packed, sizeof(header));
	status = isk_packed_check_header(&header, type);
	if (status)
		return status;
	if (header.k != k || first > header.n || n > header.n - first)
		return ISK_ERR_SHAPE;
	if (!post)
		return ISK_OK;
	if (post->size != sizeof(*post) || first % ISK_PACKED_PANEL || post->act < 0
	    || post->act > ISK_ACT_SILU || post->binary < 0 || post->binary > ISK_BINARY_AXPY
	    || (post->scales > 1 && post->scales != n))
		return ISK_ERR_POST;
	if (type != ISK_S8
	    && (post->a_zero || post->b_zeros || post->out_scale < 0 || post->out_scale > 0 || post->out_zero))
		return ISK_ERR_POST;
	if ((post->scales && !post->scale) || (post->binary && m && n && !post->other))
		return ISK_ERR_NULL;
	if (post->binary && post->ldother < n)
		return ISK_ERR_STRIDE;
	if (post->binary && too_large(m, post->ldother, element))
		return ISK_ERR_SIZE;
	return ISK_OK;
}

/*
 * A value on its way through the post-operations, and what eps and the bound of
 * the row are multiplied by for its error. Each operation passes on the error
 * it is given and adds what its own roundings may: a multiple of eps.
 */
struct value {
	double v, scale;
};

static double clamp(double x, double low, double high)
{
	return isnan(x) ? x : fmin(fmax(x, low), high);
}

/* Steepness is the largest |derivative| of f. An activation of 6 ulp errs by up to 12 eps. */
static struct value activated(struct value x, double f, double steepness)
{
	return (struct value){f, x.scale * steepness + 12 * fabs(f)};
}

static struct value activate(struct value x, enum isk_activation act, double a, double b)
{
	const double sixth = fabs(x.v / 6), hard = clamp(x.v / 6 + 0.5, 0, 1);

	switch (act) {
	case ISK_ACT_NONE:
		return x;
	case ISK_ACT_RELU:
		return (struct value){clamp(x.v, 0, HUGE_VAL), x.scale};
	case ISK_ACT_RELU6:
		return (struct value){clamp(x.v, 0, 6), x.scale};
	case ISK_ACT_LEAKY_RELU:
		return activated(x, x.v < 0 ? a * x.v : x.v, fmax(1, fabs(a)));
	case ISK_ACT_SIGMOID:
		return activated(x, isk_oracle_sigmoid_f32(x.v), 0.25);
	case ISK_ACT_HARDSIGMOID:
		return (struct value){hard, x.scale / 6 + (hard > 0 && hard < 1 ? sixth + 1 : 0)};
	case ISK_ACT_TANH:
		return activated(x, isk_oracle_tanh_f32(x.v), 1);
	case ISK_ACT_HARDTANH:
		return (struct value){clamp(x.v, a, b), x.scale};
	case ISK_ACT_HARDSWISH:
		return (struct value){hard > 0 ? x.v * hard : isnan(x.v) ? x.v : 0,
		                      x.scale * 1.5 + fabs(x.v) * (hard > 0 && hard < 1 ? sixth + 2 : 1)};
	case ISK_ACT_GELU:
		return activated(x, isk_oracle_gelu_f32(x.v), 1.2);
	case ISK_ACT_GELU_TANH:
		return activated(x, isk_oracle_gelu_tanh_f32(x.v), 1.2);
	case ISK_ACT_SILU:
		return activated(x, isk_oracle_silu_f32(x.v), 1.2);
	}
	return (struct value){(double)NAN, 0};
}

static struct value combine(struct value x, enum isk_binary binary, double other, double other_scale)
{
	const double term = binary == ISK_BINARY_AXPY ? other_scale * other : other;

	switch (binary) {
	case ISK_BINARY_NONE:
		return x;
	case ISK_BINARY_ADD:
		return (struct value){x.v + term, x.scale + fabs(x.v + term)};
	case ISK_BINARY_SUB:
		return (struct value){x.v - term, x.scale + fabs(x.v - term)};
	case ISK_BINARY_MUL:
		return (struct value){x.v * term, x.scale * fabs(term) + fabs(x.v * term)};
	case ISK_BINARY_AXPY:
		return (struct value){x.v + term, x.scale + fabs(term) + fabs(x.v + term)};
	}
	return (struct value){(double)NAN, 0};
}

#define GEMM(name, T)                                                          \
	double isk_oracle_##name(const ISK_C_##T *a, const ISK_C_##T *b, size_t ldb, size_t k, size_t row, \
	                         size_t col, const struct isk_post *post, double *scale) \
	{                                                                          \
		long double sum = 0, size = 0;                                         \
		struct value x;                                                        \
                                                                               \
		for (size_t i = 0; i < k; i++) {                                       \
			const long double term = (long double)a[i] * (long double)b[i * ldb]; \
                                                                               \
			sum += term;                                                       \
			size += fabsl(term);                                               \
		}                                                                      \
		x = (struct value){(double)sum, (double)k * (double)size};             \
		if (post && post->scales) {                                            \
			const double s = (double)post->scale[post->scales == 1 ? 0 : col]; \
                                                                               \
			x = (struct value){x.v * s, x.scale * fabs(s) + fabs(x.v * s)};    \
		}                                                                      \
		if (post && post->bias) {                                              \
			x.v += (double)post->bias[col];                                    \
			x.scale += fabs(x.v);                                              \
		}                                                                      \
		if (post) {                                                            \
			const ISK_C_##T *other = post->other;                              \
                                                                               \
			x = activate(x, post->act, (double)post->act_a, (double)post->act_b); \
			x = combine(x, post->binary, post->binary ? (double)other[row * post->ldother + col] : 0, \
			            (double)post->other_scale);                            \
		}                                                                      \
		*scale = x.scale;                                                      \
		return x.v;                                                            \
	}

GEMM(gemm_f32, f32)

/* The first element of a column; the next one is ISK_PACKED_PANEL on. */
const void *isk_oracle_packed_column(const void *packed, size_t col)
{
	struct isk_packed header;

	memcpy(&header, packed, sizeof(header));
	return (const unsigned char *)packed + ISK_PACKED_LINE
	       + ISK_PACKED_LINE / ISK_PACKED_PANEL
	             * (place((enum isk_type)header.type, isk_packed_depth(header.type, header.k), 0, col)
	                / isk_packed_group(header.type));
}
