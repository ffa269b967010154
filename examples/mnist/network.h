/* SPDX-License-Identifier: MIT */
/* A network of two layers that learns to read digits. */
#ifndef NETWORK_H
#define NETWORK_H

#include <stdint.h>

#include "digits.h"

enum { MOST_BATCH = 1024 };

struct network;

/* Draws the weights; the same seed gives the same weights. */
struct network *network_new(uint64_t seed);
void network_free(struct network *n);

/*
 * Learns from the digits with these numbers, at most MOST_BATCH, by one step of Adam down the gradient of the
 * mean loss. Returns that loss before the step: the mean of -log of the probability of the right digit.
 */
double network_learn(struct network *n, const struct digits *d, const uint32_t *numbers, size_t count, float rate);

/* The number of digits that it recognises. */
size_t network_right(struct network *n, const struct digits *d);

/* A checksum of the bits of all weights. */
uint64_t network_checksum(const struct network *n);

/* The next of 2^64 random numbers from a seed, which changes: splitmix64. */
uint64_t draw(uint64_t *seed);

#endif
