/* SPDX-License-Identifier: MIT */
/*
 * OpenBLAS: sgemm and dgemm, sgemv and dgemv for one row or one column, somatcopy, sdot and ssum, each with the
 * kernels that it chooses for this CPU, and with those of SkylakeX and Haswell, because it chooses by lists of models that
 * know no later CPU. Debian's has neither sbgemm nor conversions to bf16.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "field.h"
#include "library.h"
#include "peer.h"
#include "problem.h"

enum { ROW_MAJOR = 101, PLAIN = 111, TRANSPOSED = 112 };

typedef void sgemm_fn(int order, int transa, int transb, int m, int n, int k, float alpha, const float *a, int lda,
                      const float *b, int ldb, float beta, float *c, int ldc);
typedef void sgemv_fn(int order, int trans, int m, int n, float alpha, const float *a, int lda, const float *x,
                      int incx, float beta, float *y, int incy);

typedef void dgemm_fn(int order, int transa, int transb, int m, int n, int k, double alpha, const double *a, int lda,
                      const double *b, int ldb, double beta, double *c, int ldc);
typedef void dgemv_fn(int order, int trans, int m, int n, double alpha, const double *a, int lda, const double *x,
                      int incx, double beta, double *y, int incy);
typedef void somatcopy_fn(int order, int trans, int rows, int cols, float alpha, const float *a, int lda, float *b,
                          int ldb);

typedef float sdot_fn(int n, const float *x, int incx, const float *y, int incy);
typedef float ssum_fn(int n, const float *x, int incx);

enum call { SGEMM, SGEMV, DGEMM, DGEMV, SOMATCOPY, SDOT, SSUM, WAYS };

static const char *const names[WAYS] = {"cblas_sgemm", "cblas_sgemv", "cblas_dgemm", "cblas_dgemv", "cblas_somatcopy", "cblas_sdot",
                                        "cblas_ssum"};

static struct core {
	char how[WAYS][40];
	union {
		void *any;
		sgemm_fn *sgemm;
		sgemv_fn *sgemv;
		dgemm_fn *dgemm;
		dgemv_fn *dgemv;
		somatcopy_fn *somatcopy;
		sdot_fn *sdot;
		ssum_fn *ssum;
	} fn[WAYS];
} cores[3];

static size_t count;

static const char *core_name(void *library)
{
	char *(*name)(void);

	*(void **)&name = dlsym(library, "openblas_get_corename");
	return name ? name() : "?";
}

static void add(void *library)
{
	struct core *core = &cores[count];

	if (!library)
		return;
	for (int way = 0; way < WAYS; way++) {
		core->fn[way].any = dlsym(library, names[way]);
		if (!core->fn[way].any)
			return;
		snprintf(core->how[way], sizeof(core->how[way]), "%s, %s", names[way], core_name(library));
	}
	count++;
}

static const char *open_openblas(void)
{
	static const char name[] = "libopenblas.so.0", variable[] = "OPENBLAS_CORETYPE";
	static char text[160];
	void *own = library_open(name);
	char *(*config)(void);

	if (!own)
		return NULL;
	*(void **)&config = dlsym(own, "openblas_get_config");
	add(own);
	/* If OPENBLAS_CORETYPE is set, OpenBLAS follows it by itself. */
	if (!getenv(variable)) {
		if (__builtin_cpu_supports("avx512dq"))
			add(library_copy(name, variable, "SkylakeX"));
		add(library_copy(name, variable, "Haswell"));
	}
	snprintf(text, sizeof(text), "%.15s, chooses %s here; the best of %zu choices is shown",
	         config ? config() : "?", core_name(own), count);
	return text;
}

struct state {
	const struct core *core;
	const struct problem *p;
};

static void call_sgemm(void *state)
{
	const struct state *s = state;
	const int m = (int)s->p->row->m, n = (int)s->p->row->n, k = (int)s->p->row->k;

	s->core->fn[SGEMM].sgemm(ROW_MAJOR, PLAIN, PLAIN, m, n, k, 1, s->p->a, k, s->p->b, n, 0, s->p->c, n);
}

/* A product with one row or one column. */
static void call_sgemv(void *state)
{
	const struct state *s = state;
	const int m = (int)s->p->row->m, n = (int)s->p->row->n, k = (int)s->p->row->k;

	if (m == 1)
		s->core->fn[SGEMV].sgemv(ROW_MAJOR, TRANSPOSED, k, n, 1, s->p->b, n, s->p->a, 1, 0, s->p->c, 1);
	else
		s->core->fn[SGEMV].sgemv(ROW_MAJOR, PLAIN, m, k, 1, s->p->a, k, s->p->b, 1, 0, s->p->c, 1);
}

static void call_dgemm(void *state)
{
	const struct state *s = state;
	const int m = (int)s->p->row->m, n = (int)s->p->row->n, k = (int)s->p->row->k;

	s->core->fn[DGEMM].dgemm(ROW_MAJOR, PLAIN, PLAIN, m, n, k, 1, s->p->a, k, s->p->b, n, 0, s->p->c, n);
}

static void call_dgemv(void *state)
{
	const struct state *s = state;
	const int m = (int)s->p->row->m, n = (int)s->p->row->n, k = (int)s->p->row->k;

	if (m == 1)
		s->core->fn[DGEMV].dgemv(ROW_MAJOR, TRANSPOSED, k, n, 1, s->p->b, n, s->p->a, 1, 0, s->p->c, 1);
	else
		s->core->fn[DGEMV].dgemv(ROW_MAJOR, PLAIN, m, k, 1, s->p->a, k, s->p->b, 1, 0, s->p->c, 1);
}

static void call_somatcopy(void *state)
{
	const struct state *s = state;
	const int m = (int)s->p->row->m, n = (int)s->p->row->n;

	s->core->fn[SOMATCOPY].somatcopy(ROW_MAJOR, TRANSPOSED, m, n, 1, s->p->a, n, s->p->c, m);
}

static void call_sdot(void *state)
{
	const struct state *s = state;
	const struct vectors *v = &s->p->vectors;

	*(float *)v->y = s->core->fn[SDOT].sdot((int)v->cols, v->a, 1, v->b, 1);
}

static void call_ssum(void *state)
{
	const struct state *s = state;
	const struct vectors *v = &s->p->vectors;

	*(float *)v->y = s->core->fn[SSUM].ssum((int)v->cols, v->a, 1);
}

static int is_for(enum call way, const struct row *row)
{
	switch (way) {
	case SGEMM:
		return row->op == PRODUCT && row->a == F32;
	case SGEMV:
		return row->op == PRODUCT && row->a == F32 && (row->m == 1 || row->n == 1);
	case DGEMM:
		return row->op == PRODUCT && row->a == F64;
	case DGEMV:
		return row->op == PRODUCT && row->a == F64 && (row->m == 1 || row->n == 1);
	case SOMATCOPY:
		return row->op == TRANSPOSE && row->a == F32;
	case SDOT:
		return strcmp(row->kernel, "dot_f32") == 0;
	default:
		return strcmp(row->kernel, "sum_f32") == 0;
	}
}

static void enter(struct field *f, const struct problem *p)
{
	static void (*const calls[WAYS])(void *) = {call_sgemm, call_sgemv, call_dgemm, call_dgemv, call_somatcopy, call_sdot, call_ssum};

	if ((p->row->a != F32 && p->row->a != F64) || p->row->b != p->row->a)
		return;
	for (size_t i = 0; i < count; i++)
		for (int way = 0; way < WAYS; way++)
			if (is_for(way, p->row)) {
				struct state *s = allocate(sizeof(*s));

				*s = (struct state){&cores[i], p};
				field_add(f, PEER, "OpenBLAS", cores[i].how[way], calls[way], s);
			}
}

const struct peer openblas = {"OpenBLAS", "libopenblas0", 0, open_openblas, enter};
