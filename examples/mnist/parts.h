/* SPDX-License-Identifier: MIT */
/* The weights of a network in parts, and the step of Adam that changes them. */
#ifndef PARTS_H
#define PARTS_H

#include <stddef.h>
#include <stdint.h>

enum { MOST_PARTS = 12 };

/* Weights, their gradients, and Adam's averages of these. */
struct part {
	size_t size;
	float *weights, *gradient, *mean, *square;
};

struct parts {
	struct part part[MOST_PARTS];
	int count;
	double beta1_power, beta2_power; /* powers of beta1 and beta2 by the number of steps */
};

/* Memory for count numbers, all 0. */
float *zeros(size_t count);

/* Adds a part of weights that are all `first`. */
struct part *parts_add(struct parts *p, size_t size, float first);
/* The same, drawn from a uniform distribution whose width keeps sums of `in` inputs from growing or fading from layer to layer. */
struct part *parts_draw(struct parts *p, size_t in, size_t out, uint64_t *seed);
void parts_step(struct parts *p, float rate);
void parts_free(struct parts *p);

/* The next of 2^64 random numbers from a seed, which changes: splitmix64. */
uint64_t draw(uint64_t *seed);

#endif
