/* SPDX-License-Identifier: MIT */
#include "outcome.h"

#include <string.h>

#include "problem.h"

struct outcome outcome_of(struct field *f)
{
	struct outcome o = {
		.us = field_find(f, "isakern"), .old = field_find(f, "old"), .best = field_best_peer(f)};
	const struct goal *goals = f->problem->row->goals;

	o.inexact = o.best ? NULL : field_best_inexact(f);
	o.of_best = o.best ? field_ratio(f, o.us, o.best) : 0;
	o.of_inexact = o.inexact ? field_ratio(f, o.us, o.inexact) : 0;
	o.of_old = o.old ? field_ratio(f, o.us, o.old) : 0;
	o.share = share_of(f, o.us);
	for (int g = 0; goals[g].against; g++)
		o.goals[g] = goal_judge(f, o.us, &goals[g]);
	return o;
}

const char *unit_of(const struct row *row)
{
	if (is_vectors(row->op))
		return "Gelem/s";
	if (row->op == TRANSPOSE)
		return "GB/s";
	return row->b == S8 && row->a != F32 ? "GOP/s" : "GFLOP/s";
}

double rate_of(const struct field *f, const struct entry *e)
{
	return f->problem->work / e->median_ns;
}
