/* SPDX-License-Identifier: MIT */
/* torch as it is called by eager models: linear, gelu and an addition. Its C++ is in a library of its own, torch.cc. */
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "library.h"
#include "peers.h"
#include "torch.h"

static __typeof(torch_linear_make) *make;
static __typeof(torch_linear_call) *call;
static __typeof(torch_linear_fetch) *fetch;
static __typeof(torch_linear_free) *release;

/* The library lies beside this program. */
static const char *open_torch(void)
{
	static char text[96];
	char path[PATH_MAX];
	const ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 32);
	__typeof(torch_describe) *describe;
	void *library;

	if (length < 0)
		return NULL;
	path[length] = '\0';
	strcpy(strrchr(path, '/') + 1, "libpeers-torch.so");
	library = library_open(path);
	if (!library)
		return NULL;
	*(void **)&describe = dlsym(library, "torch_describe");
	*(void **)&make = dlsym(library, "torch_linear_make");
	*(void **)&call = dlsym(library, "torch_linear_call");
	*(void **)&fetch = dlsym(library, "torch_linear_fetch");
	*(void **)&release = dlsym(library, "torch_linear_free");
	if (!describe || !make || !call || !fetch || !release)
		return NULL;
	snprintf(text, sizeof(text), "%s", describe());
	return text;
}


static void enter(struct field *f, const struct problem *p)
{
	const struct row *row = p->row;
	struct entry *e;

	if (row->op != LINEAR)
		return;
	e = field_add(f, PEER, "torch", "linear, gelu, add", call, NULL);
	e->fetch = fetch;
	e->release = release;
	e->state = make(p->a, p->b, p->bias, p->residual, e->c, (long)row->m, (long)row->n, (long)row->k);
}

const struct peer torch = {"torch", "libtorch-dev, and ninja bench/peers/libpeers-torch.so", 0, open_torch, enter};
