/* SPDX-License-Identifier: MIT */
/* isakern kernels: the table, as this library holds it. */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "groups.h"
#include "terminal.h"

enum { OPTION_FAMILY = 0x200, OPTION_TYPE };

struct options {
	struct common common;
	const char *family, *type; /* NULL: all */
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case OPTION_FAMILY:
		options->family = arg;
		return 0;
	case OPTION_TYPE:
		options->type = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option argp_options[] = {
	{.name = "family", .key = OPTION_FAMILY, .arg = "FAMILY", .doc = "Only kernels of this family, such as elementwise or reduce"},
	{.name = "type", .key = OPTION_TYPE, .arg = "TYPE", .doc = "Only kernels with this element type in their names, such as f16"},
	{0},
};
static const struct argp argp = {
	.options = argp_options,
	.parser = parse,
	.args_doc = "[KERNEL...]",
	.doc = "Lists the kernels in the order of their names: name, shape, the ISA a call is bound to, whether all ISAs except baseline give the "
	       "same bits, and the error bound in the unit of the shape (see isakern(3)), at baseline after a "
	       "slash if it differs.",
};

static cJSON *row_json(const struct isk_kernel_info *info, const char *isa)
{
	cJSON *row = cJSON_CreateObject();
	char symbol[96];

	snprintf(symbol, sizeof(symbol), "%s_%s", asked.described->prefix, info->name);
	cJSON_AddStringToObject(row, "kernel", info->name);
	cJSON_AddStringToObject(row, "symbol", symbol);
	cJSON_AddStringToObject(row, "shape", info->shape);
	cJSON_AddStringToObject(row, "family", info->family);
	cJSON_AddStringToObject(row, "since", info->since);
	if (isa)
		cJSON_AddStringToObject(row, "bound", isa);
	else
		cJSON_AddNullToObject(row, "bound");
	cJSON_AddStringToObject(row, "bits", info->bits);
	cJSON_AddStringToObject(row, "error", info->error);
	cJSON_AddStringToObject(row, "error_baseline", info->error_baseline);
	cJSON_AddStringToObject(row, "summary", info->summary);
	return row;
}

enum { NAME, SHAPE, BOUND, SAME_BITS, ERROR, FIELDS };
enum { SUMMARY = 8 }; /* the least width worth printing */

/* Prints the first `count` fields of a kernel. If these are all fields, the summary gets the rest of the line. */
static void row_print(const char *const fields[FIELDS], const size_t widths[FIELDS], int count,
                      const char *summary, enum paint first, enum paint rest)
{
	size_t used = 0;

	for (int i = 0; i < count; i++) {
		printf("%s", i ? "  " : "");
		print_field(fields[i], widths[i], i == NAME ? first : i == BOUND && rest == PLAIN ? NOTE : rest);
		used += widths[i] + 2;
	}
	if (count == FIELDS && used + SUMMARY <= terminal_width()) {
		printf("  ");
		print_cut(summary, terminal_width() - used, rest);
	}
	putchar('\n');
}

/*
 * Lines are never broken. A narrow terminal first cuts the shapes, because other commands need the names;
 * then fields are left out, from the last. Returns how many fit.
 */
static int fit(size_t widths[FIELDS])
{
	size_t used = 0, over;
	int count = FIELDS;

	for (int i = 0; i < FIELDS; i++)
		used += widths[i] + (i ? 2 : 0);
	over = used > terminal_width() ? used - terminal_width() : 0;
	over = over < widths[SHAPE] - 1 ? over : widths[SHAPE] - 1;
	widths[SHAPE] -= over;
	for (used -= over; used > terminal_width() && count > 1; count--)
		used -= widths[count - 1] + 2;
	return count;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct isk_kernel_info *)a)->name, ((const struct isk_kernel_info *)b)->name);
}

/* The selected kernels, in the order of their names. */
static size_t select_kernels(const struct options *options, struct isk_kernel_info *out)
{
	size_t count = 0;

	for (size_t i = 0; kernel_info(i, &out[count]); i++)
		count += selection_has_kernel(&options->common.selection, out[count].name)
		         && (!options->family || strcmp(options->family, out[count].family) == 0)
		         && (!options->type || kernel_has_type(out[count].name, options->type));
	qsort(out, count, sizeof(*out), by_name);
	return count;
}

static void groups_check(const struct options *options)
{
	const struct groups all_families = families(), all_types = element_types();

	if (options->family)
		group_check("family", options->family, &all_families);
	if (options->type)
		group_check("type", options->type, &all_types);
}

/* Ends the program with one line, because no selected kernel is in the groups that the options name. */
static void none_fits(const struct options *options)
{
	const char *family = options->family, *type = options->type;

	errx(USAGE, "none of these kernels is of %s%s%s%s%s", family ? "the family " : "", family ? family : "",
	     family && type ? " and of " : "", type ? "the type " : "", type ? type : "");
}

static int command_run(int argc, char **argv)
{
	static const char *const titles[FIELDS] = {"kernel", "shape", "bound to", "bits", "error"};
	struct options options = {0};
	struct isk_kernel_info *kernels = allocate((asked.kernel_count() + 1) * sizeof(*kernels));
	size_t widths[FIELDS] = {0}, count;
	cJSON *rows = cJSON_CreateArray();
	int shown = FIELDS;

	options_parse(&argp, argc, argv, &options);
	selection_check(&options.common.selection, KERNELS);
	groups_check(&options);
	count = select_kernels(&options, kernels);
	if (count == 0 && (options.family || options.type))
		none_fits(&options);
	for (int i = 0; i < FIELDS; i++)
		widen(&widths[i], titles[i]);
	/* Twice: first for the widths, then for the rows. */
	for (int print = 0; print < 2; print++) {
		if (print)
			shown = fit(widths);
		if (print && !options.common.json)
			row_print(titles, widths, shown, "summary", DIM, DIM);
		for (size_t i = 0; i < count; i++) {
			const struct isk_kernel_info *info = &kernels[i];
			const char *isa = bound_isa(info->name);
			char error[64];
			const char *fields[FIELDS] = {info->name, info->shape, isa ? isa : "-", info->bits, error};

			snprintf(error, sizeof(error), strcmp(info->error, info->error_baseline) ? "%s/%s" : "%s",
			         info->error, info->error_baseline);
			for (int j = 0; j < FIELDS && !print; j++)
				widen(&widths[j], fields[j]);
			if (print && options.common.json)
				cJSON_AddItemToArray(rows, row_json(info, isa));
			else if (print)
				row_print(fields, widths, shown, info->summary, BOLD, PLAIN);
		}
	}
	free(kernels);
	if (options.common.json)
		json_print(rows);
	else
		cJSON_Delete(rows);
	return DONE;
}

const struct command command_kernels = {"kernels", "every kernel and the variant it is bound to", &argp, command_run};
