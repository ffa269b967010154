/* SPDX-License-Identifier: MIT */
/* The common part of isakern's subcommands: options, kernels named by patterns, candidates, JSON. */
#ifndef COMMAND_H
#define COMMAND_H

#include <argp.h>
#include <stddef.h>
#include <cjson/cJSON.h>

#include "asked.h"
#include "kernels.h"
#include "status.h"


/*
 * A subcommand. The options and arguments of argp are its help, its parser and what shells complete. In the placeholders
 * of both, KERNEL, FAMILY, TYPE and FILE stand for such a name, and KERNEL/ISA for a variant (complete.c).
 */
struct command {
	const char *name, *summary;
	const struct argp *argp;
	int (*run)(int argc, char **argv); /* argv[0] is the name of the command */
};

extern const struct command command_info, command_doctor, command_kernels, command_why, command_verify, command_fingerprint, command_bench,
	command_tune, command_used;

/* All subcommands, in the order of the help; the last one is followed by NULL. */
extern const struct command *const commands[];
/* The options before a subcommand. */
extern const struct argp main_argp;
enum { OPTION_LIBRARY = 0x700 }; /* the key of --library */
/* The options of every subcommand beside its own, and those which main_argp has as well. */
extern const struct argp common_argp, help_argp;

/* The subcommand of this name; NULL if there is none. */
const struct command *command_find(const char *name);

/* Prints the words that may be the last one of a command line without the program's name, each with a description. */
int complete(int argc, char **argv);

/*
 * The selected kernels and, with PATTERN/ISA, variants: shell patterns on names such as exp_f32 or
 * exp_f32/avx2. No pattern selects everything.
 */
#define REFERENCE "reference" /* in place of an ISA */

struct selection {
	char **patterns;
	size_t count;
};

/* The kinds of names that a pattern may match. */
enum named { KERNELS, VARIANTS, VARIANTS_AND_REFERENCES };

/* Ends the program with one line if a pattern matches nothing, or a kind of name that it may not. */
void selection_check(const struct selection *s, enum named named);
int selection_has_kernel(const struct selection *s, const char *kernel);
int selection_has(const struct selection *s, const char *kernel, const char *isa);

/* The options of every subcommand. */
struct common {
	int json;
	struct selection selection;
};

/*
 * Parses the command line, and names the program "isakern <command>". argp has the options of the command
 * itself; input is theirs, and begins with a struct common.
 */
void options_parse(const struct argp *argp, int argc, char **argv, void *input);

/* Gets the information about kernel i. Returns 0 if there are no more. */
int kernel_info(size_t i, struct isk_kernel_info *info);
/* The ISA of the bound variant, or NULL if the kernel is not linked. */
const char *bound_isa(const char *kernel);
/* The name of a state as in isakern.h: "not_built". */
const char *state_name(enum isk_state state);

/* Prints the JSON, and frees it. */
void json_print(cJSON *json);

/* Allocates memory, or ends the program. */
void *allocate(size_t bytes);

#endif
