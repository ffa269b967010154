/* SPDX-License-Identifier: MIT */
/*
 * Cells of LSTMs. Worst errors found: c WORST_C, h WORST_H of what the contract
 * allows for a bound of 1.
 */
#include "lstm_kernels.h"
#include "acts.h"

/* The arrays of a cell; NULL for what it has not. */
struct lstm {
	float *c, *h;
	const float *candidate, *input, *forget, *output, *c_old, *w_ic, *w_fc, *w_oc;
};

/* m units from i on. */
ISK_INLINE void step(const struct lstm *l, size_t i, size_t m, struct acts a)
{
	vf c = vf_load_as(l->candidate, i, m, ISK_F32), in = vf_load_as(l->input, i, m, ISK_F32);

	c = act(c, a.candidate);
	if (l->c_old) {
		const vf old = vf_load_as(l->c_old, i, m, ISK_F32);
		vf keep = vf_load_as(l->forget, i, m, ISK_F32);

		keep = act(peephole(keep, l->w_fc, old, i, m), a.gate);
		in = act(peephole(in, l->w_ic, old, i, m), a.gate);
		c = vf_fma(old, keep, c * in);
	} else {
		c *= act(in, a.gate);
	}
	vf_store_as(l->c, i, c, m, ISK_F32);
	in = act(peephole(vf_load_as(l->output, i, m, ISK_F32), l->w_oc, c, i, m), a.gate);
	vf_store_as(l->h, i, act(c, a.cell) * in, m, ISK_F32);
}

/* Not inlined: the steps of both cells are one text. */
static __attribute__((noinline)) int lstm(const struct lstm *l, size_t d, unsigned acts)
{
	const struct acts a = acts_of(acts);

	if (acts_are_wrong(acts))
		return ISK_ERR_POST;
#define STEP(m) step(l, i, m, a);
	ACTS_LOOP(STEP)
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
