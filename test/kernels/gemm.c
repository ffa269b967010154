/* SPDX-License-Identifier: MIT */
/*
 * The drivers of pack and gemm. A packed matrix must be byte for byte what the
 * oracle of packing makes, at every ISA: so it does not matter which ISA packed
 * what another one multiplies, and products are checked with B as it was before
 * packing.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "kernels.h"
#include "packed.h"

typedef int pack_fn(void *packed, const void *b, size_t bytes, size_t k, size_t n, size_t ldb,
                    int transposed);
typedef int gemm_fn(void *c, const void *a, const void *packed, size_t m, size_t n, size_t k, size_t ldc,
                    size_t lda, const struct isk_post *post);

#define ROOM ((size_t)4 << 20)

static unsigned char *room(unsigned char **p)
{
	if (!*p && !(*p = malloc(ROOM)))
		abort();
	return *p;
}

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

static size_t span(size_t rows, size_t cols, size_t ld)
{
	return rows && cols ? (rows - 1) * ld + cols : 0;
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

static void pack_one(struct variant *v, size_t k, size_t n, int transposed, enum edge edge, size_t from,
                     size_t to)
{
	static unsigned char *b, *want;
	const struct kernel *kernel = v->kernel;
	const size_t rows = transposed ? n : k, cols = transposed ? k : n, ldb = cols + random_below(4);
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
			wrong("byte %zu of %zu is %#x, must be %#x", i, bytes, packed[i], want[i]);
	status = status ? status : isk_packed_check(packed, bytes, kernel->type);
	if (status)
		wrong("isk_packed_check() gives %d (%s)", status, isk_strerror(status));
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
			wrong("status %d (%s), must be %d", status, isk_strerror(status), calls[i].status);
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
	pack_damage(v);
	pack_refusals(v);
}

struct problem {
	size_t m, n, k, lda, ldc, ldother, columns; /* columns of packed B, from first on */
	enum edge edge;
	size_t offset[3]; /* of c, a, packed */
	int has_post, other_is_c;
	struct isk_post post; /* without its pointers */
	int with_bias;
};

static unsigned char *a_data, *b_data, *c_data, *other_data, *packed_data, *results;
static float *bias_data, *scale_data;

static void describe(const struct problem *p)
{
	trying("m %zu, n %zu, k %zu, lda %zu, ldc %zu, first %zu, offsets %zu %zu %zu from the %s edge; "
	       "%s, %zu scales, %s, activation %d (%g, %g), binary %d (%g)%s",
	       p->m, p->n, p->k, p->lda, p->ldc, p->post.first_column, p->offset[0], p->offset[1], p->offset[2],
	       p->edge == LOW ? "lower" : "upper", p->has_post ? "post" : "no post", p->post.scales,
	       p->with_bias ? "bias" : "no bias", (int)p->post.act, (double)p->post.act_a, (double)p->post.act_b,
	       (int)p->post.binary, (double)p->post.other_scale, p->other_is_c ? " with C" : "");
}

/* The oracle of packing for the element type of a product. */
static const struct kernel *packer(const struct kernel *gemm)
{
	struct isk_kernel_info info;

	for (size_t i = 0; isk_kernel_info(i, &info) == ISK_OK; i++) {
		const struct kernel *k = kernel_find(info.name);

		if (k && k->pack && k->in == gemm->in2)
			return k;
	}
	wrong("no kernel packs for this one");
}

/* Random matrices of the problem, B packed. */
static void problem_fill(const struct kernel *k, const struct problem *p, double size)
{
	const size_t bytes = isk_packed_size(k->type, p->k, p->columns);

	fill(k->in, a_data, span(p->m, p->k, p->lda), size);
	fill(k->in2, b_data, p->k * p->columns, size);
	fill(k->out, c_data, span(p->m, p->n, p->ldc), 2);
	fill(k->out, other_data, span(p->m, p->n, p->ldother), 2);
	fill(ELEM_f32, (unsigned char *)bias_data, p->columns, 2);
	fill(ELEM_f32, (unsigned char *)scale_data, p->columns, 2);
	if (bytes > ROOM || packer(k)->pack(packed_data, b_data, bytes, p->k, p->columns, p->columns, 0))
		wrong("the oracle cannot pack");
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
	status = gemm(v, fn, c, a, packed, p, p->has_post ? &post : NULL);
	slots_check();
	if (status)
		wrong("status %d (%s)", status, isk_strerror(status));
	for (size_t i = 0; i < p->m; i++)
		memcpy(out + i * p->n * size, c + i * p->ldc * size, p->n * size);
}

static void expect(struct variant *v, const struct problem *p, size_t i, size_t j, uint64_t bits)
{
	const struct kernel *k = v->kernel;
	const size_t in = elem_bytes(k->in), col = p->post.first_column + j;
	const unsigned char *a = a_data + i * p->lda * in, *b = b_data + col * elem_bytes(k->in2);
	const struct isk_column column = {b, 1, p->columns};
	const int chain = v->twin && k->in == ELEM_f32 && k->in2 == ELEM_f32 && !p->with_bias && !p->post.scales && !p->post.act
	                  && !p->post.binary;
	struct isk_post post = p->post;
	double scale, exact;

	post.bias = p->with_bias ? bias_data : NULL;
	post.scale = scale_data;
	post.other = p->other_is_c ? c_data : other_data;
	post.ldother = p->other_is_c ? p->ldc : p->ldother;
	exact = k->gemm(a, &column, p->k, i, j, p->has_post ? &post : NULL, &scale);
	check_scaled(v, bits, exact, scale, 4 * (double)(p->k + 16) * elem_least(k->out), i, j);
	/* The contract names the very chain: from +0, in the order of k. */
	if (chain) {
		float sum = 0;

		for (size_t kk = 0; kk < p->k; kk++)
			sum = fmaf(((const float *)a)[kk], ((const float *)b)[kk * p->columns], sum);
		if (!elem_same(ELEM_f32, bits, bits_of(sum)))
			wrong("at %zu, %zu: bits %#llx, a chain of fused multiply-adds gives %#x", i, j,
			      (unsigned long long)bits, bits_of(sum));
	}
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
	for (size_t i = 0; i < count; i += p->k * count < 100000 ? 1 : 1 + random_below(count * p->k / 50000)) {
		expect(v, p, i / p->n, i % p->n, elem_bits(v->kernel->out, results, i));
	}
}

static struct problem problem(size_t m, size_t n, size_t k)
{
	struct problem p = {.m = m, .n = n, .k = k, .lda = k + random_below(3), .ldc = n + random_below(3),
	                    .ldother = n + random_below(3), .columns = n, .edge = random_below(2) ? LOW : HIGH};

	return p;
}

static void with_post(struct problem *p, enum isk_activation act, enum isk_binary binary, int scales,
                      int bias)
{
	p->has_post = 1;
	p->with_bias = bias;
	p->post.scales = scales == 2 ? p->n : (size_t)scales;
	p->post.act = act;
	p->post.act_a = act == ISK_ACT_HARDTANH ? -0.75f : 0.1f;
	p->post.act_b = 1.25f;
	p->post.binary = binary;
	p->post.other_scale = -1.5f;
	p->other_is_c = binary && random_below(2);
}

static void random_post(struct problem *p)
{
	with_post(p, (enum isk_activation)random_below(ISK_ACT_SILU + 1),
	          (enum isk_binary)random_below(ISK_BINARY_AXPY + 1), (int)random_below(3), (int)random_below(2));
}

static void every_shape(struct variant *v, size_t most)
{
	for (size_t m = 0; m <= most; m++)
		for (size_t n = 0; n <= most; n++)
			for (size_t k = 0; k <= most; k++) {
				struct problem p = problem(m, n, k);

				problem_fill(v->kernel, &p, 1);
				one(v, &p);
				if ((m + n + k) % 4 == 0) {
					random_post(&p);
					one(v, &p);
				}
			}
}

static void large_shapes(struct variant *v)
{
	static const size_t around[] = {1,   2,   6,   13,  14,  15,  28,  29,  63,  64,  65,  96,
	                                127, 128, 129, 130, 160, 255, 256, 257, 300, 511, 513, 700};
	const size_t choices = sizeof(around) / sizeof(around[0]);

	for (int i = 0; i < 90; i++) {
		/* Few rows in every fourth call: kernels do something else with few of them. */
		struct problem p = problem(i % 4 ? around[random_below(choices - 4)] : 1 + random_below(3),
		                           around[random_below(i % 4 ? choices - 4 : choices)],
		                           around[random_below(choices)]);

		problem_fill(v->kernel, &p, 1);
		if (i % 8 < 4)
			random_post(&p);
		one(v, &p);
	}
}

static void every_post(struct variant *v)
{
	for (int act = 0; act <= ISK_ACT_SILU; act++)
		for (int binary = 0; binary <= ISK_BINARY_AXPY; binary++)
			for (int scales = 0; scales < 3; scales++)
				for (int bias = 0; bias < 2; bias++) {
					struct problem p = problem(1 + random_below(17), 1 + random_below(50), random_below(24));

					problem_fill(v->kernel, &p, act % 2 ? 2 : 1);
					with_post(&p, (enum isk_activation)act, (enum isk_binary)binary, scales, bias);
					one(v, &p);
				}
}

/* NaN, infinities, zeros and denormals, through every activation. */
static void specials_in(struct variant *v)
{
	static const uint32_t values[] = {0x7fc00000, 0x7f800001, 0x7f800000, 0xff800000, 0x80000000, 0x00000001,
	                                  0x80012345, 0x00800000};
	const enum elem in = v->kernel->in;

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		for (int act = 0; act <= ISK_ACT_SILU; act++)
			for (int where = 0; where < 4; where++) {
				struct problem p = problem(1 + random_below(16), 1 + random_below(40), 1 + random_below(20));

				problem_fill(v->kernel, &p, 1);
				if (where < 2)
					with_post(&p, (enum isk_activation)act, ISK_BINARY_NONE, 0, 0);
				if (where % 2)
					elem_set(v->kernel->in2, b_data, random_below(p.k * p.columns), (double)f32_of(values[i]));
				for (size_t row = 0; where == 2 && row < p.m; row++)
					for (size_t kk = 0; kk < p.k; kk++)
						elem_set(in, a_data, row * p.lda + kk, (double)f32_of(values[i]));
				elem_set(in, a_data, random_below(p.m) * p.lda + random_below(p.k),
				         (double)f32_of(values[i]));
				packer(v->kernel)->pack(packed_data, b_data, ROOM, p.k, p.columns, p.columns, 0);
				one(v, &p);
			}
}

static void every_alignment(struct variant *v)
{
	const size_t step = elem_bytes(v->kernel->in);
	struct problem p = problem(5, 37, 11);

	problem_fill(v->kernel, &p, 1);
	p.edge = LOW;
	for (size_t c = 0; c < 64; c += step)
		for (size_t a = 0; a < 64; a += step) {
			p.offset[0] = c;
			p.offset[1] = a;
			p.offset[2] = random_below(64);
			one(v, &p);
		}
}

/* Rows and columns computed in parts are, bit for bit, those computed at once. */
static void every_split(struct variant *v)
{
	static unsigned char *whole;

	for (int i = 0; i < 40; i++) {
		const struct problem p = problem(1 + random_below(70), 1 + random_below(200), random_below(600));
		const size_t row = random_below(p.m), first = random_below(p.n / 16 + 1) * 16;
		struct problem part = p;

		problem_fill(v->kernel, &p, 1);
		describe(&p);
		compute(v, v->fn, &p, room(&whole));
		part.m = p.m - row;
		part.n = first < p.n ? 1 + random_below(p.n - first) : 0;
		part.ldc = part.n;
		part.has_post = 1;
		part.post.first_column = first;
		memmove(a_data, a_data + row * p.lda * elem_bytes(v->kernel->in),
		        span(part.m, p.k, p.lda) * elem_bytes(v->kernel->in));
		one(v, &part);
		for (size_t r = 0; r < part.m && v->twin; r++)
			for (size_t c = 0; c < part.n; c++)
				check_same(v, elem_bits(v->kernel->out, results, r * part.n + c),
				           elem_bits(v->kernel->out, whole, (row + r) * p.n + first + c), r, c);
	}
}

static void refusals(struct variant *v)
{
	const struct kernel *k = v->kernel;
	const struct problem good = problem(5, 33, 9);
	const size_t bytes = isk_packed_size(k->type, good.k, good.columns), huge = SIZE_MAX / 4 + 1;
	const struct isk_packed header = isk_packed_header(k->type, good.k, good.columns, 0, 0);
	const int32_t zero = 0;
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
		post = (struct isk_post){.size = sizeof(post)};                        \
		(void)(change);                                                        \
		trying("refusal: %s with c %s, a %s, packed %s", #change, #c, #a, #packed); \
		got = gemm(v, v->fn, c, a, packed, &p, &post);                         \
		v->checks++;                                                           \
		if (got != (status))                                                   \
			wrong("status %d (%s), must be %d", got, isk_strerror(got), status); \
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
	REFUSED(ISK_ERR_NULL, c, a, packed, post.scales = 1);
	REFUSED(ISK_ERR_NULL, c, a, packed, (post.binary = ISK_BINARY_ADD, post.ldother = p.n));
	REFUSED(ISK_ERR_STRIDE, c, a, packed,
	        (post.binary = ISK_BINARY_MUL, post.other = other_data, post.ldother = p.n - 1));
	REFUSED(ISK_ERR_SIZE, c, a, packed,
	        (post.binary = ISK_BINARY_SUB, post.other = other_data, post.ldother = huge));
	if (k->type != ISK_S8) {
		REFUSED(ISK_ERR_POST, c, a, packed, post.a_zero = 1);
		REFUSED(ISK_ERR_POST, c, a, packed, (post.b_zeros = 1, post.b_zero = &zero));
		REFUSED(ISK_ERR_POST, c, a, packed, post.out_scale = 1);
		REFUSED(ISK_ERR_POST, c, a, packed, post.out_zero = 1);
	}

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
		struct problem p = problem(sizes[i][0], sizes[i][1], sizes[i][2]);

		problem_fill(v->kernel, &p, 1);
		describe(&p);
		if (gemm(v, v->fn, NULL, NULL, packed_data, &p, NULL))
			wrong("refused");
	}
}

void drive_gemm(struct variant *v)
{
	unsigned char **const rooms[] = {&a_data, &b_data, &c_data, &other_data, &packed_data, &results};

	for (size_t i = 0; i < sizeof(rooms) / sizeof(rooms[0]); i++)
		room(rooms[i]);
	if (!bias_data) {
		bias_data = malloc(4096 * sizeof(float));
		scale_data = malloc(4096 * sizeof(float));
	}
	if (!bias_data || !scale_data)
		abort();
	empty(v);
	every_shape(v, getenv("ISK_TEST_SLOW") ? 40 : 20);
	large_shapes(v);
	every_post(v);
	specials_in(v);
	every_alignment(v);
	every_split(v);
	refusals(v);
}
