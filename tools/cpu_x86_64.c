/* SPDX-License-Identifier: MIT */
#include "cpu.h"

#include <cpuid.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum reg { EAX, EBX, ECX, EDX };

static const struct {
	char name[20];
	uint32_t leaf, subleaf;
	enum reg reg;
	int bit;
	uint64_t state;
} features[] = {
#define F(name, leaf, subleaf, reg, bit, state) {name, leaf, subleaf, reg, bit, state},
#include "cpu_x86_64.def"
#undef F
};

/* A register of CPUID; 0 if there is no such leaf or subleaf. */
static uint32_t word(uint32_t leaf, uint32_t subleaf, enum reg reg)
{
	uint32_t r[4] = {0};

	if (subleaf && word(leaf, 0, EAX) < subleaf)
		return 0;
	return __get_cpuid_count(leaf, subleaf, &r[EAX], &r[EBX], &r[ECX], &r[EDX]) ? r[reg] : 0;
}

static uint64_t xcr0(void)
{
	uint32_t low, high;

	if (!(word(1, 0, ECX) & bit_OSXSAVE))
		return 0;
	__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	return low | (uint64_t)high << 32;
}

const char *cpu_feature(unsigned i, enum cpu_has *has)
{
	if (i >= sizeof(features) / sizeof(features[0]))
		return NULL;
	if (!(word(features[i].leaf, features[i].subleaf, features[i].reg) >> features[i].bit & 1))
		*has = CPU_LACKS;
	else
		*has = (xcr0() & features[i].state) == features[i].state ? CPU_HAS : CPU_HAS_NO_OS;
	return features[i].name;
}

const char *cpu_state(char text[CPU_STATE])
{
	snprintf(text, CPU_STATE, "%#" PRIx64, xcr0());
	return "xcr0";
}
