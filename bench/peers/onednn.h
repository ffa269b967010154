/* SPDX-License-Identifier: MIT */
/* The common part of the files about oneDNN: its functions, found at run time, and primitives with their arguments. */
#ifndef PEERS_ONEDNN_H
#define PEERS_ONEDNN_H

#include <dnnl.h>
#include <stddef.h>

struct field;
struct problem;

#define ONEDNN_FUNCTIONS(X)                                                    \
	X(dnnl_version) X(dnnl_engine_create) X(dnnl_stream_create) X(dnnl_sgemm) X(dnnl_gemm_u8s8s32) \
	X(dnnl_gemm_s8s8s32) X(dnnl_memory_desc_init_by_tag) X(dnnl_memory_desc_init_by_strides) X(dnnl_memory_create) \
	X(dnnl_memory_destroy) X(dnnl_memory_get_data_handle) X(dnnl_inner_product_forward_desc_init) X(dnnl_matmul_desc_init) \
	X(dnnl_convolution_forward_desc_init) X(dnnl_eltwise_forward_desc_init) X(dnnl_binary_desc_init) \
	X(dnnl_reduction_desc_init) X(dnnl_softmax_forward_desc_init) X(dnnl_layer_normalization_forward_desc_init) \
	X(dnnl_primitive_desc_create) X(dnnl_primitive_desc_destroy) X(dnnl_primitive_desc_query_md) \
	X(dnnl_primitive_desc_query) X(dnnl_primitive_create) X(dnnl_primitive_destroy) X(dnnl_primitive_execute) \
	X(dnnl_reorder_primitive_desc_create) X(dnnl_primitive_attr_create) X(dnnl_primitive_attr_destroy) \
	X(dnnl_primitive_attr_set_post_ops) X(dnnl_primitive_attr_set_output_scales) \
	X(dnnl_primitive_attr_set_zero_points) X(dnnl_post_ops_create) X(dnnl_post_ops_destroy) \
	X(dnnl_post_ops_append_eltwise) X(dnnl_post_ops_append_binary) \
	X(dnnl_get_effective_cpu_isa)

#define X(name) extern __typeof(&name) fn_##name;
ONEDNN_FUNCTIONS(X)
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
