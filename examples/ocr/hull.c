/* SPDX-License-Identifier: MIT */
#include "hull.h"

#include <math.h>
#include <stdlib.h>

static int from_left(const void *a, const void *b)
{
	const struct point *p = a, *q = b;

	return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->y > q->y) - (p->y < q->y);
}

static int from_right(const void *a, const void *b)
{
	return from_left(b, a);
}

/* Above 0 if the way from a over b to c turns left. */
static double turn(struct point a, struct point b, struct point c)
{
	return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* Moves the chain from p[0] to p[count - 1] that has all points on its right to the front; returns its length. */
static size_t chain(struct point *p, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		const struct point next = p[i];

		while (kept > 1 && turn(p[kept - 2], p[kept - 1], next) >= 0)
			kept--;
		p[i] = p[kept];
		p[kept++] = next;
	}
	return kept;
}

/* The rectangle around all points with one side in the direction of u, a vector of length 1. */
static struct box around(const struct point *p, size_t count, struct point u)
{
	double least_u = HUGE_VAL, most_u = -HUGE_VAL, least_v = HUGE_VAL, most_v = -HUGE_VAL, mu, mv, w, h;

	for (size_t i = 0; i < count; i++) {
		const double pu = p[i].x * u.x + p[i].y * u.y, pv = p[i].y * u.x - p[i].x * u.y;

		least_u = fmin(least_u, pu);
		most_u = fmax(most_u, pu);
		least_v = fmin(least_v, pv);
		most_v = fmax(most_v, pv);
	}
	mu = (least_u + most_u) / 2;
	mv = (least_v + most_v) / 2;
	w = (most_u - least_u) / 2;
	h = (most_v - least_v) / 2;
	return (struct box){{mu * u.x - mv * u.y, mu * u.y + mv * u.x}, {w * u.x, w * u.y}, {-h * u.y, h * u.x}, 0};
}

static double area(const struct box *b)
{
	return fabs(b->right.x * b->down.y - b->right.y * b->down.x);
}

/* The better one of the best rectangle so far and that along the side from a to b, turned to within 45 degrees of the x
 * axis, so that `right` is the side that points to the right. */
static struct box better(const struct box *best, const struct point *p, size_t count, struct point a, struct point b)
{
	const double x = b.x - a.x, y = b.y - a.y, d = sqrt(x * x + y * y);
	struct point u = {x / d, y / d};
	struct box tried;

	if (!(d > 0))
		return *best;
	if (fabs(u.x) < fabs(u.y))
		u = (struct point){u.y, -u.x};
	if (u.x < 0)
		u = (struct point){-u.x, -u.y};
	tried = around(p, count, u);
	return area(&tried) < area(best) ? tried : *best;
}

/* A side of the rectangle of the least area lies on a side of the convex hull. */
struct box hull_rectangle(struct point *p, size_t count)
{
	struct box best = around(p, count, (struct point){1, 0});

	for (int back = 0; back < 2; back++) {
		size_t kept;

		qsort(p, count, sizeof(*p), back ? from_right : from_left);
		kept = chain(p, count);
		for (size_t i = 0; i + 1 < kept; i++)
			best = better(&best, p, count, p[i], p[i + 1]);
	}
	return best;
}
