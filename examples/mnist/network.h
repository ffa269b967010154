/* SPDX-License-Identifier: MIT */
/* A network of two layers that learns what digits look like. */
#ifndef NETWORK_H
#define NETWORK_H

#include <stdint.h>

#include "digits.h"

enum { MOST_BATCH = 1024 };

struct network;

/* Weights are drawn; the same seed draws the same. */
struct network *network_new(uint64_t seed);
void network_free(struct network *n);

/*
 * Learns from the digits that have these numbers, up to MOST_BATCH of them: one step of Adam down the gradient of the mean
 * loss, which it returns as it was before: -log of the probability of the right digit.
 */
double network_learn(struct network *n, const struct digits *d, const uint32_t *numbers, size_t count, float rate);

/* How many of all digits it tells right. */
size_t network_right(struct network *n, const struct digits *d);

/* Of the bits of all weights. */
uint64_t network_checksum(const struct network *n);

/* The next number from a seed that changes, any of 2^64: splitmix64. */
uint64_t draw(uint64_t *seed);

#endif
