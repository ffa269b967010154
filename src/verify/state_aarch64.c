/* SPDX-License-Identifier: MIT */
#include "state.h"

#include "harness.h"

static uint64_t fpcr(void)
{
	uint64_t value;

	__asm__ volatile("mrs %0, fpcr" : "=r"(value));
	return value;
}

static void set_fpcr(uint64_t value)
{
	__asm__ volatile("msr fpcr, %0" : : "r"(value) : "memory");
}

struct state state_now(void)
{
	return (struct state){fpcr()};
}

void state_compare(const struct state *before, const struct state *after)
{
	if (after->fpcr == before->fpcr)
		return;
	set_fpcr(before->fpcr);
	wrong("FPCR was %#llx, is %#llx", (unsigned long long)before->fpcr, (unsigned long long)after->fpcr);
}

uint32_t flushing_begin(void)
{
	enum { FZ = 1 << 24 };
	const uint64_t before = fpcr();

	set_fpcr(FZ);
	return (uint32_t)before;
}

void flushing_end(uint32_t before)
{
	set_fpcr(before);
}
