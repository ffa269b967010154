/* SPDX-License-Identifier: MIT */
/* The features that CPUID and XGETBV tell, as glibc has asked them, or as they are asked here. */
#include <stddef.h>

#include "detect.h"
#include "syscall.h"

#define OSXSAVE (1u << 27)

/* The XCR0 bits that each feature needs. */
static const struct {
	uint8_t word, bit;
	uint32_t state;
} states[] = {
#define F(name, word, bit, state, isas) {word, bit, state},
#include ISK_FEATURES
#undef F
};

void isk_apply_xcr0(struct isk_features *f, uint64_t xcr0)
{
	/* Without OSXSAVE programs cannot read XCR0, and the OS enables no state. */
	if (!(f->cpu.word[ISK_1_ECX] & OSXSAVE))
		xcr0 = 0;
	f->active = f->cpu;
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++)
		if ((states[i].state & xcr0) != states[i].state)
			f->active.word[states[i].word] &= ~(1u << states[i].bit);
}

void isk_family_model(uint32_t signature, uint32_t *family, uint32_t *model)
{
	*family = signature >> 8 & 15;
	*model = signature >> 4 & 15;
	if (*family == 6 || *family == 15)
		*model += (signature >> 16 & 15) << 4;
	if (*family == 15)
		*family += signature >> 20 & 255;
}

struct registers {
	uint32_t eax, ebx, ecx, edx;
};

static struct registers cpuid(uint32_t leaf, uint32_t subleaf)
{
	struct registers r;

	__asm__ volatile("cpuid" : "=a"(r.eax), "=b"(r.ebx), "=c"(r.ecx), "=d"(r.edx)
	                 : "a"(leaf), "c"(subleaf));
	return r;
}

static uint64_t xgetbv(void)
{
	uint32_t low, high;

	__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	return low | (uint64_t)high << 32;
}

void isk_detect_raw(struct isk_features *f)
{
	static const struct registers none;
	const struct registers one = cpuid(1, 0), seven = cpuid(0, 0).eax >= 7 ? cpuid(7, 0) : none;
	const struct registers seven_1 = seven.eax >= 1 ? cpuid(7, 1) : none;
	/* Every x86-64 CPU has leaf 0x80000001, because the leaf announces long mode. */
	const struct registers extended = cpuid(0x80000001, 0);

	f->cpu.signature = one.eax;
	f->cpu.word[ISK_1_ECX] = one.ecx;
	f->cpu.word[ISK_7_EBX] = seven.ebx;
	f->cpu.word[ISK_7_ECX] = seven.ecx;
	f->cpu.word[ISK_7_EDX] = seven.edx;
	f->cpu.word[ISK_7_1_EAX] = seven_1.eax;
	f->cpu.word[ISK_80000001_ECX] = extended.ecx;
	isk_apply_xcr0(f, one.ecx & OSXSAVE ? xgetbv() : 0);
}

/*
 * glibc's cpu_features, as <sys/platform/x86.h> of glibc 2.33 and later has
 * them. The function is declared here because it must be weak in the shared
 * library, for an older glibc, and because its address must come from the GOT:
 * a call through the PLT crashes while this library is not relocated. The archive
 * is linked with the glibc that it was built with. If that glibc has the function,
 * the reference is strong, because a weak one takes nothing out of libc.a.
 */
#if defined(ISK_STATIC) && defined(ISK_GLIBC_LEAF)
#define LEAF_LINKAGE
#else
#define LEAF_LINKAGE __attribute__((weak))
#endif
struct glibc_leaf {
	uint32_t cpuid[4], active[4];
};
extern const struct glibc_leaf *__x86_get_cpuid_feature_leaf(unsigned int) LEAF_LINKAGE;

enum { EAX, EBX, ECX, EDX };
enum { GLIBC_LEAF_1 = 0, GLIBC_LEAF_7 = 1, GLIBC_LEAF_80000001 = 2, GLIBC_LEAF_7_1 = 6 };

static const struct {
	uint8_t leaf, reg;
} glibc_word[ISK_FEATURE_WORDS] = {
	[ISK_1_ECX] = {GLIBC_LEAF_1, ECX},
	[ISK_7_EBX] = {GLIBC_LEAF_7, EBX},
	[ISK_7_ECX] = {GLIBC_LEAF_7, ECX},
	[ISK_7_EDX] = {GLIBC_LEAF_7, EDX},
	[ISK_7_1_EAX] = {GLIBC_LEAF_7_1, EAX},
	[ISK_80000001_ECX] = {GLIBC_LEAF_80000001, ECX},
};

void isk_detect(struct isk_features *f)
{
	const struct glibc_leaf *(*volatile leaf)(unsigned int) = __x86_get_cpuid_feature_leaf;
	const struct glibc_leaf *(*const get)(unsigned int) = leaf;

	/* No CPU has signature 0. glibc shows 0 for a CPU whose maker it does not know. */
	if (!get || !get(GLIBC_LEAF_1)->cpuid[EAX]) {
		isk_detect_raw(f);
		return;
	}
	for (size_t i = 0; i < ISK_FEATURE_WORDS; i++) {
		const struct glibc_leaf *l = get(glibc_word[i].leaf);

		f->cpu.word[i] = l->cpuid[glibc_word[i].reg];
		f->active.word[i] = l->active[glibc_word[i].reg];
	}
	f->cpu.signature = f->active.signature = get(GLIBC_LEAF_1)->cpuid[EAX];
}

int isk_granted(void)
{
	enum { ASK = 0x1023 /* ARCH_REQ_XCOMP_PERM, Linux 5.16 */, TILE_DATA = 18 };

	/* Any failure counts as a refusal: an unknown call, seccomp, or a thread whose
	 * signal stack is too small for the tiles. */
	return isk_syscall(SYS_arch_prctl, ASK, TILE_DATA, 0, 0, 0) == 0;
}
