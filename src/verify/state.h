/* SPDX-License-Identifier: MIT */
/* What of the CPU's state a kernel must leave as it is, by architecture. */
#ifndef STATE_H
#define STATE_H

#include <stdint.h>

#ifdef __aarch64__
struct state {
	uint64_t fpcr;
};
#else
struct state {
	uint32_t mxcsr;
	uint16_t x87_control, x87_tags;
	int down;
};
#endif

struct state state_now(void);

/* Restores it, and says what was changed. */
void state_compare(const struct state *before, const struct state *after);

/* Denormals are 0 from now on, as inputs and results; what is to be put back. */
uint32_t flushing_begin(void);
void flushing_end(uint32_t before);

#endif
