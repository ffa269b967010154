/* SPDX-License-Identifier: MIT */
/* The results in the outputs of a call, element by element, and their checksums. */
#ifndef OUTPUTS_H
#define OUTPUTS_H

#include "elements.h"
#include "job.h"

/* Calls each() for each element of an array's rows, in order, with its number; for a packed array, for each byte. */
typedef void each_element(void *to, enum isk_type type, size_t number, uint64_t bits);
void elements_each(struct job *job, const struct isk_argument *a, each_element *each, void *to);

/* All NaNs of a type count as the positive quiet one without a payload. Bits above this, sign aside, are NaNs. */
static inline uint64_t greatest_but_nan(enum isk_type type)
{
	return isk_infinity_bits(type) - !isk_format_of(type).has_infinity;
}

static inline uint64_t canonical_nan(enum isk_type type)
{
	return isk_infinity_bits(type) | (uint64_t)1 << (isk_format_of(type).fraction - 1);
}

uint64_t canonical(enum isk_type type, uint64_t bits);

/* The checksum of the outputs in the order of the arguments, then of the returned value. */
uint64_t results_checksum(struct job *job);

/* The checksum of all cases of a kernel by one variant. each(), if not NULL, gets each case and its checksum. */
typedef void each_case(void *to, struct job *job, size_t number, uint64_t checksum);
uint64_t fingerprint_of(const struct isk_kernel *k, isk_function fn, each_case *each, void *to);

#endif
