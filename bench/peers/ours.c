/* SPDX-License-Identifier: MIT */
/* isakern, by names: if a library lacks a kernel, the row has no entry of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "field.h"
#include "old.h"
#include "ours.h"
#include "peer.h"
#include "problem.h"

/* The shapes of isakern.h with pointers to anything. */
typedef int gemm_fn(void *c, const void *a, const void *packed, size_t m, size_t n, size_t k, size_t ldc,
                    size_t lda, const void *post);
typedef int matmul_fn(void *c, const void *a, const void *b, size_t m, size_t n, size_t k, size_t ldc,
                      size_t lda, size_t ldb, unsigned transposed, const void *post);
typedef int pack_fn(void *packed, const void *b, size_t bytes, size_t k, size_t n, size_t ldb,
                    int transposed);
typedef int pack_groups_fn(void *packed, const void *b, size_t bytes, size_t k, size_t n, size_t ldb,
                           int transposed, const struct isk_groups *groups);
typedef int conv_pack_fn(void *packed, const void *w, size_t bytes, const void *conv);
typedef int conv_fn(void *y, const void *x, const void *packed, const void *conv, const void *post);
typedef void transpose_fn(void *y, const void *x, size_t rows, size_t cols, size_t ldy, size_t ldx);
typedef void map_fn(void *y, const void *x, size_t n);
typedef void zip_fn(void *y, const void *a, const void *b, size_t n);
typedef float reduce_fn(const void *x, size_t n);
typedef float reduce2_fn(const void *a, const void *b, size_t n);
typedef size_t index_fn(const void *x, size_t n);
typedef void softmax_fn(void *y, const void *x, size_t rows, size_t cols, size_t ldy, size_t ldx);
typedef void norm_fn(void *y, const void *x, const float *weight, const float *bias, size_t rows, size_t cols,
                     size_t ldy, size_t ldx, float epsilon);
typedef void quantize_fn(void *y, const void *x, size_t n, float scale, int zero);
typedef void select_fn(void *y, const uint8_t *mask, const void *a, const void *b, size_t n);
typedef void columns_fn(void *y, const void *x, size_t rows, size_t cols, size_t ldx);
typedef int bag_fn(void *y, const void *x, const int64_t *index, const int64_t *ends, const float *weight, size_t rows,
                   size_t bags, size_t count, size_t cols, size_t ldy, size_t ldx);
typedef void pool_fn(void *y, const void *x, size_t images, size_t channels, size_t out_height, size_t out_width,
                     size_t height, size_t width);
typedef int cell_fn(float *c, float *h, const float *candidate, const float *input, const float *forget,
                    const float *output, const float *c_old, const float *w_ic, const float *w_fc, const float *w_oc,
                    size_t d, unsigned acts);
typedef void step_fn(float *p, float *m, float *v, float *most, const float *g, size_t n, float rate, float beta1,
                     float beta2, float epsilon, float decay, float m_scale, float v_scale);

static const struct library here = {OURS, "isakern", isk_bound, isk_packed_size, isk_conv_packed_size,
                                   isk_conv_transpose_packed_size, isk_packed_groups_size, 0};

struct state {
	void (*fn)(void); /* to be cast to the type that its call expects */
	const struct row *row;
	void *c, *packed;
	const void *a, *b;
	const struct vectors *v;
	struct isk_matmul_plan plan;
	const void *post; /* in the library's own layout, see below; or NULL */
	union {
		struct isk_post now;
		struct old_post old;
	} post_room;
};

static void call_gemm(void *state)
{
	const struct state *s = state;
	const struct row *r = s->row;

	((gemm_fn *)s->fn)(s->c, s->a, s->packed, r->m, r->n, r->k, r->n, r->k, s->post);
}

static void call_matmul(void *state)
{
	const struct state *s = state;
	const struct row *r = s->row;

	((matmul_fn *)s->fn)(s->c, s->a, s->b, r->m, r->n, r->k, r->n, r->k, r->n, 0, s->post);
}

static void call_plan(void *state)
{
	const struct state *s = state;

	s->plan.multiply(&s->plan, s->c, s->a, s->b);
}

/* A product with one column: a dot product for each row. */
static void call_dots(void *state)
{
	const struct state *s = state;
	const struct row *r = s->row;
	float *c = s->c;

	for (size_t i = 0; i < r->m; i++)
		c[i] = ((reduce2_fn *)s->fn)((const float *)s->a + i * r->k, s->b, r->k);
}

static void call_conv(void *state)
{
	const struct state *s = state;

	((conv_fn *)s->fn)(s->c, s->a, s->packed, &s->row->conv, s->post);
}

static void call_transpose(void *state)
{
	const struct state *s = state;
	const struct row *r = s->row;

	((transpose_fn *)s->fn)(s->c, s->a, r->m, r->n, r->m, r->n);
}

static void call_map(void *state)
{
	const struct state *s = state;

	((map_fn *)s->fn)(s->v->y, s->v->a, s->v->cols);
}

static void call_zip(void *state)
{
	const struct state *s = state;

	((zip_fn *)s->fn)(s->v->y, s->v->a, s->v->b, s->v->cols);
}

static void call_reduce(void *state)
{
	const struct state *s = state;

	*(float *)s->v->y = ((reduce_fn *)s->fn)(s->v->a, s->v->cols);
}

static void call_reduce2(void *state)
{
	const struct state *s = state;

	*(float *)s->v->y = ((reduce2_fn *)s->fn)(s->v->a, s->v->b, s->v->cols);
}

static void call_index(void *state)
{
	const struct state *s = state;

	*(double *)s->v->y = (double)((index_fn *)s->fn)(s->v->a, s->v->cols);
}

static void call_softmax(void *state)
{
	const struct state *s = state;
	const struct vectors *v = s->v;

	((softmax_fn *)s->fn)(v->y, v->a, v->rows, v->cols, v->cols, v->cols);
}

static void call_norm(void *state)
{
	const struct state *s = state;
	const struct vectors *v = s->v;
	const int biased = strcmp(s->row->kernel, "layernorm_f32") == 0;

	((norm_fn *)s->fn)(v->y, v->a, v->weight, biased ? v->bias : NULL, v->rows, v->cols, v->cols, v->cols,
	                   NORM_EPSILON);
}

static void call_quantize(void *state)
{
	const struct state *s = state;
	const int u8 = s->row->a == U8 || s->row->c == U8;

	((quantize_fn *)s->fn)(s->v->y, s->v->a, s->v->cols, QUANTIZE_SCALE,
	                       u8 ? QUANTIZE_ZERO_U8 : QUANTIZE_ZERO_S8);
}

static void call_select(void *state)
{
	const struct state *s = state;
	const struct vectors *v = s->v;

	((select_fn *)s->fn)(v->y, v->mask, v->a, v->b, v->cols);
}

static void call_columns(void *state)
{
	const struct state *s = state;
	const struct vectors *v = s->v;

	((columns_fn *)s->fn)(v->y, v->a, v->rows, v->cols, v->cols);
}

static void call_bag(void *state)
{
	const struct state *s = state;
	const struct vectors *v = s->v;

	((bag_fn *)s->fn)(v->y, v->a, v->index, v->starts + 1, NULL, v->side, v->rows, v->rows * BAG_ROWS, v->cols, v->cols,
	                  v->cols);
}

static void call_pool(void *state)
{
	const struct state *s = state;
	const struct vectors *v = s->v;

	((pool_fn *)s->fn)(v->y, v->a, 1, v->rows, v->cols, v->cols, v->side, v->side);
}

static void call_cell(void *state)
{
	const struct state *s = state;
	const size_t d = s->v->cols;
	const float *input = s->v->a, *forget = input + d, *candidate = forget + d, *output = candidate + d;
	float *c = s->v->y;

	((cell_fn *)s->fn)(c, c + d, candidate, input, forget, output, s->v->b, NULL, NULL, NULL, d,
	                   ISK_CELL_ACTS(ISK_CELL_SIGMOID, ISK_CELL_TANH, ISK_CELL_TANH));
}

static void call_step(void *state)
{
	const struct state *s = state;
	const size_t n = s->v->cols;
	float *p = s->v->y;

	((step_fn *)s->fn)(p, p + n, p + 2 * n, NULL, s->v->a, n, ADAM_RATE, ADAM_BETA1, ADAM_BETA2, ADAM_EPSILON, 0,
	                   ADAM_M_SCALE, ADAM_V_SCALE);
}

static void release(void *state)
{
	struct state *s = state;

	free(s->packed);
	free(s);
}

/* B in the form that a kernel takes. */
struct weights {
	enum type type;
	const void *b;
	const float *scales; /* of groups, or NULL */
};

static int packed(const struct library *lib, struct state *s, const struct weights *w)
{
	static const enum isk_type types[] = {[F32] = ISK_F32, [BF16] = ISK_BF16, [F16] = ISK_F16, [S8] = ISK_S8, [F64] = ISK_F64};
	const struct row *r = s->row;
	const struct isk_groups groups = {sizeof(groups), SCALE_GROUP, w->scales, r->n};
	const int grouped = w->scales != NULL;
	char name[32];
	size_t bytes;
	void (*pack)(void);

	snprintf(name, sizeof(name), "%s_pack_%s%s",
	         r->op == CONV             ? "conv"
	         : r->op == CONV_TRANSPOSE ? "conv_transpose"
	                                   : "gemm",
	         grouped ? "groups_" : "", type_name(w->type));
	pack = lib->bound(name);
	if (!pack)
		return 0;
	bytes = r->op == CONV             ? lib->conv_packed_size(types[w->type], &r->conv)
	        : r->op == CONV_TRANSPOSE ? lib->conv_transpose_packed_size(types[w->type], &r->conv)
	        : grouped                 ? lib->packed_groups_size(types[w->type], r->k, r->n, &groups)
	                                  : lib->packed_size(types[w->type], r->k, r->n);
	s->packed = allocate(bytes);
	if (is_convolution(r))
		return ((conv_pack_fn *)pack)(s->packed, w->b, bytes, &r->conv) == ISK_OK;
	if (grouped)
		return ((pack_groups_fn *)pack)(s->packed, w->b, bytes, r->k, r->n, r->n, 0, &groups) == ISK_OK;
	return ((pack_fn *)pack)(s->packed, w->b, bytes, r->k, r->n, r->n, 0) == ISK_OK;
}

static int is_unpacked(const char *kernel)
{
	return strncmp(kernel, "matmul_", 7) == 0 || strncmp(kernel, "dot_", 4) == 0;
}

static void (*call_of(const struct row *row, const char *kernel))(void *)
{
	static void (*const calls[])(void *) = {
		[CONV] = call_conv,   [CONV_TRANSPOSE] = call_conv, [TRANSPOSE] = call_transpose, [MAP] = call_map,
		[ZIP] = call_zip,     [REDUCE] = call_reduce,       [REDUCE2] = call_reduce2,
		[INDEX] = call_index, [SOFTMAX] = call_softmax,     [NORM] = call_norm,
		[CVT] = call_map,     [QUANTIZE] = call_quantize,   [DEQUANTIZE] = call_quantize,
		[COMPARE] = call_zip, [SELECT] = call_select,       [COLUMNS] = call_columns,
		[BAG] = call_bag,     [POOL] = call_pool,           [CELL] = call_cell,
		[STEP] = call_step};

	if (calls[row->op])
		return calls[row->op];
	if (strcmp(kernel, "dot_f32") == 0)
		return call_dots;
	return is_unpacked(kernel) ? call_matmul : call_gemm;
}

/* Enters a contestant of one of the libraries. Returns NULL if the library lacks the kernel. */
static struct entry *enter(struct field *f, const struct library *lib, enum role role, const char *kernel,
                           const char *who, const struct weights *w)
{
	const struct problem *p = f->problem;
	struct state *s = allocate(sizeof(*s));
	const int packs = !is_vectors(p->row->op) && p->row->op != TRANSPOSE && !is_unpacked(kernel);
	struct entry *e;

	s->fn = lib->bound(kernel);
	s->row = p->row;
	s->a = p->a;
	s->b = w->b;
	s->c = p->c;
	s->v = &p->vectors;
	if (!s->fn || (packs && !packed(lib, s, w))) {
		release(s);
		return NULL;
	}
	e = field_add(f, role, who, kernel, call_of(p->row, kernel), s);
	e->kernel = kernel;
	e->release = release;
	return e;
}

/* The post-operations, in the struct of either library. */
struct post {
	const float *scale;
	const float *bias, *residual;
	size_t ldother;
	float out_scale;
};

#define POST_FIELDS(type, p)                                                                                 \
	.size = sizeof(struct type), .scale = (p)->scale, .scales = (p)->scale != NULL, .bias = (p)->bias,       \
	.act = (p)->residual ? ISK_ACT_GELU : ISK_ACT_NONE,                                                      \
	.binary = (p)->residual ? ISK_BINARY_ADD : ISK_BINARY_NONE, .other = (p)->residual,                      \
	.ldother = (p)->ldother, .out_scale = (p)->out_scale

static void use_post(const struct library *lib, struct entry *e, const struct post *post)
{
	struct state *s = e->state;

	s->post = &s->post_room;
	if (lib->takes_old_post)
		s->post_room.old = (struct old_post){POST_FIELDS(old_post, post)};
	else
		s->post_room.now = (struct isk_post){POST_FIELDS(isk_post, post)};
}

static struct entry *enter_plan(struct field *f)
{
	const struct problem *p = f->problem;
	const struct row *r = p->row;
	struct state *s = allocate(sizeof(*s));

	s->a = p->a;
	s->b = p->b;
	s->c = p->c;
	s->plan = (struct isk_matmul_plan){.size = sizeof(s->plan), .kernel = "matmul_f32", .m = r->m, .n = r->n, .k = r->k,
	                                   .ldc = r->n, .lda = r->k, .ldb = r->n};
	if (isk_matmul_plan(&s->plan)) {
		free(s);
		return NULL;
	}
	return field_add(f, OURS, "isakern", s->plan.way, call_plan, s);
}

/* Enters the row's own kernel with its post-operations. */
static struct entry *enter_kernel(struct field *f, const struct library *lib)
{
	static const float scale = 1;
	const struct problem *p = f->problem;
	const struct row *row = p->row;
	const struct weights weights = {row->b, p->b, p->scales};
	struct entry *e = enter(f, lib, lib->role, row->kernel, lib->who, &weights);

	if (!e)
		return NULL;
	/* The scale belongs to these weights. */
	if (row->op != GROUPED && row->b == S8 && row->a == F32)
		use_post(lib, e, &(struct post){.scale = &scale});
	else if (row->op == PRODUCT && (row->c == S8 || row->c == U8))
		use_post(lib, e, &(struct post){.out_scale = OUT_SCALE});
	else if (row->op == LINEAR)
		use_post(lib, e, &(struct post){.bias = p->bias, .residual = p->residual, .ldother = row->n});
	return e;
}

/* Enters the f32 product of the same layer, to which smaller weights are compared. The values suit both. */
static void enter_f32(struct field *f, const struct problem *p)
{
	const size_t count = p->row->k * p->row->n;
	float *b = allocate(count * sizeof(*b));

	for (size_t i = 0; i < count; i++)
		b[i] = (float)value_get(p->row->b, p->b, i);
	enter(f, &here, COMPANION, "gemm_f32", "f32", &(struct weights){F32, b, NULL});
	free(b);
}

/* Enters the kernel with scales of columns in place of scales of groups. */
static void enter_columns(struct field *f, const struct problem *p)
{
	static const float scale = 1;
	const struct weights plain = {p->row->b, p->b, NULL};
	struct entry *e = enter(f, &here, COMPANION, p->row->kernel, "columns", &plain);

	e->op = PRODUCT;
	use_post(&here, e, &(struct post){.scale = &scale});
}

/* The ordinary exponential shows the cost of correct rounding. */
static void enter_fast(struct field *f)
{
	static const struct weights none;

	enter(f, &here, COMPANION, "exp_f32", "fast", &none);
}

void ours_enter(struct field *f, const struct problem *p)
{
	const struct row *row = p->row;

	if (!(is_planned(row) ? enter_plan(f) : enter_kernel(f, &here)))
		return;
	if (old_library())
		enter_kernel(f, old_library());
	if (row->op == LINEAR)
		enter(f, &here, COMPANION, row->kernel, "plain", &(struct weights){row->b, p->b, NULL})->op = PRODUCT;
	if (row->op == GROUPED)
		enter_columns(f, p);
	if (strncmp(row->kernel, "cr_", 3) == 0)
		enter_fast(f);
	if (row->op == PRODUCT && row->a == F32 && row->b != F32)
		enter_f32(f, p);
	if (row->op == PRODUCT && row->a == F32 && row->b == F32 && row->n == 1)
		enter(f, &here, COMPANION, "dot_f32", "dot", &(struct weights){F32, p->b, NULL});
}
