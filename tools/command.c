/* SPDX-License-Identifier: MIT */
#include "command.h"

#include <err.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "library.h"
#include "names.h"

/* The symbol may stand for the kernel. */
static const char *without_prefix(const char *name)
{
	const size_t length = strlen(asked.described->prefix);

	return strncmp(name, asked.described->prefix, length) == 0 && name[length] == '_' ? name + length + 1 : name;
}

static int matches(const char *pattern, const char *kernel, const char *isa)
{
	char id[128];

	pattern = without_prefix(pattern);
	if (!strchr(pattern, '/'))
		return fnmatch(pattern, kernel, 0) == 0;
	snprintf(id, sizeof(id), "%s/%s", kernel, isa);
	return fnmatch(pattern, id, 0) == 0;
}

static int pattern_has_kernel(const char *pattern, const char *kernel)
{
	for (size_t isa = 0; isa < asked.isa_count(); isa++)
		if (matches(pattern, kernel, asked.isa_name(isa)))
			return 1;
	return 0;
}

int selection_has_kernel(const struct selection *s, const char *kernel)
{
	for (size_t i = 0; i < s->count; i++)
		if (pattern_has_kernel(s->patterns[i], kernel))
			return 1;
	return s->count == 0;
}

int selection_has(const struct selection *s, const char *kernel, const char *isa)
{
	for (size_t i = 0; i < s->count; i++)
		if (matches(s->patterns[i], kernel, isa))
			return 1;
	return s->count == 0;
}

static void unknown_kernel(const char *name)
{
	const size_t count = asked.kernel_count();
	const char **names = allocate(count * sizeof(*names));
	struct isk_kernel_info info;
	const char *path = library_beside(without_prefix(name));

	if (path) {
		/* options_parse() has made the program's name "isakern COMMAND". */
		fprintf(stderr, "isakern: %s is a kernel of another library: isakern --library=%s%s %s\n", without_prefix(name), path,
		        strchr(program_invocation_name, ' '), without_prefix(name));
		exit(USAGE);
	}
	for (size_t i = 0; i < count && kernel_info(i, &info); i++)
		names[i] = info.name;
	names_unknown("kernel", without_prefix(name), names, count, "isakern kernels");
	free(names);
	exit(USAGE);
}

static void unknown_isa(const char *name, enum named named)
{
	const char **names = allocate((asked.isa_count() + 1) * sizeof(*names));
	size_t count = 0;

	for (; count < asked.isa_count(); count++)
		names[count] = asked.isa_name(count);
	if (named == VARIANTS_AND_REFERENCES)
		names[count++] = REFERENCE;
	names_unknown("ISA", name, names, count, "isakern info");
	free(names);
	exit(USAGE);
}

/* Whether the pattern names a variant of the kernel. */
static int pattern_has_variant(const char *pattern, const char *kernel, enum named named)
{
	struct isk_candidate *candidates;
	const size_t count = candidates_of(kernel, &candidates);
	int has = named == VARIANTS_AND_REFERENCES && matches(pattern, kernel, REFERENCE);

	for (size_t i = 0; i < count; i++)
		has |= matches(pattern, kernel, candidates[i].isa);
	free(candidates);
	return has;
}

static void pattern_check(const char *pattern, enum named named)
{
	const char *slash = strchr(pattern, '/');
	char *name = strndup(pattern, strcspn(pattern, "/"));
	struct isk_kernel_info info;
	int kernel = 0, variant = 0, isa = 0;

	if (!name)
		errx(FAILED, "out of memory");
	for (size_t i = 0; kernel_info(i, &info); i++)
		if (matches(name, info.name, "")) {
			kernel = 1;
			variant |= slash && pattern_has_variant(pattern, info.name, named);
		}
	if (!kernel)
		unknown_kernel(name);
	if (slash && named == KERNELS)
		errx(USAGE, "'%s' is a variant; a kernel is wanted here", pattern);
	for (size_t i = 0; slash && i < asked.isa_count(); i++)
		isa |= fnmatch(slash + 1, asked.isa_name(i), 0) == 0;
	isa |= slash && named == VARIANTS_AND_REFERENCES && fnmatch(slash + 1, REFERENCE, 0) == 0;
	if (slash && !isa)
		unknown_isa(slash + 1, named);
	if (slash && !variant)
		errx(USAGE, "%s has no variant %s", name, slash + 1);
	free(name);
}

void selection_check(const struct selection *s, enum named named)
{
	for (size_t i = 0; i < s->count; i++)
		pattern_check(s->patterns[i], named);
}

enum { OPTION_JSON = 0x100, OPTION_USAGE };

static error_t parse_help(int key, char *arg, struct argp_state *state)
{
	(void)arg;
	switch (key) {
	case 'h':
		argp_state_help(state, state->out_stream, ARGP_HELP_STD_HELP);
		return 0;
	case OPTION_USAGE:
		argp_state_help(state, state->out_stream, ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* In place of argp's own, which no program can list. They are the last ones in the help. */
static const struct argp_option help_options[] = {
	{.name = "help", .key = 'h', .doc = "Explain the command", .group = -1},
	{.name = "usage", .key = OPTION_USAGE, .doc = "Show the options in short"},
	{0},
};

const struct argp help_argp = {.options = help_options, .parser = parse_help};
static const struct argp_child help_child[] = {{.argp = &help_argp}, {0}};

static error_t parse_common(int key, char *arg, struct argp_state *state)
{
	struct common *common = state->input;

	(void)arg;
	switch (key) {
	case OPTION_JSON:
		common->json = 1;
		return 0;
	case ARGP_KEY_ARGS:
		common->selection.patterns = state->argv + state->next;
		common->selection.count = (size_t)(state->argc - state->next);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option common_options[] = {
	{.name = "json", .key = OPTION_JSON, .doc = "Print JSON"},
	{0},
};

const struct argp common_argp = {.options = common_options, .parser = parse_common, .children = help_child};
static const struct argp_child children[] = {{.argp = &common_argp}, {0}};

/* The command's own parser; argp has no place for it beside ours. */
static argp_parser_t parse_own;

static error_t parse_command(int key, char *arg, struct argp_state *state)
{
	if (key == ARGP_KEY_INIT) {
		state->child_inputs[0] = state->input;
		return 0;
	}
	return parse_own ? parse_own(key, arg, state) : ARGP_ERR_UNKNOWN;
}

void options_parse(const struct argp *argp, int argc, char **argv, void *input)
{
	static char name[64];
	struct argp whole = *argp;

	parse_own = argp->parser;
	whole.parser = parse_command;
	whole.children = children;
	snprintf(name, sizeof(name), "isakern %s", argv[0]);
	argv[0] = program_invocation_name = program_invocation_short_name = name;
	argp_err_exit_status = USAGE;
	argp_parse(&whole, argc, argv, ARGP_NO_HELP, NULL, input);
}

const struct command *command_find(const char *name)
{
	for (size_t i = 0; commands[i]; i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

int kernel_info(size_t i, struct isk_kernel_info *info)
{
	info->size = sizeof(*info);
	return asked.kernel_info(i, info) == ISK_OK;
}

const char *bound_isa(const char *kernel)
{
	struct isk_candidate *candidates;
	const size_t count = candidates_of(kernel, &candidates);
	const char *isa = NULL;

	for (size_t i = 0; i < count; i++)
		if (candidates[i].bound)
			isa = candidates[i].isa;
	free(candidates);
	return isa;
}

const char *state_name(enum isk_state state)
{
	static const char *const names[] = {
		[ISK_USABLE] = "usable",
		[ISK_NOT_BUILT] = "not_built",
		[ISK_NOT_LINKED] = "not_linked",
		[ISK_NO_CPU] = "no_cpu",
		[ISK_NO_OS] = "no_os",
		[ISK_NO_PERMISSION] = "no_permission",
		[ISK_CAPPED] = "capped",
		[ISK_DISABLED] = "disabled",
		[ISK_DEMOTED] = "demoted",
		[ISK_PINNED] = "pinned",
	};

	return names[state];
}

void json_print(cJSON *json)
{
	char *text = cJSON_Print(json);

	if (!text)
		errx(FAILED, "out of memory");
	puts(text);
	free(text);
	cJSON_Delete(json);
}

void *allocate(size_t bytes)
{
	void *p = calloc(bytes ? bytes : 1, 1);

	if (!p)
		errx(FAILED, "out of memory: %zu bytes", bytes);
	return p;
}
