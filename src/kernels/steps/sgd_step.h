/* SPDX-License-Identifier: MIT */
/*
 * A step of gradient descent, for elements of one type. There is only one result, because the contract has each operation
 * rounded.
 */
#ifndef ISK_SGD_STEP_H
#define ISK_SGD_STEP_H

#include "of_type.h"

struct sgd {
	lane rate, decay, momentum, dampening;
	int nesterov;
};

/* A step of m elements from element i on. w is NULL if there are no narrow weights. */
ISK_INLINE void sgd_step(elem *w, lane *p, lane *velocity, const elem *g, size_t i, size_t m, struct sgd s)
{
	vec x = load_lanes(p, i, m), d = load(g, i, m);

	if (s.decay != 0)
		d += s.decay * x;
	if (velocity) {
		const vec old = load_lanes(velocity, i, m), v = s.momentum * old + (1 - s.dampening) * d;

		store_lanes(velocity, i, v, m);
		d = s.nesterov ? d + s.momentum * v : v;
	}
	x -= s.rate * d;
	store_lanes(p, i, x, m);
	if (w)
		store(w, i, x, m);
}

ISK_INLINE void sgd(elem *w, lane *p, lane *velocity, const elem *g, size_t n, struct sgd s)
{
	size_t i = 0;

	for (; n - i >= COUNT; i += COUNT)
		sgd_step(w, p, velocity, g, i, COUNT, s);
	if (i < n)
		sgd_step(w, p, velocity, g, i, n - i, s);
}

#endif
