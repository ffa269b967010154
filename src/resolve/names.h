/* SPDX-License-Identifier: MIT */
/* The names of the ISAs, without a pointer in the data. */
#ifndef ISK_NAMES_H
#define ISK_NAMES_H

static const char isk_isa_names[][16] = {
#define X(isa, lanes, built) #isa,
	ISK_ISAS(X)
#undef X
};

/* The ISAs this library holds, one bit each. */
#define X(isa, lanes, built) | (uint32_t)built << ISK_ISA_##isa
enum { ISK_BUILT = 0 ISK_ISAS(X) };
#undef X

#endif
