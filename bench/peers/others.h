/* SPDX-License-Identifier: MIT */
#ifndef OTHERS_H
#define OTHERS_H

/* CPU time of the whole machine and of this process, in seconds since the machine and the process started. */
struct usage {
	double used, own, all;
};

struct usage usage_now(void);
/* The share of the remaining CPU time that other processes used: they share caches and memory, and perhaps the core. */
double others_since(const struct usage *begin);

#endif
