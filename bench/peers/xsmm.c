/* SPDX-License-Identifier: MIT */
/*
 * libxsmm: a kernel generated for exactly these sizes, called through its pointer. It is column-major: the
 * transposed product of transposed operands is the same memory. Debian has it as an archive only, so it is
 * linked if it was found.
 */
#include <stdio.h>
#include <stdlib.h>

#include "field.h"
#include "peer.h"
#include "problem.h"

#ifdef HAVE_XSMM
typedef void kernel_fn(const void *a, const void *b, void *c, ...);

void libxsmm_init(void);
const char *libxsmm_get_target_arch(void);
kernel_fn *libxsmm_smmdispatch(int m, int n, int k, const int *lda, const int *ldb, const int *ldc,
                               const float *alpha, const float *beta, const int *flags, const int *prefetch);
kernel_fn *libxsmm_dmmdispatch(int m, int n, int k, const int *lda, const int *ldb, const int *ldc,
                               const double *alpha, const double *beta, const int *flags, const int *prefetch);

static const char *open_xsmm(void)
{
	static char text[64];

	libxsmm_init();
	snprintf(text, sizeof(text), "%s, generates for %s", HAVE_XSMM, libxsmm_get_target_arch());
	return text;
}

struct state {
	kernel_fn *fn;
	const void *a, *b;
	void *c;
};

static void call(void *state)
{
	const struct state *s = state;

	s->fn(s->b, s->a, s->c);
}

static void enter(struct field *f, const struct problem *p)
{
	const struct row *row = p->row;
	const int m = (int)row->m, n = (int)row->n, k = (int)row->k;
	const int is_double = row->a == F64;
	const float one = 1, zero = 0;
	const double d_one = 1, d_zero = 0;
	kernel_fn *fn;
	struct state *s;

	/* It has no blocking: callers must divide larger products. */
	if (row->op != PRODUCT || (row->a != F32 && !is_double) || row->b != row->a || row->m * row->n * row->k > 256 * 256 * 256)
		return;
	fn = is_double ? libxsmm_dmmdispatch(n, m, k, &n, &k, &n, &d_one, &d_zero, NULL, NULL)
	               : libxsmm_smmdispatch(n, m, k, &n, &k, &n, &one, &zero, NULL, NULL);
	if (!fn)
		return;
	s = allocate(sizeof(*s));
	*s = (struct state){fn, p->a, p->b, p->c};
	field_add(f, PEER, "libxsmm", is_double ? "libxsmm_dmmdispatch" : "libxsmm_smmdispatch", call, s);
}
#else
static const char *open_xsmm(void)
{
	return NULL;
}

static void enter(struct field *f, const struct problem *p)
{
	(void)f;
	(void)p;
}
#endif

const struct peer xsmm = {"libxsmm", "libxsmm-dev", 0, open_xsmm, enter};
