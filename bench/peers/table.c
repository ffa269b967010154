/* SPDX-License-Identifier: MIT */
/* The table, at most 79 columns wide. */
#include <stdio.h>
#include <string.h>

#include "outcome.h"
#include "ours.h"
#include "problem.h"
#include "terminal.h"
#include "text.h"

enum { SHAPE = 15, RATE = 8, SHARE = 6, AGAINST = 10, RATIO = 6, OLD_RATIO = 7, GOAL = 6, FROM = 10 };

/* The kernel and the group whose rows are being printed. */
static const char *kernel = "", *group = "";

/* Notes printed once below the rows of a kernel: each contestant's largest error, or that it is wrong. */
static struct note {
	char who[80];
	double ulp;
	int wrong, inexact;
} notes[MOST_ENTRIES];
static size_t note_count;
static int has_errors;

static void note(const struct entry *e)
{
	char who[80];
	struct note *n = notes;

	if (e->role == PEER)
		snprintf(who, sizeof(who), "%s (%s)", e->who, e->how);
	else
		snprintf(who, sizeof(who), "%s", e->who);
	while (n < notes + note_count && strcmp(n->who, who))
		n++;
	if (n == notes + note_count) {
		if (note_count == MOST_ENTRIES)
			return;
		*n = (struct note){0};
		strcpy(n->who, who);
		note_count++;
	}
	n->ulp = e->ulp > n->ulp ? e->ulp : n->ulp;
	n->wrong |= e->wrong != NULL;
	n->inexact |= e->inexact;
}

static void print_notes(const char *title, int inexact, int wrong)
{
	char text[2048];
	size_t length = 0;

	for (size_t i = 0; i < note_count; i++) {
		const struct note *n = &notes[i];

		if (n->wrong != wrong || (!wrong && n->inexact != inexact))
			continue;
		length +=
			(size_t)snprintf(text + length, sizeof(text) - length, "%s %s", length ? "," : title, n->who);
		if (!wrong)
			length += (size_t)snprintf(text + length, sizeof(text) - length, " %.2g", n->ulp);
	}
	if (!length)
		return;
	printf("  ");
	print_wrapped(text, 2, 4, DIM);
}

void table_end(void)
{
	if (has_errors) {
		print_notes("Largest error in ulp:", 0, 0);
		print_notes("Not counted, farther off than 4 ulp:", 1, 0);
	}
	print_notes("Wrong, and so not timed:", 0, 1);
	note_count = 0;
}

static void print_heading(const struct row *row)
{
	if (strcmp(row->kernel, kernel) == 0 && strcmp(row->group, group) == 0)
		return;
	table_end();
	kernel = row->kernel;
	group = row->group;
	printf("\n%s%s%s %s, %s\n", paint(BOLD), kernel, paint(PLAIN), group, unit_of(row));
}

void table_header(void)
{
	printf("%s  %-*s%*s%*s  %-*s%*s%*s%*s %-*s%s\n", paint(DIM), SHAPE, "shape", RATE, "isakern", SHARE,
	       "share", AGAINST, "against", RATIO, "x", OLD_RATIO, old_library() ? "x old" : "", GOAL, "goal",
	       FROM, "from", paint(PLAIN));
}

void table_absent(const struct row *row, const char *reason)
{
	print_heading(row);
	printf("  %-*s%s%s%s\n", SHAPE, row->shape, paint(DIM), reason, paint(PLAIN));
}

static void print_ratio(double ratio)
{
	if (ratio > 0)
		printf("%*.*f", RATIO, ratio < 9 ? 3 : ratio < 99 ? 2 : 0, ratio);
	else
		printf("%*s", RATIO, "-");
}

/* Prints the end of a line, from the name of the contestant that isakern is compared with. */
static void print_goal(const char *against, double ratio, const struct judged *j, const struct goal *goal,
                       double of_old)
{
	const char *verdict = !j->known ? "-" : j->met ? "met" : "missed";

	printf("  ");
	print_field(against, AGAINST, PLAIN);
	print_ratio(ratio);
	if (of_old > 0)
		printf("%*.3f", OLD_RATIO, of_old);
	else
		printf("%*s", OLD_RATIO, "");
	printf("%*.2f %-*s%s%s%s\n", GOAL, goal->ratio, FROM, goal->from,
	       paint(!j->known ? DIM
	             : j->met  ? GOOD
	                       : BAD),
	       verdict, paint(PLAIN));
}

static void print_us(const struct field *f, const struct outcome *o)
{
	const double rate = rate_of(f, o->us);
	const int lost = o->best && o->of_best < 1;

	printf("%s%c%s ", paint(BAD), lost ? '!' : ' ', paint(PLAIN));
	print_field(f->problem->row->shape, SHAPE, PLAIN);
	printf("%s%*.*f%s", paint(BOLD), RATE, rate < 10 ? 2 : 1, rate, paint(PLAIN));
	if (o->share.of)
		printf("%*.0f%c", SHARE - 1, 100 * o->share.share, o->share.of[0]);
	else
		printf("%*s", SHARE, "-");
}

void table_row(struct field *f, const struct outcome *o)
{
	const struct goal *goals = f->problem->row->goals;
	char name[32] = "-";

	print_heading(f->problem->row);
	if (o->best)
		snprintf(name, sizeof(name), "%s", o->best->who);
	else if (o->inexact)
		snprintf(name, sizeof(name), "(%s)", o->inexact->who);
	print_us(f, o);
	for (int g = 0; goals[g].against; g++)
		if (strcmp(goals[g].against, "best") == 0)
			print_goal(name, o->inexact ? o->of_inexact : o->of_best, &o->goals[g], &goals[g], o->of_old);
	for (int g = 0; goals[g].against; g++)
		if (strcmp(goals[g].against, "best") && o->goals[g].known) {
			printf("%*s", 2 + SHAPE + RATE + SHARE, "");
			print_goal(goals[g].against, o->goals[g].ratio, &o->goals[g], &goals[g], 0);
		}
	has_errors = f->problem->row->op == MAP;
	for (size_t i = 0; i < f->count; i++)
		if (f->entries[i].role != LIMIT)
			note(&f->entries[i]);
	fflush(stdout);
}
