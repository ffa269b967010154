/* SPDX-License-Identifier: MIT */
/* isakern bench: every variant of a kernel on problems from the first-level cache to memory. */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "output.h"

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
	case OPTION_QUICK:
		options->quick = 1;
		return 0;
	case OPTION_HTML:
		if (!*arg)
			argp_error(state, "--html: the name of a file is wanted");
		options->html = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option argp_options[] = {
	{.name = "quick", .key = OPTION_QUICK, .doc = "One size for each level of cache, up to eight times L2; fewer samples"},
	{.name = "html", .key = OPTION_HTML, .arg = "FILE", .doc = "Write a page with plots as well"},
	{0},
};
static const struct argp argp = {
	.options = argp_options,
	.parser = parse,
	.args_doc = "[KERNEL[/ISA]...]",
	.doc = "Times every variant that this machine can run, also those that a cap or a pin keeps from being bound, "
	       "in turns, on one thread, again and again on the same arrays, and says whether the bound one is the "
	       "fastest."
	       "\vTimes are medians of this thread's CPU time; the spread (in --json and the page) is the median "
	       "distance from the median. A variant counts as slower if its median is larger by more than 3 % plus "
	       "twice the spread of both, and its best sample by 3 %. Beyond the caches, other programs affect times.",
};

/* Says why nothing can be timed of a kernel. */
static void untimed_print(const char *kernel, const struct selection *selection)
{
	struct isk_candidate *candidates;
	const size_t count = candidates_of(kernel, &candidates);

	for (size_t i = 0; i < count; i++)
		if (selection_has(selection, kernel, candidates[i].isa))
			printf("%s/%s is not timed: %s\n", kernel, candidates[i].isa,
			       kernel_described(kernel) ? candidates[i].reason : "this program was made without that kernel");
	free(candidates);
}

static int command_run(int argc, char **argv)
{
	struct options options = {0};
	cJSON *report = cJSON_CreateObject(), *kernels = cJSON_CreateArray();
	const struct selection *selection = &options.common.selection;
	size_t selected = 0, done = 0, judged = 0, beaten = 0;
	struct isk_kernel_info info;

	options_parse(&argp, argc, argv, &options);
	selection_check(selection, VARIANTS);
	if (options.html)
		report_check(options.html);
	sizes_start();
	for (size_t i = 0; kernel_info(i, &info); i++)
		selected += (size_t)selection_has_kernel(selection, info.name);
	cJSON_AddStringToObject(report, "isakern", isk_version());
	cJSON_AddItemToObject(report, "machine", machine_json());
	cJSON_AddBoolToObject(report, "quick", options.quick);
	for (size_t i = 0; kernel_info(i, &info); i++) {
		struct result *r;

		if (!selection_has_kernel(selection, info.name))
			continue;
		r = result_choose(&info, selection, candidate_runs);
		if (r) {
			result_time(r, options.quick, done, selected);
			judged += r->bound >= 0;
			beaten += judge(r).overall >= 0;
			if (!options.common.json)
				result_print(r);
			cJSON_AddItemToArray(kernels, result_json(r));
			result_free(r);
		} else if (!options.common.json) {
			untimed_print(info.name, selection);
		}
		output_flush();
		done++;
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

const struct command command_bench = {"bench", "every variant timed: is the bound one the fastest?", &argp, command_run};
