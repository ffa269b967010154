/* SPDX-License-Identifier: MIT */
/* isakern kernels: the table, as this library holds it. */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "terminal.h"

static const struct argp argp = {
	.args_doc = "[KERNEL...]",
	.doc = "Lists the kernels: name, shape, the ISA a call is bound to, whether all ISAs but baseline give the "
	       "same bits, and the error bound in the unit of the shape (see isakern(3)), at baseline after a "
	       "slash where it differs.",
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
enum { SUMMARY = 8 }; /* the least that tells something */

/* The first fields of a kernel; where they are all, what is left of the line is for the summary. */
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
 * A line is never broken. A narrow terminal cuts the shapes, for a name is what other commands are asked
 * with; then fields are left out, from the last. Returns how many there are room for.
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

int command_kernels(int argc, char **argv)
{
	static const char *const titles[FIELDS] = {"kernel", "shape", "bound to", "bits", "error"};
	struct common common = {0};
	struct isk_kernel_info info;
	size_t widths[FIELDS] = {0};
	cJSON *rows = cJSON_CreateArray();
	int shown = FIELDS;

	options_parse(&argp, argc, argv, &common);
	selection_check(&common.selection, KERNELS);
	for (int i = 0; i < FIELDS; i++)
		widen(&widths[i], titles[i]);
	/* Twice: for the widths, then for the rows. */
	for (int print = 0; print < 2; print++) {
		if (print)
			shown = fit(widths);
		if (print && !common.json)
			row_print(titles, widths, shown, "summary", DIM, DIM);
		for (size_t i = 0; kernel_info(i, &info); i++) {
			const char *isa = bound_isa(info.name);
			char error[64];
			const char *fields[FIELDS] = {info.name, info.shape, isa ? isa : "-", info.bits, error};

			if (!selection_has_kernel(&common.selection, info.name))
				continue;
			snprintf(error, sizeof(error), strcmp(info.error, info.error_baseline) ? "%s/%s" : "%s",
			         info.error, info.error_baseline);
			for (int j = 0; j < FIELDS && !print; j++)
				widen(&widths[j], fields[j]);
			if (print && common.json)
				cJSON_AddItemToArray(rows, row_json(&info, isa));
			else if (print)
				row_print(fields, widths, shown, info.summary, BOLD, PLAIN);
		}
	}
	if (common.json)
		json_print(rows);
	else
		cJSON_Delete(rows);
	return DONE;
}
