/* SPDX-License-Identifier: MIT */
/* What a call has left in its outputs, element by element, and the checksums of that. */
#ifndef OUTPUTS_H
#define OUTPUTS_H

#include "elements.h"
#include "job.h"

/* Each element of an array that belongs to one of its rows, in order, by its number; of what is packed each byte. */
typedef void each_element(void *to, enum isk_type type, size_t number, uint64_t bits);
void elements_each(struct job *job, const struct isk_argument *a, each_element *each, void *to);

/* All NaNs of a type are taken for the positive quiet one without a payload: above this, but for the sign, are NaNs. */
static inline uint64_t greatest_but_nan(enum isk_type type)
{
	return isk_infinity_bits(type) - (type == ISK_E4M3);
}

static inline uint64_t canonical_nan(enum isk_type type)
{
	return isk_infinity_bits(type) | (uint64_t)1 << (isk_format_of(type).fraction - 1);
}

uint64_t canonical(enum isk_type type, uint64_t bits);

/* Of the outputs in the order of the arguments, then of what is returned. */
uint64_t results_checksum(struct job *job);

/* The checksum of all cases of a kernel, by one variant of it. each, or NULL, is told each case and its checksum. */
typedef void each_case(void *to, struct job *job, size_t number, uint64_t checksum);
uint64_t fingerprint_of(const struct isk_kernel *k, isk_function fn, each_case *each, void *to);

#endif
