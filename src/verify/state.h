/* SPDX-License-Identifier: MIT */
/* The state of the CPU that a kernel must not change, by architecture. */
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

/* Restores the state, and reports each change. */
void state_compare(const struct state *before, const struct state *after);

/* From now on denormals are 0, as inputs and as results. Returns the previous control word, for flushing_end(). */
uint32_t flushing_begin(void);
void flushing_end(uint32_t before);

#endif
