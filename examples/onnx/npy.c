/* SPDX-License-Identifier: MIT */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "npy.h"

static const struct {
	int type;
	const char *name;
} types[] = {{F32, "<f4"}, {F64, "<f8"}, {F16, "<f2"}, {S64, "<i8"},
             {S32, "<i4"}, {S8, "|i1"},  {U8, "|u1"},  {BOOL, "|b1"}};

enum { TYPES = sizeof(types) / sizeof(*types), HEAD = 10 };

static int type_of(const char *header, const char *path)
{
	const char *at = strstr(header, "'descr':");

	at = at ? strchr(at + 8, '\'') : NULL;
	for (size_t i = 0; at && i < TYPES; i++)
		if (strncmp(at + 1, types[i].name, 3) == 0 && at[4] == '\'')
			return types[i].type;
	errx(1, "%s: elements of another type than f2, f4, f8, i1, i4, i8, u1 and b1 of this machine's byte order", path);
}

static size_t dims_of(const char *header, const char *path, size_t *dim)
{
	const char *at = strstr(header, "'shape':");
	size_t rank = 0;

	at = at ? strchr(at, '(') : NULL;
	if (!at || strstr(header, "'fortran_order': True"))
		errx(1, "%s: no shape, or in the order of Fortran; the order of C is allowed", path);
	at++;
	while (*at && *at != ')') {
		char *end;
		const unsigned long long d = strtoull(at, &end, 10);

		if (end == at || rank == RANK)
			errx(1, "%s: a shape that cannot be read; up to %d sizes are allowed", path, RANK);
		dim[rank++] = d;
		at = end + strspn(end, ", ");
	}
	return rank;
}

struct value *npy_read(struct session *s, const char *name, const char *path)
{
	FILE *f = fopen(path, "rb");
	unsigned char head[HEAD];
	char header[4096];
	size_t dim[RANK], rank, length;
	struct value *v;
	int type;

	if (!f)
		err(1, "%s", path);
	if (fread(head, 1, HEAD, f) != HEAD || memcmp(head, "\x93NUMPY\1", 7) != 0)
		errx(1, "%s: not a file of NumPy, version 1", path);
	length = head[8] + 256u * head[9];
	if (length >= sizeof(header) || fread(header, 1, length, f) != length)
		errx(1, "%s: the header is cut short, or longer than %zu bytes", path, sizeof(header) - 1);
	header[length] = 0;
	type = type_of(header, path);
	rank = dims_of(header, path, dim);
	v = session_input(s, name, type, rank, dim, NULL);
	if (fread(v->storage->data, 1, v->storage->bytes, f) != v->storage->bytes || fgetc(f) != EOF)
		errx(1, "%s: not the %zu bytes that its shape needs", path, v->storage->bytes);
	fclose(f);
	return v;
}

void npy_write(const struct value *v, const char *path)
{
	char dims[200] = "", header[400];
	FILE *f = fopen(path, "wb");
	size_t n = 0, length, type = 0;
	int is_short;

	if (!f)
		err(1, "%s", path);
	while (types[type].type != v->type)
		type++;
	for (size_t i = 0; i < v->rank; i++)
		n += (size_t)snprintf(dims + n, sizeof(dims) - n, "%zu,%s", v->dim[i], i + 1 < v->rank ? " " : "");
	length = (size_t)snprintf(header, sizeof(header), "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }",
	                          types[type].name, dims);
	/* The data begins at a multiple of 64. */
	while ((HEAD + length + 1) % 64)
		header[length++] = ' ';
	header[length++] = '\n';
	fwrite("\x93NUMPY\1\0", 1, 8, f);
	fputc((int)(length & 255), f);
	fputc((int)(length >> 8), f);
	fwrite(header, 1, length, f);
	fwrite(value_data(v), 1, value_bytes(v), f);
	is_short = ferror(f);
	if (fclose(f) != 0 || is_short)
		err(1, "%s", path);
}
