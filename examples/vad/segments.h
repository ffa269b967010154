/* SPDX-License-Identifier: MIT */
/* From probabilities of chunks to the segments of speech in a sound. */
#ifndef SEGMENTS_H
#define SEGMENTS_H

#include <stddef.h>

struct segment {
	double from, to; /* seconds */
};

/*
 * Speech begins with a chunk of at least `threshold`, and ends when for a tenth of a second no chunk exceeds
 * threshold - .15. Segments shorter than a quarter of a second are dropped, and a little is added at either
 * end. Returns the number of segments; *segments is to be freed.
 */
size_t segments_of(const float *probability, size_t chunks, double threshold, double seconds, struct segment **segments);

#endif
