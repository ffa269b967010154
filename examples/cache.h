/* SPDX-License-Identifier: MIT */
/* The folder in which an example's fetch.sh puts its files. */
#ifndef CACHE_H
#define CACHE_H

#include <err.h>
#include <stdio.h>
#include <stdlib.h>

/* The path of a file or folder in isakern's part of the cache; free() frees it. */
static inline char *cached(const char *name)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	const int is_set = cache && *cache;
	char *path;

	if (asprintf(&path, "%s%s/isakern/%s", is_set ? cache : home ? home : "", is_set ? "" : "/.cache", name) < 0)
		errx(1, "out of memory");
	return path;
}

#endif
