/* SPDX-License-Identifier: MIT */
#include "record.h"

#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fingerprints.h"
#include "status.h"

struct line {
	char *name, *rest;
	uint64_t checksum;
};

struct record {
	char *text;
	struct line *lines; /* sorted by name */
	size_t count;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct line *)a)->name, ((const struct line *)b)->name);
}

/* Turns exp_f32/avx2#3 into exp_f32#3. */
static void without_isa(char *name)
{
	char *slash = strchr(name, '/');

	if (slash)
		memmove(slash, slash + strcspn(slash, "#"), strlen(slash + strcspn(slash, "#")) + 1);
}

/* Cuts a text line into its fields. Returns 0 if the fields are not there. */
static int line_read(char *text, struct line *line)
{
	char *checksum = text + strcspn(text, " "), *end;

	*line = (struct line){.name = text};
	if (!*checksum || checksum == text)
		return 0;
	*checksum++ = '\0';
	if (strspn(checksum, "0123456789abcdef") != 16 || (checksum[16] && checksum[16] != ' '))
		return 0;
	line->checksum = strtoull(checksum, &end, 16);
	line->rest = end + strspn(end, " ");
	without_isa(text);
	return 1;
}

void record_free(struct record *r)
{
	if (r) {
		free(r->text);
		free(r->lines);
	}
	free(r);
}

struct record *record_of(const char *name, const char *text, char *error, size_t size)
{
	struct record *r = calloc(1, sizeof(*r));
	size_t number = 0;
	char *rest, *line;

	if (!r || !(r->text = strdup(text)) || !(r->lines = calloc(strlen(text) / 2 + 1, sizeof(*r->lines))))
		errx(FAILED, "out of memory");
	for (rest = r->text; (line = strsep(&rest, "\n"));) {
		number++;
		if (!*line || *line == '#')
			continue;
		if (!line_read(line, &r->lines[r->count++])) {
			snprintf(error, size, "%s, line %zu: '%.60s' is no name with a checksum of 16 digits", name, number, line);
			record_free(r);
			return NULL;
		}
	}
	qsort(r->lines, r->count, sizeof(*r->lines), by_name);
	return r;
}

struct record *record_read(const char *path, char *error, size_t size)
{
	struct record *r = NULL;
	char *text = NULL;
	size_t room = 0;
	ssize_t count;
	FILE *file;

	errno = 0;
	file = fopen(path, "re");
	count = file ? getdelim(&text, &room, '\0', file) : -1;
	if (!file || ferror(file))
		snprintf(error, size, "%s: %s", path, strerror(errno));
	else
		r = record_of(path, count < 0 ? "" : text, error, size);
	if (file)
		fclose(file);
	free(text);
	return r;
}

struct record *record_committed(const char *own)
{
	char error[RECORD_ERROR], *text = NULL;
	struct record *r = NULL;
	size_t bytes = 0;

	for (size_t i = 0; i < sizeof(recorded) / sizeof(*recorded); i++) {
		const size_t more = strlen(recorded[i].text);

		if (strcmp(recorded[i].key, own) != 0)
			continue;
		text = realloc(text, bytes + more + 1);
		if (!text)
			errx(FAILED, "out of memory");
		memcpy(text + bytes, recorded[i].text, more + 1);
		bytes += more;
	}
	if (text && !(r = record_of("what is recorded", text, error, sizeof(error))))
		errx(FAILED, "%s", error);
	free(text);
	return r;
}

int record_find(const struct record *r, const char *name, uint64_t *checksum, const char **rest)
{
	const struct line key = {.name = (char *)(uintptr_t)name};
	const struct line *found = bsearch(&key, r->lines, r->count, sizeof(*r->lines), by_name);

	if (found) {
		*checksum = found->checksum;
		*rest = found->rest;
	}
	return found != NULL;
}
