/* SPDX-License-Identifier: MIT */
/* What bench and tune measure, and how it is judged and shown. */
#ifndef BENCH_H
#define BENCH_H

#include "command.h"
#include "measure.h"

enum { MOST_POINTS = 16 }; /* of which no kernel has more */

struct point {
	struct problem problem;
	const char *level; /* "L1", "L2", "L3", "memory": what the arrays fit in */
	struct timing *timings; /* one a candidate */
};

struct result {
	struct isk_kernel_info info;
	const struct isk_kernel *kernel;
	struct isk_candidate *candidates; /* those that are timed, lowest ISA first */
	size_t count;
	int bound; /* which of them; -1 if it was not selected */
	struct point points[MOST_POINTS];
	size_t point_count;
};

/*
 * Whether the bound candidate is clearly slower than another one: over all sizes
 * (their geometric mean), or at single ones. All that were timed count, capped
 * and disabled ones too: who did that may want to know its price.
 */
struct verdict {
	int overall;               /* the candidate that is faster over all; -1: none is */
	double overall_factor;     /* how many times as fast that is */
	size_t places;             /* at how many sizes another one is faster, */
	int by;                    /* the one that is by most, */
	double factor;             /* by how much, */
	const struct point *where; /* and where */
};

struct verdict judge(const struct result *r);

/* Before all others: operands are the same in every run. */
void sizes_start(void);
/* What is to be timed of a kernel: the candidates of the selection that fit; NULL if there are none. */
struct result *result_choose(const struct isk_kernel_info *info, const struct selection *s,
                             int (*fits)(const struct isk_candidate *c));
void result_free(struct result *r);
/* Times them at all sizes, or few if it is to be quick, as the kernel after the first done of all. */
void result_time(struct result *r, int quick, size_t done, size_t all);

cJSON *machine_json(void);

void result_print(const struct result *r);
cJSON *result_json(const struct result *r);
/* A page with everything in it; report is what --json prints. An old page stays until the new one is whole. */
void report_write(const char *path, const cJSON *report);
/* Ends the program if that will not do: it would be a pity to know only when all is measured. */
void report_check(const char *path);

#endif
