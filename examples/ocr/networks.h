/* SPDX-License-Identifier: MIT */
/* The three networks of PP-OCRv4: one finds lines of text, one tells whether a line is upside down, one reads it. */
#ifndef NETWORKS_H
#define NETWORKS_H

#include <stdint.h>

#include "image.h"

struct networks;

/* Opens the networks and the list of characters in a folder; exits with a message if a file is missing. */
struct networks *networks_open(const char *folder);
void networks_close(struct networks *n);

/* The boxes of text in the picture, in the order of reading; free() frees the list. */
struct box *networks_find(struct networks *n, const struct image *im, size_t *count);
/* Turns the box if its text is upside down; returns whether it did. */
int networks_turn(struct networks *n, const struct image *im, struct box *b);
/* The text in the box, of UTF-8, and the mean probability of its characters; free() frees it. */
char *networks_read(struct networks *n, const struct image *im, const struct box *b, double *probability);

/* A checksum of all that the networks have computed. */
uint64_t networks_checksum(const struct networks *n);

#endif
