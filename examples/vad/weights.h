/* SPDX-License-Identifier: MIT */
/* The weights of a model in an ONNX file, which are constants in the branches of its graph. */
#ifndef WEIGHTS_H
#define WEIGHTS_H

#include <stddef.h>

struct weights;

/*
 * Finds the branch with a constant whose name ends like this, of these dimensions. Exits with a message if
 * there is none.
 */
struct weights *weights_open(const char *path, const char *name, const size_t dims[3]);
void weights_close(struct weights *w);

/* A constant of the branch, which must have count floats. They live as long as w. */
const float *weights_find(const struct weights *w, const char *name, size_t count);

#endif
