/* SPDX-License-Identifier: MIT */
/*
 * The transformer, in isakern kernels. The tokens of all sentences of a batch are the rows of one matrix,
 * without padding, so that every weight matrix meets many rows at once. Only attention works on one sentence
 * at a time.
 */
#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "dense.h"
#include "isakern.h"
#include "model.h"
#include "safetensors.h"

enum {
	DIM = MODEL_DIM,
	HEADS = 12,
	HEAD = DIM / HEADS,
	QKV = 3 * DIM,
	WIDE = 1536,
	LAYERS = 6,
	POSITIONS = 512,
};

#define LAYERNORM_EPSILON 1e-12f

struct norm {
	float *weight, *bias;
};

struct layer {
	struct dense qkv, project, widen, narrow;
	struct norm attended, mixed;
};

struct model {
	isk_f16 *words; /* widened token by token, because few of them occur */
	float *places;	/* position and token type, added up */
	struct norm embedded;
	struct layer layer[LAYERS];
	float unit[DIM]; /* 1 / sqrt(DIM): makes rmsnorm an L2 norm */
};

struct workspace {
	float *x;	   /* tokens by DIM: the activations between layers */
	float *qkv;	   /* tokens by QKV */
	float *mixed;  /* tokens by DIM: the output of attention */
	float *wide;   /* tokens by WIDE */
	float *scores; /* MODEL_MAX_TOKENS squared */
	struct dense_space dense;
};

static void widen(float *wide, const struct safetensors *s, const char *name, size_t rows, size_t cols)
{
	isk_f16 *narrow = safetensors_f16(s, name, rows, cols);

	isk_cvt_f16_f32(wide, narrow, (rows ? rows : 1) * cols);
	free(narrow);
}

static float *widened(const struct safetensors *s, const char *name, size_t rows, size_t cols)
{
	const size_t n = (rows ? rows : 1) * cols;
	float *wide = alloc(n, sizeof(*wide));

	widen(wide, s, name, rows, cols);
	return wide;
}

/* Combines matrices that share their input into one, with `out` rows of each below each other. */
static struct dense load_dense(const struct safetensors *s, enum weights type, const char *prefix,
							   const char *const *names, size_t count, size_t in, size_t out)
{
	isk_f16 *weights = alloc(count * out * in, sizeof(*weights));
	float *bias = alloc(count * out, sizeof(*bias));
	char name[128];
	struct dense d;

	for (size_t i = 0; i < count; i++) {
		isk_f16 *one;

		snprintf(name, sizeof(name), "%s.%s.weight", prefix, names[i]);
		one = safetensors_f16(s, name, out, in);
		memcpy(weights + i * out * in, one, out * in * sizeof(*one));
		free(one);
		snprintf(name, sizeof(name), "%s.%s.bias", prefix, names[i]);
		widen(bias + i * out, s, name, 0, out);
	}
	d = dense_new(type, weights, bias, in, count * out);
	free(weights);
	return d;
}

static struct dense load_one(const struct safetensors *s, enum weights type, const char *prefix,
							 const char *name, size_t in, size_t out)
{
	return load_dense(s, type, prefix, &name, 1, in, out);
}

static struct norm load_norm(const struct safetensors *s, const char *prefix, const char *name)
{
	struct norm norm;
	char full[128];

	snprintf(full, sizeof(full), "%s.%s.weight", prefix, name);
	norm.weight = widened(s, full, 0, DIM);
	snprintf(full, sizeof(full), "%s.%s.bias", prefix, name);
	norm.bias = widened(s, full, 0, DIM);
	return norm;
}

static void load_layer(struct layer *l, const struct safetensors *s, enum weights type, int number)
{
	static const char *const qkv[] = {"attention.self.query", "attention.self.key", "attention.self.value"};
	char prefix[64];

	snprintf(prefix, sizeof(prefix), "encoder.layer.%d", number);
	l->qkv = load_dense(s, type, prefix, qkv, 3, DIM, DIM);
	l->project = load_one(s, type, prefix, "attention.output.dense", DIM, DIM);
	l->widen = load_one(s, type, prefix, "intermediate.dense", DIM, WIDE);
	l->narrow = load_one(s, type, prefix, "output.dense", WIDE, DIM);
	l->attended = load_norm(s, prefix, "attention.output.LayerNorm");
	l->mixed = load_norm(s, prefix, "output.LayerNorm");
}

struct model *model_open(const char *path, enum weights weights)
{
	struct model *m = alloc(1, sizeof(*m));
	struct safetensors *file = safetensors_open(path);
	float *type;

	m->words = safetensors_f16(file, "embeddings.word_embeddings.weight", MODEL_VOCABULARY, DIM);
	m->places = widened(file, "embeddings.position_embeddings.weight", POSITIONS, DIM);
	type = widened(file, "embeddings.token_type_embeddings.weight", 2, DIM);
	for (size_t i = 0; i < POSITIONS; i++)
		isk_add_f32(m->places + i * DIM, m->places + i * DIM, type, DIM);
	free(type);
	m->embedded = load_norm(file, "embeddings", "LayerNorm");
	for (int i = 0; i < LAYERS; i++)
		load_layer(&m->layer[i], file, weights, i);
	for (size_t i = 0; i < DIM; i++)
		m->unit[i] = (float)sqrt(1.0 / DIM);
	safetensors_close(file);
	return m;
}

static void free_norm(struct norm *norm)
{
	free(norm->weight);
	free(norm->bias);
}

void model_close(struct model *m)
{
	for (int i = 0; i < LAYERS; i++) {
		struct layer *l = &m->layer[i];

		dense_free(&l->qkv);
		dense_free(&l->project);
		dense_free(&l->widen);
		dense_free(&l->narrow);
		free_norm(&l->attended);
		free_norm(&l->mixed);
	}
	free_norm(&m->embedded);
	free(m->words);
	free(m->places);
	free(m);
}

struct workspace *workspace_new(size_t max)
{
	struct workspace *w = alloc(1, sizeof(*w));

	w->x = alloc(max * DIM, sizeof(float));
	w->qkv = alloc(max * QKV, sizeof(float));
	w->mixed = alloc(max * DIM, sizeof(float));
	w->wide = alloc(max * WIDE, sizeof(float));
	w->scores = alloc(MODEL_MAX_TOKENS * MODEL_MAX_TOKENS, sizeof(float));
	w->dense = dense_space_new(max, WIDE);
	return w;
}

void workspace_free(struct workspace *w)
{
	free(w->x);
	free(w->qkv);
	free(w->mixed);
	free(w->wide);
	free(w->scores);
	dense_space_free(&w->dense);
	free(w);
}

static void embed_tokens(const struct model *m, float *x, const uint32_t *ids, size_t count)
{
	for (size_t i = 0; i < count; i++, x += DIM) {
		isk_cvt_f16_f32(x, m->words + (size_t)ids[i] * DIM, DIM);
		isk_add_f32(x, x, m->places + i * DIM, DIM);
	}
}

static void normalise(float *x, const struct norm *norm, size_t rows)
{
	isk_layernorm_f32(x, x, norm->weight, norm->bias, rows, DIM, DIM, DIM, LAYERNORM_EPSILON);
}

/* softmax(Q * K^T / sqrt(HEAD)) * V, head by head, over the rows of one sentence. */
static void attend(struct workspace *w, float *mixed, const float *qkv, size_t rows)
{
	const float scale = (float)sqrt(1.0 / HEAD);
	const struct isk_post post = {.size = sizeof(post), .scale = &scale, .scales = 1};

	for (size_t h = 0; h < HEADS; h++, qkv += HEAD, mixed += HEAD) {
		const float *q = qkv, *k = qkv + DIM, *v = qkv + 2 * DIM;

		must(isk_matmul_f32(w->scores, q, k, rows, rows, HEAD, rows, QKV, QKV, ISK_TRANSPOSED_B, &post));
		isk_softmax_f32(w->scores, w->scores, rows, rows, rows, rows);
		must(isk_matmul_f32(mixed, w->scores, v, rows, HEAD, rows, DIM, rows, QKV, 0, NULL));
	}
}

static void run_layer(const struct layer *l, struct workspace *w, const size_t *start, size_t count)
{
	const size_t rows = start[count] - start[0];

	dense_apply(&l->qkv, &w->dense, w->qkv, w->x, rows, ISK_ACT_NONE, ISK_BINARY_NONE);
	for (size_t i = 0; i < count; i++) {
		const size_t first = start[i] - start[0];

		attend(w, w->mixed + first * DIM, w->qkv + first * QKV, start[i + 1] - start[i]);
	}
	dense_apply(&l->project, &w->dense, w->x, w->mixed, rows, ISK_ACT_NONE, ISK_BINARY_ADD);
	normalise(w->x, &l->attended, rows);
	dense_apply(&l->widen, &w->dense, w->wide, w->x, rows, ISK_ACT_GELU, ISK_BINARY_NONE);
	dense_apply(&l->narrow, &w->dense, w->x, w->wide, rows, ISK_ACT_NONE, ISK_BINARY_ADD);
	normalise(w->x, &l->mixed, rows);
}

void model_embed(const struct model *m, struct workspace *w, float *out, const uint32_t *ids,
				 const size_t *start, size_t count)
{
	const size_t rows = start[count] - start[0];

	for (size_t i = 0; i < count; i++)
		embed_tokens(m, w->x + (start[i] - start[0]) * DIM, ids + start[i], start[i + 1] - start[i]);
	normalise(w->x, &m->embedded, rows);
	for (int i = 0; i < LAYERS; i++)
		run_layer(&m->layer[i], w, start, count);
	for (size_t i = 0; i < count; i++)
		isk_meanpool_f32(out + i * DIM, w->x + (start[i] - start[0]) * DIM, start[i + 1] - start[i], DIM,
						 DIM);
	isk_rmsnorm_f32(out, out, m->unit, NULL, count, DIM, DIM, DIM, 0);
}
