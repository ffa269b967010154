/* SPDX-License-Identifier: MIT */
/*
 * A step of Adam, for elements of one type. There is only one result, because the contract has each operation rounded.
 */
#ifndef ISK_ADAM_STEP_H
#define ISK_ADAM_STEP_H

#include "of_type.h"

struct adam {
	lane rate, beta1, beta2, epsilon, decay, m_scale, v_scale;
};

/* A step of count elements from element i on. w is NULL if there are no narrow weights. */
ISK_INLINE void adam_step(elem *w, lane *p, lane *m, lane *v, lane *most, const elem *g, size_t i, size_t count,
                          const struct adam *a, const int decoupled)
{
	vec x = load_lanes(p, i, count), d = load(g, i, count), first, second;

	if (a->decay != 0 && decoupled)
		x -= a->rate * a->decay * x;
	else if (a->decay != 0)
		d += a->decay * x;
	first = a->beta1 * load_lanes(m, i, count) + (1 - a->beta1) * d;
	second = a->beta2 * load_lanes(v, i, count) + (1 - a->beta2) * (d * d);
	store_lanes(m, i, first, count);
	store_lanes(v, i, second, count);
	if (most) {
		second = maximum(load_lanes(most, i, count), second);
		store_lanes(most, i, second, count);
	}
	x -= a->rate * a->m_scale * first / (ISK_WORD(sqrt)(second * a->v_scale) + a->epsilon);
	store_lanes(p, i, x, count);
	if (w)
		store(w, i, x, count);
}

ISK_INLINE void adam(elem *w, lane *p, lane *m, lane *v, lane *most, const elem *g, size_t n, struct adam a,
                     const int decoupled)
{
	size_t i = 0;

	for (; n - i >= COUNT; i += COUNT)
		adam_step(w, p, m, v, most, g, i, COUNT, &a, decoupled);
	if (i < n)
		adam_step(w, p, m, v, most, g, i, n - i, &a, decoupled);
}

#endif
