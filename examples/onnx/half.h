/* SPDX-License-Identifier: MIT */
/*
 * FLOAT16 is a type of inputs, outputs and constants alone: graphs that have it are computed in f32, as ONNX Runtime
 * computes them on a CPU.
 */
#ifndef HALF_H
#define HALF_H

#include "graph.h"

/* The type of a value inside a graph that the file gives this type. */
int half_inside(int type);
/* The constant as f32, if its type is FLOAT16. */
struct value *half_constant(struct graph *g, struct value *v);
/* An input as f32, and an output as `type`: v itself or, if v has another type, the output of a new node that converts it. */
struct value *half_input(struct graph *g, struct value *v);
struct value *half_output(struct graph *g, struct value *v, int type);

#endif
