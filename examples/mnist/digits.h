/* SPDX-License-Identifier: MIT */
/* Images of digits and what they show, from the files of MNIST. */
#ifndef DIGITS_H
#define DIGITS_H

#include <stddef.h>

enum { PIXELS = 28 * 28, DIGITS = 10 };

struct digits {
	unsigned char *pixels; /* count rows of PIXELS */
	unsigned char *labels;
	size_t count;
};

/* PREFIX-images-idx3-ubyte and PREFIX-labels-idx1-ubyte of a folder; a message and exit where they are not these. */
struct digits digits_read(const char *folder, const char *prefix);
void digits_free(struct digits *d);

#endif
