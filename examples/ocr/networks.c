/* SPDX-License-Identifier: MIT */
#include "networks.h"

#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "boxes.h"
#include "characters.h"
#include "checksum.h"
#include "session.h"

/*
 * The networks were trained with pictures of these sizes. A finder's sides are multiples of 32; a longer picture is
 * made smaller. A reader's widths are multiples of 160, so that few shapes need a plan.
 */
enum { FIND_STEP = 32, FIND_MOST = 1280, LINE_HEIGHT = 48, TURN_WIDTH = 192, READ_STEP = 160, READ_MOST = 3200 };
enum { READERS = READ_MOST / READ_STEP };
/* A line is turned from this probability on. */
static const float SURE = .9f;

static const float find_mean[] = {.485f, .456f, .406f}, find_deviation[] = {.229f, .224f, .225f};
static const float line_mean[] = {.5f, .5f, .5f}, line_deviation[] = {.5f, .5f, .5f};

struct networks {
	char *path[3];
	Onnx__ModelProto *find, *turn, *read;
	struct session turner, reader[READERS]; /* planned when they are first used */
	struct characters characters;
	uint64_t checksum;
};

static char *path_of(const char *folder, const char *name)
{
	char *path;

	if (asprintf(&path, "%s/%s", folder, name) < 0)
		errx(1, "out of memory");
	return path;
}

struct networks *networks_open(const char *folder)
{
	struct networks *n = calloc(1, sizeof(*n));
	char *characters = path_of(folder, "ppocr_keys_v1.txt");

	if (!n)
		errx(1, "out of memory");
	n->path[0] = path_of(folder, "ch_PP-OCRv4_det_infer.onnx");
	n->path[1] = path_of(folder, "ch_ppocr_mobile_v2.0_cls_infer.onnx");
	n->path[2] = path_of(folder, "ch_PP-OCRv4_rec_infer.onnx");
	n->characters = characters_read(characters);
	n->find = model_read(n->path[0]);
	n->turn = model_read(n->path[1]);
	n->read = model_read(n->path[2]);
	n->checksum = CHECKSUM_OF_NOTHING;
	free(characters);
	return n;
}

void networks_close(struct networks *n)
{
	session_close(&n->turner);
	for (size_t i = 0; i < READERS; i++)
		session_close(&n->reader[i]);
	onnx__model_proto__free_unpacked(n->find, NULL);
	onnx__model_proto__free_unpacked(n->turn, NULL);
	onnx__model_proto__free_unpacked(n->read, NULL);
	characters_free(&n->characters);
	for (size_t i = 0; i < 3; i++)
		free(n->path[i]);
	free(n);
}

/* Plans the network for one picture of this size, unless that is done. */
static void plan(struct session *s, const Onnx__ModelProto *model, const char *path, size_t height, size_t width)
{
	if (s->inputs)
		return;
	s->graph.path = path;
	session_input(s, "x", F32, 4, (size_t[]){1, 3, height, width}, NULL);
	session_plan(s, model, 0);
}

/* Runs the network on its picture. Its first output must be f32, in rows of `columns`; *rows is set to their number. */
static const float *run(struct networks *n, struct session *s, size_t columns, size_t *rows)
{
	const struct value *y = s->graph.output[0];

	if (y->type != F32 || !y->rank || y->dim[y->rank - 1] != columns)
		errx(1, "%s: another network: its output does not have rows of %zu numbers", s->graph.path, columns);
	session_run(s);
	n->checksum = checksum_of(n->checksum, value_data(y), value_bytes(y));
	*rows = value_count(y) / columns;
	return value_data(y);
}

/* The side in the network of a side of the picture: a multiple of the step. */
static size_t side(size_t size, double scale)
{
	const double steps = round((double)size * scale / FIND_STEP);

	return FIND_STEP * (size_t)fmax(steps, 1);
}

struct box *networks_find(struct networks *n, const struct image *im, size_t *count)
{
	const size_t longer = im->width > im->height ? im->width : im->height;
	const double scale = fmin(1, FIND_MOST / (double)longer);
	const size_t width = side(im->width, scale), height = side(im->height, scale);
	const double x = (double)im->width / (double)width, y = (double)im->height / (double)height;
	const struct box all = {
		{(double)im->width / 2, (double)im->height / 2}, {(double)im->width / 2, 0}, {0, (double)im->height / 2}, 0};
	struct session s = {0};
	const float *map;
	struct box *list;
	size_t rows;

	plan(&s, n->find, n->path[0], height, width);
	image_sample(value_data(s.input[0]), width, height, width, im, &all, find_mean, find_deviation);
	map = run(n, &s, width, &rows);
	if (rows != height)
		errx(1, "%s: another network: its output is no map of the picture", n->path[0]);
	list = boxes_find(map, width, height, count);
	session_close(&s);
	/* From the network's pixels to those of the picture. */
	for (size_t i = 0; i < *count; i++) {
		struct point *const v[] = {&list[i].centre, &list[i].right, &list[i].down};

		for (size_t j = 0; j < 3; j++)
			*v[j] = (struct point){v[j]->x * x, v[j]->y * y};
		/* Text that is much higher than wide runs downward. */
		if (hypot(list[i].down.x, list[i].down.y) >= 1.5 * hypot(list[i].right.x, list[i].right.y)) {
			const struct point right = list[i].right;

			list[i].right = list[i].down;
			list[i].down = (struct point){-right.x, -right.y};
		}
	}
	return list;
}

/* The width of the line in the box at LINE_HEIGHT pixels, from 1 to `most`. */
static size_t line_width(const struct box *b, size_t most)
{
	const double width = ceil(LINE_HEIGHT * hypot(b->right.x, b->right.y) / fmax(hypot(b->down.x, b->down.y), 1e-3));

	return (size_t)fmin(fmax(width, 1), (double)most);
}

int networks_turn(struct networks *n, const struct image *im, struct box *b)
{
	struct session *s = &n->turner;
	const float *p;
	size_t rows;

	plan(s, n->turn, n->path[1], LINE_HEIGHT, TURN_WIDTH);
	/* Behind the line the input is 0. */
	for (size_t i = 0; i < (size_t)3 * LINE_HEIGHT * TURN_WIDTH; i++)
		((float *)value_data(s->input[0]))[i] = 0;
	image_sample(value_data(s->input[0]), line_width(b, TURN_WIDTH), LINE_HEIGHT, TURN_WIDTH, im, b, line_mean,
	             line_deviation);
	p = run(n, s, 2, &rows);
	if (!(p[1] > SURE))
		return 0;
	b->right = (struct point){-b->right.x, -b->right.y};
	b->down = (struct point){-b->down.x, -b->down.y};
	return 1;
}

char *networks_read(struct networks *n, const struct image *im, const struct box *b, double *probability)
{
	const size_t width = line_width(b, READ_MOST), steps = (width + READ_STEP - 1) / READ_STEP, ld = steps * READ_STEP;
	struct session *s = &n->reader[steps - 1];
	const float *probabilities;
	size_t rows;
	float *x;

	plan(s, n->read, n->path[2], LINE_HEIGHT, ld);
	x = value_data(s->input[0]);
	for (size_t i = 0; i < 3 * LINE_HEIGHT * ld; i++)
		x[i] = 0;
	image_sample(x, width, LINE_HEIGHT, ld, im, b, line_mean, line_deviation);
	probabilities = run(n, s, n->characters.classes, &rows);
	return characters_text(&n->characters, probabilities, rows, probability);
}

uint64_t networks_checksum(const struct networks *n)
{
	return n->checksum;
}
