/* SPDX-License-Identifier: MIT */
#include "curve.h"

#include <langinfo.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 60, HEIGHT = 8, PARTS = 8 };

static double mean_of(const double *values, size_t first, size_t end)
{
	double sum = 0;

	for (size_t i = first; i < end; i++)
		sum += values[i];
	return sum / (double)(end - first);
}

void curve_show(const double *values, size_t count, const char *title, const char *below)
{
	static const char *const blocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	static const char *const ascii[] = {" ", ".", ".", ".", ":", ":", ":", "#", "#"};
	const char *const *glyphs = strcmp(nl_langinfo(CODESET), "UTF-8") == 0 ? blocks : ascii;
	const size_t width = count < WIDTH ? count : WIDTH;
	double column[WIDTH], most = 0;

	for (size_t c = 0; c < width; c++) {
		column[c] = mean_of(values, c * count / width, (c + 1) * count / width);
		most = fmax(most, column[c]);
	}
	printf("%s\n", title);
	for (int row = HEIGHT - 1; row >= 0; row--) {
		if (row == HEIGHT - 1)
			printf("%7.2f ", most);
		else
			printf("%7s ", row ? "" : "0");
		for (size_t c = 0; c < width; c++) {
			const double parts = column[c] / most * HEIGHT * PARTS - row * PARTS;

			fputs(glyphs[parts <= 0 ? 0 : parts >= PARTS ? PARTS : (int)lrint(parts)], stdout);
		}
		putchar('\n');
	}
	printf("%8s%s\n", "", below);
}
