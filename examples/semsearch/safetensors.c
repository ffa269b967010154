/* SPDX-License-Identifier: MIT */
#include <err.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "alloc.h"
#include "file.h"
#include "safetensors.h"

struct safetensors {
	const char *path;
	struct file file;
	cJSON *header;
	const char *data;
	size_t bytes; /* of data */
};

/* An offset or a dimension: a whole number that a double holds exactly. */
static int as_size(const cJSON *number, size_t *size)
{
	if (!cJSON_IsNumber(number) || !(number->valuedouble >= 0 && number->valuedouble < 0x1p53))
		return 0;
	*size = (size_t)number->valuedouble;
	return (double)*size == number->valuedouble;
}

/* The place of a tensor in the data. */
static int span(const struct safetensors *s, const cJSON *tensor, size_t *begin, size_t *end)
{
	const cJSON *offsets = cJSON_GetObjectItemCaseSensitive(tensor, "data_offsets");

	return cJSON_GetArraySize(offsets) == 2 && as_size(cJSON_GetArrayItem(offsets, 0), begin) &&
		   as_size(cJSON_GetArrayItem(offsets, 1), end) && *begin <= *end && *end <= s->bytes;
}

static void check_spans(const struct safetensors *s)
{
	const cJSON *tensor;
	size_t begin, end, last = 0;

	cJSON_ArrayForEach(tensor, s->header)
	{
		if (strcmp(tensor->string, "__metadata__") == 0)
			continue;
		if (!span(s, tensor, &begin, &end))
			errx(1, "%s: '%s' lies outside the file, which is cut short or damaged", s->path, tensor->string);
		last = end > last ? end : last;
	}
	if (last != s->bytes)
		errx(1, "%s: %zu bytes of data where the header tells of %zu", s->path, s->bytes, last);
}

struct safetensors *safetensors_open(const char *path)
{
	struct safetensors *s = alloc(1, sizeof(*s));
	uint64_t length;

	s->path = path;
	s->file = file_map(path);
	if (s->file.bytes < sizeof(length))
		errx(1, "%s: %zu bytes are no safetensors file", path, s->file.bytes);
	memcpy(&length, s->file.data, sizeof(length));
	if (length > s->file.bytes - sizeof(length))
		errx(1, "%s: not a safetensors file, or cut short", path);
	s->header = cJSON_ParseWithLength(s->file.data + sizeof(length), (size_t)length);
	if (!cJSON_IsObject(s->header))
		errx(1, "%s: not a safetensors file: its header is not JSON", path);
	s->data = s->file.data + sizeof(length) + length;
	s->bytes = s->file.bytes - sizeof(length) - (size_t)length;
	check_spans(s);
	return s;
}

void safetensors_close(struct safetensors *s)
{
	cJSON_Delete(s->header);
	file_unmap(&s->file);
	free(s);
}

static void print_shape(char *text, size_t space, const cJSON *shape)
{
	const cJSON *number;
	size_t used = 0;

	text[0] = '\0';
	cJSON_ArrayForEach(number, shape)
	{
		const int n = snprintf(text + used, space - used, "%s%.0f", used ? " x " : "", number->valuedouble);

		if (n < 0 || (size_t)n >= space - used)
			return;
		used += (size_t)n;
	}
}

/* The sum of squares of finite f16 numbers cannot overflow f32, but an infinity or NaN makes it infinite or NaN. */
static int plausible(const isk_f16 *x, size_t n)
{
	float wide[1024];
	float sum = 0;

	for (size_t i = 0; i < n; i += 1024) {
		const size_t some = n - i < 1024 ? n - i : 1024;

		isk_cvt_f16_f32(wide, x + i, some);
		sum += isk_dot_f32(wide, wide, some);
	}
	return isfinite(sum) && sum > 0;
}

isk_f16 *safetensors_f16(const struct safetensors *s, const char *name, size_t rows, size_t cols)
{
	const cJSON *tensor = cJSON_GetObjectItemCaseSensitive(s->header, name);
	const cJSON *shape = cJSON_GetObjectItemCaseSensitive(tensor, "shape");
	const char *type = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(tensor, "dtype"));
	const int dims = rows ? 2 : 1;
	const size_t count = (rows ? rows : 1) * cols;
	size_t begin, end, have[2] = {0, 0};
	isk_f16 *x;

	if (!tensor)
		errx(1, "%s: no tensor '%s': not all-MiniLM-L6-v2", s->path, name);
	if (!type || strcmp(type, "F16") != 0)
		errx(1, "%s: '%s' is %s, not F16", s->path, name, type ? type : "of no type");
	if (cJSON_GetArraySize(shape) != dims || !as_size(cJSON_GetArrayItem(shape, 0), &have[0]) ||
		!as_size(cJSON_GetArrayItem(shape, dims - 1), &have[1]) || have[0] != (rows ? rows : cols) ||
		have[1] != cols) {
		char text[64];

		print_shape(text, sizeof(text), shape);
		if (rows)
			errx(1, "%s: '%s' is %s, not %zu x %zu", s->path, name, text, rows, cols);
		errx(1, "%s: '%s' is %s, not %zu", s->path, name, text, cols);
	}
	if (!span(s, tensor, &begin, &end) || end - begin != count * sizeof(isk_f16))
		errx(1, "%s: '%s' has not the %zu bytes of its shape", s->path, name, count * sizeof(isk_f16));
	x = alloc(count, sizeof(*x));
	memcpy(x, s->data + begin, end - begin);
	if (!plausible(x, count))
		errx(1, "%s: '%s' holds no weights (infinities, or zeros alone): the file is damaged", s->path, name);
	return x;
}
