/* SPDX-License-Identifier: MIT */
/* isakern fingerprint: checksums of results that are the same on every machine, and a comparison with recorded ones. */
#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "checksum.h"
#include "command.h"
#include "inputs.h"
#include "machine.h"
#include "output.h"
#include "promise.h"
#include "record.h"
#include "outputs.h"
#include "terminal.h"

enum { OPTION_CHECK = 0x600, OPTION_CASES, OPTION_CASE, OPTION_ALL_INPUTS };

struct options {
	struct common common;
	int check, cases, all_inputs;
	long one; /* the case to be shown; -1: none */
	const char *file;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;
	char *end;

	switch (key) {
	case OPTION_CHECK:
		options->check = 1;
		options->file = arg;
		return 0;
	case OPTION_CASES:
		options->cases = 1;
		return 0;
	case OPTION_CASE:
		errno = 0;
		options->one = strtol(arg, &end, 10);
		if (!*arg || arg[strspn(arg, "0123456789")] || errno || options->one > INT_MAX)
			argp_error(state, "--case: '%s' is no number of a case", arg);
		return 0;
	case OPTION_ALL_INPUTS:
		options->all_inputs = 1;
		return 0;
	case ARGP_KEY_END:
		if (options->one >= 0 && (options->check || options->cases || options->all_inputs || options->common.json))
			argp_error(state, "--case shows elements, and goes with no other option");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option argp_options[] = {
	{.name = "check", .key = OPTION_CHECK, .arg = "FILE", .flags = OPTION_ARG_OPTIONAL,
	 .doc = "Compare with what is recorded for this version, or with the output of another host, plain or of --json"},
	{.name = "cases", .key = OPTION_CASES,
	 .doc = "Also print the checksum of each case, or of each block of all inputs"},
	{.name = "case", .key = OPTION_CASE, .arg = "N", .doc = "Show the elements of that case instead"},
	{.name = "all-inputs", .key = OPTION_ALL_INPUTS,
	 .doc = "Take functions of one f32 alone, and all 2^32 inputs, which takes minutes"},
	{0},
};
static const struct argp argp = {
	.options = argp_options,
	.parser = parse,
	.args_doc = "[KERNEL[/ISA]...]",
	.doc = "Prints a checksum of each kernel's results for inputs that are the same everywhere. Variants that promise "
	       "the same bits have equal checksums on all machines. Without /ISA the bound variant is taken."
	       "\vVariants that do not promise their bits are left out, and counted. A checksum belongs to a version of "
	       "isakern. To find where two hosts differ, compare their cases (--cases), then elements (--case).",
};

/* A variant whose results are requested. */
struct subject {
	const struct isk_kernel *kernel;
	struct isk_kernel_info info;
	char isa[sizeof("avx512_") + 16], id[96]; /* id: the kernel, and the ISA if it was requested */
	isk_function fn;
	int promised;
};

/* The state of a run: its output and its findings. */
struct run {
	const struct options *options;
	const struct record *record; /* NULL: nothing is compared */
	cJSON *kernels, *left_out, *cases;
	const struct subject *subject;
	size_t done, promised_not, unknown, differ, same;
	char *lines; /* all names and checksums printed, for the checksum of everything */
	size_t room, used;
};

static int has_isa(const struct selection *s)
{
	for (size_t i = 0; i < s->count; i++)
		if (strchr(s->patterns[i], '/'))
			return 1;
	return 0;
}

/* Lists the variants to run, in the order of the kernels. Returns how many. */
static size_t subjects_choose(const struct options *options, struct subject **out)
{
	const struct selection *s = &options->common.selection;
	const int by_isa = has_isa(s);
	struct subject *all = allocate((asked.kernel_count() * asked.isa_count() + 1) * sizeof(*all));
	struct isk_kernel_info info;
	size_t count = 0;

	for (size_t i = 0; kernel_info(i, &info); i++) {
		const struct isk_kernel *k = kernel_described(info.name);
		struct isk_candidate *candidates;
		const size_t listed = candidates_of(info.name, &candidates);

		for (size_t c = 0; c < listed; c++) {
			struct subject *subject = &all[count];

			if (!k || (options->all_inputs && !inputs_are_all(k)) || !selection_has(s, info.name, candidates[c].isa)
			    || !(by_isa ? candidate_runs(&candidates[c]) : candidates[c].bound))
				continue;
			*subject = (struct subject){.kernel = k, .info = info, .fn = candidates[c].fn,
			                            .promised = bits_promised(&info, candidates[c].isa)};
			snprintf(subject->isa, sizeof(subject->isa), "%s", candidates[c].isa);
			snprintf(subject->id, sizeof(subject->id), by_isa ? "%s/%s" : "%s", info.name, subject->isa);
			count++;
		}
		free(candidates);
	}
	*out = all;
	return count;
}

static void text_of(uint64_t checksum, char text[17])
{
	snprintf(text, 17, "%016" PRIx64, checksum);
}

/* Adds a line to the text of the last checksum. */
static void line_add(struct run *run, const char *name, uint64_t checksum)
{
	const size_t bytes = strlen(name) + 1 + 16 + 1;

	if (run->used + bytes + 1 > run->room) {
		run->room = 2 * run->room + bytes + 4096;
		run->lines = realloc(run->lines, run->room);
		if (!run->lines)
			errx(FAILED, "out of memory");
	}
	run->used += (size_t)snprintf(run->lines + run->used, bytes + 1, "%s %016" PRIx64 "\n", name, checksum);
}

/* The first range whose checksums differ between two lines; -1: none. */
static int range_that_differs(const char *a, const char *b)
{
	for (int range = 0; range < INPUT_RANGES && *a && *b; range++) {
		const size_t length = strcspn(a, " ");

		if (length != strcspn(b, " ") || memcmp(a, b, length) != 0)
			return range;
		a += length + strspn(a + length, " ");
		b += length + strspn(b + length, " ");
	}
	return -1;
}

/*
 * Prints or compares a checksum. `name` has no ISA, `rest` is the rest of its line. Cases that a record lacks
 * are not missing, because records may hold kernels alone.
 */
static void tell(struct run *run, const char *name, const char *id, uint64_t checksum, const char *rest, int is_case)
{
	const char *recorded_rest = "";
	uint64_t recorded = 0;
	char text[17], wanted[17];
	int known, range;
	cJSON *one = NULL;

	text_of(checksum, text);
	if (run->options->common.json) {
		one = cJSON_CreateObject();
		cJSON_AddStringToObject(one, is_case ? "case" : "name", id);
		cJSON_AddStringToObject(one, "checksum", text);
		if (*rest)
			cJSON_AddStringToObject(one, is_case ? "call" : "ranges", rest);
		cJSON_AddItemToArray(is_case ? run->cases : run->kernels, one);
		if (!is_case) {
			cJSON_AddStringToObject(one, "kernel", run->subject->info.name);
			cJSON_AddStringToObject(one, "isa", run->subject->isa);
		}
	} else if (!run->record) {
		printf("%s %s%s%s\n", id, text, *rest ? " " : "", rest);
	}
	if (!run->record)
		return;
	known = record_find(run->record, name, &recorded, &recorded_rest);
	if (!known && is_case)
		return;
	if (!is_case) {
		run->unknown += !known;
		run->differ += known && recorded != checksum;
		run->same += known && recorded == checksum;
	}
	text_of(recorded, wanted);
	if (one && known)
		cJSON_AddStringToObject(one, "recorded", wanted);
	if (one || (known && recorded == checksum))
		return;
	if (!known) {
		printf("%s%s %s is not recorded%s\n", paint(NOTE), id, text, paint(PLAIN));
		return;
	}
	range = is_case ? -1 : range_that_differs(rest, recorded_rest);
	printf("%s%s %s differs, recorded is %s%s", paint(BAD), id, text, wanted, paint(PLAIN));
	if (is_case && *rest)
		printf(": %s", rest);
	else if (range >= 0)
		printf(", first from input 0x%08x on", (unsigned)input_of_range((size_t)range));
	putchar('\n');
}

static void case_tell(void *to, struct job *job, size_t number, uint64_t checksum)
{
	struct run *run = to;
	char text[CASE_TEXT], name[112], id[112];

	case_describe(job, text, sizeof(text));
	snprintf(name, sizeof(name), "%s#%zu", run->subject->info.name, number);
	snprintf(id, sizeof(id), "%s#%zu", run->subject->id, number);
	tell(run, name, id, checksum, text, 1);
}

static void inputs_tell(struct run *run, const struct subject *s)
{
	uint64_t *blocks = allocate(INPUT_BLOCKS * sizeof(*blocks)), whole;
	char name[112], id[112], ranges[INPUT_RANGES * 9 + 1];
	size_t used = 0;

	for (size_t range = 0; range < INPUT_RANGES; range++) {
		progress("%s %zu/%d", s->id, range + 1, INPUT_RANGES);
		used += (size_t)snprintf(ranges + used, sizeof(ranges) - used, range ? " %08x" : "%08x",
		                         (unsigned)inputs_range(s->kernel, s->fn, range, blocks + range * RANGE_BLOCKS));
	}
	progress_end();
	whole = checksum_of(blocks, INPUT_BLOCKS * sizeof(*blocks));
	for (size_t block = 0; run->options->cases && block < INPUT_BLOCKS; block++) {
		snprintf(name, sizeof(name), "%s#0x%08x", s->info.name, (unsigned)input_of_block(block));
		snprintf(id, sizeof(id), "%s#0x%08x", s->id, (unsigned)input_of_block(block));
		tell(run, name, id, blocks[block], "", 1);
	}
	snprintf(name, sizeof(name), "%s#all", s->info.name);
	snprintf(id, sizeof(id), "%s#all", s->id);
	tell(run, name, id, whole, ranges, 0);
	line_add(run, id, whole);
	free(blocks);
}

static void cases_tell(struct run *run, const struct subject *s)
{
	const uint64_t checksum = fingerprint_of(s->kernel, s->fn, run->options->cases ? case_tell : NULL, run);

	tell(run, s->info.name, s->id, checksum, "", 0);
	line_add(run, s->id, checksum);
}

static void leave_out(struct run *run, const struct subject *s)
{
	run->promised_not++;
	if (run->options->common.json) {
		cJSON *one = cJSON_CreateObject();

		cJSON_AddStringToObject(one, "kernel", s->info.name);
		cJSON_AddStringToObject(one, "isa", s->isa);
		cJSON_AddItemToArray(run->left_out, one);
	}
}

struct shown {
	const struct subject *subject;
	const char *argument;
};

static void element_show(void *to, enum isk_type type, size_t number, uint64_t bits)
{
	const struct shown *shown = to;

	printf("%s %s %zu %0*" PRIx64 "\n", shown->subject->id, shown->argument, number, (isk_element_width(type) + 3) / 4,
	       canonical(type, bits));
}

static void arrays_show(struct job *job, const struct subject *s, enum isk_role role)
{
	for (int i = 0; i < job->kernel->shape->count; i++) {
		const struct isk_argument *a = &job->kernel->shape->arguments[i];
		struct shown shown = {s, a->name};

		/* A packed array is shown as the output of the kernel that packs it. */
		if (a->role == role && !(role == ISK_IN && a->packed))
			elements_each(job, a, element_show, &shown);
	}
}

/* Inputs, outputs and the returned value, one element on each line. */
static void case_show(const struct subject *s, size_t number)
{
	struct job job;
	char text[CASE_TEXT];
	const enum isk_type returned = isk_result_type(s->kernel);
	struct shown shown = {s, "returned"};

	if (number >= cases_of(s->kernel))
		errx(USAGE, "%s has %zu cases, from 0", s->info.name, cases_of(s->kernel));
	if (!case_place(&job, s->kernel, number)) {
		printf("# %s#%zu is left out, it would be too large\n", s->id, number);
		return;
	}
	case_describe(&job, text, sizeof(text));
	printf("# %s#%zu: %s\n", s->id, number, text);
	arrays_show(&job, s, ISK_IN);
	job_repeat(&job, s->fn, 1);
	arrays_show(&job, s, ISK_OUT);
	if (returned)
		element_show(&shown, returned, 0, isk_element_bits(returned, &job.args.result, 0));
}

static struct record *record_wanted(const struct options *options)
{
	char error[RECORD_ERROR];
	struct record *r;

	if (!options->check)
		return NULL;
	if (options->file) {
		r = record_read(options->file, error, sizeof(error));
		if (!r)
			errx(FAILED, "%s", error);
		return r;
	}
	r = record_committed(asked.described->own);
	if (!r)
		errx(USAGE, "nothing is recorded for this library: --check=FILE compares with the output of another host");
	return r;
}

static void end_print(const struct run *run)
{
	const struct options *options = run->options;
	const char *of = options->file ? options->file : "recorded for isakern ";

	if (run->record)
		printf("%s%zu of %zu are the same as %s%s%s", paint(run->same == run->done ? GOOD : BAD), run->same, run->done,
		       options->file ? "in " : "", of, options->file ? "" : isk_version());
	else
		printf("# all %zu: %016" PRIx64, run->done, checksum_of(run->lines, run->used));
	if (run->promised_not)
		printf("; %zu left out, whose bits are not promised", run->promised_not);
	printf("%s\n", paint(PLAIN));
}

static void end_json(struct run *run)
{
	cJSON *json = cJSON_CreateObject();
	char all[17];

	text_of(checksum_of(run->lines, run->used), all);
	cJSON_AddStringToObject(json, "isakern", isk_version());
	cJSON_AddStringToObject(json, "cpu", machine_cpu());
	cJSON_AddStringToObject(json, "isa_current", asked.isa_current());
	cJSON_AddItemToObject(json, "fingerprints", run->kernels);
	if (run->options->cases)
		cJSON_AddItemToObject(json, "cases", run->cases);
	else
		cJSON_Delete(run->cases);
	cJSON_AddItemToObject(json, "left_out", run->left_out);
	cJSON_AddStringToObject(json, "all", all);
	if (run->record) {
		cJSON_AddNumberToObject(json, "same", (double)run->same);
		cJSON_AddNumberToObject(json, "differ", (double)run->differ);
		cJSON_AddNumberToObject(json, "not_recorded", (double)run->unknown);
	}
	json_print(json);
}

static void run_all(struct run *run, const struct subject *subjects, size_t count)
{
	const struct options *options = run->options;

	for (size_t i = 0; i < count; i++) {
		run->subject = &subjects[i];
		output_flush();
		if (!subjects[i].promised) {
			leave_out(run, &subjects[i]);
			continue;
		}
		if (options->all_inputs)
			inputs_tell(run, &subjects[i]);
		else
			cases_tell(run, &subjects[i]);
		run->done++;
	}
}

static int command_run(int argc, char **argv)
{
	struct options options = {.one = -1};
	struct subject *subjects;
	struct record *record;
	struct run run = {.options = &options};
	size_t count;

	options_parse(&argp, argc, argv, &options);
	selection_check(&options.common.selection, VARIANTS);
	record = record_wanted(&options);
	cases_start();
	count = subjects_choose(&options, &subjects);
	if (!count)
		errx(FAILED, "none of these variants %sruns on this machine",
		     options.all_inputs ? "is a function of one f32 that " : "");
	if (options.one >= 0) {
		for (size_t i = 0; i < count; i++)
			case_show(&subjects[i], (size_t)options.one);
		free(subjects);
		return DONE;
	}
	run.record = record;
	run.kernels = cJSON_CreateArray();
	run.left_out = cJSON_CreateArray();
	run.cases = cJSON_CreateArray();
	if (!options.common.json && !record)
		printf("# isakern %s, %s, %s in force\n", isk_version(), machine_cpu(), asked.isa_current());
	run_all(&run, subjects, count);
	if (options.common.json) {
		end_json(&run);
	} else {
		end_print(&run);
		cJSON_Delete(run.kernels);
		cJSON_Delete(run.left_out);
		cJSON_Delete(run.cases);
	}
	record_free(record);
	free(run.lines);
	free(subjects);
	return record && run.same != run.done ? FAILED : DONE;
}

const struct command command_fingerprint = {"fingerprint", "checksums of results, to compare with those of other machines", &argp, command_run};
