/* SPDX-License-Identifier: MIT */
/*
 * A safetensors file: 8 bytes of length, a JSON header that names each tensor
 * with its type, shape and place, and the numbers, little-endian.
 */
#ifndef SAFETENSORS_H
#define SAFETENSORS_H

#include <stddef.h>

#include "isakern.h"

struct safetensors;

/*
 * Maps the file. Exits with a message when it is missing, is not safetensors,
 * or when its length is not the one that its header tells.
 */
struct safetensors *safetensors_open(const char *path);
void safetensors_close(struct safetensors *s);

/*
 * A copy, to be freed, of a tensor of f16, row-major, rows by cols; a vector has
 * rows 0. (A copy, as the header may leave the numbers unaligned.) Exits with a
 * message when it is not there, or of another type or shape, or when it holds a
 * number that is no weight: an infinity or NaN, or nothing but zeros.
 */
isk_f16 *safetensors_f16(const struct safetensors *s, const char *name, size_t rows, size_t cols);

#endif
