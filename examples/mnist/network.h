/* SPDX-License-Identifier: MIT */
/* A network that learns to read digits: one of two layers, or a convolutional one. */
#ifndef NETWORK_H
#define NETWORK_H

#include <stdint.h>

#include "digits.h"
#include "isakern_omp.h"
#include "parts.h"

enum { MOST_BATCH = 1024 };

struct network {
	struct parts parts;
	float *x, *p; /* images, and the probability of each digit for each of them */
	void *state;  /* of its kind */
	/* From x to p, for count images. While it learns, it normalises by the batch. */
	void (*forward)(struct network *n, size_t count, int learns);
	/* From p minus the right answer to the gradients of the mean loss. */
	void (*backward)(struct network *n, size_t count);
	uint64_t (*checksum)(const struct network *n, uint64_t sum); /* of what its parts do not hold; may be NULL */
	void (*free)(void *state);
};

/* Draw the weights; the same seed gives the same weights. */
void dense_init(struct network *n, uint64_t seed);
void convolutional_init(struct network *n, uint64_t seed);
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

/* A checksum continued with more bytes: FNV-1a of 64 bits. */
uint64_t checksum_of(const void *bytes, size_t size, uint64_t sum);

/* isakern's statuses report errors of the program, not of its user. */
void must(int status);

/* Kernels on many threads, or on this one. The bits are the same. */
extern int many_threads;
#define KERNEL(name) (many_threads ? isk_parallel_##name : isk_##name)

#endif
