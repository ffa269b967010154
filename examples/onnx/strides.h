/* SPDX-License-Identifier: MIT */
/* The places of elements in memory, and loops over several values at once. */
#ifndef STRIDES_H
#define STRIDES_H

#include "graph.h"

enum { LOOP_VALUES = 5 };

/* Loops over the dims of a value, with the strides (in elements) of others, 0 where they are broadcast. Fewest loops
 * first. */
struct loops {
	size_t rank, dim[RANK], stride[LOOP_VALUES][RANK];
	size_t values;
};

/* Sets strides that are dense in the order of the axes, the last in memory last. */
void strides_by_order(struct value *v, const size_t *order);
/* Dense strides, with the axes in the same order of memory as in `like`, which has the same rank. */
void strides_like(struct value *v, const struct value *like);
/* Dense strides with axis 1 last, if there are three axes or more. */
void strides_channels_last(struct value *v);
int strides_are_dense(const struct value *v);         /* in the order of the axes */
int strides_are_channels_last(const struct value *v); /* dense, axis 1 last */
/* Whether v fills its part of memory without gaps, in some order of the axes. */
int strides_fill(const struct value *v);
/* Strides that v has if it is seen with these dims; returns 0 if there are none. */
int strides_reshaped(const struct value *v, size_t rank, const size_t *dim, size_t *stride);
/* Merges axes first to last - 1 into one: its size and stride; returns 0 if they cannot be merged. */
int strides_merge(const struct value *v, size_t first, size_t last, size_t *dim, size_t *stride);

/* Elements from one pixel to the next, if channels (axis 1) lie side by side and pixels evenly; 0 if not. */
size_t strides_of_pixels(const struct value *v);

/*
 * Loops over v[0], outermost first, with as few loops as can be. The others are broadcast to its dims, from the last
 * axis on.
 */
void loops_of(struct loops *l, const struct value *const *v, size_t values);
/* Calls f for each place of the outer loops, all but the `inner` last; at[] are offsets in elements. */
void loops_each(const struct loops *l, size_t inner, void (*f)(void *context, const size_t *at), void *context);

#endif
