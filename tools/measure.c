/* SPDX-License-Identifier: MIT */
#include "measure.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "command.h"
#include "stats.h"

enum { MOST_ROUNDS = 64, LEAST_ROUNDS = 5 };

struct effort effort_of(int quick)
{
	return quick ? (struct effort){9, 1e5, 3e7} : (struct effort){21, 2e5, 3e8};
}

/* The CPU time of this thread, which other programs do not increase. */
static double now(void)
{
	return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

static double sample(repeat_fn *repeat, void *context, size_t contestant, size_t times)
{
	const double begin = now();

	repeat(context, contestant, times);
	return (now() - begin) / (double)times;
}

static struct timing summarise(double *samples, size_t count)
{
	struct timing t;

	t.ns = median(samples, count);
	t.least = samples[0];
	for (size_t i = 0; i < count; i++)
		samples[i] = fabs(samples[i] - t.ns);
	t.spread = t.ns > 0 ? median(samples, count) / t.ns : 0;
	return t;
}

/*
 * The number of calls that take about the wanted time. The first call is not timed, because it waits for pages and would be
 * taken for the time of all. Doubling also warms caches and the clock.
 */
static size_t calibrate(repeat_fn *repeat, void *context, size_t contestant, double wanted)
{
	size_t times = 1;

	repeat(context, contestant, 1);
	for (;;) {
		const double each = sample(repeat, context, contestant, times), total = each * (double)times;

		if (total >= wanted / 2 || each >= wanted)
			return each >= wanted ? 1 : (size_t)(wanted / each) + 1;
		times *= total > 0 && total < wanted / 16 ? 8 : 2;
	}
}

void measure(repeat_fn *repeat, void *context, size_t count, const struct effort *effort, struct timing *timings)
{
	double (*samples)[MOST_ROUNDS] = allocate(count * sizeof(*samples));
	size_t *times = allocate(count * sizeof(*times));
	double begin;
	int rounds = 0;

	for (size_t v = 0; v < count; v++)
		times[v] = calibrate(repeat, context, v, effort->sample_ns);
	begin = now();
	while (rounds < effort->rounds && rounds < MOST_ROUNDS
	       && (rounds < LEAST_ROUNDS || now() - begin < effort->budget_ns)) {
		/* Each round begins with another contestant, so that none always follows the same one. */
		for (size_t i = 0; i < count; i++) {
			const size_t v = (i + (size_t)rounds) % count;

			samples[v][rounds] = sample(repeat, context, v, times[v]);
		}
		rounds++;
	}
	for (size_t v = 0; v < count; v++)
		timings[v] = summarise(samples[v], (size_t)rounds);
	free(samples);
	free(times);
}

void measure_roughly(repeat_fn *repeat, void *context, size_t count, double *ns)
{
	const double enough = 2e4;

	for (size_t v = 0; v < count; v++) {
		size_t times = 1;

		repeat(context, v, 1);
		while ((ns[v] = sample(repeat, context, v, times)) * (double)times < enough)
			times *= 8;
	}
}

double measure_cost(const double *ns, size_t count, const struct effort *effort)
{
	double calibration = 0, round = 0, rounds;

	for (size_t v = 0; v < count; v++) {
		/* A first call, and samples that grow until they take half of the time wanted, or one that takes longer. */
		calibration += 2 * ns[v] + (ns[v] < effort->sample_ns ? effort->sample_ns : 0);
		round += ns[v] < effort->sample_ns ? effort->sample_ns : ns[v];
	}
	rounds = fmin(fmax(ceil(effort->budget_ns / round), LEAST_ROUNDS), effort->rounds);
	return calibration + rounds * round;
}

void announce(size_t count, const char *what, double seconds)
{
	const unsigned long long s = (unsigned long long)ceil(seconds), minutes = (s + 30) / 60;

	fprintf(stderr, "%s: %zu %s%s, about ", program_invocation_short_name, count, what, count == 1 ? "" : "s");
	if (s < 120)
		fprintf(stderr, "%llu s\n", s);
	else if (minutes < 120)
		fprintf(stderr, "%llu min\n", minutes);
	else
		fprintf(stderr, "%llu h %llu min\n", minutes / 60, minutes % 60);
}
