/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "ops.h"

static const struct op *const tables[] = {
	elementwise_ops, binary_ops,   integer_ops,   view_ops,
	join_ops,        conv_ops,     product_ops,   pool_ops,
	reduce_ops,      softmax_ops,  resize_ops,    control_ops,
	norm_ops,        lstm_ops,     quantized_ops, fused_elementwise_ops,
	fused_ops,       select_ops,   scaled_ops,    attention_ops,
	half_ops,        weights8_ops,
};
enum { TABLES = sizeof(tables) / sizeof(*tables), TABLES_OF_FILES = TABLES - 7 };

const struct op *op_find(const char *name)
{
	for (size_t i = 0; i < TABLES; i++)
		for (const struct op *o = tables[i]; o->name; o++)
			if (strcmp(o->name, name) == 0)
				return o;
	return NULL;
}

void ops_print(void)
{
	for (size_t i = 0; i < TABLES_OF_FILES; i++)
		for (const struct op *o = tables[i]; o->name; o++)
			puts(o->name);
}
