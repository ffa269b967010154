/* SPDX-License-Identifier: MIT */
/*
 * The ISAs that a CPU and its OS can run. They follow from the feature words alone, so
 * that tests can ask about any CPU. ISAs are the rows of the architecture's table,
 * such as x86_64.tbl.
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
	uint32_t signature; /* x86-64: EAX of CPUID leaf 1; AArch64: MIDR_EL1, or 0 */
};

/* cpu: the features of the CPU; active: those of them that programs may use. */
struct isk_features {
	struct isk_words cpu, active;
};

/* The ISAs whose features are all in the given words: one bit each, by enum isk_isa. */
uint32_t isk_isa_set(const struct isk_words *words);

/* The first feature of an ISA that the words lack, or NULL. */
const char *isk_isa_lacks(const struct isk_words *words, enum isk_isa isa);

/* Family and model, as /proc/cpuinfo shows them; on AArch64 implementer and part. */
void isk_family_model(uint32_t signature, uint32_t *family, uint32_t *model);

/* The features of this machine, from glibc or Linux if they tell them, else from the CPU itself. */
void isk_detect(struct isk_features *features);

#ifndef __aarch64__
/* The features of this machine, from CPUID and XGETBV alone. */
void isk_detect_raw(struct isk_features *features);

/* Fills active from cpu without the features that need state which XCR0 does not enable. */
void isk_apply_xcr0(struct isk_features *features, uint64_t xcr0);
#endif

#endif
