/* SPDX-License-Identifier: MIT */
/* isakern bench: every variant of a kernel on problems from the first-level cache to memory. */
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

enum { OPTION_QUICK = 0x300, OPTION_HTML };

struct options {
	struct common common;
	int quick;
	const char *html;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->common;
		return 0;
	case OPTION_QUICK:
		options->quick = 1;
		return 0;
	case OPTION_HTML:
		options->html = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option argp_options[] = {
	{.name = "quick", .key = OPTION_QUICK, .doc = "One size for each level of cache, fewer samples"},
	{.name = "html", .key = OPTION_HTML, .arg = "FILE", .doc = "Write a page with plots as well"},
	{0},
};
static const struct argp_child children[] = {{.argp = &common_argp}, {0}};
static const struct argp argp = {
	.options = argp_options,
	.parser = parse,
	.args_doc = "[KERNEL[/ISA]...]",
	.doc = "Times every variant that this machine can run, also those that a cap or a pin keeps from being bound, "
	       "in turns, on one thread, again and again on the same arrays; and tells whether the bound one is the "
	       "fastest."
	       "\vShown are medians of this thread's CPU time; the spread (in --json and the page) is the median "
	       "distance from the median. A variant counts as slower if its median is so by more than 3 % and twice "
	       "the spread of both, and its best sample by 3 %. Beyond the caches, what other programs do shows.",
	.children = children,
};

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

static void time_kernel(struct result *r, const struct options *options, size_t done, size_t all)
{
	const struct kernel *kernel = kernel_find(r->info.name);
	const struct operands operands = {elem_bytes(kernel->in), elem_bytes(kernel->out), kernel->inputs};
	const struct effort effort = options->quick ? (struct effort){9, 1e5, 3e7} : (struct effort){21, 2e5, 3e8};
	const double limit = largest_set();
	function variants[MOST_CANDIDATES];
	struct job job;

	while (r->point_count < MOST_POINTS
	       && shape_problem(r->info.shape, operands, r->point_count, limit, &r->points[r->point_count].problem)) {
		struct point *p = &r->points[r->point_count++];

		p->level = level_of(p->problem.bytes);
	}
	if (options->quick)
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

/* The candidates of the selection that can be called here; 0 if there are none. */
static int choose(struct result *r, const struct selection *s)
{
	struct isk_candidate all[MOST_CANDIDATES];
	const size_t count = candidates_of(r->info.name, all);

	r->bound = -1;
	for (size_t i = 0; i < count; i++) {
		if (!candidate_runs(&all[i]) || !selection_has(s, r->info.name, all[i].isa))
			continue;
		if (all[i].bound)
			r->bound = (int)r->count;
		r->candidates[r->count++] = all[i];
	}
	return r->count != 0;
}

static cJSON *machine_json(void)
{
	static const char *const levels[] = {"L1d", "L2", "L3"};
	cJSON *machine = cJSON_CreateObject(), *caches = cJSON_AddObjectToObject(machine, "caches");
	const time_t seconds = time(NULL);
	char date[32];

	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", gmtime(&seconds));
	cJSON_AddStringToObject(machine, "cpu", machine_cpu());
	for (int level = 1; level <= 3; level++)
		cJSON_AddNumberToObject(caches, levels[level - 1], (double)machine_cache(level));
	cJSON_AddStringToObject(machine, "isa_cpu", isk_isa_cpu());
	cJSON_AddStringToObject(machine, "isa_current", isk_isa_current());
	cJSON_AddStringToObject(machine, "glibc", gnu_get_libc_version());
	cJSON_AddStringToObject(machine, "date", date);
	return machine;
}

int command_bench(int argc, char **argv)
{
	struct options options = {0};
	cJSON *report = cJSON_CreateObject(), *kernels = cJSON_CreateArray();
	size_t selected = 0, done = 0, judged = 0, beaten = 0;
	struct isk_kernel_info info;

	options_parse(&argp, argc, argv, &options);
	selection_check(&options.common.selection, 1);
	setenv("ISK_TEST_SEED", "1", 1);
	random_start("bench");
	for (size_t i = 0; isk_kernel_info(i, &info) == ISK_OK; i++)
		selected += (size_t)selection_has_kernel(&options.common.selection, info.name);
	cJSON_AddStringToObject(report, "isakern", isk_version());
	cJSON_AddItemToObject(report, "machine", machine_json());
	cJSON_AddBoolToObject(report, "quick", options.quick);
	for (size_t i = 0; isk_kernel_info(i, &info) == ISK_OK; i++) {
		struct result *r = allocate(sizeof(*r));

		r->info = info;
		if (selection_has_kernel(&options.common.selection, info.name)
		    && choose(r, &options.common.selection)) {
			time_kernel(r, &options, done, selected);
			judged += r->bound >= 0;
			beaten += judge(r).overall >= 0;
			if (!options.common.json)
				result_print(r);
			fflush(stdout);
			cJSON_AddItemToArray(kernels, result_json(r));
		}
		done += (size_t)selection_has_kernel(&options.common.selection, info.name);
		free(r);
	}
	cJSON_AddItemToObject(report, "kernels", kernels);
	if (options.html)
		report_write(options.html, report);
	if (options.common.json)
		json_print(report);
	else
		cJSON_Delete(report);
	if (!options.common.json)
		printf("%zu of %zu kernels are bound to the variant that is fastest over all sizes%s%s\n", judged - beaten, judged,
		       options.html ? "; plots in " : "", options.html ? options.html : "");
	return DONE;
}
