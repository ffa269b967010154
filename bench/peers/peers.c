/* SPDX-License-Identifier: MIT */
/*
 * isakern's matrix kernels beside the peers that Debian has, interleaved in one
 * process on one thread. See README.md here.
 *
 *     peers [--quick] [--json] [--isa avx2] [--list] [WORD...]
 *
 * A row is measured if each WORD is, or as a shell pattern matches, one of its
 * words: kernel, group, MxNxK, NxK.
 */
#include <argp.h>
#include <err.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "machine.h"
#include "output.h"
#include "peers.h"
#include "terminal.h"

static const struct peer *const all[] = {&onednn, &openblas, &blis, &xsmm, &xnnpack, &torch};

enum { PEERS = sizeof(all) / sizeof(all[0]) };

struct options {
	int quick, json, list;
	const char *isa;
	char **words;
	size_t count;
};

static const struct argp_option argp_options[] = {
	{.name = "quick", .key = 'q', .doc = "Fewer and shorter samples"},
	{.name = "json", .key = 'j', .doc = "Print JSON"},
	{.name = "list", .key = 'l', .doc = "Name the rows, measure nothing"},
	{.name = "isa", .key = 'i', .arg = "avx2", .doc = "Cap isakern and all peers to AVX2"},
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'q':
		options->quick = 1;
		return 0;
	case 'j':
		options->json = 1;
		return 0;
	case 'l':
		options->list = 1;
		return 0;
	case 'i':
		if (strcmp(arg, "avx2"))
			argp_error(state, "--isa: only avx2 can be asked for");
		options->isa = arg;
		return 0;
	case ARGP_KEY_ARGS:
		options->words = state->argv + state->next;
		options->count = (size_t)(state->argc - state->next);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = argp_options,
	.parser = parse,
	.args_doc = "[WORD...]",
	.doc = "Times isakern's matrix kernels and those of other libraries in turns, one thread, weights warm."
	       "\vA row is measured if each WORD is one of its words, shell patterns allowed: kernel, group, MxNxK, NxK.",
};

#define CAP "ISAKERN_PEERS_CAPPED"

int capped(void)
{
	return getenv(CAP) != NULL;
}

/* Libraries read their environment as they are loaded: so it is complete before the program starts. */
static void environment(char **argv, int cap)
{
	static const char *const single[] = {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "BLIS_NUM_THREADS", "MKL_NUM_THREADS"};
	static const char *const caps[][2] = {
		{"ISAKERN_MAX_ISA", "avx2"}, {"ONEDNN_MAX_CPU_ISA", "AVX2"}, {"OPENBLAS_CORETYPE", "Haswell"},
		{"LIBXSMM_TARGET", "hsw"}, {"ATEN_CPU_CAPABILITY", "avx2"}, {CAP, "1"}};
	int changed = 0;

	for (size_t i = 0; i < sizeof(single) / sizeof(single[0]); i++)
		if (!getenv(single[i]) || strcmp(getenv(single[i]), "1")) {
			setenv(single[i], "1", 1);
			changed = 1;
		}
	/* It asks for AVX2 where that is not said. */
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

void *allocate(size_t bytes)
{
	const size_t rounded = (bytes + 63) / 64 * 64;
	void *p = aligned_alloc(64, rounded ? rounded : 64);

	if (!p)
		errx(1, "out of memory: %zu bytes", bytes);
	return memset(p, 0, rounded);
}

static int wanted(const struct row *row, const struct options *options)
{
	char layer[48];
	const char *words[] = {row->kernel, row->group, row->shape, layer};

	snprintf(layer, sizeof(layer), "%zux%zu", row->n, row->k);
	for (size_t i = 0; i < options->count; i++) {
		int found = 0;

		for (size_t w = 0; w < sizeof(words) / sizeof(words[0]); w++)
			found |= fnmatch(options->words[i], words[w], 0) == 0;
		if (!found)
			return 0;
	}
	return 1;
}

static void check(struct field *f)
{
	for (size_t i = 0; i < f->count; i++) {
		struct entry *e = &f->entries[i];
		const char *wrong;

		e->call(e->state);
		if (e->fetch)
			e->fetch(e->state);
		wrong = e->role == LIMIT ? NULL : problem_check(f->problem, e->op, e->c);
		if (!wrong)
			continue;
		warnx("%s %s: %s (%s) is wrong and out of it: %s", f->problem->row->kernel, f->problem->row->shape, e->who,
		      e->how, wrong);
		e->wrong = strdup(wrong);
	}
}

static void measure(const struct row *row, const struct options *options, const char *const *versions)
{
	const struct effort effort = options->quick ? (struct effort){7, 7e5, 1e9} : (struct effort){15, 3e6, 4e9};
	static struct field f;
	struct problem p;

	progress("%s %s %s", row->kernel, row->group, row->shape);
	if (!isk_bound(row->kernel)) {
		progress_end();
		table_absent(row, "isakern: not in this build", !options->json);
		return;
	}
	problem_make(&p, row);
	f.problem = &p;
	ours_enter(&f, &p);
	limits_enter(&f, &p);
	for (int i = 0; i < PEERS; i++)
		if (versions[i])
			all[i]->enter(&f, &p);
	check(&f);
	if (!f.count || f.entries[0].wrong) {
		progress_end();
		table_absent(row, "isakern: WRONG RESULT, not timed", !options->json);
	} else {
		field_time(&f, &effort);
		progress_end();
		table_row(&f, !options->json);
	}
	field_free(&f);
	problem_free(&p);
}

struct circumstances {
	struct utsname system;
	double load[3];
	const char *versions[PEERS];
};

static void print_circumstances(const struct circumstances *c)
{
	printf("isakern %s (%s) beside other libraries; GFLOP/s (8 bits: GOP/s), * is the best peer\n", isk_version(),
	       isk_isa_current());
	printf("  %s, %s %s; load average %.2f %.2f %.2f\n", machine_cpu(), c->system.sysname, c->system.release, c->load[0],
	       c->load[1], c->load[2]);
	for (int i = 0; i < PEERS; i++)
		if (c->versions[i])
			printf("  %-9s %s\n", all[i]->name, c->versions[i]);
		else if (capped() && all[i]->uncapped)
			printf("  %-9s left out: nothing caps it to AVX2\n", all[i]->name);
		else
			printf("  %-9s %smissing: %s%s\n", all[i]->name, paint(NOTE), all[i]->package, paint(PLAIN));
	printf("  One thread, its CPU time, medians of interleaved samples; operands and weights warm, of isakern packed\n"
	       "  beforehand, of a peer where it can. %% peak: of a register-only loop of FMA (8 bits: vpdpbusd; bf16: vdpbf16ps\n"
	       "  where that is faster) beside every sample. Every result is compared with double precision first.\n");
}

/* A column for each peer that is there; one for torch only where it has a part. */
static void print_header(const struct circumstances *c, const struct options *options)
{
	const char *names[PEERS];
	struct row row;
	size_t count = 0;
	int fused = 0;

	for (size_t i = 0; row_get(i, &row); i++)
		fused |= row.op == LINEAR && wanted(&row, options);
	for (int i = 0; i < PEERS; i++)
		if (c->versions[i] && (all[i] != &torch || fused))
			names[count++] = all[i]->name;
	table_header(names, count);
}

static cJSON *report(const struct circumstances *c)
{
	cJSON *json = cJSON_CreateObject(), *peers = cJSON_CreateObject();

	cJSON_AddStringToObject(json, "isakern", isk_version());
	cJSON_AddStringToObject(json, "isa_current", isk_isa_current());
	cJSON_AddBoolToObject(json, "capped_to_avx2", capped());
	cJSON_AddStringToObject(json, "cpu", machine_cpu());
	cJSON_AddStringToObject(json, "kernel", c->system.release);
	cJSON_AddItemToObject(json, "load_average", cJSON_CreateDoubleArray(c->load, 3));
	for (int i = 0; i < PEERS; i++)
		cJSON_AddItemToObject(peers, all[i]->name,
		                      c->versions[i] ? cJSON_CreateString(c->versions[i]) : cJSON_CreateNull());
	cJSON_AddItemToObject(json, "peers", peers);
	cJSON_AddItemToObject(json, "rows", table_json());
	return json;
}

int main(int argc, char **argv)
{
	struct options options = {0};
	struct circumstances c = {0};
	struct row row;
	size_t count = 0;

	argp_parse(&argp, argc, argv, 0, NULL, &options);
	environment(argv, options.isa != NULL);
	if (options.list) {
		for (size_t i = 0; row_get(i, &row); i++)
			if (wanted(&row, &options))
				printf("%s %s %s\n", row.kernel, row.group, row.shape);
		return 0;
	}
	uname(&c.system);
	getloadavg(c.load, 3);
	for (int i = 0; i < PEERS; i++)
		if (!capped() || !all[i]->uncapped)
			c.versions[i] = all[i]->open();
	if (!options.json) {
		print_circumstances(&c);
		print_header(&c, &options);
	}
	for (size_t i = 0; row_get(i, &row); i++)
		if (wanted(&row, &options)) {
			measure(&row, &options, c.versions);
			count++;
		}
	if (!count)
		errx(2, "no row has all of these words; --list names the rows");
	if (options.json) {
		cJSON *json = report(&c);
		char *text = cJSON_Print(json);

		puts(text);
		free(text);
		cJSON_Delete(json);
	} else {
		printf("\n%zu rows met their goals, %zu missed one, %zu have no goal or no figure to judge\n", rows_met, rows_missed,
		       count - rows_met - rows_missed);
	}
	return 0;
}
