/* SPDX-License-Identifier: MIT */
/* The rectangle of the least area around points. */
#ifndef HULL_H
#define HULL_H

#include "image.h"

/* The order of the points changes. `right` of the box points to the right rather than up or down; its score is 0. */
struct box hull_rectangle(struct point *points, size_t count);

#endif
