/* SPDX-License-Identifier: MIT */
#ifndef PEERS_TORCH_H
#define PEERS_TORCH_H

#ifdef __cplusplus
extern "C" {
#endif

/* Its version and what it computes with. */
const char *torch_describe(void);
/* gelu(a * b + bias) + residual; b is k by n. A call makes a new tensor, as torch does; fetch brings it into c. */
void *torch_linear_make(void *a, void *b, void *bias, void *residual, void *c, long m, long n, long k);
void torch_linear_call(void *state);
void torch_linear_fetch(void *state);
void torch_linear_free(void *state);

#ifdef __cplusplus
}
#endif

#endif
