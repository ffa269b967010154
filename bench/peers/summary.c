/* SPDX-License-Identifier: MIT */
/*
 * The end of the table: counts, geometric means by group, and the rows that were lost, to a peer or to the
 * old library.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "outcome.h"
#include "ours.h"
#include "terminal.h"

enum { MOST_GROUPS = 64, MOST_LOST = 1024 };

/* Smaller losses are noise. */
#define LEAST_OF_OLD 0.97

struct mean {
	double logarithms;
	size_t count;
};

static struct group {
	const char *name;
	struct mean best, old;
	size_t rows, lost;
} groups[MOST_GROUPS], all = {.name = "all"};
static size_t group_count;

/* Rows in which another contestant is faster. */
struct list {
	struct lost {
		const char *kernel, *who;
		char shape[40];
		double ratio;
	} lost[MOST_LOST];
	size_t count;
};

static struct list to_peers, to_old;

static struct {
	size_t absent, met, missed, unknown;
} counts;

static void mean_add(struct mean *m, double ratio)
{
	m->logarithms += log(ratio);
	m->count++;
}

static double mean_of(const struct mean *m)
{
	return exp(m->logarithms / (double)m->count);
}

static struct group *group_of(const char *name)
{
	size_t i = 0;

	while (i < group_count && strcmp(groups[i].name, name))
		i++;
	if (i == group_count && group_count < MOST_GROUPS - 1)
		groups[group_count++].name = name;
	return &groups[i];
}

static void group_add(struct group *g, const struct outcome *o)
{
	g->rows++;
	if (o->best)
		mean_add(&g->best, o->of_best);
	if (o->old)
		mean_add(&g->old, o->of_old);
	g->lost += o->best && o->of_best < 1;
}

static void list_add(struct list *list, const struct row *row, const char *who, double ratio)
{
	struct lost *l = &list->lost[list->count];

	if (list->count == MOST_LOST)
		return;
	*l = (struct lost){row->kernel, who, "", ratio};
	strcpy(l->shape, row->shape);
	list->count++;
}

static void list_print(const struct list *list, const char *title)
{
	if (list->count)
		printf("\n%s\n", title);
	for (size_t i = 0; i < list->count; i++)
		printf("  %-26s%-18s%6.3f  %s\n", list->lost[i].kernel, list->lost[i].shape, list->lost[i].ratio,
		       list->lost[i].who);
}

void summary_add(const struct row *row, const struct outcome *o)
{
	if (o->best && o->of_best < 1)
		list_add(&to_peers, row, o->best->who, o->of_best);
	if (o->old && o->of_old < LEAST_OF_OLD)
		list_add(&to_old, row, row->group, o->of_old);
	group_add(group_of(row->group), o);
	group_add(&all, o);
	for (int g = 0; row->goals[g].against; g++) {
		counts.met += (size_t)(o->goals[g].known && o->goals[g].met);
		counts.missed += (size_t)(o->goals[g].known && !o->goals[g].met);
		counts.unknown += (size_t)!o->goals[g].known;
	}
}

void summary_add_absent(void)
{
	counts.absent++;
}

static void print_mean(const struct mean *m)
{
	if (m->count)
		printf("%10.3f%6zu", mean_of(m), m->count);
	else
		printf("%10s%6d", "-", 0);
}

static void print_group(const struct group *g)
{
	printf("  %-16s%6zu", g->name, g->rows);
	print_mean(&g->best);
	printf("%s%6zu%s", paint(g->lost ? BAD : PLAIN), g->lost, paint(PLAIN));
	if (old_library())
		print_mean(&g->old);
	putchar('\n');
}

void summary_print(void)
{
	printf("\n%zu rows: %zu level with the best peer or ahead of it, %zu lost, %zu without one;\n", all.rows,
	       all.best.count - all.lost, all.lost, all.rows - all.best.count);
	printf("%zu not measured. Goals: %zu met, %zu missed, %zu with nothing to judge by.\n", counts.absent,
	       counts.met, counts.missed, counts.unknown);
	printf("\nGeometric means\n%s  %-16s%6s%10s%6s%6s%s%s\n", paint(DIM), "group", "rows", "x best", "of",
	       "lost", old_library() ? "     x old    of" : "", paint(PLAIN));
	for (size_t i = 0; i < group_count; i++)
		print_group(&groups[i]);
	print_group(&all);
	list_print(&to_peers, "Lost to a peer");
	list_print(&to_old, "Slower than the old one by more than 3 %");
}

static void mean_json(cJSON *to, const char *name, const struct mean *m)
{
	cJSON_AddItemToObject(to, name, m->count ? cJSON_CreateNumber(mean_of(m)) : cJSON_CreateNull());
}

static cJSON *group_json(const struct group *g)
{
	cJSON *one = cJSON_CreateObject();

	cJSON_AddStringToObject(one, "group", g->name);
	cJSON_AddNumberToObject(one, "rows", (double)g->rows);
	cJSON_AddNumberToObject(one, "with_a_peer", (double)g->best.count);
	cJSON_AddNumberToObject(one, "lost", (double)g->lost);
	mean_json(one, "times_the_best_peer", &g->best);
	if (old_library())
		mean_json(one, "times_the_old", &g->old);
	return one;
}

cJSON *summary_json(void)
{
	cJSON *one = group_json(&all), *each = cJSON_CreateArray();

	cJSON_AddNumberToObject(one, "not_measured", (double)counts.absent);
	cJSON_AddNumberToObject(one, "goals_met", (double)counts.met);
	cJSON_AddNumberToObject(one, "goals_missed", (double)counts.missed);
	cJSON_AddNumberToObject(one, "goals_unknown", (double)counts.unknown);
	for (size_t i = 0; i < group_count; i++)
		cJSON_AddItemToArray(each, group_json(&groups[i]));
	cJSON_AddItemToObject(one, "groups", each);
	return one;
}
