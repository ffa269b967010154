/* SPDX-License-Identifier: MIT */
/*
 * A step of gradient descent. A template for lanes of f32 and of f64:
 *
 *     LANES  vf or vd: the vectors in which it computes, and the end of its names
 *     TYPE   the type of weights and state
 */
#define N(name) ISK_PASTE2(name##_, LANES)
#define W(word) ISK_PASTE2(LANES, _##word)
#define COUNT   (sizeof(LANES) / sizeof(N(lane)))

typedef __typeof((LANES){0}[0]) N(lane);

struct N(sgd) {
	N(lane) rate, decay, momentum, dampening;
	int nesterov;
};

/* A step of m elements from element i on. w is NULL if there are no narrow weights. */
ISK_INLINE void N(step)(void *w, void *p, void *velocity, const void *g, size_t i, size_t m, struct N(sgd) s,
                        const enum isk_type type)
{
	LANES x = W(load_as)(p, i, m, TYPE), d = W(load_as)(g, i, m, type);

	if (s.decay != 0)
		d += s.decay * x;
	if (velocity) {
		const LANES old = W(load_as)(velocity, i, m, TYPE), v = s.momentum * old + (1 - s.dampening) * d;

		W(store_as)(velocity, i, v, m, TYPE);
		d = s.nesterov ? d + s.momentum * v : v;
	}
	x -= s.rate * d;
	W(store_as)(p, i, x, m, TYPE);
	if (w)
		W(store_as)(w, i, x, m, type);
}

ISK_INLINE void N(sgd)(void *w, void *p, void *velocity, const void *g, size_t n, struct N(sgd) s,
                       const enum isk_type type)
{
	size_t i = 0;

	for (; n - i >= COUNT; i += COUNT)
		N(step)(w, p, velocity, g, i, COUNT, s, type);
	if (i < n)
		N(step)(w, p, velocity, g, i, n - i, s, type);
}

#undef N
#undef W
#undef COUNT
#undef LANES
#undef TYPE
