/* SPDX-License-Identifier: MIT */
/* A kernel's times as a table with bars, and as JSON. */
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "terminal.h"

static void verdict_text(const struct result *r, char *text, size_t size)
{
	const struct verdict v = judge(r);
	const char *bound = r->bound < 0 ? "" : r->candidates[r->bound].isa;

	if (r->bound < 0)
		snprintf(text, size, "the bound variant was not timed");
	else if (r->count == 1)
		snprintf(text, size, "bound to %s, the only one timed", bound);
	else if (v.overall >= 0)
		snprintf(text, size, "bound to %s, but %s is %.2f times as fast over all sizes", bound,
		         r->candidates[v.overall].isa, v.overall_factor);
	else if (v.places)
		snprintf(text, size, "bound to %s, the fastest over all; at %s, %s is %.2f times as fast", bound,
		         v.where->problem.label, r->candidates[v.by].isa, v.factor);
	else
		snprintf(text, size, "bound to %s, the fastest at every size", bound);
}

enum { NUMBER = 7 };

static size_t column_width(const struct result *r, size_t v)
{
	size_t width = NUMBER;

	widen(&width, r->candidates[v].isa);
	return width + 2;
}

/* Prints the columns of variants [first, end), after those of the sizes. */
static void columns_print(const struct result *r, const struct metric *metric, size_t first, size_t end,
                          size_t label, size_t level)
{
	printf("  %s%*s  %-*s", paint(DIM), (int)label, "size", (int)level, "in");
	for (size_t v = first; v < end; v++)
		printf("%*s", (int)column_width(r, v), r->candidates[v].isa);
	printf("  %s%s\n", metric->name, paint(PLAIN));
	for (size_t i = 0; i < r->point_count; i++) {
		const struct point *p = &r->points[i];
		const size_t best = fastest_at(r, p);

		printf("  %*s  %-*s", (int)label, p->problem.label, (int)level, p->level);
		for (size_t v = first; v < end; v++) {
			const double value = metric->of(&p->problem, p->timings[v].ns);

			/* As good as the fastest, unless it is clearly slower. */
			printf("%s%*.*f%s", paint(clearly_slower(&p->timings[v], &p->timings[best]) ? PLAIN : GOOD),
			       (int)column_width(r, v), value < 0.9995 ? 4 : value < 99.95 ? 2 : 1, value, paint(PLAIN));
		}
		putchar('\n');
	}
}

/* If the variants do not fit on a line, several tables follow each other. */
static void table_print(const struct result *r, const struct metric *metric)
{
	size_t label = strlen("size"), level = strlen("in"), end;

	for (size_t i = 0; i < r->point_count; i++) {
		widen(&label, r->points[i].problem.label);
		widen(&level, r->points[i].level);
	}
	for (size_t first = 0; first < r->count; first = end) {
		size_t used = 2 + label + 2 + level + 2 + strlen(metric->name) + column_width(r, first);

		for (end = first + 1; end < r->count && used + column_width(r, end) <= terminal_width(); end++)
			used += column_width(r, end);
		columns_print(r, metric, first, end, label, level);
	}
}

/* The largest size in the first-level cache, where kernels differ most and most calls are. */
static const struct point *typical(const struct result *r)
{
	const struct point *p = &r->points[0];

	for (size_t i = 1; i < r->point_count; i++)
		if (strcmp(r->points[i].level, "L1") == 0)
			p = &r->points[i];
	return p;
}

static void bars_print(const struct result *r, const struct metric *metric)
{
	const struct point *p = typical(r);
	const double fastest = p->timings[fastest_at(r, p)].ns;
	size_t name = 0, taken, width;

	for (size_t v = 0; v < r->count; v++)
		widen(&name, r->candidates[v].isa);
	taken = 2 + name + 2 + 10 + 10;
	width = terminal_width() > taken + 10 ? terminal_width() - taken : 10;
	for (size_t v = r->count; v-- > 0;) {
		const int bound = (int)v == r->bound;
		char value[32];

		printf("  ");
		print_field(r->candidates[v].isa, name + 2, bound ? BOLD : PLAIN);
		fputs(paint(bound ? GOOD : NOTE), stdout);
		print_bar(fastest / p->timings[v].ns, width < 50 ? width : 50);
		fputs(paint(PLAIN), stdout);
		snprintf(value, sizeof(value), "%.3g", metric->of(&p->problem, p->timings[v].ns));
		printf(" %s", value);
		if (v)
			printf("%s %s%.2f%s", paint(DIM), glyph("×", "x"), p->timings[0].ns / p->timings[v].ns, paint(PLAIN));
		putchar('\n');
	}
}

void result_print(const struct result *r)
{
	const struct metric *metric = metric_of(r->kernel->shape);
	const struct verdict v = judge(r);
	char verdict[160];

	verdict_text(r, verdict, sizeof(verdict));
	printf("%s%s%s: %s\n  %s%s%s\n", paint(BOLD), r->info.name, paint(PLAIN), r->info.summary,
	       paint(v.overall >= 0 ? BAD : v.places ? NOTE : GOOD), verdict, paint(PLAIN));
	for (size_t i = 0; i < r->count; i++)
		if (r->candidates[i].state != ISK_USABLE) {
			printf("  %s%s: %s", paint(DIM), r->candidates[i].isa, paint(PLAIN));
			print_rest(r->candidates[i].reason, strlen(r->candidates[i].isa) + 4, DIM);
			putchar('\n');
		}
	table_print(r, metric);
	if (r->count > 1)
		bars_print(r, metric);
	putchar('\n');
}

static cJSON *point_json(const struct result *r, const struct point *p)
{
	cJSON *point = cJSON_CreateObject(), *results = cJSON_CreateArray();

	cJSON_AddStringToObject(point, "label", p->problem.label);
	cJSON_AddStringToObject(point, "level", p->level);
	cJSON_AddNumberToObject(point, "size", p->problem.size);
	cJSON_AddNumberToObject(point, "elements", p->problem.elements);
	cJSON_AddNumberToObject(point, "bytes", p->problem.bytes);
	cJSON_AddNumberToObject(point, "flops", p->problem.flops);
	for (size_t v = 0; v < r->count; v++) {
		cJSON *one = cJSON_CreateObject();

		cJSON_AddStringToObject(one, "isa", r->candidates[v].isa);
		cJSON_AddNumberToObject(one, "ns", p->timings[v].ns);
		cJSON_AddNumberToObject(one, "least_ns", p->timings[v].least);
		cJSON_AddNumberToObject(one, "spread", p->timings[v].spread);
		cJSON_AddItemToArray(results, one);
	}
	cJSON_AddItemToObject(point, "results", results);
	return point;
}

cJSON *result_json(const struct result *r)
{
	cJSON *kernel = cJSON_CreateObject(), *candidates = cJSON_CreateArray(), *points = cJSON_CreateArray();
	char verdict[160];

	cJSON_AddStringToObject(kernel, "kernel", r->info.name);
	cJSON_AddStringToObject(kernel, "shape", r->info.shape);
	cJSON_AddStringToObject(kernel, "summary", r->info.summary);
	cJSON_AddStringToObject(kernel, "metric", metric_of(r->kernel->shape)->name);
	cJSON_AddStringToObject(kernel, "sizes_are", r->points[0].problem.counted);
	cJSON_AddItemToObject(kernel, "bound",
	                      r->bound < 0 ? cJSON_CreateNull() : cJSON_CreateString(r->candidates[r->bound].isa));
	cJSON_AddItemToObject(kernel, "bound_is_fastest",
	                      r->bound < 0 ? cJSON_CreateNull() : cJSON_CreateBool(judge(r).overall < 0));
	cJSON_AddNumberToObject(kernel, "sizes_where_another_is_faster", (double)judge(r).places);
	verdict_text(r, verdict, sizeof(verdict));
	cJSON_AddStringToObject(kernel, "verdict", verdict);
	for (size_t v = 0; v < r->count; v++) {
		cJSON *one = cJSON_CreateObject();

		cJSON_AddStringToObject(one, "isa", r->candidates[v].isa);
		cJSON_AddStringToObject(one, "state", state_name(r->candidates[v].state));
		cJSON_AddStringToObject(one, "reason", r->candidates[v].reason);
		cJSON_AddItemToArray(candidates, one);
	}
	cJSON_AddItemToObject(kernel, "variants", candidates);
	for (size_t i = 0; i < r->point_count; i++)
		cJSON_AddItemToArray(points, point_json(r, &r->points[i]));
	cJSON_AddItemToObject(kernel, "points", points);
	return kernel;
}
