/* SPDX-License-Identifier: MIT */
/* From probabilities of chunks to the parts of a sound in which somebody speaks. */
#ifndef SEGMENTS_H
#define SEGMENTS_H

#include <stddef.h>

struct segment {
	double from, to; /* seconds */
};

/*
 * Speech begins with a chunk of at least threshold and ends where for a tenth of a second none is within .15 of that;
 * what is shorter than a quarter of a second is none, and there is a little more at either end. Returns how many there
 * are; *segments is to be freed.
 */
size_t segments_of(const float *probability, size_t chunks, double threshold, double seconds, struct segment **segments);

#endif
