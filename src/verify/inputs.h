/* SPDX-License-Identifier: MIT */
/* The results of a function of one f32 for all its 2^32 inputs. */
#ifndef INPUTS_H
#define INPUTS_H

#include "kernels.h"

/* Inputs in the order of their bits, in blocks of 2^20 and ranges of 64 blocks. */
enum { INPUT_BLOCKS = 4096, INPUT_RANGES = 64, RANGE_BLOCKS = INPUT_BLOCKS / INPUT_RANGES };

/* Whether the kernel takes one f32 array and nothing else, and gives one element for each input. */
int inputs_are_all(const struct isk_kernel *k);

/* The bits of the first input of a block, or of a range. */
static inline uint32_t input_of_block(size_t block)
{
	return (uint32_t)(block << 20);
}

static inline uint32_t input_of_range(size_t range)
{
	return (uint32_t)(range << 26);
}

/*
 * The checksum of a range: half the bits of the checksum of its blocks' checksums, which go to `blocks`. Only
 * half is recorded, because it merely has to locate a difference that the kernel's whole checksum shows.
 */
uint32_t inputs_range(const struct isk_kernel *k, isk_function fn, size_t range, uint64_t blocks[RANGE_BLOCKS]);

#endif
