/* SPDX-License-Identifier: MIT */
/*
 * Proves many results at once, for functions of arrays of f32 and maps of bf16 or f16. The oracle takes
 * several times as long, so it is asked about the remaining results alone.
 *
 * An answer in bulk (isk_bulks) is trusted to lie within BULK_MARGIN of the exact result, because oracles in
 * double are within 2^-45, with the functions of libm and of libmvec alike. If both ends of the margin round
 * to the same number, that is the exact result rounded; an error in ulp is known to 2^-16. The oracle decides
 * about
 *
 *     answers nearer to a tie
 *     errors as large as the worst so far, so that the worst one and its input are the oracle's
 *     inputs that are NaN
 *     answers that are 0, infinite or NaN, unless their neighbours are the same
 *     one of 256, for which it is also checked that the answer is as near as it should be
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

/* Whether this kernel has answers in bulk. */
int bulk_is_there(const struct isk_kernel *k);

/* Computes the answers for a call with these arguments, on at most BULK_MOST elements. */
void bulk_ask(struct bulk *b, const struct isk_kernel *k, const union isk_args *args);

/*
 * Lists in left[] the results of a variant that the oracle must decide about, given the variant's worst error
 * so far, and returns their number. Adds to *misrounded how many of the others are not the exact result
 * rounded once.
 */
size_t bulk_left(struct bulk *b, const struct variant *v, const void *got, double worst, uint32_t *left,
                 uint64_t *misrounded);

/* Whether the answer to input i agrees with the oracle within a sixteenth of the margin. */
int bulk_agrees(const struct bulk *b, size_t i, const struct exact *exact);

#endif
