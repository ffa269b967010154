/* SPDX-License-Identifier: MIT */
#ifndef OTHERS_H
#define OTHERS_H

/* CPU time of the whole machine and of this process, in seconds since it was started. */
struct usage {
	double used, own, all;
};

struct usage usage_now(void);
/* Of the time that was not this process's, how much others used: they share caches and memory, and maybe the
 * core. */
double others_since(const struct usage *begin);

#endif
