/* SPDX-License-Identifier: MIT */
/*
 * What the generated source of one kernel consists of: its row, and its
 * indirect function. The row is assembly because C has no way to write the
 * difference of two symbols: so it lies in .rodata and needs no relocation,
 * and link-time optimisation cannot take it apart.
 */
#ifndef ISK_IFUNC_H
#define ISK_IFUNC_H

#include "isakern.h"
#include "resolve.h"

#define ISK_ROW(kernel, listed, built, variants, tunings)                      \
	__asm__(".pushsection .rodata.isk_row__" #kernel ",\"a\",@progbits\n"      \
	        ".balign 4\n"                                                      \
	        ".globl isk_row__" #kernel "\n"                                    \
	        ".hidden isk_row__" #kernel "\n"                                   \
	        ".type isk_row__" #kernel ", @object\n"                            \
	        "isk_row__" #kernel ":\n"                                          \
	        ".long " #listed ", " #built "\n"                                  \
	        ".long 1f - isk_row__" #kernel "\n"                                \
	        ".long isk_" #kernel "__ref - isk_row__" #kernel "\n" variants     \
	        tunings                                                            \
	        "1: .asciz \"" #kernel "\"\n"                                      \
	        ".size isk_row__" #kernel ", . - isk_row__" #kernel "\n"           \
	        ".popsection\n");                                                  \
	extern const struct isk_row isk_row__##kernel

#define ISK_VARIANT(kernel, isa) ".long isk_" #kernel "__" #isa " - isk_row__" #kernel "\n"
#define ISK_ABSENT               ".long 0\n"

/* struct isk_tuning; the list ends with an ISA that does not exist. */
#define ISK_TUNING(isa, family, low, high, reason)                             \
	".short " #isa ", " #family "\n"                                           \
	".byte " #low ", " #high "\n"                                              \
	".asciz \"" reason "\"\n"                                                  \
	".balign 2\n"
#define ISK_TUNING_END ".short 0xffff\n"

#define ISK_IFUNC(kernel)                                                      \
	static ISK_RESOLVER __typeof(isk_##kernel) *resolve_##kernel(void)         \
	{                                                                          \
		return (__typeof(isk_##kernel) *)isk_resolve(&isk_row__##kernel);      \
	}                                                                          \
	extern __typeof(isk_##kernel) isk_##kernel                                 \
	    __attribute__((ifunc("resolve_" #kernel), visibility(ISK_VISIBILITY)))

#endif
