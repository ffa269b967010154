/* SPDX-License-Identifier: MIT */
/* The activations of cells, chosen at run time. */
#ifndef ISK_ACTS_H
#define ISK_ACTS_H

#include "cells_types.h"
#include "of_type.h"
#include "sigmoid_lanes.h"
#include "vmath.h"

struct acts {
	enum isk_cell_act gate, candidate, cell;
};

ISK_INLINE struct acts acts_of(unsigned acts)
{
	return (struct acts){(enum isk_cell_act)(acts & 3), (enum isk_cell_act)(acts >> 2 & 3),
	                     (enum isk_cell_act)(acts >> 4 & 3)};
}

ISK_INLINE int acts_are_wrong(unsigned acts)
{
	return acts >> 6 != 0;
}

ISK_INLINE vec sigmoid(vec x)
{
	return ISK_WORD(sigmoid)(x);
}

ISK_INLINE vec hyperbolic_tangent(vec x)
{
	return ISK_WORD(tanh)(x);
}

/* Not inlined, because five activations would be most of a cell's code. Calls that do not depend on each other overlap. */
static __attribute__((noinline)) vec act(vec x, enum isk_cell_act kind)
{
	switch (kind) {
	case ISK_CELL_SIGMOID:
		return sigmoid(x);
	case ISK_CELL_RELU:
		return ISK_WORD(relu)(x);
	case ISK_CELL_TANH:
		return hyperbolic_tangent(x);
	default:
		return x;
	}
}

#endif
