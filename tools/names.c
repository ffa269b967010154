/* SPDX-License-Identifier: MIT */
#include "names.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 63 };

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* The edits (letters put in, left out, replaced) between two names. */
static size_t distance(const char *a, const char *b)
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

void names_unknown(const char *what, const char *name, const char *const *allowed, size_t count)
{
	const size_t near = strlen(name) / 3 + 1;
	size_t best = near + 1, listed = 0;

	/* What only lacks its type, or has one that does not exist, is near too. */
	for (size_t i = 0; i < count; i++)
		best = least(best, distance(name, allowed[i]));
	fprintf(stderr, "isakern: no %s '%s'; ", what, name);
	fprintf(stderr, best <= near ? "did you mean " : "there are ");
	for (size_t i = 0; i < count; i++)
		if (best > near || distance(name, allowed[i]) == best)
			fprintf(stderr, "%s%s", listed++ ? best <= near ? " or " : ", " : "", allowed[i]);
	fprintf(stderr, best <= near ? "?\n" : "\n");
}
