/* SPDX-License-Identifier: MIT */
/* XNNPACK: f32 fully-connected with packed weights. Nothing caps it to AVX2, so that it sits out there. */
#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "library.h"
#include "peers.h"

enum { TRANSPOSE_WEIGHTS = 1 };

static int (*create)(size_t inputs, size_t outputs, size_t input_stride, size_t output_stride, const float *kernel,
                     const float *bias, float least, float most, uint32_t flags, void **op);
static int (*setup)(void *op, size_t batch, const float *input, float *output, void *threads);
static int (*run)(void *op, void *threads);
static int (*delete)(void *op);

static const char *open_xnnpack(void)
{
	void *library = library_open("libXNNPACK.so.0");
	int (*initialize)(const void *allocator);

	if (!library || capped())
		return NULL;
	*(void **)&initialize = dlsym(library, "xnn_initialize");
	*(void **)&create = dlsym(library, "xnn_create_fully_connected_nc_f32");
	*(void **)&setup = dlsym(library, "xnn_setup_fully_connected_nc_f32");
	*(void **)&run = dlsym(library, "xnn_run_operator");
	*(void **)&delete = dlsym(library, "xnn_delete_operator");
	if (!initialize || !create || !setup || !run || !delete || initialize(NULL))
		return NULL;
	return "the soname 0 of Debian";
}

static void call(void *op)
{
	run(op, NULL);
}

static void release(void *op)
{
	delete(op);
}

static void enter(struct field *f, const struct problem *p)
{
	const struct row *row = p->row;
	struct entry *e;
	void *op;

	if (row->op != PRODUCT || row->a != F32 || row->b != F32
	    || create(row->k, row->n, row->k, row->n, p->b, NULL, -INFINITY, INFINITY, TRANSPOSE_WEIGHTS, &op))
		return;
	e = field_add(f, PEER, "XNNPACK", "fully_connected_nc_f32, packed", call, op);
	e->release = release;
	setup(op, row->m, p->a, e->c, NULL);
}

const struct peer xnnpack = {"XNNPACK", "libxnnpack0", open_xnnpack, enter};
