/* SPDX-License-Identifier: MIT */
/* torch as eager models call it. Its C++ part is a library of its own, torch.cc. */
#include <dlfcn.h>
#include <stdio.h>

#include "field.h"
#include "library.h"
#include "peer.h"
#include "problem.h"
#include "torch.h"

#define FUNCTIONS(X)                                                                                         \
	X(torch_describe) X(torch_linear) X(torch_vectors) X(torch_call) X(torch_fetch) X(torch_free)

#define X(name) static __typeof(&name) fn_##name;
FUNCTIONS(X)
#undef X

static const char *open_torch(void)
{
	static char text[96];
	void *library = library_beside("libpeers-torch.so");

	if (!library)
		return NULL;
#define X(name) *(void **)&fn_##name = dlsym(library, #name);
	FUNCTIONS(X)
#undef X
	snprintf(text, sizeof(text), "%s", fn_torch_describe());
	return text;
}

static void enter(struct field *f, const struct problem *p)
{
	const struct row *row = p->row;
	struct entry *e;
	void *state = NULL;

	if (row->op == LINEAR)
		state =
			fn_torch_linear(p->a, p->b, p->bias, p->residual, p->c, (long)row->m, (long)row->n, (long)row->k);
	else if (is_vectors(row->op))
		state = fn_torch_vectors(row->kernel, &p->vectors);
	if (!state)
		return;
	e = field_add(f, PEER, "torch", row->op == LINEAR ? "linear, gelu, add" : "ATen", fn_torch_call, state);
	e->fetch = fn_torch_fetch;
	e->release = fn_torch_free;
}

const struct peer torch = {"torch", "libtorch-dev, when isakern is built, and ninja peers", 0, open_torch,
                           enter};
