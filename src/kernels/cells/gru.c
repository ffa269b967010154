/* SPDX-License-Identifier: MIT */
/* Cells of GRUs. Worst error found: 1.97 (f64), relative to the error that the contract allows for a bound of 1. */
#include "gru_kernels.h"
#include "of_type.h"
#include "acts.h"

/* A first step has no h_old, a reset has no state. */
enum step { FIRST, RESET, UPDATE };

/* Computes m units from i on. */
ISK_INLINE void units(elem *h, const elem *gate, const elem *state, const elem *h_old, size_t i, size_t m, struct acts a,
                      const enum step step)
{
	const vec g = act(load(gate, i, m), a.gate);

	if (step == FIRST)
		store(h, i, g * act(load(state, i, m), a.candidate), m);
	else if (step == RESET)
		store(h, i, g * load(h_old, i, m), m);
	else
		store(h, i, multiply_add(g, act(load(state, i, m), a.candidate), (1 - g) * load(h_old, i, m)), m);
}

ISK_INLINE int gru(elem *h, const elem *gate, const elem *state, const elem *h_old, size_t d, unsigned acts,
                   const enum step step)
{
	const struct acts a = acts_of(acts);
	size_t i = 0;

	if (acts_are_wrong(acts))
		return ISK_ERR_POST;
	for (; d - i >= COUNT; i += COUNT)
		units(h, gate, state, h_old, i, COUNT, a, step);
	if (i < d)
		units(h, gate, state, h_old, i, d - i, a, step);
	return ISK_OK;
}

int KERNEL(gru_h1)(elem *h, const elem *update, const elem *state, size_t d, unsigned acts)
{
	return gru(h, update, state, NULL, d, acts, FIRST);
}

int KERNEL(gru_ht_part1)(elem *h, const elem *reset, const elem *h_old, size_t d, unsigned acts)
{
	return gru(h, reset, NULL, h_old, d, acts, RESET);
}

int KERNEL(gru_ht_part2)(elem *h, const elem *update, const elem *state, const elem *h_old, size_t d, unsigned acts)
{
	return gru(h, update, state, h_old, d, acts, UPDATE);
}
