/* SPDX-License-Identifier: MIT */
#include "plans.h"

#include <ctype.h>
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "machine.h"
#include "output.h"
#include "terminal.h"

static const char planned[] = "matmul_f32";

/* A size at *text, which then stands behind it and behind the character that follows; 0 if there is none. */
static size_t read_size(const char **text, char follows)
{
	char *end;
	size_t size;

	if (!isdigit((unsigned char)**text))
		return 0;
	size = strtoull(*text, &end, 10);
	if (*end != follows)
		return 0;
	*text = end + (follows != 0);
	return size;
}

/* A plan without a demand. */
static struct isk_matmul_plan plan_of(const char *kernel, const char *sizes)
{
	struct isk_matmul_plan plan = {.size = sizeof(plan), .kernel = kernel};
	const char *text = sizes;
	int status;

	plan.m = read_size(&text, 'x');
	plan.n = plan.m ? read_size(&text, 'x') : 0;
	plan.k = plan.n ? read_size(&text, 0) : 0;
	if (!plan.k)
		errx(USAGE, "'%s' is no MxNxK, such as 24x24x24", sizes);
	plan.ldc = plan.ldb = plan.n;
	plan.lda = plan.k;
	status = isk_matmul_plan(&plan);
	if (status)
		errx(USAGE, "%s: %s", sizes, isk_strerror(status));
	return plan;
}

void plans_check(const char *kernel, char *const *sizes, size_t count)
{
	if (asked.bound != isk_bound)
		errx(USAGE, "--library: plans are those of libisakern alone");
	if (strcmp(kernel, planned) && strcmp(kernel, "matmul_f64"))
		errx(USAGE, "%s has no plans for sizes; matmul_f32 and matmul_f64 have", kernel);
	for (size_t i = 0; i < count; i++)
		plan_of(kernel, sizes[i]);
}

void plan_print(const char *kernel, const char *sizes)
{
	const struct isk_matmul_plan plan = plan_of(kernel, sizes);

	printf("  %s%s%s: %s%s%s at %s: %s\n", paint(BOLD), sizes, paint(PLAIN), paint(GOOD), plan.way, paint(PLAIN), plan.isa,
	       plan.reason);
}

static cJSON *plan_json(const struct isk_matmul_plan *plan, const char *sizes)
{
	cJSON *json = cJSON_CreateObject();

	cJSON_AddStringToObject(json, "sizes", sizes);
	cJSON_AddStringToObject(json, "isa", plan->isa);
	cJSON_AddStringToObject(json, "way", plan->way);
	cJSON_AddStringToObject(json, "reason", plan->reason);
	return json;
}

cJSON *plans_json(const char *kernel, char *const *sizes, size_t count)
{
	cJSON *plans = cJSON_CreateArray();

	for (size_t i = 0; i < count; i++) {
		const struct isk_matmul_plan plan = plan_of(kernel, sizes[i]);

		cJSON_AddItemToArray(plans, plan_json(&plan, sizes[i]));
	}
	return plans;
}

/* The plans that compute a product, the library's choice first, and its operands. */
struct contest {
	struct isk_matmul_plan *plans;
	struct timing *timings;
	size_t count;
	float *c, *a, *b;
};

static void repeat(void *context, size_t contestant, size_t times)
{
	const struct contest *contest = context;
	const struct isk_matmul_plan *plan = &contest->plans[contestant];

	while (times--)
		plan->multiply(plan, contest->c, contest->a, contest->b);
}

/*
 * Adds the plan of an ISA and a way, if there is one and it is not the library's choice. Baseline, which has other bits, is
 * no alternative.
 */
static void add(struct contest *contest, const char *isa, const char *way)
{
	const struct isk_matmul_plan *choice = &contest->plans[0];
	struct isk_matmul_plan plan = *choice;

	plan.isa = isa;
	plan.way = way;
	if (strcmp(isa, choice->isa) && strcmp(isa, "baseline") == 0)
		return;
	if ((strcmp(isa, choice->isa) || strcmp(way, choice->way)) && isk_matmul_plan(&plan) == ISK_OK)
		contest->plans[contest->count++] = plan;
}

static struct contest contest_of(const char *kernel, const char *sizes)
{
	struct isk_candidate *candidates;
	const size_t count = candidates_of(kernel, &candidates);
	struct contest contest = {.count = 1};
	const struct isk_matmul_plan plan = plan_of(kernel, sizes);
	size_t ways = 0;

	while (isk_matmul_way(ways))
		ways++;
	contest.plans = allocate((1 + count * ways) * sizeof(*contest.plans));
	contest.timings = allocate((1 + count * ways) * sizeof(*contest.timings));
	contest.plans[0] = plan;
	for (size_t i = 0; i < count; i++)
		for (size_t way = 0; way < ways; way++)
			add(&contest, candidates[i].isa, isk_matmul_way(way));
	free(candidates);
	contest.c = allocate(plan.m * plan.n * sizeof(float));
	contest.a = allocate(plan.m * plan.k * sizeof(float));
	contest.b = allocate(plan.k * plan.n * sizeof(float));
	return contest;
}

static void contest_free(struct contest *contest)
{
	free(contest->plans);
	free(contest->timings);
	free(contest->c);
	free(contest->a);
	free(contest->b);
}

/* The seconds that winner() takes. */
static double estimate(struct contest *contest, int quick)
{
	const struct effort effort = effort_of(quick);
	double *ns = allocate(contest->count * sizeof(*ns)), cost;

	measure_roughly(repeat, contest, contest->count, ns);
	cost = 2 * measure_cost(ns, contest->count, &effort);
	free(ns);
	return cost / 1e9;
}

/*
 * The contestant that is faster than the library's choice in two measurements, beyond noise, or 0. *factor becomes how many
 * times as fast it is, by the lower of both.
 */
static size_t winner(struct contest *contest, int quick, double *factor)
{
	const struct effort effort = effort_of(quick);
	double *first = allocate(contest->count * sizeof(*first));
	size_t best = 0;

	*factor = 1;
	for (int round = 0; round < 2; round++) {
		measure(repeat, contest, contest->count, &effort, contest->timings);
		for (size_t i = 1; i < contest->count; i++) {
			const double ratio = contest->timings[0].ns / contest->timings[i].ns;
			const double now = clearly_slower(&contest->timings[0], &contest->timings[i]) ? ratio : 1;

			if (round == 0)
				first[i] = now;
			else if (first[i] > *factor && now > *factor) {
				*factor = now < first[i] ? now : first[i];
				best = i;
			}
		}
	}
	free(first);
	return best;
}

static void line_print(const char *sizes, const struct contest *contest, size_t best, double factor)
{
	const struct isk_matmul_plan *choice = &contest->plans[0], *faster = &contest->plans[best];

	if (best)
		printf("%s %s %s %s  # %.2f times as fast as %s at %s\n", planned, sizes, faster->isa, faster->way, factor, choice->way,
		       choice->isa);
	else
		printf("# %s %s: %s at %s is the fastest of %zu\n", planned, sizes, choice->way, choice->isa, contest->count);
	output_flush();
}

static cJSON *line_json(const char *sizes, const struct contest *contest, size_t best, double factor)
{
	cJSON *json = plan_json(&contest->plans[0], sizes), *faster = best ? cJSON_CreateObject() : cJSON_CreateNull();

	if (best) {
		cJSON_AddStringToObject(faster, "isa", contest->plans[best].isa);
		cJSON_AddStringToObject(faster, "way", contest->plans[best].way);
	}
	cJSON_AddNumberToObject(json, "plans", (double)contest->count);
	cJSON_AddItemToObject(json, "faster", faster);
	cJSON_AddNumberToObject(json, "times_as_fast", factor);
	return json;
}

void plans_tune(const char *sizes, int quick, int json)
{
	char *const list = strdup(sizes), *rest = list;
	char **const products = allocate((strlen(sizes) + 1) * sizeof(*products));
	cJSON *report = cJSON_CreateObject(), *measured = cJSON_CreateArray();
	unsigned family = 0, model = 0;
	double seconds = 0;
	size_t count = 0;

	if (!list)
		errx(FAILED, "out of memory");
	/* A profile in force must not be taken for the library's own choice. */
	unsetenv("ISAKERN_PROFILE");
	while (rest)
		products[count++] = strsep(&rest, ",");
	plans_check(planned, products, count);
	for (size_t i = 0; i < count; i++) {
		struct contest contest = contest_of(planned, products[i]);

		seconds += estimate(&contest, quick);
		contest_free(&contest);
	}
	announce(count, "product", seconds);
	machine_family_model(&family, &model);
	if (!json) {
		printf("# isakern tune --sizes %s\n# %s. ISAKERN_PROFILE takes the name of this file.\n", sizes, machine_cpu());
		if (strcmp(asked.isa_current(), asked.isa_cpu()) != 0)
			printf("# Nothing above %s was tried, because it is capped or not permitted.\n", asked.isa_current());
		printf("cpu %u %u\n", family, model);
	}
	for (size_t i = 0; i < count; i++) {
		struct contest contest = contest_of(planned, products[i]);
		double factor;
		size_t best;

		progress("[%zu/%zu] %s", i + 1, count, products[i]);
		best = winner(&contest, quick, &factor);
		progress_end();
		if (json)
			cJSON_AddItemToArray(measured, line_json(products[i], &contest, best, factor));
		else
			line_print(products[i], &contest, best, factor);
		contest_free(&contest);
	}
	if (json) {
		cJSON_AddStringToObject(report, "isakern", isk_version());
		cJSON_AddItemToObject(report, "machine", machine_json());
		cJSON_AddNumberToObject(report, "estimated_seconds", seconds);
		cJSON_AddItemToObject(report, "products", measured);
		json_print(report);
	} else {
		cJSON_Delete(report);
		cJSON_Delete(measured);
	}
	free(products);
	free(list);
}
