/* SPDX-License-Identifier: MIT */
/* From a map of probabilities to boxes around lines of text. */
#ifndef BOXES_H
#define BOXES_H

#include "image.h"

/*
 * Finds the connected parts of the map in which the probability is above .3, and for each the smallest rectangle around
 * it, at any angle. Rectangles whose mean probability is below .6, or that are less than 3 pixels high, are left out.
 * The network is trained to mark the middle of a line, so rectangles grow on each side by 2 * area / perimeter. They
 * are in the order in which people read: rows from the top, each from the left. free() frees the list.
 */
struct box *boxes_find(const float *map, size_t width, size_t height, size_t *count);

#endif
