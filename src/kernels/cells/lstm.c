/* SPDX-License-Identifier: MIT */
/*
 * Cells of LSTMs. Worst errors found: 1.50 (c) and 1.42 (h), relative to the error that the
 * contract allows for a bound of 1.
 */
#include "lstm_kernels.h"
#include "of_type.h"
#include "acts.h"

/* The arrays of a cell; NULL for arrays that it does not have. */
struct lstm {
	elem *c, *h;
	const elem *candidate, *input, *forget, *output, *c_old, *w_ic, *w_fc, *w_oc;
};

/* The acts of most networks, which are inlined. */
#define COMMON ISK_CELL_ACTS(ISK_CELL_SIGMOID, ISK_CELL_TANH, ISK_CELL_TANH)

ISK_INLINE vec gate(vec x, struct acts a, const int common)
{
	return common ? sigmoid(x) : act(x, a.gate);
}

ISK_INLINE vec other(vec x, enum isk_cell_act kind, const int common)
{
	return common ? hyperbolic_tangent(x) : act(x, kind);
}

/* x + w c, or x without weights */
ISK_INLINE vec peephole(vec x, const elem *w, vec c, size_t i, size_t m)
{
	return w ? multiply_add(load(w, i, m), c, x) : x;
}

/* Computes m units from i on. */
ISK_INLINE void units(const struct lstm *l, size_t i, size_t m, struct acts a, const int common)
{
	vec c = load(l->candidate, i, m), in = load(l->input, i, m);

	c = other(c, a.candidate, common);
	if (l->c_old) {
		const vec old = load(l->c_old, i, m);
		vec keep = load(l->forget, i, m);

		keep = gate(peephole(keep, l->w_fc, old, i, m), a, common);
		in = gate(peephole(in, l->w_ic, old, i, m), a, common);
		c = multiply_add(old, keep, c * in);
	} else {
		c *= gate(in, a, common);
	}
	store(l->c, i, c, m);
	in = gate(peephole(load(l->output, i, m), l->w_oc, c, i, m), a, common);
	store(l->h, i, other(c, a.cell, common) * in, m);
}

ISK_INLINE void all_units(const struct lstm *l, size_t d, struct acts a, const int common)
{
	size_t i = 0;

	for (; d - i >= COUNT; i += COUNT)
		units(l, i, COUNT, a, common);
	if (i < d)
		units(l, i, d - i, a, common);
}

/* Not inlined, so that both kinds of cells share one copy of the code. */
static __attribute__((noinline)) int lstm(const struct lstm *l, size_t d, unsigned acts)
{
	if (acts_are_wrong(acts))
		return ISK_ERR_POST;
	if (acts == COMMON)
		all_units(l, d, acts_of(acts), 1);
	else
		all_units(l, d, acts_of(acts), 0);
	return ISK_OK;
}

int KERNEL(lstm_ctht)(elem *c, elem *h, const elem *candidate, const elem *input, const elem *forget, const elem *output,
                      const elem *c_old, const elem *w_ic, const elem *w_fc, const elem *w_oc, size_t d, unsigned acts)
{
	return lstm(&(struct lstm){c, h, candidate, input, forget, output, c_old, w_ic, w_fc, w_oc}, d, acts);
}

int KERNEL(lstm_c1h1)(elem *c, elem *h, const elem *candidate, const elem *input, const elem *output, const elem *w_oc,
                      size_t d, unsigned acts)
{
	return lstm(&(struct lstm){c, h, candidate, input, NULL, output, NULL, NULL, NULL, w_oc}, d, acts);
}
