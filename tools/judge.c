/* SPDX-License-Identifier: MIT */
/* Judges times: whether another variant is faster than the bound one beyond noise. */
#include <err.h>
#include <math.h>
#include <stdlib.h>

#include "bench.h"

int clearly_slower(const struct timing *a, const struct timing *b)
{
	return a->ns > b->ns * (1.03 + 2 * (a->spread + b->spread)) && a->least > b->least * 1.03;
}

size_t fastest_at(const struct result *r, const struct point *p)
{
	size_t best = 0;

	for (size_t v = 1; v < r->count; v++)
		if (p->timings[v].ns < p->timings[best].ns)
			best = v;
	return best;
}

/* How many times as fast a candidate is as the bound one, over all sizes; 1 if noise may explain the difference. */
static double overall_factor(const struct result *r, size_t v)
{
	double logarithms = 0, noise = 0, factor;

	for (size_t i = 0; i < r->point_count; i++) {
		const struct timing *bound = &r->points[i].timings[r->bound], *other = &r->points[i].timings[v];

		logarithms += log(bound->ns / other->ns);
		noise += bound->spread + other->spread;
	}
	factor = exp(logarithms / (double)r->point_count);
	return factor > 1.03 + noise / (double)r->point_count ? factor : 1;
}

struct verdict judge(const struct result *r)
{
	struct verdict verdict = {.overall = -1, .overall_factor = 1, .factor = 1};

	if (r->bound < 0)
		return verdict;
	for (size_t v = 0; v < r->count; v++)
		if (overall_factor(r, v) > verdict.overall_factor) {
			verdict.overall = (int)v;
			verdict.overall_factor = overall_factor(r, v);
		}
	for (size_t i = 0; i < r->point_count; i++) {
		const struct point *p = &r->points[i];
		const size_t best = fastest_at(r, p);
		const double factor = p->timings[r->bound].ns / p->timings[best].ns;

		if (!clearly_slower(&p->timings[r->bound], &p->timings[best]))
			continue;
		verdict.places++;
		if (factor > verdict.factor) {
			verdict.by = (int)best;
			verdict.factor = factor;
			verdict.where = p;
		}
	}
	return verdict;
}

struct advice advise(struct result *r, int quick, size_t done, size_t all)
{
	struct advice advice = {NULL, 1};
	double *first;

	result_time(r, quick, done, all);
	if (judge(r).overall < 0)
		return advice;
	first = calloc(r->count, sizeof(*first));
	if (!first)
		err(FAILED, "memory for measurements");
	for (size_t v = 0; v < r->count; v++)
		first[v] = overall_factor(r, v);
	result_time(r, quick, done, all);
	for (size_t v = 0; v < r->count; v++) {
		const double second = overall_factor(r, v), factor = second < first[v] ? second : first[v];

		if (factor > advice.factor) {
			advice.isa = r->candidates[v].isa;
			advice.factor = factor;
		}
	}
	free(first);
	return advice;
}
