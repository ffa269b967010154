/* SPDX-License-Identifier: MIT */
#include "vector.h"
#include "xerbla.h"
#include <stdlib.h>
#include <string.h>

/* `each` columns at a time: MOST_AT_A_TIME, or fewer, so that each thread gets SHARES times some, which may be unequal. */
struct columns {
	void (*body)(const void *data, size_t j);
	const void *data;
	int64_t n, each;
};

enum { MOST_AT_A_TIME = 16, SHARES = 4 };

static void some_columns(const void *data, size_t i)
{
	const struct columns *c = data;
	const int64_t from = (int64_t)i * c->each, to = lesser(c->n, from + c->each);

	for (int64_t j = from; j < to; j++)
		c->body(c->data, (size_t)j);
}

void CORE(each_column)(int64_t n, size_t threads, void (*body)(const void *data, size_t j), const void *data)
{
	const int64_t shares = SHARES * (int64_t)threads;
	const struct columns c = {body, data, n, lesser(MOST_AT_A_TIME, (n + shares - 1) / shares)};

	isk_each((size_t)((n + c.each - 1) / c.each), threads, some_columns, &c);
}

elem *CORE(room_for)(struct copy *copy, int64_t n)
{
	const int64_t few = sizeof(copy->few) / sizeof(elem);

	copy->all = n <= few ? copy->few : malloc((size_t)n * sizeof(elem));
	if (!copy->all)
		blas_no_memory();
	return copy->all;
}

const elem *CORE(gather)(struct copy *copy, const elem *x, int64_t n, int64_t inc, int conjugated)
{
	elem *to;

	copy->all = NULL;
	if (n < 1 || (inc == 1 && (!conjugated || PARTS == 1)))
		return x;
	to = CORE(room_for)(copy, n);
	x += start_of(n, inc);
	for (int64_t i = 0; i < n; i++, x += inc)
		to[i] = conjugated ? conj_of(*x) : *x;
	return to;
}

void CORE(drop)(struct copy *copy)
{
	if (copy->all != copy->few)
		free(copy->all);
}

elem *CORE(take)(struct copy *copy, elem *y, int64_t n, int64_t inc)
{
	CORE(gather)(copy, y, n, inc, 0);
	return copy->all ? copy->all : y;
}

void CORE(put_back)(struct copy *copy, elem *y, int64_t n, int64_t inc)
{
	y += start_of(n, inc);
	for (int64_t i = 0; i < n && copy->all; i++, y += inc)
		*y = copy->all[i];
	CORE(drop)(copy);
}

void CORE(times)(elem *y, int64_t n, elem alpha)
{
	if (n < 1 || alpha == 1)
		return;
	if (alpha == 0)
		memset(y, 0, (size_t)n * sizeof(elem));
	else
		CORE(scal)(n, alpha, y, 1);
}
