/* SPDX-License-Identifier: MIT */
/*
 * Tests the drivers. Kernels that are wrong on purpose, each in one way, go through the same drivers as the
 * right ones, in processes of their own, and must fail for the expected reason. One right kernel of each
 * driver must pass, so that a driver that fails everything does not pass here.
 *
 *     test_selftest [PATTERN]     "selftest gemm_f32*"
 */
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../child.h"
#include "alone.h"
#include "arguments.h"
#include "bulk.h"
#include "harness.h"
#include "kernels.h"
#include "packed.h"
#include "products.h"
#include "run.h"
#include "state.h"

static volatile float sink;

/* Elementwise: relu, right apart from the fault that the name says. */
#define RELU(name, before, after)                                              \
	static void name(float *y, const float *x, size_t n)                       \
	{                                                                          \
		before;                                                                \
		isk_relu_f32(y, x, n);                                                 \
		after;                                                                 \
	}

static void shift(float *y, size_t i, int ulps)
{
	y[i] = f32_of(bits_of(y[i]) + (uint32_t)ulps);
}

RELU(over_read, , sink = x[n])
RELU(under_read, , sink = x[-1])
RELU(read_of_nothing, , sink = n ? 0 : x[0])
RELU(over_write, , y[n] = 0)
RELU(under_write, , y[-1] = 0)
/* The same fault away from a guard page, where poison must show it. */
#define AT_PAGE(p) ((uintptr_t)(p) % 4096 == 0)
RELU(over_write_poison, , if (!AT_PAGE(y + n)) y[n] = 0)
RELU(under_write_poison, , if (!AT_PAGE(y)) y[-1] = 0)
RELU(wide_store, , if (n % 16 && !AT_PAGE(y + n)) memset(y + n, 0, 4))
RELU(no_tail, float last = n ? y[n - 1] : 0, if (n % 16 == 15) y[n - 1] = last)
RELU(no_long_arrays, , if (n > 10000) y[10000] = y[9999])
RELU(nan_to_zero, , for (size_t i = 0; i < n; i++) y[i] = isnan(y[i]) ? 0 : y[i])
RELU(minus_zero, , for (size_t i = 0; i < n; i++) y[i] = x != y && bits_of(x[i]) == 1u << 31 ? x[i] : y[i])
RELU(nan_spreads, , for (size_t i = 1; i < n; i++) y[i] = y == x || !isnan(x[i - 1]) ? y[i] : x[i - 1])
RELU(input_changed, , if (n > 3 && x != y) ((float *)(uintptr_t)x)[3] = 5)
RELU(not_in_place, if (n > 9) y[9] = -1, )
RELU(flushes_from_now_on, , (void)flushing_begin())
#ifdef __aarch64__
RELU(aligned_only, , if (n >= 4) __asm__ volatile("ldxp x8, x9, [%0]" : : "r"(x) : "x8", "x9"))
#else
RELU(aligned_only, , if (n >= 4) __asm__ volatile("movaps %0, %%xmm0" : : "m"(*x) : "xmm0"))
RELU(x87_changed, , __asm__ volatile("fldcw %0" : : "m"((const uint16_t){0x27f})))
RELU(x87_left_full, , __asm__ volatile("movd %eax, %mm0"))
RELU(direction_changed, , __asm__ volatile("std"))
#endif
RELU(errno_set, , errno = ERANGE)
RELU(nothing_written, float last = n ? y[n - 1] : 0, if (n == 33 && y != x) y[n - 1] = last)
/* Slightly more stack than promised. */
RELU(stack_taken_up, volatile char room[(64 << 10) + 64]; sink = room[0] = 1, )

/* Faults that end more than a call. */
static void destroys_the_heap(float *y, const float *x, size_t n)
{
	static unsigned char *volatile block;

	block = malloc(16);
	memset(block, 0x5a, 1 << 12);
	free(block);
	isk_relu_f32(y, x, n);
}

static __attribute__((noinline)) float endless(volatile float *x)
{
	volatile float here = *x;

	return here < 1 ? endless(&here) + here : here;
}

RELU(takes_all_stack, volatile float zero = 0; sink = endless(&zero), )
RELU(jumps_to_nothing, , ((void (*)(void))(uintptr_t)sink)())
RELU(exits, , exit(0))

/* One bit nearer to the exact result, so that no bound is violated. */
static void exp_one_bit(float *y, const float *x, size_t n)
{
	float *first = malloc((n + 1) * sizeof(float));

	memcpy(first, x, n * sizeof(float));
	isk_exp_f32(y, x, n);
	for (size_t i = 0; i < n; i++)
		if ((bits_of(first[i]) & 0xfff) == 0x123 && y[i] > 1e-30f && y[i] < 1e30f)
			shift(y, i, (double)y[i] < exp((double)first[i]) ? 1 : -1);
	free(first);
}

static void exp_inaccurate(float *y, const float *x, size_t n)
{
	isk_exp_f32(y, x, n);
	for (size_t i = 0; i < n; i++)
		if (y[i] > 1e20f && y[i] < 1e25f)
			shift(y, i, 4);
}

static void tanh_sign(float *y, const float *x, size_t n)
{
	isk_tanh_f32(y, x, n);
	for (size_t i = 0; i < n; i++)
		if (bits_of(y[i]) == 1u << 31)
			y[i] = 0;
}

static void f16_payload(isk_f16 *y, const float *x, size_t n)
{
	isk_cvt_f32_f16(y, x, n);
	for (size_t i = 0; i < n; i++)
		if ((y[i] & 0x7fff) > 0x7e00)
			y[i] &= 0xfe00;
}

static void bf16_truncated(isk_bf16 *y, const float *x, size_t n)
{
	isk_cvt_f32_bf16(y, x, n);
	for (size_t i = 0; i < n; i++)
		if ((bits_of(x[i]) & 0xffff) == 0x8000 && !isnan(x[i]))
			y[i] = (isk_bf16)(bits_of(x[i]) >> 16);
}

static void f16_flushed(float *y, const isk_f16 *x, size_t n)
{
	isk_cvt_f16_f32(y, x, n);
	for (size_t i = 0; i < n; i++)
		if ((x[i] & 0x7fff) == 1)
			y[i] = copysignf(0, y[i]);
}

static void quantize_wraps(uint8_t *y, const float *x, size_t n, float scale, int32_t zero)
{
	isk_quantize_f32_u8(y, x, n, scale, zero);
	for (size_t i = 0; i < n; i++)
		if (x[i] / scale + (float)zero > 1e9f)
			y[i] = 0;
}

static void add_b_ignored(float *y, const float *a, const float *b, size_t n)
{
	isk_add_f32(y, a, b, n);
	if (n > 64 && y != a && y != b)
		y[64] = a[64];
}

/* A driver that looks at values as f32 would not see it. */
static void f64_last_bit(double *y, const double *x, size_t n)
{
	isk_relu_f64(y, x, n);
	for (size_t i = 0; i < n; i++) {
		uint64_t bits;

		memcpy(&bits, &y[i], sizeof(bits));
		bits ^= y[i] > 0 && isfinite(y[i]) && (bits & 0xff) == 0x5a;
		memcpy(&y[i], &bits, sizeof(bits));
	}
}

/* One value in 65536 is wrong. */
static void bf16_last_bit(isk_bf16 *y, const isk_bf16 *x, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const isk_bf16 was = x[i];

		isk_exp_bf16(&y[i], &x[i], 1);
		y[i] ^= was == 0x3f12;
	}
}

static void f16_tiny_flushed(isk_f16 *y, const isk_f16 *x, size_t n)
{
	isk_exp_f16(y, x, n);
	for (size_t i = 0; i < n; i++)
		if (y[i] < 0x400)
			y[i] = 0;
}

static void fma_rounds_twice(float *y, const float *a, const float *b, const float *c, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const volatile float product = a[i] * b[i];

		y[i] = product + c[i];
	}
}

static void fma_not_over_c(double *y, const double *a, const double *b, const double *c, size_t n)
{
	if (y == c && y != a && n)
		y[n - 1] = 0;
	isk_fma_f64(y, a, b, c, n);
}

/* Reductions. */
static float sum_misses_last(const float *x, size_t n)
{
	return isk_sum_f32(x, n % 64 == 63 ? n - 1 : n);
}

static float sum_takes_twice(const float *x, size_t n)
{
	return isk_sum_f32(x, n) + (n == 131 ? x[128] : 0);
}

static float sum_other_order(const float *x, size_t n)
{
	return n < 4 ? isk_sum_f32(x, n) : isk_sum_f32(x, n / 2) + isk_sum_f32(x + n / 2, n - n / 2);
}

static float sum_by_alignment(const float *x, size_t n)
{
	const size_t head = (uintptr_t)x / 4 % 16;

	return head == 0 || head > n ? isk_sum_f32(x, n) : isk_sum_f32(x, head) + isk_sum_f32(x + head, n - head);
}

static float sum_over_reads(const float *x, size_t n)
{
	sink = n % 16 ? x[n - n % 16 + 15] : 0;
	return isk_sum_f32(x, n);
}

static float sum_plain(const float *x, size_t n)
{
	float sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return sum;
}

/* Gives the sum of the other elements if one is infinite. */
static float sum_loses_infinity(const float *x, size_t n)
{
	const float sum = isk_sum_f32(x, n);

	return isinf(sum) ? FLT_MAX : sum;
}

static float sum_loses_nan(const float *x, size_t n)
{
	const float sum = isk_sum_f32(x, n);

	return isnan(sum) ? 0 : sum;
}

/* An oracle that sets no bound for any error. */
struct unbounded {
	struct isk_sink sink;
	struct isk_sink *to;
};

static void put_unbounded(struct isk_sink *s, void *y, size_t i, enum isk_type type, long double value,
                          long double scale, size_t underflows)
{
	struct isk_sink *to = ((struct unbounded *)s)->to;

	(void)scale;
	to->put(to, y, i, type, value, (long double)INFINITY, underflows);
}

static void sum_unbounded(struct isk_sink *s, union isk_args *args)
{
	struct unbounded all = {{put_unbounded, s->put_bits}, s};

	isk_forms[isk_kernel_find("sum_f32")](&all.sink, args);
}

/* An error that a bound for f32 would allow. */
static double f64_dot_loses_bits(const double *a, const double *b, size_t n)
{
	return isk_dot_f64(a, b, n) * (1 + 0x1p-40);
}

static float max_loses_nan(const float *x, size_t n)
{
	float max = -INFINITY;

	for (size_t i = 0; i < n; i++)
		max = fmaxf(max, x[i]);
	return max;
}

static size_t argmax_last(const float *x, size_t n)
{
	size_t best = isk_argmax_f32(x, n);

	for (size_t i = best; i < n; i++)
		if (x[i] >= x[best])
			best = i;
	return best;
}

static size_t argmax_skips_nan(const float *x, size_t n)
{
	size_t best = 0;

	for (size_t i = 0; i < n; i++)
		if (x[i] > x[best] || isnan(x[best]))
			best = i;
	return best;
}

static float dot_shifted(const float *a, const float *b, size_t n)
{
	return n > 100 ? isk_dot_f32(a, b, n - 1) + a[n - 1] * b[n - 2] : isk_dot_f32(a, b, n);
}

/* Rows. */
static void softmax_fills_gap(float *y, const float *x, size_t rows, size_t cols, size_t ldy, size_t ldx)
{
	isk_softmax_f32(y, x, rows, cols, ldy, ldx);
	if (rows > 1 && cols && ldy > cols)
		y[cols] = 0;
}

static void softmax_one_stride(float *y, const float *x, size_t rows, size_t cols, size_t ldy, size_t ldx)
{
	isk_softmax_f32(y, x, rows, cols, ldy < ldx ? ldx : ldy, ldx);
}

static void softmax_no_max(float *y, const float *x, size_t rows, size_t cols, size_t ldy, size_t ldx)
{
	for (size_t r = 0; cols && r < rows; r++) {
		double sum = 0;

		for (size_t i = 0; i < cols; i++)
			sum += (double)expf(x[r * ldx + i]);
		for (size_t i = 0; i < cols; i++)
			y[r * ldy + i] = (float)((double)expf(x[r * ldx + i]) / sum);
	}
	errno = 4242;
}

static void layernorm_no_epsilon(float *y, const float *x, const float *weight, const float *bias,
                                 size_t rows, size_t cols, size_t ldy, size_t ldx, float epsilon)
{
	isk_layernorm_f32(y, x, weight, bias, rows, cols, ldy, ldx, epsilon < 1e-9f ? 0 : epsilon);
}

static void rmsnorm_wants_bias(float *y, const float *x, const float *weight, const float *bias, size_t rows,
                               size_t cols, size_t ldy, size_t ldx, float epsilon)
{
	sink = rows && cols ? bias[0] : 0;
	isk_rmsnorm_f32(y, x, weight, bias, rows, cols, ldy, ldx, epsilon);
}

struct contents {
	int nans, infinities;
	float low, high; /* of the numbers and 0 */
};

static struct contents contents_of(const float *row, size_t cols)
{
	struct contents has = {0};

	for (size_t i = 0; i < cols; i++) {
		has.nans += isnan(row[i]);
		has.infinities += isinf(row[i]);
		has.low = fminf(has.low, row[i]);
		has.high = fmaxf(has.high, row[i]);
	}
	return has;
}

#define QUANTIZE_ROWS(name, kernel, T, after)                                  \
	static void name(T *y, float *scale, int32_t *zero, const float *x, size_t rows, size_t cols, size_t ldy, size_t ldx) \
	{                                                                          \
		isk_##kernel(y, scale, zero, x, rows, cols, ldy, ldx);                 \
		for (size_t r = 0; r < rows; r++) {                                    \
			const float *row = x + r * ldx;                                    \
			const struct contents has = contents_of(row, cols);                \
                                                                               \
			after;                                                             \
			sink = (float)(has.nans + has.infinities) + has.high - has.low;    \
		}                                                                      \
	}

QUANTIZE_ROWS(rows_have_one_scale, quantize_rows_f32_s8, int8_t, if (r == 1) scale[1] = scale[0])
QUANTIZE_ROWS(rows_by_first_scale, quantize_rows_f32_s8, int8_t,
              if (r && cols) isk_quantize_f32_s8(y + r * ldy, row, cols, scale[0], 0))
QUANTIZE_ROWS(rows_write_scale_behind, quantize_rows_f32_s8, int8_t,
              if (r + 1 == rows && !AT_PAGE(scale + rows)) scale[rows] = 1)
QUANTIZE_ROWS(rows_want_zero, quantize_rows_f32_s8, int8_t, zero[r] = 0)
QUANTIZE_ROWS(rows_fill_gap, quantize_rows_f32_s8, int8_t, if (r + 1 < rows && ldy > cols) y[r * ldy + cols] = 0)
QUANTIZE_ROWS(rows_count_nan, quantize_rows_f32_s8, int8_t, if (has.nans) scale[r] = (float)NAN)
QUANTIZE_ROWS(rows_infinite_scale, quantize_rows_f32_s8, int8_t, if (has.infinities) scale[r] = (float)INFINITY)
QUANTIZE_ROWS(rows_tiny_scale, quantize_rows_f32_s8, int8_t, if (scale[r] == FLT_MIN) scale[r] = fmaxf(has.high, -has.low) / 127)
QUANTIZE_ROWS(rows_of_zeros, quantize_rows_f32_s8, int8_t, if (has.low == has.high) scale[r] = FLT_MIN)
QUANTIZE_ROWS(rows_zero_truncated, quantize_rows_f32_u8, uint8_t,
              if (zero && isfinite(has.low)) zero[r] = (int32_t)(-has.low / scale[r]))
QUANTIZE_ROWS(rows_without_zero, quantize_rows_f32_u8, uint8_t,
              if (!zero && cols) isk_quantize_f32_u8(y + r * ldy, row, cols, scale[r], 0))

static void meanpool_ignores_ldx(float *y, const float *x, size_t rows, size_t cols, size_t ldx)
{
	(void)ldx;
	isk_meanpool_f32(y, x, rows, cols, cols);
}

static void meanpool_hides_infinity(float *y, const float *x, size_t rows, size_t cols, size_t ldx)
{
	isk_meanpool_f32(y, x, rows, cols, ldx);
	for (size_t i = 0; i < cols; i++)
		if (isinf(y[i]))
			y[i] = copysignf(FLT_MAX, y[i]);
}

/* In a single place, which random values hardly hit. */
static void meanpool_keeps_infinity(float *y, const float *x, size_t rows, size_t cols, size_t ldx)
{
	isk_meanpool_f32(y, x, rows, cols, ldx);
	if (rows == 2 && cols == 259 && isinf(x[258]) && isinf(x[258 + ldx]))
		y[258] = x[258];
}

/* Matrices. */
static int pack_leaves_padding(void *packed, const float *b, size_t bytes, size_t k, size_t n, size_t ldb,
                               int transposed)
{
	const int status = isk_gemm_pack_f32(packed, b, bytes, k, n, ldb, transposed);

	if (status == 0 && n % 16 && k)
		((float *)packed)[16 + n / 16 * 16 * k + n % 16] = 1;
	return status;
}

static int pack_writes_on_refusal(void *packed, const float *b, size_t bytes, size_t k, size_t n, size_t ldb,
                                  int transposed)
{
	const int status = isk_gemm_pack_f32(packed, b, bytes, k, n, ldb, transposed);

	if (status == ISK_ERR_SPACE && bytes)
		memset(packed, 0, 1);
	return status;
}

static int pack_bf16_least(void *packed, const isk_bf16 *b, size_t bytes, size_t k, size_t n, size_t ldb,
                           int transposed)
{
	const int status = isk_gemm_pack_bf16(packed, b, bytes, k, n, ldb, transposed);
	struct isk_packed header;

	if (status == 0) {
		memcpy(&header, packed, sizeof(header));
		header = isk_packed_header(ISK_BF16, k, n, 0, header.least == 0, header.payload_check);
		memcpy(packed, &header, sizeof(header));
	}
	return status;
}

static int pack_s8_sums(void *packed, const int8_t *b, size_t bytes, size_t k, size_t n, size_t ldb,
                        int transposed)
{
	const int status = isk_gemm_pack_s8(packed, b, bytes, k, n, ldb, transposed);

	if (status == 0 && n)
		((int32_t *)packed)[isk_packed_bytes(ISK_S8, k, n, 0) / 4 - 16] = 0;
	return status;
}

#define PACK_GROUPS(name)                                                      \
	static int name(void *packed, const int8_t *b, size_t bytes, size_t k, size_t n, size_t ldb, int transposed, \
	                const struct isk_groups *groups)
#define RIGHT_GROUPS isk_gemm_pack_groups_s8(packed, b, bytes, k, n, ldb, transposed, groups)

/* The first panel's first group gets the scales of its second one. Returns whether there is a second one. */
static int displace_scales(void *packed)
{
	struct isk_packed header;
	unsigned char *scales;

	memcpy(&header, packed, sizeof(header));
	scales = (unsigned char *)packed
	         + ISK_PACKED_LINE * (1 + isk_packed_panels(header.type, header.n) * (isk_packed_depth(header.type, header.k) + 1));
	if (!header.n || isk_packed_groups(header.scale_k, header.k) < 2)
		return 0;
	memcpy(scales, scales + ISK_PACKED_LINE, ISK_PACKED_LINE);
	return 1;
}

PACK_GROUPS(pack_displaces_scales)
{
	const int status = RIGHT_GROUPS;

	if (status == 0)
		displace_scales(packed);
	return status;
}

PACK_GROUPS(pack_groups_other_status)
{
	const int status = RIGHT_GROUPS;

	return status == ISK_ERR_STRUCT ? ISK_ERR_SIZE : status;
}

#define PRODUCT(name, C, A)                                                    \
	static int name(C *c, const A *a, const void *packed, size_t m, size_t n, size_t k, size_t ldc, \
	                size_t lda, const struct isk_post *post)
#define RIGHT_PRODUCT(kernel) isk_##kernel(c, a, packed, m, n, k, ldc, lda, post)

#define GEMM(name) PRODUCT(name, float, float)
#define RIGHT_GEMM RIGHT_PRODUCT(gemm_f32)

GEMM(gemm_other_order)
{
	const int status = RIGHT_GEMM;

	for (size_t i = 0; i < m && status == 0 && !post; i++)
		for (size_t j = 0; j < n; j++) {
			const struct isk_column b = isk_oracle_packed_column(packed, j);

			c[i * ldc + j] = 0;
			for (size_t kk = k; kk--;)
				c[i * ldc + j] =
					fmaf(a[i * lda + kk], ((const float *)b.first)[kk * b.stride], c[i * ldc + j]);
		}
	return status;
}

GEMM(gemm_wrong_column)
{
	struct isk_post changed;

	if (post && post->first_column >= 16) {
		changed = *post;
		changed.first_column -= 16;
		post = &changed;
	}
	return RIGHT_GEMM;
}

GEMM(gemm_wrong_gap)
{
	const int status = RIGHT_GEMM;

	if (status == 0 && m > 1 && n && ldc > n)
		c[n] = 0;
	return status;
}

GEMM(gemm_trusts_header)
{
	unsigned char header[64];

	if (packed) {
		memcpy(header, packed, sizeof(header));
		header[9] = 0;
		if (memcmp(header, packed, sizeof(header)))
			return isk_gemm_f32(NULL, a, packed, 0, n, k, ldc, lda, NULL) * 0;
	}
	return RIGHT_GEMM;
}

GEMM(gemm_writes_on_refusal)
{
	const int status = RIGHT_GEMM;

	if (status == ISK_ERR_POST && c)
		c[0] = 0;
	return status;
}

GEMM(gemm_other_status)
{
	const int status = RIGHT_GEMM;

	return status == ISK_ERR_STRIDE ? ISK_ERR_SIZE : status;
}

GEMM(gemm_positive_status)
{
	const int status = RIGHT_GEMM;

	return status == ISK_OK ? 1 : status;
}

GEMM(gemm_bias_late)
{
	struct isk_post changed;
	int status;

	if (!post || !post->bias || post->act != ISK_ACT_RELU || post->binary)
		return RIGHT_GEMM;
	changed = *post;
	changed.bias = NULL;
	status = isk_gemm_f32(c, a, packed, m, n, k, ldc, lda, &changed);
	for (size_t i = 0; i < m && status == 0; i++)
		for (size_t j = 0; j < n; j++)
			c[i * ldc + j] += ((const float *)post->bias)[j];
	return status;
}

GEMM(gemm_reads_next_panel)
{
	const int status = RIGHT_GEMM;
	struct isk_post all = {.size = sizeof(all)};

	if (status == 0 && m && n && k && isk_gemm_f32(NULL, NULL, packed, 0, n, k, ldc, lda, &all) == 0)
		sink = ((const float *)packed)[16 + (n + 15) / 16 * 16 * k];
	return status;
}

GEMM(gemm_no_depth)
{
	return k ? RIGHT_GEMM : 0;
}

/* A stride kept in 32 bits. */
GEMM(gemm_int_stride)
{
	if (m && lda > UINT32_MAX)
		lda = (uint32_t)lda + k;
	return RIGHT_GEMM;
}

GEMM(gemm_copies_post)
{
	sink = post ? (float)post->out_zero : 0;
	return RIGHT_GEMM;
}

/* A saturating sum, where 128 * 128 * k must wrap. */
PRODUCT(gemm_saturates_sum, int32_t, int8_t)
{
	const int status = RIGHT_PRODUCT(gemm_s8s8_s32);

	for (size_t i = 0; i < m && status == 0 && k > 131072 && !(post && (post->a_zero || post->b_zeros)); i++)
		for (size_t j = 0; j < n; j++)
			if (c[i * ldc + j] < -2000000000)
				c[i * ldc + j] = INT32_MAX;
	return status;
}

#define MATMUL(name)                                                           \
	static int name(float *c, const float *a, const float *b, size_t m, size_t n, size_t k, size_t ldc, \
	                size_t lda, size_t ldb, unsigned transposed, const struct isk_post *post)
#define RIGHT_MATMUL isk_matmul_f32(c, a, b, m, n, k, ldc, lda, ldb, transposed, post)

MATMUL(matmul_int_stride)
{
	if (c && m && n && ldc >= n)
		ldc = ldc > UINT32_MAX ? (uint32_t)ldc + n : ldc;
	return RIGHT_MATMUL;
}

/* Two halves of k, the second added to the first. */
MATMUL(matmul_other_order)
{
	const struct isk_post add = {.size = sizeof(add), .binary = ISK_BINARY_ADD, .other = c, .ldother = ldc};
	const size_t half = k / 2;
	const int status = RIGHT_MATMUL;

	if (status || transposed || post || half < 2 || !m || !n)
		return status;
	isk_matmul_f32(c, a, b, m, n, half, ldc, lda, ldb, 0, NULL);
	return isk_matmul_f32(c, a + half, b + half * ldb, m, n, k - half, ldc, lda, ldb, 0, &add);
}

MATMUL(matmul_takes_lda)
{
	if (transposed == ISK_TRANSPOSED_A && lda < m)
		return ISK_OK;
	return RIGHT_MATMUL;
}

MATMUL(matmul_last_row)
{
	const int status = RIGHT_MATMUL;

	if (!status && m > 12 && n && k && m % 12 == 1)
		memcpy(c + (m - 1) * ldc, c + (m - 2) * ldc, n * sizeof(*c));
	return status;
}

#define MATMUL_BATCH(name, before)                                             \
	static int name(float *c, const float *a, const float *b, size_t batch, size_t m, size_t n, size_t k, \
	                size_t ldc, size_t lda, size_t ldb, size_t stride_c, size_t stride_a, size_t stride_b, \
	                unsigned transposed, const struct isk_post *post)          \
	{                                                                          \
		before;                                                                \
		return isk_matmul_batch_f32(c, a, b, batch, m, n, k, ldc, lda, ldb, stride_c, stride_a, stride_b, \
		                            transposed, post);                         \
	}

MATMUL_BATCH(batch_no_one_matrix, if (!stride_b && batch > 1 && b && !transposed) stride_b = 1)
MATMUL_BATCH(batch_copies_post, sink = post ? (float)post->out_zero : 0)
MATMUL_BATCH(batch_no_stride_check, if (stride_c < n && batch > 1 && m && n) return ISK_OK)

/* Pairs of products that saturate in 16 bits, as vpmaddubsw does. */
PRODUCT(gemm_saturates, int32_t, uint8_t)
{
	const int status = RIGHT_PRODUCT(gemm_u8s8_s32);

	for (size_t i = 0; i < m && status == 0 && !post; i++)
		for (size_t j = 0; j < n; j++) {
			const struct isk_column b = isk_oracle_packed_column(packed, j);
			const int8_t *x = b.first;

			c[i * ldc + j] = 0;
			for (size_t kk = 0; kk < k; kk += 2) {
				const int8_t *pair = x + kk / 4 * b.stride + kk % 4;
				const int sum = a[i * lda + kk] * pair[0] + (kk + 1 < k ? a[i * lda + kk + 1] * pair[1] : 0);

				c[i * ldc + j] += sum > INT16_MAX ? INT16_MAX : sum < INT16_MIN ? INT16_MIN : sum;
			}
		}
	return status;
}

/* One field of the post-operations with another value. */
#define CHANGED_POST(name, C, A, kernel, change)                               \
	PRODUCT(name, C, A)                                                        \
	{                                                                          \
		struct isk_post changed;                                               \
                                                                               \
		if (post) {                                                            \
			changed = *post;                                                   \
			change;                                                            \
			post = &changed;                                                   \
		}                                                                      \
		return RIGHT_PRODUCT(kernel);                                          \
	}

CHANGED_POST(gemm_no_zero, float, uint8_t, gemm_u8s8_f32, changed.a_zero = 0)
CHANGED_POST(gemm_one_zero, int32_t, int8_t, gemm_s8s8_s32, changed.b_zeros = changed.b_zeros != 0)
CHANGED_POST(gemm_takes_output_scale, int32_t, int8_t, gemm_s8s8_s32, changed.out_scale = 0)
CHANGED_POST(gemm_no_row_scale, float, uint8_t, gemm_u8s8_f32, changed.row_scale = NULL)
CHANGED_POST(gemm_no_row_zero, int32_t, int8_t, gemm_s8s8_s32, changed.row_zero = NULL)
CHANGED_POST(gemm_signed_output, uint8_t, uint8_t, gemm_u8s8_u8,
             changed.out_zero = changed.out_zero > 127 ? 127 : changed.out_zero)

PRODUCT(gemm_wrong_group, float, float)
{
	const int status = RIGHT_PRODUCT(gemm_f32s8);
	struct isk_packed header;
	void *copy;

	if (status)
		return status;
	memcpy(&header, packed, sizeof(header));
	/* C, which the post reads, has been overwritten. */
	if (!m || !header.scale_k || (post && post->binary))
		return status;
	copy = malloc(header.bytes);
	memcpy(copy, packed, header.bytes);
	if (displace_scales(copy))
		isk_gemm_f32s8(c, a, copy, m, n, k, ldc, lda, post);
	free(copy);
	return status;
}

/* Rounds through f32, with ties away from 0. */
PRODUCT(gemm_ties_away, int8_t, int8_t)
{
	struct isk_post changed = post ? *post : (struct isk_post){.size = sizeof(changed)};
	const int status = RIGHT_PRODUCT(gemm_s8s8_s8);
	float *sums = malloc((m * n + 1) * sizeof(*sums));

	changed.out_scale = 0;
	changed.out_zero = 0;
	if (status == 0 && changed.binary == ISK_BINARY_NONE
	    && isk_gemm_s8s8_f32(sums, a, packed, m, n, k, n, lda, &changed) == 0)
		for (size_t i = 0; i < m * n; i++) {
			const float y = roundf(sums[i] / post->out_scale) + (float)post->out_zero;

			c[i / n * ldc + i % n] = isnan(y) ? (int8_t)post->out_zero : (int8_t)fmaxf(fminf(y, 127), -128);
		}
	free(sums);
	return status;
}

static float bf16_value(isk_bf16 x)
{
	return f32_of((uint32_t)x << 16);
}

PRODUCT(gemm_even_first, float, isk_bf16)
{
	const int status = RIGHT_PRODUCT(gemm_bf16_f32);

	for (size_t i = 0; i < m && status == 0 && !post; i++)
		for (size_t j = 0; j < n; j++) {
			const struct isk_column b = isk_oracle_packed_column(packed, j);
			const isk_bf16 *x = b.first;

			c[i * ldc + j] = 0;
			for (size_t kk = 0; kk < k; kk++)
				c[i * ldc + j] = fmaf(bf16_value(a[i * lda + kk]),
				                      bf16_value(x[kk / 2 * b.stride + kk % 2]), c[i * ldc + j]);
		}
	return status;
}

PRODUCT(gemm_flushes, float, isk_bf16)
{
	isk_bf16 *copy = malloc((m * k + 1) * sizeof(*copy));
	int status;

	for (size_t i = 0; i < m * k && n; i++) {
		const isk_bf16 x = a[i / k * lda + i % k];

		copy[i] = x & 0x7f80 ? x : x & 0x8000;
	}
	status =
		isk_gemm_bf16_f32(c, a && n ? copy : a, packed, m, n, k, ldc, a && n && lda >= k ? k : lda, post);
	free(copy);
	return status;
}

PRODUCT(gemm_f16_truncated, isk_f16, isk_f16)
{
	const int status = RIGHT_PRODUCT(gemm_f16);
	float *sums = malloc((m * n + 1) * sizeof(*sums));

	if (status == 0 && !post && isk_gemm_f16_f32(sums, a, packed, m, n, k, n, lda, NULL) == 0)
		for (size_t i = 0; i < m * n; i++) {
			isk_f16 *y = &c[i / n * ldc + i % n];

			if (fabs(isk_element_value(ISK_F16, *y)) > fabs((double)sums[i]) && *y & 0x3ff)
				--*y;
		}
	free(sums);
	return status;
}

/* Convolutions. */
#define CONV(name, C, A)                                                       \
	static int name(C *y, const A *x, const void *packed, const struct isk_conv *conv, \
	                const struct isk_post *post)
#define RIGHT_CONV isk_conv_f32(y, x, packed, conv, post)

CONV(conv_swaps_padding, float, float)
{
	struct isk_conv changed;

	if (conv) {
		changed = *conv;
		changed.pad_left = conv->pad_right;
		changed.pad_right = conv->pad_left;
		conv = &changed;
	}
	return RIGHT_CONV;
}

CONV(conv_fills_gap, float, float)
{
	const int status = RIGHT_CONV;

	if (status == 0 && conv->images && conv->out_channels && conv->ldy > conv->out_channels
	    && isk_oracle_pixels(conv) > 1)
		y[conv->out_channels] = 0;
	return status;
}

CONV(conv_over_reads, float, float)
{
	const int status = RIGHT_CONV;
	const size_t pixels = status == 0 ? conv->images * conv->height * conv->width : 0;

	if (pixels && conv->channels && isk_oracle_pixels(conv) && conv->out_channels)
		sink = x[(pixels - 1) * (conv->ldx ? conv->ldx : conv->channels) + conv->channels];
	return status;
}

/* Multiplies 0 by an infinite weight in the first pixel of y, whose first row of taps is outside the image. */
CONV(conv_multiplies_padding, float, float)
{
	const int status = RIGHT_CONV;
	const size_t taps = conv && status == 0 ? conv->kernel_w * conv->channels : 0;

	if (taps && conv->groups == 1 && conv->pad_top && isk_oracle_pixels(conv))
		for (size_t o = 0; o < conv->out_channels; o++) {
			const struct isk_column column = isk_oracle_packed_column(packed, o);

			for (size_t i = 0; i < taps; i++)
				if (!isfinite(((const float *)column.first)[i * column.stride]))
					y[o] = NAN;
		}
	return status;
}

CONV(conv_no_zero, int32_t, uint8_t)
{
	struct isk_post changed;

	if (post && post->a_zero > 0 && post->a_zero < 256 && !post->b_zeros) {
		changed = *post;
		changed.a_zero = 0;
		post = &changed;
	}
	return isk_conv_u8s8_s32(y, x, packed, conv, post);
}

/* Walks over any number of lines that have no pixel. */
CONV(conv_walks_nothing, float, float)
{
	const int status = RIGHT_CONV;
	size_t height, width;

	if (status || isk_conv_output(conv, &height, &width) || width)
		return status;
	for (size_t r = 0; r < height; r++)
		sink = 0;
	return status;
}

CONV(conv_other_status, float, float)
{
	const int status = RIGHT_CONV;

	return status == ISK_ERR_CONV ? ISK_ERR_SIZE : status;
}

/* The last bit of one element differs, as if its terms were added in another order. */
CONV(transpose_other_order, float, float)
{
	const int status = isk_conv_transpose_f32(y, x, packed, conv, post);
	const size_t taps = conv && status == 0 ? conv->kernel_h * conv->kernel_w * (conv->out_channels / conv->groups) : 0;

	if (taps > 2 && conv->images && conv->height && conv->width && conv->channels && y[0] < 1e30f)
		y[0] *= 1 + 0x1p-23f;
	return status;
}

CONV(transpose_swaps_padding, float, float)
{
	struct isk_conv changed;

	if (conv) {
		changed = *conv;
		changed.pad_top = conv->pad_bottom;
		changed.pad_bottom = conv->pad_top;
		conv = &changed;
	}
	return isk_conv_transpose_f32(y, x, packed, conv, post);
}

static int transpose_pack_without_phases(void *packed, const float *w, size_t bytes, const struct isk_conv *conv)
{
	struct isk_conv changed;

	if (conv) {
		changed = *conv;
		changed.stride_h = conv->stride_h ? 1 : 0;
		conv = &changed;
	}
	return isk_conv_transpose_pack_f32(packed, w, bytes, conv);
}

static int conv_pack_one_group(void *packed, const float *w, size_t bytes, const struct isk_conv *conv)
{
	const int status = isk_conv_pack_f32(packed, w, bytes, conv);
	const size_t all = status ? 0 : isk_conv_packed_size(ISK_F32, conv);

	/* Gives the second group the weights of the first. */
	if (all && conv->groups > 1 && conv->channels > conv->groups)
		memcpy((char *)packed + all / conv->groups, packed, all / conv->groups);
	return status;
}

static int conv_pack_writes_on_refusal(void *packed, const float *w, size_t bytes, const struct isk_conv *conv)
{
	const int status = isk_conv_pack_f32(packed, w, bytes, conv);

	if (status == ISK_ERR_CONV && packed)
		memset(packed, 0, 1);
	return status;
}

#define TRANSPOSE(name, after)                                                 \
	static void name(void *y, const void *x, size_t rows, size_t cols, size_t ldy, size_t ldx) \
	{                                                                          \
		isk_transpose_b32(y, x, rows, cols, ldy, ldx);                         \
		if (rows && cols)                                                      \
			after;                                                             \
	}

TRANSPOSE(transpose_fills_gap, if (cols > 1 && ldy > rows) ((uint32_t *)y)[rows] = 0)
TRANSPOSE(transpose_over_reads, sink = ((const float *)x)[(rows - 1) * ldx + cols])
TRANSPOSE(transpose_int_stride, if (ldx > UINT32_MAX) memset(y, 0, 4))
TRANSPOSE(transpose_no_corner, if (rows > 65 && cols == 33) memset((uint32_t *)y + 32 * ldy + 65, 0, 4))

static void images_swapped(void *y, const void *x, size_t images, size_t channels, size_t pixels)
{
	isk_nchw_nhwc_b16(y, x, images, pixels, channels);
}

static const struct fault {
	const char *name, *kernel;
	isk_function fn;
	const char *found; /* the message that the drivers must give */
	isk_function twin; /* the function whose bits they must find to differ */
	isk_form *form;    /* NULL: the kernel's own */
} faults[] = {
#define FAULT(kernel, fn, found)       {#fn, #kernel, (isk_function)fn, found, NULL, NULL}
#define FAULT_BITS(kernel, fn, found)  {#fn, #kernel, (isk_function)fn, found, (isk_function)isk_##kernel, NULL}
/* The fault is its own twin, so only the order itself can tell. */
#define FAULT_ORDER(kernel, fn, found) {#fn, #kernel, (isk_function)fn, found, (isk_function)fn, NULL}
	FAULT(relu_f32, over_read, "a signal"),
	FAULT(relu_f32, under_read, "a signal"),
	FAULT(relu_f32, read_of_nothing, "a signal"),
	FAULT(relu_f32, over_write, "a signal"),
	FAULT(relu_f32, under_write, "before its beginning"),
	FAULT(relu_f32, over_write_poison, "0 bytes after its end"),
	FAULT(relu_f32, under_write_poison, "before its beginning"),
	FAULT(relu_f32, wide_store, "after its end"),
	FAULT(relu_f32, no_tail, "at x = "),
	FAULT(relu_f32, no_long_arrays, "wanted"),
	FAULT(relu_f32, nan_to_zero, "wanted"),
	FAULT(relu_f32, minus_zero, "wanted"),
	FAULT(relu_f32, nan_spreads, "wanted"),
	FAULT(relu_f32, aligned_only, "a signal"),
	FAULT(relu_f32, input_changed, "x is changed"),
	FAULT(relu_f32, not_in_place, "in place"),
#ifdef __aarch64__
	FAULT(relu_f32, flushes_from_now_on, "FPCR"),
#else
	FAULT(relu_f32, flushes_from_now_on, "MXCSR"),
	FAULT(relu_f32, x87_changed, "x87 control"),
	FAULT(relu_f32, x87_left_full, "x87 stack"),
	FAULT(relu_f32, direction_changed, "direction flag"),
#endif
	FAULT(relu_f32, errno_set, "errno"),
	FAULT(relu_f32, stack_taken_up, "of stack"),
	FAULT(relu_f32, nothing_written, "(0xa5a5a5a5), not written"),
	FAULT_BITS(exp_f32, exp_one_bit, "the bits of"),
	FAULT(exp_f32, exp_inaccurate, "ulp"),
	FAULT(tanh_f32, tanh_sign, "ulp"),
	FAULT(cvt_f32_f16, f16_payload, "wanted"),
	FAULT(cvt_f32_bf16, bf16_truncated, "wanted"),
	FAULT(cvt_f16_f32, f16_flushed, "wanted"),
	FAULT(quantize_f32_u8, quantize_wraps, "wanted"),
	FAULT(add_f32, add_b_ignored, "at a = "),
	FAULT(relu_f64, f64_last_bit, "the only result allowed"),
	FAULT(exp_bf16, bf16_last_bit, "at x = 0.5703125 (0x3f12)"),
	FAULT(exp_f16, f16_tiny_flushed, "only result"),
	FAULT(fma_f32, fma_rounds_twice, "ulp"),
	FAULT(fma_f64, fma_not_over_c, "in place of c"),
	FAULT(sum_f32, sum_misses_last, "units"),
	FAULT(sum_f32, sum_takes_twice, "units"),
	FAULT_BITS(sum_f32, sum_other_order, "the bits of"),
	FAULT_BITS(sum_f32, sum_by_alignment, "the bits of"),
	FAULT(sum_f32, sum_over_reads, "a signal"),
	FAULT(sum_f32, sum_plain, "at n = "),
	FAULT(sum_f32, sum_loses_infinity, "inf within"),
	{"sum_loses_nan", "sum_f32", (isk_function)sum_loses_nan, "nan within", NULL, sum_unbounded},
	FAULT(dot_f64, f64_dot_loses_bits, "units"),
	FAULT(max_f32, max_loses_nan, "wanted"),
	FAULT(argmax_f32, argmax_last, "wanted"),
	FAULT(argmax_f32, argmax_skips_nan, "wanted"),
	FAULT(dot_f32, dot_shifted, "units"),
	FAULT(softmax_f32, softmax_fills_gap, "between its rows"),
	FAULT(softmax_f32, softmax_one_stride, ""),
	FAULT(softmax_f32, softmax_no_max, "units"),
	FAULT(layernorm_f32, layernorm_no_epsilon, "units"),
	FAULT(rmsnorm_f32, rmsnorm_wants_bias, "a signal"),
	FAULT(quantize_rows_f32_s8, rows_have_one_scale, "at scale[1]"),
	FAULT(quantize_rows_f32_s8, rows_by_first_scale, "at row "),
	FAULT(quantize_rows_f32_s8, rows_write_scale_behind, "0 bytes after its end"),
	FAULT(quantize_rows_f32_s8, rows_want_zero, "a signal"),
	FAULT(quantize_rows_f32_s8, rows_fill_gap, "between its rows"),
	FAULT(quantize_rows_f32_s8, rows_count_nan, "at scale["),
	FAULT(quantize_rows_f32_s8, rows_infinite_scale, "at scale["),
	FAULT(quantize_rows_f32_s8, rows_tiny_scale, "at scale["),
	FAULT(quantize_rows_f32_s8, rows_of_zeros, "at scale["),
	FAULT(quantize_rows_f32_u8, rows_zero_truncated, "at zero["),
	FAULT(quantize_rows_f32_u8, rows_without_zero, "at row "),
	FAULT(meanpool_f32, meanpool_ignores_ldx, "at y["),
	FAULT(meanpool_f32, meanpool_hides_infinity, "inf within"),
	FAULT(meanpool_f32, meanpool_keeps_infinity, "nan within"),
	FAULT(transpose_b32, transpose_fills_gap, "between its rows"),
	FAULT(transpose_b32, transpose_over_reads, "a signal"),
	FAULT(transpose_b32, transpose_int_stride, "wanted"),
	FAULT(transpose_b32, transpose_no_corner, "wanted"),
	FAULT(nchw_nhwc_b16, images_swapped, "at y["),
	FAULT(gemm_pack_f32, pack_leaves_padding, "wanted"),
	FAULT(gemm_pack_f32, pack_writes_on_refusal, "is changed"),
	FAULT(gemm_pack_groups_s8, pack_displaces_scales, "wanted"),
	FAULT(gemm_pack_groups_s8, pack_groups_other_status, "got status"),
	FAULT_ORDER(gemm_f32, gemm_other_order, "order of operations"),
	FAULT(gemm_f32, gemm_wrong_column, "units"),
	FAULT(gemm_f32, gemm_wrong_gap, "between its rows"),
	FAULT(gemm_f32, gemm_trusts_header, "wanted"),
	FAULT(gemm_f32, gemm_writes_on_refusal, "is changed"),
	FAULT(gemm_f32, gemm_other_status, "got status"),
	FAULT(gemm_f32, gemm_positive_status, "refused"),
	FAULT(gemm_f32, gemm_bias_late, "units"),
	FAULT(gemm_f32, gemm_reads_next_panel, "a signal"),
	FAULT(gemm_f32, gemm_no_depth, "units"),
	FAULT(gemm_f32, gemm_int_stride, "another row"),
	FAULT(gemm_f32, gemm_copies_post, "a signal"),
	FAULT(matmul_f32, matmul_int_stride, ""),
	FAULT_ORDER(matmul_f32, matmul_other_order, "the contract's order of operations"),
	FAULT(matmul_f32, matmul_takes_lda, "wanted -3"),
	FAULT(matmul_f32, matmul_last_row, "units"),
	FAULT(matmul_batch_f32, batch_no_one_matrix, ""),
	FAULT(matmul_batch_f32, batch_copies_post, "a signal"),
	FAULT(matmul_batch_f32, batch_no_stride_check, "status 0 (success), wanted"),
	FAULT(gemm_pack_bf16, pack_bf16_least, "wanted"),
	FAULT(gemm_pack_s8, pack_s8_sums, "wanted"),
	FAULT(gemm_u8s8_s32, gemm_saturates, "units"),
	FAULT(gemm_u8s8_f32, gemm_no_zero, "units"),
	FAULT(gemm_u8s8_f32, gemm_no_row_scale, "units"),
	FAULT(gemm_s8s8_s32, gemm_no_row_zero, "units"),
	FAULT(gemm_s8s8_s32, gemm_saturates_sum, "units"),
	FAULT(gemm_s8s8_s32, gemm_one_zero, "units"),
	FAULT(gemm_s8s8_s32, gemm_takes_output_scale, "wanted"),
	FAULT(gemm_u8s8_u8, gemm_signed_output, "units"),
	FAULT_BITS(gemm_s8s8_s8, gemm_ties_away, "the bits of"),
	FAULT_ORDER(gemm_bf16_f32, gemm_even_first, "order of operations"),
	FAULT(gemm_bf16_f32, gemm_flushes, "units"),
	FAULT(gemm_f16, gemm_f16_truncated, "units"),
	FAULT(gemm_f32s8, gemm_wrong_group, "units"),
	FAULT(conv_f32, conv_swaps_padding, "output channel "),
	FAULT(conv_f32, conv_fills_gap, "between its rows"),
	FAULT(conv_f32, conv_over_reads, "a signal"),
	FAULT(conv_f32, conv_multiplies_padding, "nan"),
	FAULT(conv_f32, conv_walks_nothing, "the call does not end within"),
	FAULT(conv_f32, conv_other_status, "got status"),
	FAULT(conv_u8s8_s32, conv_no_zero, "units"),
	FAULT(conv_transpose_f32, transpose_other_order, "output channel "),
	FAULT(conv_transpose_f32, transpose_swaps_padding, "output channel "),
	FAULT(conv_transpose_pack_f32, transpose_pack_without_phases, "wanted"),
	FAULT(conv_pack_f32, conv_pack_one_group, "wanted"),
	FAULT(conv_pack_f32, conv_pack_writes_on_refusal, "is changed"),
};

#define FAULTS (sizeof(faults) / sizeof(faults[0]))

static const struct fault ends[] = {
	FAULT(relu_f32, over_read, "a signal: Segmentation fault"),
	FAULT(relu_f32, destroys_the_heap, "a signal: "),
	FAULT(relu_f32, takes_all_stack, "a signal: Segmentation fault"),
	FAULT(relu_f32, jumps_to_nothing, "a signal: Segmentation fault"),
	FAULT(relu_f32, exits, "the process ended with status 0"),
};

#define ENDS (sizeof(ends) / sizeof(ends[0]))

static struct variant *variants;
static size_t variant_count;

/* The highest variant of the kernel that the CPU itself can run, except AMX, which promises less. */
static struct variant right(const char *kernel)
{
	for (size_t i = variant_count; i--;)
		if (variants[i].fn && !variants[i].emulated && strcmp(variants[i].info.name, kernel) == 0
		    && strcmp(variants[i].isa, "amx") != 0)
			return variants[i];
	fail_msg("no kernel %s", kernel);
	abort();
}

/* Runs the tests of these variants in another process, with their output to text. Returns how many failed. */
static int outcome(struct variant *tested, size_t count, char *text, size_t room)
{
	struct CMUnitTest tests[2];
	int output, status;
	const pid_t child = child_begin(&output);

	if (child == 0) {
		int failed;

		for (size_t i = 0; i < count; i++)
			tests[i] = variant_test(&tested[i]);
		alarm(120);
		cmocka_set_test_filter(NULL);
		failed = _cmocka_run_group_tests("child", tests, count, NULL, NULL);
		fflush(stdout);
		_exit(failed);
	}
	status = child_end(child, output, text, room);
	if (!WIFEXITED(status))
		fail_msg("the child died: status %#x, output: %s", (unsigned)status, text);
	return WEXITSTATUS(status);
}

static void test_caught(void **state)
{
	const struct fault *fault = *state;
	struct variant v = right(fault->kernel);
	char text[4096];
	int failed;

	/* Without a twin the oracle alone must notice. */
	v.twin = fault->twin;
	v.fn = fault->fn;
	v.form = fault->form ? fault->form : v.form;
	failed = outcome(&v, 1, text, sizeof(text));
	if (failed != 1 || !strstr(text, fault->found)) {
		printf("# expected '%s', got:\n# %s\n", fault->found, text);
		fail();
	}
}

/* Whatever a kernel destroys, the next one is tested, and the message has the command that repeats the test. */
static void test_goes_on(void **state)
{
	const struct fault *fault = *state;
	struct variant tested[2] = {right(fault->kernel), right(fault->kernel)};
	char text[4096];
	int failed;

	tested[0].fn = fault->fn;
	failed = outcome(tested, 2, text, sizeof(text));
	if (failed != 1 || !strstr(text, fault->found) || !strstr(text, "\nnot ok 1") || !strstr(text, "\nok 2")
	    || !strstr(text, "\n#   again: ISK_TEST_SEED=")) {
		printf("# expected '%s' and another test, got:\n# %s\n", fault->found, text);
		fail();
	}
}

static void test_choice(void **state)
{
	struct variant all[] = {{.id = "exp_f32/avx2"}, {.id = "sum_f32/avx2"}, {.id = "exp_f32/avx512"},
	                        {.id = "dot_f32/avx2"}};
	struct CMUnitTest tests[4];
	const char *unmatched = NULL;

	(void)state;
	for (size_t i = 0; i < 4; i++)
		tests[i] = variant_test(&all[i]);
	assert_int_equal(tests_choose(tests, 4, (char *[]){"*/avx512", "exp*", "dot_f32/avx2", NULL}, &unmatched), 3);
	assert_null(unmatched);
	assert_ptr_equal(tests[0].initial_state, &all[0]);
	assert_ptr_equal(tests[1].initial_state, &all[2]);
	assert_ptr_equal(tests[2].initial_state, &all[3]);
	tests_choose(tests, 3, (char *[]){"exp*", "sum*", "dot*", NULL}, &unmatched);
	assert_string_equal(unmatched, "sum*");
}

static void test_passes(void **state)
{
	struct variant v = right(*state);
	char text[4096];

	if (outcome(&v, 1, text, sizeof(text)) != 0 || !strstr(text, "ok 1")) {
		printf("# %s\n", text);
		fail();
	}
}

/* Whether this fault is the first one for its driver. */
static int has_new_driver(size_t fault)
{
	const struct driver *driver = right(faults[fault].kernel).driver;

	for (size_t i = 0; i < fault; i++)
		if (right(faults[i].kernel).driver == driver)
			return 0;
	return 1;
}

/* A range of inputs from `first` on, and the units in the last place by which a result is made wrong. */
struct span_of_inputs {
	const char *kernel;
	uint32_t first;
	uint64_t units;
};

static const struct span_of_inputs spans[] = {
	{"cr_exp_f32", 0x3f800000, 1},     {"cr_exp_f32", 0xc2ce8000, 1},     {"exp_f32", 0x41800000, 3},
	{"exp_f32", 0x7f7ff800, 3},        {"cvt_f32_bf16", 0x3f800000, 1},   {"cvt_f32_bf16", 0x7f7ff800, 1},
	{"cvt_f32_e4m3", 0x3f800000, 1},   {"cvt_f32_s32", 0x7f7ff800, 1},    {"quantize_f32_u8", 0x3c800000, 1},
	{"relu_f32", 0x80000000, 1u << 31}, {"tanh_f32", 0x80000000, 1u << 31}, {"mul_f32", 0x3f800000, 1},
	{"atan2_f32", 0x3f800000, 2},
};
#define SPANS (sizeof(spans) / sizeof(spans[0]))

static int is_left_to_oracle(struct bulk *b, const struct variant *v, const void *got, uint32_t input)
{
	static uint32_t left[BULK_MOST + 1];
	uint64_t misrounded = 0;
	const size_t count = bulk_left(b, v, got, v->bound, left, &misrounded);

	for (size_t i = 0; i < count; i++)
		if (left[i] == input)
			return 1;
	return 0;
}

/* Right results are proven in bulk, apart from a few; a wrong result is left to the oracle, at any place. */
static void test_bulk(void **state)
{
	static float x[BULK_MOST + 1];
	static uint64_t y[BULK_MOST];
	static uint32_t left[BULK_MOST + 1];
	static struct bulk b;
	const struct span_of_inputs *span = *state;
	struct variant v = right(span->kernel);
	const struct arguments all = arguments_of(v.kernel);
	const enum isk_type out = argument_type(v.kernel, all.outs[0]);
	uint64_t misrounded = 0;
	union isk_args args = {{0}};
	struct answers answers;

	for (size_t i = 0; i <= BULK_MOST; i++)
		x[i] = f32_of(span->first + (uint32_t)i);
	for (int i = 0; i < all.value_count; i++)
		if (argument(v.kernel, all.values[i])->type == ISK_F32)
			*(float *)isk_argument_at(&args, argument(v.kernel, all.values[i])) = 0.0123f;
	*size_at(v.kernel, &args, all.sizes[0]) = BULK_MOST;
	for (int j = 0; j < all.in_count; j++)
		*pointer_at(v.kernel, &args, all.ins[j]) = x + j;
	*pointer_at(v.kernel, &args, all.outs[0]) = y;
	v.kernel->call(v.fn, &args);
	assert_true(bulk_is_there(v.kernel));
	bulk_ask(&b, v.kernel, &args);
	/* In a range with NaNs, they are half of the inputs. */
	assert_true(bulk_left(&b, &v, y, v.bound, left, &misrounded) < BULK_MOST / 2 + BULK_MOST / 32);

	for (uint32_t i = 0; i < BULK_MOST; i += 5) {
		const uint64_t bits = isk_element_bits(out, y, i);

		isk_element_set_bits(out, y, i, bits + span->units);
		assert_true(is_left_to_oracle(&b, &v, y, i));
		isk_element_set_bits(out, y, i, bits);
	}

	answers = answers_of(&v, &args);
	for (size_t i = 0; i < BULK_MOST; i++) {
		const struct exact *exact = &answers.of[all.outs[0]][i];

		assert_true(bulk_agrees(&b, i, exact));
		b.exact[i] *= 1 + BULK_MARGIN;
		b.low[i] = b.rounded[i] = b.rounded[i] + 1;
		assert_true(isnan(x[i]) || b.exact[i] == 0 || isinf(b.rounded[i]) || !bulk_agrees(&b, i, exact));
	}
	answers_free(&answers);
}

/* Sums whose large elements cancel after smaller ones, and sums next to a tie. */
static void test_exact_sum(void **state)
{
	static const struct {
		float x[5], sum;
	} cases[] = {
		{{0x1p56f, 0.0557f, 8, -0x1p56f}, 8 + 0.0557f},
		{{0x1p100f, 0x1p-100f, 1, -0x1p100f, 0x1p-24f}, 1 + 0x1p-23f},
		{{1, 0x1p-24f}, 1},
		{{1, 0x1p-24f, -0x1p-149f}, 1},
		{{1 + 0x1p-23f, 0x1p-24f, -0x1p-149f}, 1 + 0x1p-23f},
		{{0x1.fffffep127f, 0x1p103f}, INFINITY},
		{{0x1.fffffep127f, 0x1p103f, -0x1p-149f}, 0x1.fffffep127f},
		{{-0x1.fffffep127f, -0x1p103f, 0x1p-149f}, -0x1.fffffep127f},
		{{0x1p-149f, 0x1p127f, -0x1p127f}, 0x1p-149f},
	};
	struct variant v = right("sum_exact_f32");
	const struct arguments all = arguments_of(v.kernel);

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		union isk_args args = {{0}};
		struct answers answers;

		*pointer_at(v.kernel, &args, all.ins[0]) = (void *)(uintptr_t)cases[i].x;
		*size_at(v.kernel, &args, all.sizes[0]) = 5;
		answers = answers_of(&v, &args);
		assert_true(answers.result.value == (long double)cases[i].sum);
		answers_free(&answers);
		v.kernel->call(v.fn, &args);
		assert_true(args.result.f32 == cases[i].sum);
	}
}

int main(int argc, char **argv)
{
	struct CMUnitTest tests[2 * FAULTS + ENDS + SPANS + 2];
	char names[2 * FAULTS + ENDS + SPANS][80];
	size_t count = 0;

	if (argc > 1)
		cmocka_set_test_filter(argv[1]);

	seconds_of_a_call = 2;
	variant_count = variants_all(&variants, EMULATED);
	for (size_t i = 0; i < variant_count; i++)
		variants[i].one_of = 0;
	for (size_t i = 0; i < FAULTS; i++) {
		const struct fault *f = &faults[i];

		if (has_new_driver(i)) {
			snprintf(names[count], sizeof(names[0]), "selftest %s: right", f->kernel);
			tests[count] = (struct CMUnitTest){names[count], test_passes, NULL, NULL,
			                                   (void *)(uintptr_t)f->kernel};
			count++;
		}
		snprintf(names[count], sizeof(names[0]), "selftest %s: %s", f->kernel, f->name);
		tests[count] = (struct CMUnitTest){names[count], test_caught, NULL, NULL, (void *)(uintptr_t)f};
		count++;
	}
	for (size_t i = 0; i < ENDS; i++) {
		const struct fault *f = &ends[i];

		snprintf(names[count], sizeof(names[0]), "selftest %s: %s, and on", f->kernel, f->name);
		tests[count] = (struct CMUnitTest){names[count], test_goes_on, NULL, NULL, (void *)(uintptr_t)f};
		count++;
	}
	for (size_t i = 0; i < SPANS; i++) {
		const struct span_of_inputs *span = &spans[i];

		snprintf(names[count], sizeof(names[0]), "selftest %s: in bulk from %#x", span->kernel, span->first);
		tests[count] = (struct CMUnitTest){names[count], test_bulk, NULL, NULL, (void *)(uintptr_t)span};
		count++;
	}
	tests[count++] = (struct CMUnitTest)cmocka_unit_test(test_choice);
	tests[count++] = (struct CMUnitTest)cmocka_unit_test(test_exact_sum);
	cmocka_set_message_output(CM_OUTPUT_TAP);
	test_seed();
	return _cmocka_run_group_tests("selftest", tests, count, NULL, NULL) != 0;
}
