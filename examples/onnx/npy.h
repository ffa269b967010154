/* SPDX-License-Identifier: MIT */
/* Arrays in files of NumPy, version 1, in the order of C. */
#ifndef NPY_H
#define NPY_H

#include "session.h"

/* Reads the file into a new input of the session; exits with a message if it cannot be read. */
struct value *npy_read(struct session *s, const char *name, const char *path);
/* Writes a dense value. */
void npy_write(const struct value *v, const char *path);

#endif
