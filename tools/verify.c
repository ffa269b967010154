/* SPDX-License-Identifier: MIT */
/*
 * isakern verify: runs the drivers of the test suite on every variant that this machine can run, those of a kernel in a
 * process of their own, so that a crash does no further harm.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "alone.h"
#include "command.h"
#include "harness.h"
#include "library.h"
#include "output.h"
#include "terminal.h"

enum { OPTION_SEED = 0x200, BAR = 10 };

struct options {
	struct common common;
	const char *seed;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case OPTION_SEED:
		errno = 0;
		if (!*arg || arg[strspn(arg, "0123456789")] || (strtoull(arg, NULL, 0) == ULLONG_MAX && errno))
			argp_error(state, "--seed: '%s' is no number from 0 to 2^64 - 1", arg);
		options->seed = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option argp_options[] = {
	{.name = "seed", .key = OPTION_SEED, .arg = "N", .doc = "Use the random numbers of an earlier run"},
	{0},
};
static const struct argp argp = {
	.options = argp_options,
	.parser = parse,
	.args_doc = "[KERNEL[/ISA|/reference]...]",
	.doc = "Runs every variant that this machine can run, and the plain reference, on special and random values "
	       "of many sizes, between guard pages, against the exact result. Demands the error bound of the table, and, "
	       "if they are promised, the same bits at every ISA except baseline."
	       "\vVariants that cannot run here are counted and named; they do not make the command fail.",
};

static void drive(struct variant *v)
{
	trying("the first call");
	if (!v->driver)
		wrong("shape '%s' has a struct, and no driver in test/kernels", v->info.shape);
	v->driver->drive(v);
}

/* Lists all variants of the selection: for each kernel its reference, then its ISAs, lowest first. */
static size_t select_variants(const struct selection *s, struct variant **out)
{
	struct variant *all, *chosen;
	const size_t count = variants_all(&all, NOT_RUN_HERE);
	const char *last = "";
	size_t n = 0;

	chosen = allocate(2 * count * sizeof(*chosen));
	for (size_t i = 0; i < count; i++) {
		const char *name = all[i].info.name;

		if (!all[i].kernel) {
			all[i].fn = NULL;
			strcpy(all[i].reason, "this program was made without that kernel");
		}
		/* A kernel without arguments reports on its variant, so its reference would give another answer. */
		if (strcmp(name, last) != 0 && selection_has(s, name, REFERENCE) && all[i].kernel
		    && all[i].kernel->shape->count)
			chosen[n++] = reference_of(name);
		last = name;
		if (selection_has(s, name, all[i].isa))
			chosen[n++] = all[i];
	}
	free(all);
	*out = chosen;
	return n;
}

static const char *unit_of(const struct variant *v)
{
	if (v->exact)
		return "exact";
	return v->driver && v->driver->drive == drive_elementwise ? "ulp" : "units";
}

static int has_error(const struct variant *v, enum outcome outcome)
{
	return outcome == PASSED && !v->exact && v->worst > 0;
}

static const char *const outcome_names[OUTCOMES] = {
	[PASSED] = "passed", [WRONG] = "wrong", [CRASHED] = "crashed", [NOT_RUN] = "not_run"};

static cJSON *outcome_json(const struct variant *v, enum outcome outcome)
{
	cJSON *one = cJSON_CreateObject();

	cJSON_AddStringToObject(one, "variant", v->id);
	cJSON_AddStringToObject(one, "kernel", v->info.name);
	cJSON_AddStringToObject(one, "isa", v->isa);
	cJSON_AddStringToObject(one, "outcome", outcome_names[outcome]);
	if (outcome == NOT_RUN) {
		cJSON_AddStringToObject(one, "reason", v->reason);
		return one;
	}
	cJSON_AddStringToObject(one, "unit", unit_of(v));
	cJSON_AddNumberToObject(one, "bound", v->bound);
	cJSON_AddNumberToObject(one, "worst", v->worst);
	if (has_error(v, outcome))
		cJSON_AddStringToObject(one, "worst_at", place(v, v->worst_at).s);
	cJSON_AddBoolToObject(one, "same_bits_checked", v->twin && v->twin != v->fn);
	cJSON_AddNumberToObject(one, "calls", (double)v->calls);
	cJSON_AddNumberToObject(one, "results", (double)v->checks);
	if (outcome != PASSED) {
		cJSON_AddStringToObject(one, "message", found());
		cJSON_AddStringToObject(one, "call", tried());
	}
	return one;
}

/* Prints an id in width columns, and its outcome. */
static void outcome_print(const struct variant *v, enum outcome outcome, size_t width, const char *seed)
{
	const enum paint p = outcome == PASSED ? GOOD : outcome == NOT_RUN ? DIM : BAD;
	char note[320];
	size_t used = 2 + width + 2;

	printf("%s%s%s ", paint(p), p == GOOD ? glyph("✓", "+") : p == DIM ? glyph("·", "-") : glyph("✗", "X"),
	       paint(PLAIN));
	print_field(v->id, width + 2, p == DIM ? DIM : PLAIN);
	if (outcome == NOT_RUN) {
		printf("%snot run: %s%s\n", paint(DIM), v->reason, paint(PLAIN));
		return;
	}
	if (outcome != PASSED) {
		printf("%s%s%s\n  in: %s\n  again: isakern%s verify --seed=%s '%s'\n", paint(BAD), found(),
		       paint(PLAIN), tried(), library_option(), seed, v->id);
		return;
	}
	if (v->exact) {
		used += (size_t)printf("exact");
	} else {
		used += (size_t)printf("%.3f of %-5g %-5s", v->worst, v->bound, unit_of(v));
		if (terminal_width() > 100) {
			size_t filled;

			printf("  %s", paint(GOOD));
			filled = print_bar(v->bound > 0 ? v->worst / v->bound : 0, BAR);
			printf("%s%*s", paint(PLAIN), (int)(BAR - filled), "");
			used += 2 + BAR;
		}
	}
	snprintf(note, sizeof(note), "%s%s%s", v->twin && v->twin != v->fn ? "  same bits" : "",
	         has_error(v, outcome) ? "  at " : "",
	         has_error(v, outcome) ? place(v, v->worst_at).s : "");
	print_rest(note, used, DIM);
	putchar('\n');
}

static int command_run(int argc, char **argv)
{
	struct options options = {0};
	struct variant *variants, *last = NULL;
	size_t count, counts[OUTCOMES] = {0};
	cJSON *json = cJSON_CreateObject(), *list = cJSON_CreateArray();
	char seed[32];
	size_t width = 0;

	options_parse(&argp, argc, argv, &options);
	selection_check(&options.common.selection, VARIANTS_AND_REFERENCES);
	if (options.seed)
		snprintf(seed, sizeof(seed), "%s", options.seed);
	else
		snprintf(seed, sizeof(seed), "%llu", (unsigned long long)time(NULL));
	setenv("ISK_TEST_SEED", seed, 1);
	count = select_variants(&options.common.selection, &variants);
	for (size_t i = 0; i < count; i++) {
		variant_link(&last, &variants[i]);
		widen(&width, variants[i].id);
	}
	for (size_t i = 0; i < count; i++) {
		enum outcome outcome;

		output_flush();
		progress("[%zu/%zu] %s", i + 1, count, variants[i].id);
		outcome = run_alone(drive, &variants[i]);
		progress_end();
		counts[outcome]++;
		if (options.common.json)
			cJSON_AddItemToArray(list, outcome_json(&variants[i], outcome));
		else
			outcome_print(&variants[i], outcome, width, seed);
	}
	if (options.common.json) {
		cJSON_AddStringToObject(json, "isakern", isk_version());
		cJSON_AddStringToObject(json, "seed", seed);
		cJSON_AddItemToObject(json, "variants", list);
		for (int outcome = 0; outcome < OUTCOMES; outcome++)
			cJSON_AddNumberToObject(json, outcome_names[outcome], (double)counts[outcome]);
		json_print(json);
	} else {
		printf("%zu passed, %zu failed, %zu not run here; seed %s\n", counts[PASSED],
		       counts[WRONG] + counts[CRASHED], counts[NOT_RUN], seed);
		cJSON_Delete(json);
		cJSON_Delete(list);
	}
	free(variants);
	return counts[WRONG] + counts[CRASHED] ? FAILED : DONE;
}

const struct command command_verify = {"verify", "every variant against its plain reference, on this machine", &argp, command_run};
