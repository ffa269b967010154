/* SPDX-License-Identifier: MIT */
/* The measurements of bench and tune, and how they are judged and shown. */
#ifndef BENCH_H
#define BENCH_H

#include "command.h"
#include "job.h"
#include "measure.h"

enum { MOST_POINTS = 16 }; /* no kernel has more */

struct point {
	struct problem problem;
	const char *level; /* "L1", "L2", "L3", "memory": the smallest that holds the arrays */
	struct timing *timings; /* one for each candidate */
};

struct result {
	struct isk_kernel_info info;
	const struct isk_kernel *kernel;
	struct isk_candidate *candidates; /* the timed ones, lowest ISA first */
	size_t count;
	int bound; /* index of the bound candidate; -1 if it was not selected */
	struct point points[MOST_POINTS];
	size_t point_count;
};

/*
 * Whether the bound candidate is clearly slower than another one: over all sizes (their geometric mean), or
 * at single ones. All timed candidates count, even capped and disabled ones, because whoever disabled them
 * may want to know the price.
 */
struct verdict {
	int overall;               /* the candidate that is faster over all sizes; -1: none */
	double overall_factor;     /* how many times as fast it is */
	size_t places;             /* the number of sizes at which some candidate is faster */
	int by;                    /* the candidate with the greatest advantage at one size */
	double factor;             /* that advantage: how many times as fast it is */
	const struct point *where; /* the size with that advantage */
};

/*
 * Whether a is slower than b: the median by more than 3 % plus the noise of both, and the best sample by more
 * than 3 %.
 */
int clearly_slower(const struct timing *a, const struct timing *b);

/* The candidate with the lowest median at a size. */
size_t fastest_at(const struct result *r, const struct point *p);

struct verdict judge(const struct result *r);

/* The variant to pin, and how many times as fast it is as the bound one. */
struct advice {
	const char *isa; /* NULL: the bound variant is good */
	double factor;
};

/*
 * Times the candidates twice, because noise would have to err twice in the same direction. Advises the candidate that is
 * faster in both measurements; its factor is the lower one of both, by which the best of several such candidates is chosen.
 */
struct advice advise(struct result *r, int quick, size_t done, size_t all);

/* Call it before the others, so that operands are the same in every run. */
void sizes_start(void);
/* The candidates of the selection that fit and can be timed; NULL if there are none. */
struct result *result_choose(const struct isk_kernel_info *info, const struct selection *s,
                             int (*fits)(const struct isk_candidate *c));
void result_free(struct result *r);
/*
 * Times the candidates at all sizes, or at few if quick. `done` of `all` kernels are finished, for the
 * display of progress.
 */
void result_time(struct result *r, int quick, size_t done, size_t all);

/* The seconds that result_time() will take: a guess, from a few calls of each candidate. */
double result_estimate(struct result *r, int quick);

cJSON *machine_json(void);

void result_print(const struct result *r);
cJSON *result_json(const struct result *r);
/* Writes a complete page. report is the output of --json. An old page stays until the new one is whole. */
void report_write(const char *path, const cJSON *report);
/* Ends the program if the page cannot be written, because it would be a pity to learn that after all measurements. */
void report_check(const char *path);

#endif
