/* SPDX-License-Identifier: MIT */
/*
 * Short samples of all contestants in turn, of this thread's CPU time, so that
 * what disturbs one disturbs all; beside each the peak of the moment. Operands
 * and weights are warm: a call that is not timed comes before every sample.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "peers.h"
#include "stats.h"

/* Calls that take longer have pushed their own operands out of the caches anyway. */
#define LONG_NS 2e7
#define MUCH    1.3

struct entry *field_add(struct field *f, enum role role, const char *who, const char *how, void (*call)(void *),
                        void *state)
{
	struct entry *e;
	const struct row *row = f->problem->row;
	const size_t bytes = row->m * row->n * type_bytes(row->c);

	if (f->count == MOST_ENTRIES)
		abort();
	e = &f->entries[f->count++];
	*e = (struct entry){.role = role, .op = row->op, .who = who, .how = how, .call = call, .release = free, .state = state};
	if (role != LIMIT) {
		/* NaN in every type of float. */
		e->c = allocate(bytes);
		memset(e->c, 0xff, bytes);
	}
	return e;
}

void field_drop_last(struct field *f)
{
	struct entry *e = &f->entries[--f->count];

	if (e->state)
		e->release(e->state);
	free(e->c);
}

static int timed(const struct entry *e)
{
	return !e->wrong && !e->dropped;
}

struct entry *field_find(struct field *f, const char *who)
{
	struct entry *found = NULL;

	for (size_t i = 0; i < f->count; i++) {
		struct entry *e = &f->entries[i];

		if (strcmp(e->who, who) == 0 && timed(e) && (!found || e->median_ns < found->median_ns))
			found = e;
	}
	return found;
}

struct entry *field_best_peer(struct field *f)
{
	struct entry *found = NULL;

	for (size_t i = 0; i < f->count; i++) {
		struct entry *e = &f->entries[i];

		if (e->role == PEER && timed(e) && (!found || e->median_ns < found->median_ns))
			found = e;
	}
	return found;
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

static double sample(struct entry *e, size_t times)
{
	double begin;

	if (e->median_ns < LONG_NS)
		e->call(e->state);
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
	each = fmin(each, sample(e, (size_t)fmax(1, wanted / 4 / each)));
	e->median_ns = each;
	e->times = (size_t)fmax(1, wanted / each);
}

/* Of several ways that a peer offers, only those that may be its best are worth the time. */
static void drop_slow(struct field *f)
{
	for (size_t i = 0; i < f->count; i++) {
		struct entry *e = &f->entries[i];

		e->dropped = !e->wrong && e->median_ns > MUCH * field_find(f, e->who)->median_ns;
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
	for (f->rounds = 0; f->rounds < effort->rounds && (f->rounds < 5 || now() - begin < effort->budget_ns); f->rounds++)
		/* Each round begins with another one: none always follows the same. */
		for (size_t i = 0; i < f->count; i++) {
			struct entry *e = &f->entries[(i + (size_t)f->rounds) % f->count];

			if (!timed(e))
				continue;
			e->ns[f->rounds] = sample(e, e->times);
			e->peak[f->rounds] = peak_now(f->problem);
		}
	for (size_t i = 0; i < f->count; i++)
		if (timed(&f->entries[i]))
			summarise(f, &f->entries[i]);
}
