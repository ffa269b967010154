/* SPDX-License-Identifier: MIT */
/* BLIS: sgemm. Under a cap to AVX2, --isa sets BLIS_ARCH_TYPE if BLIS's own choice is above AVX2. */
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

static sgemm_fn *sgemm;

static const char *open_blis(void)
{
	static char text[128];
	void *library = library_open("libblis.so.4");
	const char *(*version)(void), *(*arch)(int);
	int (*query)(void);

	if (!library)
		return NULL;
	*(void **)&sgemm = dlsym(library, "cblas_sgemm");
	*(void **)&version = dlsym(library, "bli_info_get_version_str");
	*(void **)&arch = dlsym(library, "bli_arch_string");
	*(void **)&query = dlsym(library, "bli_arch_query_id");
	if (!sgemm || !version || !arch || !query)
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
	}
	snprintf(text, sizeof(text), "%s, chooses %s here", version(), arch(query()));
	return text;
}

struct state {
	const struct row *row;
	const float *a, *b;
	float *c;
};

static void call(void *state)
{
	const struct state *s = state;
	const int m = (int)s->row->m, n = (int)s->row->n, k = (int)s->row->k;

	sgemm(ROW_MAJOR, PLAIN, PLAIN, m, n, k, 1, s->a, k, s->b, n, 0, s->c, n);
}

static void enter(struct field *f, const struct problem *p)
{
	struct state *s;

	if (p->row->op != PRODUCT || p->row->a != F32 || p->row->b != F32)
		return;
	s = allocate(sizeof(*s));
	*s = (struct state){p->row, p->a, p->b, p->c};
	field_add(f, PEER, "BLIS", "cblas_sgemm", call, s);
}

const struct peer blis = {"BLIS", "libblis4-openmp", 0, open_blis, enter};
