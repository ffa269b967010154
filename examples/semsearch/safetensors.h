/* SPDX-License-Identifier: MIT */
/*
 * A safetensors file: 8 bytes with a length, a JSON header with each tensor's name, type, shape and place,
 * and the numbers, little-endian.
 */
#ifndef SAFETENSORS_H
#define SAFETENSORS_H

#include <stddef.h>

#include "isakern.h"

struct safetensors;

/*
 * Maps the file. Exits with a message if it is missing, is not safetensors, or has another length than its
 * header says.
 */
struct safetensors *safetensors_open(const char *path);
void safetensors_close(struct safetensors *s);

/*
 * A copy, to be freed, of a tensor of f16, row-major, rows by cols; a vector has rows 0. (It is a copy
 * because the header may leave the numbers unaligned.) Exits with a message if the tensor is missing, has
 * another type or shape, or contains numbers that are no weights: an infinity, a NaN, or only zeros.
 */
isk_f16 *safetensors_f16(const struct safetensors *s, const char *name, size_t rows, size_t cols);

#endif
