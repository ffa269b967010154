/* SPDX-License-Identifier: MIT */
/* What detect.h and resolve.h need to know of x86-64: the registers that CPUID fills, and what the OS must be asked for. */
#ifndef ISK_X86_64_H
#define ISK_X86_64_H

#define ISK_FEATURES "x86_64.def"

enum isk_feature_word {
	ISK_1_ECX,
	ISK_7_EBX,
	ISK_7_ECX,
	ISK_7_EDX,
	ISK_7_1_EAX,
	ISK_80000001_ECX,
	ISK_FEATURE_WORDS,
};

/* A resolver has no arguments: it asks glibc or the CPU. */
#define ISK_RESOLVER_ARGUMENTS void
#define ISK_RESOLVER_IS_TOLD() ((void)0)

/* Who lacks a feature that is not there. */
#define ISK_LACKS "CPU lacks "

/* The rows whose registers Linux must grant to the process; isk_granted() asks for them, 1: yes. */
#define ISK_ASKED ISK_BIT(amx)

int isk_granted(void);

#endif
