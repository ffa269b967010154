/* SPDX-License-Identifier: MIT */
/* The common part of the files about oneDNN: its functions, found at run time, and primitives with their arguments. */
#ifndef PEERS_ONEDNN_H
#define PEERS_ONEDNN_H

#include <dnnl.h>
#include <stddef.h>

struct field;
struct problem;

#define X(name) extern __typeof(&name) fn_##name;
#include "onednn.def"
#undef X

extern dnnl_engine_t onednn_engine;
extern const dnnl_data_type_t onednn_types[];

enum { MOST_ARGUMENTS = 6 };

struct primitive {
	dnnl_primitive_t primitive;
	dnnl_exec_arg_t arguments[MOST_ARGUMENTS];
	int count;
};

void call_primitive(void *state);
void release_primitive(void *state);
/* With DNNL_MEMORY_ALLOCATE as memory, oneDNN allocates it. */
dnnl_memory_t argument(struct primitive *s, int kind, const dnnl_memory_desc_t *desc, void *memory);
dnnl_memory_desc_t matrix(dnnl_data_type_t type, size_t rows, size_t cols, size_t row_stride,
                          size_t col_stride);
/* A reorder, ready to be called; NULL if there is none. */
struct primitive *make_reorder(const dnnl_memory_desc_t *from_desc, void *from,
                               const dnnl_memory_desc_t *to_desc, void *to, dnnl_primitive_attr_t attr);

void enter_vectors(struct field *f, const struct problem *p);

#endif
