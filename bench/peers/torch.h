/* SPDX-License-Identifier: MIT */
#ifndef PEERS_TORCH_H
#define PEERS_TORCH_H

#include "vectors.h"

#ifdef __cplusplus
extern "C" {
#endif

/* torch's version and the code that it uses. */
const char *torch_describe(void);
/* gelu(a * b + bias) + residual; b is k by n. */
void *torch_linear(void *a, void *b, void *bias, void *residual, void *c, long m, long n, long k);
/* torch's equivalent of a kernel of isakern; NULL if it has none. */
void *torch_vectors(const char *kernel, const struct vectors *v);
/* torch_call() may allocate a new tensor, as torch does; torch_fetch() copies it into the result. */
void torch_call(void *state);
void torch_fetch(void *state);
void torch_free(void *state);

#ifdef __cplusplus
}
#endif

#endif
