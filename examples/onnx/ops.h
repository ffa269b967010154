/* SPDX-License-Identifier: MIT */
/* The operators: a table in each file of them, ended by one without a name. */
#ifndef OPS_H
#define OPS_H

#include "plan.h"

extern const struct op elementwise_ops[], binary_ops[], integer_ops[], view_ops[], join_ops[], conv_ops[],
	product_ops[], pool_ops[], reduce_ops[], softmax_ops[], resize_ops[], control_ops[], norm_ops[], lstm_ops[],
	quantized_ops[];
/* Operators that passes make, and no file has. */
extern const struct op fused_elementwise_ops[], fused_ops[], select_ops[], scaled_ops[], attention_ops[], half_ops[],
	weights8_ops[];

/* The bounds of a Clip. */
void clip_bounds(const struct node *n, double *low, double *high);

/* For --operators: the names of all that a file may have. */
void ops_print(void);

#endif
