/* SPDX-License-Identifier: MIT */
/*
 * The parts of the generated source of one kernel: its row, and its indirect
 * function, or its entry (pointer.h) if the C library has no indirect functions. The
 * row is assembly because C cannot write the difference of two symbols. Therefore the
 * row lies in .rodata, needs no relocation, and stays whole under link-time
 * optimisation.
 */
#ifndef ISK_IFUNC_H
#define ISK_IFUNC_H

#include "isakern/types.h"
#include "resolve.h"
#include "symbols.h"

/* isk_exp_f32 and isk_row__exp_f32, for the assembler. */
#define ISK_SYMBOL(kernel)     ISK_TEXT(ISK_PREFIX) "_" #kernel
#define ISK_ROW_SYMBOL(kernel) ISK_TEXT(ISK_PREFIX) "_row__" #kernel

#ifdef ISK_STATIC
#define ISK_ROW_REFERENCE(kernel) ".long " ISK_SYMBOL(kernel) "__ref - " ISK_ROW_SYMBOL(kernel) "\n"
#else
#define ISK_ROW_REFERENCE(kernel)
#endif

#define ISK_ROW(kernel, listed, built, variants, tunings)                      \
	__asm__(ISK_HIDDEN(ISK_ROW_SYMBOL(kernel))                                 \
	        ISK_BEGIN_TABLE(ISK_ROW_SYMBOL(kernel))                            \
	        ".long " #listed ", " #built "\n"                                  \
	        ".long 1f - " ISK_ROW_SYMBOL(kernel) "\n"                          \
	        ISK_ROW_REFERENCE(kernel) variants tunings                         \
	        "1: .asciz \"" #kernel "\"\n"                                      \
	        ISK_END(ISK_ROW_SYMBOL(kernel)));                                  \
	extern const struct isk_row ISK_NAME(row__##kernel) __attribute__((visibility("hidden")))

/* `code` is the kernel itself, or the kernel for which `kernel` is another name. */
#define ISK_VARIANT(kernel, code, isa) ".long " ISK_SYMBOL(code) "__" #isa " - " ISK_ROW_SYMBOL(kernel) "\n"
#define ISK_ABSENT                     ".long 0\n"

/* struct isk_tuning; the list ends with an ISA that does not exist. */
#define ISK_TUNING(isa, family, low, high, reason)                             \
	".short " #isa ", " #family ", " #low ", " #high "\n"                      \
	".asciz \"" reason "\"\n"                                                  \
	".balign 2\n"
#define ISK_TUNING_END ".short 0xffff\n"

#ifdef ISK_POINTER
#include "pointer.h"
#else
#define ISK_ENTRY(kernel)                                                      \
	static ISK_RESOLVER __typeof(ISK_NAME(kernel)) *resolve_##kernel(ISK_RESOLVER_ARGUMENTS) \
	{                                                                          \
		ISK_RESOLVER_IS_TOLD();                                                \
		return (__typeof(ISK_NAME(kernel)) *)isk_resolve(&ISK_NAME(row__##kernel)); \
	}                                                                          \
	extern __typeof(ISK_NAME(kernel)) ISK_NAME(kernel)                         \
	    __attribute__((ifunc("resolve_" #kernel), visibility(ISK_VISIBILITY)))

/* The same under isakern's name. */
#define ISK_OVERRIDE(kernel)                                                   \
	extern __typeof(ISK_NAME(kernel)) isk_##kernel                             \
	    __attribute__((ifunc("resolve_" #kernel), visibility(ISK_VISIBILITY)))
#endif

#endif
