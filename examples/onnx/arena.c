/* SPDX-License-Identifier: MIT */
/*
 * Lays values out in one arena by their lifetimes: the largest first, each at the lowest place where it overlaps none
 * that lives at the same time.
 */
#include <err.h>
#include <stdlib.h>

#include "plan.h"

enum { ALIGNMENT = 64 };

static struct storage *root(struct storage *s)
{
	while (s->same)
		s = s->same;
	return s;
}

/* Lets an output take the place of the input that it is computed from, if that is not needed any more. */
static void join_in_place(const struct plan *p)
{
	for (size_t i = 0; i < p->steps; i++) {
		const struct step *s = &p->step[i];
		struct storage *in, *out;

		if (!s->in_place)
			continue;
		in = root(s->in[0]->storage);
		out = s->out[0]->storage;
		if (in->place == PLACE_ARENA && out->place == PLACE_ARENA && in->last == i && out->first == i &&
		    in->bytes == out->bytes && !out->same) {
			out->same = in;
			in->last = out->last;
		}
	}
}

static int larger_first(const void *a, const void *b)
{
	const struct storage *x = *(struct storage *const *)a, *y = *(struct storage *const *)b;

	return x->bytes != y->bytes ? (x->bytes < y->bytes) - (x->bytes > y->bytes)
	                            : (x->first > y->first) - (x->first < y->first);
}

static int by_place(const void *a, const void *b)
{
	const struct storage *x = *(struct storage *const *)a, *y = *(struct storage *const *)b;

	return (x->at > y->at) - (x->at < y->at);
}

static size_t end_of(const struct storage *s)
{
	return s->at + (s->bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Places s; done[] holds those placed before, by place. */
static void place(struct storage *s, struct storage **done, size_t count)
{
	s->at = 0;
	for (size_t i = 0; i < count; i++) {
		const struct storage *d = done[i];

		if (d->last < s->first || d->first > s->last)
			continue;
		if (d->at >= s->at + s->bytes)
			break;
		if (end_of(d) > s->at)
			s->at = end_of(d);
	}
	done[count] = s;
	qsort(done, count + 1, sizeof(*done), by_place);
}

void arena_lay_out(struct plan *p)
{
	struct storage **list = NULL, **done;
	size_t count = 0, kept = 0;

	for (size_t i = 0; i < p->steps; i++)
		for (size_t j = 0; j < p->step[i].outs; j++)
			p->step[i].out[j]->storage->first = SIZE_MAX;
	for (size_t i = 0; i < p->steps; i++) {
		for (size_t j = 0; j < p->step[i].outs; j++) {
			struct storage *s = p->step[i].out[j]->storage;

			if (s->first == SIZE_MAX && s->place == PLACE_ARENA) {
				list = reallocarray(list, count + 1, sizeof(*list));
				if (!list)
					errx(1, "out of memory");
				list[count++] = s;
			}
			if (s->first == SIZE_MAX)
				s->first = i;
			s->last = i;
		}
		for (size_t j = 0; j < p->step[i].ins; j++)
			p->step[i].in[j]->storage->last = i;
	}
	join_in_place(p);
	for (size_t i = 0; i < count; i++)
		if (!list[i]->same)
			list[kept++] = list[i];
	if (kept)
		qsort(list, kept, sizeof(*list), larger_first);
	done = calloc(kept + 1, sizeof(*done));
	if (!done)
		errx(1, "out of memory");
	for (size_t i = 0; i < kept; i++) {
		place(list[i], done, i);
		if (end_of(list[i]) > p->arena_bytes)
			p->arena_bytes = end_of(list[i]);
	}
	if (posix_memalign((void **)&p->arena, ALIGNMENT, p->arena_bytes + 1) != 0)
		errx(1, "out of memory: %zu bytes for values", p->arena_bytes);
	for (size_t i = 0; i < kept; i++)
		list[i]->data = p->arena + list[i]->at;
	for (size_t i = 0; i < p->steps; i++)
		for (size_t j = 0; j < p->step[i].outs; j++)
			if (p->step[i].out[j]->storage->same)
				p->step[i].out[j]->storage->data = root(p->step[i].out[j]->storage)->data;
	free(list);
	free(done);
}
