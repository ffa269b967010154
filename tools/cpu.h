/* SPDX-License-Identifier: MIT */
/* All that a CPU and its OS say of themselves, whether a variant wants it or not. */
#ifndef CPU_H
#define CPU_H

#include <stdint.h>

enum cpu_has {
	CPU_LACKS,
	CPU_HAS,       /* and programs may use it */
	CPU_HAS_NO_OS, /* but the OS does not save its registers */
};

/* Feature i of cpu.def and whether it is there; NULL: there are no more. */
const char *cpu_feature(unsigned i, enum cpu_has *has);

/* XCR0: which registers the OS saves; 0 where programs cannot ask. */
uint64_t cpu_xcr0(void);

#endif
