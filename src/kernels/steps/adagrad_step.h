/* SPDX-License-Identifier: MIT */
/*
 * A step of Adagrad, for elements of one type. There is only one result, because the contract has each operation rounded.
 */
#ifndef ISK_ADAGRAD_STEP_H
#define ISK_ADAGRAD_STEP_H

#include "of_type.h"

struct adagrad {
	lane rate, decay, epsilon;
};

/* A step of m elements from element i on. w is NULL if there are no narrow weights. */
ISK_INLINE void adagrad_step(elem *w, lane *p, lane *sum, const elem *g, size_t i, size_t m, struct adagrad a)
{
	vec x = load_lanes(p, i, m), d = load(g, i, m), s;

	if (a.decay != 0)
		d += a.decay * x;
	s = load_lanes(sum, i, m) + d * d;
	store_lanes(sum, i, s, m);
	x -= a.rate * d / (ISK_WORD(sqrt)(s) + a.epsilon);
	store_lanes(p, i, x, m);
	if (w)
		store(w, i, x, m);
}

ISK_INLINE void adagrad(elem *w, lane *p, lane *sum, const elem *g, size_t n, struct adagrad a)
{
	size_t i = 0;

	for (; n - i >= COUNT; i += COUNT)
		adagrad_step(w, p, sum, g, i, COUNT, a);
	if (i < n)
		adagrad_step(w, p, sum, g, i, n - i, a);
}

#endif
