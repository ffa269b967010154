/* SPDX-License-Identifier: MIT */
/* All features that a CPU and its OS report, whether a variant needs them or not. */
#ifndef CPU_H
#define CPU_H

enum cpu_has {
	CPU_LACKS,
	CPU_HAS,       /* and programs may use it */
	CPU_HAS_NO_OS, /* but the OS does not save its registers */
};

/* Feature i of the architecture; *has says whether the CPU has it. NULL: there are no more. */
const char *cpu_feature(unsigned i, enum cpu_has *has);

enum { CPU_STATE = 24 };

/*
 * Writes the OS's state of vector registers as text: XCR0 (0 if programs cannot ask), or the bytes of an SVE
 * vector. Returns the name of that state.
 */
const char *cpu_state(char text[CPU_STATE]);

#endif
