/* SPDX-License-Identifier: MIT */
/*
 * The entry of a kernel by pointer.h, and bind.c, with a resolver that destroys all argument registers. The
 * first call must still receive its own arguments, and later calls must not resolve again.
 */
#include "ifunc.h"

#include <stdio.h>

/* A struct that is returned in memory, and more arguments of each kind than there are registers. */
struct sums {
	double whole, real, unused[6];
};

typedef struct sums probe(long, long, long, long, long, long, long, long, long, long, double, double, double, double,
                          double, double, double, double, double, double);

extern probe ISK_NAME(probe), ISK_NAME(alias), isk_alias;
__attribute__((visibility("hidden"))) const char ISK_NAME(row__probe)[] = "probe", ISK_NAME(row__alias)[] = "alias";

ISK_ENTRY(probe);
ISK_ENTRY(alias);
ISK_OVERRIDE(alias);

static struct sums variant(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j, double k,
                           double l, double m, double n, double o, double p, double q, double r, double s, double t)
{
	return (struct sums){
		.whole = (double)(a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j),
		.real = k + 2 * l + 3 * m + 4 * n + 5 * o + 6 * p + 7 * q + 8 * r + 9 * s + 10 * t,
	};
}

static int asked;
static const void *asked_of;
static int aligned = 1;

void *isk_resolve(const struct isk_row *row)
{
	asked++;
	asked_of = row;
	aligned &= (uintptr_t)__builtin_frame_address(0) % 16 == 0;
#ifdef __x86_64__
#define SPOIL(n) "pcmpeqd %%xmm" #n ", %%xmm" #n "\n"
	__asm__ volatile(SPOIL(0) SPOIL(1) SPOIL(2) SPOIL(3) SPOIL(4) SPOIL(5) SPOIL(6) SPOIL(7)
	                 "mov $-1, %%rdi\nmov %%rdi, %%rsi\nmov %%rdi, %%rdx\nmov %%rdi, %%rcx\nmov %%rdi, %%r8\n"
	                 "mov %%rdi, %%r9\nmov %%rdi, %%r10\nmov %%rdi, %%r11\n" :
	                 : : "rdi", "rsi", "rdx", "rcx", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2", "xmm3",
	                   "xmm4", "xmm5", "xmm6", "xmm7");
#else
#define SPOIL(n) "movi v" #n ".16b, #255\nmov x" #n ", #-1\n"
	__asm__ volatile(SPOIL(0) SPOIL(1) SPOIL(2) SPOIL(3) SPOIL(4) SPOIL(5) SPOIL(6) SPOIL(7)
	                 "mov x8, #-1\nmov x9, #-1\nmov x10, #-1\n" :
	                 : : "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "v0", "v1", "v2", "v3",
	                   "v4", "v5", "v6", "v7");
#endif
	return (void *)(uintptr_t)variant;
}

/* Every sum of products is 385 only if each argument is in its place. */
static int is_right(probe *call)
{
	const struct sums s = call(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);

	return s.whole == 385 && s.real == 385;
}

int main(void)
{
	const int first = is_right(ISK_NAME(probe)), once = asked, of_probe = asked_of == ISK_NAME(row__probe);
	const int second = is_right(ISK_NAME(probe)), still = asked;
	const int other = is_right(isk_alias) && is_right(ISK_NAME(alias));

	printf("first=%d once=%d of_probe=%d second=%d still=%d other=%d asked=%d of_alias=%d aligned=%d same=%d\n", first,
	       once, of_probe, second, still, other, asked, asked_of == ISK_NAME(row__alias), aligned,
	       isk_alias == ISK_NAME(alias));
	return 0;
}
