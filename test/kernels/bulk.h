/* SPDX-License-Identifier: MIT */
/*
 * Many results of a function of arrays of f32, or of a map of bf16 or f16, element by
 * element: which of them are proven to be what its row promises, so that the oracle, which
 * takes several times as long, is asked about the others alone.
 *
 * An answer in bulk (isk_bulks) is taken for the exact one within BULK_MARGIN of it:
 * oracles in double are within 2^-45, be their functions those of libm or of libmvec.
 * So it tells to what number the exact result rounds, where both ends of the margin
 * round to the same, and an error in ulp to 2^-16. Left to the oracle are
 *
 *     what is nearer to a tie
 *     errors as large as the worst so far: the worst one and its input are the oracle's
 *     inputs that are NaN
 *     answers that are 0, infinite or NaN, but amid others that are the same
 *     one of 256, and with each of these whether the answer is as near as it should be
 */
#ifndef BULK_H
#define BULK_H

#include "kernels.h"

#define BULK_MOST   ((size_t)1 << 12)
#define BULK_MARGIN 0x1p-40
#define BULK_INPUTS 4

struct bulk {
	const struct isk_kernel *kernel;
	enum isk_type type; /* of the results */
	size_t count;
	double exact[BULK_MOST], low[BULK_MOST], rounded[BULK_MOST], got[BULK_MOST];
	uint64_t open[BULK_MOST];
	float wide[BULK_INPUTS][BULK_MOST]; /* inputs of 16 bits */
};

/* Whether there are answers in bulk for this kernel. */
int bulk_is_there(const struct isk_kernel *k);

/* Asks for those of a call with these arguments, on at most BULK_MOST elements. */
void bulk_ask(struct bulk *b, const struct isk_kernel *k, const union isk_args *args);

/*
 * Of the results of a variant whose worst error so far is this one: which ones are left to the oracle, and how many;
 * to *misrounded it adds how many of the others are not the exact result rounded once.
 */
size_t bulk_left(struct bulk *b, const struct variant *v, const void *got, double worst, uint32_t *left,
                 uint64_t *misrounded);

/* Whether the answer to input i is, within a part of the margin, what the oracle says. */
int bulk_agrees(const struct bulk *b, size_t i, const struct exact *exact);

#endif
