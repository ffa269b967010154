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

static const struct command {
	const char *name, *summary;
	int (*run)(int argc, char **argv);
} commands[] = {
	{"info", "this CPU, this binary, the ISA in force, and the promises", command_info},
	{"kernels", "every kernel and the variant it is bound to", command_kernels},
	{"why", "each variant of a kernel, and why it was chosen or not", command_why},
	{"verify", "every variant against its plain reference, on this machine", command_verify},
	{"fingerprint", "checksums of results, to compare with those of other machines", command_fingerprint},
	{"bench", "every variant timed: is the bound one the fastest?", command_bench},
	{"tune", "the ISAKERN_BIND that would be faster here, if any", command_tune},
	{"used", "the kernels that programs import, for -Dkernels", command_used},
};

#define COUNT (sizeof(commands) / sizeof(commands[0]))

static void usage(FILE *to)
{
	fprintf(to, "Usage: isakern [--library=FILE] COMMAND [OPTION...] [KERNEL...]\n\n");
	for (size_t i = 0; i < COUNT; i++)
		fprintf(to, "  %-11s %s\n", commands[i].name, commands[i].summary);
	fprintf(to, "\n--library asks another library than isakern itself, such as ./libmy.so made by isakern-cc.\n"
	            "Each command has --help, and --json for programs. KERNEL is a name such as\n"
	            "exp_f32 or a shell pattern such as 'exp*'; with /ISA it selects single variants.\n\n"
	            "Exit status: 0 all is well, 1 something failed, 2 the command line is wrong.\n");
}

/* Removes --library, which comes before the command, from the arguments. */
static void library_take(int *argc, char ***argv)
{
	static const char option[] = "--library";
	const size_t length = sizeof(option) - 1;
	const char *given = *argc > 1 ? (*argv)[1] : "";
	int words = 1;

	if (strncmp(given, option, length) != 0)
		return;
	if (given[length] == '=') {
		given += length + 1;
	} else if (given[length] == '\0' && *argc > 2) {
		given = (*argv)[2];
		words = 2;
	} else {
		errx(USAGE, "--library: the name of a file is wanted");
	}
	library_open(given);
	*argc -= words;
	*argv += words;
}

int main(int argc, char **argv)
{
	const char *names[COUNT];
	const char *name;

	output_start();
	library_take(&argc, &argv);
	name = argc > 1 ? argv[1] : "";
	/* Sets characters only, so that numbers keep their decimal point. */
	setlocale(LC_CTYPE, "");
	for (size_t i = 0; i < COUNT; i++) {
		names[i] = commands[i].name;
		if (strcmp(name, commands[i].name) == 0)
			return commands[i].run(argc - 1, argv + 1);
	}
	if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
		printf("isakern %s\n", isk_version());
		return DONE;
	}
	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
		usage(stdout);
		return DONE;
	}
	if (!*name) {
		usage(stderr);
		return USAGE;
	}
	names_unknown("command", name, names, COUNT, "isakern --help");
	return USAGE;
}
