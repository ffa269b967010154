/* SPDX-License-Identifier: MIT */
/* The activations of cells, chosen at run time. */
#ifndef ISK_ACTS_H
#define ISK_ACTS_H

#include "cells_types.h"
#include "loops.h"
#include "sigmoid_lanes.h"

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

/* Not inlined, because five activations would be most of a cell's code. Calls that do not depend on each other overlap. */
#define ACT_OF(V)                                                              \
	static __attribute__((noinline)) V act_##V(V x, enum isk_cell_act kind)    \
	{                                                                          \
		switch (kind) {                                                        \
		case ISK_CELL_SIGMOID:                                                 \
			return V##_sigmoid(x);                                             \
		case ISK_CELL_RELU:                                                    \
			return V##_relu(x);                                                \
		case ISK_CELL_TANH:                                                    \
			return V##_tanh(x);                                                \
		default:                                                               \
			return x;                                                          \
		}                                                                      \
	}
ACT_OF(vf)
ACT_OF(vd)

#define ACT(T, x, kind) ISK_PASTE2(act_, ISK_VECTOR(T))(x, kind)

#endif
