/* SPDX-License-Identifier: MIT */
#include "boxes.h"

#include <err.h>
#include <math.h>
#include <stdlib.h>

#include "hull.h"

static const float IS_TEXT = .3f;
static const double LEAST_SCORE = .6, LEAST_SIDE = 3, GROWTH = 2;

struct map {
	const float *p;
	size_t width, height;
	unsigned char *seen;
	size_t *stack; /* pixels to visit, room for all */
};

static void *alloc(size_t count, size_t size)
{
	void *p = calloc(count + 1, size);

	if (!p)
		errx(1, "out of memory");
	return p;
}

static void visit(struct map *m, size_t x, size_t y, size_t *depth)
{
	const size_t at = y * m->width + x;

	if (x >= m->width || y >= m->height || m->seen[at] || !(m->p[at] > IS_TEXT))
		return;
	m->seen[at] = 1;
	m->stack[(*depth)++] = at;
}

/*
 * The outermost pixels of each row of the part with this pixel, which have the same hull as all pixels of it. Pixels
 * that touch by a corner are connected. Returns the number of points, at most 2 for each row.
 */
static size_t outline(struct map *m, size_t start, struct point *points, size_t *left, size_t *right)
{
	size_t depth = 0, count = 0, top = m->height, bottom = 0;

	visit(m, start % m->width, start / m->width, &depth);
	while (depth) {
		const size_t at = m->stack[--depth], x = at % m->width, y = at / m->width;

		if (y < top || y > bottom || left[y] > right[y])
			left[y] = right[y] = x;
		left[y] = x < left[y] ? x : left[y];
		right[y] = x > right[y] ? x : right[y];
		top = y < top ? y : top;
		bottom = y > bottom ? y : bottom;
		for (size_t k = 0; k < 9; k++)
			visit(m, x + k % 3 - 1, y + k / 3 - 1, &depth);
	}
	for (size_t y = top; y <= bottom; y++) {
		points[count++] = (struct point){(double)left[y], (double)y};
		points[count++] = (struct point){(double)right[y], (double)y};
		left[y] = 1;
		right[y] = 0;
	}
	return count;
}

static double length(struct point v)
{
	return sqrt(v.x * v.x + v.y * v.y);
}

static double dot(struct point a, struct point b)
{
	return a.x * b.x + a.y * b.y;
}

/* The mean probability of the pixels whose centres are in the box. */
static double score_of(const struct map *m, const struct box *b)
{
	const double wide = fabs(b->right.x) + fabs(b->down.x), high = fabs(b->right.y) + fabs(b->down.y);
	const double x0 = fmax(ceil(b->centre.x - wide), 0), y0 = fmax(ceil(b->centre.y - high), 0);
	const double rr = dot(b->right, b->right), dd = dot(b->down, b->down);
	double sum = 0, count = 0;

	for (double y = y0; y <= b->centre.y + high && y < (double)m->height; y++)
		for (double x = x0; x <= b->centre.x + wide && x < (double)m->width; x++) {
			const struct point v = {x - b->centre.x, y - b->centre.y};

			if (fabs(dot(v, b->right)) > rr || fabs(dot(v, b->down)) > dd)
				continue;
			sum += (double)m->p[(size_t)y * m->width + (size_t)x];
			count++;
		}
	return count > 0 ? sum / count : 0;
}

/* Each side moves outward by GROWTH * area / perimeter, and by half a pixel because the rectangle went through the
 * centres of pixels, which are at .5 from now on. */
static void grow(struct box *b)
{
	const double w = length(b->right), h = length(b->down), by = GROWTH * w * h / (w + h) + .5;

	b->right.x *= (w + by) / w;
	b->right.y *= (w + by) / w;
	b->down.x *= (h + by) / h;
	b->down.y *= (h + by) / h;
	b->centre.x += .5;
	b->centre.y += .5;
}

static int higher_first(const void *a, const void *b)
{
	const double x = ((const struct box *)a)->centre.y, y = ((const struct box *)b)->centre.y;

	return (x > y) - (x < y);
}

static int from_left(const void *a, const void *b)
{
	const double x = ((const struct box *)a)->centre.x, y = ((const struct box *)b)->centre.x;

	return (x > y) - (x < y);
}

/* Boxes are in one row if the centre of each is above the lower half of the first. */
static void sort(struct box *list, size_t count)
{
	qsort(list, count, sizeof(*list), higher_first);
	for (size_t i = 0, j; i < count; i = j) {
		const double end = list[i].centre.y + .5 * (fabs(list[i].right.y) + fabs(list[i].down.y));

		for (j = i + 1; j < count && list[j].centre.y < end; j++)
			;
		qsort(list + i, j - i, sizeof(*list), from_left);
	}
}

struct box *boxes_find(const float *map, size_t width, size_t height, size_t *count)
{
	struct map m = {map, width, height, alloc(width * height, 1), alloc(width * height, sizeof(*m.stack))};
	struct point *points = alloc(2 * height, sizeof(*points));
	size_t *left = alloc(height, sizeof(*left)), *right = alloc(height, sizeof(*right)), space = 0;
	struct box *list = NULL;

	for (size_t y = 0; y < height; y++)
		left[y] = 1;
	*count = 0;
	for (size_t i = 0; i < width * height; i++) {
		struct box b;

		if (m.seen[i] || !(map[i] > IS_TEXT))
			continue;
		b = hull_rectangle(points, outline(&m, i, points, left, right));
		b.score = score_of(&m, &b);
		if (2 * fmin(length(b.right), length(b.down)) < LEAST_SIDE || b.score < LEAST_SCORE)
			continue;
		grow(&b);
		if (*count == space) {
			list = reallocarray(list, space = 2 * space + 16, sizeof(*list));
			if (!list)
				errx(1, "out of memory");
		}
		list[(*count)++] = b;
	}
	if (*count)
		sort(list, *count);
	free(m.seen);
	free(m.stack);
	free(points);
	free(left);
	free(right);
	return list;
}
