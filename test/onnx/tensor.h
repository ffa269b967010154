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
	size_t count; /* the number of elements */
	void *data;   /* freed by tensor_free() */
};

/* A tensor of zeros. */
struct tensor tensor_new(int type, size_t dims, const size_t *dim);
void tensor_free(struct tensor *t);

/* Reads a whole file into allocated memory; exits with a message if it cannot be read. */
void *read_file(const char *path, size_t *bytes);

/* isakern's type for one of ONNX, and its bytes; 0: no kernel has it. */
enum isk_type tensor_element_type(int type);
size_t tensor_element_bytes(int type);

/* Returns 0 if no kernel has the type. */
int tensor_unpack(struct tensor *t, const Onnx__TensorProto *proto);

/* An element of an integer tensor of any type. */
int tensor_int(const struct tensor *t, size_t i);

/*
 * Whether got equals want: the same shape and integers, and floats within the tolerance of ONNX's own tests.
 * If not, why gets the difference.
 */
int tensor_matches(const struct tensor *got, const struct tensor *want, char *why, size_t space);

#endif
