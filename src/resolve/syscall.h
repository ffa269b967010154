/* SPDX-License-Identifier: MIT */
/* A system call without libc: resolvers run before its calls can be made. */
#ifndef ISK_SYSCALL_H
#define ISK_SYSCALL_H

#include <sys/syscall.h>

static inline long isk_syscall6(long number, long a, long b, long c, long d, long e, long f)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long result;

	__asm__ volatile("syscall"
	                 : "=a"(result)
	                 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
	                 : "rcx", "r11", "memory");
	return result;
}

static inline long isk_syscall(long number, long a, long b, long c, long d, long e)
{
	return isk_syscall6(number, a, b, c, d, e, 0);
}

#endif
