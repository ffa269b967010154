/* SPDX-License-Identifier: MIT */
/* A row as JSON: every contestant, even dropped, wrong and inexact ones. */
#include "outcome.h"
#include "problem.h"

static cJSON *start(const struct row *row)
{
	cJSON *one = cJSON_CreateObject();

	cJSON_AddStringToObject(one, "kernel", row->kernel);
	cJSON_AddStringToObject(one, "group", row->group);
	cJSON_AddStringToObject(one, "shape", row->shape);
	return one;
}

cJSON *json_absent(const struct row *row, const char *reason)
{
	cJSON *one = start(row);

	cJSON_AddStringToObject(one, "absent", reason);
	return one;
}

static cJSON *entry_json(const struct field *f, const struct entry *e)
{
	static const char *const roles[] = {
		[OURS] = "isakern", [OLD] = "old", [COMPANION] = "companion", [PEER] = "peer", [LIMIT] = "limit"};
	cJSON *one = cJSON_CreateObject();

	cJSON_AddStringToObject(one, "who", e->who);
	cJSON_AddStringToObject(one, "how", e->how);
	cJSON_AddStringToObject(one, "role", roles[e->role]);
	if (e->wrong) {
		cJSON_AddStringToObject(one, "wrong", e->wrong);
		return one;
	}
	if (is_vectors(f->problem->row->op) && e->role != LIMIT)
		cJSON_AddNumberToObject(one, "ulp", e->ulp);
	if (e->inexact)
		cJSON_AddFalseToObject(one, "counted");
	if (e->dropped) {
		cJSON_AddNumberToObject(one, "dropped_at_ns", e->median_ns);
		return one;
	}
	cJSON_AddNumberToObject(one, "ns", e->median_ns);
	cJSON_AddNumberToObject(one, "spread", e->spread);
	cJSON_AddNumberToObject(one, "rate", rate_of(f, e));
	cJSON_AddNumberToObject(one, "of_peak", e->of_peak);
	cJSON_AddNumberToObject(one, "calls_in_a_sample", (double)e->times);
	return one;
}

static cJSON *goal_json(const struct goal *goal, const struct judged *j)
{
	cJSON *one = cJSON_CreateObject();

	cJSON_AddStringToObject(one, "against", goal->against);
	cJSON_AddNumberToObject(one, "goal", goal->ratio);
	cJSON_AddStringToObject(one, "machine", machine_text(goal->machine));
	cJSON_AddStringToObject(one, "from", goal->from);
	cJSON_AddItemToObject(one, "ratio", j->known ? cJSON_CreateNumber(j->ratio) : cJSON_CreateNull());
	cJSON_AddItemToObject(one, "met", j->known ? cJSON_CreateBool(j->met) : cJSON_CreateNull());
	return one;
}

cJSON *json_row(struct field *f, const struct outcome *o)
{
	const struct row *row = f->problem->row;
	cJSON *one = start(row), *entries = cJSON_CreateArray(), *goals = cJSON_CreateArray();

	cJSON_AddNumberToObject(one, "rate", rate_of(f, o->us));
	cJSON_AddStringToObject(one, "unit", unit_of(row));
	if (o->share.of) {
		cJSON_AddNumberToObject(one, "share", o->share.share);
		cJSON_AddStringToObject(one, "share_of", o->share.of);
	}
	if (o->best) {
		cJSON_AddStringToObject(one, "best_peer", o->best->who);
		cJSON_AddNumberToObject(one, "times_the_best_peer", o->of_best);
		cJSON_AddBoolToObject(one, "lost", o->of_best < 1);
	}
	if (o->inexact) {
		cJSON_AddStringToObject(one, "best_inexact_peer", o->inexact->who);
		cJSON_AddNumberToObject(one, "times_the_best_inexact_peer", o->of_inexact);
	}
	if (o->old)
		cJSON_AddNumberToObject(one, "times_the_old", o->of_old);
	for (int g = 0; row->goals[g].against; g++)
		cJSON_AddItemToArray(goals, goal_json(&row->goals[g], &o->goals[g]));
	cJSON_AddItemToObject(one, "goals", goals);
	cJSON_AddNumberToObject(one, "samples", f->rounds);
	for (size_t i = 0; i < f->count; i++)
		cJSON_AddItemToArray(entries, entry_json(f, &f->entries[i]));
	cJSON_AddItemToObject(one, "contestants", entries);
	return one;
}
