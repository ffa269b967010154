/* SPDX-License-Identifier: MIT */
/* isakern's kernels against the peers that Debian has, interleaved in one process on one thread: see README.md here. */
#include <argp.h>
#include <err.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cpu.h"
#include "field.h"
#include "machine.h"
#include "others.h"
#include "outcome.h"
#include "output.h"
#include "peer.h"
#include "problem.h"
#include "terminal.h"
#include "text.h"

enum { MOST_WORDS = 32 };

struct words {
	const char *word[MOST_WORDS];
	size_t count;
};

struct options {
	int quick, list, alone, capped;
	int json; /* JSON in place of the table */
	const char *file; /* for JSON beside the table */
	const char *old;
	struct words rows, groups;
};

enum { ALONE = 256, OLD_LIBRARY };

static const struct argp_option argp_options[] = {
	{.name = "rows",
     .key = 'r',
     .arg = "PATTERN",
     .doc = "Rows whose KERNEL or KERNEL/SHAPE the shell pattern matches"},
	{.name = "group", .key = 'g', .arg = "NAME", .doc = "Rows of that group"},
	{.name = "quick", .key = 'q', .doc = "Fewer and shorter samples"},
	{.name = "json", .key = 'j', .arg = "FILE", .flags = OPTION_ARG_OPTIONAL,
	 .doc = "Print JSON in place of the table, or write it to FILE beside the table"},
	{.name = "list", .key = 'l', .doc = "Name the rows and their groups, measure nothing"},
	{.name = "isa", .key = 'i', .arg = "avx2", .doc = "Cap isakern and all peers to AVX2"},
	{.name = "old", .key = OLD_LIBRARY, .arg = "LIBRARY", .doc = "Enter a second libisakern.so in each row"},
	{.name = "alone", .key = ALONE, .doc = "Leave all peers out"},
	{0},
};

static void add_word(struct words *words, const char *word, struct argp_state *state, const char *option)
{
	if (words->count == MOST_WORDS)
		argp_error(state, "%s: at most %d times", option, MOST_WORDS);
	words->word[words->count++] = word;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'r':
		add_word(&options->rows, arg, state, "--rows");
		return 0;
	case 'g':
		add_word(&options->groups, arg, state, "--group");
		return 0;
	case 'q':
		options->quick = 1;
		return 0;
	case 'j':
		options->json = !arg;
		options->file = arg;
		return 0;
	case 'l':
		options->list = 1;
		return 0;
	case 'i':
		if (strcmp(arg, "avx2"))
			argp_error(state, "--isa: only avx2 can be asked for");
		options->capped = 1;
		return 0;
	case OLD_LIBRARY:
		options->old = arg;
		return 0;
	case ALONE:
		options->alone = 1;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = argp_options,
	.parser = parse,
	.doc = "Times isakern's kernels and those of other libraries in turns, one thread, operands warm."
		   "\v--rows and --group may be given again; a row is measured if one of either kind matches.",
};

#define CAP "ISAKERN_PEERS_CAPPED"

int capped(void)
{
	return getenv(CAP) != NULL;
}

/* Libraries read their environment when they are loaded, so it must be complete before the program starts. */
static void environment(char **argv, int cap)
{
	static const char *const single[] = {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "BLIS_NUM_THREADS", "MKL_NUM_THREADS"};
	static const char *const caps[][2] = {
		{"ISAKERN_MAX_ISA", "avx2"}, {"ONEDNN_MAX_CPU_ISA", "AVX2"}, {"OPENBLAS_CORETYPE", "Haswell"},
		{"LIBXSMM_TARGET", "hsw"}, {"ATEN_CPU_CAPABILITY", "avx2"},
		{"GLIBC_TUNABLES", "glibc.cpu.hwcaps=-AVX512F,-AVX512VL"}, {CAP, "1"}};
	int changed = 0;

	for (size_t i = 0; i < sizeof(single) / sizeof(single[0]); i++)
		if (!getenv(single[i]) || strcmp(getenv(single[i]), "1")) {
			setenv(single[i], "1", 1);
			changed = 1;
		}
	/* torch takes AVX2 unless this variable says otherwise. */
	if (!cap && !getenv("ATEN_CPU_CAPABILITY") && __builtin_cpu_supports("avx512bw")) {
		setenv("ATEN_CPU_CAPABILITY", "avx512", 1);
		changed = 1;
	}
	for (size_t i = 0; i < sizeof(caps) / sizeof(caps[0]) && cap && !capped(); i++) {
		setenv(caps[i][0], caps[i][1], 1);
		changed = 1;
	}
	if (changed && execv("/proc/self/exe", argv))
		err(1, "/proc/self/exe");
}

static int wanted(const struct row *row, const struct options *options)
{
	const struct words *rows = &options->rows, *groups = &options->groups;
	int row_matches = rows->count == 0, group_matches = groups->count == 0;
	char name[96];

	snprintf(name, sizeof(name), "%s/%s", row->kernel, row->shape);
	for (size_t i = 0; i < rows->count; i++)
		row_matches |= fnmatch(rows->word[i], row->kernel, 0) == 0 || fnmatch(rows->word[i], name, 0) == 0;
	for (size_t i = 0; i < groups->count; i++)
		group_matches |= strcmp(groups->word[i], row->group) == 0;
	return row_matches && group_matches;
}

static size_t count_wanted(const struct options *options)
{
	struct row row;
	size_t count = 0;

	for (size_t i = 0; row_get(i, &row); i++)
		count += (size_t)wanted(&row, options);
	return count;
}

/* Ends the program if a word names nothing, with the list of valid ones. */
static void check_words(const struct options *options)
{
	struct row row;
	char names[1024];
	const char *last = "";
	size_t length = 0;

	if (count_wanted(options))
		return;
	if (options->rows.count)
		errx(2, "no row of these groups matches --rows; --list names the rows");
	for (size_t i = 0; row_get(i, &row); i++) {
		if (strcmp(row.group, last) && !strstr(names, row.group) && length < sizeof(names))
			length += (size_t)snprintf(names + length, sizeof(names) - length, " %s", row.group);
		last = row.group;
	}
	errx(2, "--group: there is no group %s; there are%s", options->groups.word[0], names);
}

static cJSON *measure(const struct row *row, const struct options *options, const char *const *versions)
{
	const struct effort effort =
		options->quick ? (struct effort){7, 3, 7e5, 1e9} : (struct effort){15, 5, 3e6, 4e9};
	static struct field f;
	struct problem p = {.row = row};
	const struct usage begin = usage_now();
	const char *reason = field_measure(&f, &p, row, &effort, versions);
	struct outcome outcome;
	cJSON *json;

	progress_end();
	if (reason) {
		summary_add_absent();
		json = json_absent(row, reason);
		if (!options->json)
			table_absent(row, reason);
	} else {
		outcome = outcome_of(&f);
		summary_add(row, &outcome);
		json = json_row(&f, &outcome);
		cJSON_AddNumberToObject(json, "others_used", others_since(&begin));
		if (!options->json)
			table_row(&f, &outcome);
	}
	field_free(&f);
	problem_free(&p);
	return json;
}

struct circumstances {
	struct utsname system;
	struct usage begin;
	double load[3];
	int alone;
	const char *versions[PEERS], *old, *peaks;
};

static void print_line(const char *name, const char *text)
{
	printf("  %-9s ", name);
	print_wrapped(text, 12, 12, PLAIN);
}

static void print_peer(const struct peer *peer, const char *version)
{
	char text[160];

	if (version)
		snprintf(text, sizeof(text), "%s", version);
	else if (capped() && peer->uncapped)
		snprintf(text, sizeof(text), "left out: nothing caps it to AVX2");
	else
		snprintf(text, sizeof(text), "missing: %s", peer->package);
	print_line(peer->name, text);
}

static void print_circumstances(const struct circumstances *c)
{
	char text[384];

	printf("isakern %s (%s) beside other libraries\n", isk_version(), isk_isa_current());
	snprintf(text, sizeof(text), "%s (%s), %s %s; load average %.2f %.2f %.2f", machine_cpu(),
	         machine_here() == ANY_MACHINE ? "no goals of its own" : machine_text(machine_here()),
	         c->system.sysname, c->system.release, c->load[0], c->load[1], c->load[2]);
	print_line("machine", text);
	snprintf(text, sizeof(text), "L1 %zu KiB, L2 %zu KiB, L3 %zu KiB", machine_cache(1) >> 10,
	         machine_cache(2) >> 10, machine_cache(3) >> 10);
	print_line("caches", text);
	print_line("peaks", c->peaks);
	if (c->old)
		print_line("old", c->old);
	for (int i = 0; i < PEERS && !c->alone; i++)
		print_peer(peers[i], c->versions[i]);
	putchar('\n');
	print_wrapped(
		"One thread, its CPU time, medians of interleaved samples; operands warm, weights packed beforehand "
	    "where that "
		"can be. Every result is compared with double precision first. share: of the peak (p), of reading "
	    "(r) "
		"or copying (c) the same bytes, whichever is nearest. x: how many times as fast isakern is. Rows "
		"marked ! are lost to the best peer; peers in brackets are too inexact to count.",
		0, 0, PLAIN);
	putchar('\n');
}

static cJSON *report(const struct circumstances *c, cJSON *rows)
{
	cJSON *json = cJSON_CreateObject(), *others = cJSON_CreateObject();

	cJSON_AddStringToObject(json, "isakern", isk_version());
	cJSON_AddStringToObject(json, "isa_current", isk_isa_current());
	cJSON_AddBoolToObject(json, "capped_to_avx2", capped());
	cJSON_AddStringToObject(json, "cpu", machine_cpu());
	cJSON_AddStringToObject(json, "machine", machine_text(machine_here()));
	cJSON_AddStringToObject(json, "kernel", c->system.release);
	cJSON_AddStringToObject(json, "peaks", c->peaks);
	cJSON_AddItemToObject(json, "load_average", cJSON_CreateDoubleArray(c->load, 3));
	cJSON_AddNumberToObject(json, "others_used", others_since(&c->begin));
	for (int level = 1; level <= 3; level++) {
		const char name[] = {'l', (char)('0' + level), '\0'};

		cJSON_AddNumberToObject(json, name, (double)machine_cache(level));
	}
	cJSON_AddItemToObject(json, "old", c->old ? cJSON_CreateString(c->old) : cJSON_CreateNull());
	for (int i = 0; i < PEERS; i++)
		cJSON_AddItemToObject(others, peers[i]->name,
		                      c->versions[i] ? cJSON_CreateString(c->versions[i]) : cJSON_CreateNull());
	cJSON_AddItemToObject(json, "peers", others);
	cJSON_AddItemToObject(json, "summary", summary_json());
	cJSON_AddItemToObject(json, "rows", rows);
	return json;
}

static void list(const struct options *options)
{
	struct row row;

	for (size_t i = 0; row_get(i, &row); i++)
		if (wanted(&row, options))
			printf("%s/%s %s\n", row.kernel, row.shape, row.group);
}

static void find_circumstances(struct circumstances *c, const struct options *options)
{
	uname(&c->system);
	c->begin = usage_now();
	getloadavg(c->load, 3);
	c->peaks = peaks_text();
	c->old = options->old ? old_open(options->old) : NULL;
	c->alone = options->alone;
	for (int i = 0; i < PEERS && !c->alone; i++)
		if (!capped() || !peers[i]->uncapped)
			c->versions[i] = peers[i]->open();
}

int main(int argc, char **argv)
{
	struct options options = {0};
	struct circumstances c = {0};
	cJSON *rows = cJSON_CreateArray();
	struct row row;
	size_t done = 0, count;
	FILE *json;

	output_start();
	argp_parse(&argp, argc, argv, 0, NULL, &options);
	environment(argv, options.capped);
	check_words(&options);
	if (options.list) {
		list(&options);
		return 0;
	}
	json = options.json ? stdout : options.file ? fopen(options.file, "we") : NULL;
	if (options.file && !json)
		err(1, "%s", options.file);
	find_circumstances(&c, &options);
	if (!options.json) {
		print_circumstances(&c);
		table_header();
	}
	count = count_wanted(&options);
	for (size_t i = 0; row_get(i, &row); i++)
		if (wanted(&row, &options)) {
			progress("%zu of %zu: %s %s", ++done, count, row.kernel, row.shape);
			cJSON_AddItemToArray(rows, measure(&row, &options, c.versions));
		}
	if (!options.json) {
		table_end();
		summary_print();
		printf("\nOther processes used %.0f %% of what this one left of the CPUs.\n", 100 * others_since(&c.begin));
	}
	if (json) {
		char *text = cJSON_Print(report(&c, rows));

		fprintf(json, "%s\n", text);
		free(text);
	}
	if (options.file) {
		errno = output_close(json);
		if (errno)
			err(1, "%s", options.file);
	}
	return 0;
}
