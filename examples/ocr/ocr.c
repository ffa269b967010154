/* SPDX-License-Identifier: MIT */
/* ocr: reads the text of a picture, with three neural networks on isakern; see --help. */
#include <argp.h>
#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../cache.h"
#include "../clock.h"
#include "isakern.h"
#include "networks.h"
#include "session.h"
#include "threads.h"

struct options {
	const char *models, *picture, *output;
	size_t threads;
	int show_boxes;
};

static const struct argp_option choices[] = {
	{"models", 'm', "DIR", 0,
     "the networks. Default: where examples/ocr/fetch.sh puts them, $XDG_CACHE_HOME/isakern/ocr, "
     "where XDG_CACHE_HOME is ~/.cache if not set",
     0},
	{"output", 'o', "FILE.png", 0, "write a copy of the picture with a box around each line of text", 0},
	{"boxes", 'b', NULL, 0,
     "write before each line the centre, width and height of its box in pixels, and the "
     "probability of its characters",
     0},
	THREADS_OPTION,
	{0},
};

static error_t choose(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case 'm':
		o->models = arg;
		break;
	case 'o':
		o->output = arg;
		break;
	case 'b':
		o->show_boxes = 1;
		break;
	case 't':
		o->threads = threads_of(arg, state);
		break;
	case ARGP_KEY_ARG:
		if (o->picture)
			argp_error(state, "one picture at a time, not '%s' as well", arg);
		o->picture = arg;
		break;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "which picture? A PNG file");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp argp = {
	.options = choices,
	.parser = choose,
	.args_doc = "PICTURE.png",
	.doc =
		"Reads the text of a picture, Chinese and English: one network finds lines, one tells which of them are upside "
		"down, and one reads them.\v"
		"The text goes to standard output. The last line, on standard error, tells the time, the ISA, and a checksum "
		"of all that the networks have computed, which is the same on every CPU from AVX2 up. Exit status: 0, or 1 if "
		"a file is missing or is no such picture, 2 for a mistake in the command line; the reason is one line on "
		"standard error.",
};

static void show(const struct options *o, const struct box *b, const char *text, double probability)
{
	if (o->show_boxes)
		printf("%7.1f %7.1f %6.1f %6.1f  %.3f  ", b->centre.x, b->centre.y, 2 * hypot(b->right.x, b->right.y),
		       2 * hypot(b->down.x, b->down.y), probability);
	printf("%s\n", text);
}

int main(int argc, char **argv)
{
	struct options o = {.threads = 1};
	struct networks *networks;
	struct image picture;
	struct box *boxes;
	double began, found, ended;
	size_t count;
	char *folder;

	argp_err_exit_status = 2;
	argp_parse(&argp, argc, argv, 0, NULL, &o);
	session_threads(o.threads);
	picture = image_read(o.picture);
	folder = o.models ? strdup(o.models) : cached("ocr");
	if (!folder)
		errx(1, "out of memory");
	networks = networks_open(folder);
	began = clock_seconds();
	boxes = networks_find(networks, &picture, &count);
	found = clock_seconds();
	for (size_t i = 0; i < count; i++) {
		double probability;
		char *text;

		networks_turn(networks, &picture, &boxes[i]);
		text = networks_read(networks, &picture, &boxes[i], &probability);
		show(&o, &boxes[i], text, probability);
		free(text);
	}
	ended = clock_seconds();
	if (fflush(stdout) != 0 || ferror(stdout))
		err(1, "standard output");
	for (size_t i = 0; i < count; i++)
		image_draw(&picture, &boxes[i]);
	if (o.output)
		image_write(&picture, o.output);
	fprintf(stderr,
	        "%zu lines: found in %.0f ms, read in %.0f ms, at ISA %s; checksum of the networks' outputs %016llx\n",
	        count, 1e3 * (found - began), 1e3 * (ended - found), isk_isa_current(),
	        (unsigned long long)networks_checksum(networks));
	free(boxes);
	free(picture.rgb);
	networks_close(networks);
	free(folder);
	return 0;
}
