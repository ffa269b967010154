/* SPDX-License-Identifier: MIT */
/* isakern why: each variant of a kernel, chosen or with the reason against it, and the code that a call reaches. */
#include <ctype.h>
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "plans.h"
#include "reached.h"
#include "terminal.h"

static error_t parse(int key, char *arg, struct argp_state *state)
{
	(void)arg;
	if (key != ARGP_KEY_END)
		return ARGP_ERR_UNKNOWN;
	if (((struct common *)state->input)->selection.count == 0)
		argp_error(state, "which kernel? ('*' means all)");
	return 0;
}

/* Moves the arguments that begin with a digit, as no kernel's name does, from the selection to sizes. Returns their number. */
static size_t take_sizes(struct selection *s, char **sizes)
{
	size_t count = 0, kept = 0;

	for (size_t i = 0; i < s->count; i++)
		if (isdigit((unsigned char)s->patterns[i][0]))
			sizes[count++] = s->patterns[i];
		else
			s->patterns[kept++] = s->patterns[i];
	if (kept == 0)
		errx(USAGE, "which kernel has %s?", sizes[0]);
	s->count = kept;
	return count;
}

static const struct argp argp = {
	.parser = parse,
	.args_doc = "KERNEL... [MxNxK...]",
	.doc = "Says of each variant of a kernel that it was chosen, or why it was not: not built, the "
	       "CPU lacks an instruction set, the OS does not enable it, no permission, ISAKERN_MAX_ISA, "
	       "ISAKERN_DISABLE, slower on this CPU, ISAKERN_BIND. Then looks up the code that a call reaches. For the sizes of "
	       "a product, such as 24x24x24, says what isk_matmul_plan() chooses, and why.",
};

static cJSON *json_of(const struct isk_kernel_info *info, const struct isk_candidate *candidates, size_t count)
{
	cJSON *kernel = cJSON_CreateObject(), *list = cJSON_CreateArray();
	const char *object = reached_elsewhere(info->name), *isa = bound_isa(info->name);

	cJSON_AddStringToObject(kernel, "kernel", info->name);
	cJSON_AddStringToObject(kernel, "summary", info->summary);
	cJSON_AddItemToObject(kernel, "bound", isa ? cJSON_CreateString(isa) : cJSON_CreateNull());
	cJSON_AddBoolToObject(kernel, "call_reaches_bound", object == NULL);
	if (object)
		cJSON_AddStringToObject(kernel, "call_reaches", object);
	for (size_t i = 0; i < count; i++) {
		cJSON *candidate = cJSON_CreateObject();

		cJSON_AddStringToObject(candidate, "isa", candidates[i].isa);
		cJSON_AddStringToObject(candidate, "state", state_name(candidates[i].state));
		cJSON_AddBoolToObject(candidate, "bound", candidates[i].bound);
		cJSON_AddStringToObject(candidate, "reason", candidates[i].reason);
		cJSON_AddItemToArray(list, candidate);
	}
	cJSON_AddItemToObject(kernel, "candidates", list);
	return kernel;
}

static void print(const struct isk_kernel_info *info, const struct isk_candidate *candidates, size_t count)
{
	const char *object = reached_elsewhere(info->name), *isa = bound_isa(info->name);
	size_t width = 0;

	for (size_t i = 0; i < count; i++)
		if (width < strlen(candidates[i].isa))
			width = strlen(candidates[i].isa);
	printf("%s%s%s: %s\n", paint(BOLD), info->name, paint(PLAIN), info->summary);
	for (size_t i = count; i-- > 0;) {
		const struct isk_candidate *c = &candidates[i];
		const char *mark = c->bound ? glyph("→", ">") : candidate_runs(c) ? glyph("·", ".") : glyph("×", "x");

		printf("  %s%s%s ", paint(c->bound ? GOOD : DIM), mark, paint(PLAIN));
		print_field(c->isa, width + 2, c->bound ? GOOD : PLAIN);
		if (c->bound)
			printf("%schosen%s: %s\n", paint(GOOD), paint(PLAIN), c->reason);
		else if (c->state == ISK_USABLE)
			printf("usable, but %s ranks higher\n", isa);
		else
			printf("%s\n", c->reason);
	}
	if (object)
		printf("  %sA call does not reach it but %s%s\n", paint(BAD), object, paint(PLAIN));
}

static int command_run(int argc, char **argv)
{
	struct common common = {0};
	struct isk_kernel_info info;
	cJSON *list = cJSON_CreateArray();
	size_t planned;
	char **sizes;
	int printed = 0;

	options_parse(&argp, argc, argv, &common);
	sizes = allocate(common.selection.count * sizeof(*sizes));
	planned = take_sizes(&common.selection, sizes);
	selection_check(&common.selection, KERNELS);
	for (size_t i = 0; kernel_info(i, &info); i++) {
		struct isk_candidate *candidates;
		size_t count;

		if (!selection_has_kernel(&common.selection, info.name))
			continue;
		if (planned)
			plans_check(info.name, sizes, planned);
		count = candidates_of(info.name, &candidates);
		if (common.json) {
			cJSON *kernel = json_of(&info, candidates, count);

			if (planned)
				cJSON_AddItemToObject(kernel, "plans", plans_json(info.name, sizes, planned));
			cJSON_AddItemToArray(list, kernel);
		} else {
			fputs(printed++ ? "\n" : "", stdout);
			print(&info, candidates, count);
			for (size_t j = 0; j < planned; j++)
				plan_print(info.name, sizes[j]);
		}
		free(candidates);
	}
	free(sizes);
	if (common.json)
		json_print(list);
	else
		cJSON_Delete(list);
	return DONE;
}

const struct command command_why = {"why", "each variant of a kernel, and why it was chosen or not", &argp, command_run};
