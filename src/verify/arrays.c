/* SPDX-License-Identifier: MIT */
#include "arrays.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "asked.h"
#include "harness.h"

#define PAGE ((size_t)4096)

unsigned char *room(unsigned char **p)
{
	if (!*p && !(*p = malloc(ROOM)))
		abort();
	return *p;
}

size_t span(size_t rows, size_t cols, size_t ld)
{
	return rows && cols ? (rows - 1) * ld + cols : 0;
}

void fill_floats(enum isk_type type, void *x, size_t n, double size)
{
	float *f32 = x;

	if (type == ISK_F32)
		for (size_t i = 0; i < n; i++)
			f32[i] = (float)random_in(-size, size);
	else
		for (size_t i = 0; i < n; i++)
			isk_element_set(type, x, i, (long double)random_in(-size, size));
}

int integers(const struct isk_kernel *k)
{
	return !isk_element_is_float(type_a(k));
}

int quantized(const struct isk_kernel *k)
{
	return type_c(k) == ISK_S8 || type_c(k) == ISK_U8;
}

int32_t draw_zero(enum isk_type type)
{
	return (int32_t)random_below(256) + (int32_t)isk_least_integer(type);
}

void check_status(int got, int wanted, int of_oracle)
{
	if (got != wanted)
		wrong("got status %d (%s), wanted %d", got, isk_strerror(got), wanted);
	if (got != of_oracle)
		wrong("the oracle has another status than %d: %d", got, of_oracle);
}

const struct isk_kernel *packer(const struct isk_kernel *kernel, const char *shape)
{
	for (size_t i = 0; i < asked.described->count; i++) {
		const struct isk_kernel *k = &asked.described->kernels[i];

		if (strcmp(k->shape->name, shape) == 0 && k->types[0] == type_b(kernel))
			return k;
	}
	wrong("no kernel packs for this one");
}

static size_t extent(size_t rows, size_t row_bytes, size_t stride)
{
	return span(rows, row_bytes, stride) / PAGE * PAGE + 2 * PAGE;
}

unsigned char *far_rows(size_t rows, size_t row_bytes, size_t stride)
{
	const size_t bytes = extent(rows, row_bytes, stride);
	unsigned char *at;

	/* Meson sets this variable in the tests of a cross build. */
	if (bytes > (size_t)1 << 40 && getenv("MESON_EXE_WRAPPER")) {
		printf("# qemu-user takes minutes to record 2^40 reserved bytes; rows %zu bytes apart: not tried\n", stride);
		return NULL;
	}
	at = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (at == MAP_FAILED) {
		printf("# no address space for rows %zu bytes apart: not tried\n", stride);
		return NULL;
	}
	for (size_t i = 0; i < rows; i++) {
		const size_t first = i * stride / PAGE * PAGE;

		if (mprotect(at + first, i * stride + row_bytes - first, PROT_READ | PROT_WRITE))
			wrong("no memory for a row");
	}
	return at;
}

void far_free(unsigned char *at, size_t rows, size_t row_bytes, size_t stride)
{
	if (at)
		munmap(at, extent(rows, row_bytes, stride));
}

void copy_rows(void *to, size_t to_stride, const void *from, size_t from_stride, size_t rows,
               size_t row_bytes)
{
	for (size_t i = 0; i < rows; i++)
		memcpy((unsigned char *)to + i * to_stride, (const unsigned char *)from + i * from_stride, row_bytes);
}
