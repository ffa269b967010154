/* SPDX-License-Identifier: MIT */
/* The CPU of this machine: which one it is, whether it is capped to AVX2, and its arithmetic peaks. */
#ifndef CPU_H
#define CPU_H

struct problem;

/*
 * CPUs for which goals are known. Under --isa the machine is ANY_MACHINE, because goals are those of a whole
 * CPU. WHOLE_CPU is any uncapped CPU.
 */
enum machine { ANY_MACHINE, WHOLE_CPU, EMERALD_RAPIDS, ZEN4, ZEN3 };

enum machine machine_here(void);
const char *machine_text(enum machine machine);

/* Whether --isa avx2 is in force. */
int capped(void);

/*
 * The most operations in 1 ns of this core, in the type of the problem, measured now in registers; 0 for work
 * without arithmetic.
 */
double peak_now(const struct problem *p);
/* The peaks of this machine, as a line of text. */
const char *peaks_text(void);

#endif
