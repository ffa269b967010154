/* SPDX-License-Identifier: MIT */
/*
 * isakern tune: times every variant that could be bound, and prints the ISAKERN_BIND that would be faster, if
 * there is one; or times plans of products (plans.c).
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "output.h"
#include "plans.h"
#include "terminal.h"

enum { OPTION_QUICK = 0x400, OPTION_SIZES };

struct options {
	struct common common;
	int quick;
	const char *sizes; /* NULL: kernels are tuned */
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case OPTION_QUICK:
		options->quick = 1;
		return 0;
	case OPTION_SIZES:
		options->sizes = arg;
		return 0;
	case ARGP_KEY_END:
		if (options->sizes && options->common.selection.count)
			argp_error(state, "--sizes takes no kernels");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option argp_options[] = {
	{.name = "quick", .key = OPTION_QUICK, .doc = "One size for each level of cache, up to eight times L2; fewer samples"},
	{.name = "sizes", .key = OPTION_SIZES, .arg = "MxNxK,...",
	 .doc = "Times plans of products of unpacked matrices of these sizes instead, and prints a profile for ISAKERN_PROFILE"},
	{0},
};
static const struct argp argp = {
	.options = argp_options,
	.parser = parse,
	.args_doc = "[KERNEL...]",
	.doc = "Times every variant that ISAKERN_BIND could choose here, as bench does, and prints the line that would be "
	       "faster than the variants bound now, or says that there is none. Says first, on stderr, how long that takes."
	       "\vA variant is named if it is faster over all sizes, beyond noise, in two measurements. The line replaces "
	       "the ISAKERN_BIND in force, and repeats its pins that are not slower. Variants that are capped or "
	       "disabled are not timed; isakern bench does. A profile is a text file with a line for each product for which another ISA or "
	       "another way is faster; isk_matmul_plan() follows it. The exit status is 0 whether there is a line or not.",
};

/* Whether a pin of the candidate would take effect: it would not above a cap, for instance. */
static int can_be_bound(const struct isk_candidate *c)
{
	return c->fn && (c->state == ISK_USABLE || c->state == ISK_DEMOTED || c->state == ISK_PINNED);
}

/* Whether ISAKERN_BIND chose the bound variant. */
static int is_pinned(const char *kernel)
{
	struct isk_candidate *candidates;
	const size_t count = candidates_of(kernel, &candidates);
	int pinned = 0;

	for (size_t i = 0; i < count; i++)
		pinned |= candidates[i].state == ISK_PINNED;
	free(candidates);
	return pinned;
}

/* The line for ISAKERN_BIND, made pin by pin. */
struct line {
	char *text;
	size_t length;
	FILE *stream;
};

static void line_open(struct line *line)
{
	line->stream = open_memstream(&line->text, &line->length);
	if (!line->stream)
		err(FAILED, "memory for ISAKERN_BIND");
}

static void line_add(struct line *line, const char *kernel, const char *isa)
{
	fflush(line->stream);
	fprintf(line->stream, "%s%s=%s", line->length ? "," : "", kernel, isa);
}

/* The seconds that the measurements of the selected kernels take, if no variant needs a second one. */
static double estimate(const struct selection *selection, int quick)
{
	struct isk_kernel_info info;
	double sum = 0;

	for (size_t i = 0; kernel_info(i, &info); i++) {
		struct result *r = selection_has_kernel(selection, info.name) ? result_choose(&info, selection, can_be_bound) : NULL;

		if (!r)
			continue;
		sum += r->bound >= 0 ? result_estimate(r, quick) : 0;
		result_free(r);
	}
	return sum;
}

/* The widths of the columns, known in advance because rows are printed as they are found. */
struct table {
	size_t kernel, isa;
};

static void row_print(const struct table *t, const struct result *r, const struct advice *advice, int title)
{
	const int kernel = (int)t->kernel, isa = (int)t->isa;

	if (title)
		printf("%s  %-*s  %-*s  %-*s  %s%s\n", paint(DIM), kernel, "kernel", isa, "bound to", isa, "faster",
		       "times as fast", paint(PLAIN));
	printf("  %-*s  %-*s  %s%-*s  %.2f%s\n", kernel, r->info.name, isa, r->candidates[r->bound].isa,
	       paint(GOOD), isa, advice->isa, advice->factor, paint(PLAIN));
	output_flush();
}

static cJSON *row_json(const struct result *r, const struct advice *advice)
{
	cJSON *kernel = result_json(r);

	cJSON_AddItemToObject(kernel, "faster", advice->isa ? cJSON_CreateString(advice->isa) : cJSON_CreateNull());
	cJSON_AddNumberToObject(kernel, "times_as_fast", advice->factor);
	return kernel;
}

static int command_run(int argc, char **argv)
{
	struct options options = {0};
	const struct selection *selection = &options.common.selection;
	cJSON *report = cJSON_CreateObject(), *kernels = cJSON_CreateArray();
	struct table table = {strlen("kernel"), strlen("bound to")};
	size_t selected = 0, done = 0, found = 0;
	double seconds;
	struct isk_kernel_info info;
	struct line line;

	options_parse(&argp, argc, argv, &options);
	selection_check(selection, KERNELS);
	if (options.sizes) {
		plans_tune(options.sizes, options.quick, options.common.json);
		return DONE;
	}
	sizes_start();
	line_open(&line);
	for (size_t i = 0; i < asked.isa_count(); i++)
		widen(&table.isa, asked.isa_name(i));
	for (size_t i = 0; kernel_info(i, &info); i++)
		if (selection_has_kernel(selection, info.name)) {
			widen(&table.kernel, info.name);
			selected++;
		}
	seconds = estimate(selection, options.quick);
	announce(selected, "kernel", seconds);
	for (size_t i = 0; kernel_info(i, &info); i++) {
		struct result *r =
			selection_has_kernel(selection, info.name) ? result_choose(&info, selection, can_be_bound) : NULL;
		struct advice advice = {NULL, 1};

		if (r && r->bound >= 0) {
			advice = advise(r, options.quick, done++, selected);
			cJSON_AddItemToArray(kernels, row_json(r, &advice));
		}
		if (advice.isa && !options.common.json)
			row_print(&table, r, &advice, found == 0);
		found += advice.isa != NULL;
		if (advice.isa || is_pinned(info.name))
			line_add(&line, info.name, advice.isa ? advice.isa : bound_isa(info.name));
		if (r)
			result_free(r);
	}
	fclose(line.stream);
	if (options.common.json) {
		cJSON_AddStringToObject(report, "isakern", isk_version());
		cJSON_AddItemToObject(report, "machine", machine_json());
		cJSON_AddBoolToObject(report, "quick", options.quick);
		cJSON_AddNumberToObject(report, "estimated_seconds", seconds);
		cJSON_AddItemToObject(report, "bind", found ? cJSON_CreateString(line.text) : cJSON_CreateNull());
		cJSON_AddItemToObject(report, "kernels", kernels);
		json_print(report);
	} else if (found) {
		printf("\n%s=%s\n", asked.described->bind, line.text);
	} else {
		printf("%zu of %zu kernels are bound to the variant that is fastest here: nothing to set\n", done, done);
	}
	if (!options.common.json) {
		cJSON_Delete(report);
		cJSON_Delete(kernels);
	}
	free(line.text);
	return DONE;
}

const struct command command_tune = {"tune", "the ISAKERN_BIND that would be faster here, if any", &argp, command_run};
