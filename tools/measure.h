/* SPDX-License-Identifier: MIT */
/* Times of several contestants on one problem, taken in turn, so that a disturbance affects all of them. */
#ifndef MEASURE_H
#define MEASURE_H

#include <stddef.h>

struct timing {
	double ns;     /* median of a call */
	double least;
	double spread; /* median distance from the median, as a share of the median: half of all samples are nearer */
};

struct effort {
	int rounds;       /* samples of each contestant, as long as the budget lasts; never less than 5 */
	double sample_ns; /* the least time that a sample should take */
	double budget_ns; /* for all samples of a problem */
};

/* That of bench and tune, with or without --quick. */
struct effort effort_of(int quick);

/* Lets one contestant compute the problem, `times` times. */
typedef void repeat_fn(void *context, size_t contestant, size_t times);

void measure(repeat_fn *repeat, void *context, size_t count, const struct effort *effort, struct timing *timings);

/* Sets ns to the time of one call of each contestant: a guess, from a few calls. */
void measure_roughly(repeat_fn *repeat, void *context, size_t count, double *ns);
/* The nanoseconds that measure() takes for contestants of which a call takes ns. */
double measure_cost(const double *ns, size_t count, const struct effort *effort);
/* Tells on stderr how long the measurements of `count` things will take. */
void announce(size_t count, const char *what, double seconds);

#endif
