/* SPDX-License-Identifier: MIT */
/* What bench and tune measure, and how it is judged and shown. */
#ifndef BENCH_H
#define BENCH_H

#include "command.h"
#include "measure.h"

enum { MOST_POINTS = 16 };

struct point {
	struct problem problem;
	const char *level; /* "L1", "L2", "L3", "memory": what the arrays fit in */
	struct timing timings[MOST_CANDIDATES];
};

struct result {
	struct isk_kernel_info info;
	struct isk_candidate candidates[MOST_CANDIDATES]; /* those that were timed, lowest ISA first */
	size_t count;
	int bound; /* which of them; -1 if it was not selected */
	struct point points[MOST_POINTS];
	size_t point_count;
};

/* What people want to know of a shape, and whether more of it is better. */
struct metric {
	const char *name;
	int more;
	double (*of)(const struct problem *p, double ns);
};

const struct metric *metric_of(const char *shape);

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
/* Notes the candidates of the selection that fit; 0 if there are none. */
int result_choose(struct result *r, const struct selection *s, int (*fits)(const struct isk_candidate *c));
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
