/* SPDX-License-Identifier: MIT */
/*
 * The drivers of pack and gemm. A packed matrix must be byte for byte what the
 * oracle of packing makes, at every ISA: so it does not matter which ISA packed
 * what another one multiplies, and products are checked with B as it was before
 * packing.
 */
#include <immintrin.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "arrays.h"
#include "harness.h"
#include "packed.h"

typedef int pack_fn(void *packed, const void *b, size_t bytes, size_t k, size_t n, size_t ldb,
                    int transposed);
typedef int gemm_fn(void *c, const void *a, const void *packed, size_t m, size_t n, size_t k, size_t ldc,
                    size_t lda, const struct isk_post *post);

/* Any values, now and then only small ones, or nothing but zeros. */
static void fill_bits(enum elem elem, unsigned char *x, size_t n)
{
	const uint64_t mask = random_below(8) ? ~(uint64_t)0 : random_below(4) ? 0x8087808780878087 : 0;

	for (size_t i = 0; i < n; i++)
		elem_set_bits(elem, x, i, random_bits() & mask);
}

/* Floats up to a size; integers of any size, or the extremes, which sums of products saturate with first. */
static void fill(enum elem elem, unsigned char *x, size_t n, double size)
{
	const uint64_t low = elem == ELEM_u8 ? 0 : 0x80, high = elem == ELEM_u8 ? 0xff : 0x7f;
	const size_t extremes = random_below(8);

	for (size_t i = 0; i < n; i++)
		if (elem_is_float(elem))
			elem_set(elem, x, i, random_in(-size, size));
		else if (extremes > 2)
			elem_set_bits(elem, x, i, random_bits());
		else
			elem_set_bits(elem, x, i, extremes == 0 || (extremes == 1 && random_below(2)) ? high : low);
}

static int pack(struct variant *v, void *packed, const void *b, size_t bytes, size_t k, size_t n, size_t ldb,
                int transposed)
{
	int status;

	v->calls++;
	v->checks++;
	machine_enter();
	status = ((pack_fn *)v->fn)(packed, b, bytes, k, n, ldb, transposed);
	machine_leave();
	return status;
}

static void pack_strided(struct variant *v, size_t k, size_t n, size_t ldb, int transposed, enum edge edge,
                         size_t from, size_t to)
{
	static unsigned char *b, *want;
	const struct kernel *kernel = v->kernel;
	const size_t rows = transposed ? n : k, cols = transposed ? k : n;
	const size_t bytes = isk_packed_size(kernel->type, k, n), more = random_below(2) * 100;
	const size_t source = span(rows, cols, ldb) * elem_bytes(kernel->in);
	unsigned char *packed;
	const void *at;
	int status;

	trying("k %zu, n %zu, ldb %zu%s, offsets b %zu, packed %zu from the %s edge", k, n, ldb,
	       transposed ? ", transposed" : "", from, to, edge == LOW ? "lower" : "upper");
	fill_bits(kernel->in, room(&b), span(rows, cols, ldb));
	at = slot_put(SLOT_A, edge, from, b, source);
	packed = slot_put(SLOT_Y, edge, to, NULL, bytes + more);
	slot_expect_rows(SLOT_Y, 1, bytes, bytes);
	status = pack(v, packed, at, bytes + more, k, n, ldb, transposed);
	slots_check();
	if (status)
		wrong("status %d (%s)", status, isk_strerror(status));
	memset(room(&want), 0x77, bytes);
	status = kernel->pack(want, b, bytes, k, n, ldb, transposed);
	for (size_t i = 0; i < bytes; i++)
		if (packed[i] != want[i])
			wrong("byte %zu of %zu: got %#x, wanted %#x", i, bytes, packed[i], want[i]);
	status = status ? status : isk_packed_check(packed, bytes, kernel->type);
	if (status)
		wrong("isk_packed_check() gives %d (%s)", status, isk_strerror(status));
}

static void pack_one(struct variant *v, size_t k, size_t n, int transposed, enum edge edge, size_t from,
                     size_t to)
{
	pack_strided(v, k, n, (transposed ? k : n) + random_below(4), transposed, edge, from, to);
}

/* Rows of B a power of two apart, and farther than 32 bits count. */
static void pack_strides(struct variant *v)
{
	static const size_t strides[] = {1024, 4096};
	static unsigned char *b, *near, *far;
	const size_t bytes = elem_bytes(v->kernel->in);

	for (int i = 0; i < 4; i++)
		pack_strided(v, i % 2 ? 40 : 70, i % 2 ? 70 : 40, strides[i / 2], i % 2, HIGH, 0, 0);
	for (int transposed = 0; transposed < 2; transposed++) {
		const size_t k = transposed ? 23 : 37, n = transposed ? 37 : 23, rows = 37, row = 23 * bytes;
		const size_t space = isk_packed_size(v->kernel->type, k, n);
		unsigned char *apart = far_rows(rows, row, FAR * bytes);

		if (!apart)
			return;
		trying("k %zu, n %zu, ldb %zu%s", k, n, FAR, transposed ? ", transposed" : "");
		fill_bits(v->kernel->in, room(&b), rows * 23);
		copy_rows(apart, FAR * bytes, b, row, rows, row);
		memset(room(&far), 0x77, space);
		if (v->kernel->pack(room(&near), b, space, k, n, 23, transposed)
		    || pack(v, far, apart, space, k, n, FAR, transposed) || memcmp(near, far, space) != 0)
			wrong("refused, or packed otherwise than rows that are close");
		far_free(apart, rows, row, FAR * bytes);
	}
}

/* Sizes of 0 read nothing and take no time, however large the other one is. */
static void pack_nothing(struct variant *v)
{
	const size_t most = SIZE_MAX;
	struct isk_packed header;

	must_end(20);
	for (int i = 0; i < 4; i++) {
		const int transposed = i % 2, no_columns = i / 2;
		const size_t k = no_columns ? most : 0, n = no_columns ? 0 : most;
		int status;

		trying("k %zu, n %zu%s", k, n, transposed ? ", transposed" : "");
		status = pack(v, &header, NULL, sizeof(header), k, n, transposed ? k : n, transposed);
		/* s8 has a line of sums for each panel. */
		if (status != (v->kernel->type == ISK_S8 && !no_columns ? ISK_ERR_SIZE : ISK_OK))
			wrong("status %d (%s)", status, isk_strerror(status));
		if (status == ISK_OK && isk_packed_check(&header, sizeof(header), v->kernel->type))
			wrong("isk_packed_check() refuses it");
	}
	must_end(0);
}

/* Any byte changed, any length cut off, is found when all is read through. */
static void pack_damage(struct variant *v)
{
	static unsigned char *b, *packed;
	const enum isk_type type = v->kernel->type;
	const size_t k = 5, n = 19, bytes = isk_packed_size(type, k, n);

	fill(v->kernel->in, room(&b), k * n, 8);
	if (pack(v, room(&packed), b, bytes, k, n, n, 0))
		wrong("cannot pack 5 by 19");
	for (size_t i = 0; i < bytes; i++)
		for (int bit = 0; bit < 8; bit++) {
			trying("bit %d of byte %zu is flipped", bit, i);
			packed[i] ^= (unsigned char)(1 << bit);
			if (isk_packed_check(packed, bytes, type) >= 0)
				wrong("isk_packed_check() takes it");
			packed[i] ^= (unsigned char)(1 << bit);
		}
	for (size_t length = 0; length < bytes; length++) {
		trying("cut to %zu bytes", length);
		if (isk_packed_check(slot_put(SLOT_A, HIGH, 0, packed, length), length, type) != ISK_ERR_PACKED)
			wrong("isk_packed_check() takes it");
		slots_check();
	}
	trying("checks that must pass or fail");
	if (isk_packed_check(packed, bytes + 5, type) || isk_packed_check(NULL, bytes, type) != ISK_ERR_NULL
	    || isk_packed_check(packed, bytes, type == ISK_BF16 ? ISK_F16 : ISK_BF16) != ISK_ERR_TYPE)
		wrong("isk_packed_check() errs");
}

static void pack_refusals(struct variant *v)
{
	static unsigned char *b;
	const size_t k = 7, n = 20, bytes = isk_packed_size(v->kernel->type, k, n), huge = SIZE_MAX / 8;
	unsigned char *packed = slot_put(SLOT_Y, HIGH, 0, NULL, bytes);
	const struct {
		void *packed;
		const void *b;
		size_t bytes, k, n, ldb;
		int transposed, status;
	} calls[] = {
		{NULL, room(&b), bytes, k, n, n, 0, ISK_ERR_NULL},
		{packed, NULL, bytes, k, n, n, 0, ISK_ERR_NULL},
		{packed, b, bytes, k, n, n - 1, 0, ISK_ERR_STRIDE},
		{packed, b, bytes, k, n, k - 1, 1, ISK_ERR_STRIDE},
		{packed, b, bytes - 1, k, n, n, 0, ISK_ERR_SPACE},
		{packed, b, 0, k, n, n, 0, ISK_ERR_SPACE},
		{packed, b, bytes, huge, huge, huge, 0, ISK_ERR_SIZE},
		{packed, b, SIZE_MAX, 64, huge, huge, 0, ISK_ERR_SIZE},
		{packed, b, bytes, k, n, SIZE_MAX / 4, 0, ISK_ERR_SIZE},
		{packed, b, bytes, k, n, SIZE_MAX, 1, ISK_ERR_SIZE},
	};

	fill(v->kernel->in, b, k * n, 1);
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		int status;

		trying("refusal %zu", i);
		status = pack(v, calls[i].packed, calls[i].b, calls[i].bytes, calls[i].k, calls[i].n, calls[i].ldb,
		              calls[i].transposed);
		if (status != calls[i].status)
			wrong("got status %d (%s), wanted %d", status, isk_strerror(status), calls[i].status);
		if (status != v->kernel->pack(calls[i].packed, calls[i].b, calls[i].bytes, calls[i].k, calls[i].n,
		                              calls[i].ldb, calls[i].transposed))
			wrong("the reference gives another status than %d", status);
	}
	slots_check();
}

void drive_pack(struct variant *v)
{
	for (size_t k = 0; k < 40; k++)
		for (size_t n = 0; n < 40; n++)
			for (int transposed = 0; transposed < 2; transposed++)
				pack_one(v, k, n, transposed, (k + n) % 2 ? LOW : HIGH, 0, 0);
	for (int i = 0; i < 40; i++)
		pack_one(v, random_below(300), random_below(300), i % 2, i / 2 % 2 ? LOW : HIGH, 0, 0);
	for (size_t from = 0; from < 64; from += elem_bytes(v->kernel->in))
		for (size_t to = 0; to < 64; to++)
			pack_one(v, 9, 37, (from + to) % 3 == 0, LOW, from, to);
	pack_strides(v);
	pack_nothing(v);
	pack_damage(v);
	pack_refusals(v);
}

struct problem {
	size_t m, n, k, lda, ldc, ldother, ldgroup, columns; /* columns of packed B, from first on */
	enum edge edge;
	size_t offset[3]; /* of c, a, packed */
	int has_post, other_is_c;
	struct isk_post post; /* without its pointers */
	int with_bias;
	int bits_alone; /* sums overflow: no bound holds, the order of a sum does */
};

static unsigned char *a_data, *b_data, *c_data, *other_data, *packed_data, *results;
static float *bias_data, *scale_data, *group_data;
static int32_t *zero_data;

static int quantized(const struct kernel *k)
{
	return k->out == ELEM_s8 || k->out == ELEM_u8;
}

static int grouped(const struct kernel *k)
{
	return k->in == ELEM_f32 && k->in2 == ELEM_s8;
}

static void describe(const struct problem *p)
{
	trying("m %zu, n %zu, k %zu, lda %zu, ldc %zu, first %zu, offsets %zu %zu %zu from the %s edge; "
	       "%s, %zu scales, %s, activation %d (%g, %g), binary %d (%g)%s; zero points %d, %zu; group %zu; "
	       "output %g, %d",
	       p->m, p->n, p->k, p->lda, p->ldc, p->post.first_column, p->offset[0], p->offset[1], p->offset[2],
	       p->edge == LOW ? "lower" : "upper", p->has_post ? "post" : "no post", p->post.scales,
	       p->with_bias ? "bias" : "no bias", (int)p->post.act, (double)p->post.act_a, (double)p->post.act_b,
	       (int)p->post.binary, (double)p->post.other_scale, p->other_is_c ? " with C" : "", p->post.a_zero,
	       p->post.b_zeros, p->post.group, (double)p->post.out_scale, p->post.out_zero);
}

static void pack_b(const struct kernel *k, const struct problem *p)
{
	const size_t bytes = isk_packed_size(k->type, p->k, p->columns);

	if (bytes > ROOM || packer(k)->pack(packed_data, b_data, bytes, p->k, p->columns, p->columns, 0))
		wrong("the oracle cannot pack");
}

/* Random matrices of the problem, B packed. Scales of integers make sums of a few units, for activations. */
static void problem_fill(const struct kernel *k, const struct problem *p, double size)
{
	const double unit = integers(k) ? 1 / (4000 * sqrt((double)p->k + 1)) : 1;

	fill(k->in, a_data, span(p->m, p->k, p->lda), size);
	fill(k->in2, b_data, p->k * p->columns, size);
	fill(k->out, c_data, span(p->m, p->n, p->ldc), 2);
	fill(k->out, other_data, span(p->m, p->n, p->ldother), 2);
	for (size_t j = 0; j < p->columns || j < 2; j++) {
		bias_data[j] = (float)random_in(-2, 2);
		scale_data[j] = (float)(random_in(-2, 2) * unit);
		zero_data[j] = (int32_t)(random_below(16) ? random_below(256) - 128 : random_bits());
	}
	for (size_t i = 0; p->post.group && i < span((p->k + 31) / 32, p->n, p->ldgroup); i++)
		group_data[i] = (float)random_in(-2, 2);
	pack_b(k, p);
}

static int gemm(struct variant *v, function fn, void *c, const void *a, const void *packed,
                const struct problem *p, const struct isk_post *post)
{
	int status;

	v->calls++;
	machine_enter();
	status = ((gemm_fn *)fn)(c, a, packed, p->m, p->n, p->k, p->ldc, p->lda, post);
	machine_leave();
	return status;
}

/* The call in guarded memory; C afterwards, of rows without gaps, to out. */
static void compute(struct variant *v, function fn, const struct problem *p, unsigned char *out)
{
	const struct kernel *k = v->kernel;
	const size_t in = elem_bytes(k->in), size = elem_bytes(k->out);
	const size_t other_bytes = span(p->m, p->n, p->ldother) * size, c_bytes = span(p->m, p->n, p->ldc) * size;
	const void *a = slot_put(SLOT_A, p->edge, p->offset[1], a_data, span(p->m, p->k, p->lda) * in);
	const void *packed = slot_put(SLOT_B, p->edge, p->offset[2], packed_data,
	                              isk_packed_size(k->type, p->k, p->columns));
	unsigned char *c = slot_put(SLOT_Y, p->edge, p->offset[0], p->other_is_c ? c_data : NULL, c_bytes);
	struct isk_post post = p->post;
	int status;

	slot_expect_rows(SLOT_Y, p->n ? p->m : 0, p->n * size, p->ldc * size);
	post.size = sizeof(post);
	if (p->with_bias)
		post.bias = slot_put(SLOT_C, p->edge, 0, bias_data, p->n * sizeof(float));
	if (post.scales)
		post.scale = slot_put(SLOT_D, p->edge, 0, scale_data, post.scales * sizeof(float));
	if (post.binary) {
		post.other = p->other_is_c ? c : slot_put(SLOT_E, p->edge, 0, other_data, other_bytes);
		post.ldother = p->other_is_c ? p->ldc : p->ldother;
	}
	if (post.b_zeros)
		post.b_zero = slot_put(SLOT_F, p->edge, 0, zero_data, post.b_zeros * sizeof(int32_t));
	if (post.group) {
		post.group_scale =
			slot_put(SLOT_F, p->edge, 0, group_data,
		             span((p->k + post.group - 1) / post.group, p->n, p->ldgroup) * sizeof(float));
		post.ldgroup = p->ldgroup;
	}
	status = gemm(v, fn, c, a, packed, p, p->has_post ? &post : NULL);
	slots_check();
	if (status)
		wrong("status %d (%s)", status, isk_strerror(status));
	for (size_t i = 0; i < p->m; i++)
		memcpy(out + i * p->n * size, c + i * p->ldc * size, p->n * size);
}

static float term(const struct terms *t, size_t i)
{
	return (float)elem_value(t->elem, elem_bits(t->elem, t->x, i * t->step));
}

/*
 * One chain of fused multiply-adds, as the contract has it: in the order of k,
 * where B is bf16 the odd one first, filled up with zeros.
 */
static float chain(const struct terms *a, const struct terms *b, size_t from, size_t to)
{
	const size_t group = 4 / elem_bytes(b->elem);
	float sum = 0;

	for (size_t i = from; i < (to + group - 1) / group * group; i++) {
		const size_t at = b->elem == ELEM_bf16 ? i ^ 1 : i;

		sum = at < to ? fmaf(term(a, at), term(b, at), sum) : sum + 0;
	}
	return sum;
}

/* To nearest, nothing raised; denormals are 0, as the inputs and outputs of tdpbf16ps are. */
#define FLUSHING 0x9fc0

/* The order of AMX: for each 32 k a chain over the even and one over the odd ones, filled up with zeros. */
static float amx_sum(const struct terms *a, const struct terms *b, size_t k)
{
	const unsigned control = _mm_getcsr();
	float sum = 0;

	_mm_setcsr(FLUSHING);
	for (size_t i = 0; i < k; i += 32) {
		float chains[2] = {0, 0};

		for (size_t j = i; j < i + 32; j++)
			chains[j % 2] = fmaf(j < k ? term(a, j) : 0, j < k ? term(b, j) : 0, chains[j % 2]);
		sum += chains[0] + chains[1];
	}
	_mm_setcsr(control);
	return sum;
}

/* The sum that the contract names to the bit, rounded to f32. */
static float sum_of(const struct terms *a, const struct terms *b, size_t k, size_t col,
                    const struct isk_post *post)
{
	const uint32_t b_zero = post->b_zeros ? (uint32_t)post->b_zero[post->b_zeros == 1 ? 0 : col] : 0;
	uint32_t total = 0;
	float sum = 0;

	if (elem_is_float(a->elem) && !post->group)
		return chain(a, b, 0, k);
	for (size_t i = 0; post->group && i < k; i += post->group)
		sum = fmaf(chain(a, b, i, k - i < post->group ? k : i + post->group),
		           post->group_scale[i / post->group * post->ldgroup + col], sum);
	if (elem_is_float(a->elem))
		return sum;
	for (size_t i = 0; i < k; i++)
		total += ((uint32_t)(int32_t)term(a, i) - (uint32_t)post->a_zero)
		         * ((uint32_t)(int32_t)term(b, i) - b_zero);
	return (float)(int32_t)total;
}

int bits_named(const struct variant *v, const struct terms *a, const struct terms *b, size_t k, size_t col,
               const struct isk_post *post, uint64_t *bits)
{
	const enum elem out = v->kernel->out;
	const int scaled = post->scales || post->bias;
	const int by_amx = has_amx_order(v) && a->elem == ELEM_bf16;
	float x;

	*bits = 0;
	if ((!v->twin && !by_amx) || out == ELEM_s32 || (scaled && elem_is_float(a->elem)) || post->binary
	    || (post->act != ISK_ACT_NONE && post->act != ISK_ACT_RELU))
		return 0;
	x = by_amx ? amx_sum(a, b, k) : sum_of(a, b, k, col, post);
	if (scaled)
		x = fmaf(x, post->scales ? post->scale[post->scales == 1 ? 0 : col] : 1,
		         post->bias ? post->bias[col] : -0.0f);
	if (post->act == ISK_ACT_RELU && x <= 0)
		x = 0;
	if (out == ELEM_s8)
		*bits = (uint8_t)isk_oracle_quantize_f32_s8(x, post->out_scale, post->out_zero);
	else if (out == ELEM_u8)
		*bits = isk_oracle_quantize_f32_u8(x, post->out_scale, post->out_zero);
	else
		elem_set(out, bits, 0, (double)x);
	return 1;
}

/* The next value of a 16-bit float, away from 0: the first that overflows where there is none. */
static double next_16(enum elem elem, uint64_t size)
{
	const double value = elem_value(elem, size), next = elem_value(elem, size + 1);

	return isinf(next) ? 2 * value - elem_value(elem, size - 1) : next;
}

double distance(const struct variant *v, uint64_t bits, double exact, const struct isk_post *post)
{
	const enum elem out = v->kernel->out;
	const double got = elem_value(out, bits);
	double low = got, high = got;

	if (quantized(v->kernel)) {
		const double least = out == ELEM_s8 ? -128 : 0, most = out == ELEM_s8 ? 127 : 255;

		if (isnan(exact))
			return got == post->out_zero ? 0 : HUGE_VAL;
		low = (got - post->out_zero - 0.5) * (double)post->out_scale;
		high = (got - post->out_zero + 0.5) * (double)post->out_scale;
		low = got == least ? -HUGE_VAL : low - fabs(low) * 0x1p-23;
		high = got == most ? HUGE_VAL : high + fabs(high) * 0x1p-23;
	} else if (isnan(got) || isnan(exact)) {
		return isnan(got) && isnan(exact) ? 0 : HUGE_VAL;
	} else if (elem_bytes(out) == 2) {
		const uint64_t size = bits & 0x7fff;
		const double below = size ? elem_value(out, size - 1) : -elem_value(out, 1);

		low = isinf(got) ? (below + next_16(out, size - 1)) / 2 : (below + fabs(got)) / 2;
		high = isinf(got) ? HUGE_VAL : (fabs(got) + next_16(out, size)) / 2;
		if (bits & 0x8000) {
			const double t = low;

			low = -high;
			high = -t;
		}
	}
	return exact < low ? low - exact : exact > high ? exact - high : 0;
}

static const void *flushed(const struct terms *t, size_t k, unsigned char *room)
{
	for (size_t i = 0; i < k; i++)
		elem_set_bits(t->elem, room, i, without_denormal(elem_bits(t->elem, t->x, i * t->step)));
	return room;
}

static void expect(struct variant *v, const struct problem *p, size_t i, size_t j, uint64_t bits)
{
	static unsigned char flushed_a[2 * 4096], flushed_b[2 * 4096];
	const struct kernel *k = v->kernel;
	const int flushes = has_amx_order(v);
	struct terms a = {k->in, a_data + i * p->lda * elem_bytes(k->in), 1};
	struct terms b = {k->in2, b_data + (p->post.first_column + j) * elem_bytes(k->in2), p->columns};
	double slack = 4 * (double)(p->k + 16) * (flushes ? 0x1p-126 : elem_least(ELEM_f32)), scale, exact;
	struct isk_column column;
	struct isk_post post = p->post;
	uint64_t named;

	post.size = sizeof(post);
	post.bias = p->with_bias ? bias_data : NULL;
	post.scale = scale_data;
	post.other = p->other_is_c ? c_data : other_data;
	post.ldother = p->other_is_c ? p->ldc : p->ldother;
	post.b_zero = zero_data;
	post.group_scale = group_data;
	post.ldgroup = p->ldgroup;
	if (bits_named(v, &a, &b, p->k, j, &post, &named))
		check_bits(v, bits, named, "by the contract's order of operations", i, j);
	if (p->bits_alone)
		return;
	if (flushes) {
		a = (struct terms){k->in, flushed(&a, p->k, flushed_a), 1};
		b = (struct terms){k->in2, flushed(&b, p->k, flushed_b), 1};
	}
	column = (struct isk_column){b.x, 1, b.step};
	exact = k->gemm(a.x, &column, p->k, i, j, p->has_post ? &post : NULL, &scale);
	check_error(v, bits, exact, distance(v, bits, exact, &post), scale, slack, i, j);
}

/* One problem: all of C, or a sample of it, against the oracle; all of it against the twin. */
static void one(struct variant *v, const struct problem *p)
{
	const size_t count = p->m * p->n, size = elem_bytes(v->kernel->out);
	unsigned char *twin = results + count * size;

	describe(p);
	if (2 * count * size > ROOM)
		wrong("the test asks for %zu results", count);
	compute(v, v->fn, p, results);
	if (v->twin && v->twin != v->fn) {
		compute(v, v->twin, p, twin);
		for (size_t i = 0; i < count; i++)
			check_same(v, elem_bits(v->kernel->out, results, i), elem_bits(v->kernel->out, twin, i),
			           i / p->n, i % p->n);
	}
	for (size_t i = 0; i < count; i += p->k * count < 100000 ? 1 : 1 + random_below(count * p->k / 50000))
		expect(v, p, i / p->n, i % p->n, elem_bits(v->kernel->out, results, i));
}

/* An output scale that spreads what comes out over the type, and some of it beyond. */
static void set_output(const struct kernel *k, struct problem *p)
{
	const int scaled = p->post.scales || p->post.act == ISK_ACT_RELU6 || p->post.act == ISK_ACT_SIGMOID
	                   || p->post.act == ISK_ACT_HARDSIGMOID || p->post.act == ISK_ACT_TANH
	                   || p->post.act == ISK_ACT_HARDTANH;
	const double size = p->post.binary && random_below(2) ? 100 : scaled ? 4 : 4000 * sqrt((double)p->k + 1);

	if (!quantized(k))
		return;
	p->has_post = 1;
	p->post.out_scale = (float)(size / random_in(20, 200));
	if (random_below(4) == 0) /* sums that are integers come to ties */
		p->post.out_scale = ldexpf(1, ilogbf(p->post.out_scale));
	p->post.out_zero = (int32_t)random_below(256) - (k->out == ELEM_s8 ? 128 : 0);
}

static struct problem problem(const struct kernel *kernel, size_t m, size_t n, size_t k)
{
	struct problem p = {.m = m, .n = n, .k = k, .lda = k + random_below(3), .ldc = n + random_below(3),
	                    .ldother = n + random_below(3), .ldgroup = n + random_below(3), .columns = n,
	                    .edge = random_below(2) ? LOW : HIGH};

	set_output(kernel, &p);
	return p;
}

/* zeros: whether A has a zero point, and twice how B has. */
enum { SCALES = 3, ZEROS = 6, GROUPS = 4 };

static void with_post(const struct kernel *k, struct problem *p, enum isk_activation act,
                      enum isk_binary binary, int scales, int bias, int zeros, int group)
{
	p->has_post = 1;
	if (integers(k)) {
		const int32_t least = k->in == ELEM_s8 ? -128 : 0;

		p->post.a_zero = zeros % 2 ? (int32_t)random_below(256) + least : 0;
		p->post.b_zeros = zeros / 2 == 2 ? p->n : (size_t)(zeros / 2);
	}
	if (grouped(k))
		p->post.group = group ? (size_t)16 << group : 0;
	if (k->out == ELEM_s32)
		return;
	p->with_bias = bias;
	p->post.scales = scales == 2 ? p->n : (size_t)scales;
	p->post.act = act;
	p->post.act_a = act == ISK_ACT_HARDTANH ? -0.75f : 0.1f;
	p->post.act_b = 1.25f;
	p->post.binary = binary;
	p->post.other_scale = -1.5f;
	p->other_is_c = binary && random_below(2);
	set_output(k, p);
}

static void random_post(const struct kernel *k, struct problem *p)
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

/* All up to 40, or so many of them. */
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
		/* Few rows in every fourth call: kernels do something else with few of them. */
		one_shape(v, i % 4 ? around[random_below(choices - 4)] : 1 + random_below(3),
		          around[random_below(i % 4 ? choices - 4 : choices)], around[random_below(choices)],
		          i % 8 < 4);
	/* Panels of 1.6 MB, more than any kernel takes at once. */
	one_shape(v, 33, 200, 8000 / elem_bytes(v->kernel->in2), 1);
}

/* All combinations, each on a small problem. */
static void every_post(struct variant *v)
{
	const struct kernel *k = v->kernel;
	const int zeros = integers(k) ? ZEROS : 1, groups = grouped(k) ? GROUPS : 1, only = k->out == ELEM_s32;

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

enum { SPECIALS = 8 };

/* NaNs, infinities, -0, denormals, the least normal number; of integers the extremes. */
static uint64_t special(enum elem elem, size_t i)
{
	static const uint32_t f32[SPECIALS] = {0x7fc00000, 0x7f800001, 0x7f800000, 0xff800000,
	                                       0x80000000, 0x00000001, 0x80012345, 0x00800000};
	static const uint16_t bf16[SPECIALS] = {0x7fc0, 0x7f81, 0x7f80, 0xff80, 0x8000, 0x0001, 0x8012, 0x0080};
	static const uint16_t f16[SPECIALS] = {0x7e00, 0x7c01, 0x7c00, 0xfc00, 0x8000, 0x0001, 0x8123, 0x0400};

	return elem == ELEM_f32    ? f32[i]
	       : elem == ELEM_bf16 ? bf16[i]
	       : elem == ELEM_f16  ? f16[i]
	       : i % 2             ? 0x80
	                           : 0x7f;
}

/* Through every activation: in A, in B or in both; in the bias, where integers cannot be special. */
static void specials_in(struct variant *v)
{
	const enum elem in = v->kernel->in, in2 = v->kernel->in2;

	for (size_t i = 0; i < SPECIALS; i++)
		for (int act = 0; act <= ISK_ACT_SILU && v->kernel->out != ELEM_s32; act++)
			for (int where = 0; where < 4; where++) {
				struct problem p = problem(v->kernel, 1 + random_below(16), 1 + random_below(40),
				                           1 + random_below(20));

				if (where < 2 || integers(v->kernel))
					with_post(v->kernel, &p, (enum isk_activation)act, ISK_BINARY_NONE, 0,
					          integers(v->kernel), where, 0);
				problem_fill(v->kernel, &p, 1);
				bias_data[random_below(p.n)] = f32_of((uint32_t)special(ELEM_f32, i));
				if (where % 2)
					elem_set_bits(in2, b_data, random_below(p.k * p.columns), special(in2, i));
				for (size_t row = 0; where == 2 && row < p.m; row++)
					for (size_t kk = 0; kk < p.k; kk++)
						elem_set_bits(in, a_data, row * p.lda + kk, special(in, i));
				elem_set_bits(in, a_data, random_below(p.m) * p.lda + random_below(p.k), special(in, i));
				pack_b(v->kernel, &p);
				one(v, &p);
			}
}

/* Numbers of any sign and fraction, their exponent fields from low to high. */
static void fill_exponents(enum elem elem, unsigned char *x, size_t n, size_t low, size_t high)
{
	const int bits = (int)(8 * elem_bytes(elem)), exponent = elem == ELEM_f16 ? 5 : 8;
	const size_t most = (size_t)1 << exponent;

	if (!elem_is_float(elem)) {
		fill(elem, x, n, 1);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		const uint64_t field = low + random_below(high - low + 1), fraction = bits - 1 - exponent;

		elem_set_bits(elem, x, i, (random_bits() & ~((most - 1) << fraction))
		                              | (field < most - 2 ? field : most - 2) << fraction);
	}
}

/* The most that an exponent field stands for, in a number that is not infinite. */
static int most_exponent(enum elem elem, size_t field)
{
	return elem == ELEM_f16      ? (field < 30 ? (int)field : 30) - 15
	       : elem_is_float(elem) ? (int)field - 127
	                             : 7;
}

/*
 * Denormals in A, in B, in products and in sums: they count, at every ISA. And
 * sums that overflow, of which the order is promised and no bound.
 */
static void extreme_exponents(struct variant *v)
{
	static const struct {
		size_t a[2], b[2];
	} cases[] = {
		{{0, 2}, {120, 135}}, {{120, 135}, {0, 2}}, {{0, 0}, {240, 250}}, {{240, 250}, {0, 0}},
		{{60, 66}, {60, 66}}, {{1, 1}, {127, 127}}, {{1, 20}, {105, 130}}, {{2, 2}, {125, 126}},
		{{0, 0}, {0, 0}},     {{0, 254}, {127, 127}}, {{245, 254}, {120, 140}},
	};
	const enum elem in = v->kernel->in, in2 = v->kernel->in2;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]) && !integers(v->kernel); i++)
		for (int round = 0; round < 20; round++) {
			struct problem p = problem(v->kernel, 1 + random_below(round % 2 ? 20 : 3), 1 + random_below(40),
			                           1 + random_below(round % 4 ? 70 : 6));

			/* One element of B alone that is so, the others around 1. */
			const int alone = round % 3 == 0;
			const size_t around = in2 == ELEM_f16 ? 15 : 127;
			const size_t most = alone && cases[i].b[1] < around ? around : cases[i].b[1];

			/* 2 for two fractions, 2^7 terms */
			p.bits_alone = most_exponent(in, cases[i].a[1]) + most_exponent(in2, most) + 2 + 7 > 127;
			problem_fill(v->kernel, &p, 1);
			fill_exponents(in, a_data, span(p.m, p.k, p.lda), cases[i].a[0], cases[i].a[1]);
			fill_exponents(in2, b_data, p.k * p.columns, cases[i].b[0], cases[i].b[1]);
			if (alone)
				fill_exponents(in2, b_data, p.k * p.columns - 1, around, around);
			pack_b(v->kernel, &p);
			one(v, &p);
		}
}

/*
 * So many terms of the largest size that sums of 32 bits wrap: more than 2^31 / 128^2
 * even of s8 without zero points. On the way, any sum of 16 bits would have.
 */
static void long_sums(struct variant *v)
{
	for (int round = 0; round < 8 && integers(v->kernel); round++) {
		struct problem p = problem(v->kernel, 1 + random_below(3), 1 + random_below(5),
		                           round < 2 ? 131080 + random_below(8) : 500 + random_below(500));

		with_post(v->kernel, &p, ISK_ACT_NONE, ISK_BINARY_NONE, 0, 0, round % 2 ? 0 : 5, 0);
		problem_fill(v->kernel, &p, 1);
		for (size_t i = 0; i < span(p.m, p.k, p.lda); i++)
			elem_set_bits(v->kernel->in, a_data, i, v->kernel->in == ELEM_u8 ? 0xff : 0x80);
		for (size_t i = 0; i < p.k * p.columns; i++)
			elem_set_bits(v->kernel->in2, b_data, i, i % p.columns % 2 ? 0x7f : 0x80);
		pack_b(v->kernel, &p);
		one(v, &p);
	}
}

static void every_alignment(struct variant *v)
{
	const size_t step = elem_bytes(v->kernel->in), out = elem_bytes(v->kernel->out);
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

/* Rows and columns computed in parts are, bit for bit, those computed at once. */
static void every_split(struct variant *v)
{
	const int kept = v->twin || has_amx_order(v);
	static unsigned char *whole;

	for (int i = 0; i < 40; i++) {
		struct problem p = problem(v->kernel, 1 + random_below(70), 1 + random_below(200), random_below(600));
		struct problem part;
		const size_t row = random_below(p.m), first = random_below(p.n / 16 + 1) * 16;

		/* Without the other arrays by column, which would have to be split as well. */
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
		memmove(a_data, a_data + row * p.lda * elem_bytes(v->kernel->in),
		        span(part.m, p.k, p.lda) * elem_bytes(v->kernel->in));
		memmove(group_data, group_data + first, span((p.k + 31) / 32, part.n, p.ldgroup) * sizeof(float));
		one(v, &part);
		for (size_t r = 0; r < part.m && kept; r++)
			for (size_t c = 0; c < part.n; c++)
				check_bits(v, elem_bits(v->kernel->out, results, r * part.n + c),
				           elem_bits(v->kernel->out, whole, (row + r) * p.n + first + c),
				           "as part of a larger product", r, c);
	}
}

/* Rows a power of two apart, which share the sets of a cache. */
static void large_strides(struct variant *v)
{
	static const size_t strides[] = {1024, 4096};

	for (int i = 0; i < 8; i++) {
		const size_t m = i % 4 == 0 ? 1 + random_below(8) : 17 + random_below(30);
		struct problem p = problem(v->kernel, m, 33 + random_below(100), 1 + random_below(i % 2 ? 1000 : 70));

		p.lda = strides[random_below(2)];
		p.ldc = strides[random_below(2)];
		p.ldother = strides[random_below(2)];
		p.ldgroup = strides[random_below(2)];
		if (i % 2)
			random_post(v->kernel, &p);
		problem_fill(v->kernel, &p, 1);
		one(v, &p);
	}
}

/* Rows farther apart than 32 bits count: the bits of rows that are close. */
static void far_strides(struct variant *v)
{
	static unsigned char *near;
	const struct kernel *k = v->kernel;
	const size_t in = elem_bytes(k->in), size = elem_bytes(k->out);

	for (int i = 0; i < 4; i++) {
		const size_t m = i % 2 ? 40 : 3, n = 53, depth = 70, groups = 3;
		const size_t row = n * size, ldgroup = FAR * sizeof(float);
		struct problem p = problem(k, m, n, depth), apart;
		unsigned char *a = far_rows(m, depth * in, FAR * in), *c = far_rows(m, row, FAR * size);
		unsigned char *other = far_rows(m, row, FAR * size);
		unsigned char *group = far_rows(groups, n * sizeof(float), ldgroup);
		int status;

		if (!a || !c || !other || !group)
			return;
		/* Plain, and with all that has a stride. */
		if (i / 2)
			with_post(k, &p, ISK_ACT_NONE, ISK_BINARY_ADD, 1, 1, 5, 1);
		p.other_is_c = 0;
		problem_fill(k, &p, 1);
		describe(&p);
		compute(v, v->fn, &p, room(&near));
		copy_rows(a, FAR * in, a_data, p.lda * in, m, depth * in);
		copy_rows(other, FAR * size, other_data, p.ldother * size, m, row);
		if (p.post.group)
			copy_rows(group, ldgroup, group_data, p.ldgroup * sizeof(float), groups, n * sizeof(float));
		apart = p;
		apart.lda = apart.ldc = apart.post.ldother = apart.post.ldgroup = FAR;
		apart.post.size = sizeof(apart.post);
		apart.post.bias = p.with_bias ? bias_data : NULL;
		apart.post.scale = scale_data;
		apart.post.b_zero = zero_data;
		apart.post.other = other;
		apart.post.group_scale = (const float *)(const void *)group;
		describe(&apart);
		status = gemm(v, v->fn, c, a, packed_data, &apart, p.has_post ? &apart.post : NULL);
		for (size_t r = 0; r < m; r++)
			if (status || memcmp(c + r * FAR * size, near + r * row, row) != 0)
				wrong("status %d, or another row %zu than where rows are close", status, r);
		v->checks += m * n;
		far_free(a, m, depth * in, FAR * in);
		far_free(c, m, row, FAR * size);
		far_free(other, m, row, FAR * size);
		far_free(group, groups, n * sizeof(float), ldgroup);
	}
}

/*
 * Weights packed by each ISA in turn, written to a file, mapped, read through,
 * multiplied: the same product as with weights that the oracle packed.
 */
static void stored(struct variant *v)
{
	const struct problem p = problem(v->kernel, 6, 53, 77);
	const size_t bytes = isk_packed_size(v->kernel->type, p.k, p.columns), size = elem_bytes(v->kernel->out);
	struct isk_candidate candidates[16];
	static unsigned char *want, *packed;
	const int count = isk_candidates(packer(v->kernel)->name, candidates, 16);

	problem_fill(v->kernel, &p, 1);
	describe(&p);
	compute(v, v->fn, &p, room(&want));
	for (int i = 0; i < count; i++) {
		struct isk_post post = p.post;
		FILE *file;
		void *map;
		int status;

		if (!candidate_runs(&candidates[i]))
			continue;
		trying("weights packed at %s", candidates[i].isa);
		memset(room(&packed), 0x77, bytes);
		status = ((pack_fn *)candidates[i].fn)(packed, b_data, bytes, p.k, p.columns, p.columns, 0);
		file = tmpfile();
		if (status || !file || fwrite(packed, 1, bytes, file) != bytes || fflush(file))
			wrong("cannot pack and write: status %d", status);
		map = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, fileno(file), 0);
		if (map == MAP_FAILED || isk_packed_check(map, bytes, v->kernel->type))
			wrong("what was written cannot be mapped, or is refused");
		post.size = sizeof(post);
		status = gemm(v, v->fn, results, a_data, map, &p, p.has_post ? &post : NULL);
		for (size_t r = 0; r < p.m; r++)
			if (status || memcmp(results + r * p.ldc * size, want + r * p.n * size, p.n * size))
				wrong("status %d, or another product in row %zu", status, r);
		munmap(map, bytes);
		fclose(file);
	}
}

/* A post of 8 bytes, as size says, at the end of what can be read. */
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
	const struct kernel *k = v->kernel;
	const struct problem good = problem(k, 5, 33, 9);
	const size_t bytes = isk_packed_size(k->type, good.k, good.columns), huge = SIZE_MAX / 4 + 1;
	const struct isk_packed header = isk_packed_header(k->type, good.k, good.columns, 0, 0);
	struct isk_packed bad = header;
	struct isk_post post = {.size = sizeof(post)};
	struct problem p;
	unsigned char *c, *packed;
	const void *a;

	problem_fill(k, &good, 1);
	memcpy(&bad, packed_data, sizeof(bad));
	a = slot_put(SLOT_A, HIGH, 0, a_data, span(good.m, good.k, good.lda) * elem_bytes(k->in));
	packed = slot_put(SLOT_B, HIGH, 0, packed_data, bytes);
	c = slot_put(SLOT_Y, HIGH, 0, NULL, span(good.m, good.n, good.ldc) * elem_bytes(k->out));

#define REFUSED(status, c, a, packed, change)                                  \
	do {                                                                       \
		int got;                                                               \
                                                                               \
		p = good;                                                              \
		post = (struct isk_post){.size = sizeof(post), .out_scale = good.post.out_scale}; \
		(void)(change);                                                        \
		trying("refusal: %s with c %s, a %s, packed %s", #change, #c, #a, #packed); \
		got = gemm(v, v->fn, c, a, packed, &p, &post);                         \
		v->checks++;                                                           \
		if (got != (status))                                                   \
			wrong("got status %d (%s), wanted %d", got, isk_strerror(got), status); \
		if (got != k->check(c, a, packed, p.m, p.n, p.k, p.ldc, p.lda, &post)) \
			wrong("the reference gives another status than %d", got);          \
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
	REFUSED(ISK_ERR_POST, c, a, packed, (post.scales = 2, post.scale = scale_data));
	REFUSED(ISK_ERR_POST, c, a, packed, (post.scales = p.n + 1, post.scale = scale_data));
	if (k->out == ELEM_s32) {
		REFUSED(ISK_ERR_POST, c, a, packed, (post.scales = 1, post.scale = scale_data));
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
		const int32_t least = k->in == ELEM_s8 ? -128 : 0;

		REFUSED(ISK_ERR_POST, c, a, packed, post.a_zero = least - 1);
		REFUSED(ISK_ERR_POST, c, a, packed, post.a_zero = least + 256);
		REFUSED(ISK_ERR_POST, c, a, packed, (post.b_zeros = 2, post.b_zero = zero_data));
		REFUSED(ISK_ERR_POST, c, a, packed, (post.b_zeros = p.n + 1, post.b_zero = zero_data));
		REFUSED(ISK_ERR_NULL, c, a, packed, post.b_zeros = 1);
		REFUSED(ISK_ERR_NULL, c, a, packed, post.b_zeros = p.n);
	} else {
		REFUSED(ISK_ERR_POST, c, a, packed, post.a_zero = 1);
		REFUSED(ISK_ERR_POST, c, a, packed, post.a_zero = -1);
		REFUSED(ISK_ERR_POST, c, a, packed, (post.b_zeros = 1, post.b_zero = zero_data));
	}
	if (quantized(k)) {
		const int32_t least = k->out == ELEM_s8 ? -128 : 0;

		REFUSED(ISK_ERR_POST, c, a, packed, post.out_scale = 0);
		REFUSED(ISK_ERR_POST, c, a, packed, post.out_scale = -1);
		REFUSED(ISK_ERR_POST, c, a, packed, post.out_scale = INFINITY);
		REFUSED(ISK_ERR_POST, c, a, packed, post.out_scale = NAN);
		REFUSED(ISK_ERR_POST, c, a, packed, post.out_zero = least - 1);
		REFUSED(ISK_ERR_POST, c, a, packed, post.out_zero = least + 256);
		trying("refusal: no post-operations, and so no output scale");
		v->checks++;
		if (gemm(v, v->fn, c, a, packed, &good, NULL) != ISK_ERR_POST
		    || k->check(c, a, packed, good.m, good.n, good.k, good.ldc, good.lda, NULL) != ISK_ERR_POST)
			wrong("not refused");
	} else {
		REFUSED(ISK_ERR_POST, c, a, packed, post.out_scale = 1);
		REFUSED(ISK_ERR_POST, c, a, packed, post.out_scale = NAN);
		REFUSED(ISK_ERR_POST, c, a, packed, post.out_zero = 1);
	}
	if (grouped(k)) {
		REFUSED(ISK_ERR_POST, c, a, packed,
		        (post.group = 16, post.group_scale = group_data, post.ldgroup = p.n));
		REFUSED(ISK_ERR_POST, c, a, packed,
		        (post.group = 256, post.group_scale = group_data, post.ldgroup = p.n));
		REFUSED(ISK_ERR_NULL, c, a, packed, (post.group = 32, post.ldgroup = p.n));
		REFUSED(ISK_ERR_STRIDE, c, a, packed,
		        (post.group = 32, post.group_scale = group_data, post.ldgroup = p.n - 1));
		REFUSED(ISK_ERR_SIZE, c, a, packed,
		        (post.group = 32, post.group_scale = group_data, post.ldgroup = huge));
	} else {
		REFUSED(ISK_ERR_POST, c, a, packed,
		        (post.group = 32, post.group_scale = group_data, post.ldgroup = p.n));
	}

	refuses_short_post(v, c, a, packed, &good);
	/* What a sum of nothing or for nobody does not need may be missing; not what post(0) needs. */
	if (grouped(k))
		REFUSED(ISK_OK, c, a, packed, (p.m = 0, post.group = 32, post.ldgroup = p.n));
	if (k->out != ELEM_s32)
		REFUSED(ISK_OK, c, a, packed, (p.m = 0, post.scales = 1));
	bad = isk_packed_header(k->type, 0, 33, 0, 0);
	if (k->out != ELEM_s32 && k->type != ISK_S8)
		REFUSED(ISK_ERR_NULL, c, a, &bad, (p.k = 0, post.scales = 1));

	/* Sound headers of something else. */
	bad = header;
	bad.version = ISK_PACKED_VERSION + 1;
	bad.header_check = isk_packed_header_check(&bad);
	REFUSED(ISK_ERR_VERSION, c, a, &bad, 0);
	bad = isk_packed_header(k->type == ISK_F32 ? ISK_BF16 : ISK_F32, good.k, good.columns, 0, 0);
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

	/* Every byte of the header, every value: what says a newer version is newer, all else is damage. */
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
		/* Nor need the arrays of post-operations be there. */
		with_post(v->kernel, &p, ISK_ACT_NONE, ISK_BINARY_ADD, 2, 0, 5, 1);
		p.post.ldother = p.post.ldgroup = p.n;
		describe(&p);
		if (gemm(v, v->fn, NULL, NULL, packed_data, &p, &p.post)
		    || v->kernel->check(NULL, NULL, packed_data, p.m, p.n, p.k, p.ldc, p.lda, &p.post))
			wrong("refused without the arrays of its post-operations");
	}
}

/* One row of scales may have any stride; of no k there is none, so it may be missing. */
static void few_groups(struct variant *v)
{
	struct problem p;

	if (!grouped(v->kernel))
		return;
	p = problem(v->kernel, 3, 20, 32);
	with_post(v->kernel, &p, ISK_ACT_NONE, ISK_BINARY_NONE, 0, 0, 0, 1);
	p.ldgroup = SIZE_MAX / 8 + 1;
	problem_fill(v->kernel, &p, 1);
	one(v, &p);
	p.k = 0;
	p.ldgroup = p.post.ldgroup = p.n;
	p.post.size = sizeof(p.post);
	problem_fill(v->kernel, &p, 1);
	describe(&p);
	if (gemm(v, v->fn, results, NULL, packed_data, &p, &p.post)
	    || v->kernel->check(results, NULL, packed_data, p.m, p.n, 0, p.ldc, p.lda, &p.post))
		wrong("refused for scales of groups of no k");
	for (size_t i = 0; i < p.m * p.n; i++)
		if (elem_bits(v->kernel->out, results, i / p.n * p.ldc + i % p.n) != 0)
			wrong("the sum of nothing is not 0");
}

/* Nothing takes no time, however large the other sizes are. */
static void huge_and_empty(struct variant *v)
{
	static const size_t sizes[][3] = {
		{SIZE_MAX, 0, 0}, {(size_t)1 << 61, 0, 0}, {0, SIZE_MAX, 0},
		{0, (size_t)1 << 60, 0}, {0, 0, SIZE_MAX},
	};
	const struct isk_post post = {.size = sizeof(post), .out_scale = quantized(v->kernel)};

	must_end(20);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		const size_t n = sizes[i][1], k = sizes[i][2];
		const struct problem p = {.m = sizes[i][0], .n = n, .k = k, .lda = k, .ldc = n, .columns = n};
		const struct isk_packed header = isk_packed_header(v->kernel->type, p.k, p.n, 0, 0);

		if (!header.bytes) /* s8 has a line of sums for each panel */
			continue;
		describe(&p);
		if (gemm(v, v->fn, NULL, NULL, &header, &p, &post))
			wrong("refused");
	}
	must_end(0);
}

void drive_gemm(struct variant *v)
{
	unsigned char **const rooms[] = {&a_data, &b_data, &c_data, &other_data, &packed_data, &results};
	const int slow = getenv("ISK_TEST_SLOW") != NULL;

	for (size_t i = 0; i < sizeof(rooms) / sizeof(rooms[0]); i++)
		room(rooms[i]);
	if (!bias_data) {
		bias_data = malloc(4096 * sizeof(float));
		scale_data = malloc(4096 * sizeof(float));
		zero_data = malloc(4096 * sizeof(int32_t));
		group_data = malloc(262144 * sizeof(float));
	}
	if (!bias_data || !scale_data || !zero_data || !group_data)
		abort();
	empty(v);
	huge_and_empty(v);
	few_groups(v);
	every_shape(v, slow ? 0 : v->emulated ? 700 : 2000);
	large_shapes(v, slow ? 400 : v->emulated ? 12 : 40);
	every_post(v);
	specials_in(v);
	extreme_exponents(v);
	long_sums(v);
	every_alignment(v);
	large_strides(v);
	far_strides(v);
	every_split(v);
	stored(v);
	refusals(v);
}
