/* SPDX-License-Identifier: MIT */
/* The features in the words that Linux gives every process. ld.so passes them to resolvers, getauxval() to other code. */
#include "detect.h"

#include <stddef.h>
#include <sys/auxv.h>

/* bits of ISK_HWCAP */
#define HAS_ID_REGISTERS (1u << 11)
#define HAS_SVE          (1u << 22)
/* Marks that `told` was filled. It is the bit of a feature that nothing here asks for. */
#define TOLD             (1u << 31)

/*
 * The lower halves of HWCAP and HWCAP2, HWCAP first. Resolvers get the same words each
 * time, so it does not matter which of several threads writes them.
 */
static uint64_t told;

void isk_told(uint64_t hwcap, const struct isk_ifunc_argument *more)
{
	enum { HAS_ARGUMENT = 62 };
	uint64_t second = 0;

	if (__atomic_load_n(&told, __ATOMIC_RELAXED))
		return;
	if (hwcap >> HAS_ARGUMENT & 1 && more->size >= sizeof(*more))
		second = more->hwcap2;
	__atomic_store_n(&told, (uint32_t)hwcap | TOLD | second << 32, __ATOMIC_RELAXED);
}

/* rdvl x0, #1, as a number, because the assembler accepts its name only for CPUs with SVE. */
static uint32_t sve_bytes(void)
{
	register uint64_t bytes __asm__("x0");

	__asm__(".inst 0x04bf5020" : "=r"(bytes));
	return bytes & (bytes - 1) ? 0 : (uint32_t)bytes;
}

/* Reads a register that programs may not read; Linux emulates the instruction. */
static uint32_t midr(void)
{
	uint64_t value;

	__asm__("mrs %0, midr_el1" : "=r"(value));
	return (uint32_t)value;
}

void isk_detect(struct isk_features *f)
{
	uint64_t words = __atomic_load_n(&told, __ATOMIC_RELAXED);

	/* A program asks before any kernel is bound, so libc is initialised. */
	if (!words)
		words = (uint32_t)getauxval(AT_HWCAP) | (uint64_t)getauxval(AT_HWCAP2) << 32;
	f->cpu.word[ISK_HWCAP] = (uint32_t)words & ~TOLD;
	f->cpu.word[ISK_HWCAP2] = (uint32_t)(words >> 32);
	f->cpu.word[ISK_SVE_BYTES] = f->cpu.word[ISK_HWCAP] & HAS_SVE ? sve_bytes() : 0;
	f->cpu.signature = f->cpu.word[ISK_HWCAP] & HAS_ID_REGISTERS ? midr() : 0;
	f->active = f->cpu;
}

void isk_family_model(uint32_t signature, uint32_t *implementer, uint32_t *part)
{
	*implementer = signature >> 24;
	*part = signature >> 4 & 0xfff;
}
