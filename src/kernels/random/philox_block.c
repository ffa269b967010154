/* SPDX-License-Identifier: MIT */
/* The words of one block, with which programs can check the kernels. */
#include "isakern.h"
#include "plain_philox.h"
#include "resolve.h"

ISK_API void isk_philox_block(uint32_t words[4], const uint32_t counter[4], const uint32_t key[2])
{
	isk_plain_philox(words, counter, key);
}
