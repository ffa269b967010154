/* SPDX-License-Identifier: MIT */
/*
 * Copies of arrays in another order. First, axes of one index are dropped, and neighbours that are one axis in both
 * arrays become one. Then the last axis decides: if it is dense in both arrays, rows are copied, those of 2, 4 or 8 bytes as
 * elements; if it is dense in y, and another one is dense in x, planes of these two are transposed; elements are copied one by
 * one in all other cases.
 */
#include "permute_kernels.h"
#include "part.h"
#include "runs.h"
#include "transpose_kernels.h"

enum { AXES = 5 };

typedef void transpose_fn(void *y, const void *x, size_t rows, size_t cols, size_t ldy, size_t ldx);

/* The number of indices of an axis, and the bytes from one to the next in both arrays. */
struct axis {
	size_t n, y, x;
};

struct copied {
	struct axis axis[AXES]; /* outermost first */
	int axes;
	size_t bytes; /* of an element */
	transpose_fn *transpose;
};

static __attribute__((noinline)) void add_axis(struct copied *c, struct axis a)
{
	struct axis *const next = &c->axis[c->axes];

	if (a.n == 1)
		return;
	if (c->axes && next[-1].y == a.n * a.y && next[-1].x == a.n * a.x)
		next[-1] = (struct axis){next[-1].n * a.n, a.y, a.x};
	else
		c->axis[c->axes++] = a;
}

/* Moves axis i to the place before the last. */
static void move_before_last(struct copied *c, int i)
{
	const struct axis moved = c->axis[i];

	for (; i + 2 < c->axes; i++)
		c->axis[i] = c->axis[i + 1];
	c->axis[i] = moved;
}

/* The axis that is dense in x, -1 if there is none; the last one does not count. */
static int dense_in_x(const struct copied *c)
{
	for (int i = c->axes - 2; i >= 0; i--)
		if (c->axis[i].x == c->bytes)
			return i;
	return -1;
}

/* Makes an element of each row that is as large as an element of another type. */
static void join_elements(struct copied *c)
{
	const struct axis last = c->axis[c->axes - 1];
	const size_t bytes = last.n * c->bytes;

	if (c->axes > 1 && last.y == c->bytes && last.x == c->bytes && (bytes == 2 || bytes == 4 || bytes == 8)) {
		c->bytes = bytes;
		c->axes--;
	}
}

ISK_INLINE void copy_elements(char *y, const char *x, struct axis a, const size_t bytes)
{
#pragma GCC unroll 1
	for (size_t i = 0; i < a.n; i++)
		__builtin_memcpy(y + i * a.y, x + i * a.x, bytes);
}

/* Copies the plane of the last two axes. */
static void copy_plane(char *y, const char *x, const struct copied *c, int is_transposed)
{
	const struct axis outer = c->axes > 1 ? c->axis[c->axes - 2] : (struct axis){1, 0, 0}, inner = c->axis[c->axes - 1];

	if (is_transposed) {
		c->transpose(y, x, inner.n, outer.n, outer.y / c->bytes, inner.x / c->bytes);
		return;
	}
	for (size_t i = 0; i < outer.n; i++, y += outer.y, x += outer.x)
		if (inner.y == c->bytes && inner.x == c->bytes)
			copy_bytes(y, x, inner.n * c->bytes);
		else if (c->bytes == 1)
			copy_elements(y, x, inner, 1);
		else if (c->bytes == 2)
			copy_elements(y, x, inner, 2);
		else if (c->bytes == 4)
			copy_elements(y, x, inner, 4);
		else
			copy_elements(y, x, inner, 8);
}

/* Copies all planes: the axes before the last two count like the digits of a number. */
static void copy_planes(char *y, const char *x, const struct copied *c, int is_transposed)
{
	const int digits = c->axes > 2 ? c->axes - 2 : 0;
	size_t index[AXES] = {0};
	int i;

	do {
		copy_plane(y, x, c, is_transposed);
		for (i = digits - 1; i >= 0; i--) {
			const struct axis a = c->axis[i];

			y += a.y;
			x += a.x;
			if (++index[i] < a.n)
				break;
			index[i] = 0;
			y -= a.n * a.y;
			x -= a.n * a.x;
		}
	} while (i >= 0);
}

static __attribute__((noinline)) void permute(char *y, const char *x, const size_t *n, const size_t *ldy, const size_t *ldx,
                                              size_t bytes, transpose_fn *transpose)
{
	struct copied c = {.bytes = bytes, .transpose = transpose};
	int across = -1;

	for (int i = 0; i < AXES; i++)
		if (!n[i])
			return;
#pragma GCC unroll 1
	for (int i = 0; i < AXES; i++)
		add_axis(&c, (struct axis){n[i], ldy[i] * bytes, ldx[i] * bytes});
	if (!c.axes)
		c.axis[c.axes++] = (struct axis){1, bytes, bytes};
	if (c.axis[c.axes - 1].y == bytes && c.axis[c.axes - 1].x != bytes)
		across = dense_in_x(&c);
	if (across >= 0)
		move_before_last(&c, across);
	else
		join_elements(&c);
	copy_planes(y, x, &c, across >= 0);
}

#define PERMUTE(kernel, T, ...)                                                \
	ISK_EXTERN transpose_fn ISK_FN(transpose_##T);                             \
                                                                               \
	void ISK_FN(kernel)(void *y, const void *x, size_t n0, size_t n1, size_t n2, size_t n3, size_t n4, size_t y0, \
	                    size_t y1, size_t y2, size_t y3, size_t x0, size_t x1, size_t x2, size_t x3, size_t x4) \
	{                                                                          \
		permute(y, x, (size_t[AXES]){n0, n1, n2, n3, n4}, (size_t[AXES]){y0, y1, y2, y3, 1}, \
		        (size_t[AXES]){x0, x1, x2, x3, x4}, isk_element_bytes(ISK_ENUM_##T), ISK_FN(transpose_##T)); \
	}
ISK_EACH_permute(PERMUTE, )
