/* SPDX-License-Identifier: MIT */
/* Fingerprints in a file, as `isakern fingerprint` prints them, with or without --json. */
#include <cjson/cJSON.h>
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record.h"
#include "status.h"

/* All of a file, for free(); NULL with errno. */
static char *file_text(const char *path)
{
	FILE *file = fopen(path, "re");
	char *text = NULL;
	size_t room = 0;
	const ssize_t count = file ? getdelim(&text, &room, '\0', file) : -1;
	const int failed = !file || ferror(file);

	if (count < 0) {
		free(text);
		text = failed ? NULL : strdup("");
	}
	if (file)
		fclose(file);
	return text;
}

/* Prints the fingerprints of one array as lines; 0: it is no array that --json prints. */
static int lines_print(FILE *to, const cJSON *array, const char *name, const char *rest)
{
	const cJSON *one;

	cJSON_ArrayForEach(one, array) {
		const char *named = cJSON_GetStringValue(cJSON_GetObjectItem(one, name));
		const char *checksum = cJSON_GetStringValue(cJSON_GetObjectItem(one, "checksum"));
		const char *behind = cJSON_GetStringValue(cJSON_GetObjectItem(one, rest));

		if (!named || !checksum || strpbrk(named, " \n"))
			return 0;
		fprintf(to, "%s %s%s%s\n", named, checksum, behind ? " " : "", behind ? behind : "");
	}
	return 1;
}

/* The lines printed without --json, for free(); NULL: the text does not come from --json. */
static char *lines_of_json(const char *text)
{
	cJSON *json = cJSON_Parse(text);
	const cJSON *kernels = cJSON_GetObjectItem(json, "fingerprints");
	char *lines = NULL;
	size_t size;
	FILE *to = open_memstream(&lines, &size);
	int good;

	if (!to)
		errx(FAILED, "out of memory");
	good = cJSON_IsArray(kernels) && lines_print(to, kernels, "name", "ranges") &&
	       lines_print(to, cJSON_GetObjectItem(json, "cases"), "case", "call");
	if (fclose(to) != 0)
		errx(FAILED, "out of memory");
	cJSON_Delete(json);
	if (!good) {
		free(lines);
		lines = NULL;
	}
	return lines;
}

struct record *record_read(const char *path, char *error, size_t size)
{
	char *text = file_text(path), *lines;
	struct record *r = NULL;

	if (!text) {
		snprintf(error, size, "%s: %s", path, strerror(errno));
		return NULL;
	}
	if (text[strspn(text, " \t\r\n")] != '{')
		r = record_of(path, text, error, size);
	else if (!(lines = lines_of_json(text)))
		snprintf(error, size, "%s is no output of isakern fingerprint --json", path);
	else {
		r = record_of(path, lines, error, size);
		free(lines);
	}
	free(text);
	return r;
}
