/* SPDX-License-Identifier: MIT */
/*
 * Weights of 8 bits in a product of f32: a DequantizeLinear of constants is not computed beforehand if it serves
 * products alone, because a kernel reads a quarter of the bytes then.
 */
#ifndef WEIGHTS8_H
#define WEIGHTS8_H

#include "graph.h"

/* Whether the node is such a DequantizeLinear, in this graph of the file. */
int weights8_stay(const Onnx__GraphProto *proto, const struct node *n);

#endif
