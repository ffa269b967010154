/* SPDX-License-Identifier: MIT */
/*
 * A step of Adam. A template for lanes of f32 and of f64:
 *
 *     LANES  vf or vd: the vectors in which it computes, and the end of its names
 *     TYPE   the type of weights and state
 */
#define N(name) ISK_PASTE2(name##_, LANES)
#define W(word) ISK_PASTE2(LANES, _##word)
#define COUNT   (sizeof(LANES) / sizeof(N(lane)))

typedef __typeof((LANES){0}[0]) N(lane);

struct N(adam) {
	N(lane) rate, beta1, beta2, epsilon, decay, m_scale, v_scale;
};

/* A step of count elements from element i on. w is NULL if there are no narrow weights. */
ISK_INLINE void N(step)(void *w, void *p, void *m, void *v, void *most, const void *g, size_t i, size_t count,
                        const struct N(adam) *a, const int decoupled, const enum isk_type type)
{
	LANES x = W(load_as)(p, i, count, TYPE), d = W(load_as)(g, i, count, type), first, second;

	if (a->decay != 0 && decoupled)
		x -= a->rate * a->decay * x;
	else if (a->decay != 0)
		d += a->decay * x;
	first = a->beta1 * W(load_as)(m, i, count, TYPE) + (1 - a->beta1) * d;
	second = a->beta2 * W(load_as)(v, i, count, TYPE) + (1 - a->beta2) * (d * d);
	W(store_as)(m, i, first, count, TYPE);
	W(store_as)(v, i, second, count, TYPE);
	if (most) {
		second = W(max)(W(load_as)(most, i, count, TYPE), second);
		W(store_as)(most, i, second, count, TYPE);
	}
	x -= a->rate * a->m_scale * first / (W(sqrt)(second * a->v_scale) + a->epsilon);
	W(store_as)(p, i, x, count, TYPE);
	if (w)
		W(store_as)(w, i, x, count, type);
}

ISK_INLINE void N(adam)(void *w, void *p, void *m, void *v, void *most, const void *g, size_t n, struct N(adam) a,
                        const int decoupled, const enum isk_type type)
{
	size_t i = 0;

	for (; n - i >= COUNT; i += COUNT)
		N(step)(w, p, m, v, most, g, i, COUNT, &a, decoupled, type);
	if (i < n)
		N(step)(w, p, m, v, most, g, i, n - i, &a, decoupled, type);
}

#undef N
#undef W
#undef COUNT
#undef LANES
#undef TYPE
