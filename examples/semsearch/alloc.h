/* SPDX-License-Identifier: MIT */
/* Allocates memory, or exits with a message, because an example can do nothing without. */
#ifndef ALLOC_H
#define ALLOC_H

#include <err.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Aligned to a cache line, for the kernels; free() frees it. */
static inline void *alloc(size_t count, size_t size)
{
	void *p = NULL;

	if (count > (SIZE_MAX - 64) / size)
		errx(1, "out of memory");
	if (posix_memalign(&p, 64, count ? count * size : 1) != 0)
		errx(1, "out of memory");
	return p;
}

/* Returns p with room for at least count elements, and sets *space to its room. */
static inline void *grow(void *p, size_t *space, size_t count, size_t size)
{
	if (count <= *space)
		return p;
	*space = count + count / 2 + 16;
	p = reallocarray(p, *space, size);
	if (!p)
		errx(1, "out of memory");
	return p;
}

#endif
