/* SPDX-License-Identifier: MIT */
#include "others.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "stats.h"

struct usage usage_now(void)
{
	/* user, nice, system, idle, waiting for devices, interrupts of two kinds */
	unsigned long long ticks[7] = {0}, all = 0;
	FILE *file = fopen("/proc/stat", "re");
	const double second = (double)sysconf(_SC_CLK_TCK);

	if (file) {
		if (fscanf(file, "cpu %llu %llu %llu %llu %llu %llu %llu", &ticks[0], &ticks[1], &ticks[2], &ticks[3],
		           &ticks[4], &ticks[5], &ticks[6]) != 7)
			ticks[3] = 0;
		fclose(file);
	}
	for (int i = 0; i < 7; i++)
		all += ticks[i];
	return (struct usage){(double)(all - ticks[3] - ticks[4]) / second,
	                      clock_ns(CLOCK_PROCESS_CPUTIME_ID) / 1e9, (double)all / second};
}

double others_since(const struct usage *begin)
{
	const struct usage now = usage_now();
	const double own = now.own - begin->own, rest = now.all - begin->all - own;
	const double share = rest > 0 ? (now.used - begin->used - own) / rest : 0;

	return share < 0 ? 0 : share > 1 ? 1 : share;
}
