/* SPDX-License-Identifier: MIT */
/* One block of Philox4x32-10. */
#ifndef ISAKERN_RANDOM_TYPES_H
#define ISAKERN_RANDOM_TYPES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Gives the four words that Philox4x32-10 makes of a counter and a key (Salmon, Moraes, Dror
 * and Shaw, 2011). All random kernels use these words, so that programs can check them.
 */
void isk_philox_block(uint32_t words[4], const uint32_t counter[4], const uint32_t key[2]);

#ifdef __cplusplus
}
#endif

#endif
