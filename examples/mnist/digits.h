/* SPDX-License-Identifier: MIT */
/* Images of digits and their labels, from the files of MNIST. */
#ifndef DIGITS_H
#define DIGITS_H

#include <stddef.h>

enum { PIXELS = 28 * 28, DIGITS = 10 };

struct digits {
	unsigned char *pixels; /* count rows of PIXELS */
	unsigned char *labels;
	size_t count;
};

/*
 * Reads PREFIX-images-idx3-ubyte and PREFIX-labels-idx1-ubyte from a folder. Exits with a message if they are
 * not such files.
 */
struct digits digits_read(const char *folder, const char *prefix);
void digits_free(struct digits *d);

#endif
