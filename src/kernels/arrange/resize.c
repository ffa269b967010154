/* SPDX-License-Identifier: MIT */
/*
 * Images of another size. For a block of columns of y, the taps are computed once: the pixels of x and their weights, in
 * double, because a coordinate near an integer decides which pixels are taken. Then all rows of all images follow.
 *
 * The error of an interpolated pixel, in units of eps = 2^-24 times the sum of |weight * x|: a weight is rounded to f32
 * along each side, and their product once more: 3. At baseline, a product of the chain is rounded, and n sums: n + 4.
 */
#include "resize_kernels.h"
#include "runs.h"

enum coordinates { ASYMMETRIC, HALF_PIXEL, PYTORCH_HALF_PIXEL, ALIGN_CORNERS, HALF_PIXEL_SYMMETRIC, TF_HALF_PIXEL_FOR_NN };
enum rounding { PREFER_FLOOR, PREFER_CEIL, FLOOR, CEIL };
enum method { NEAREST, LINEAR, CUBIC };
enum { MOST_TAPS = 4, BLOCK = 32 };

/* One side of an image, and how it is resized. */
struct side {
	size_t in, out;
	double scale;
	enum coordinates coordinates;
	enum rounding rounding;
	double a; /* of cubic interpolation */
	int excludes;
	enum method method;
};

/* The pixels that give a pixel of y along one side. */
struct taps {
	size_t pixel[MOST_TAPS];
	float weight[MOST_TAPS];
};

/* The bytes from one image, row or pixel of an array to the next. */
struct steps {
	size_t image, row, pixel;
};

struct images {
	size_t count, channels, bytes; /* bytes of a pixel */
	struct steps y, x;
	struct side down, along;
};

static double coordinate(const struct side *s, size_t i)
{
	const double at = (double)i, in = (double)s->in, out = (double)s->out;

	switch (s->coordinates) {
	case ASYMMETRIC:
		return at / s->scale;
	case TF_HALF_PIXEL_FOR_NN:
		return (at + 0.5) / s->scale;
	case ALIGN_CORNERS:
		return s->out > 1 ? at * (in - 1) / (out - 1) : 0;
	case PYTORCH_HALF_PIXEL:
		return s->out > 1 ? (at + 0.5) / s->scale - 0.5 : 0;
	case HALF_PIXEL_SYMMETRIC:
		return in / 2 * (1 - out / (s->scale * in)) + (at + 0.5) / s->scale - 0.5;
	default:
		return (at + 0.5) / s->scale - 0.5;
	}
}

/* The coordinate of pixel i of y in x, not far outside: so it fits in an integer, and gives the same pixels. */
ISK_INLINE double clamped(const struct side *s, size_t i)
{
	const double at = coordinate(s, i), most = (double)s->in + 4;

	return at > -4 ? at < most ? at : most : -4;
}

/* floor() by itself: a call of libm's would be left by ISAs without such an instruction. */
ISK_INLINE double whole(double at)
{
	const double near = (double)(int64_t)at;

	return near > at ? near - 1 : near;
}

/* The pixel of x at a coordinate that is an integer; the nearest one if there is none. */
ISK_INLINE size_t inside(double at, size_t in)
{
	return at > 0 ? at < (double)in ? (size_t)at : in - 1 : 0;
}

ISK_INLINE double rounded(double at, enum rounding rounding)
{
	switch (rounding) {
	case PREFER_FLOOR:
		return -whole(0.5 - at);
	case PREFER_CEIL:
		return whole(at + 0.5);
	case FLOOR:
		return whole(at);
	default:
		return -whole(-at);
	}
}

/* The weight of a pixel at distance d >= 0, in factors, because the terms of the polynomials cancel near 1 and 2. */
ISK_INLINE double cubic_weight(double d, double a)
{
	return d <= 1 ? (1 - d) * (1 + d - (a + 2) * d * d) : d < 2 ? a * (d - 1) * (2 - d) * (2 - d) : 0;
}

static struct taps cubic_taps(const struct side *s, double at)
{
	const double first = whole(at) - 1;
	struct taps t;
	double weight[MOST_TAPS], sum = 0;

	for (int k = 0; k < MOST_TAPS; k++) {
		const double pixel = first + k;
		const int is_out = s->excludes && (pixel < 0 || pixel >= (double)s->in);

		t.pixel[k] = inside(pixel, s->in);
		weight[k] = is_out ? 0 : cubic_weight(__builtin_fabs(at - pixel), s->a);
		sum += weight[k];
	}
	for (int k = 0; k < MOST_TAPS; k++)
		t.weight[k] = (float)(s->excludes ? weight[k] / sum : weight[k]);
	return t;
}

static __attribute__((noinline)) struct taps taps_of(const struct side *s, size_t i)
{
	const double at = clamped(s, i), low = whole(at);

	if (s->method == NEAREST)
		return (struct taps){.pixel = {inside(rounded(at, s->rounding), s->in)}};
	if (s->method == LINEAR)
		return (struct taps){.pixel = {inside(low, s->in), inside(low + 1, s->in)},
		                     .weight = {(float)(1 - (at - low)), (float)(at - low)}};
	return cubic_taps(s, at);
}

/* All channels of a pixel: for each, one chain of fused multiply-adds over the taps, row by row. */
static __attribute__((noinline)) void interpolate(float *y, const char *x, const struct images *s, const struct taps *row,
                                                  const struct taps *col, int taps)
{
	float weight[MOST_TAPS * MOST_TAPS];
	const float *from[MOST_TAPS * MOST_TAPS];

#pragma GCC unroll 1
	for (int t = 0; t < taps * taps; t++) {
		weight[t] = row->weight[t / taps] * col->weight[t % taps];
		from[t] = (const float *)(const void *)(x + row->pixel[t / taps] * s->x.row + col->pixel[t % taps] * s->x.pixel);
	}
#pragma GCC unroll 1
	for (size_t c = 0; c < s->channels; c += VL) {
		vf sum = vf_set1(0);

#pragma GCC unroll 1
		for (int t = 0; t < taps * taps; t++)
			sum = vf_fma(vf_set1(weight[t]), vf_load_as(from[t], c, s->channels - c, ISK_F32), sum);
		vf_store_as(y, c, sum, s->channels - c, ISK_F32);
	}
}

/* The taps of the columns of a block, side by side, for pixels of one channel. */
struct columns {
	float weight[MOST_TAPS][BLOCK];
	size_t at[MOST_TAPS][BLOCK]; /* bytes from the begin of a row of x */
};

static __attribute__((noinline)) void columns_of(struct columns *c, const struct images *s, const struct taps *col, size_t count)
{
	for (size_t k = 0; k < MOST_TAPS; k++)
		for (size_t j = 0; j < BLOCK; j++) {
			const struct taps *t = &col[j < count ? j : count - 1];

			c->weight[k][j] = t->weight[k];
			c->at[k][j] = t->pixel[k] * s->x.pixel;
		}
}

/* The same for a row of pixels of one channel, a vector of columns at a time. */
static __attribute__((noinline)) void interpolate_row(char *y, const char *x, const struct images *s, const struct taps *row,
                                                      const struct columns *col, size_t count, int taps)
{
	for (size_t j = 0; j < count; j += VL) {
		const size_t n = count - j < VL ? count - j : VL;
		vf sum = vf_set1(0);
		float lanes[VL];

#pragma GCC unroll 1
		for (int t = 0; t < taps * taps; t++) {
			const char *const line = x + row->pixel[t / taps] * s->x.row;
			const size_t *const at = &col->at[t % taps][j];

			for (size_t l = 0; l < VL; l++)
				lanes[l] = *(const float *)(const void *)(line + at[l]);
			sum = vf_fma(row->weight[t / taps] * vf_load(&col->weight[t % taps][j]), vf_load(lanes), sum);
		}
		vf_store(lanes, sum);
		for (size_t l = 0; l < n; l++, y += s->y.pixel)
			*(float *)(void *)y = lanes[l];
	}
}

/* Columns first to first + count - 1 of row i of an image, whose first pixel is y's. */
static __attribute__((noinline)) void resize_row(char *y, const char *x, const struct images *s, const struct taps *row,
                                                 const struct taps *col, size_t count)
{
	const enum method method = s->down.method;

	for (size_t j = 0; j < count; j++, y += s->y.pixel)
		if (method == NEAREST)
			copy_bytes(y, x + row->pixel[0] * s->x.row + col[j].pixel[0] * s->x.pixel, s->bytes);
		else
			interpolate((float *)(void *)y, x, s, row, &col[j], method == LINEAR ? 2 : 4);
}

/* Columns first to first + count - 1 of all images. */
static void resize_block(char *y, const char *x, const struct images *s, size_t first, size_t count)
{
	const int is_line = s->channels == 1 && s->down.method != NEAREST;
	struct taps col[BLOCK];
	struct columns columns;

	for (size_t j = 0; j < count; j++)
		col[j] = taps_of(&s->along, first + j);
	if (is_line)
		columns_of(&columns, s, col, count);
	for (size_t n = 0; n < s->count; n++, x += s->x.image)
		for (size_t i = 0; i < s->down.out; i++) {
			const struct taps row = taps_of(&s->down, i);

			char *const to = y + n * s->y.image + i * s->y.row + first * s->y.pixel;

			if (is_line)
				interpolate_row(to, x, s, &row, &columns, count, s->down.method == LINEAR ? 2 : 4);
			else
				resize_row(to, x, s, &row, col, count);
		}
}

static __attribute__((noinline)) int resize(void *y, const void *x, const struct images *s)
{
	if (s->down.coordinates > TF_HALF_PIXEL_FOR_NN || s->down.rounding > CEIL)
		return ISK_ERR_SHAPE;
	if (!s->count || !s->channels || !s->down.out || !s->along.out)
		return ISK_OK;
	if (!s->down.in || !s->along.in)
		return ISK_ERR_SHAPE;
	for (size_t first = 0; first < s->along.out; first += BLOCK)
		resize_block(y, x, s, first, s->along.out - first < BLOCK ? s->along.out - first : BLOCK);
	return ISK_OK;
}

/* The arguments that the kernels have in common, for elements of `size` bytes. */
#define IMAGES(size)                                                           \
	images, channels, channels * (size), {y0 * (size), y1 * (size), y2 * (size)}, {x0 * (size), x1 * (size), x2 * (size)}
#define SIDE(in, out, scale, ...) {in, out, (double)(scale), (enum coordinates)coordinates, __VA_ARGS__}

#define NEAREST_OF(kernel, T, ...)                                             \
	int ISK_FN(kernel)(void *y, const void *x, size_t images, size_t channels, size_t out_height, size_t out_width, \
	                   size_t height, size_t width, size_t y0, size_t y1, size_t y2, size_t x0, size_t x1, size_t x2, \
	                   float scale_h, float scale_w, unsigned coordinates, unsigned rounding) \
	{                                                                          \
		return resize(y, x, &(struct images){                                  \
			IMAGES(isk_element_bytes(ISK_ENUM_##T)),                           \
			SIDE(height, out_height, scale_h, (enum rounding)rounding, 0, 0, NEAREST), \
			SIDE(width, out_width, scale_w, (enum rounding)rounding, 0, 0, NEAREST)}); \
	}
ISK_EACH_resize_nearest(NEAREST_OF, )

int ISK_FN(resize_linear_f32)(float *y, const float *x, size_t images, size_t channels, size_t out_height, size_t out_width,
                              size_t height, size_t width, size_t y0, size_t y1, size_t y2, size_t x0, size_t x1, size_t x2,
                              float scale_h, float scale_w, unsigned coordinates)
{
	return resize(y, x, &(struct images){IMAGES(sizeof(float)), SIDE(height, out_height, scale_h, FLOOR, 0, 0, LINEAR),
	                                     SIDE(width, out_width, scale_w, FLOOR, 0, 0, LINEAR)});
}

int ISK_FN(resize_cubic_f32)(float *y, const float *x, size_t images, size_t channels, size_t out_height, size_t out_width,
                             size_t height, size_t width, size_t y0, size_t y1, size_t y2, size_t x0, size_t x1, size_t x2,
                             float scale_h, float scale_w, unsigned coordinates, float a, unsigned exclude_outside)
{
	const int excludes = exclude_outside & 1;

	return resize(y, x, &(struct images){IMAGES(sizeof(float)),
	                                     SIDE(height, out_height, scale_h, FLOOR, (double)a, excludes, CUBIC),
	                                     SIDE(width, out_width, scale_w, FLOOR, (double)a, excludes, CUBIC)});
}
