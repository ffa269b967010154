/* SPDX-License-Identifier: MIT */
/*
 * Cells of LSTMs. Worst errors found: 1.50, of c, and 1.17, of h, of what the
 * contract allows for a bound of 1.
 */
#include "lstm_kernels.h"
#include "acts.h"

/* The arrays of a cell; NULL for what it has not. */
struct lstm {
	float *c, *h;
	const float *candidate, *input, *forget, *output, *c_old, *w_ic, *w_fc, *w_oc;
};

/* The acts that most networks have; they are inlined. */
#define COMMON ISK_CELL_ACTS(ISK_CELL_SIGMOID, ISK_CELL_TANH, ISK_CELL_TANH)

ISK_INLINE vf gate(vf x, struct acts a, const int common)
{
	return common ? vf_sigmoid(x) : act(x, a.gate);
}

ISK_INLINE vf other(vf x, enum isk_cell_act kind, const int common)
{
	return common ? vf_tanh(x) : act(x, kind);
}

/* m units from i on. */
ISK_INLINE void step(const struct lstm *l, size_t i, size_t m, struct acts a, const int common)
{
	vf c = vf_load_as(l->candidate, i, m, ISK_F32), in = vf_load_as(l->input, i, m, ISK_F32);

	c = other(c, a.candidate, common);
	if (l->c_old) {
		const vf old = vf_load_as(l->c_old, i, m, ISK_F32);
		vf keep = vf_load_as(l->forget, i, m, ISK_F32);

		keep = gate(peephole(keep, l->w_fc, old, i, m), a, common);
		in = gate(peephole(in, l->w_ic, old, i, m), a, common);
		c = vf_fma(old, keep, c * in);
	} else {
		c *= gate(in, a, common);
	}
	vf_store_as(l->c, i, c, m, ISK_F32);
	in = gate(peephole(vf_load_as(l->output, i, m, ISK_F32), l->w_oc, c, i, m), a, common);
	vf_store_as(l->h, i, other(c, a.cell, common) * in, m, ISK_F32);
}

#define STEP(m)        step(l, i, m, a, 0);
#define COMMON_STEP(m) step(l, i, m, a, 1);

/* Not inlined: the steps of both cells are one text. */
static __attribute__((noinline)) int lstm(const struct lstm *l, size_t d, unsigned acts)
{
	const struct acts a = acts_of(acts);

	if (acts_are_wrong(acts))
		return ISK_ERR_POST;
	if (acts == COMMON) {
		ACTS_LOOP(COMMON_STEP)
	} else {
		ACTS_LOOP(STEP)
	}
	return ISK_OK;
}

int ISK_FN(lstm_ctht_f32)(float *c, float *h, const float *candidate, const float *input, const float *forget,
                          const float *output, const float *c_old, const float *w_ic, const float *w_fc,
                          const float *w_oc, size_t d, unsigned acts)
{
	return lstm(&(struct lstm){c, h, candidate, input, forget, output, c_old, w_ic, w_fc, w_oc}, d, acts);
}

int ISK_FN(lstm_c1h1_f32)(float *c, float *h, const float *candidate, const float *input, const float *output,
                          const float *w_oc, size_t d, unsigned acts)
{
	return lstm(&(struct lstm){c, h, candidate, input, NULL, output, NULL, NULL, NULL, w_oc}, d, acts);
}
