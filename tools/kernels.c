/* SPDX-License-Identifier: MIT */
/* isakern kernels: the table, as this library holds it. */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "terminal.h"

static const struct argp argp = {
	.args_doc = "[KERNEL...]",
	.doc = "Lists the kernels: name, shape, the ISA a call is bound to, whether all ISAs from avx2 up give the "
	       "same bits, and the error bound in the unit of the shape (see isakern(3)), at baseline after a "
	       "slash where it differs.",
};

static cJSON *row_json(const struct isk_kernel_info *info, const char *isa)
{
	cJSON *row = cJSON_CreateObject();
	char symbol[72];

	snprintf(symbol, sizeof(symbol), "isk_%s", info->name);
	cJSON_AddStringToObject(row, "kernel", info->name);
	cJSON_AddStringToObject(row, "symbol", symbol);
	cJSON_AddStringToObject(row, "shape", info->shape);
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

enum { NAME, SHAPE, BOUND, BITS, ERROR, FIELDS };

static void row_print(const char *const fields[FIELDS], const size_t widths[FIELDS], const char *summary,
                      enum paint first, enum paint rest)
{
	size_t used = 0;

	for (int i = 0; i < FIELDS; i++) {
		print_field(fields[i], widths[i], i == NAME ? first : i == BOUND && rest == PLAIN ? NOTE : rest);
		fputs("  ", stdout);
		used += widths[i] + 2;
	}
	/* Where little is left the summary is cut; a line is never broken. */
	if (used + 8 < terminal_width())
		print_cut(summary, terminal_width() - used - 1, rest);
	putchar('\n');
}

static void widen(size_t *width, const char *text)
{
	if (*width < strlen(text))
		*width = strlen(text);
}

/* A narrow terminal cuts the shapes: a name is what other commands are asked with. */
static void fit(size_t widths[FIELDS])
{
	size_t used = 1;

	for (int i = 0; i < FIELDS; i++)
		used += widths[i] + 2;
	if (used > terminal_width())
		widths[SHAPE] -= used - terminal_width() < widths[SHAPE] - 1 ? used - terminal_width() : widths[SHAPE] - 1;
}

int command_kernels(int argc, char **argv)
{
	static const char *const titles[FIELDS] = {"kernel", "shape", "bound to", "bits", "error"};
	struct common common = {0};
	struct isk_kernel_info info;
	size_t widths[FIELDS] = {0};
	cJSON *rows = cJSON_CreateArray();

	options_parse(&argp, argc, argv, &common);
	selection_check(&common.selection, 0);
	for (int i = 0; i < FIELDS; i++)
		widen(&widths[i], titles[i]);
	/* Twice: for the widths, then for the rows. */
	for (int print = 0; print < 2; print++) {
		if (print)
			fit(widths);
		if (print && !common.json)
			row_print(titles, widths, "summary", DIM, DIM);
		for (size_t i = 0; isk_kernel_info(i, &info) == ISK_OK; i++) {
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
				row_print(fields, widths, info.summary, BOLD, PLAIN);
		}
	}
	if (common.json)
		json_print(rows);
	else
		cJSON_Delete(rows);
	return DONE;
}
