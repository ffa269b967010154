/* SPDX-License-Identifier: MIT */
/* isakern info: this machine, this binary, the ISA in force and its promises; or all features of the CPU. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "census.h"
#include "command.h"
#include "cpu.h"
#include "machine.h"
#include "settings.h"
#include "terminal.h"

enum { OPTION_FEATURES = 0x500 };

struct options {
	struct common common;
	int features;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case OPTION_FEATURES:
		options->features = 1;
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "no argument is wanted: '%s'", arg);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option argp_options[] = {
	{.name = "features", .key = OPTION_FEATURES,
	 .doc = "Show every feature of this CPU and OS instead, also those that no variant uses"},
	{0},
};
static const struct argp argp = {
	.options = argp_options,
	.parser = parse,
	.doc = "Shows the ISAs that this CPU and OS can run, those in this library, the one in force, the variables that "
	       "act, and the promises of the kernels.",
};

/* Prints features in lines that begin at this column and end at the terminal's edge. */
static void print_features(enum cpu_has wanted, int column)
{
	size_t used = 0;
	enum cpu_has has;
	const char *name;

	for (unsigned i = 0; (name = cpu_feature(i, &has)); i++) {
		if (has != wanted)
			continue;
		if (used && used + 1 + strlen(name) > terminal_width()) {
			putchar('\n');
			used = 0;
		}
		used += (size_t)printf("%*s%s", used ? 1 : column, "", name);
	}
	printf("%s", used ? "\n" : "");
}

static int any_feature(enum cpu_has wanted)
{
	enum cpu_has has;

	for (unsigned i = 0; cpu_feature(i, &has); i++)
		if (has == wanted)
			return 1;
	return 0;
}

static void print_cpu(void)
{
	char text[CPU_STATE];
	const char *what;

	printf("%s%s%s\n", paint(BOLD), machine_cpu(), paint(PLAIN));
	printf("\n  features that this CPU and OS have\n");
	print_features(CPU_HAS, 4);
	if (any_feature(CPU_HAS_NO_OS)) {
		printf("\n  that the OS does not enable\n");
		print_features(CPU_HAS_NO_OS, 4);
	}
	what = cpu_state(text);
	printf("\n  ");
	for (const char *c = what; *c; c++)
		putchar(toupper((unsigned char)*c));
	printf(" %s\n", text);
}

static void add_features(cJSON *json, const char *key, enum cpu_has wanted)
{
	cJSON *list = cJSON_CreateArray();
	enum cpu_has has;
	const char *name;

	for (unsigned i = 0; (name = cpu_feature(i, &has)); i++)
		if (has == wanted)
			cJSON_AddItemToArray(list, cJSON_CreateString(name));
	cJSON_AddItemToObject(json, key, list);
}

static void print_cpu_json(void)
{
	cJSON *json = cJSON_CreateObject();
	char text[CPU_STATE];
	const char *what = cpu_state(text);

	cJSON_AddStringToObject(json, "cpu", machine_cpu());
	add_features(json, "features", CPU_HAS);
	add_features(json, "not_enabled", CPU_HAS_NO_OS);
	cJSON_AddStringToObject(json, what, text);
	json_print(json);
}

static void print_json(const struct census *census)
{
	cJSON *json = cJSON_CreateObject(), *list = cJSON_CreateArray(), *environment = cJSON_CreateObject();

	cJSON_AddStringToObject(json, "isakern", isk_version());
	cJSON_AddStringToObject(json, "isa_current", asked.isa_current());
	cJSON_AddStringToObject(json, "isa_cpu", asked.isa_cpu());
	cJSON_AddStringToObject(json, "isa_binary", asked.isa_binary());
	cJSON_AddStringToObject(json, "cpu", machine_cpu());
	for (size_t i = 0; i < census->count; i++) {
		const struct isa *isa = &census->isas[i];
		cJSON *one = cJSON_CreateObject();

		cJSON_AddStringToObject(one, "isa", isa->name);
		cJSON_AddStringToObject(one, "state", isa->seen ? state_name(isa->state) : "no_kernel");
		cJSON_AddStringToObject(one, "reason", isa->seen ? isa->reason : "no kernel has a variant for it");
		cJSON_AddNumberToObject(one, "variants", (double)isa->variants);
		cJSON_AddNumberToObject(one, "kernels_bound", (double)isa->bound);
		cJSON_AddItemToArray(list, one);
	}
	cJSON_AddItemToObject(json, "isas", list);
	for (const struct setting *s = settings; s->name; s++)
		if (getenv(s->name))
			cJSON_AddStringToObject(environment, s->name, getenv(s->name));
	cJSON_AddItemToObject(json, "environment", environment);
	cJSON_AddNumberToObject(json, "kernels", (double)census->kernels);
	cJSON_AddNumberToObject(json, "kernels_same_bits", (double)census->same);
	json_print(json);
}

static void level(const char *title, const char *isa, size_t width, const char *remark, enum paint p)
{
	const int before = printf("  %-16s", title);

	print_field(isa, width, p);
	print_rest(remark, (size_t)before + width, DIM);
	putchar('\n');
}

static void print(const struct census *census)
{
	size_t width = strlen("ISA");
	int set = 0;

	for (size_t i = 0; i < census->count; i++)
		widen(&width, census->isas[i].name);
	width += 2;
	printf("%sisakern %s%s\n\n", paint(BOLD), isk_version(), paint(PLAIN));
	level("in force", asked.isa_current(), width, "kernels are bound up to this", GOOD);
	level("this CPU and OS", asked.isa_cpu(), width, machine_cpu(), PLAIN);
	level("this binary", asked.isa_binary(), width, "the highest it holds", PLAIN);

	printf("\n%s  %-*svariants  bound%s\n", paint(DIM), (int)width, "ISA", paint(PLAIN));
	for (size_t i = census->count; i-- > 0;) {
		const struct isa *isa = &census->isas[i];
		const int usable = isa->seen && isa->state == ISK_USABLE;
		const size_t room = terminal_width() > 60 ? 20 : 0;
		size_t used = 2 + width;

		printf("  ");
		print_field(isa->name, width, usable ? BOLD : DIM);
		used += (size_t)printf("%8zu %6zu  ", isa->variants, isa->bound);
		if (!isa->seen) {
			print_rest("no kernel has a variant for it", used, DIM);
		} else if (!usable) {
			print_rest(isa->reason, used, DIM);
		} else {
			fputs(paint(GOOD), stdout);
			print_bar((double)isa->bound / (double)census->kernels, room);
			fputs(paint(PLAIN), stdout);
		}
		putchar('\n');
	}

	printf("\n  environment\n");
	for (const struct setting *s = settings; s->name; s++)
		if (getenv(s->name)) {
			printf("    %s=%s  %s%s%s\n", s->name, getenv(s->name), paint(DIM), s->effect, paint(PLAIN));
			set = 1;
		}
	if (!set)
		printf("    nothing set\n");

	printf("\n  promised\n    %zu of %zu kernels give the same bits on every x86-64 CPU from avx2 up\n"
	       "    and on every AArch64 CPU\n"
	       "    each has an error bound, at baseline one of its own: isakern kernels\n",
	       census->same, census->kernels);
}

static int command_run(int argc, char **argv)
{
	struct options options = {0};
	struct census census;

	options_parse(&argp, argc, argv, &options);
	if (options.features) {
		if (options.common.json)
			print_cpu_json();
		else
			print_cpu();
		return DONE;
	}
	census_take(&census);
	if (options.common.json)
		print_json(&census);
	else
		print(&census);
	census_free(&census);
	return DONE;
}

const struct command command_info = {"info", "this CPU, this binary, the ISA in force, and the promises", &argp, command_run};
