/* SPDX-License-Identifier: MIT */
/* All that a CPU and its OS say of themselves, whether a variant wants it or not. */
#ifndef CPU_H
#define CPU_H

enum cpu_has {
	CPU_LACKS,
	CPU_HAS,       /* and programs may use it */
	CPU_HAS_NO_OS, /* but the OS does not save its registers */
};

/* Feature i of the architecture and whether it is there; NULL: there are no more. */
const char *cpu_feature(unsigned i, enum cpu_has *has);

enum { CPU_STATE = 24 };

/* What the OS makes of vector registers: XCR0, 0 where programs cannot ask; bytes of an SVE vector. Returns what it is. */
const char *cpu_state(char text[CPU_STATE]);

#endif
