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

/* Four times the last cache, where there is memory enough for arrays of it. */
static double largest_set(void)
{
	const double caches = 4 * (double)machine_cache(3), memory = (double)machine_memory() / 8;
	const double wanted = caches > 0 ? caches : 0x1p28;

	return fmin(fmin(wanted, memory > 0 ? memory : 0x1p26), 0x1p30);
}

/* The quick ones: of each level the largest but one quarter of it, the last of memory. */
static void thin_out(struct result *r)
{
	size_t kept = 0;

	for (size_t i = 0; i < r->point_count; i++)
		if (i + 1 == r->point_count || strcmp(r->points[i].level, r->points[i + 1].level) != 0)
			r->points[kept++] = r->points[i];
	r->point_count = kept;
}

void result_time(struct result *r, int quick, size_t done, size_t all)
{
	const struct kernel *kernel = kernel_find(r->info.name);
	const struct operands operands = {elem_bytes(kernel->in), elem_bytes(kernel->out), kernel->inputs};
	const struct effort effort = quick ? (struct effort){9, 1e5, 3e7} : (struct effort){21, 2e5, 3e8};
	const double limit = largest_set();
	function variants[MOST_CANDIDATES];
	struct job job;

	r->point_count = 0;
	while (r->point_count < MOST_POINTS
	       && shape_problem(r->info.shape, operands, r->point_count, limit, &r->points[r->point_count].problem)) {
		struct point *p = &r->points[r->point_count++];

		p->level = level_of(p->problem.bytes);
	}
	if (quick)
		thin_out(r);
	for (size_t v = 0; v < r->count; v++)
		variants[v] = r->candidates[v].fn;
	for (size_t i = 0; i < r->point_count; i++) {
		struct point *p = &r->points[i];

		progress("[%zu/%zu] %s %s", done + 1, all, r->info.name, p->problem.label);
		job_prepare(&job, kernel, r->info.shape, &p->problem, (size_t)limit);
		measure(repeat_of(r->info.name), &job, variants, r->count, &effort, p->timings);
	}
	progress_end();
}

int result_choose(struct result *r, const struct selection *s, int (*fits)(const struct isk_candidate *c))
{
	struct isk_candidate all[MOST_CANDIDATES];
	const size_t count = candidates_of(r->info.name, all);

	r->bound = -1;
	for (size_t i = 0; i < count; i++) {
		if (!fits(&all[i]) || !selection_has(s, r->info.name, all[i].isa))
			continue;
		if (all[i].bound)
			r->bound = (int)r->count;
		r->candidates[r->count++] = all[i];
	}
	return r->count != 0;
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
	for (size_t i = 0; i < isk_isa_count(); i++)
		cJSON_AddItemToArray(isas, cJSON_CreateString(isk_isa_name(i)));
	cJSON_AddStringToObject(machine, "isa_cpu", isk_isa_cpu());
	cJSON_AddStringToObject(machine, "isa_current", isk_isa_current());
	cJSON_AddStringToObject(machine, "glibc", gnu_get_libc_version());
	cJSON_AddStringToObject(machine, "date", date);
	return machine;
}
