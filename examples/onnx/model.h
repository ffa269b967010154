/* SPDX-License-Identifier: MIT */
/* From a file of ONNX to a graph whose shapes are all known, because those of the inputs are. */
#ifndef MODEL_H
#define MODEL_H

#include "graph.h"

/* Reads the file; exits with a message if it is no model. */
Onnx__ModelProto *model_read(const char *path);

/* The type of an input or output; NULL if it is no tensor, or not stated. */
const Onnx__TypeProto__Tensor *tensor_type(const Onnx__ValueInfoProto *info);

/*
 * The constant of a tensor in the file; node n, which may be NULL, is named if the tensor is refused.
 */
struct value *model_constant(struct graph *g, const struct node *n, Onnx__TensorProto *t, const char *name);

/*
 * Makes the graph from the model: shapes are inferred, nodes whose inputs are all constant are computed now, and of an
 * If with a constant condition only the branch taken remains. inputs have storage if their elements are parameters of
 * the graph (integer scalars).
 */
void model_elaborate(struct graph *g, const Onnx__ModelProto *model, struct value **inputs, size_t count);

#endif
