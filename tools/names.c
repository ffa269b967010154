/* SPDX-License-Identifier: MIT */
#include "names.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 63, SUGGESTED = 3 };

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

size_t names_distance(const char *a, const char *b)
{
	const size_t width = strnlen(b, LONGEST);
	size_t row[LONGEST + 1];

	for (size_t j = 0; j <= width; j++)
		row[j] = j;
	for (size_t i = 1; *a; a++, i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= width; j++) {
			const size_t replaced = diagonal + (*a != b[j - 1]);

			diagonal = row[j];
			row[j] = least(replaced, least(row[j], row[j - 1]) + 1);
		}
	}
	return row[width];
}

void names_unknown(const char *what, const char *name, const char *const *allowed, size_t count,
                   const char *all)
{
	const size_t near = strlen(name) / 3 + 1;
	size_t nearest[SUGGESTED], distances[SUGGESTED], listed = 0;

	/* Insertion sort: among equals the first in the list comes first. */
	for (size_t i = 0; i < count; i++) {
		/* A name that lacks only its end is nearer than any other mistake. */
		const int begins = *name && strncmp(allowed[i], name, strlen(name)) == 0;
		const size_t far = begins ? 1 : names_distance(name, allowed[i]);
		size_t at = listed;

		for (; at > 0 && distances[at - 1] > far; at--)
			if (at < SUGGESTED) {
				nearest[at] = nearest[at - 1];
				distances[at] = distances[at - 1];
			}
		if (at < SUGGESTED) {
			nearest[at] = i;
			distances[at] = far;
			listed += listed < SUGGESTED;
		}
	}
	/* If a name lacks only its type, or has a wrong one, the more distant names are not offered. */
	while (listed > 1 && distances[0] <= near && distances[listed - 1] > near)
		listed--;
	fprintf(stderr, "isakern: no %s '%s'; did you mean ", what, name);
	for (size_t i = 0; i < listed; i++)
		fprintf(stderr, "%s%s", i == 0 ? "" : i + 1 < listed ? ", " : " or ", allowed[nearest[i]]);
	fprintf(stderr, "? (%s shows all)\n", all);
}
