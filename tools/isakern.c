/* SPDX-License-Identifier: MIT */
/* isakern: asks the library about itself and this machine, verifies it and times it. */
#include <err.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "library.h"
#include "names.h"
#include "output.h"

const struct command *const commands[] = {
	&command_info, &command_doctor, &command_kernels, &command_why, &command_verify, &command_fingerprint, &command_bench,
	&command_tune, &command_used, NULL,
};

enum { COUNT = sizeof(commands) / sizeof(commands[0]) - 1 };

/* The rest of the command line: a command and its arguments. */
struct rest {
	int argc;
	char **argv;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct rest *rest = state->input;

	switch (key) {
	case OPTION_LIBRARY:
		if (!*arg)
			errx(USAGE, "--library: the name of a file is wanted");
		library_open(arg);
		return 0;
	case 'V':
		printf("isakern %s\n", isk_version());
		exit(DONE);
	case ARGP_KEY_ARG:
		if (strcmp(arg, "help") == 0)
			argp_state_help(state, state->out_stream, ARGP_HELP_STD_HELP);
		rest->argv = state->argv + state->next - 1;
		rest->argc = state->argc - state->next + 1;
		state->next = state->argc;
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_state_help(state, state->err_stream, (ARGP_HELP_STD_HELP & ~ARGP_HELP_EXIT_OK) | ARGP_HELP_EXIT_ERR);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* The text of the help, to which the commands are added in front. */
static char *with_commands(int key, const char *text, void *input)
{
	char *whole;
	size_t length;
	FILE *out;

	(void)input;
	if (key != ARGP_KEY_HELP_PRE_DOC)
		return (char *)(uintptr_t)text;
	out = open_memstream(&whole, &length);
	if (!out)
		err(FAILED, "memory for the help");
	fprintf(out, "%s\n", text);
	for (size_t i = 0; commands[i]; i++)
		fprintf(out, "\n  %-11s %s", commands[i]->name, commands[i]->summary);
	fputc('\n', out);
	fclose(out);
	return whole;
}

static const struct argp_option options[] = {
	{.name = "library", .key = OPTION_LIBRARY, .arg = "FILE",
	 .doc = "Ask another library than isakern itself, such as ./libmy.so made by isakern-cc"},
	{.name = "version", .key = 'V', .doc = "Print the version"},
	{0},
};
static const struct argp_child children[] = {{.argp = &help_argp}, {0}};
const struct argp main_argp = {
	.options = options,
	.parser = parse,
	.args_doc = "COMMAND [OPTION...] [KERNEL...]",
	.doc = "Asks isakern about itself and this machine, verifies its kernels and times them."
	       "\vEach command has --help, and --json for programs. KERNEL is a name such as exp_f32 or a shell pattern such as "
	       "'exp*'; with /ISA it selects single variants.\n\n"
	       "Exit status: 0 all is well, 1 something failed, 2 the command line is wrong.",
	.children = children,
	.help_filter = with_commands,
};

static void unknown_command(const char *name)
{
	const char *names[COUNT];

	for (size_t i = 0; i < COUNT; i++)
		names[i] = commands[i]->name;
	names_unknown("command", name, names, COUNT, "isakern --help");
}

int main(int argc, char **argv)
{
	struct rest rest = {0};
	const struct command *command;

	output_start();
	/* Sets characters only, so that numbers keep their decimal point. */
	setlocale(LC_CTYPE, "");
	argp_err_exit_status = USAGE;
	argv[0] = program_invocation_name = program_invocation_short_name;
	argp_parse(&main_argp, argc, argv, ARGP_NO_HELP | ARGP_IN_ORDER, NULL, &rest);
	/* Asked by the completion of shells. */
	if (strcmp(rest.argv[0], "complete") == 0)
		return complete(rest.argc - 1, rest.argv + 1);
	command = command_find(rest.argv[0]);
	if (!command) {
		unknown_command(rest.argv[0]);
		return USAGE;
	}
	return command->run(rest.argc, rest.argv);
}
