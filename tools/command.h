/* SPDX-License-Identifier: MIT */
/* What the subcommands of isakern share: options, kernels named by patterns, candidates, JSON. */
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
 * Which kernels, and with PATTERN/ISA which of their variants: shell patterns
 * on names such as exp_f32 or exp_f32/avx2. No pattern means all.
 */
#define REFERENCE "reference" /* stands for an ISA there */

struct selection {
	char **patterns;
	size_t count;
};

/* What a pattern may name. */
enum named { KERNELS, VARIANTS, VARIANTS_AND_REFERENCES };

/* Ends the program with one line if a pattern names nothing, or what it may not. */
void selection_check(const struct selection *s, enum named named);
int selection_has_kernel(const struct selection *s, const char *kernel);
int selection_has(const struct selection *s, const char *kernel, const char *isa);

/* What every subcommand takes. */
struct common {
	int json;
	struct selection selection;
};

/*
 * Parses; names the program "isakern <command>". argp holds the options of the
 * command itself; input is theirs, and begins with a struct common.
 */
void options_parse(const struct argp *argp, int argc, char **argv, void *input);

/* What the library says of kernel i; 0: there are no more. */
int kernel_info(size_t i, struct isk_kernel_info *info);
/* The ISA of the bound one, or NULL if the kernel is not linked. */
const char *bound_isa(const char *kernel);
/* "not_built", as in isakern.h. */
const char *state_name(enum isk_state state);

/* Prints and frees. */
void json_print(cJSON *json);

/* Memory, or the end of the program. */
void *allocate(size_t bytes);

#endif
