/* SPDX-License-Identifier: MIT */
/* A system call without libc, because resolvers run before libc can be called. */
#ifndef ISK_SYSCALL_H
#define ISK_SYSCALL_H

#include <sys/syscall.h>

static inline long isk_syscall6(long number, long a, long b, long c, long d, long e, long f)
{
#ifdef __aarch64__
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;

	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
	return x0;
#else
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long result;

	__asm__ volatile("syscall"
	                 : "=a"(result)
	                 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
	                 : "rcx", "r11", "memory");
	return result;
#endif
}

static inline long isk_syscall(long number, long a, long b, long c, long d, long e)
{
	return isk_syscall6(number, a, b, c, d, e, 0);
}

#endif
