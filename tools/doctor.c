/* SPDX-License-Identifier: MIT */
/* isakern doctor: whether programs here find isakern and get the best of it, and what to do if not. */
#include <err.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "examine.h"
#include "library.h"
#include "terminal.h"

static error_t parse(int key, char *arg, struct argp_state *state)
{
	if (key != ARGP_KEY_ARG)
		return ARGP_ERR_UNKNOWN;
	argp_error(state, "no argument is wanted: '%s'", arg);
	return 0;
}

static const struct argp argp = {
	.parser = parse,
	.doc = "Examines how programs on this machine get isakern: the library that the dynamic linker finds, the versions of "
	       "library and headers, the ISA in force and why it is not a higher one, the OS, the environment, other libraries "
	       "with our names, and threads. Each line is a finding; if something needs doing, the line says what."
	       "\vThe exit status is 0 if nothing needs doing, else 1. What the environment chooses, such as ISAKERN_MAX_ISA, is "
	       "shown and counts as well, unless the value is wrong.",
};

void found_that(struct findings *all, const char *about, enum need need, const char *to_do, const char *format, ...)
{
	struct finding *f;
	va_list args;

	all->list = realloc(all->list, (all->count + 1) * sizeof(*all->list));
	if (!all->list)
		errx(FAILED, "out of memory");
	f = &all->list[all->count++];
	*f = (struct finding){.about = about, .need = need};
	va_start(args, format);
	vsnprintf(f->text, sizeof(f->text), format, args);
	va_end(args);
	snprintf(f->to_do, sizeof(f->to_do), "%s", to_do ? to_do : "");
}

static size_t to_do_in(const struct findings *all)
{
	size_t count = 0;

	for (size_t i = 0; i < all->count; i++)
		count += all->list[i].need == TO_DO;
	return count;
}

static void print(const struct findings *all)
{
	const enum paint paints[] = {[WELL] = GOOD, [CHOICE] = NOTE, [TO_DO] = BAD};
	const char *const marks[] = {
		[WELL] = glyph("✓", "+"), [CHOICE] = glyph("·", "-"), [TO_DO] = glyph("✗", "X")};
	size_t width = 0;

	for (size_t i = 0; i < all->count; i++)
		widen(&width, all->list[i].about);
	for (size_t i = 0; i < all->count; i++) {
		const struct finding *f = &all->list[i];

		printf("%s%s%s ", paint(paints[f->need]), marks[f->need], paint(PLAIN));
		print_field(f->about, width + 2, PLAIN);
		printf("%s%s%s\n", f->text, *f->to_do ? "; to do: " : "", f->to_do);
	}
	if (to_do_in(all))
		printf("%zu of %zu findings need doing\n", to_do_in(all), all->count);
	else
		printf("nothing needs doing\n");
}

static void print_json(const struct findings *all)
{
	static const char *const needs[] = {[WELL] = "well", [CHOICE] = "choice", [TO_DO] = "to_do"};
	cJSON *report = cJSON_CreateObject(), *list = cJSON_CreateArray();

	cJSON_AddStringToObject(report, "isakern", isk_version());
	cJSON_AddNumberToObject(report, "to_do", (double)to_do_in(all));
	for (size_t i = 0; i < all->count; i++) {
		const struct finding *f = &all->list[i];
		cJSON *one = cJSON_CreateObject();

		cJSON_AddStringToObject(one, "about", f->about);
		cJSON_AddStringToObject(one, "state", needs[f->need]);
		cJSON_AddStringToObject(one, "finding", f->text);
		cJSON_AddItemToObject(one, "to_do", *f->to_do ? cJSON_CreateString(f->to_do) : cJSON_CreateNull());
		cJSON_AddItemToArray(list, one);
	}
	cJSON_AddItemToObject(report, "findings", list);
	json_print(report);
}

static int command_run(int argc, char **argv)
{
	static void (*const examinations[])(struct findings *all) = {
		examine_loader, examine_versions, examine_isas, examine_os, examine_environment, examine_names, examine_threads,
	};
	struct findings all = {NULL, 0};
	struct common common = {0};
	int status;

	options_parse(&argp, argc, argv, &common);
	if (*library_option())
		errx(USAGE, "--library: doctor examines libisakern alone");
	for (size_t i = 0; i < sizeof(examinations) / sizeof(examinations[0]); i++)
		examinations[i](&all);
	if (common.json)
		print_json(&all);
	else
		print(&all);
	status = to_do_in(&all) ? FAILED : DONE;
	free(all.list);
	return status;
}

const struct command command_doctor = {"doctor", "whether programs here get the best of isakern, and what to do", &argp, command_run};
