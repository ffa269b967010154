/* SPDX-License-Identifier: MIT */
/* The findings, for people and for programs. */
#ifndef SHOW_H
#define SHOW_H

#include "segments.h"

struct found {
	const char *name; /* of the sound */
	double seconds;   /* its length */
	double threshold;
	const float *probability;
	size_t chunks;
	const struct segment *segments;
	size_t count;
};

/* Probabilities over time as bars as wide as the terminal, and a line for each segment. */
void show_text(const struct found *found);
/* A line for each chunk: its beginning, and its probability with all digits. */
void show_probabilities(const struct found *found);
void show_json(const struct found *found);

#endif
