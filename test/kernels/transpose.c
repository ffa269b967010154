/* SPDX-License-Identifier: MIT */
/* The drivers of the kernels that only move elements: transpose and images. */
#include <stdlib.h>

#include "arrays.h"
#include "harness.h"

#define MOST ((size_t)1 << 20)

static unsigned char *data;

static void must_be(struct variant *v, uint64_t bits, uint64_t right, size_t row, size_t col)
{
	v->checks++;
	check_bits(v, bits, right, "the element that belongs there", row, col);
}

struct layout {
	enum edge edge;
	size_t rows, cols, ldx, ldy, offset_x, offset_y;
};

static void one(struct variant *v, const struct layout *l)
{
	const enum elem elem = v->kernel->in;
	const size_t bytes = elem_bytes(elem), x_span = span(l->rows, l->cols, l->ldx);
	const size_t y_span = span(l->cols, l->rows, l->ldy);
	const unsigned char *from = data + random_below(64) * bytes;
	struct args args = {.n = l->rows, .cols = l->cols, .ldx = l->ldx, .ldy = l->ldy};

	trying("%zu by %zu, ldx %zu, ldy %zu, offsets y %zu x %zu from the %s edge", l->rows, l->cols, l->ldx,
	       l->ldy, l->offset_y, l->offset_x, l->edge == LOW ? "lower" : "upper");
	args.x[0] = slot_put(SLOT_A, l->edge, l->offset_x, from, x_span * bytes);
	args.y = slot_put(SLOT_Y, l->edge, l->offset_y, NULL, y_span * bytes);
	slot_expect_rows(SLOT_Y, y_span ? l->cols : 0, l->rows * bytes, l->ldy * bytes);
	variant_call(v, v->fn, &args);
	for (size_t j = 0; j < l->cols; j++)
		for (size_t i = 0; i < l->rows; i++)
			must_be(v, elem_bits(elem, args.y, j * l->ldy + i),
			        elem_bits(elem, from, v->kernel->from(j, i, l->ldx)), j, i);
	slots_check();
}

static void start(void)
{
	if (!data)
		data = malloc(MOST * 8);
	if (!data)
		abort();
	for (size_t i = 0; i < MOST; i++)
		elem_set_bits(ELEM_b64, data, i, random_bits());
}

static struct layout layout(size_t rows, size_t cols)
{
	static const size_t gaps[] = {0, 0, 1, 3, 16, 29};
	const size_t gap_x = gaps[random_below(6)], gap_y = gaps[random_below(6)];

	return (struct layout){random_below(2) ? LOW : HIGH, rows, cols, cols + gap_x, rows + gap_y, 0, 0};
}

/* Rows farther apart than 32 bits count. */
static void far_strides(struct variant *v, size_t rows, size_t cols)
{
	const enum elem elem = v->kernel->in;
	const size_t bytes = elem_bytes(elem), stride = FAR * bytes;
	struct args args = {.n = rows, .cols = cols, .ldx = FAR, .ldy = FAR};
	unsigned char *x = far_rows(rows, cols * bytes, stride), *y = far_rows(cols, rows * bytes, stride);

	if (!x || !y)
		return;
	trying("%zu by %zu, rows %zu elements apart", rows, cols, FAR);
	copy_rows(x, stride, data, cols * bytes, rows, cols * bytes);
	args.x[0] = x;
	args.y = y;
	variant_call(v, v->fn, &args);
	for (size_t j = 0; j < cols; j++)
		for (size_t i = 0; i < rows; i++)
			must_be(v, elem_bits(elem, y, j * FAR + i), elem_bits(elem, data, i * cols + j), j, i);
	far_free(x, rows, cols * bytes, stride);
	far_free(y, cols, rows * bytes, stride);
}

/* Nothing takes no time, however large the other sizes are. */
static void nothing(struct variant *v, size_t n, size_t cols, size_t ldx)
{
	struct args args = {.n = n, .cols = cols, .ldx = ldx, .ldy = n};

	must_end(20);
	trying("%zu, %zu, %zu", n, cols, ldx);
	variant_call(v, v->fn, &args);
	must_end(0);
}

void drive_transpose(struct variant *v)
{
	static const size_t powers[] = {64, 128, 256, 512};
	static const size_t sizes[][2] = {{1, 5}, {3, 70}, {17, 17}, {33, 65}, {64, 64}, {66, 130}};
	const size_t bytes = elem_bytes(v->kernel->in);
	struct layout l;

	start();
	nothing(v, SIZE_MAX / 16, 0, 0);
	nothing(v, 0, SIZE_MAX / 16, SIZE_MAX / 16);
	far_strides(v, 7, 70);
	far_strides(v, 70, 66);
	for (size_t rows = 0; rows <= 70; rows++)
		for (size_t cols = 0; cols <= 70; cols++) {
			l = layout(rows, cols);
			one(v, &l);
		}
	for (int i = 0; i < 60; i++) {
		l = layout(random_below(500), random_below(500));
		one(v, &l);
		l = layout(random_below(20), random_below(9000));
		one(v, &l);
		l = layout(random_below(9000), random_below(20));
		one(v, &l);
		/* a power of two from row to row */
		l.ldx = powers[random_below(4)];
		l.ldy = powers[random_below(4)];
		l.rows = l.ldy - random_below(2) * random_below(64);
		l.cols = l.ldx - random_below(2) * random_below(64);
		one(v, &l);
	}
	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
		l = layout(sizes[s][0], sizes[s][1]);
		for (l.offset_x = 0; l.offset_x < 64; l.offset_x += bytes)
			for (int i = 0; i < 8; i++) {
				l.offset_y = random_below(64 / bytes) * bytes;
				one(v, &l);
			}
	}
}

static void one_batch(struct variant *v, size_t images, size_t channels, size_t pixels)
{
	const enum elem elem = v->kernel->in;
	const size_t each = channels * pixels, bytes = elem_bytes(elem);
	const enum edge edge = random_below(2) ? LOW : HIGH;
	struct args args = {.n = images, .cols = channels, .ldx = pixels};

	trying("%zu images of %zu channels of %zu pixels at the %s edge", images, channels, pixels,
	       edge == LOW ? "lower" : "upper");
	args.x[0] = slot_put(SLOT_A, edge, 0, data, images * each * bytes);
	args.y = slot_put(SLOT_Y, edge, 0, NULL, images * each * bytes);
	slot_expect_rows(SLOT_Y, 1, images * each * bytes, 0);
	variant_call(v, v->fn, &args);
	for (size_t image = 0; image < images; image++)
		for (size_t i = 0; i < each; i++)
			must_be(v, elem_bits(elem, args.y, image * each + i),
			        elem_bits(elem, data, image * each + v->kernel->from(i, channels, pixels)), image, i);
	slots_check();
}

void drive_images(struct variant *v)
{
	start();
	nothing(v, SIZE_MAX, 0, 5);
	nothing(v, SIZE_MAX, 3, 0);
	nothing(v, 0, 3, 5);
	nothing(v, 1, 0, SIZE_MAX / 16);
	nothing(v, 1, SIZE_MAX / 16, 0);
	for (size_t channels = 0; channels < 20; channels++)
		for (size_t pixels = 0; pixels < 70; pixels++)
			one_batch(v, random_below(4), channels, pixels);
	for (int i = 0; i < 100; i++) {
		one_batch(v, random_below(3), random_below(300), random_below(300));
		one_batch(v, 1 + random_below(3), 1 + random_below(4), random_below(10000));
	}
}
