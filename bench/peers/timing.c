/* SPDX-License-Identifier: MIT */
/*
 * Short samples of all contestants in turn, in CPU time of this thread, so that a disturbance affects all;
 * beside each the peak of the moment. Operands and weights are warm, because untimed calls precede every
 * sample.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "field.h"
#include "problem.h"
#include "stats.h"

/* Longer calls push their own operands out of the caches anyway. */
#define LONG_NS 2e7
#define MUCH    1.3

/*
 * Calls between these limits are preceded by SETTLING untimed ones. Operands beyond the second-level cache settle in the third
 * after several passes: 8 MiB take 216, 140, 103, 92 and then 90 us (Zen 4). Weights that one contestant packs would
 * otherwise be colder than the unpacked ones, which several contestants read.
 */
#define FAR_NS   2e4
#define SLOW_NS  1e6
#define SETTLING 5

struct entry *field_add(struct field *f, enum role role, const char *who, const char *how, void (*call)(void *),
                        void *state)
{
	struct entry *e;

	if (f->count == MOST_ENTRIES)
		abort();
	e = &f->entries[f->count++];
	*e = (struct entry){.role = role,
	                    .op = f->problem->row->op,
	                    .kernel = f->problem->row->kernel,
	                    .who = who,
	                    .how = how,
	                    .call = call,
	                    .release = free,
	                    .state = state};
	return e;
}

void field_keep(void *state)
{
	(void)state;
}

void field_add_ways(struct field *f, const char *who, const struct way *ways)
{
	for (; ways->kernel; ways++)
		if (strcmp(ways->kernel, f->problem->row->kernel) == 0)
			field_add(f, PEER, who, ways->how, ways->call, &f->problem->vectors)->release = field_keep;
}

void field_drop_last(struct field *f)
{
	struct entry *e = &f->entries[--f->count];

	if (e->state)
		e->release(e->state);
}

static int timed(const struct entry *e)
{
	return !e->wrong && !e->dropped;
}

/* The fastest entry that was timed: of this name or, if that is NULL, of all peers that count, or of all inexact ones. */
static struct entry *fastest(struct field *f, const char *who, int inexact)
{
	struct entry *found = NULL;

	for (size_t i = 0; i < f->count; i++) {
		struct entry *e = &f->entries[i];
		const int meant = who ? strcmp(e->who, who) == 0 : e->role == PEER && e->inexact == inexact;

		if (meant && timed(e) && (!found || e->median_ns < found->median_ns))
			found = e;
	}
	return found;
}

struct entry *field_find(struct field *f, const char *who)
{
	return fastest(f, who, 0);
}

struct entry *field_best_peer(struct field *f)
{
	return fastest(f, NULL, 0);
}

struct entry *field_best_inexact(struct field *f)
{
	return fastest(f, NULL, 1);
}

double field_ratio(const struct field *f, const struct entry *a, const struct entry *b)
{
	double ratios[MOST_ROUNDS];

	for (int r = 0; r < f->rounds; r++)
		ratios[r] = b->ns[r] / a->ns[r];
	return median(ratios, (size_t)f->rounds);
}

void field_free(struct field *f)
{
	while (f->count)
		field_drop_last(f);
}

static double now(void)
{
	return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

static void warm(struct entry *e)
{
	const int settles = e->median_ns > FAR_NS && e->median_ns < SLOW_NS;

	for (int i = 0; e->median_ns < LONG_NS && i < (settles ? SETTLING : 1); i++)
		e->call(e->state);
}

static double sample(struct entry *e, size_t times)
{
	double begin;

	warm(e);
	begin = now();
	for (size_t i = 0; i < times; i++)
		e->call(e->state);
	return (now() - begin) / (double)times;
}

static void calibrate(struct entry *e, double wanted)
{
	double each = sample(e, 1);

	for (size_t times = 1; each * (double)times < wanted / 4; each = sample(e, times))
		times *= 4;
	e->median_ns = each;
	if (each < LONG_NS)
		e->median_ns = fmin(each, sample(e, (size_t)fmax(1, wanted / 4 / each)));
	e->times = (size_t)fmax(1, wanted / e->median_ns);
}

/* Drops the ways of a peer that cannot be its best, separately among those that count and those that do not. */
static void drop_slow(struct field *f)
{
	for (size_t i = 0; i < f->count; i++)
		for (size_t j = 0; j < f->count; j++) {
			struct entry *e = &f->entries[i];
			const struct entry *other = &f->entries[j];

			if (!e->wrong && !other->wrong && strcmp(e->who, other->who) == 0 && e->inexact == other->inexact)
				e->dropped |= e->median_ns > MUCH * other->median_ns;
		}
}

static void summarise(struct field *f, struct entry *e)
{
	double values[MOST_ROUNDS];
	const size_t count = (size_t)f->rounds;

	memcpy(values, e->ns, sizeof(values));
	e->median_ns = median(values, count);
	for (size_t r = 0; r < count; r++)
		values[r] = fabs(e->ns[r] - e->median_ns);
	e->spread = median(values, count) / e->median_ns;
	for (size_t r = 0; r < count; r++)
		values[r] = e->peak[r] > 0 ? f->problem->work / e->ns[r] / e->peak[r] : 0;
	e->of_peak = median(values, count);
}

void field_time(struct field *f, const struct effort *effort)
{
	double begin;

	for (size_t i = 0; i < f->count; i++)
		if (!f->entries[i].wrong)
			calibrate(&f->entries[i], effort->sample_ns);
	drop_slow(f);
	begin = now();
	for (f->rounds = 0;
	     f->rounds < effort->rounds && (f->rounds < effort->least || now() - begin < effort->budget_ns);
	     f->rounds++)
		/*
		 * Each round begins with another entry, and every other round runs backwards, so that none always
		 * follows the same one.
		 */
		for (size_t i = 0; i < f->count; i++) {
			const size_t at = (i + (size_t)f->rounds) % f->count;
			struct entry *e = &f->entries[f->rounds % 2 ? f->count - 1 - at : at];

			if (!timed(e))
				continue;
			e->ns[f->rounds] = sample(e, e->times);
			e->peak[f->rounds] = peak_now(f->problem);
		}
	for (size_t i = 0; i < f->count; i++)
		if (timed(&f->entries[i]))
			summarise(f, &f->entries[i]);
}
