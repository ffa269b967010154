/* SPDX-License-Identifier: MIT */
/* The weights of a model in a file of ONNX, where they are constants of the branches of its graph. */
#ifndef WEIGHTS_H
#define WEIGHTS_H

#include <stddef.h>

struct weights;

/* The branch that has a constant whose name ends so, of these dimensions; a message and exit where there is none. */
struct weights *weights_open(const char *path, const char *name, const size_t dims[3]);
void weights_close(struct weights *w);

/* That constant of the branch, which has that many floats; they live as long as w does. */
const float *weights_find(const struct weights *w, const char *name, size_t count);

#endif
