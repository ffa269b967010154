/* SPDX-License-Identifier: MIT */
/* The names of the ISAs, without a pointer in the data, and a comparison of names without libc. */
#ifndef ISK_NAMES_H
#define ISK_NAMES_H

static const char isk_isa_names[][16] = {
#define X(isa, ...) #isa,
	ISK_ISAS(X)
#undef X
};

/* Compares as strcmp() does. */
static inline int isk_compare(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return (unsigned char)*a - (unsigned char)*b;
}

/* The ISAs this library holds, one bit each. */
#define ISK_BUILT_BIT(isa, lanes, registers, fma, built) | (uint32_t)(built) << ISK_ISA_##isa
#define ISK_BUILT (0 ISK_ISAS(ISK_BUILT_BIT))

#endif
