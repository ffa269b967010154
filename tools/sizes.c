/* SPDX-License-Identifier: MIT */
/* The variants of a kernel timed at the sizes of its shape, from the first-level cache to memory. */
#include <gnu/libc-version.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"
#include "harness.h"
#include "machine.h"
#include "terminal.h"

void sizes_start(void)
{
	setenv("ISK_TEST_SEED", "1", 1);
	random_start("bench");
}

static const char *level_of(double bytes)
{
	static const char *const names[] = {"L1", "L2", "L3"};

	for (int level = 1; level <= 3; level++)
		if (bytes <= (double)machine_cache(level))
			return names[level - 1];
	return machine_cache(1) ? "memory" : "?";
}

/*
 * Four times the last cache, if memory allows. With --quick, eight times L2, which exceeds L2 and often fits
 * into a cache that many cores share. More is avoided, because one call of a slow variant over all of a
 * shared cache takes a second.
 */
static double largest_set(int quick)
{
	const double caches = quick ? 8 * (double)machine_cache(2) : 4 * (double)machine_cache(3);
	const double wanted = caches > 0 ? caches : quick ? 0x1p23 : 0x1p28, memory = (double)machine_memory() / 8;

	return fmin(fmin(wanted, memory > 0 ? memory : 0x1p26), 0x1p30);
}

/* Whether --quick leaves the size out: if levels are known, it keeps only the largest size of each, memory included. */
static int is_thinned_out(const struct result *r, size_t i)
{
	return machine_cache(1) && i + 1 < r->point_count && strcmp(r->points[i].level, r->points[i + 1].level) == 0;
}

static void points_free(struct result *r)
{
	for (size_t i = 0; i < r->point_count; i++)
		free(r->points[i].timings);
	r->point_count = 0;
}

static void points_set(struct result *r, int quick)
{
	const double limit = largest_set(quick);
	size_t kept = 0;

	points_free(r);
	for (; r->point_count < MOST_POINTS
	       && problem_of(r->kernel, r->point_count, limit, &r->points[r->point_count].problem); r->point_count++)
		r->points[r->point_count].level = level_of(r->points[r->point_count].problem.bytes);
	for (size_t i = 0; i < r->point_count; i++)
		if (!quick || !is_thinned_out(r, i))
			r->points[kept++] = r->points[i];
	r->point_count = kept;
	for (size_t i = 0; i < kept; i++)
		r->points[i].timings = allocate(r->count * sizeof(struct timing));
}

/* The variants of a kernel, for measure(). */
struct variants {
	struct job job;
	isk_function *functions;
};

static struct variants variants_of(const struct result *r)
{
	struct variants variants = {.functions = allocate(r->count * sizeof(*variants.functions))};

	for (size_t v = 0; v < r->count; v++)
		variants.functions[v] = r->candidates[v].fn;
	return variants;
}

static void repeat(void *context, size_t contestant, size_t times)
{
	struct variants *v = context;

	job_repeat(&v->job, v->functions[contestant], times);
}

void result_time(struct result *r, int quick, size_t done, size_t all)
{
	const struct effort effort = effort_of(quick);
	struct variants variants = variants_of(r);

	points_set(r, quick);
	for (size_t i = 0; i < r->point_count; i++) {
		struct point *p = &r->points[i];

		progress("[%zu/%zu] %s %s", done + 1, all, r->info.name, p->problem.label);
		job_prepare(&variants.job, r->kernel, &p->problem);
		measure(repeat, &variants, r->count, &effort, p->timings);
	}
	progress_end();
	free(variants.functions);
}

/*
 * The nanoseconds of one call at a size, given those at another one. The work is products or else elements; beyond the second
 * level, memory limits the speed to some 8 GB/s.
 */
static double call_estimate(const struct point *p, const struct point *known, double ns)
{
	const double work = p->problem.flops > 0 ? p->problem.flops / known->problem.flops : p->problem.elements / known->problem.elements;
	const double memory = *p->level == 'L' && p->level[1] < '3' ? 0 : p->problem.bytes / 8;

	return fmax(ns * work, memory);
}

double result_estimate(struct result *r, int quick)
{
	const struct effort effort = effort_of(quick);
	/* A call that seems to take longer is not made: it would take too large a part of the measurement itself. */
	const double most = 1e5;
	struct variants variants = variants_of(r);
	double *const ns = allocate(r->count * sizeof(*ns)), sum = 0;

	points_set(r, quick);
	for (size_t i = 0; i < r->point_count; i++) {
		const struct point *p = &r->points[i];
		double longest = 0;

		for (size_t v = 0; v < r->count && i > 0; v++) {
			ns[v] = call_estimate(p, p - 1, ns[v]);
			longest = fmax(longest, ns[v]);
		}
		if (longest < most) {
			job_prepare(&variants.job, r->kernel, &p->problem);
			measure_roughly(repeat, &variants, r->count, ns);
		}
		sum += measure_cost(ns, r->count, &effort);
	}
	free(ns);
	free(variants.functions);
	return sum / 1e9;
}

struct result *result_choose(const struct isk_kernel_info *info, const struct selection *s,
                             int (*fits)(const struct isk_candidate *c))
{
	struct result *r = allocate(sizeof(*r));
	const size_t count = candidates_of(info->name, &r->candidates);

	r->info = *info;
	r->kernel = kernel_described(info->name);
	r->bound = -1;
	for (size_t i = 0; i < count && r->kernel; i++) {
		const struct isk_candidate *c = &r->candidates[i];

		if (!fits(c) || !selection_has(s, info->name, c->isa))
			continue;
		if (c->bound)
			r->bound = (int)r->count;
		r->candidates[r->count++] = *c;
	}
	if (r->count)
		return r;
	result_free(r);
	return NULL;
}

void result_free(struct result *r)
{
	points_free(r);
	free(r->candidates);
	free(r);
}

cJSON *machine_json(void)
{
	static const char *const levels[] = {"L1d", "L2", "L3"};
	cJSON *machine = cJSON_CreateObject(), *caches = cJSON_AddObjectToObject(machine, "caches");
	cJSON *isas = cJSON_AddArrayToObject(machine, "isas");
	const time_t seconds = time(NULL);
	char date[32];

	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", gmtime(&seconds));
	cJSON_AddStringToObject(machine, "cpu", machine_cpu());
	for (int level = 1; level <= 3; level++)
		cJSON_AddNumberToObject(caches, levels[level - 1], (double)machine_cache(level));
	for (size_t i = 0; i < asked.isa_count(); i++)
		cJSON_AddItemToArray(isas, cJSON_CreateString(asked.isa_name(i)));
	cJSON_AddStringToObject(machine, "isa_cpu", asked.isa_cpu());
	cJSON_AddStringToObject(machine, "isa_current", asked.isa_current());
	cJSON_AddStringToObject(machine, "glibc", gnu_get_libc_version());
	cJSON_AddStringToObject(machine, "date", date);
	return machine;
}
