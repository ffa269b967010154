/* SPDX-License-Identifier: MIT */
/* Philox4x32-10, one block. */
#ifndef ISAKERN_RANDOM_TYPES_H
#define ISAKERN_RANDOM_TYPES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The four words that Philox4x32-10 makes of a counter and a key (Salmon, Moraes, Dror
 * and Shaw, 2011): what all random kernels are made of, for who checks them.
 */
void isk_philox_block(uint32_t words[4], const uint32_t counter[4], const uint32_t key[2]);

#ifdef __cplusplus
}
#endif

#endif
