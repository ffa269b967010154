/* SPDX-License-Identifier: MIT */
/*
 * The driver of gemm. Packed B is byte for byte that of the packing oracle, at every ISA (pack.c). It
 * therefore does not matter which ISA packed B, and products are checked against B before packing.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "arrays.h"
#include "harness.h"
#include "order.h"
#include "packed.h"
#include "products.h"

/* Floats up to `size`; integers of any size, or only the extremes, which make sums saturate first. */
static void fill(enum isk_type type, unsigned char *x, size_t n, double size)
{
	const uint64_t low = type == ISK_U8 ? 0 : 0x80, high = type == ISK_U8 ? 0xff : 0x7f;
	const size_t extremes = random_below(8);

	if (isk_element_is_float(type)) {
		fill_floats(type, x, n, size);
		return;
	}
	for (size_t i = 0; i < n; i++)
		if (extremes > 2)
			isk_element_set_bits(type, x, i, random_bits());
		else
			isk_element_set_bits(type, x, i, extremes == 0 || (extremes == 1 && random_below(2)) ? high : low);
}

struct problem {
	size_t m, n, k, lda, ldc, ldother, ldscale, columns; /* columns: of packed B, from its first column on */
	size_t scale_k; /* rows of B that share a scale for each column; 0: no scales */
	enum edge edge;
	size_t offset[3]; /* of c, a, packed */
	int has_post, other_is_c;
	struct isk_post post; /* the scalars of the post; the pointers are set at the call */
	int with_bias, row_scaled, row_zeroed;
	int bits_alone; /* sums overflow, so no bound holds, but the order of the sum still names the bits */
};

static unsigned char *a_data, *b_data, *c_data, *other_data, *packed_data;
static unsigned char *bias_data, *scale_data, *row_scales; /* of type_post() */
static float *weight_scales;
static int32_t *zero_data, *row_zeros;

static int grouped(const struct isk_kernel *k)
{
	return type_a(k) == ISK_F32 && type_b(k) == ISK_S8;
}

static void describe(const struct problem *p)
{
	trying("m %zu, n %zu, k %zu, lda %zu, ldc %zu, first %zu, offsets %zu %zu %zu from the %s edge; "
	       "%s, %zu scales%s, %s, activation %d (%g, %g), binary %d (%g)%s; zero points %d%s, %zu; groups of %zu; "
	       "output %g, %d",
	       p->m, p->n, p->k, p->lda, p->ldc, p->post.first_column, p->offset[0], p->offset[1], p->offset[2],
	       p->edge == LOW ? "lower" : "upper", p->has_post ? "post" : "no post", p->post.scales,
	       p->row_scaled ? " and one a row" : "",
	       p->with_bias ? "bias" : "no bias", (int)p->post.act, (double)p->post.act_a, (double)p->post.act_b,
	       (int)p->post.binary, (double)p->post.other_scale, p->other_is_c ? " with C" : "", p->post.a_zero,
	       p->row_zeroed ? " or one a row" : "", p->post.b_zeros, p->scale_k, (double)p->post.out_scale, p->post.out_zero);
}

static struct isk_groups groups_of(const struct problem *p)
{
	return (struct isk_groups){sizeof(struct isk_groups), p->scale_k, weight_scales, p->ldscale};
}

static size_t packed_bytes(const struct isk_kernel *k, const struct problem *p)
{
	const struct isk_groups groups = groups_of(p);

	return p->scale_k ? isk_packed_groups_size(type_b(k), p->k, p->columns, &groups)
	                  : isk_packed_size(type_b(k), p->k, p->columns);
}

static void pack_b(const struct isk_kernel *k, const struct problem *p)
{
	const struct isk_groups groups = groups_of(p);
	const struct isk_args_pack pack = {
		.packed = packed_data, .b = b_data, .bytes = packed_bytes(k, p), .k = p->k, .n = p->columns, .ldb = p->columns,
	};

	if (pack.bytes > ROOM || isk_oracle_pack(type_b(k), &pack, p->scale_k ? &groups : NULL))
		wrong("the oracle cannot pack");
}

/* Random matrices of the problem, B packed. Scales of integers bring sums to a few units, where activations curve. */
static void problem_fill(const struct isk_kernel *k, const struct problem *p, double size)
{
	const double unit = integers(k) ? 1 / (4000 * sqrt((double)p->k + 1)) : 1;
	const enum isk_type type = type_post(k);

	fill(type_a(k), a_data, span(p->m, p->k, p->lda), size);
	fill(type_b(k), b_data, p->k * p->columns, size);
	fill(type_c(k), c_data, span(p->m, p->n, p->ldc), 2);
	fill(type_c(k), other_data, span(p->m, p->n, p->ldother), 2);
	for (size_t j = 0; j < p->columns || j < 2; j++) {
		isk_element_set(type, bias_data, j, (long double)random_in(-2, 2));
		isk_element_set(type, scale_data, j, (long double)(random_in(-2, 2) * unit));
		zero_data[j] = (int32_t)(random_below(16) ? random_below(256) - 128 : random_bits());
	}
	for (size_t i = 0; i < p->m; i++) {
		isk_element_set(type, row_scales, i, (long double)random_in(-2, 2));
		row_zeros[i] = (int32_t)(random_below(16) ? random_below(256) - 128 : random_bits());
	}
	for (size_t i = 0; p->scale_k && i < span((p->k + 31) / 32, p->columns, p->ldscale); i++)
		weight_scales[i] = (float)random_in(-2, 2);
	pack_b(k, p);
}

static union isk_args args_of(void *c, const void *a, const void *packed, const struct problem *p,
                              const struct isk_post *post)
{
	return (union isk_args){.gemm = {
		.c = c, .a = a, .packed = packed, .m = p->m, .n = p->n, .k = p->k, .ldc = p->ldc, .lda = p->lda, .post = post,
	}};
}

static int gemm(struct variant *v, isk_function fn, void *c, const void *a, const void *packed,
                const struct problem *p, const struct isk_post *post)
{
	union isk_args args = args_of(c, a, packed, p, post);

	variant_call(v, fn, &args);
	return args.result.status;
}

/* The status that the reference returns. */
static int status_of(const struct isk_kernel *k, void *c, const void *a, const void *packed, const struct problem *p,
                     const struct isk_post *post)
{
	const union isk_args args = args_of(c, a, packed, p, post);

	return isk_check_gemm(k->types, &args.gemm);
}

/* Calls fn in guarded memory, then copies C, as rows without gaps, to out. */
static void compute(struct variant *v, isk_function fn, const void *problem, unsigned char *out)
{
	const struct problem *p = problem;
	const struct isk_kernel *k = v->kernel;
	const size_t in = isk_element_bytes(type_a(k)), size = isk_element_bytes(type_c(k));
	const size_t sum_bytes = isk_element_bytes(type_post(k));
	const size_t other_bytes = span(p->m, p->n, p->ldother) * size, c_bytes = span(p->m, p->n, p->ldc) * size;
	const void *a = slot_put(SLOT_A, p->edge, p->offset[1], a_data, span(p->m, p->k, p->lda) * in);
	const void *packed = slot_put(SLOT_B, p->edge, p->offset[2], packed_data, packed_bytes(k, p));
	unsigned char *c = slot_put(SLOT_Y, p->edge, p->offset[0], p->other_is_c ? c_data : NULL, c_bytes);
	struct isk_post post = p->post;
	int status;

	slot_expect_rows(SLOT_Y, p->n ? p->m : 0, p->n * size, p->ldc * size);
	post.size = sizeof(post);
	if (p->with_bias)
		post.bias = slot_put(SLOT_C, p->edge, 0, bias_data, p->n * sum_bytes);
	if (post.scales)
		post.scale = slot_put(SLOT_D, p->edge, 0, scale_data, post.scales * sum_bytes);
	if (post.binary) {
		post.other = p->other_is_c ? c : slot_put(SLOT_E, p->edge, 0, other_data, other_bytes);
		post.ldother = p->other_is_c ? p->ldc : p->ldother;
	}
	if (post.b_zeros)
		post.b_zero = slot_put(SLOT_F, p->edge, 0, zero_data, post.b_zeros * sizeof(int32_t));
	if (p->row_scaled)
		post.row_scale = slot_put(SLOT_G, p->edge, 0, row_scales, p->m * sum_bytes);
	if (p->row_zeroed)
		post.row_zero = slot_put(SLOT_H, p->edge, 0, row_zeros, p->m * sizeof(int32_t));
	status = gemm(v, fn, c, a, packed, p, p->has_post ? &post : NULL);
	slots_check();
	if (status)
		wrong("status %d (%s)", status, isk_strerror(status));
	for (size_t i = 0; i < p->m; i++)
		memcpy(out + i * p->n * size, c + i * p->ldc * size, p->n * size);
}

enum { MOST_K = 8192 }; /* for variants that take denormals for 0, and for groups of k with scales */

static const void *flushed(const struct terms *t, size_t k, unsigned char *room)
{
	for (size_t i = 0; i < k; i++)
		isk_element_set_bits(t->type, room, i, without_denormal(isk_element_bits(t->type, t->x, i * t->step)));
	return room;
}

static void expect(struct variant *v, const struct problem *p, size_t i, size_t j)
{
	static unsigned char flushed_a[2 * MOST_K], flushed_b[2 * MOST_K];
	static float lines[MOST_K / 32 * ISK_PACKED_PANEL];
	const struct isk_kernel *k = v->kernel;
	const int flushes = has_amx_order(v);
	const float *scales = weight_scales + p->post.first_column + j;
	struct terms a = {type_a(k), a_data + i * p->lda * isk_element_bytes(type_a(k)), 1, 0, NULL, 0};
	struct terms b = {type_b(k), b_data + (p->post.first_column + j) * isk_element_bytes(type_b(k)), p->columns,
	                  p->scale_k, scales, p->ldscale};
	double slack = 4 * (double)(p->k + 16) * (flushes ? 0x1p-126 : element_least(type_post(k)));
	struct isk_value exact;
	struct isk_column column;
	const struct element e = {p->m * p->n, i * p->n + j, AT(i, j)};
	struct isk_post post = p->post;
	uint64_t named;
	int is_named;

	post.size = sizeof(post);
	post.bias = p->with_bias ? bias_data : NULL;
	post.scale = scale_data;
	post.other = p->other_is_c ? c_data : other_data;
	post.ldother = p->other_is_c ? p->ldc : p->ldother;
	post.b_zero = zero_data;
	post.row_scale = p->row_scaled ? row_scales : NULL;
	post.row_zero = p->row_zeroed ? row_zeros : NULL;
	is_named = bits_named(v, &a, &b, p->k, i, j, &post, &named);
	if (p->bits_alone) {
		check_element(v, &e, is_named ? &named : NULL, NULL, &post, slack);
		return;
	}
	if (p->k > MOST_K && (flushes || b.scale_k))
		wrong("the test asks for %zu terms", p->k);
	if (flushes) {
		a.x = flushed(&a, p->k, flushed_a);
		b.x = flushed(&b, p->k, flushed_b);
		b.step = 1;
	}
	/* The oracle takes scales as they are packed: one panel line apart. */
	for (size_t g = 0; b.scale_k && g * b.scale_k < p->k; g++)
		lines[g * ISK_PACKED_PANEL] = b.scale[g * b.ldscale];
	column = (struct isk_column){b.x, 1, b.step, b.scale_k, lines};
	exact = isk_oracle_product(k->types, a.x, 1, &column, p->k, i, j, p->has_post ? &post : NULL);
	check_element(v, &e, is_named ? &named : NULL, &exact, &post, slack);
}

/* One problem: all of C, or a sample of it, against the oracle, and all of it against the twin. */
static void one(struct variant *v, const struct problem *p)
{
	const size_t count = p->m * p->n;

	spare(v);
	if (!taking_part(v))
		return;
	describe(p);
	compute_each(v, compute, p, count, p->n, NULL);
	for (size_t i = 0; i < count; i += step_to_next(count * p->k / 50000))
		expect(v, p, i / p->n, i % p->n);
}

/* An output scale that spreads results over the type, some of them beyond its range. */
static void set_output(const struct isk_kernel *k, struct problem *p)
{
	const int scaled = (p->post.scales && !p->row_scaled) || p->post.act == ISK_ACT_RELU6 || p->post.act == ISK_ACT_SIGMOID
	                   || p->post.act == ISK_ACT_HARDSIGMOID || p->post.act == ISK_ACT_TANH
	                   || p->post.act == ISK_ACT_HARDTANH;
	const double size = p->post.binary && random_below(2) ? 100 : scaled ? 4 : 4000 * sqrt((double)p->k + 1);

	if (!quantized(k))
		return;
	p->has_post = 1;
	p->post.out_scale = (float)(size / random_in(20, 200));
	if (random_below(4) == 0) /* sums that are integers then reach ties */
		p->post.out_scale = ldexpf(1, ilogbf(p->post.out_scale));
	p->post.out_zero = draw_zero(type_c(k));
}

static struct problem problem(const struct isk_kernel *kernel, size_t m, size_t n, size_t k)
{
	struct problem p = {.m = m, .n = n, .k = k, .lda = k + random_below(3), .ldc = n + random_below(3),
	                    .ldother = n + random_below(3), .ldscale = n + random_below(3), .columns = n,
	                    .edge = random_below(2) ? LOW : HIGH};

	set_output(kernel, &p);
	return p;
}

/*
 * zeros: odd gives A a zero point, or one for each row; zeros / 2 says the same of B: none, one, or one for
 * each column.
 */
enum { SCALES = 3, ZEROS = 6, GROUPS = 4 };

static void with_post(const struct isk_kernel *k, struct problem *p, enum isk_activation act,
                      enum isk_binary binary, int scales, int bias, int zeros, int group)
{
	p->has_post = 1;
	if (integers(k)) {
		p->row_zeroed = zeros % 2 && random_below(2);
		p->post.a_zero = zeros % 2 && !p->row_zeroed ? draw_zero(type_a(k)) : 0;
		p->post.b_zeros = zeros / 2 == 2 ? p->n : (size_t)(zeros / 2);
	}
	if (grouped(k))
		p->scale_k = group ? (size_t)16 << group : 0;
	if (type_c(k) == ISK_S32)
		return;
	p->with_bias = bias;
	p->row_scaled = (int)random_below(2);
	set_post(k, &p->post, p->n, (size_t)scales, act, binary);
	p->other_is_c = binary && random_below(2);
	set_output(k, p);
}

static void random_post(const struct isk_kernel *k, struct problem *p)
{
	with_post(k, p, (enum isk_activation)random_below(ISK_ACT_SILU + 1),
	          (enum isk_binary)random_below(ISK_BINARY_AXPY + 1), (int)random_below(SCALES),
	          (int)random_below(2), (int)random_below(ZEROS), (int)random_below(GROUPS));
}

static void one_shape(struct variant *v, size_t m, size_t n, size_t k, int post)
{
	struct problem p = problem(v->kernel, m, n, k);

	if (post)
		random_post(v->kernel, &p);
	problem_fill(v->kernel, &p, random_below(8) ? 1 : 200);
	one(v, &p);
}

/* All shapes up to 40, or `samples` of them. */
enum { MOST = 40 };

static void every_shape(struct variant *v, size_t samples)
{
	for (size_t m = 0; m <= MOST && !samples; m++)
		for (size_t n = 0; n <= MOST; n++)
			for (size_t k = 0; k <= MOST; k++) {
				one_shape(v, m, n, k, 0);
				if ((m + n + k) % 4 == 0)
					one_shape(v, m, n, k, 1);
			}
	for (size_t i = 0; i < samples; i++)
		one_shape(v, random_below(MOST + 1), random_below(MOST + 1), random_below(MOST + 1), i % 4 == 0);
}

static void large_shapes(struct variant *v, int count)
{
	static const size_t around[] = {1,   2,   6,   13,  14,  15,  28,  29,  63,  64,  65,  96,
	                                127, 128, 129, 130, 160, 255, 256, 257, 300, 511, 513, 700};
	const size_t choices = sizeof(around) / sizeof(around[0]);

	for (int i = 0; i < count; i++)
		/* Every fourth call has few rows, because kernels take another path then. */
		one_shape(v, i % 4 ? around[random_below(choices - 4)] : 1 + random_below(3),
		          around[random_below(i % 4 ? choices - 4 : choices)], around[random_below(choices)],
		          i % 8 < 4);
	/* Few rows by few columns, with k large enough for one part or several. */
	for (int i = 0; i < 8; i++)
		one_shape(v, 1 + random_below(8), 1 + random_below(70), 500 + random_below(i % 2 ? 500 : 7000), i % 4 == 0);
	/* Panels of 1.6 MB, more than any kernel takes at once. */
	one_shape(v, 33, 200, 8000 / isk_element_bytes(type_b(v->kernel)), 1);
}

/* All combinations, each on a small problem. */
static void every_post(struct variant *v)
{
	const struct isk_kernel *k = v->kernel;
	const int zeros = integers(k) ? ZEROS : 1, groups = grouped(k) ? GROUPS : 1, only = type_c(k) == ISK_S32;

	for (int act = 0; act <= (only ? 0 : ISK_ACT_SILU); act++)
		for (int binary = 0; binary <= (only ? 0 : ISK_BINARY_AXPY); binary++)
			for (int scales = 0; scales < (only ? 1 : SCALES); scales++)
				for (int bias = 0; bias < (only ? 1 : 2); bias++)
					for (int other = 0; other < zeros * groups; other++) {
						struct problem p = problem(k, 1 + random_below(zeros * groups > 1 ? 7 : 17),
						                           1 + random_below(40), random_below(groups > 1 ? 80 : 24));

						with_post(k, &p, (enum isk_activation)act, (enum isk_binary)binary, scales, bias,
						          other % zeros, other / zeros);
						problem_fill(k, &p, act % 2 ? 2 : 1);
						one(v, &p);
					}
}

enum { NOTABLE = 8 };

/* NaNs, infinities, -0, denormals and the least normal number; for integers the extremes. */
static uint64_t notable(enum isk_type type, size_t i)
{
	static const uint32_t f32[NOTABLE] = {0x7fc00000, 0x7f800001, 0x7f800000, 0xff800000,
	                                       0x80000000, 0x00000001, 0x80012345, 0x00800000};
	static const uint64_t f64[NOTABLE] = {0x7ff8000000000000, 0x7ff0000000000001, 0x7ff0000000000000, 0xfff0000000000000,
	                                       0x8000000000000000, 0x0000000000000001, 0x8000012345678912, 0x0010000000000000};
	static const uint16_t bf16[NOTABLE] = {0x7fc0, 0x7f81, 0x7f80, 0xff80, 0x8000, 0x0001, 0x8012, 0x0080};
	static const uint16_t f16[NOTABLE] = {0x7e00, 0x7c01, 0x7c00, 0xfc00, 0x8000, 0x0001, 0x8123, 0x0400};

	return type == ISK_F32    ? f32[i]
	       : type == ISK_F64  ? f64[i]
	       : type == ISK_BF16 ? bf16[i]
	       : type == ISK_F16  ? f16[i]
	       : i % 2             ? 0x80
	                           : 0x7f;
}

/*
 * Special values through every activation: in A, in B or in both; in the bias of integer kernels, whose
 * inputs have none.
 */
static void specials_in(struct variant *v)
{
	const enum isk_type in = type_a(v->kernel), in2 = type_b(v->kernel);

	for (size_t i = 0; i < NOTABLE; i++)
		for (int act = 0; act <= ISK_ACT_SILU && type_c(v->kernel) != ISK_S32; act++)
			for (int where = 0; where < 4; where++) {
				struct problem p = problem(v->kernel, 1 + random_below(16), 1 + random_below(40),
				                           1 + random_below(20));

				if (where < 2 || integers(v->kernel))
					with_post(v->kernel, &p, (enum isk_activation)act, ISK_BINARY_NONE, 0,
					          integers(v->kernel), where, 0);
				problem_fill(v->kernel, &p, 1);
				isk_element_set_bits(type_post(v->kernel), bias_data, random_below(p.n), notable(type_post(v->kernel), i));
				if (where % 2)
					isk_element_set_bits(in2, b_data, random_below(p.k * p.columns), notable(in2, i));
				for (size_t row = 0; where == 2 && row < p.m; row++)
					for (size_t kk = 0; kk < p.k; kk++)
						isk_element_set_bits(in, a_data, row * p.lda + kk, notable(in, i));
				isk_element_set_bits(in, a_data, random_below(p.m) * p.lda + random_below(p.k), notable(in, i));
				pack_b(v->kernel, &p);
				one(v, &p);
			}
}

/* Numbers of any sign and fraction with exponent fields from low to high. */
static void fill_exponents(enum isk_type type, unsigned char *x, size_t n, size_t low, size_t high)
{
	const int bits = (int)(8 * isk_element_bytes(type)), exponent = type == ISK_F16 ? 5 : type == ISK_F64 ? 11 : 8;
	const size_t most = (size_t)1 << exponent;

	if (!isk_element_is_float(type)) {
		fill(type, x, n, 1);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		const uint64_t field = low + random_below(high - low + 1), fraction = bits - 1 - exponent;

		isk_element_set_bits(type, x, i, (random_bits() & ~((most - 1) << fraction))
		                              | (field < most - 2 ? field : most - 2) << fraction);
	}
}

/* The largest exponent that a finite number with this exponent field has. */
static int most_exponent(enum isk_type type, size_t field)
{
	return type == ISK_F16      ? (field < 30 ? (int)field : 30) - 15
	       : type == ISK_F64    ? (int)field - 1023
	       : isk_element_is_float(type) ? (int)field - 127
	                             : 7;
}

/* The exponent field of f64 that is as far from the least, from that of 1 or from the greatest as this field of f32. */
static size_t field_of(enum isk_type type, size_t field)
{
	return type != ISK_F64 || field < 64 ? field : field < 192 ? field + 1023 - 127 : field + 2046 - 254;
}

/*
 * Denormals in A, in B, in products and in sums: they count, at every ISA. And sums that overflow, for which
 * the order is promised but no bound. The last case lies around 2^-102, below which a product by s8 must not take
 * elements of A divided by 2^24.
 */
static void extreme_exponents(struct variant *v)
{
	static const struct {
		size_t a[2], b[2];
	} cases[] = {
		{{0, 2}, {120, 135}}, {{120, 135}, {0, 2}}, {{0, 0}, {240, 250}}, {{240, 250}, {0, 0}},
		{{60, 66}, {60, 66}}, {{1, 1}, {127, 127}}, {{1, 20}, {105, 130}}, {{2, 2}, {125, 126}},
		{{0, 0}, {0, 0}},     {{0, 254}, {127, 127}}, {{245, 254}, {120, 140}}, {{24, 26}, {127, 135}},
	};
	const enum isk_type in = type_a(v->kernel), in2 = type_b(v->kernel);

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]) && !integers(v->kernel); i++)
		for (int round = 0; round < 20; round++) {
			/* k so large that it is cut into parts, because widened rows take more room than others. */
			const int deep = round % 10 == 9;
			struct problem p = problem(v->kernel, deep ? 15 + random_below(30) : 1 + random_below(round % 2 ? 20 : 3),
			                           1 + random_below(40),
			                           deep ? 500 + random_below(1100) : 1 + random_below(round % 4 ? 70 : 6));

			/* One element of B alone has such an exponent, and the others are around 1. */
			const int alone = round % 3 == 0;
			const size_t around = in2 == ISK_F16 ? 15 : field_of(in2, 127), greatest = in == ISK_F64 ? 1023 : 127;
			const size_t a[] = {field_of(in, cases[i].a[0]), field_of(in, cases[i].a[1])};
			const size_t b[] = {field_of(in2, cases[i].b[0]), field_of(in2, cases[i].b[1])};
			const size_t most = alone && b[1] < around ? around : b[1];

			/* 2 for two fractions, 2^7 or 2^11 terms */
			p.bits_alone = most_exponent(in, a[1]) + most_exponent(in2, most) + 2 + (deep ? 11 : 7) > (int)greatest;
			problem_fill(v->kernel, &p, 1);
			fill_exponents(in, a_data, span(p.m, p.k, p.lda), a[0], a[1]);
			fill_exponents(in2, b_data, p.k * p.columns, b[0], b[1]);
			if (alone)
				fill_exponents(in2, b_data, p.k * p.columns - 1, around, around);
			pack_b(v->kernel, &p);
			one(v, &p);
		}
}

/*
 * So many of the largest terms that 32-bit sums wrap: more than 2^31 / 128^2 of s8 even without zero points.
 * A 16-bit sum anywhere on the way would overflow as well.
 */
static void long_sums(struct variant *v)
{
	for (int round = 0; round < 8 && integers(v->kernel); round++) {
		struct problem p = problem(v->kernel, 1 + random_below(3), 1 + random_below(5),
		                           round < 2 ? 131080 + random_below(8) : 500 + random_below(500));

		with_post(v->kernel, &p, ISK_ACT_NONE, ISK_BINARY_NONE, 0, 0, round % 2 ? 0 : 5, 0);
		problem_fill(v->kernel, &p, 1);
		for (size_t i = 0; i < span(p.m, p.k, p.lda); i++)
			isk_element_set_bits(type_a(v->kernel), a_data, i, type_a(v->kernel) == ISK_U8 ? 0xff : 0x80);
		for (size_t i = 0; i < p.k * p.columns; i++)
			isk_element_set_bits(type_b(v->kernel), b_data, i, i % p.columns % 2 ? 0x7f : 0x80);
		pack_b(v->kernel, &p);
		one(v, &p);
	}
}

static void every_alignment(struct variant *v)
{
	const size_t step = isk_element_bytes(type_a(v->kernel)), out = isk_element_bytes(type_c(v->kernel));
	struct problem p = problem(v->kernel, 5, 37, 11);

	problem_fill(v->kernel, &p, 1);
	p.edge = LOW;
	for (size_t shift = 0; shift < 64; shift++) {
		p.offset[0] = shift % (64 / out) * out;
		p.offset[1] = 5 * shift % (64 / step) * step;
		p.offset[2] = shift;
		one(v, &p);
	}
}

/* Rows and columns computed in parts have the bits of the whole product. */
static void every_split(struct variant *v)
{
	const int kept = promises_bits(v);
	static unsigned char *whole;

	for (int i = 0; i < 40; i++) {
		struct problem p = problem(v->kernel, 1 + random_below(70), 1 + random_below(200), random_below(600));
		struct problem part;
		const size_t row = random_below(p.m), first = random_below(p.n / 16 + 1) * 16;

		/* Leaves out the other arrays by column, which would have to be split as well. */
		with_post(v->kernel, &p, i % 4 ? ISK_ACT_NONE : ISK_ACT_GELU, ISK_BINARY_NONE, i % 2, 0, i % 4,
		          i % GROUPS);
		problem_fill(v->kernel, &p, 1);
		describe(&p);
		compute(v, v->fn, &p, room(&whole));
		part = p;
		part.m = p.m - row;
		part.n = first < p.n ? 1 + random_below(p.n - first) : 0;
		part.ldc = part.n;
		part.post.first_column = first;
		memmove(a_data, a_data + row * p.lda * isk_element_bytes(type_a(v->kernel)),
		        span(part.m, p.k, p.lda) * isk_element_bytes(type_a(v->kernel)));
		memmove(row_scales, row_scales + row * isk_element_bytes(type_post(v->kernel)),
		        part.m * isk_element_bytes(type_post(v->kernel)));
		memmove(row_zeros, row_zeros + row, part.m * sizeof(int32_t));
		one(v, &part);
		for (size_t r = 0; r < part.m && kept; r++)
			for (size_t c = 0; c < part.n; c++)
				check_bits(v, type_c(v->kernel), isk_element_bits(type_c(v->kernel), results_room(), r * part.n + c),
				           isk_element_bits(type_c(v->kernel), whole, (row + r) * p.n + first + c),
				           "as part of a larger product", AT(r, c));
	}
}

/* Rows a power of two apart, which share the sets of a cache; in the last calls, enough rows for a whole block. */
static void large_strides(struct variant *v)
{
	static const size_t strides[] = {1024, 4096};

	for (int i = 0; i < 10; i++) {
		const int tall = i >= 8;
		const size_t m = tall ? 200 + random_below(200) : i % 4 == 0 ? 1 + random_below(8) : 17 + random_below(30);
		struct problem p = problem(v->kernel, m, 33 + random_below(90), 1 + random_below(i % 2 ? 1000 : 70));

		p.lda = strides[!tall && random_below(2)];
		p.ldc = strides[!tall && random_below(2)];
		p.ldother = strides[!tall && random_below(2)];
		p.ldscale = strides[random_below(2)];
		if (i % 2)
			random_post(v->kernel, &p);
		problem_fill(v->kernel, &p, 1);
		one(v, &p);
	}
}

/* Rows more than 2^32 elements apart give the bits of close rows. */
static void far_strides(struct variant *v)
{
	static unsigned char *near;
	const struct isk_kernel *k = v->kernel;
	const size_t in = isk_element_bytes(type_a(k)), size = isk_element_bytes(type_c(k));

	for (int i = 0; i < 4; i++) {
		const size_t m = i % 2 ? 40 : 3, n = 53, depth = 70, row = n * size;
		struct problem p = problem(k, m, n, depth), apart;
		unsigned char *a = far_rows(m, depth * in, FAR * in), *c = far_rows(m, row, FAR * size);
		unsigned char *other = far_rows(m, row, FAR * size);
		int status;

		if (!a || !c || !other)
			return;
		/* Without a post, and with every operation that has a stride. */
		if (i / 2)
			with_post(k, &p, ISK_ACT_NONE, ISK_BINARY_ADD, 1, 1, 5, 1);
		p.other_is_c = 0;
		problem_fill(k, &p, 1);
		describe(&p);
		compute(v, v->fn, &p, room(&near));
		copy_rows(a, FAR * in, a_data, p.lda * in, m, depth * in);
		copy_rows(other, FAR * size, other_data, p.ldother * size, m, row);
		apart = p;
		apart.lda = apart.ldc = apart.post.ldother = FAR;
		apart.post.size = sizeof(apart.post);
		apart.post.bias = p.with_bias ? bias_data : NULL;
		apart.post.scale = scale_data;
		apart.post.b_zero = zero_data;
		apart.post.other = other;
		apart.post.row_scale = p.row_scaled ? row_scales : NULL;
		apart.post.row_zero = p.row_zeroed ? row_zeros : NULL;
		describe(&apart);
		status = gemm(v, v->fn, c, a, packed_data, &apart, p.has_post ? &apart.post : NULL);
		for (size_t r = 0; r < m; r++)
			if (status || memcmp(c + r * FAR * size, near + r * row, row) != 0)
				wrong("status %d, or another row %zu than where rows are close", status, r);
		v->checks += m * n;
		far_free(a, m, depth * in, FAR * in);
		far_free(c, m, row, FAR * size);
		far_free(other, m, row, FAR * size);
	}
}

/*
 * Weights packed by each ISA in turn, written to a file, mapped, read through and multiplied: the product
 * must be that of weights that the oracle packed.
 */
static void stored(struct variant *v)
{
	const struct problem p = problem(v->kernel, 6, 53, 77);
	const size_t bytes = isk_packed_size(type_b(v->kernel), p.k, p.columns), size = isk_element_bytes(type_c(v->kernel));
	static unsigned char *want, *packed;
	const struct isk_kernel *by = packer(v->kernel, "pack");
	struct isk_candidate *candidates;
	const size_t count = candidates_of(by->name, &candidates);

	problem_fill(v->kernel, &p, 1);
	describe(&p);
	compute(v, v->fn, &p, room(&want));
	for (size_t i = 0; i < count; i++) {
		union isk_args pack = {.pack = {
			.b = b_data, .bytes = bytes, .k = p.k, .n = p.columns, .ldb = p.columns,
		}};
		struct isk_post post = p.post;
		FILE *file;
		void *map;
		int status;

		if (!candidate_runs(&candidates[i]))
			continue;
		trying("weights packed at %s", candidates[i].isa);
		memset(room(&packed), 0x77, bytes);
		pack.pack.packed = packed;
		by->call(candidates[i].fn, &pack);
		file = tmpfile();
		if (pack.result.status || !file || fwrite(packed, 1, bytes, file) != bytes || fflush(file))
			wrong("cannot pack and write: status %d", pack.result.status);
		map = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, fileno(file), 0);
		if (map == MAP_FAILED || isk_packed_check(map, bytes, type_b(v->kernel)))
			wrong("what was written cannot be mapped, or is refused");
		post.size = sizeof(post);
		status = gemm(v, v->fn, results_room(), a_data, map, &p, p.has_post ? &post : NULL);
		for (size_t r = 0; r < p.m; r++)
			if (status || memcmp(results_room() + r * p.ldc * size, want + r * p.n * size, p.n * size))
				wrong("status %d, or another product in row %zu", status, r);
		munmap(map, bytes);
		fclose(file);
	}
	free(candidates);
}

/* A post that says it has 8 bytes and ends where readable memory ends. */
static void refuses_short_post(struct variant *v, void *c, const void *a, const void *packed,
                               const struct problem *good)
{
	static const size_t size = sizeof(size);
	const struct isk_post *post = slot_put(SLOT_C, HIGH, 0, &size, sizeof(size));

	trying("a post of %zu bytes", size);
	if (gemm(v, v->fn, c, a, packed, good, post) != ISK_ERR_POST)
		wrong("not refused");
	v->checks++;
}

static void refusals(struct variant *v)
{
	const struct isk_kernel *k = v->kernel;
	const struct problem good = problem(k, 5, 33, 9);
	const size_t bytes = isk_packed_size(type_b(k), good.k, good.columns), huge = SIZE_MAX / 4 + 1;
	const struct isk_packed header = isk_packed_header(type_b(k), good.k, good.columns, 0, 0, 0);
	struct isk_packed bad = header;
	struct isk_post post = {.size = sizeof(post)};
	struct problem p;
	unsigned char *c, *packed;
	const void *a;

	problem_fill(k, &good, 1);
	memcpy(&bad, packed_data, sizeof(bad));
	a = slot_put(SLOT_A, HIGH, 0, a_data, span(good.m, good.k, good.lda) * isk_element_bytes(type_a(k)));
	packed = slot_put(SLOT_B, HIGH, 0, packed_data, bytes);
	c = slot_put(SLOT_Y, HIGH, 0, NULL, span(good.m, good.n, good.ldc) * isk_element_bytes(type_c(k)));

#define REFUSED(status, c, a, packed, change)                                  \
	do {                                                                       \
		p = good;                                                              \
		post = (struct isk_post){.size = sizeof(post), .out_scale = good.post.out_scale}; \
		(void)(change);                                                        \
		trying("refusal: %s with c %s, a %s, packed %s", #change, #c, #a, #packed); \
		check_status(gemm(v, v->fn, c, a, packed, &p, &post), status, status_of(k, c, a, packed, &p, &post)); \
		v->checks++;                                                           \
	} while (0)

	REFUSED(ISK_ERR_NULL, NULL, a, packed, 0);
	REFUSED(ISK_ERR_NULL, c, NULL, packed, 0);
	REFUSED(ISK_ERR_NULL, c, a, NULL, 0);
	REFUSED(ISK_ERR_STRIDE, c, a, packed, p.lda = p.k - 1);
	REFUSED(ISK_ERR_STRIDE, c, a, packed, p.ldc = p.n - 1);
	REFUSED(ISK_ERR_SIZE, c, a, packed, p.lda = huge);
	REFUSED(ISK_ERR_SIZE, c, a, packed, p.ldc = huge);
	REFUSED(ISK_ERR_SIZE, c, a, packed, p.m = huge);
	REFUSED(ISK_ERR_SHAPE, c, a, packed, p.k--);
	REFUSED(ISK_ERR_SHAPE, c, a, packed, (p.k++, p.lda = p.k));
	REFUSED(ISK_ERR_SHAPE, c, a, packed, (p.n++, p.ldc = p.n));
	REFUSED(ISK_ERR_SHAPE, c, a, packed, post.first_column = 16);
	REFUSED(ISK_ERR_SHAPE, c, a, packed, post.first_column = SIZE_MAX - 15);
	REFUSED(ISK_ERR_POST, c, a, packed, (p.n = 1, post.first_column = 8));
	REFUSED(ISK_ERR_POST, c, a, packed, post.size = 0);
	REFUSED(ISK_ERR_POST, c, a, packed, post.size--);
	REFUSED(ISK_ERR_POST, c, a, packed, post.size++);
	REFUSED(ISK_ERR_POST, c, a, packed, post.act = (enum isk_activation)(ISK_ACT_SILU + 1));
	REFUSED(ISK_ERR_POST, c, a, packed, post.act = (enum isk_activation)-1);
	REFUSED(ISK_ERR_POST, c, a, packed, post.binary = (enum isk_binary)(ISK_BINARY_AXPY + 1));
	if (type_c(k) == ISK_F64)
		REFUSED(ISK_ERR_POST, c, a, packed, post.act = ISK_ACT_SIGMOID);
	REFUSED(ISK_ERR_POST, c, a, packed, (post.scales = 2, post.scale = scale_data));
	REFUSED(ISK_ERR_POST, c, a, packed, (post.scales = p.n + 1, post.scale = scale_data));
	if (type_c(k) == ISK_S32) {
		REFUSED(ISK_ERR_POST, c, a, packed, (post.scales = 1, post.scale = scale_data));
		REFUSED(ISK_ERR_POST, c, a, packed, post.row_scale = row_scales);
		REFUSED(ISK_ERR_POST, c, a, packed, post.bias = bias_data);
		REFUSED(ISK_ERR_POST, c, a, packed, post.act = ISK_ACT_RELU);
		REFUSED(ISK_ERR_POST, c, a, packed,
		        (post.binary = ISK_BINARY_ADD, post.other = other_data, post.ldother = p.n));
	} else {
		REFUSED(ISK_ERR_NULL, c, a, packed, post.scales = 1);
		REFUSED(ISK_ERR_NULL, c, a, packed, (post.binary = ISK_BINARY_ADD, post.ldother = p.n));
		REFUSED(ISK_ERR_STRIDE, c, a, packed,
		        (post.binary = ISK_BINARY_MUL, post.other = other_data, post.ldother = p.n - 1));
		REFUSED(ISK_ERR_SIZE, c, a, packed,
		        (post.binary = ISK_BINARY_SUB, post.other = other_data, post.ldother = huge));
	}
	if (integers(k)) {
		const int32_t least = type_a(k) == ISK_S8 ? -128 : 0;

		REFUSED(ISK_ERR_POST, c, a, packed, post.a_zero = least - 1);
		REFUSED(ISK_ERR_POST, c, a, packed, post.a_zero = least + 256);
		REFUSED(ISK_ERR_POST, c, a, packed, (post.a_zero = 1, post.row_zero = row_zeros));
		REFUSED(ISK_ERR_POST, c, a, packed, (post.b_zeros = 2, post.b_zero = zero_data));
		REFUSED(ISK_ERR_POST, c, a, packed, (post.b_zeros = p.n + 1, post.b_zero = zero_data));
		REFUSED(ISK_ERR_NULL, c, a, packed, post.b_zeros = 1);
		REFUSED(ISK_ERR_NULL, c, a, packed, post.b_zeros = p.n);
	} else {
		REFUSED(ISK_ERR_POST, c, a, packed, post.a_zero = 1);
		REFUSED(ISK_ERR_POST, c, a, packed, post.a_zero = -1);
		REFUSED(ISK_ERR_POST, c, a, packed, post.row_zero = row_zeros);
		REFUSED(ISK_ERR_POST, c, a, packed, (post.b_zeros = 1, post.b_zero = zero_data));
	}
	if (quantized(k)) {
		const int32_t least = type_c(k) == ISK_S8 ? -128 : 0;

		REFUSED(ISK_ERR_POST, c, a, packed, post.out_scale = 0);
		REFUSED(ISK_ERR_POST, c, a, packed, post.out_scale = -1);
		REFUSED(ISK_ERR_POST, c, a, packed, post.out_scale = INFINITY);
		REFUSED(ISK_ERR_POST, c, a, packed, post.out_scale = NAN);
		REFUSED(ISK_ERR_POST, c, a, packed, post.out_zero = least - 1);
		REFUSED(ISK_ERR_POST, c, a, packed, post.out_zero = least + 256);
		trying("refusal: no post-operations, and so no output scale");
		v->checks++;
		if (gemm(v, v->fn, c, a, packed, &good, NULL) != ISK_ERR_POST
		    || status_of(k, c, a, packed, &good, NULL) != ISK_ERR_POST)
			wrong("not refused");
	} else {
		REFUSED(ISK_ERR_POST, c, a, packed, post.out_scale = 1);
		REFUSED(ISK_ERR_POST, c, a, packed, post.out_scale = NAN);
		REFUSED(ISK_ERR_POST, c, a, packed, post.out_zero = 1);
	}
	refuses_short_post(v, c, a, packed, &good);
	/* An empty product, or one with k = 0, needs fewer arrays; those that post(0) reads must be there. */
	if (type_c(k) != ISK_S32)
		REFUSED(ISK_OK, c, a, packed, (p.m = 0, post.scales = 1));
	bad = isk_packed_header(type_b(k), 0, 33, 0, 0, 0);
	if (type_c(k) != ISK_S32 && type_b(k) != ISK_S8)
		REFUSED(ISK_ERR_NULL, c, a, &bad, (p.k = 0, post.scales = 1));

	/* Valid headers of another matrix or version. */
	bad = header;
	bad.version = ISK_PACKED_VERSION + 1;
	bad.header_check = isk_packed_header_check(&bad);
	REFUSED(ISK_ERR_VERSION, c, a, &bad, 0);
	bad = isk_packed_header(type_b(k) == ISK_F32 ? ISK_BF16 : ISK_F32, good.k, good.columns, 0, 0, 0);
	REFUSED(ISK_ERR_TYPE, c, a, &bad, 0);
	bad = header;
	bad.type = 77;
	bad.header_check = isk_packed_header_check(&bad);
	REFUSED(ISK_ERR_TYPE, c, a, &bad, 0);
	bad = header;
	bad.panel = 32;
	bad.header_check = isk_packed_header_check(&bad);
	REFUSED(ISK_ERR_PACKED, c, a, &bad, 0);
	bad = header;
	bad.bytes += 64;
	bad.header_check = isk_packed_header_check(&bad);
	REFUSED(ISK_ERR_PACKED, c, a, &bad, 0);
	memset(&bad, 0, sizeof(bad));
	REFUSED(ISK_ERR_PACKED, c, a, &bad, 0);
	/* Only s8 has scales of groups, and only a product of f32 can use them. */
	bad = isk_packed_header(type_b(k), good.k, good.columns, 32, 0, 0);
	if (!grouped(k))
		REFUSED(type_b(k) == ISK_S8 ? ISK_ERR_TYPE : ISK_ERR_PACKED, c, a, &bad, 0);
	bad = isk_packed_header(type_b(k), good.k, good.columns, 16, 0, 0);
	REFUSED(ISK_ERR_PACKED, c, a, &bad, 0);
	bad = isk_packed_header(type_b(k), good.k, good.columns, 32, 0, 0);
	bad.version = 1;
	bad.header_check = isk_packed_header_check(&bad);
	REFUSED(ISK_ERR_PACKED, c, a, &bad, 0);

	/* Every byte of the header with every value: a newer version is reported as newer, and everything else as damage. */
	for (size_t i = 0; i < sizeof(bad); i++)
		for (int change = 1; change < 256; change++) {
			const int newer = i == offsetof(struct isk_packed, version)
			                  || i == offsetof(struct isk_packed, version) + 1;

			bad = header;
			((unsigned char *)&bad)[i] ^= (unsigned char)change;
			REFUSED(newer && bad.version > ISK_PACKED_VERSION ? ISK_ERR_VERSION : ISK_ERR_PACKED, c, a,
			        &bad, 0);
		}
	slots_check();
}

/* Sizes of 0 read and write nothing, and pointers may be NULL. */
static void empty(struct variant *v)
{
	static const size_t sizes[][3] = {{0, 5, 3}, {4, 0, 3}, {0, 0, 0}, {0, 0, 3}, {4, 0, 0}};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct problem p = problem(v->kernel, sizes[i][0], sizes[i][1], sizes[i][2]);

		problem_fill(v->kernel, &p, 1);
		p.post.size = sizeof(p.post);
		describe(&p);
		if (gemm(v, v->fn, NULL, NULL, packed_data, &p, p.has_post ? &p.post : NULL))
			wrong("refused");
		/* The arrays of post-operations may be NULL too. */
		with_post(v->kernel, &p, ISK_ACT_NONE, ISK_BINARY_ADD, 2, 0, 5, 0);
		p.post.ldother = p.n;
		describe(&p);
		if (gemm(v, v->fn, NULL, NULL, packed_data, &p, &p.post)
		    || status_of(v->kernel, NULL, NULL, packed_data, &p, &p.post))
			wrong("refused without the arrays of its post-operations");
	}
}

/* An empty product ends at once, however large the other sizes are. */
static void huge_and_empty(struct variant *v)
{
	static const size_t sizes[][3] = {
		{SIZE_MAX, 0, 0}, {(size_t)1 << 61, 0, 0}, {0, SIZE_MAX, 0},
		{0, (size_t)1 << 60, 0}, {0, 0, SIZE_MAX},
	};
	const struct isk_post post = {.size = sizeof(post), .out_scale = quantized(v->kernel)};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		const size_t n = sizes[i][1], k = sizes[i][2];
		const struct problem p = {.m = sizes[i][0], .n = n, .k = k, .lda = k, .ldc = n, .columns = n};
		const struct isk_packed header = isk_packed_header(type_b(v->kernel), p.k, p.n, 0, 0, 0);

		if (!header.bytes) /* s8 has a line of sums in each panel */
			continue;
		describe(&p);
		if (gemm(v, v->fn, NULL, NULL, &header, &p, &post))
			wrong("refused");
	}
}

void drive_gemm(struct variant *v)
{
	unsigned char **const rooms[] = {&a_data, &b_data, &c_data, &other_data, &packed_data};
	const int slow = getenv("ISK_TEST_SLOW") != NULL;

	for (size_t i = 0; i < sizeof(rooms) / sizeof(rooms[0]); i++)
		room(rooms[i]);
	if (!bias_data) {
		bias_data = malloc(4096 * sizeof(double));
		scale_data = malloc(4096 * sizeof(double));
		zero_data = malloc(4096 * sizeof(int32_t));
		weight_scales = malloc(1048576 * sizeof(float));
		row_scales = malloc(4096 * sizeof(double));
		row_zeros = malloc(4096 * sizeof(int32_t));
	}
	if (!bias_data || !scale_data || !zero_data || !weight_scales || !row_scales || !row_zeros)
		abort();
	each_alone(v, empty);
	each_alone(v, huge_and_empty);
	every_shape(v, slow ? 0 : v->emulated ? 700 : 2000);
	large_shapes(v, slow ? 400 : v->emulated ? 12 : 40);
	every_post(v);
	specials_in(v);
	extreme_exponents(v);
	long_sums(v);
	every_alignment(v);
	large_strides(v);
	each_alone(v, far_strides);
	each_alone(v, every_split);
	each_alone(v, stored);
	each_alone(v, refusals);
}
