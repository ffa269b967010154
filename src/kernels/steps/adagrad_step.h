/* SPDX-License-Identifier: MIT */
/*
 * A step of Adagrad. A template for lanes of f32 and of f64:
 *
 *     LANES  vf or vd: the vectors in which it computes, and the end of its names
 *     TYPE   the type of weights and state
 */
#define N(name) ISK_PASTE2(name##_, LANES)
#define W(word) ISK_PASTE2(LANES, _##word)
#define COUNT   (sizeof(LANES) / sizeof(N(lane)))

typedef __typeof((LANES){0}[0]) N(lane);

struct N(adagrad) {
	N(lane) rate, decay, epsilon;
};

/* A step of m elements from element i on. w is NULL if there are no narrow weights. */
ISK_INLINE void N(step)(void *w, void *p, void *sum, const void *g, size_t i, size_t m, struct N(adagrad) a,
                        const enum isk_type type)
{
	LANES x = W(load_as)(p, i, m, TYPE), d = W(load_as)(g, i, m, type), s;

	if (a.decay != 0)
		d += a.decay * x;
	s = W(load_as)(sum, i, m, TYPE) + d * d;
	W(store_as)(sum, i, s, m, TYPE);
	x -= a.rate * d / (W(sqrt)(s) + a.epsilon);
	W(store_as)(p, i, x, m, TYPE);
	if (w)
		W(store_as)(w, i, x, m, type);
}

ISK_INLINE void N(adagrad)(void *w, void *p, void *sum, const void *g, size_t n, struct N(adagrad) a,
                           const enum isk_type type)
{
	size_t i = 0;

	for (; n - i >= COUNT; i += COUNT)
		N(step)(w, p, sum, g, i, COUNT, a, type);
	if (i < n)
		N(step)(w, p, sum, g, i, n - i, a, type);
}

#undef N
#undef W
#undef COUNT
#undef LANES
#undef TYPE
