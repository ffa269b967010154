/* SPDX-License-Identifier: MIT */
/* The activations of cells, chosen when they run. */
#ifndef ISK_ACTS_H
#define ISK_ACTS_H

#include "cells_types.h"
#include "kernel.h"
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

/* A call: inlined, five of them would be the larger part of a cell. Those that do not wait for each other overlap. */
static __attribute__((noinline)) vf act(vf x, enum isk_cell_act kind)
{
	switch (kind) {
	case ISK_CELL_SIGMOID:
		return vf_sigmoid(x);
	case ISK_CELL_RELU:
		return vf_relu(x);
	case ISK_CELL_TANH:
		return vf_tanh(x);
	default:
		return x;
	}
}

/* x + w c where there are weights. */
ISK_INLINE vf peephole(vf x, const float *w, vf c, size_t i, size_t m)
{
	return w ? vf_fma(vf_load_as(w, i, m, ISK_F32), c, x) : x;
}

/* STEP for all d units, whole vectors first. */
#define ACTS_LOOP(STEP)                                                        \
	size_t i = 0;                                                              \
                                                                               \
	for (; d - i >= VL; i += VL)                                               \
		STEP(VL)                                                               \
	if (i < d)                                                                 \
		STEP(d - i)

#endif
