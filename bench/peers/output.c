/* SPDX-License-Identifier: MIT */
/* The table: rates, shares of the peak, ratios to the goals. And the same as JSON. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cjson/cJSON.h>

#include "output.h"
#include "terminal.h"

enum { NAME = 24, SHAPE = 18, NUMBER = 10, MOST_COLUMNS = 8 };

static const char *columns[MOST_COLUMNS];
static size_t column_count;

size_t rows_met, rows_missed;

static cJSON *rows;

static void name_text(const struct row *row, char *text, size_t size)
{
	snprintf(text, size, "%s %s", row->kernel, row->group);
}

void table_header(const char *const *peers, size_t count)
{
	printf("\n%s%-*s%-*s%*s %7s", paint(DIM), NAME, "row", SHAPE, "MxNxK", NUMBER - 1, "isakern", "% peak");
	for (size_t i = 0; i < count && i < MOST_COLUMNS; i++) {
		columns[column_count++] = peers[i];
		printf("%*s ", NUMBER - 1, peers[i]);
	}
	printf("%7s  goals: times as fast as, / wanted%s\n", "x best", paint(PLAIN));
}

static void start(const struct row *row)
{
	char name[64];

	name_text(row, name, sizeof(name));
	print_field(name, NAME - 1, PLAIN);
	putchar(' ');
	print_field(row->shape, SHAPE, BOLD);
}

static cJSON *row_json(const struct row *row)
{
	cJSON *one = cJSON_CreateObject();

	cJSON_AddStringToObject(one, "kernel", row->kernel);
	cJSON_AddStringToObject(one, "group", row->group);
	cJSON_AddStringToObject(one, "shape", row->shape);
	if (!rows)
		rows = cJSON_CreateArray();
	cJSON_AddItemToArray(rows, one);
	return one;
}

void table_absent(const struct row *row, const char *reason, int print)
{
	cJSON_AddStringToObject(row_json(row), "absent", reason);
	if (!print)
		return;
	start(row);
	printf("%s%s%s\n", paint(DIM), reason, paint(PLAIN));
}

struct judged {
	double ratio, allowed; /* what the peak of this machine leaves above the other; 0: unknown */
	int known, met;
};

/* How many times as fast as what the goal names. */
static struct judged judge(struct field *f, const struct entry *us, const struct goal *goal)
{
	struct judged j = {0};

	if (strcmp(goal->against, "peak") == 0) {
		j.known = 1;
		j.ratio = us->of_peak;
	} else {
		const struct entry *other
			= strcmp(goal->against, "best") == 0 ? field_best_peer(f) : field_find(f, goal->against);

		j.known = other != NULL;
		j.ratio = other ? field_ratio(f, us, other) : 0;
		j.allowed = other && other->of_peak > 0 ? 1 / other->of_peak : 0;
	}
	j.met = j.known && j.ratio >= goal->ratio;
	return j;
}

static double rate(const struct field *f, const struct entry *e)
{
	return f->problem->work / e->median_ns;
}

static void goal_print(const struct goal *goal, const struct judged *j)
{
	if (!j->known) {
		printf("  %sno %s to compare with/%.2f%s", paint(DIM), strcmp(goal->against, "best") ? goal->against : "peer",
		       goal->ratio, paint(PLAIN));
		return;
	}
	printf("  %s%s %.2f/%.2f %s%s", paint(j->met ? GOOD : BAD), goal->against, j->ratio, goal->ratio,
	       j->met ? "met" : "MISSED", paint(PLAIN));
	if (!j->met && j->allowed > 0 && j->allowed < goal->ratio)
		printf(" (at the peak %.2f)", j->allowed);
}

static void goals_print(struct field *f, const struct entry *us)
{
	const struct row *row = f->problem->row;

	for (int g = 0; g < MOST_GOALS && row->goals[g].against && (!capped() || row->capped); g++) {
		const struct judged j = judge(f, us, &row->goals[g]);

		goal_print(&row->goals[g], &j);
	}
	putchar('\n');
}

static const struct entry *wrong_one(const struct field *f, const char *who)
{
	for (size_t i = 0; i < f->count; i++)
		if (f->entries[i].wrong && strcmp(f->entries[i].who, who) == 0)
			return &f->entries[i];
	return NULL;
}

static void row_print(struct field *f, const struct entry *us)
{
	const struct entry *best = field_best_peer(f);

	start(f->problem->row);
	printf("%s%*.1f%s ", paint(BOLD), NUMBER - 1, rate(f, us), paint(PLAIN));
	if (f->problem->row->op == TRANSPOSE)
		printf("%7s", "GB/s");
	else if (us->of_peak == 0)
		printf("%7s", "-");
	else
		printf("%7.1f", 100 * us->of_peak);
	for (size_t i = 0; i < column_count; i++) {
		const struct entry *peer = field_find(f, columns[i]);

		if (peer)
			printf("%s%*.1f%c%s", paint(peer == best ? NOTE : PLAIN), NUMBER - 1, rate(f, peer), peer == best ? '*' : ' ',
			       paint(PLAIN));
		else
			printf("%s%*s %s", paint(DIM), NUMBER - 1, wrong_one(f, columns[i]) ? "wrong" : "-", paint(PLAIN));
	}
	if (best)
		printf("%s%7.2f%s", paint(field_ratio(f, us, best) >= 1 ? GOOD : BAD), field_ratio(f, us, best), paint(PLAIN));
	else
		printf("%7s", "-");
	goals_print(f, us);
}

static cJSON *entry_json(const struct field *f, const struct entry *e)
{
	cJSON *one = cJSON_CreateObject();

	cJSON_AddStringToObject(one, "who", e->who);
	cJSON_AddStringToObject(one, "how", e->how);
	if (e->wrong)
		cJSON_AddStringToObject(one, "wrong", e->wrong);
	else if (e->dropped)
		cJSON_AddNumberToObject(one, "dropped_at_ns", e->median_ns);
	else {
		cJSON_AddNumberToObject(one, "ns", e->median_ns);
		cJSON_AddNumberToObject(one, "spread", e->spread);
		cJSON_AddNumberToObject(one, "rate", rate(f, e));
		cJSON_AddNumberToObject(one, "of_peak", e->of_peak);
		cJSON_AddNumberToObject(one, "calls_in_a_sample", (double)e->times);
	}
	return one;
}

void table_row(struct field *f, int print)
{
	const struct row *row = f->problem->row;
	const struct entry *us = field_find(f, "isakern"), *best = field_best_peer(f);
	cJSON *one = row_json(row), *entries = cJSON_CreateArray(), *goals = cJSON_CreateArray();
	int missed = 0, known = 0;

	for (size_t i = 0; i < f->count; i++)
		cJSON_AddItemToArray(entries, entry_json(f, &f->entries[i]));
	cJSON_AddItemToObject(one, "contestants", entries);
	cJSON_AddNumberToObject(one, "samples", f->rounds);
	if (best)
		cJSON_AddNumberToObject(one, "times_the_best_peer", field_ratio(f, us, best));
	for (int g = 0; g < MOST_GOALS && row->goals[g].against; g++) {
		const struct judged j = judge(f, us, &row->goals[g]);
		cJSON *goal = cJSON_CreateObject();

		if (capped() && !row->capped)
			break;
		known += j.known;
		missed += j.known && !j.met;
		cJSON_AddStringToObject(goal, "against", row->goals[g].against);
		cJSON_AddNumberToObject(goal, "goal", row->goals[g].ratio);
		cJSON_AddItemToObject(goal, "ratio", j.known ? cJSON_CreateNumber(j.ratio) : cJSON_CreateNull());
		if (j.allowed > 0)
			cJSON_AddNumberToObject(goal, "allowed_by_peak", j.allowed);
		cJSON_AddItemToObject(goal, "met", j.known ? cJSON_CreateBool(j.met) : cJSON_CreateNull());
		cJSON_AddItemToArray(goals, goal);
	}
	cJSON_AddItemToObject(one, "goals", goals);
	rows_missed += missed != 0;
	rows_met += known && !missed;
	if (print)
		row_print(f, us);
	fflush(stdout);
}

cJSON *table_json(void)
{
	return rows ? rows : cJSON_CreateArray();
}
