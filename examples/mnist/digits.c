/* SPDX-License-Identifier: MIT */
#include "digits.h"

#include <err.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The beginning of a file of MNIST: its kind, then its dimensions, with the high byte first. */
enum { IMAGES = 0x803, LABELS = 0x801, MOST = 1 << 20 };

static uint32_t number(FILE *f)
{
	unsigned char bytes[4] = {0};

	return fread(bytes, 1, 4, f) == 4
	           ? (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3]
	           : 0;
}

/* Reads a file of `count` items with `each` bytes. */
static unsigned char *read_file(const char *folder, const char *prefix, uint32_t kind, size_t each, size_t *count)
{
	unsigned char *data;
	char *path;
	FILE *f;

	if (asprintf(&path, "%s/%s-%s-ubyte", folder, prefix, kind == IMAGES ? "images-idx3" : "labels-idx1") < 0)
		errx(1, "out of memory");
	f = fopen(path, "rb");
	if (!f)
		errx(1, "no digits at %s: %s; examples/mnist/fetch.sh gets them, --data DIR names another folder", path,
		     strerror(errno));
	if (number(f) != kind)
		errx(1, "%s: not the file of MNIST of that name", path);
	*count = number(f);
	if (*count == 0 || *count > MOST)
		errx(1, "%s: %zu of them; from 1 to %d can be read", path, *count, MOST);
	if (kind == IMAGES && (number(f) != 28 || number(f) != 28))
		errx(1, "%s: its images are not 28 x 28", path);
	data = malloc(*count * each);
	if (!data)
		errx(1, "out of memory");
	if (fread(data, each, *count, f) != *count)
		errx(1, "%s: cut short, %zu of them should be there", path, *count);
	fclose(f);
	free(path);
	return data;
}

struct digits digits_read(const char *folder, const char *prefix)
{
	struct digits d;
	size_t labels;

	d.pixels = read_file(folder, prefix, IMAGES, PIXELS, &d.count);
	d.labels = read_file(folder, prefix, LABELS, 1, &labels);
	if (labels != d.count)
		errx(1, "%s: %zu images of %s and %zu labels", folder, d.count, prefix, labels);
	for (size_t i = 0; i < labels; i++)
		if (d.labels[i] >= DIGITS)
			errx(1, "%s: label %zu of %s is %d, which is no digit", folder, i, prefix, d.labels[i]);
	return d;
}

void digits_free(struct digits *d)
{
	free(d->pixels);
	free(d->labels);
}
