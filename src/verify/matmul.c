/* SPDX-License-Identifier: MIT */
/*
 * The driver of matmul and matmul_batch; a single matrix is a batch of one. gemm on the same matrices, B
 * packed, must give the same bits.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "harness.h"
#include "order.h"
#include "products.h"

/* A problem: the arguments and the post without their pointers, which are set at the call. */
struct problem {
	struct isk_args_matmul_batch p;
	size_t ldother;
	enum edge edge;
	size_t offset[3]; /* of c, a, b */
	int has_post, with_bias, row_scaled, other_is_c, beside;
	struct isk_post post;
};

static unsigned char *a_data, *b_data, *c_data, *other_data;
static unsigned char *bias_data, *scale_data, *row_data; /* of type_post() */

static void describe(const struct problem *t)
{
	const struct isk_args_matmul_batch *p = &t->p;

	trying("%zu times m %zu, n %zu, k %zu; transposed %u; ldc %zu, lda %zu, ldb %zu, strides %zu %zu %zu, "
	       "offsets %zu %zu %zu from the %s edge; %s, %zu scales, %s, activation %d, binary %d%s",
	       p->batch, p->m, p->n, p->k, p->transposed, p->ldc, p->lda, p->ldb, p->stride_c, p->stride_a,
	       p->stride_b, t->offset[0], t->offset[1], t->offset[2], t->edge == LOW ? "lower" : "upper",
	       t->has_post ? "post" : "no post", t->post.scales, t->with_bias ? "bias" : "no bias",
	       (int)t->post.act, (int)t->post.binary, t->other_is_c ? " with C" : "");
}

/* Elements of `batch` matrices of rows by cols, whose rows are ld apart and which begin `distance` apart. */
static size_t spans(size_t batch, size_t distance, size_t rows, size_t cols, size_t ld)
{
	return rows && cols ? span(batch, span(rows, cols, ld), distance) : 0;
}

static size_t span_of_a(const struct isk_args_matmul_batch *p)
{
	return p->transposed & ISK_TRANSPOSED_A ? spans(p->batch, p->stride_a, p->k, p->m, p->lda)
	                                        : spans(p->batch, p->stride_a, p->m, p->k, p->lda);
}

static size_t span_of_b(const struct isk_args_matmul_batch *p)
{
	return p->transposed & ISK_TRANSPOSED_B ? spans(p->batch, p->stride_b, p->n, p->k, p->ldb)
	                                        : spans(p->batch, p->stride_b, p->k, p->n, p->ldb);
}

static void fill(enum isk_type type, void *x, size_t n, double size)
{
	if (n * isk_element_bytes(type) > ROOM)
		wrong("the test asks for %zu elements", n);
	fill_floats(type, x, n, size);
}

static void problem_fill(const struct isk_kernel *k, const struct problem *t, double size)
{
	const struct isk_args_matmul_batch *p = &t->p;

	fill(type_a(k), a_data, span_of_a(p), size);
	fill(type_a(k), b_data, span_of_b(p), size);
	fill(type_c(k), c_data, spans(p->batch, p->stride_c, p->m, p->n, p->ldc), 2);
	fill(type_c(k), other_data, spans(p->batch, p->stride_c, p->m, p->n, t->ldother), 2);
	fill(type_post(k), bias_data, p->n, 2);
	fill(type_post(k), scale_data, p->n, 2);
	fill(type_post(k), row_data, p->m, 2);
}

static int is_batch(const struct isk_kernel *k)
{
	return strcmp(k->shape->name, "matmul_batch") == 0;
}

static int multiply(struct variant *v, isk_function fn, const struct isk_args_matmul_batch *p)
{
	union isk_args args;

	if (is_batch(v->kernel))
		args.matmul_batch = *p;
	else
		args.matmul = (struct isk_args_matmul){
			.c = p->c, .a = p->a, .b = p->b, .m = p->m, .n = p->n, .k = p->k, .ldc = p->ldc, .lda = p->lda, .ldb = p->ldb,
			.transposed = p->transposed, .post = p->post,
		};
	variant_call(v, fn, &args);
	return args.result.status;
}

/* Calls fn in guarded memory, then copies all of C, as rows without gaps, to out. */
static void compute(struct variant *v, isk_function fn, const void *problem, unsigned char *out)
{
	const struct problem *t = problem;
	const struct isk_kernel *k = v->kernel;
	struct isk_args_matmul_batch p = t->p;
	struct isk_post post = t->post;
	const size_t in = isk_element_bytes(type_a(k)), size = isk_element_bytes(type_c(k)), row = p.n * size;
	const size_t each = spans(1, 0, p.m, p.n, p.ldc) * size, sum_bytes = isk_element_bytes(type_post(k));
	unsigned char *c;
	int status;

	p.a = slot_put(SLOT_A, t->edge, t->offset[1], a_data, span_of_a(&p) * in);
	p.b = slot_put(SLOT_B, t->edge, t->offset[2], b_data, span_of_b(&p) * in);
	p.c = c = slot_put(SLOT_Y, t->edge, t->offset[0], t->other_is_c ? c_data : NULL,
	                   spans(p.batch, p.stride_c, p.m, p.n, p.ldc) * size);
	if (!each)
		slot_expect_rows(SLOT_Y, 0, 0, 0);
	else if (t->beside)
		slot_expect_rows(SLOT_Y, p.m, p.batch * row, p.ldc * size);
	else if (p.stride_c == p.m * p.ldc)
		slot_expect_rows(SLOT_Y, p.batch * p.m, row, p.ldc * size);
	else
		slot_expect_rows(SLOT_Y, p.batch, each, p.stride_c * size);
	post.size = sizeof(post);
	if (t->with_bias)
		post.bias = slot_put(SLOT_C, t->edge, 0, bias_data, p.n * sum_bytes);
	if (post.scales)
		post.scale = slot_put(SLOT_F, t->edge, 0, scale_data, post.scales * sum_bytes);
	if (t->row_scaled)
		post.row_scale = slot_put(SLOT_D, t->edge, 0, row_data, p.m * sum_bytes);
	if (post.binary) {
		post.other = t->other_is_c ? c : slot_put(SLOT_E, t->edge, 0, other_data,
		                                          spans(p.batch, p.stride_c, p.m, p.n, t->ldother) * size);
		post.ldother = t->other_is_c ? p.ldc : t->ldother;
	}
	p.post = t->has_post ? &post : NULL;
	status = multiply(v, fn, &p);
	slots_check();
	if (status)
		wrong("status %d (%s)", status, isk_strerror(status));
	for (size_t which = 0; each && which < p.batch; which++)
		for (size_t i = 0; i < p.m; i++, out += row)
			memcpy(out, c + (which * p.stride_c + i * p.ldc) * size, row);
}

/* The post-operations of one matrix, with the data before the call. */
static struct isk_post post_of(const struct isk_kernel *k, const struct problem *t, size_t which)
{
	struct isk_post post = t->post;

	post.size = sizeof(post);
	post.bias = t->with_bias ? bias_data : NULL;
	post.scale = scale_data;
	post.row_scale = t->row_scaled ? row_data : NULL;
	post.other = (t->other_is_c ? c_data : other_data) + which * t->p.stride_c * isk_element_bytes(type_c(k));
	post.ldother = t->other_is_c ? t->p.ldc : t->ldother;
	return post;
}

static void expect(struct variant *v, const struct problem *t, size_t which, size_t i, size_t j)
{
	const struct isk_kernel *k = v->kernel;
	const struct isk_args_matmul_batch *p = &t->p;
	const int a_transposed = p->transposed & ISK_TRANSPOSED_A;
	const int b_transposed = p->transposed & ISK_TRANSPOSED_B;
	const size_t in = isk_element_bytes(type_a(k));
	const size_t step_a = a_transposed ? p->lda : 1, step_b = b_transposed ? 1 : p->ldb;
	const unsigned char *a = a_data + (which * p->stride_a + i * (a_transposed ? 1 : p->lda)) * in;
	const unsigned char *b = b_data + (which * p->stride_b + j * (b_transposed ? p->ldb : 1)) * in;
	const struct isk_post post = post_of(k, t, which);
	const struct isk_column column = {b, 1, step_b, 0, NULL};
	const enum isk_type types[] = {type_a(k), type_b(k), type_c(k)};
	const struct isk_value exact =
		isk_oracle_product(types, a, step_a, &column, p->k, i, j, t->has_post ? &post : NULL);
	const struct element e = {p->batch * p->m * p->n, (which * p->m + i) * p->n + j, AT(i, j)};
	const struct terms row = {type_a(k), a, step_a, 0, NULL, 0}, col = {type_b(k), b, step_b, 0, NULL, 0};
	const struct isk_post none = {.size = sizeof(none)};
	uint64_t named;
	const int is_named = bits_named(v, &row, &col, p->k, i, j, t->has_post ? &post : &none, &named);

	check_element(v, &e, is_named ? &named : NULL, &exact, &post, 4 * (double)(p->k + 16) * element_least(type_c(k)));
}

/* Compares the first matrix with gemm of the same ISA, if gemm takes A as it is stored. */
static void like_gemm(struct variant *v, const struct problem *t, const unsigned char *results)
{
	static unsigned char *packed_room, *c_room;
	const struct isk_args_matmul_batch *p = &t->p;
	const enum isk_type type = type_c(v->kernel);
	const struct isk_post post = post_of(v->kernel, t, 0);
	const struct isk_args_pack pack = {
		.packed = room(&packed_room), .b = b_data, .bytes = ROOM, .k = p->k, .n = p->n, .ldb = p->ldb,
		.transposed = (p->transposed & ISK_TRANSPOSED_B) != 0,
	};
	unsigned char *const c = room(&c_room);
	struct isk_candidate *candidates;
	const size_t count = candidates_of(type == ISK_F64 ? "gemm_f64" : "gemm_f32", &candidates);

	if (isk_oracle_pack(type, &pack, NULL))
		wrong("the oracle cannot pack");
	for (size_t i = 0; i < count; i++) {
		if (strcmp(candidates[i].isa, v->isa) != 0 || !candidate_runs(&candidates[i]))
			continue;
		memcpy(c, c_data, spans(1, 0, p->m, p->n, p->ldc) * isk_element_bytes(type));
		/* The kernels of both types take their pointers in the same registers. */
		if (((int (*)(void *, const void *, const void *, size_t, size_t, size_t, size_t, size_t,
		              const struct isk_post *))candidates[i].fn)(c, a_data, packed_room, p->m, p->n, p->k, p->ldc, p->lda,
		                                                         t->has_post ? &post : NULL))
			wrong("gemm refuses");
		for (size_t j = 0; j < p->m * p->n; j++)
			check_bits(v, type, isk_element_bits(type, results, j), isk_element_bits(type, c, j / p->n * p->ldc + j % p->n),
			           "the bits of gemm", AT(j / p->n, j % p->n));
	}
	free(candidates);
}

/* One problem: all of C, or a sample of it, against the oracle, and all of it against the twin and gemm. */
static void one(struct variant *v, const struct problem *t)
{
	const struct isk_args_matmul_batch *p = &t->p;
	const size_t matrix = p->m * p->n, count = matrix * p->batch;
	const unsigned char *results = results_room();

	spare(v);
	if (!taking_part(v))
		return;
	describe(t);
	compute_each(v, compute, t, count, p->n, NULL);
	for (size_t i = 0; i < count; i += step_to_next(count * p->k / 50000))
		expect(v, t, i / matrix, i % matrix / p->n, i % p->n);
	if (random_below(4) || p->transposed & ISK_TRANSPOSED_A || !p->batch)
		return;
	for (struct variant *each = taking_part(v); each; each = taking_part(each->next)) {
		like_gemm(each, t, results);
		results += count * isk_element_bytes(type_c(v->kernel));
	}
}

static struct problem problem(size_t m, size_t n, size_t k, unsigned transposed)
{
	struct problem t = {.p = {.batch = 1, .m = m, .n = n, .k = k, .transposed = transposed}};
	struct isk_args_matmul_batch *p = &t.p;

	t.edge = random_below(2) ? LOW : HIGH;
	t.ldother = n + random_below(3);
	p->ldc = n + random_below(3);
	p->lda = (transposed & ISK_TRANSPOSED_A ? m : k) + random_below(3);
	p->ldb = (transposed & ISK_TRANSPOSED_B ? k : n) + random_below(3);
	return t;
}

static struct problem batched(size_t batch, size_t m, size_t n, size_t k, unsigned transposed)
{
	struct problem t = problem(m, n, k, transposed);
	struct isk_args_matmul_batch *p = &t.p;
	const size_t a = span_of_a(p), b = span_of_b(p);

	p->batch = batch;
	p->stride_a = random_below(4) ? random_below(2 * a + 1) : 0;
	p->stride_b = random_below(4) ? random_below(2 * b + 1) : 0;
	t.beside = batch && random_below(3) == 0;
	if (t.beside) {
		p->stride_c = n;
		p->ldc = batch * n + random_below(3);
	} else {
		p->stride_c = m * p->ldc;
		if (p->ldc == n)
			p->stride_c += random_below(20);
	}
	return t;
}

static void with_post(const struct isk_kernel *k, struct problem *t, enum isk_activation act, enum isk_binary binary,
                      int scales, int bias)
{
	t->has_post = 1;
	t->with_bias = bias;
	t->row_scaled = (int)random_below(2);
	set_post(k, &t->post, t->p.n, (size_t)scales, act, binary);
	t->other_is_c = binary && random_below(2);
}

static void random_post(const struct isk_kernel *k, struct problem *t)
{
	with_post(k, t, (enum isk_activation)random_below(ISK_ACT_SILU + 1),
	          (enum isk_binary)random_below(ISK_BINARY_AXPY + 1), (int)random_below(3), (int)random_below(2));
}

static void fill_and_try(struct variant *v, const struct problem *t, double size)
{
	problem_fill(v->kernel, t, size);
	one(v, t);
}

static void every_shape(struct variant *v, size_t most)
{
	for (size_t m = 0; m <= most; m++)
		for (size_t n = 0; n <= most; n++)
			for (size_t k = 0; k <= most; k++) {
				struct problem t = problem(m, n, k, 0);

				fill_and_try(v, &t, 1);
				t = problem(m, n, k, (unsigned)random_below(4));
				if ((m + n + k) % 4 == 0)
					random_post(v->kernel, &t);
				fill_and_try(v, &t, 1);
			}
}

/* Every height and width of a tile, at a few depths. */
static void every_tile(struct variant *v)
{
	for (size_t m = 1; m <= 34; m++)
		for (size_t n = 1; n <= 34; n++) {
			static const size_t depths[] = {0, 1, 2, 3, 5, 8, 13};
			struct problem t = problem(m, n, depths[random_below(7)], 0);

			fill_and_try(v, &t, 1);
			t.p.transposed = (unsigned)random_below(4);
			t.p.lda += m;
			t.p.ldb += t.p.k;
			if (random_below(2))
				random_post(v->kernel, &t);
			fill_and_try(v, &t, 1);
		}
}

/* Rows, columns and matrices computed in parts have the bits of those computed at once. */
static void every_split(struct variant *v)
{
	static unsigned char *whole;
	const struct isk_kernel *k = v->kernel;
	const size_t most_batch = is_batch(k) ? 5 : 1;
	const size_t in = isk_element_bytes(type_a(k)), size = isk_element_bytes(type_c(k));

	for (int i = 0; i < 60; i++) {
		struct problem t = batched(1 + random_below(most_batch), 1 + random_below(90), 1 + random_below(130),
		                           random_below(i % 4 ? 70 : 700), (unsigned)random_below(4));
		struct isk_args_matmul_batch *p = &t.p, part;
		size_t first, row, col;
		struct isk_post post;

		if (span_of_a(p) * in > ROOM || span_of_b(p) * in > ROOM)
			continue;
		if (i % 2)
			random_post(v->kernel, &t);
		t.other_is_c = 0;
		problem_fill(k, &t, 1);
		describe(&t);
		compute(v, v->fn, &t, room(&whole));
		part = *p;
		first = random_below(p->batch);
		row = random_below(p->m);
		col = random_below(p->n);
		part.batch = 1 + random_below(p->batch - first);
		part.m = 1 + random_below(p->m - row);
		part.n = 1 + random_below(p->n - col);
		part.a = a_data + (first * p->stride_a + row * (p->transposed & ISK_TRANSPOSED_A ? 1 : p->lda)) * in;
		part.b = b_data + (first * p->stride_b + col * (p->transposed & ISK_TRANSPOSED_B ? p->ldb : 1)) * in;
		part.c = c_data + (first * p->stride_c + row * p->ldc + col) * size;
		post = post_of(k, &t, first);
		if (post.scales > 1) {
			post.scales = part.n;
			post.scale = (const unsigned char *)post.scale + col * isk_element_bytes(type_post(k));
		}
		post.bias = t.with_bias ? bias_data + col * isk_element_bytes(type_post(k)) : NULL;
		post.row_scale = t.row_scaled ? row_data + row * isk_element_bytes(type_post(k)) : NULL;
		post.other = (const unsigned char *)post.other + (row * post.ldother + col) * size;
		part.post = t.has_post ? &post : NULL;
		trying("%zu matrices, %zu rows, %zu columns from %zu, %zu, %zu on, of %zu times %zu by %zu by %zu",
		       part.batch, part.m, part.n, first, row, col, p->batch, p->m, p->n, p->k);
		if (multiply(v, v->fn, &part))
			wrong("refused");
		for (size_t b = 0; b < part.batch; b++)
			for (size_t r = 0; r < part.m; r++)
				for (size_t c = 0; c < part.n && v->twin; c++) {
					const size_t at = ((first + b) * p->m + row + r) * p->n + col + c;

					check_bits(v, type_c(k), isk_element_bits(type_c(k), part.c, b * p->stride_c + r * p->ldc + c),
					           isk_element_bits(type_c(k), whole, at), "as part of a larger product", AT(r, c));
				}
	}
}

/* Rows more than 2^32 elements apart give the bits of close rows. */
static void far_strides(struct variant *v)
{
	static unsigned char *near;
	const struct isk_kernel *k = v->kernel;
	const size_t in = isk_element_bytes(type_a(k)), size = isk_element_bytes(type_c(k));

	for (unsigned i = 0; i < 16; i++) {
		const unsigned transposed = i % 4;
		struct problem t = problem(i % 8 < 4 ? 3 : 40, 37, 45, transposed);
		struct isk_args_matmul_batch *p = &t.p, apart;
		const size_t a_rows = transposed & ISK_TRANSPOSED_A ? p->k : p->m;
		const size_t b_rows = transposed & ISK_TRANSPOSED_B ? p->n : p->k;
		const size_t a_row = (p->k + p->m - a_rows) * in, b_row = (p->k + p->n - b_rows) * in;
		const size_t row = p->n * size;
		unsigned char *a = far_rows(a_rows, a_row, FAR * in), *b = far_rows(b_rows, b_row, FAR * in);
		unsigned char *c = far_rows(p->m, row, FAR * size), *other = far_rows(p->m, row, FAR * size);
		struct isk_post post;
		int status;

		if (!a || !b || !c || !other)
			return;
		if (i / 8)
			with_post(v->kernel, &t, ISK_ACT_NONE, ISK_BINARY_ADD, 1, 1);
		t.other_is_c = 0;
		problem_fill(k, &t, 1);
		describe(&t);
		compute(v, v->fn, &t, room(&near));
		copy_rows(a, FAR * in, a_data, p->lda * in, a_rows, a_row);
		copy_rows(b, FAR * in, b_data, p->ldb * in, b_rows, b_row);
		copy_rows(other, FAR * size, other_data, t.ldother * size, p->m, row);
		post = post_of(k, &t, 0);
		post.other = other;
		post.ldother = FAR;
		apart = *p;
		apart.a = a;
		apart.b = b;
		apart.c = c;
		apart.lda = apart.ldb = apart.ldc = FAR;
		apart.post = t.has_post ? &post : NULL;
		trying("rows %zu elements apart: m %zu, n %zu, k %zu, transposed %u", FAR, p->m, p->n, p->k,
		       transposed);
		status = multiply(v, v->fn, &apart);
		for (size_t r = 0; r < p->m; r++)
			if (status || memcmp(c + r * FAR * size, near + r * row, row) != 0)
				wrong("status %d, or another row %zu than where rows are close", status, r);
		far_free(a, a_rows, a_row, FAR * in);
		far_free(b, b_rows, b_row, FAR * in);
		far_free(c, p->m, row, FAR * size);
		far_free(other, p->m, row, FAR * size);
	}
}

/* Matrices that far apart. */
static void far_matrices(struct variant *v)
{
	static unsigned char *near;
	const struct isk_kernel *k = v->kernel;
	const size_t in = isk_element_bytes(type_a(k)), size = isk_element_bytes(type_c(k)), batch = 3;
	struct problem t = problem(5, 19, 7, 0);
	struct isk_args_matmul_batch apart;
	const size_t a_all = span_of_a(&t.p) * in, b_all = span_of_b(&t.p) * in;
	const size_t c_all = span(t.p.m, t.p.n, t.p.ldc) * size;
	unsigned char *a = far_rows(batch, a_all, FAR * in), *b = far_rows(batch, b_all, FAR * in);
	unsigned char *c = far_rows(batch, c_all, FAR * size);

	if (!a || !b || !c)
		return;
	t.p.batch = batch;
	t.p.stride_a = a_all / in;
	t.p.stride_b = b_all / in;
	t.p.stride_c = t.p.m * t.p.ldc;
	problem_fill(k, &t, 1);
	describe(&t);
	compute(v, v->fn, &t, room(&near));
	copy_rows(a, FAR * in, a_data, a_all, batch, a_all);
	copy_rows(b, FAR * in, b_data, b_all, batch, b_all);
	apart = t.p;
	apart.a = a;
	apart.b = b;
	apart.c = c;
	apart.stride_a = apart.stride_b = apart.stride_c = FAR;
	trying("matrices %zu elements apart", FAR);
	if (multiply(v, v->fn, &apart))
		wrong("refused");
	for (size_t i = 0; i < batch * t.p.m; i++)
		if (memcmp(c + (i / t.p.m * FAR + i % t.p.m * t.p.ldc) * size, near + i * t.p.n * size, t.p.n * size))
			wrong("another row %zu than where matrices are close", i);
	far_free(a, batch, a_all, FAR * in);
	far_free(b, batch, b_all, FAR * in);
	far_free(c, batch, c_all, FAR * size);
}

/* An empty product ends at once, however large the other sizes are. */
static void huge_and_empty(struct variant *v)
{
	const size_t most = SIZE_MAX, many = (size_t)1 << 61;
	const struct isk_args_matmul_batch calls[] = {
		{.batch = 1, .m = most}, {.batch = 1, .m = many}, {.batch = 1, .n = most, .ldc = most, .ldb = most},
		{.batch = 1, .n = many, .ldc = many, .ldb = many, .transposed = ISK_TRANSPOSED_A},
		{.batch = 1, .k = most, .lda = most}, {.batch = most}, {.batch = most, .m = most},
		{.batch = most, .m = 3, .k = 5, .lda = 5},
	};

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		trying("batch %zu, m %zu, n %zu, k %zu", calls[i].batch, calls[i].m, calls[i].n, calls[i].k);
		if (multiply(v, v->fn, &calls[i]))
			wrong("refused");
		v->checks++;
	}
}

static void large_shapes(struct variant *v)
{
	static const size_t around[] = {1,  2,  6,  12,  13,  16,  17,  24,  25,  28,  31,  32,  33,  48,
	                                63, 64, 65, 79,  80,  81,  96,  127, 128, 129, 161, 192, 193, 255,
	                                256, 257, 300, 511, 512, 513, 600};
	const size_t choices = sizeof(around) / sizeof(around[0]);

	for (int i = 0; i < 90; i++) {
		struct problem t = problem(around[random_below(choices - 5)], around[random_below(choices - 5)],
		                           around[random_below(choices)], (unsigned)i % 4);

		if (i % 8 < 4)
			random_post(v->kernel, &t);
		/* Strides at which rows share cache sets, so that kernels copy the rows. */
		if (random_below(4) == 0 && t.p.m * 1024 <= ROOM / 4 && t.p.k * 1024 <= ROOM / 4) {
			t.p.lda = random_below(2) ? 512 + 512 * (t.p.lda > 512) : t.p.lda;
			t.p.ldb = random_below(2) ? 512 + 512 * (t.p.ldb > 512) : t.p.ldb;
			t.p.ldc = random_below(2) ? 512 + 512 * (t.p.ldc > 512) : t.p.ldc;
		} else if (t.p.m <= 65 && t.p.n <= 65 && t.p.k <= 65) {
			t.p.lda = t.p.ldb = t.p.ldc = t.ldother = 4096;
		}
		fill_and_try(v, &t, 1);
	}
}

/* One row by a B of 3 MB, beyond most second-level caches. */
static void far_row(struct variant *v)
{
	struct problem t = problem(1, 10007 / isk_element_bytes(type_a(v->kernel)), 301, 0);

	fill_and_try(v, &t, 1);
}

/* More rows than columns, and large k, so that there are whole tiles, low tiles, and parts of k. */
static void few_columns(struct variant *v)
{
	for (size_t n = 1; n <= 8; n++)
		for (unsigned i = 0; i < 16; i++) {
			struct problem t = problem(16 + random_below(i % 4 ? 60 : 300), n, 33 * n + random_below(100),
			                           i % 2 * ISK_TRANSPOSED_B);

			if (i % 4 >= 2)
				random_post(v->kernel, &t);
			fill_and_try(v, &t, 1);
		}
}

static void every_post(struct variant *v)
{
	for (int act = 0; act <= ISK_ACT_SILU; act++)
		for (int binary = 0; binary <= ISK_BINARY_AXPY; binary++)
			for (int scales = 0; scales < 3; scales++)
				for (int bias = 0; bias < 2; bias++) {
					struct problem t = problem(1 + random_below(17), 1 + random_below(50), random_below(24),
					                           (unsigned)random_below(4));

					with_post(v->kernel, &t, (enum isk_activation)act, (enum isk_binary)binary, scales, bias);
					fill_and_try(v, &t, act % 2 ? 2 : 1);
				}
}

/* NaN, infinities, zeros and denormals: the elements beside them must not be affected. */
static void specials_in(struct variant *v)
{
	static const uint32_t values[] = {0x7fc00000, 0x7f800001, 0x7f800000, 0xff800000, 0x80000000, 0x00000001,
	                                  0x80012345, 0x00800000};

	for (int i = 0; i < 400; i++) {
		struct problem t = problem(1 + random_below(20), 1 + random_below(40), 1 + random_below(20), 0);
		const float x = f32_of(values[random_below(sizeof(values) / sizeof(values[0]))]);

		problem_fill(v->kernel, &t, 1);
		if (random_below(2))
			with_post(v->kernel, &t, (enum isk_activation)random_below(ISK_ACT_SILU + 1), ISK_BINARY_NONE, 0, 0);
		if (random_below(2))
			isk_element_set(type_a(v->kernel), b_data, random_below(t.p.k) * t.p.ldb + random_below(t.p.n),
			                (long double)x);
		else
			isk_element_set(type_a(v->kernel), a_data, random_below(t.p.m) * t.p.lda + random_below(t.p.k),
			                (long double)x);
		one(v, &t);
	}
}

static void every_alignment(struct variant *v)
{
	const size_t step = isk_element_bytes(type_a(v->kernel));

	for (unsigned transposed = 0; transposed < 4; transposed++) {
		struct problem t = problem(5, 37, 41, transposed);

		problem_fill(v->kernel, &t, 1);
		t.edge = LOW;
		for (size_t i = 0; i < 64 / step; i++)
			for (int which = 0; which < 3; which++) {
				t.offset[which] = i * step;
				one(v, &t);
			}
	}
}

/* A wrong call must return the oracle's status and write nothing. */
static void refusals(struct variant *v)
{
	static const struct isk_post fine = {.size = sizeof(fine)};
	static const size_t eight = sizeof(eight);
	const size_t m = 3, n = 19, k = 5, huge = SIZE_MAX / 8, batch = strcmp(v->info.shape, "matmul") ? 2 : 1;
	unsigned char *c = slot_put(SLOT_Y, HIGH, 0, NULL, batch * m * n * isk_element_bytes(type_c(v->kernel)));
	double ones[19];

#define TRY(want, ...)                                                         \
	do {                                                                       \
		struct isk_post post = fine;                                           \
		struct isk_args_matmul_batch p = {{0}, c, a_data, b_data, batch, m, n, k, n, k, n, m * n, m * k, k * n, 0, &post}; \
                                                                               \
		trying("refusal: %s", #__VA_ARGS__);                                   \
		__VA_ARGS__;                                                           \
		check_status(multiply(v, v->fn, &p), want, isk_check_matmul(type_a(v->kernel), &p)); \
		v->checks++;                                                           \
		slots_check();                                                         \
		c = slot_put(SLOT_Y, HIGH, 0, NULL, batch * m * n * isk_element_bytes(type_c(v->kernel))); \
	} while (0)

	for (size_t i = 0; i < 19; i++)
		ones[i] = 1;
	fill(type_a(v->kernel), a_data, batch * m * k, 1);
	fill(type_a(v->kernel), b_data, batch * n * k, 1);
	TRY(ISK_ERR_NULL, p.c = NULL);
	TRY(ISK_ERR_NULL, p.a = NULL);
	TRY(ISK_ERR_NULL, p.b = NULL);
	TRY(ISK_ERR_NULL, p.post = NULL; p.c = NULL);
	TRY(ISK_ERR_NULL, p.post = NULL; p.a = NULL);
	TRY(ISK_ERR_NULL, p.post = NULL; p.b = NULL);
	TRY(ISK_ERR_STRIDE, p.ldc = n - 1);
	TRY(ISK_ERR_STRIDE, p.post = NULL; p.ldc = n - 1);
	TRY(ISK_ERR_STRIDE, p.post = NULL; p.lda = k - 1);
	TRY(ISK_ERR_STRIDE, p.post = NULL; p.ldb = n - 1);
	TRY(ISK_ERR_STRIDE, p.transposed = ISK_TRANSPOSED_A; p.lda = m - 1);
	TRY(ISK_ERR_STRIDE, p.transposed = ISK_TRANSPOSED_B; p.ldb = k - 1);
	TRY(ISK_ERR_SHAPE, p.transposed = 4);
	TRY(ISK_ERR_SHAPE, p.transposed = 7; p.lda = p.ldb = 100);
	TRY(ISK_ERR_SIZE, p.post = NULL; p.ldc = huge);
	TRY(ISK_ERR_SIZE, p.post = NULL; p.lda = huge);
	TRY(ISK_ERR_SIZE, p.post = NULL; p.ldb = huge);
	TRY(ISK_ERR_SIZE, p.post = NULL; p.k = p.lda = huge);
	TRY(ISK_ERR_SIZE, p.m = huge);
	TRY(ISK_ERR_SIZE, p.n = p.ldb = p.ldc = huge);
	TRY(ISK_ERR_SIZE, p.transposed = ISK_TRANSPOSED_A; p.lda = huge);
	TRY(ISK_ERR_SIZE, p.transposed = ISK_TRANSPOSED_B; p.ldb = huge);
	TRY(ISK_ERR_POST, post.size--);
	TRY(ISK_ERR_POST, post.first_column = 16);
	TRY(ISK_ERR_POST, post.act = (enum isk_activation)(ISK_ACT_SILU + 1));
	for (int act = 0; act <= ISK_ACT_SILU; act++)
		if (activation_for(v->kernel, (enum isk_activation)act) != (enum isk_activation)act)
			TRY(ISK_ERR_POST, post.act = (enum isk_activation)act);
	TRY(ISK_ERR_POST, post.binary = (enum isk_binary)(ISK_BINARY_AXPY + 1); post.other = c);
	TRY(ISK_ERR_POST, post.scales = 2; post.scale = ones);
	TRY(ISK_ERR_POST, post.out_scale = 1);
	TRY(ISK_ERR_POST, post.a_zero = 1);
	TRY(ISK_ERR_POST, post.row_zero = (const int32_t *)&m);
	TRY(ISK_ERR_NULL, post.scales = 1);
	TRY(ISK_ERR_NULL, post.binary = ISK_BINARY_ADD; post.ldother = n);
	TRY(ISK_ERR_STRIDE, post.binary = ISK_BINARY_ADD; post.other = c; post.ldother = n - 1);
	TRY(ISK_ERR_SIZE, post.binary = ISK_BINARY_ADD; post.other = c; post.ldother = huge);
	/* A post that says it has 8 bytes and ends where readable memory ends. */
	TRY(ISK_ERR_POST, p.post = slot_put(SLOT_C, HIGH, 0, &eight, sizeof(eight)));
	TRY(ISK_OK, p.m = 0; post.scales = 1; post.binary = ISK_BINARY_ADD; post.ldother = n);
	TRY(ISK_OK, p.n = 0; post.scales = 1; post.binary = ISK_BINARY_ADD);
	TRY(ISK_ERR_NULL, p.k = 0; post.scales = 1);
	TRY(ISK_OK, p.m = 0; p.a = p.b = p.c = NULL);
	TRY(ISK_OK, p.n = 0; p.a = p.b = p.c = NULL);
	if (batch > 1) {
		TRY(ISK_ERR_STRIDE, p.stride_c = 0);
		TRY(ISK_ERR_STRIDE, p.stride_c = m * n - 1);
		TRY(ISK_ERR_STRIDE, p.ldc = 2 * n; p.stride_c = n - 1);
		TRY(ISK_ERR_STRIDE, p.ldc = 2 * n; p.stride_c = n + 1);
		TRY(ISK_ERR_SIZE, p.stride_c = huge);
		TRY(ISK_ERR_SIZE, p.stride_a = huge);
		TRY(ISK_ERR_SIZE, p.stride_b = huge);
		TRY(ISK_ERR_SIZE, p.batch = huge);
		TRY(ISK_OK, p.batch = 0; p.a = p.b = p.c = NULL; p.stride_c = 0);
	}
#undef TRY
	slots_check();
}

static void rooms(void)
{
	unsigned char **const each[] = {&a_data,  &b_data,    &c_data,    &other_data,
	                                &bias_data, &scale_data, &row_data};

	for (size_t i = 0; i < sizeof(each) / sizeof(each[0]); i++)
		room(each[i]);
}

void drive_matmul(struct variant *v)
{
	rooms();
	every_tile(v);
	if (getenv("ISK_TEST_SLOW"))
		every_shape(v, 40);
	else
		every_shape(v, 6);
	large_shapes(v);
	far_row(v);
	few_columns(v);
	every_post(v);
	specials_in(v);
	every_alignment(v);
	each_alone(v, every_split);
	each_alone(v, far_strides);
	each_alone(v, huge_and_empty);
	each_alone(v, refusals);
}

/* All sizes up to 40, of a few matrices each. */
static void every_batch(struct variant *v)
{
	for (size_t m = 0; m <= 40; m++)
		for (size_t n = 0; n <= 40; n++)
			for (size_t k = 0; k <= 40; k++) {
				struct problem t = batched(random_below(5), m, n, k, (unsigned)random_below(4));

				if ((m + n + k) % 4 == 0)
					random_post(v->kernel, &t);
				fill_and_try(v, &t, 1);
			}
}

void drive_matmul_batch(struct variant *v)
{
	rooms();
	if (getenv("ISK_TEST_SLOW"))
		every_batch(v);
	for (int i = 0; i < 400; i++) {
		struct problem t = batched(random_below(6), random_below(20), random_below(40), random_below(20),
		                           (unsigned)random_below(4));

		if (random_below(2))
			random_post(v->kernel, &t);
		fill_and_try(v, &t, 1);
	}
	for (int i = 0; i < 10; i++) {
		struct problem t = batched(1 + random_below(3), random_below(100), random_below(100),
		                           random_below(600), (unsigned)random_below(4));

		fill_and_try(v, &t, 1);
	}
	each_alone(v, every_split);
	each_alone(v, far_matrices);
	each_alone(v, huge_and_empty);
	each_alone(v, refusals);
}
