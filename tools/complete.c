/* SPDX-License-Identifier: MIT */
/*
 * isakern complete WORD...: the words that may stand in place of the last one, for the completion of bash, zsh and fish. They
 * come from the tables of argp and from the library that is asked. A line is a word, a tab and its description; the line
 * FILE stands for the names of files.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "groups.h"
#include "library.h"

/* The beginning of the last word: what stays, such as "--family=", and what all answers begin with. */
struct begun {
	const char *kept;
	int kept_length;
	const char *word;
};

static void answer(const struct begun *begun, const char *word, const char *about)
{
	if (strncmp(word, begun->word, strlen(begun->word)) == 0)
		printf("%.*s%s\t%s\n", begun->kept_length, begun->kept, word, about ? about : "");
}

static int has_value(const struct argp_option *option)
{
	return option->arg != NULL;
}

/* An option after which a value may be a word of its own. */
static int takes_next(const struct argp_option *option)
{
	return option && has_value(option) && !(option->flags & OPTION_ARG_OPTIONAL);
}

/* The option of argp, or of the ones it includes, whose name has this length; NULL if there is none. */
static const struct argp_option *option_in(const struct argp *argp, const char *name, size_t length)
{
	const struct argp_option *found = NULL;

	for (const struct argp_option *o = argp->options; o && o->name; o++)
		if (strncmp(o->name, name, length) == 0 && !o->name[length])
			return o;
	for (const struct argp_child *child = argp->children; child && child->argp && !found; child++)
		found = option_in(child->argp, name, length);
	return found;
}

/* The option that a word such as --seed or --seed=3 names; NULL if it names none. */
static const struct argp_option *option_of(const struct command *command, const char *word)
{
	const char *name = word + 2;
	const size_t length = strncmp(word, "--", 2) == 0 ? strcspn(name, "=") : 0;
	const struct argp_option *found;

	if (!length)
		return NULL;
	if (!command)
		return option_in(&main_argp, name, length);
	found = option_in(command->argp, name, length);
	return found ? found : option_in(&common_argp, name, length);
}

static void answer_options(const struct begun *begun, const struct argp *argp)
{
	char word[64];

	for (const struct argp_option *o = argp->options; o && o->name; o++) {
		snprintf(word, sizeof(word), "--%s", o->name);
		if (!takes_next(o))
			answer(begun, word, o->doc);
		if (has_value(o)) {
			strcat(word, "=");
			answer(begun, word, o->doc);
		}
	}
	for (const struct argp_child *child = argp->children; child && child->argp; child++)
		answer_options(begun, child->argp);
}

static void answer_groups(const struct begun *begun, struct groups groups)
{
	for (size_t i = 0; i < groups.count; i++)
		answer(begun, groups.names[i], NULL);
}

static void answer_kernels(const struct begun *begun)
{
	struct isk_kernel_info info;

	for (size_t i = 0; kernel_info(i, &info); i++)
		answer(begun, info.name, info.summary);
}

/* The variants of the kernel whose name the word has in front of a slash. */
static void answer_variants(const struct begun *begun, const char *kernel, int references)
{
	struct isk_candidate *candidates;
	const size_t count = candidates_of(kernel, &candidates);
	char id[128];

	for (size_t i = 0; i < count; i++) {
		snprintf(id, sizeof(id), "%s/%s", kernel, candidates[i].isa);
		answer(begun, id, candidates[i].reason);
	}
	snprintf(id, sizeof(id), "%s/%s", kernel, REFERENCE);
	if (references)
		answer(begun, id, "the plain reference");
	free(candidates);
}

/* Answers what the placeholder of a value or of arguments stands for, such as "FILE" or "[KERNEL[/ISA]...]". */
static void answer_placeholder(const struct begun *begun, const char *placeholder)
{
	const char *slash = strchr(begun->word, '/');
	char kernel[64];

	if (strstr(placeholder, "FAMILY"))
		answer_groups(begun, families());
	if (strstr(placeholder, "TYPE"))
		answer_groups(begun, element_types());
	if (strstr(placeholder, "FILE"))
		puts("FILE");
	if (strstr(placeholder, "KERNEL") && !slash)
		answer_kernels(begun);
	if (strstr(placeholder, "/ISA") && slash) {
		snprintf(kernel, sizeof(kernel), "%.*s", (int)(slash - begun->word), begun->word);
		if (asked.kernel_find(kernel) >= 0)
			answer_variants(begun, kernel, strstr(placeholder, "/" REFERENCE) != NULL);
	}
}

static void answer_commands(const struct begun *begun)
{
	for (size_t i = 0; commands[i]; i++)
		answer(begun, commands[i]->name, commands[i]->summary);
}

/* What the words before the last one say of it. */
struct before {
	const struct command *command;     /* NULL: it may be a command */
	const struct argp_option *option;  /* it is the value of this option */
};

static void take_value(const struct argp_option *option, const char *value)
{
	if (option->key == OPTION_LIBRARY)
		library_open(value);
}

/* Reads a word before the last one. Returns 0 if no command has that name. */
static int take(struct before *before, const char *word)
{
	const struct argp_option *option = before->option;

	before->option = NULL;
	if (option) {
		take_value(option, word);
		return 1;
	}
	option = option_of(before->command, word);
	if (option && strchr(word, '='))
		take_value(option, strchr(word, '=') + 1);
	else if (takes_next(option))
		before->option = option;
	else if (!before->command && *word != '-')
		before->command = command_find(word);
	return before->command || *word == '-';
}

int complete(int argc, char **argv)
{
	const char *last = argc ? argv[argc - 1] : "", *equals = strchr(last, '=');
	struct before before = {NULL, NULL};
	struct begun begun = {"", 0, last};

	for (int i = 0; i + 1 < argc; i++)
		if (!take(&before, argv[i]))
			return DONE;
	if (!before.option && equals && option_of(before.command, last)) {
		before.option = option_of(before.command, last);
		begun = (struct begun){last, (int)(equals + 1 - last), equals + 1};
	}
	if (before.option) {
		if (has_value(before.option))
			answer_placeholder(&begun, before.option->arg);
	} else if (*last == '-') {
		answer_options(&begun, before.command ? before.command->argp : &main_argp);
		if (before.command)
			answer_options(&begun, &common_argp);
	} else if (before.command) {
		answer_placeholder(&begun, before.command->argp->args_doc ? before.command->argp->args_doc : "");
	} else {
		answer_commands(&begun);
	}
	return DONE;
}
