/* SPDX-License-Identifier: MIT */
/*
 * The units of LSTMs. A template for lanes of f32 and of f64:
 *
 *     LANES  vf or vd: the vectors in which it computes, and the end of its names
 *     TYPE   the type of elements
 */
#define N(name) ISK_PASTE2(name##_, LANES)
#define W(word) ISK_PASTE2(LANES, _##word)
#define COUNT   (sizeof(LANES) / sizeof((LANES){0}[0]))

ISK_INLINE LANES N(gate)(LANES x, struct acts a, const int common)
{
	return common ? W(sigmoid)(x) : N(act)(x, a.gate);
}

ISK_INLINE LANES N(other)(LANES x, enum isk_cell_act kind, const int common)
{
	return common ? W(tanh)(x) : N(act)(x, kind);
}

/* x + w c, or x without weights */
ISK_INLINE LANES N(peephole)(LANES x, const void *w, LANES c, size_t i, size_t m)
{
	return w ? W(fma)(W(load_as)(w, i, m, TYPE), c, x) : x;
}

/* Computes m units from i on. */
ISK_INLINE void N(units)(const struct lstm *l, size_t i, size_t m, struct acts a, const int common)
{
	LANES c = W(load_as)(l->candidate, i, m, TYPE), in = W(load_as)(l->input, i, m, TYPE);

	c = N(other)(c, a.candidate, common);
	if (l->c_old) {
		const LANES old = W(load_as)(l->c_old, i, m, TYPE);
		LANES keep = W(load_as)(l->forget, i, m, TYPE);

		keep = N(gate)(N(peephole)(keep, l->w_fc, old, i, m), a, common);
		in = N(gate)(N(peephole)(in, l->w_ic, old, i, m), a, common);
		c = W(fma)(old, keep, c * in);
	} else {
		c *= N(gate)(in, a, common);
	}
	W(store_as)(l->c, i, c, m, TYPE);
	in = N(gate)(N(peephole)(W(load_as)(l->output, i, m, TYPE), l->w_oc, c, i, m), a, common);
	W(store_as)(l->h, i, N(other)(c, a.cell, common) * in, m, TYPE);
}

ISK_INLINE void N(all_units)(const struct lstm *l, size_t d, struct acts a, const int common)
{
	size_t i = 0;

	for (; d - i >= COUNT; i += COUNT)
		N(units)(l, i, COUNT, a, common);
	if (i < d)
		N(units)(l, i, d - i, a, common);
}

/* Not inlined, so that both kinds of cells share one copy of the code. */
static __attribute__((noinline)) int N(lstm)(const struct lstm *l, size_t d, unsigned acts)
{
	if (acts_are_wrong(acts))
		return ISK_ERR_POST;
	if (acts == COMMON)
		N(all_units)(l, d, acts_of(acts), 1);
	else
		N(all_units)(l, d, acts_of(acts), 0);
	return ISK_OK;
}

#undef N
#undef W
#undef COUNT
#undef LANES
#undef TYPE
