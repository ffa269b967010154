/* SPDX-License-Identifier: MIT */
/*
 * OpenBLAS: sgemm, sgemv for one row, somatcopy, each with the kernels it chooses for
 * this CPU and with those of SkylakeX and Haswell, as it chooses by lists of
 * models that know none of a later year. Debian's has no sbgemm.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "library.h"
#include "peers.h"

enum { ROW_MAJOR = 101, PLAIN = 111, TRANSPOSED = 112 };

typedef void sgemm_fn(int order, int transa, int transb, int m, int n, int k, float alpha, const float *a, int lda,
                      const float *b, int ldb, float beta, float *c, int ldc);
typedef void sgemv_fn(int order, int trans, int m, int n, float alpha, const float *a, int lda, const float *x,
                      int incx, float beta, float *y, int incy);

typedef void somatcopy_fn(int order, int trans, int rows, int cols, float alpha, const float *a, int lda, float *b,
                          int ldb);

static struct core {
	char how[3][40];
	sgemm_fn *sgemm;
	sgemv_fn *sgemv;
	somatcopy_fn *somatcopy;
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
	*(void **)&core->sgemm = dlsym(library, "cblas_sgemm");
	*(void **)&core->sgemv = dlsym(library, "cblas_sgemv");
	*(void **)&core->somatcopy = dlsym(library, "cblas_somatcopy");
	if (!core->sgemm || !core->sgemv || !core->somatcopy)
		return;
	snprintf(core->how[0], sizeof(core->how[0]), "cblas_sgemm, %s", core_name(library));
	snprintf(core->how[1], sizeof(core->how[1]), "cblas_sgemv, %s", core_name(library));
	snprintf(core->how[2], sizeof(core->how[2]), "cblas_somatcopy, %s", core_name(library));
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
	/* It reads OPENBLAS_CORETYPE, if that is set, for itself. */
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
	const struct row *row;
	const float *a, *b;
	float *c;
};

static void call_sgemm(void *state)
{
	const struct state *s = state;
	const int m = (int)s->row->m, n = (int)s->row->n, k = (int)s->row->k;

	s->core->sgemm(ROW_MAJOR, PLAIN, PLAIN, m, n, k, 1, s->a, k, s->b, n, 0, s->c, n);
}

static void call_sgemv(void *state)
{
	const struct state *s = state;
	const int n = (int)s->row->n, k = (int)s->row->k;

	s->core->sgemv(ROW_MAJOR, TRANSPOSED, k, n, 1, s->b, n, s->a, 1, 0, s->c, 1);
}

static void call_somatcopy(void *state)
{
	const struct state *s = state;
	const int m = (int)s->row->m, n = (int)s->row->n;

	s->core->somatcopy(ROW_MAJOR, TRANSPOSED, m, n, 1, s->a, n, s->c, m);
}

static void add_entry(struct field *f, const struct problem *p, const struct core *core, int way)
{
	static void (*const calls[])(void *) = {call_sgemm, call_sgemv, call_somatcopy};
	struct state *s = allocate(sizeof(*s));

	*s = (struct state){core, p->row, p->a, p->b, NULL};
	s->c = field_add(f, PEER, "OpenBLAS", core->how[way], calls[way], s)->c;
}

static void enter(struct field *f, const struct problem *p)
{
	const struct row *row = p->row;

	for (size_t i = 0; i < count && row->a == F32 && row->b == F32; i++) {
		if (row->op == PRODUCT)
			add_entry(f, p, &cores[i], 0);
		if (row->op == PRODUCT && row->m == 1)
			add_entry(f, p, &cores[i], 1);
		if (row->op == TRANSPOSE)
			add_entry(f, p, &cores[i], 2);
	}
}

const struct peer openblas = {"OpenBLAS", "libopenblas0", 0, open_openblas, enter};
