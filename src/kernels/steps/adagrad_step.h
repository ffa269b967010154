/* SPDX-License-Identifier: MIT */
/*
 * A step of Adagrad. A template for lanes of f32 and of f64:
 *
 *     LANES  vf or vd: the vectors it computes in, and the end of its names
 *     TYPE   of weights and state
 */
#define N(name) ISK_PASTE2(name##_, LANES)
#define W(word) ISK_PASTE2(LANES, _##word)
#define COUNT   (sizeof(LANES) / sizeof(N(lane)))

typedef __typeof((LANES){0}[0]) N(lane);

ISK_INLINE void N(step)(void *p, void *sum, const void *g, size_t i, size_t m, N(lane) rate, N(lane) decay,
                        N(lane) epsilon)
{
	const LANES x = W(load_as)(p, i, m, TYPE);
	LANES d = W(load_as)(g, i, m, TYPE), s;

	if (decay != 0)
		d += decay * x;
	s = W(load_as)(sum, i, m, TYPE) + d * d;
	W(store_as)(sum, i, s, m, TYPE);
	W(store_as)(p, i, x - rate * d / (W(sqrt)(s) + epsilon), m, TYPE);
}

ISK_INLINE void N(adagrad)(void *p, void *sum, const void *g, size_t n, N(lane) rate, N(lane) decay, N(lane) epsilon)
{
	size_t i = 0;

	for (; n - i >= COUNT; i += COUNT)
		N(step)(p, sum, g, i, COUNT, rate, decay, epsilon);
	if (i < n)
		N(step)(p, sum, g, i, n - i, rate, decay, epsilon);
}

#undef N
#undef W
#undef COUNT
#undef LANES
#undef TYPE
