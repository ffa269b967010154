/* SPDX-License-Identifier: MIT */
/* Pictures: PNG files, and parts of pictures at any size and angle. */
#ifndef IMAGE_H
#define IMAGE_H

#include <stddef.h>

struct image {
	size_t width, height;
	unsigned char *rgb; /* rows from the top, three bytes a pixel */
};

struct point {
	double x, y;
};

/* A parallelogram: its centre, and the vectors from there to the middles of its right and lower sides. */
struct box {
	struct point centre, right, down;
	double score; /* the mean probability of text in it */
};

/* Reads a PNG file; transparent parts become white. Exits with a message if the file is no such picture. */
struct image image_read(const char *path);
void image_write(const struct image *im, const char *path);
/* Draws the sides of the box, two pixels wide. */
void image_draw(struct image *im, const struct box *b);

/*
 * Stores the part of the picture in the box, scaled to width by height pixels, as three planes of f32 in the order
 * blue, green, red: (value / 255 - mean) / deviation. Rows of a plane are `ld` elements apart, planes ld * height.
 */
void image_sample(float *planes, size_t width, size_t height, size_t ld, const struct image *im, const struct box *b,
                  const float mean[3], const float deviation[3]);

#endif
