/* SPDX-License-Identifier: MIT */
/* The tensors of ONNX in plain C arrays. */
#ifndef TENSOR_H
#define TENSOR_H

#include <stddef.h>

#include "isakern.h"
#include "onnx.pb-c.h"

#define TENSOR_DIMS 8

struct tensor {
	int type; /* ONNX__TENSOR_PROTO__DATA_TYPE__... */
	size_t dims, dim[TENSOR_DIMS];
	size_t count; /* of elements */
	void *data;   /* freed by tensor_free() */
};

/* Elements are 0. */
struct tensor tensor_new(int type, size_t dims, const size_t *dim);
void tensor_free(struct tensor *t);

/* A whole file, to be freed; exits with a message where it cannot be read. */
void *read_file(const char *path, size_t *bytes);

/* The type that kernels have for one of ONNX, and its bytes; 0: none has it. */
enum isk_type tensor_element_type(int type);
size_t tensor_element_bytes(int type);

/* 0 for a type that no kernel has. */
int tensor_unpack(struct tensor *t, const Onnx__TensorProto *proto);

/* An integer tensor's element, of whichever type. */
int tensor_int(const struct tensor *t, size_t i);

/*
 * Whether got is what ONNX says it must be: the same shape and integers, and
 * floats within the tolerance of ONNX's own tests. Else why holds the difference.
 */
int tensor_matches(const struct tensor *got, const struct tensor *want, char *why, size_t space);

#endif
