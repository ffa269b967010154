/* SPDX-License-Identifier: MIT */
/* Products that take their constant weights, and their input, as bf16. */
#ifndef WEIGHTS16_H
#define WEIGHTS16_H

#include "plan.h"

/* Whether the product n takes its weights as bf16: the graph wants it, and the input is no constant. */
int weights16_wanted(const struct graph *g, const struct node *n);
/* The input of n as bf16, dense. All products of an input share one conversion. */
const struct value *weights16_input(struct plan *p, const struct node *n);
/* The weights of n, packed as bf16. */
void *weights16_pack(struct plan *p, const struct node *n);

#endif
