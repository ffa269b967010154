/* SPDX-License-Identifier: MIT */
/* The operations behind the sums of a Conv, ConvTranspose or MatMul, as passes have put them into the node. */
#ifndef POST_H
#define POST_H

#include "plan.h"

/* Inputs of these nodes. */
enum { IN_X, IN_WEIGHTS, IN_BIAS, IN_OTHER, IN_COUNT };

/* alpha, bias and activation of the node; other is added by the caller. */
struct isk_post post_of(struct plan *p, const struct node *n);
/* "+bias+hardswish+add" */
const char *post_name(struct graph *g, const struct node *n, const char *kernel);
const char *activation_name(enum isk_activation act);

#endif
