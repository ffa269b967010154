/* SPDX-License-Identifier: MIT */
/*
 * Which ISAs a CPU and its OS can run, as a function of what they say of themselves
 * alone, so that tests can ask it about any CPU. ISAs are the rows of the table of
 * the architecture, as x86_64.tbl.
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

/* Every CPU of the architecture runs the first row. */
#define ISK_LOWEST_ISA 1u

#ifdef __aarch64__
#include "aarch64.h"
#else
#include "x86_64.h"
#endif

struct isk_words {
	uint32_t word[ISK_FEATURE_WORDS];
	uint32_t signature; /* x86-64: leaf 1 EAX; AArch64: MIDR_EL1, or 0 */
};

/* What the CPU has, and what of it programs may use. */
struct isk_features {
	struct isk_words cpu, active;
};

/* The rows whose features are all in the given words: one bit each, by enum isk_isa. */
uint32_t isk_isa_set(const struct isk_words *words);

/* The first feature that keeps the words from running an ISA, or NULL. */
const char *isk_isa_lacks(const struct isk_words *words, enum isk_isa isa);

/* As in /proc/cpuinfo: family and model; AArch64 has an implementer and a part instead. */
void isk_family_model(uint32_t signature, uint32_t *family, uint32_t *model);

/* This machine: what glibc or Linux knows of it where that can be had, else the CPU itself. */
void isk_detect(struct isk_features *features);

#ifndef __aarch64__
/* This machine by CPUID and XGETBV alone. */
void isk_detect_raw(struct isk_features *features);

/* Fills active from cpu: drops what needs state that XCR0 does not enable. */
void isk_apply_xcr0(struct isk_features *features, uint64_t xcr0);
#endif

#endif
