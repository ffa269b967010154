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


int command_info(int argc, char **argv);
int command_kernels(int argc, char **argv);
int command_why(int argc, char **argv);
int command_verify(int argc, char **argv);
int command_fingerprint(int argc, char **argv);
int command_bench(int argc, char **argv);
int command_tune(int argc, char **argv);
int command_used(int argc, char **argv);

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
