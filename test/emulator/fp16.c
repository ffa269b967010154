/* SPDX-License-Identifier: MIT */
/*
 * Instructions of AVX512-FP16: those that the kernels of isakern contain, for vectors of 8, 16 and 32 f16, with masks and
 * broadcasts. fp16_numbers.c has the arithmetic.
 *
 * Differences from the CPU: the exception flags in MXCSR stay as they are, and only rounding to nearest is there. An
 * instruction that asks for another one, or for a form that no kernel uses, ends the process with a message.
 */
#include "fp16_numbers.h"
#include "instructions.h"

#include <cpuid.h>
#include <string.h>

enum { MOST = 32 }; /* f16 in a vector */

/* All have W 0 and no mandatory prefix. */
static const struct instruction {
	const char *name;
	int map, opcode, operands, has_immediate;
	uint16_t (*run)(uint16_t a, uint16_t b, int immediate);
} instructions[] = {
	{"vaddph", 5, 0x58, 2, 0, fp16_add},
	{"vsubph", 5, 0x5c, 2, 0, fp16_sub},
	{"vmulph", 5, 0x59, 2, 0, fp16_mul},
	{"vdivph", 5, 0x5e, 2, 0, fp16_div},
	{"vmaxph", 5, 0x5f, 2, 0, fp16_max},
	{"vsqrtph", 5, 0x51, 1, 0, fp16_sqrt},
	{"vrndscaleph", 3, 0x08, 1, 1, fp16_rndscale},
};

/* The EVEX prefix, whose bits for registers are inverted. */
struct prefix {
	int map, w, pp;
	int r, x, b, r2, v; /* bit 3 of reg, 4 and 3 of rm, 4 of reg; the first source */
	int mask, zeroes;   /* the number of the mask, 0: none; whether elements without it become 0 */
	int length, broadcasts;
};

static struct prefix prefix_at(const uint8_t *p)
{
	return (struct prefix){.map = p[1] & 7, .w = p[2] >> 7, .pp = p[2] & 3, .r = !(p[1] & 0x80), .x = !(p[1] & 0x40),
	                       .b = !(p[1] & 0x20), .r2 = !(p[1] & 0x10), .v = (~p[2] >> 3 & 15) | !(p[3] & 8) << 4,
	                       .mask = p[3] & 7, .zeroes = p[3] >> 7, .length = p[3] >> 5 & 3, .broadcasts = p[3] >> 4 & 1};
}

/* The parts of the state that XSAVE has saved in a signal's frame, by their numbers in XCR0. */
enum { SSE = 1, AVX = 2, MASKS = 5, HIGH_HALVES = 6, HIGH_REGISTERS = 7 };

static struct {
	uint32_t at, bytes;
} parts[8];

static void find_parts(void)
{
	uint32_t eax, ebx, ecx, edx;

	if (parts[SSE].bytes)
		return;
	for (unsigned n = AVX; n <= HIGH_REGISTERS; n++) {
		__cpuid_count(13, n, eax, ebx, ecx, edx);
		parts[n].at = ebx;
		parts[n].bytes = eax;
	}
	parts[SSE].at = 160;
	parts[SSE].bytes = 256;
}

/* A part that is in its initial state, zeros, may have other bytes in the frame. Here it becomes an ordinary one. */
static uint8_t *part(const ucontext_t *u, int number)
{
	uint8_t *frame = (uint8_t *)u->uc_mcontext.fpregs;
	uint64_t saved;

	memcpy(&saved, frame + 512, sizeof(saved));
	if (!(saved >> number & 1)) {
		memset(frame + parts[number].at, 0, parts[number].bytes);
		saved |= 1ull << number;
		memcpy(frame + 512, &saved, sizeof(saved));
	}
	return frame + parts[number].at;
}

union vector {
	uint16_t h[MOST];
	uint8_t bytes[2 * MOST];
};

static union vector vector_of(const ucontext_t *u, int number)
{
	union vector v;

	if (number >= 16) {
		memcpy(v.bytes, part(u, HIGH_REGISTERS) + 64 * (number - 16), 64);
	} else {
		memcpy(v.bytes, part(u, SSE) + 16 * number, 16);
		memcpy(v.bytes + 16, part(u, AVX) + 16 * number, 16);
		memcpy(v.bytes + 32, part(u, HIGH_HALVES) + 32 * number, 32);
	}
	return v;
}

static void set_vector(const ucontext_t *u, int number, const union vector *v)
{
	if (number >= 16) {
		memcpy(part(u, HIGH_REGISTERS) + 64 * (number - 16), v->bytes, 64);
	} else {
		memcpy(part(u, SSE) + 16 * number, v->bytes, 16);
		memcpy(part(u, AVX) + 16 * number, v->bytes + 16, 16);
		memcpy(part(u, HIGH_HALVES) + 32 * number, v->bytes + 32, 32);
	}
}

static uint32_t mask_of(const ucontext_t *u, int number)
{
	uint32_t mask = ~0u;

	if (number)
		memcpy(&mask, part(u, MASKS) + 8 * number, sizeof(mask));
	return mask;
}

/* Elements outside the mask are not read. */
static union vector vector_at(uint64_t address, int count, uint32_t mask, int broadcasts)
{
	union vector v = {{0}};

	for (int i = 0; i < count; i++)
		if (mask >> i & 1)
			memcpy(&v.h[i], (const uint16_t *)(uintptr_t)address + (broadcasts ? 0 : i), sizeof(v.h[i]));
	return v;
}

static void run(ucontext_t *u, const struct instruction *i, const struct prefix *e, const uint8_t *modrm)
{
	const int count = 8 << e->length, reg = (*modrm >> 3 & 7) | e->r << 3 | e->r2 << 4;
	const struct operand o = operand_at(u, modrm, e->x, e->b, e->broadcasts ? 2 : 2 * count, i->has_immediate);
	const int rm = (*modrm & 7) | e->b << 3 | e->x << 4, immediate = i->has_immediate ? o.next[-1] : 0;
	const uint32_t mask = mask_of(u, e->mask);
	const union vector a = vector_of(u, e->v);
	union vector b, result;

	b = o.is_memory ? vector_at(o.base + o.index, count, mask, e->broadcasts) : vector_of(u, rm);
	result = vector_of(u, reg);
	for (int n = 0; n < MOST; n++)
		if (n < count && mask >> n & 1)
			result.h[n] = i->run(a.h[n], b.h[n], immediate);
		else if (n >= count || e->zeroes)
			result.h[n] = 0;
	set_vector(u, reg, &result);
	u->uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)o.next;
}

/* Ends the process if the CPU would refuse the instruction, or if this file does. */
static void check(const ucontext_t *u, const struct instruction *i, const struct prefix *e, const uint8_t *modrm)
{
	const int is_register = *modrm >> 6 == 3;
	const char *why = i->operands == 1 && e->v               ? "EVEX.vvvv is not 11111"
	                  : e->length == 3                       ? "no such length"
	                  : e->zeroes && !e->mask                ? "it zeroes without a mask"
	                                                         : NULL;

	if (why)
		emulator_fault("#UD", i->name, modrm - 5, why);
	why = e->broadcasts && is_register            ? "a rounding of its own"
	      : u->uc_mcontext.fpregs->mxcsr & 0x6000 ? "MXCSR does not round to nearest"
	                                              : NULL;
	/* The mode is in the lowest two bits of the immediate of vrndscaleph; bit 3 only suppresses a flag. */
	if (!why && i->has_immediate && operand_at(u, modrm, e->x, e->b, 1, 1).next[-1] & 0xf4)
		why = "a fraction, or MXCSR's mode";
	if (why)
		emulator_fault("a form not emulated", i->name, modrm - 5, why);
}

int fp16_execute(ucontext_t *u)
{
	const uint8_t *p = (const uint8_t *)(uintptr_t)u->uc_mcontext.gregs[REG_RIP];
	struct prefix e;

	if (p[0] != 0x62 || p[1] & 8 || !(p[2] & 4))
		return 0;
	e = prefix_at(p);
	for (size_t n = 0; n < sizeof(instructions) / sizeof(instructions[0]); n++) {
		const struct instruction *i = &instructions[n];

		if (i->map != e.map || i->opcode != p[4] || e.w || e.pp)
			continue;
		find_parts();
		check(u, i, &e, p + 5);
		run(u, i, &e, p + 5);
		return 1;
	}
	return 0;
}
