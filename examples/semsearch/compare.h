/* SPDX-License-Identifier: MIT */
/* The price and the value of each type of weights: speed against closeness to f32. */
#ifndef COMPARE_H
#define COMPARE_H

#include "corpus.h"

/* Embeds the tokenized corpus with each type of the weights in path, and writes a table. */
void compare_weights(const struct corpus *c, const char *path, size_t threads);

#endif
