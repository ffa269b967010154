/* SPDX-License-Identifier: MIT */
/* From a row's operands to its times: the contestants, and whether they are right. */
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "field.h"
#include "peer.h"
#include "problem.h"

const struct peer *const peers[PEERS] = {&onednn, &openblas, &blis,  &xsmm,   &xnnpack,
                                         &torch,  &eigen,    &sleef_u10, &sleef_u35, &glibc};

void *allocate(size_t bytes)
{
	const size_t rounded = (bytes + 63) / 64 * 64;
	void *p = aligned_alloc(64, rounded ? rounded : 64);

	if (!p)
		errx(1, "out of memory: %zu bytes", bytes);
	return memset(p, 0, rounded);
}

static void check(struct field *f)
{
	for (size_t i = 0; i < f->count; i++) {
		struct entry *e = &f->entries[i];
		const char *wrong;

		if (e->role != LIMIT)
			problem_spoil(f->problem);
		e->call(e->state);
		if (e->fetch)
			e->fetch(e->state);
		if (e->role == LIMIT)
			continue;
		wrong = is_vectors(f->problem->row->op) ? vectors_check(f->problem, e->kernel, &e->ulp)
		                                        : problem_check(f->problem, e->op);
		e->wrong = wrong ? strdup(wrong) : NULL;
	}
}

/* Makes the problem and enters all contestants, checked. */
static int prepare(struct field *f, struct problem *p, const struct row *row, const char *const *versions)
{
	f->problem = p;
	if (!problem_make(p, row))
		return 0;
	ours_enter(f, p);
	limits_enter(f, p);
	for (int i = 0; i < PEERS; i++)
		if (versions[i])
			peers[i]->enter(f, p);
	check(f);
	return 1;
}

/*
 * Judges a map's errors on the same number of inputs in each of its rows; otherwise a peer would count in
 * some rows and not in others.
 */
static void judge(struct field *f, const char *const *versions)
{
	static struct field judged;
	static struct problem p;
	static struct row row;

	if (!judged.problem || strcmp(row.kernel, f->problem->row->kernel)) {
		field_free(&judged);
		if (judged.problem)
			problem_free(&p);
		row = *f->problem->row;
		row.n = JUDGED_BY;
		prepare(&judged, &p, &row, versions);
	}
	for (size_t i = 0; i < f->count; i++)
		for (size_t j = 0; j < judged.count; j++) {
			struct entry *e = &f->entries[i];

			if (strcmp(e->who, judged.entries[j].who) || strcmp(e->how, judged.entries[j].how))
				continue;
			e->ulp = judged.entries[j].ulp;
			e->inexact = e->role == PEER && e->ulp > MOST_ULP;
		}
}

const char *field_measure(struct field *f, struct problem *p, const struct row *row,
                          const struct effort *effort, const char *const *versions)
{
	if (!is_planned(row) && !isk_bound(row->kernel))
		return "not in this isakern";
	if (!prepare(f, p, row, versions))
		return "there is not the memory for it";
	if (!f->count || f->entries[0].role != OURS)
		return "isakern: not packed";
	if (f->entries[0].wrong)
		return "isakern: WRONG RESULT, not timed";
	if (row->op == MAP)
		judge(f, versions);
	field_time(f, effort);
	return NULL;
}
