/* SPDX-License-Identifier: MIT */
/*
 * Choosing a variant. Everything declared here may run inside a resolver,
 * before the library is relocated and before libc is initialised. README.md in
 * this directory lists the consequences.
 */
#ifndef ISK_RESOLVE_H
#define ISK_RESOLVE_H

#include <stddef.h>
#include <stdint.h>

#include "detect.h"

/* No instrumentation may call out of a resolver. */
#ifdef __clang__
#define ISK_RESOLVER                                                           \
	__attribute__((used, no_profile_instrument_function, no_instrument_function, \
	               disable_sanitizer_instrumentation,                         \
	               no_sanitize("address", "undefined", "thread", "memory", "cfi", "coverage")))
#else
#define ISK_RESOLVER                                                           \
	__attribute__((used, no_stack_protector, no_profile_instrument_function,   \
	               no_instrument_function, no_sanitize("address", "undefined", "thread"), \
	               no_sanitize_coverage))
#endif

/* Public in the shared library. Hidden in the archive, because an executable that
 * exported an indirect function would break a plugin with BIND_NOW. */
#ifdef ISK_STATIC
#define ISK_VISIBILITY "hidden"
#else
#define ISK_VISIBILITY "default"
#endif
#define ISK_API __attribute__((visibility(ISK_VISIBILITY)))

/* A measured reason not to use a variant on some CPUs; see tuning.tbl. */
struct isk_tuning {
	uint16_t isa, family, model_low, model_high;
	char reason[];
};

/*
 * One kernel. Positions are offsets from the row itself, so the table needs no
 * relocation and can be read before relocation. ifunc.h lays this out.
 */
struct isk_row {
	uint32_t listed;   /* the ISAs that the table gives the kernel, one bit each */
	uint32_t built;    /* the listed ISAs that this library holds, one bit each */
	int32_t name;      /* offset of the name */
#ifdef ISK_STATIC
	int32_t reference; /* offset of the reference; the shared library has none: see isk_reference() */
#endif
	int32_t variant[ISK_ISA_COUNT]; /* offset of each ISA's variant; 0: not built */
	uint8_t tuning[];  /* struct isk_tuning, one after the other */
};

static inline const void *isk_at(const struct isk_row *row, int32_t offset)
{
	return offset ? (const char *)row + offset : NULL;
}

/* The row of tuning.tbl that demotes an ISA of a kernel on a CPU with this signature, or NULL. */
const struct isk_tuning *isk_tuning_of(const struct isk_row *row, enum isk_isa isa, uint32_t signature);

/* The number of a kernel in ISK_KERNELS, or -1. */
int isk_kernel_number(const char *name);

/* The columns of kernel i in ISK_KERNELS, from its name on, as strings that follow one another. */
const char *isk_kernel_text(size_t i);

/* Row i of ISK_KERNELS; NULL in a static program that does not use the kernel. */
const struct isk_row *isk_row_of(size_t i);

/* The result of the first look at CPU and environment; 0: no look yet. Bit 3 is PINNED of choose.c. */
typedef uint64_t isk_word;

#define ISK_WORD_VERBOSE    (1u << 0)
#define ISK_WORD_GRANTED    (1u << 1) /* the OS grants the registers of the ISAs in ISK_ASKED */
#define ISK_WORD_REFUSED    (1u << 2)
#define ISK_WORD_CAP(w)     ((unsigned int)(w) >> 4 & 31)
/* The ISAs that CPU and OS can run, not above the cap and not disabled. The lowest one always is among them. */
#define ISK_WORD_ALLOWED(w) ((uint32_t)((w) >> 32))

/* Looks at CPU and environment at the first call. */
isk_word isk_look(void);

/* The highest ISA that is in force. */
enum isk_isa isk_level(void);

/* Asks the OS at the first call. Returns the word with ISK_WORD_GRANTED or ISK_WORD_REFUSED. */
isk_word isk_ask(void);

struct isk_choice {
	enum isk_isa isa;
	int pinned; /* by ISAKERN_BIND */
};

/* The variant that a call of the kernel reaches. */
struct isk_choice isk_choose(const struct isk_row *row);

/* The row of tuning.tbl that demotes an ISA of a kernel on this CPU, or NULL. */
const struct isk_tuning *isk_demotion(const struct isk_row *row, enum isk_isa isa);

/* The resolver of every kernel. */
void *isk_resolve(const struct isk_row *row);

#endif
