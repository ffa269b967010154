/* SPDX-License-Identifier: MIT */
#include "show.h"

#include <cjson/cJSON.h>
#include <err.h>
#include <langinfo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "isakern.h"
#include "network.h"

enum { NARROW = 20, USUAL = 72, WIDE = 160 };

static size_t terminal_width(void)
{
	struct winsize size;

	if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < NARROW)
		return USUAL;
	return size.ws_col < WIDE ? size.ws_col : WIDE;
}

static int is_speech(const struct found *f, double time)
{
	for (size_t i = 0; i < f->count; i++)
		if (time >= f->segments[i].from && time < f->segments[i].to)
			return 1;
	return 0;
}

/* Each column is a stretch of the sound: as high as its largest probability, and green if it has speech. */
static void show_bars(const struct found *f, size_t width)
{
	static const char *const blocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	static const char *const ascii[] = {" ", ".", ".", ":", ":", "|", "|", "#", "#"};
	const char *const *glyphs = strcmp(nl_langinfo(CODESET), "UTF-8") == 0 ? blocks : ascii;
	const int colour = isatty(STDOUT_FILENO) && !getenv("NO_COLOR");

	for (size_t column = 0; column < width; column++) {
		const size_t first = column * f->chunks / width, end = (column + 1) * f->chunks / width;
		float most = f->probability[first];

		for (size_t i = first + 1; i < end; i++)
			most = fmaxf(most, f->probability[i]);
		if (colour)
			fputs(is_speech(f, ((double)first + 0.5) * CHUNK / RATE) ? "\033[32m" : "\033[2m", stdout);
		fputs(glyphs[lrintf(most * 8)], stdout);
		if (colour)
			fputs("\033[0m", stdout);
	}
	putchar('\n');
}

/* Seconds below the bars, as many as fit. */
static void show_scale(const struct found *f, size_t width)
{
	static const double steps[] = {0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 600, 3600};
	size_t step = 0, used = 0;

	while (step + 1 < sizeof(steps) / sizeof(*steps) && f->seconds / steps[step] * 9 > (double)width)
		step++;
	for (double time = 0; time < f->seconds; time += steps[step]) {
		const size_t column = (size_t)(time / f->seconds * (double)width);

		if (column + 8 > width)
			break;
		used += (size_t)printf("%*s%g s", (int)(column - used), "", time);
	}
	putchar('\n');
}

void show_text(const struct found *f)
{
	const size_t width = f->chunks < terminal_width() ? f->chunks : terminal_width();
	double speech = 0;

	show_bars(f, width);
	show_scale(f, width);
	for (size_t i = 0; i < f->count; i++) {
		printf("%8.2f to %.2f s\n", f->segments[i].from, f->segments[i].to);
		speech += f->segments[i].to - f->segments[i].from;
	}
	printf("%s: %.2f of %.2f s are speech, in %zu part%s; computed on %s\n", f->name, speech, f->seconds, f->count,
	       f->count == 1 ? "" : "s", isk_isa_current());
}

void show_probabilities(const struct found *f)
{
	for (size_t i = 0; i < f->chunks; i++)
		printf("%.3f %.9g\n", (double)i * CHUNK / RATE, (double)f->probability[i]);
}

void show_json(const struct found *f)
{
	cJSON *json = cJSON_CreateObject(), *segments = cJSON_AddArrayToObject(json, "segments");
	char *text;

	cJSON_AddStringToObject(json, "sound", f->name);
	cJSON_AddStringToObject(json, "isa", isk_isa_current());
	cJSON_AddNumberToObject(json, "seconds", f->seconds);
	cJSON_AddNumberToObject(json, "threshold", f->threshold);
	for (size_t i = 0; i < f->count; i++) {
		cJSON *one = cJSON_CreateObject();

		cJSON_AddNumberToObject(one, "from", f->segments[i].from);
		cJSON_AddNumberToObject(one, "to", f->segments[i].to);
		cJSON_AddItemToArray(segments, one);
	}
	text = cJSON_Print(json);
	if (!text)
		errx(1, "out of memory");
	puts(text);
	cJSON_free(text);
	cJSON_Delete(json);
}
