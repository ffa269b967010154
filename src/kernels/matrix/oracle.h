/* SPDX-License-Identifier: MIT */
/*
 * The oracles of the matrix kernels, and the checks of their references. The
 * layout of a packed matrix is written here from its description in packed.h,
 * element by element; only the header and the sum over it are shared.
 */
TRANSPOSE(transpose, i * ldx + j)
IMAGES(nchw_nhwc, i % channels * pixels + i / channels)
IMAGES(nhwc_nchw, i % pixels * channels + i / pixels)

#if !ISK_WIDE

#include "packed.h"
#include "products.h"

/* Whether the bytes of these rows overflow size_t. */
static int too_large(size_t rows, size_t stride, size_t element)
{
	size_t bytes;

	return __builtin_mul_overflow(rows, stride, &bytes) || __builtin_mul_overflow(bytes, element, &bytes);
}

/* The index of element (depth, col) of a packed matrix, counted in elements from its first panel. */
static size_t place(enum isk_type type, size_t lines, size_t depth, size_t col)
{
	const size_t group = isk_packed_group(type), columns = isk_packed_columns(type), panel = col / columns;

	return ((panel * lines + depth / group) * columns + col % columns) * group + depth % group;
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

/* Computes the lines of sums that follow the panels of s8. */
static void sum_columns(void *packed, enum isk_type type, size_t k, size_t n)
{
	const size_t lines = isk_packed_depth(type, k), panels = isk_packed_panels(type, n);
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

/* Puts the lines of scales behind the sums, for each panel those of its groups. */
static void put_scales(void *packed, enum isk_type type, size_t k, size_t n, const struct isk_groups *groups)
{
	const size_t panels = isk_packed_panels(type, n), lines = isk_packed_groups(groups->group, k);
	unsigned char *scales =
		(unsigned char *)packed + ISK_PACKED_LINE * (1 + panels * (isk_packed_depth(type, k) + 1));

	for (size_t g = 0; g < lines; g++)
		for (size_t col = 0; col < n; col++)
			memcpy(scales + 4 * place(ISK_F32, lines, g, col), &groups->scale[g * groups->ldscale + col], sizeof(float));
}

ISK_TESTED int isk_oracle_pack(enum isk_type type, const struct isk_args_pack *p, const struct isk_groups *groups)
{
	const size_t scale_k = groups ? groups->group : 0;
	const size_t need = isk_packed_bytes(type, p->k, p->n, scale_k), lines = isk_packed_depth(type, p->k);
	const size_t row = p->transposed ? p->k : p->n, rows = p->transposed ? p->n : p->k;
	unsigned char *panels = (unsigned char *)p->packed + ISK_PACKED_LINE;
	struct isk_packed header;

	if (!p->packed || (!p->b && p->k && p->n) || (groups && !groups->scale && p->k && p->n))
		return ISK_ERR_NULL;
	if (need == 0 || too_large(rows, p->ldb, isk_element_bytes(type))
	    || (groups && too_large(isk_packed_groups(scale_k, p->k), groups->ldscale, sizeof(float))))
		return ISK_ERR_SIZE;
	if (p->ldb < row || (groups && groups->ldscale < p->n))
		return ISK_ERR_STRIDE;
	if (p->bytes < need)
		return ISK_ERR_SPACE;
	memset(p->packed, 0, need);
	for (size_t i = 0; i < rows && row; i++)
		for (size_t j = 0; j < row; j++)
			isk_element_set_bits(type, panels, p->transposed ? place(type, lines, j, i) : place(type, lines, i, j),
			                     isk_element_bits(type, p->b, i * p->ldb + j));
	sum_columns(p->packed, type, p->k, p->n);
	if (groups && p->k)
		put_scales(p->packed, type, p->k, p->n, groups);
	header = isk_packed_header(type, p->k, p->n, scale_k, least_exponent(p->packed, type, need),
	                           payload_check(p->packed, need));
	memcpy(p->packed, &header, sizeof(header));
	return ISK_OK;
}

static int is_8bit(enum isk_type type)
{
	return type == ISK_S8 || type == ISK_U8;
}

/* Whether a number of scales or zero points is none of 0, 1 (for all columns) and n (one a column). */
static int wrong_count(size_t count, size_t n)
{
	return count > 1 && count != n;
}

/* Whether a zero point is no value of this 8-bit type, or not 0 for other types. */
static int wrong_zero(int32_t zero, enum isk_type type)
{
	return is_8bit(type) ? zero < (type == ISK_S8 ? INT8_MIN : 0) || zero > (type == ISK_S8 ? INT8_MAX : UINT8_MAX)
	                     : zero != 0;
}

/* Whether B may have scales for groups of k. */
static int has_groups(enum isk_type a, enum isk_type b)
{
	return a == ISK_F32 && b == ISK_S8;
}

static int check_post(enum isk_type a, enum isk_type c, size_t m, size_t n, const struct isk_post *post)
{
	const int quantized = is_8bit(c), integers = is_8bit(a);

	if (!post)
		return quantized ? ISK_ERR_POST : ISK_OK;
	if (post->size != sizeof(*post) || post->first_column % ISK_PACKED_PANEL || post->act < ISK_ACT_NONE
	    || post->act > ISK_ACT_SILU || post->binary < ISK_BINARY_NONE || post->binary > ISK_BINARY_AXPY
	    || wrong_count(post->scales, n))
		return ISK_ERR_POST;
	if (c == ISK_S32 && (post->scales || post->row_scale || post->bias || post->act || post->binary))
		return ISK_ERR_POST;
	if (c == ISK_F64 && isk_needs_exp(post->act))
		return ISK_ERR_POST;
	if (wrong_zero(post->a_zero, a) || wrong_count(post->b_zeros, n) || (post->b_zeros && !integers)
	    || (post->row_zero && (!integers || post->a_zero)))
		return ISK_ERR_POST;
	if (wrong_zero(post->out_zero, c) || (quantized && !(post->out_scale > 0 && isfinite(post->out_scale)))
	    || (!quantized && fpclassify(post->out_scale) != FP_ZERO))
		return ISK_ERR_POST;
	if (m && n && ((post->scales && !post->scale) || (post->b_zeros && !post->b_zero)
	               || (post->binary && !post->other)))
		return ISK_ERR_NULL;
	if (post->binary && post->ldother < n)
		return ISK_ERR_STRIDE;
	if (post->binary && too_large(m, post->ldother, isk_element_bytes(c)))
		return ISK_ERR_SIZE;
	return ISK_OK;
}

ISK_TESTED int isk_check_gemm(const enum isk_type types[3], const struct isk_args_gemm *g)
{
	const struct isk_post *post = g->post;
	struct isk_packed header;
	size_t first;
	int status;

	if (post && post->size != sizeof(*post))
		return ISK_ERR_POST;
	first = post ? post->first_column : 0;
	if (!g->packed || (!g->c && g->m && g->n) || (!g->a && g->m && g->n && g->k))
		return ISK_ERR_NULL;
	if (g->lda < g->k || g->ldc < g->n)
		return ISK_ERR_STRIDE;
	if (too_large(g->m, g->lda, isk_element_bytes(types[0])) || too_large(g->m, g->ldc, isk_element_bytes(types[2])))
		return ISK_ERR_SIZE;
	memcpy(&header, g->packed, sizeof(header));
	status = isk_packed_check_header(&header, types[1]);
	if (status)
		return status;
	if (header.scale_k && !has_groups(types[0], types[1]))
		return ISK_ERR_TYPE;
	if (header.k != g->k || first > header.n || g->n > header.n - first)
		return ISK_ERR_SHAPE;
	return check_post(types[0], types[2], g->m, g->n, post);
}

/* Whether the bytes of a batch of matrices, a distance apart, overflow size_t. */
static int too_far(size_t batch, size_t distance, size_t rows, size_t stride, size_t element)
{
	size_t all, one;

	return __builtin_mul_overflow(batch, distance, &all) || __builtin_mul_overflow(rows, stride, &one)
	       || __builtin_add_overflow(all, one, &all) || __builtin_mul_overflow(all, element, &all);
}

static int check_batch(size_t bytes, const struct isk_args_matmul_batch *g)
{
	const int below = g->n <= g->stride_c && (g->m - 1) * g->ldc + g->n <= g->stride_c;
	const int beside = g->n <= g->stride_c && g->stride_c <= (g->ldc - g->n) / (g->batch > 1 ? g->batch - 1 : 1);

	if (g->batch > 1 && !below && !beside)
		return ISK_ERR_STRIDE;
	if (too_far(g->batch, g->stride_c, g->m, g->ldc, bytes)
	    || too_far(g->batch, g->stride_a, g->transposed & ISK_TRANSPOSED_A ? g->k : g->m, g->lda, bytes)
	    || too_far(g->batch, g->stride_b, g->transposed & ISK_TRANSPOSED_B ? g->n : g->k, g->ldb, bytes)
	    || (g->post && g->post->binary && too_far(g->batch, g->stride_c, g->m, g->post->ldother, bytes)))
		return ISK_ERR_SIZE;
	return ISK_OK;
}

ISK_TESTED int isk_check_matmul(enum isk_type type, const struct isk_args_matmul_batch *g)
{
	const int a_transposed = g->transposed & ISK_TRANSPOSED_A, b_transposed = g->transposed & ISK_TRANSPOSED_B;
	const size_t m = g->batch ? g->m : 0, bytes = isk_element_bytes(type);
	const size_t a_rows = a_transposed ? g->k : m, a_cols = a_transposed ? m : g->k;
	const size_t b_rows = b_transposed ? g->n : g->k, b_cols = b_transposed ? g->k : g->n;
	int status;

	if (g->post && (g->post->size != sizeof(*g->post) || g->post->first_column))
		return ISK_ERR_POST;
	if (g->transposed & ~(unsigned)(ISK_TRANSPOSED_A | ISK_TRANSPOSED_B))
		return ISK_ERR_SHAPE;
	if (m && g->n && (!g->c || (g->k && (!g->a || !g->b))))
		return ISK_ERR_NULL;
	if (g->lda < a_cols || g->ldb < b_cols || g->ldc < g->n)
		return ISK_ERR_STRIDE;
	if (too_large(a_rows, g->lda, bytes) || too_large(b_rows, g->ldb, bytes) || too_large(m, g->ldc, bytes))
		return ISK_ERR_SIZE;
	status = check_post(type, type, m, g->n, g->post);
	return status || !m || !g->n ? status : check_batch(bytes, g);
}

/* Inlined with a constant type, so that loops over millions of elements contain no switch. */
static inline __attribute__((always_inline)) double element_of(const enum isk_type type, const void *x, size_t i)
{
	switch (type) {
	case ISK_F32:
		return (double)((const float *)x)[i];
	case ISK_F64:
		return ((const double *)x)[i];
	case ISK_S8:
		return ((const int8_t *)x)[i];
	case ISK_U8:
		return ((const uint8_t *)x)[i];
	default:
		return isk_element_value(type, isk_element_bits(type, x, i));
	}
}

/*
 * The operations on a value. Each passes on the error of its operand and adds that of its
 * own roundings, as a multiple of eps.
 */
static long double clamp(long double x, long double low, long double high)
{
	return isnan(x) ? x : fminl(fmaxl(x, low), high);
}

static double size_of(long double x)
{
	return (double)fabsl(x);
}

/* steepness is the largest |derivative| of f. An error of 6 ulp in an activation is up to 12 eps. */
static struct isk_value activated(struct isk_value x, long double f, double steepness)
{
	return (struct isk_value){f, x.scale * steepness + 12 * size_of(f)};
}

static struct isk_value activate(struct isk_value x, enum isk_activation act, double a, double b)
{
	const long double hard = clamp(x.v / 6 + 0.5L, 0, 1);
	const double sixth = size_of(x.v / 6), v = (double)x.v;

	switch (act) {
	case ISK_ACT_NONE:
		return x;
	case ISK_ACT_RELU:
		return (struct isk_value){clamp(x.v, 0, (long double)HUGE_VAL), x.scale};
	case ISK_ACT_RELU6:
		return (struct isk_value){clamp(x.v, 0, 6), x.scale};
	case ISK_ACT_LEAKY_RELU:
		return activated(x, x.v < 0 ? (long double)a * x.v : x.v, fmax(1, fabs(a)));
	case ISK_ACT_SIGMOID:
		return activated(x, (long double)oracle_sigmoid_plain(v), 0.25);
	case ISK_ACT_HARDSIGMOID:
		return (struct isk_value){hard, x.scale / 6 + (hard > 0 && hard < 1 ? sixth + 1 : 0)};
	case ISK_ACT_TANH:
		return activated(x, (long double)oracle_tanh_plain(v), 1);
	case ISK_ACT_HARDTANH:
		return (struct isk_value){clamp(x.v, (long double)a, (long double)b), x.scale};
	case ISK_ACT_HARDSWISH:
		return (struct isk_value){hard > 0 ? x.v * hard : isnan(x.v) ? x.v : 0,
		                      x.scale * 1.5 + size_of(x.v) * (hard > 0 && hard < 1 ? sixth + 2 : 1)};
	case ISK_ACT_GELU:
		return activated(x, (long double)oracle_gelu_plain(v), 1.2);
	case ISK_ACT_GELU_TANH:
		return activated(x, (long double)oracle_gelu_tanh_plain(v), 1.2);
	case ISK_ACT_SILU:
		return activated(x, (long double)oracle_silu_plain(v), 1.2);
	}
	return (struct isk_value){(long double)NAN, 0};
}

/* A scalar of a post as kernels take it. */
static double rounded_to(enum isk_type type, double x)
{
	return type == ISK_F64 ? x : (double)(float)x;
}

static struct isk_value combine(struct isk_value x, enum isk_binary binary, long double other, long double other_scale)
{
	const long double term = binary == ISK_BINARY_AXPY ? other_scale * other : other;

	switch (binary) {
	case ISK_BINARY_NONE:
		return x;
	case ISK_BINARY_ADD:
		return (struct isk_value){x.v + term, x.scale + size_of(x.v + term)};
	case ISK_BINARY_SUB:
		return (struct isk_value){x.v - term, x.scale + size_of(x.v - term)};
	case ISK_BINARY_MUL:
		return (struct isk_value){x.v * term, x.scale * size_of(term) + size_of(x.v * term)};
	case ISK_BINARY_AXPY:
		return (struct isk_value){x.v + term, x.scale + size_of(term) + size_of(x.v + term)};
	}
	return (struct isk_value){(long double)NAN, 0};
}

ISK_TESTED struct isk_value isk_oracle_post(struct isk_value x, enum isk_type c, size_t row, size_t col,
                                            const struct isk_post *post)
{
	const enum isk_type type = isk_post_type(c);
	double other;

	if (!post)
		return x;
	if (post->scales || post->row_scale) {
		/* The product of the two scales is rounded too. */
		const long double s = (post->scales ? (long double)element_of(type, post->scale, post->scales == 1 ? 0 : col) : 1)
		                      * (post->row_scale ? (long double)element_of(type, post->row_scale, row) : 1);
		const int roundings = post->scales && post->row_scale ? 2 : 1;

		x = (struct isk_value){x.v * s, x.scale * size_of(s) + roundings * size_of(x.v * s)};
	}
	if (post->bias) {
		x.v += (long double)element_of(type, post->bias, col);
		x.scale += size_of(x.v);
	}
	x = activate(x, post->act, rounded_to(type, post->act_a), rounded_to(type, post->act_b));
	other = post->binary ? element_of(c, post->other, row * post->ldother + col) : 0;
	return combine(x, post->binary, (long double)other, (long double)rounded_to(type, post->other_scale));
}

/* A sum of floats. size is the sum of the magnitudes of its terms, each of which is rounded up to k times. */
struct sum {
	long double sum, size;
};

static inline __attribute__((always_inline)) struct sum
add_terms(const enum isk_type at, const void *a, size_t step_a, const enum isk_type bt,
          const struct isk_column *b, size_t from, size_t to)
{
	struct sum s = {0, 0};

	for (size_t i = from; i < to; i++) {
		const size_t place_b = i / b->group * b->stride + i % b->group;
		const long double x = (long double)element_of(at, a, i * step_a);
		const long double term = x * (long double)element_of(bt, b->first, place_b);

		s.sum += term;
		s.size += fabsl(term);
	}
	return s;
}

/*
 * With groups, a term is rounded once for each term of its group, and then once for each
 * group: at most k + 1 times.
 */
static inline __attribute__((always_inline)) struct isk_value
float_sum(const enum isk_type at, const void *a, size_t step_a, const enum isk_type bt, const struct isk_column *b,
          size_t k)
{
	const size_t group = b->scale_k;
	struct sum s = {0, 0};

	if (!group)
		s = add_terms(at, a, step_a, bt, b, 0, k);
	for (size_t i = 0; group && i < k; i += group) {
		const long double scale = (long double)element_of(ISK_F32, b->scale, i / group * ISK_PACKED_PANEL);
		const struct sum part = add_terms(at, a, step_a, bt, b, i, k - i < group ? k : i + group);

		s.sum += part.sum * scale;
		s.size += part.size * fabsl(scale);
	}
	return (struct isk_value){s.sum, (double)(k + (group != 0)) * (double)s.size};
}

/* A sum modulo 2^32 as a signed number, of which only an s32 C takes all bits. */
static inline __attribute__((always_inline)) struct isk_value
integer_sum(const enum isk_type at, const void *a, size_t step_a, const struct isk_column *b, size_t k,
            const enum isk_type ct, size_t row, size_t col, const struct isk_post *post)
{
	const uint32_t a_zero = !post ? 0 : (uint32_t)(post->row_zero ? post->row_zero[row] : post->a_zero);
	const uint32_t b_zero = post && post->b_zeros ? (uint32_t)post->b_zero[post->b_zeros == 1 ? 0 : col] : 0;
	const int8_t *column = b->first;
	uint32_t sum = 0;
	long double v;

	for (size_t i = 0; i < k; i++)
		sum += ((uint32_t)(int32_t)element_of(at, a, i * step_a) - a_zero)
		       * ((uint32_t)column[i / b->group * b->stride + i % b->group] - b_zero);
	v = (int32_t)sum;
	return (struct isk_value){v, ct == ISK_S32 ? 0 : size_of(v)};
}

#define SUM_OF_FLOATS(at, bt)                                                  \
	if (types[0] == at && types[1] == bt)                                      \
		sum = float_sum(at, a, step_a, bt, b, k);
#define SUM_OF_INTEGERS(at)                                                    \
	if (types[0] == at && types[1] == ISK_S8)                                  \
		sum = integer_sum(at, a, step_a, b, k, types[2], row, col, post);

ISK_TESTED struct isk_value isk_oracle_product(const enum isk_type types[3], const void *a, size_t step_a,
                                               const struct isk_column *b, size_t k, size_t row, size_t col,
                                               const struct isk_post *post)
{
	struct isk_value sum = {(long double)NAN, 0};

	SUM_OF_FLOATS(ISK_F32, ISK_F32)
	SUM_OF_FLOATS(ISK_F64, ISK_F64)
	SUM_OF_FLOATS(ISK_F32, ISK_BF16)
	SUM_OF_FLOATS(ISK_F32, ISK_F16)
	SUM_OF_FLOATS(ISK_F32, ISK_S8)
	SUM_OF_FLOATS(ISK_BF16, ISK_BF16)
	SUM_OF_FLOATS(ISK_F16, ISK_F16)
	SUM_OF_INTEGERS(ISK_U8)
	SUM_OF_INTEGERS(ISK_S8)
	return isk_oracle_post(sum, types[2], row, col, post);
}

ISK_TESTED struct isk_column isk_oracle_packed_column(const void *packed, size_t col)
{
	const unsigned char *lines = (const unsigned char *)packed + ISK_PACKED_LINE;
	struct isk_packed header;
	size_t group, depth, before;

	memcpy(&header, packed, sizeof(header));
	group = isk_packed_group(header.type);
	depth = isk_packed_depth(header.type, header.k);
	/* the lines before the scales: panels and sums of s8, the only type with scales */
	before = isk_packed_panels(header.type, header.n) * (depth + 1);
	return (struct isk_column){
		lines + isk_element_bytes(header.type) * place(header.type, depth, 0, col), group,
		group * isk_packed_columns(header.type), header.scale_k,
		lines + ISK_PACKED_LINE * before
			+ sizeof(float) * place(ISK_F32, isk_packed_groups(header.scale_k, header.k), 0, col)};
}

/*
 * Gives the sink an element of C from its value and the number of its terms. An 8-bit C is quantized with the output
 * scale and zero point; a value near the middle of two integers may become either.
 */
static void put_product(struct isk_sink *s, void *c, size_t i, enum isk_type type, struct isk_value x, size_t k,
                        const struct isk_post *post)
{
	size_t underflows = 4 * (k + 16);

	if (is_8bit(type)) {
		x.v = (long double)oracle_quantize_plain((double)(float)x.v, post->out_scale, post->out_zero);
		x.v = (long double)isk_element_value(type, isk_element_round(type, x.v));
		x.scale /= (double)post->out_scale;
		underflows = 1;
	}
	s->put(s, c, i, type, x.v, (long double)x.scale, underflows);
}

/* Operations of these shapes differ by their types alone, and one form serves f64 as well. */
#define oracle_gemm_pack_plain        isk_oracle_pack
#define oracle_gemm_pack_groups_plain isk_oracle_pack
#define oracle_gemm_plain             isk_check_gemm
#define oracle_matmul_plain           isk_check_matmul
#define oracle_matmul_batch_plain     isk_check_matmul
#define oracle_gemm_pack_wide         isk_oracle_pack
#define oracle_gemm_wide              isk_check_gemm
#define oracle_matmul_wide            isk_check_matmul
#define oracle_matmul_batch_wide      isk_check_matmul
#define form_pack_wide                form_pack_plain
#define form_gemm_wide                form_gemm_plain
#define form_matmul_wide              form_matmul_plain
#define form_matmul_batch_wide        form_matmul_batch_plain
#define form_matmul_complex_wide      form_matmul_complex_plain

ISK_SHARED static void form_pack_plain(struct isk_sink *s, const enum isk_type *types, struct isk_args_pack *a,
                            isk_oracle_packing *oracle)
{
	(void)s;
	a->result.status = oracle(types[0], a, NULL);
}

ISK_SHARED static void form_pack_groups_plain(struct isk_sink *s, const enum isk_type *types,
                                              struct isk_args_pack_groups *a, isk_oracle_packing *oracle)
{
	const struct isk_args_pack p = {
		.packed = a->packed, .b = a->b, .bytes = a->bytes, .k = a->k, .n = a->n, .ldb = a->ldb,
		.transposed = a->transposed,
	};
	const struct isk_groups *groups = a->groups;

	(void)s;
	if (!groups)
		a->result.status = ISK_ERR_NULL;
	else if (groups->size != sizeof(*groups) || (groups->group != 32 && groups->group != 64 && groups->group != 128))
		a->result.status = ISK_ERR_STRUCT;
	else
		a->result.status = oracle(types[0], &p, groups);
}

ISK_SHARED static void form_gemm_plain(struct isk_sink *s, const enum isk_type *types, struct isk_args_gemm *g,
                            int (*check)(const enum isk_type types[3], const struct isk_args_gemm *g))
{
	const size_t row = g->lda * isk_element_bytes(types[0]);

	g->result.status = check(types, g);
	if (g->result.status || !g->m)
		return;
	for (size_t j = 0; j < g->n; j++) {
		const struct isk_column b =
			isk_oracle_packed_column(g->packed, (g->post ? g->post->first_column : 0) + j);

		for (size_t i = 0; i < g->m; i++)
			put_product(s, g->c, i * g->ldc + j, types[2],
			            isk_oracle_product(types, (const char *)g->a + i * row, 1, &b, g->k, i, j, g->post), g->k, g->post);
	}
}

ISK_SHARED static void form_matmul_batch_plain(struct isk_sink *s, const enum isk_type *types,
                                    struct isk_args_matmul_batch *g,
                                    int (*check)(enum isk_type type, const struct isk_args_matmul_batch *g))
{
	const size_t bytes = isk_element_bytes(types[0]);
	const int across_a = g->transposed & ISK_TRANSPOSED_A, across_b = g->transposed & ISK_TRANSPOSED_B;
	const size_t row_a = across_a ? 1 : g->lda, step_a = across_a ? g->lda : 1;
	const size_t step_b = across_b ? 1 : g->ldb, col_b = across_b ? g->ldb : 1;
	const enum isk_type all[] = {types[0], types[0], types[0]};
	struct isk_post each = {.size = sizeof(each)};

	g->result.status = check(types[0], g);
	if (g->result.status || !g->m || !g->n)
		return;
	if (g->post)
		each = *g->post;
	for (size_t which = 0; which < g->batch; which++) {
		const char *a = (const char *)g->a + which * g->stride_a * bytes;
		const char *b = (const char *)g->b + which * g->stride_b * bytes;

		for (size_t i = 0; i < g->m; i++)
			for (size_t j = 0; j < g->n; j++) {
				const struct isk_column column = {b + j * col_b * bytes, 1, step_b, 0, NULL};

				put_product(s, g->c, which * g->stride_c + i * g->ldc + j, types[0],
				            isk_oracle_product(all, a + i * row_a * bytes, step_a, &column, g->k, i, j, &each), g->k, &each);
			}
		if (each.binary)
			each.other = (const char *)each.other + g->stride_c * bytes;
	}
}

ISK_SHARED static void form_matmul_plain(struct isk_sink *s, const enum isk_type *types, struct isk_args_matmul *g,
                              int (*check)(enum isk_type type, const struct isk_args_matmul_batch *g))
{
	struct isk_args_matmul_batch one = {
		.c = g->c, .a = g->a, .b = g->b, .batch = 1, .m = g->m, .n = g->n, .k = g->k, .ldc = g->ldc,
		.lda = g->lda, .ldb = g->ldb, .transposed = g->transposed, .post = g->post,
	};

	form_matmul_batch_plain(s, types, &one, check);
	g->result.status = one.result.status;
}

/* A complex number, or for a bound the magnitudes of the terms of its parts. */
struct complex_number {
	long double re, im;
};

static struct complex_number complex_at(enum isk_type part, const void *x, size_t i)
{
	return (struct complex_number){(long double)element_of(part, x, 2 * i), (long double)element_of(part, x, 2 * i + 1)};
}

static struct complex_number conjugate_if(int conjugated, struct complex_number x)
{
	return (struct complex_number){x.re, conjugated ? -x.im : x.im};
}

static struct complex_number complex_product(struct complex_number a, struct complex_number b)
{
	return (struct complex_number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* For each part of a * b, the sum of the magnitudes of its two terms. */
static struct complex_number sizes_of_product(struct complex_number a, struct complex_number b)
{
	return (struct complex_number){fabsl(a.re) * fabsl(b.re) + fabsl(a.im) * fabsl(b.im),
	                               fabsl(a.re) * fabsl(b.im) + fabsl(a.im) * fabsl(b.re)};
}

/*
 * An element of B is rounded twice if it is multiplied by alpha; then a term is rounded once for each of its 2 * k fused
 * multiply-adds, and the result once more for beta.
 */
static struct complex_number complex_sum(const struct isk_args_matmul_complex *g, enum isk_type part, size_t row, size_t col,
                                         struct complex_number *sizes)
{
	const struct complex_number alpha = {(long double)g->alpha, (long double)g->alpha_im};
	const int scaled = alpha.re != 1 || alpha.im != 0;
	struct complex_number sum = {0, 0};

	*sizes = sum;
	for (size_t i = 0; i < g->k && (alpha.re != 0 || alpha.im != 0); i++) {
		const struct complex_number a = conjugate_if(g->conjugated & ISK_CONJUGATED_A, complex_at(part, g->a, row * g->lda + i));
		const struct complex_number x = conjugate_if(
			g->conjugated & ISK_CONJUGATED_B, complex_at(part, g->b, g->transposed ? col * g->ldb + i : i * g->ldb + col));
		const struct complex_number b = scaled ? complex_product(alpha, x) : x, term = complex_product(a, b);
		const struct complex_number size = sizes_of_product(a, scaled ? sizes_of_product(alpha, x) : x);

		sum = (struct complex_number){sum.re + term.re, sum.im + term.im};
		*sizes = (struct complex_number){sizes->re + size.re, sizes->im + size.im};
	}
	return sum;
}

static void put_complex(struct isk_sink *s, const struct isk_args_matmul_complex *g, enum isk_type part, size_t i,
                        long double sum, long double size)
{
	const long double added = g->beta != 0 ? (long double)g->beta * (long double)element_of(part, g->c, i) : 0;

	s->put(s, g->c, i, part, sum + added, (long double)(2 * g->k + 2) * size + fabsl(added) + fabsl(sum + added),
	       8 * (g->k + 16));
}

ISK_SHARED static void form_matmul_complex_plain(struct isk_sink *s, const enum isk_type *types,
                                      struct isk_args_matmul_complex *g,
                                      int (*check)(enum isk_type type, const struct isk_args_matmul_batch *g))
{
	const struct isk_args_matmul_batch one = {
		.c = g->c, .a = g->a, .b = g->b, .batch = 1, .m = g->m, .n = g->n, .k = g->k, .ldc = g->ldc,
		.lda = g->lda, .ldb = g->ldb, .transposed = g->transposed ? ISK_TRANSPOSED_B : 0};
	const enum isk_type part = isk_part_type(types[0]);
	const int is_option = g->transposed <= 1 && g->conjugated <= (ISK_CONJUGATED_A | ISK_CONJUGATED_B);
	const int status = is_option ? check(types[0], &one) : ISK_ERR_SHAPE;

	s->put_bits(s, &g->result, 0, ISK_S32, (uint32_t)status);
	for (size_t i = 0; !status && i < g->m; i++)
		for (size_t j = 0; j < g->n; j++) {
			struct complex_number sizes;
			const struct complex_number sum = complex_sum(g, part, i, j, &sizes);

			put_complex(s, g, part, 2 * (i * g->ldc + j), sum.re, sizes.re);
			put_complex(s, g, part, 2 * (i * g->ldc + j) + 1, sum.im, sizes.im);
		}
}

#undef SUM_OF_FLOATS
#undef SUM_OF_INTEGERS

#endif
