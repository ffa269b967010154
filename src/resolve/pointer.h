/* SPDX-License-Identifier: MIT */
/*
 * A public symbol without indirect functions: code that jumps through a slot of its
 * own. The slot is 0 until the first call, for which bind.c fills it. The slot lies
 * in .bss and is tested for 0, instead of lying in .data with the address of bind.c's
 * code. So it needs no relocation, takes no room in the file, and the entry can be
 * called before this library is relocated. The slot is read and written as one
 * aligned 64-bit value, and all threads that write it write the same, so it needs
 * neither a lock nor an order.
 *
 * Each architecture has its own entry. It may change the registers that a call may
 * change, except those of arguments. bind.c expects the addresses of the slot and the
 * row in the registers of ISK_SLOT_AND_ROW.
 */
#ifndef ISK_POINTER_H
#define ISK_POINTER_H

#include "symbols.h"

#if defined(__x86_64__)
#if defined(__CET__) && __CET__ & 1
#define ISK_LANDING "endbr64\n"
#else
#define ISK_LANDING ""
#endif
#define ISK_JUMP(slot)                                                         \
	"mov " slot "(%rip), %r11\n"                                               \
	"test %r11, %r11\n"                                                        \
	"jz 1f\n"                                                                  \
	"jmp *%r11\n"
#define ISK_SLOT_AND_ROW(slot, row)                                            \
	"lea " slot "(%rip), %r11\n"                                               \
	"lea " row "(%rip), %r10\n"
#define ISK_BRANCH "jmp "
#elif defined(__aarch64__)
#ifdef __ARM_FEATURE_BTI_DEFAULT
#define ISK_LANDING "bti c\n"
#else
#define ISK_LANDING ""
#endif
#define ISK_JUMP(slot)                                                         \
	"adrp x16, " slot "\n"                                                     \
	"ldr x16, [x16, :lo12:" slot "]\n"                                         \
	"cbz x16, 1f\n"                                                            \
	"br x16\n"
/* Not in x16 or x17, because a linker may route the branch through code that uses them. */
#define ISK_SLOT_AND_ROW(slot, row)                                            \
	"adrp x9, " slot "\n"                                                      \
	"add x9, x9, :lo12:" slot "\n"                                             \
	"adrp x10, " row "\n"                                                      \
	"add x10, x10, :lo12:" row "\n"
#define ISK_BRANCH "b "
#endif

#define ISK_BIND_SYMBOL         ISK_TEXT(ISK_OWN) "_bind"
#define ISK_SLOT_SYMBOL(kernel) ISK_TEXT(ISK_PREFIX) "_slot__" #kernel

#ifdef ISK_STATIC
#define ISK_SEEN(symbol) ISK_HIDDEN(symbol)
#else
#define ISK_SEEN(symbol) ".globl " symbol "\n"
#endif

#define ISK_ENTRY(kernel)                                                      \
	__asm__(ISK_BEGIN_SLOT(ISK_SLOT_SYMBOL(kernel))                            \
	        ".zero 8\n"                                                        \
	        ISK_END(ISK_SLOT_SYMBOL(kernel))                                   \
	        ISK_SEEN(ISK_SYMBOL(kernel))                                       \
	        ISK_BEGIN_CODE(ISK_SYMBOL(kernel))                                 \
	        ISK_LANDING                                                        \
	        ISK_JUMP(ISK_SLOT_SYMBOL(kernel))                                  \
	        "1:\n"                                                             \
	        ISK_SLOT_AND_ROW(ISK_SLOT_SYMBOL(kernel), ISK_ROW_SYMBOL(kernel))  \
	        ISK_BRANCH ISK_BIND_SYMBOL "\n"                                    \
	        ISK_END(ISK_SYMBOL(kernel)))

/* The same code under isakern's name. */
#define ISK_OVERRIDE(kernel)                                                   \
	__asm__(ISK_SEEN("isk_" #kernel)                                           \
	        ".type isk_" #kernel ", %function\n"                               \
	        ".set isk_" #kernel ", " ISK_SYMBOL(kernel) "\n")

#endif
