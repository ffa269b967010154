/* SPDX-License-Identifier: MIT */
/* The variants of a kernel, as a library lists them. `ask` is the library's function, for isakern isk_candidates(). */
#ifndef CANDIDATES_H
#define CANDIDATES_H

#include <stdio.h>
#include <stdlib.h>

#include "isakern.h"

typedef __typeof(isk_candidates) candidates_fn;

/* Allocates the list and returns its length; a negative status if there is no such kernel. */
static inline int candidates_of(candidates_fn *ask, const char *kernel, struct isk_candidate **candidates)
{
	const int count = ask(kernel, NULL, 0);

	*candidates = NULL;
	if (count < 0)
		return count;
	*candidates = calloc((size_t)count + 1, sizeof(**candidates));
	if (!*candidates)
		abort();
	(*candidates)->size = sizeof(**candidates);
	return ask(kernel, *candidates, (size_t)count);
}

/*
 * Calls check for each variant of the kernel that can run here, and for its reference; prints a skipped TAP test, with its
 * reason, for each other variant. *tests counts the printed tests.
 */
static inline void each_variant(const char *kernel, int *tests, void (*check)(const void *to, const char *isa, void (*fn)(void)),
                                const void *to)
{
	struct isk_candidate *c;
	const int count = candidates_of(isk_candidates, kernel, &c);

	for (int i = 0; i < count; i++)
		if (c[i].state == ISK_USABLE)
			check(to, c[i].isa, c[i].fn);
		else
			printf("ok %d - %s/%s # SKIP %s\n", ++*tests, kernel, c[i].isa, c[i].reason);
	free(c);
	check(to, "reference", isk_reference(kernel));
}

/* The ISA of the variant that is this function; NULL if there is none. */
static inline const char *isa_of(const char *kernel, const void *fn)
{
	struct isk_candidate *c;
	const int count = candidates_of(isk_candidates, kernel, &c);
	const char *isa = NULL;

	if (count < 0)
		return NULL;
	for (int i = 0; i < count && fn; i++)
		if ((const void *)(uintptr_t)c[i].fn == fn)
			isa = c[i].isa;
	free(c);
	return isa;
}

/* The ISA of the variant that a call reaches. */
static inline const char *bound_isa(candidates_fn *ask, const char *kernel)
{
	struct isk_candidate *c;
	const int count = candidates_of(ask, kernel, &c);
	const char *isa = "none";

	if (count < 0)
		return isa;
	for (int i = 0; i < count; i++)
		if (c[i].bound)
			isa = c[i].isa;
	free(c);
	return isa;
}

#endif
