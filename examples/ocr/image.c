/* SPDX-License-Identifier: MIT */
#include "image.h"

#include <err.h>
#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>

/* Larger pictures would take gigabytes in the networks. */
enum { MOST_PIXELS = 64000000 };

struct image image_read(const char *path)
{
	png_image png = {.version = PNG_IMAGE_VERSION};
	const png_color white = {255, 255, 255};
	struct image im;

	if (!png_image_begin_read_from_file(&png, path))
		errx(1, "%s: no PNG file that can be read: %s", path, png.message);
	if ((size_t)png.width * png.height > MOST_PIXELS)
		errx(1, "%s: %u x %u pixels; at most %d in all are allowed", path, png.width, png.height, MOST_PIXELS);
	png.format = PNG_FORMAT_RGB;
	im = (struct image){png.width, png.height, malloc(PNG_IMAGE_SIZE(png))};
	if (!im.rgb)
		errx(1, "%s: out of memory", path);
	if (!png_image_finish_read(&png, &white, im.rgb, 0, NULL))
		errx(1, "%s: %s", path, png.message);
	return im;
}

void image_write(const struct image *im, const char *path)
{
	png_image png = {.version = PNG_IMAGE_VERSION,
	                 .width = (png_uint_32)im->width,
	                 .height = (png_uint_32)im->height,
	                 .format = PNG_FORMAT_RGB};

	/* Not png_image_write_to_file(), which deletes the file after an error, be it a device. */
	FILE *f = fopen(path, "wb");
	int is_short;

	if (!f)
		err(1, "%s", path);
	is_short = !png_image_write_to_stdio(&png, f, 0, im->rgb, 0, NULL);
	if (fclose(f) != 0 || is_short)
		err(1, "%s", path);
}

static void mark(struct image *im, double x, double y)
{
	for (int i = 0; i < 4; i++) {
		const double px = floor(x) + (i & 1), py = floor(y) + (i >> 1);
		unsigned char *p;

		if (px < 0 || py < 0 || px >= (double)im->width || py >= (double)im->height)
			continue;
		p = im->rgb + 3 * ((size_t)py * im->width + (size_t)px);
		p[0] = 220;
		p[1] = 30;
		p[2] = 60;
	}
}

static void line(struct image *im, struct point a, struct point b)
{
	const double length = fmax(fabs(b.x - a.x), fabs(b.y - a.y));

	for (double t = 0; t <= length; t++)
		mark(im, a.x + (b.x - a.x) * t / length, a.y + (b.y - a.y) * t / length);
}

void image_draw(struct image *im, const struct box *b)
{
	struct point corner[4];

	for (int i = 0; i < 4; i++) {
		const double u = i == 0 || i == 3 ? -1 : 1, v = i < 2 ? -1 : 1;

		corner[i] =
			(struct point){b->centre.x + u * b->right.x + v * b->down.x, b->centre.y + u * b->right.y + v * b->down.y};
	}
	for (int i = 0; i < 4; i++)
		line(im, corner[i], corner[(i + 1) % 4]);
}

static size_t clamped(double x, size_t size)
{
	return x <= 0 ? 0 : x >= (double)(size - 1) ? size - 1 : (size_t)x;
}

/* Adds the colour at a point, between four pixels, times the weight. Beyond its sides a picture has the nearest pixel.
 */
static void add_colour(double sum[3], const struct image *im, double x, double y, double weight)
{
	const double left = floor(x), top = floor(y), fx = x - left, fy = y - top;
	const size_t x0 = clamped(left, im->width), x1 = clamped(left + 1, im->width), y0 = clamped(top, im->height),
				 y1 = clamped(top + 1, im->height);
	const unsigned char *a = im->rgb + 3 * (y0 * im->width + x0), *b = im->rgb + 3 * (y0 * im->width + x1),
						*c = im->rgb + 3 * (y1 * im->width + x0), *d = im->rgb + 3 * (y1 * im->width + x1);

	for (int i = 0; i < 3; i++)
		sum[i] += weight * ((a[i] * (1 - fx) + b[i] * fx) * (1 - fy) + (c[i] * (1 - fx) + d[i] * fx) * fy);
}

/* Points of a pixel that are averaged, in one direction: as many as there are pixels of the picture in it. */
static size_t points_for(struct point half_side, size_t pixels)
{
	const double scale = 2 * sqrt(half_side.x * half_side.x + half_side.y * half_side.y) / (double)pixels;

	return scale <= 1.5 ? 1 : (size_t)ceil(fmin(scale, 64));
}

void image_sample(float *planes, size_t width, size_t height, size_t ld, const struct image *im, const struct box *b,
                  const float mean[3], const float deviation[3])
{
	const size_t across = points_for(b->right, width), along = points_for(b->down, height);
	const double weight = 1 / (double)(across * along);

	for (size_t i = 0; i < height; i++)
		for (size_t j = 0; j < width; j++) {
			double sum[3] = {0};

			for (size_t p = 0; p < along * across; p++) {
				const double u = 2 * ((double)j + ((double)(p % across) + .5) / (double)across) / (double)width - 1,
							 v = 2 * ((double)i + ((double)(p / across) + .5) / (double)along) / (double)height - 1;

				/* The centre of pixel 0 is at .5. */
				add_colour(sum, im, b->centre.x + u * b->right.x + v * b->down.x - .5,
				           b->centre.y + u * b->right.y + v * b->down.y - .5, weight);
			}
			for (size_t c = 0; c < 3; c++)
				planes[(c * height + i) * ld + j] = ((float)sum[2 - c] / 255 - mean[c]) / deviation[c];
		}
}
