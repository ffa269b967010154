/* SPDX-License-Identifier: MIT */
#include <err.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "elaborate.h"

struct named {
	const char *name;
	struct value *value;
};

struct scope {
	const struct scope *outer;
	void *tree; /* of entries, by tsearch() */
};

static int compare(const void *a, const void *b)
{
	return strcmp(((const struct named *)a)->name, ((const struct named *)b)->name);
}

struct scope *scope_new(const struct scope *outer)
{
	struct scope *s = malloc(sizeof(*s));

	if (!s)
		errx(1, "out of memory");
	*s = (struct scope){outer, NULL};
	return s;
}

void scope_free(struct scope *s)
{
	tdestroy(s->tree, free);
	free(s);
}

void scope_add(struct scope *s, const char *name, struct value *v)
{
	struct named *e = malloc(sizeof(*e)), **at;

	if (!e)
		errx(1, "out of memory");
	*e = (struct named){name, v};
	at = tsearch(e, &s->tree, compare);
	if (!at)
		errx(1, "out of memory");
	if (*at != e)
		refuse(NULL, "two values are named '%s'", name);
}

struct value *scope_find(const struct scope *s, const char *name)
{
	const struct named key = {name, NULL};

	for (; s; s = s->outer) {
		struct named *const *at = tfind(&key, &s->tree, compare);

		if (at)
			return (*at)->value;
	}
	return NULL;
}
