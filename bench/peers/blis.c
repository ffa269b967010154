/* SPDX-License-Identifier: MIT */
/* BLIS: sgemm and dgemm. Under a cap to AVX2, --isa sets BLIS_ARCH_TYPE if BLIS's own choice is above AVX2. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "field.h"
#include "library.h"
#include "peer.h"
#include "problem.h"

enum { ROW_MAJOR = 101, PLAIN = 111 };

typedef void sgemm_fn(int order, int transa, int transb, int m, int n, int k, float alpha, const float *a, int lda,
                      const float *b, int ldb, float beta, float *c, int ldc);

typedef void dgemm_fn(int order, int transa, int transb, int m, int n, int k, double alpha, const double *a, int lda,
                      const double *b, int ldb, double beta, double *c, int ldc);

static sgemm_fn *sgemm;
static dgemm_fn *dgemm;

static const char *open_blis(void)
{
	static char text[128];
	void *library = library_open("libblis.so.4");
	const char *(*version)(void), *(*arch)(int);
	int (*query)(void);

	if (!library)
		return NULL;
	*(void **)&sgemm = dlsym(library, "cblas_sgemm");
	*(void **)&dgemm = dlsym(library, "cblas_dgemm");
	*(void **)&version = dlsym(library, "bli_info_get_version_str");
	*(void **)&arch = dlsym(library, "bli_arch_string");
	*(void **)&query = dlsym(library, "bli_arch_query_id");
	if (!sgemm || !dgemm || !version || !arch || !query)
		return NULL;
	/* The variable takes the number of an architecture, which must be built in. */
	if (capped() && (strcmp(arch(query()), "skx") == 0 || strcmp(arch(query()), "knl") == 0)) {
		char number[16];

		for (int i = 0; i < 32; i++)
			if (strcmp(arch(i), "haswell") == 0)
				snprintf(number, sizeof(number), "%d", i);
		library = library_copy("libblis.so.4", "BLIS_ARCH_TYPE", number);
		if (!library)
			return NULL;
		*(void **)&sgemm = dlsym(library, "cblas_sgemm");
		*(void **)&dgemm = dlsym(library, "cblas_dgemm");
	}
	snprintf(text, sizeof(text), "%s, chooses %s here", version(), arch(query()));
	return text;
}

struct state {
	const struct row *row;
	const void *a, *b;
	void *c;
};

static void call(void *state)
{
	const struct state *s = state;
	const int m = (int)s->row->m, n = (int)s->row->n, k = (int)s->row->k;

	if (s->row->a == F64)
		dgemm(ROW_MAJOR, PLAIN, PLAIN, m, n, k, 1, s->a, k, s->b, n, 0, s->c, n);
	else
		sgemm(ROW_MAJOR, PLAIN, PLAIN, m, n, k, 1, s->a, k, s->b, n, 0, s->c, n);
}

static void enter(struct field *f, const struct problem *p)
{
	struct state *s;

	if (p->row->op != PRODUCT || (p->row->a != F32 && p->row->a != F64) || p->row->b != p->row->a)
		return;
	s = allocate(sizeof(*s));
	*s = (struct state){p->row, p->a, p->b, p->c};
	field_add(f, PEER, "BLIS", p->row->a == F64 ? "cblas_dgemm" : "cblas_sgemm", call, s);
}

const struct peer blis = {"BLIS", "libblis4-openmp", 0, open_blis, enter};
