/* SPDX-License-Identifier: MIT */
#include "characters.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isakern.h"

struct characters characters_read(const char *path)
{
	struct characters c = {.classes = 1};
	FILE *f = fopen(path, "rb");
	size_t space = 0;

	if (!f || getdelim(&c.text, &space, 0, f) < 0)
		err(1, "%s", path);
	fclose(f);
	c.of = calloc(strlen(c.text) + 3, sizeof(*c.of));
	if (!c.of)
		errx(1, "out of memory");
	for (char *line = strtok(c.text, "\n"); line; line = strtok(NULL, "\n"))
		c.of[c.classes++] = line;
	c.of[c.classes++] = " ";
	return c;
}

void characters_free(struct characters *c)
{
	free(c->of);
	free(c->text);
}

char *characters_text(const struct characters *c, const float *rows, size_t steps, double *probability)
{
	size_t last = 0, count = 0, bytes;
	double sum = 0;
	char *text;
	FILE *to = open_memstream(&text, &bytes);

	if (!to)
		errx(1, "out of memory");
	for (size_t i = 0; i < steps; i++) {
		const float *row = rows + i * c->classes;
		const size_t class = isk_argmax_f32(row, c->classes);

		if (class && class != last) {
			fputs(c->of[class], to);
			sum += (double)row[class];
			count++;
		}
		last = class;
	}
	*probability = count ? sum / (double)count : 0;
	if (fclose(to) != 0)
		errx(1, "out of memory");
	return text;
}
