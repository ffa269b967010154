/* SPDX-License-Identifier: MIT */
/* The results of a function of one f32 for all its 2^32 inputs. */
#ifndef INPUTS_H
#define INPUTS_H

#include "kernels.h"

enum { INPUT_BLOCKS = 4096, INPUT_RANGES = 64 };

/* Whether it has one f32 array, gives one element for each of it, and takes nothing else. */
int inputs_are_all(const struct isk_kernel *k);

struct inputs {
	uint64_t whole;                /* the checksum of those of the blocks */
	uint64_t blocks[INPUT_BLOCKS]; /* of 2^20 inputs each, by their bits */
	uint64_t ranges[INPUT_RANGES]; /* of those of 64 blocks each */
};

/* The bits of the first input of a block, or of a range. */
static inline uint32_t input_of_block(size_t block)
{
	return (uint32_t)(block << 20);
}

static inline uint32_t input_of_range(size_t range)
{
	return (uint32_t)(range << 26);
}

void inputs_run(const struct isk_kernel *k, isk_function fn, struct inputs *inputs);

#endif
