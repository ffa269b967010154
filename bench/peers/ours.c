/* SPDX-License-Identifier: MIT */
/* isakern, by names: a kernel that this library does not have is a row without figures. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peers.h"

/* The shapes of isakern.h with pointers to anything. */
typedef int gemm_fn(void *c, const void *a, const void *packed, size_t m, size_t n, size_t k, size_t ldc, size_t lda,
                    const struct isk_post *post);
typedef int pack_fn(void *packed, const void *b, size_t bytes, size_t k, size_t n, size_t ldb, int transposed);

typedef int matmul_fn(void *c, const void *a, const void *b, size_t m, size_t n, size_t k, size_t ldc, size_t lda,
                      size_t ldb, unsigned transposed, const struct isk_post *post);
typedef int conv_pack_fn(void *packed, const void *w, size_t bytes, const struct isk_conv *conv);
typedef int conv_fn(void *y, const void *x, const void *packed, const struct isk_conv *conv,
                    const struct isk_post *post);
typedef void transpose_fn(void *y, const void *x, size_t rows, size_t cols, size_t ldy, size_t ldx);

struct product {
	void (*fn)(void); /* of the type that its call knows */
	const struct row *row;
	void *c, *packed;
	const void *a, *b;
	const struct isk_post *use;
	struct isk_post post;
};

static void call_gemm(void *state)
{
	const struct product *s = state;
	const struct row *r = s->row;

	((gemm_fn *)s->fn)(s->c, s->a, s->packed, r->m, r->n, r->k, r->n, r->k, s->use);
}

static void call_matmul(void *state)
{
	const struct product *s = state;
	const struct row *r = s->row;

	((matmul_fn *)s->fn)(s->c, s->a, s->b, r->m, r->n, r->k, r->n, r->k, r->n, 0, s->use);
}

static void call_conv(void *state)
{
	const struct product *s = state;

	((conv_fn *)s->fn)(s->c, s->a, s->packed, &s->row->conv, s->use);
}

static void call_transpose(void *state)
{
	const struct product *s = state;
	const struct row *r = s->row;

	((transpose_fn *)s->fn)(s->c, s->a, r->m, r->n, r->m, r->n);
}

static void release(void *state)
{
	struct product *s = state;

	free(s->packed);
	free(s);
}

static int packed(struct product *s, enum type type, const void *b)
{
	static const enum isk_type types[] = {[F32] = ISK_F32, [BF16] = ISK_BF16, [F16] = ISK_F16, [S8] = ISK_S8};
	const struct row *r = s->row;
	const size_t bytes = r->op == CONV ? isk_conv_packed_size(types[type], &r->conv)
	                                   : isk_packed_size(types[type], r->k, r->n);
	char name[32];
	void (*pack)(void);

	snprintf(name, sizeof(name), "%s_pack_%s", r->op == CONV ? "conv" : "gemm", type_name(type));
	pack = isk_bound(name);
	if (!pack)
		return 0;
	s->packed = allocate(bytes);
	if (r->op == CONV)
		return ((conv_pack_fn *)pack)(s->packed, b, bytes, &r->conv) == ISK_OK;
	return ((pack_fn *)pack)(s->packed, b, bytes, r->k, r->n, r->n, 0) == ISK_OK;
}

static int unpacked(const char *kernel)
{
	return strncmp(kernel, "matmul_", 7) == 0;
}

static void (*call_of(const struct row *row, const char *kernel))(void *)
{
	if (row->op == CONV)
		return call_conv;
	if (row->op == TRANSPOSE)
		return call_transpose;
	return unpacked(kernel) ? call_matmul : call_gemm;
}

static struct entry *enter(struct field *f, const struct problem *p, enum role role, const char *kernel,
                           const char *who, enum type b_type, const void *b)
{
	struct product *s = allocate(sizeof(*s));
	struct entry *e;

	s->fn = isk_bound(kernel);
	s->row = p->row;
	s->a = p->a;
	s->b = b;
	if (!s->fn || (p->row->op != TRANSPOSE && !unpacked(kernel) && !packed(s, b_type, b))) {
		release(s);
		return NULL;
	}
	e = field_add(f, role, who, kernel, call_of(p->row, kernel), s);
	e->release = release;
	s->c = e->c;
	return e;
}

static void use(struct entry *e, struct isk_post post)
{
	struct product *s = e->state;

	post.size = sizeof(post);
	s->post = post;
	s->use = &s->post;
}

/* The f32 rate of the same layer, which smaller weights are measured by. Their values suit either. */
static void enter_f32(struct field *f, const struct problem *p)
{
	const size_t count = p->row->k * p->row->n;
	float *b = allocate(count * sizeof(*b));

	for (size_t i = 0; i < count; i++)
		b[i] = (float)value_get(p->row->b, p->b, i);
	enter(f, p, COMPANION, "gemm_f32", "f32", F32, b);
	free(b);
}


void ours_enter(struct field *f, const struct problem *p)
{
	static const float scale = 1;
	struct entry *e = enter(f, p, OURS, p->row->kernel, "isakern", p->row->b, p->b);

	if (!e)
		return;
	/* Scales are part of what these weights are. */
	if (p->row->b == S8 && p->row->a == F32)
		use(e, (struct isk_post){.scale = &scale, .scales = 1});
	if (p->row->c == S8)
		use(e, (struct isk_post){.out_scale = OUT_SCALE});
	if (p->row->op == LINEAR) {
		use(e, (struct isk_post){.bias = p->bias, .act = ISK_ACT_GELU, .binary = ISK_BINARY_ADD,
		                         .other = p->residual, .ldother = p->row->n});
		e = enter(f, p, COMPANION, p->row->kernel, "plain", p->row->b, p->b);
		e->op = PRODUCT;
	}
	if (p->row->op == PRODUCT && p->row->a == F32 && p->row->b != F32)
		enter_f32(f, p);
}
