/* SPDX-License-Identifier: MIT */
/*
 * Which rows of x86_64.tbl a CPU and its OS can run, as a function of CPUID and
 * XCR0 alone, so that tests can ask it about any CPU.
 */
#ifndef ISK_DETECT_H
#define ISK_DETECT_H

#include <stdint.h>

#include "isas.h"
#include "prefix.h"

#define X(isa, ...) ISK_ISA_##isa,
enum isk_isa { ISK_ISAS(X) ISK_ISA_COUNT };
#undef X

#define ISK_BIT(isa) (1u << ISK_ISA_##isa)

_Static_assert(ISK_ISA_COUNT <= 32, "a set of ISAs has 32 bits");
#define ISK_EVERY_ISA (~0u >> (32 - ISK_ISA_COUNT))

/* The registers that hold the features isakern asks about. */
enum isk_cpuid_word {
	ISK_1_ECX,
	ISK_7_EBX,
	ISK_7_ECX,
	ISK_7_EDX,
	ISK_7_1_EAX,
	ISK_80000001_ECX,
	ISK_CPUID_WORDS,
};

struct isk_cpuid {
	uint32_t word[ISK_CPUID_WORDS];
	uint32_t signature; /* leaf 1 EAX: family and model */
};

/* What the CPU has, and what of it programs may use. */
struct isk_features {
	struct isk_cpuid cpu, active;
};

/* Fills active from cpu: drops what needs state that XCR0 does not enable. */
void isk_apply_xcr0(struct isk_features *features, uint64_t xcr0);

/* The rows whose features are all in the given words: one bit each, by enum isk_isa. */
uint32_t isk_isa_set(const struct isk_cpuid *words);

/* The first feature that keeps the words from running an ISA, or NULL. */
const char *isk_isa_lacks(const struct isk_cpuid *words, enum isk_isa isa);

/* Family and model as in /proc/cpuinfo. */
void isk_family_model(uint32_t signature, uint32_t *family, uint32_t *model);

/* This machine: glibc's view of it where that can be had, else the CPU's own. */
void isk_detect(struct isk_features *features);

/* This machine by CPUID and XGETBV alone. */
void isk_detect_raw(struct isk_features *features);

#endif
