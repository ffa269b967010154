/* SPDX-License-Identifier: MIT */
#include "state.h"

#include <immintrin.h>

#include "harness.h"

struct state state_now(void)
{
	struct {
		uint16_t control, unused1, status, unused2, tags, unused3;
		uint32_t rest[4];
	} x87;
	uint64_t flags;

	__asm__ volatile("fnstenv %0\n\tfldenv %0" : "=m"(x87));
	__asm__ volatile("pushfq\n\tpop %0\n\tcld" : "=r"(flags) : : "memory");
	return (struct state){_mm_getcsr() & ~0x3fu, x87.control, x87.tags, (int)(flags >> 10 & 1)};
}

void state_compare(const struct state *before, const struct state *after)
{
	if (after->mxcsr != before->mxcsr)
		_mm_setcsr(before->mxcsr);
	if (after->x87_control != before->x87_control || after->x87_tags != before->x87_tags)
		__asm__ volatile("fninit\n\tfldcw %0" : : "m"(before->x87_control));
	if (after->mxcsr != before->mxcsr)
		wrong("MXCSR was %#x, is %#x", before->mxcsr, after->mxcsr);
	if (after->x87_control != before->x87_control)
		wrong("the x87 control word was %#x, is %#x", before->x87_control, after->x87_control);
	if (after->x87_tags != before->x87_tags)
		wrong("the x87 stack is not empty, its tags are %#x", after->x87_tags);
	if (after->down)
		wrong("the direction flag is set");
}

uint32_t flushing_begin(void)
{
	enum { TO_NEAREST_FLUSHING = 0x9fc0 };
	const uint32_t before = _mm_getcsr();

	_mm_setcsr(TO_NEAREST_FLUSHING);
	return before;
}

void flushing_end(uint32_t before)
{
	_mm_setcsr(before);
}
