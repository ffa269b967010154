/* SPDX-License-Identifier: MIT */
/* The facts about x86-64 that detect.h and resolve.h need: the registers that CPUID fills, and permissions to ask for. */
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

/* A resolver has no arguments, so it asks glibc or the CPU. */
#define ISK_RESOLVER_ARGUMENTS void
#define ISK_RESOLVER_IS_TOLD() ((void)0)

/* How the message about a missing feature begins. */
#define ISK_LACKS "CPU lacks "

/* The rows whose registers Linux must grant to the process. isk_granted() asks for them and returns 1 if it grants them. */
#define ISK_ASKED ISK_BIT(amx)

int isk_granted(void);

#endif
