/* SPDX-License-Identifier: MIT */
/*
 * isakern verify: runs the drivers of the test suite on every variant that this
 * machine can run. Each runs in a process of its own, so that one that crashes
 * takes nothing with it.
 */
#include <err.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "harness.h"
#include "kernels.h"
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
		if (!*arg || arg[strspn(arg, "0123456789")])
			argp_error(state, "--seed: '%s' is no number", arg);
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
	.args_doc = "[KERNEL[/ISA]...]",
	.doc = "Runs every variant that this machine can run, and the plain reference, on special and random values "
	       "of many sizes, between guard pages, against the exact result; and demands the error bound of the "
	       "table, and the same bits from avx2 up where those are promised."
	       "\vVariants that cannot run here are counted and named; they do not make the command fail.",
};

/* What became of a variant. Small enough to go through a pipe in one piece. */
struct outcome {
	enum { PASSED, WRONG, CRASHED, NOT_RUN } kind;
	double worst;
	uint64_t worst_at[2], calls, checks;
	char message[1024];
};

static int report = -1;
static struct variant *running;

static void send_outcome(int kind, const char *what, const char *where)
{
	struct outcome o = {.kind = kind, .worst = running->worst, .calls = running->calls, .checks = running->checks};

	memcpy(o.worst_at, running->worst_at, sizeof(o.worst_at));
	snprintf(o.message, sizeof(o.message), "%s%s%s", what, *where ? "; " : "", where);
	if (write(report, &o, sizeof(o)) != (ssize_t)sizeof(o))
		_exit(FAILED);
	_exit(DONE);
}

void test_failed(void)
{
	send_outcome(WRONG, found(), tried());
	__builtin_unreachable();
}

static void crashed(int number)
{
	send_outcome(CRASHED, strsignal(number), tried());
}

static void child(struct variant *v, const char *name)
{
	static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};

	running = v;
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		signal(signals[i], crashed);
	if (!v->kernel)
		send_outcome(WRONG, "its shape has no driver in test/kernels", v->info.shape);
	random_start(name);
	trying("the first call");
	v->kernel->drive(v);
	send_outcome(PASSED, "", "");
}

static struct outcome verify(struct variant *v)
{
	struct outcome o = {.kind = NOT_RUN};
	int ends[2], status;
	pid_t pid;

	if (!v->fn) {
		snprintf(o.message, sizeof(o.message), "%s", v->reason);
		return o;
	}
	output_flush();
	if (pipe(ends) || (pid = fork()) < 0)
		err(FAILED, "%s", v->id);
	if (pid == 0) {
		report = ends[1];
		child(v, v->info.name);
	}
	close(ends[1]);
	if (read(ends[0], &o, sizeof(o)) != (ssize_t)sizeof(o)) {
		o = (struct outcome){.kind = CRASHED};
		strcpy(o.message, "it ended without a result");
	}
	close(ends[0]);
	waitpid(pid, &status, 0);
	return o;
}

/* The reference is one more variant: without it the others would be measured against nothing users can call. */
static struct variant reference_of(const char *kernel)
{
	struct variant v = {.kernel = kernel_find(kernel), .isa = REFERENCE, .fn = isk_reference(kernel)};

	for (size_t i = 0; isk_kernel_info(i, &v.info) == ISK_OK; i++)
		if (strcmp(v.info.name, kernel) == 0)
			break;
	snprintf(v.id, sizeof(v.id), "%s/" REFERENCE, kernel);
	strcpy(v.reason, "not linked");
	v.exact = strcmp(v.info.error, "exact") == 0;
	v.bound = v.exact ? 0 : strtod(v.info.error, NULL);
	return v;
}

/* All variants of the selection, lowest ISA first, after each kernel's reference. */
static size_t select_variants(const struct selection *s, struct variant **out)
{
	struct variant *all, *chosen;
	const size_t count = variants_all(&all);
	const char *last = "";
	size_t n = 0;

	chosen = allocate(2 * count * sizeof(*chosen));
	for (size_t i = 0; i < count; i++) {
		const char *name = all[i].info.name;

		/* A query has no answer that a reference could give. */
		if (strcmp(name, last) != 0 && selection_has(s, name, REFERENCE)
		    && strcmp(all[i].info.shape, "query") != 0)
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
	return strcmp(v->info.shape, "map") && strcmp(v->info.shape, "zip") ? "units" : "ulp";
}

/* What the two words of variant.worst_at are, by shape. */
static void describe_worst(const struct variant *v, const struct outcome *o, char *text, size_t size)
{
	const unsigned long long a = o->worst_at[0], b = o->worst_at[1];
	const char *shape = v->info.shape;

	*text = '\0';
	if (v->exact || o->kind != PASSED || !(o->worst > 0) || !v->kernel)
		return;
	if (strcmp(shape, "map") == 0)
		snprintf(text, size, "at %.9g (%#llx)", elem_value(v->kernel->in, a), a);
	else if (strcmp(shape, "zip") == 0)
		snprintf(text, size, "at %.9g, %.9g", elem_value(v->kernel->in, a), elem_value(v->kernel->in, b));
	else if (v->kernel->reduce)
		snprintf(text, size, "at n = %llu", a);
	else
		snprintf(text, size, "at row %llu, column %llu", a, b);
}

static const char *const kind_names[] = {"passed", "wrong", "crashed", "not_run"};

static cJSON *outcome_json(const struct variant *v, const struct outcome *o)
{
	cJSON *one = cJSON_CreateObject();
	char text[128];

	cJSON_AddStringToObject(one, "variant", v->id);
	cJSON_AddStringToObject(one, "kernel", v->info.name);
	cJSON_AddStringToObject(one, "isa", v->isa);
	cJSON_AddStringToObject(one, "outcome", kind_names[o->kind]);
	if (o->kind == NOT_RUN) {
		cJSON_AddStringToObject(one, "reason", o->message);
		return one;
	}
	cJSON_AddStringToObject(one, "unit", unit_of(v));
	cJSON_AddNumberToObject(one, "bound", v->bound);
	cJSON_AddNumberToObject(one, "worst", o->worst);
	describe_worst(v, o, text, sizeof(text));
	if (*text)
		cJSON_AddStringToObject(one, "worst_at", text);
	cJSON_AddBoolToObject(one, "same_bits_checked", v->twin && v->twin != v->fn);
	cJSON_AddNumberToObject(one, "calls", (double)o->calls);
	cJSON_AddNumberToObject(one, "results", (double)o->checks);
	if (*o->message)
		cJSON_AddStringToObject(one, "message", o->message);
	return one;
}

static void outcome_print(const struct variant *v, const struct outcome *o, size_t width)
{
	char text[128];

	if (o->kind == NOT_RUN) {
		printf("%s%s ", paint(DIM), glyph("·", "-"));
		print_field(v->id, width + 2, DIM);
		printf("%snot run: %s%s\n", paint(DIM), o->message, paint(PLAIN));
		return;
	}
	printf("%s%s%s ", paint(o->kind == PASSED ? GOOD : BAD), o->kind == PASSED ? glyph("✓", "+") : glyph("✗", "X"),
	       paint(PLAIN));
	print_field(v->id, width + 2, PLAIN);
	if (o->kind != PASSED) {
		printf("%s%s%s\n", paint(BAD), o->message, paint(PLAIN));
		return;
	}
	if (v->exact) {
		printf("exact");
	} else {
		printf("%.3f of %-5g %-6s", o->worst, v->bound, unit_of(v));
		if (terminal_width() > 100) {
			size_t used;

			fputs(paint(GOOD), stdout);
			used = print_bar(v->bound > 0 ? o->worst / v->bound : 0, BAR);
			printf("%s%*s", paint(PLAIN), (int)(BAR - used), "");
		}
	}
	describe_worst(v, o, text, sizeof(text));
	printf("%s%s%s%s%s\n", paint(DIM), *text ? " " : "", text, v->twin && v->twin != v->fn ? ", same bits" : "",
	       paint(PLAIN));
}

int command_verify(int argc, char **argv)
{
	struct options options = {0};
	struct variant *variants;
	size_t count, counts[4] = {0};
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
	for (size_t i = 0; i < count; i++)
		width = strlen(variants[i].id) > width ? strlen(variants[i].id) : width;
	for (size_t i = 0; i < count; i++) {
		struct outcome o;

		progress("[%zu/%zu] %s", i + 1, count, variants[i].id);
		o = verify(&variants[i]);
		progress_end();
		counts[o.kind]++;
		if (options.common.json)
			cJSON_AddItemToArray(list, outcome_json(&variants[i], &o));
		else
			outcome_print(&variants[i], &o, width);
	}
	if (options.common.json) {
		cJSON_AddStringToObject(json, "isakern", isk_version());
		cJSON_AddStringToObject(json, "seed", seed);
		cJSON_AddItemToObject(json, "variants", list);
		for (int kind = 0; kind < 4; kind++)
			cJSON_AddNumberToObject(json, kind_names[kind], (double)counts[kind]);
		json_print(json);
	} else {
		printf("%zu passed, %zu failed, %zu not run here; seed %s\n", counts[PASSED],
		       counts[WRONG] + counts[CRASHED], counts[NOT_RUN], seed);
	}
	free(variants);
	return counts[WRONG] + counts[CRASHED] ? FAILED : DONE;
}
