/* SPDX-License-Identifier: MIT */
/*
 * The first call of a kernel whose entry is that of pointer.h. The entry has put the
 * addresses of the slot and the row into registers. This code chooses the variant,
 * stores its address in the slot and jumps to it. It is assembly, because the
 * arguments of the call are still in their registers and on the stack, and the
 * variant must find them as its caller left them. Vector registers are saved too:
 * isk_resolve() itself touches none, but glibc, which it may ask about the CPU, makes
 * no promise about them. Arguments are no wider than 128 bits.
 */
#include "prefix.h"

#include "pointer.h"
#include "symbols.h"

#define RESOLVE ISK_TEXT(ISK_OWN) "_resolve"

__asm__(ISK_HIDDEN(ISK_BIND_SYMBOL)
        ISK_BEGIN_CODE(ISK_BIND_SYMBOL)
#if defined(__x86_64__)
        /* Seven pushes and the return address make rsp divisible by 16, which calls and movaps require. */
        "push %rdi\n"
        "push %rsi\n"
        "push %rdx\n"
        "push %rcx\n"
        "push %r8\n"
        "push %r9\n"
        "push %r11\n"
        "sub $128, %rsp\n"
        "movaps %xmm0, (%rsp)\n"
        "movaps %xmm1, 16(%rsp)\n"
        "movaps %xmm2, 32(%rsp)\n"
        "movaps %xmm3, 48(%rsp)\n"
        "movaps %xmm4, 64(%rsp)\n"
        "movaps %xmm5, 80(%rsp)\n"
        "movaps %xmm6, 96(%rsp)\n"
        "movaps %xmm7, 112(%rsp)\n"
        "mov %r10, %rdi\n"
        "call " RESOLVE "\n"
        "movaps (%rsp), %xmm0\n"
        "movaps 16(%rsp), %xmm1\n"
        "movaps 32(%rsp), %xmm2\n"
        "movaps 48(%rsp), %xmm3\n"
        "movaps 64(%rsp), %xmm4\n"
        "movaps 80(%rsp), %xmm5\n"
        "movaps 96(%rsp), %xmm6\n"
        "movaps 112(%rsp), %xmm7\n"
        "add $128, %rsp\n"
        "pop %r11\n"
        "pop %r9\n"
        "pop %r8\n"
        "pop %rcx\n"
        "pop %rdx\n"
        "pop %rsi\n"
        "pop %rdi\n"
        "mov %rax, (%r11)\n"
        "jmp *%rax\n"
#elif defined(__aarch64__)
        /* x8 holds the address of a returned struct. BTI allows a jump to a variant through x16. */
        "stp x29, x30, [sp, #-224]!\n"
        "mov x29, sp\n"
        "stp x0, x1, [sp, #16]\n"
        "stp x2, x3, [sp, #32]\n"
        "stp x4, x5, [sp, #48]\n"
        "stp x6, x7, [sp, #64]\n"
        "stp x8, x9, [sp, #80]\n"
        "stp q0, q1, [sp, #96]\n"
        "stp q2, q3, [sp, #128]\n"
        "stp q4, q5, [sp, #160]\n"
        "stp q6, q7, [sp, #192]\n"
        "mov x0, x10\n"
        "bl " RESOLVE "\n"
        "mov x16, x0\n"
        "ldp q6, q7, [sp, #192]\n"
        "ldp q4, q5, [sp, #160]\n"
        "ldp q2, q3, [sp, #128]\n"
        "ldp q0, q1, [sp, #96]\n"
        "ldp x8, x9, [sp, #80]\n"
        "ldp x6, x7, [sp, #64]\n"
        "ldp x4, x5, [sp, #48]\n"
        "ldp x2, x3, [sp, #32]\n"
        "ldp x0, x1, [sp, #16]\n"
        "ldp x29, x30, [sp], #224\n"
        "str x16, [x9]\n"
        "br x16\n"
#endif
        ISK_END(ISK_BIND_SYMBOL));
