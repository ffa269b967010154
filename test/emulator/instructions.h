/* SPDX-License-Identifier: MIT */
/* Shared by the handler of emulator.c and the files that execute instructions. */
#ifndef INSTRUCTIONS_H
#define INSTRUCTIONS_H

#include <stdint.h>
#include <ucontext.h>

/* Execute the instruction at which u stands and step over it, or return 0 if it is none of theirs. */
int amx_execute(ucontext_t *u);
int fp16_execute(ucontext_t *u);

/* The operand that ModRM, SIB and displacement describe. */
struct operand {
	int is_memory, has_sib;
	uint64_t base, index; /* its address is the sum; base includes the displacement */
	const uint8_t *next;  /* after the displacement and `immediate` bytes: the next instruction */
};

/* x and b are the bits of the prefix that extend index and base. A displacement of one byte counts in units of `unit` bytes. */
struct operand operand_at(const ucontext_t *u, const uint8_t *modrm, int x, int b, int unit, int immediate);

/* Ends the process after one line: `kind`, such as "#UD", of the instruction `name` at `at`, because of `why`. */
_Noreturn void emulator_fault(const char *kind, const char *name, const void *at, const char *why);

#endif
