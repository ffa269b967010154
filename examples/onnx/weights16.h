/* SPDX-License-Identifier: MIT */
/* Products and convolutions that take their constant weights, and their input, as bf16. */
#ifndef WEIGHTS16_H
#define WEIGHTS16_H

#include "plan.h"

/* Whether n takes its weights as bf16: the graph wants it, and the input is no constant. */
int weights16_wanted(const struct graph *g, const struct node *n);
/*
 * x as bf16, converted from `filled`, which is x itself or a copy of it and fills its part of memory. All users of x share one
 * conversion: filled is not needed if x->bf16 is there.
 */
struct value *weights16_input(struct plan *p, const struct node *n, struct value *x, const struct value *filled);
/* The weights of n as bf16; free() frees them. */
isk_bf16 *weights16_narrow(struct plan *p, const struct value *w);

#endif
