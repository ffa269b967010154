/* SPDX-License-Identifier: MIT */
/*
 * Sums and extremes of integers. A template: reduce_int.c includes it for each type.
 *
 *     T      the type: the end of its names
 *     LANES  vi or vl: a vector of such integers
 */
#define N(name) ISK_PASTE2(name##_, T)

typedef ISK_PASTE2(ISK_C_, T) N(number);

#define COUNT (sizeof(LANES) / sizeof(N(number)))

/* A vector of the first n numbers; the other lanes are 0. */
ISK_INLINE LANES N(load)(const N(number) *x, size_t n)
{
	return (LANES)vi_load_bytes(x, n * sizeof(*x));
}

ISK_INLINE void N(xor_round)(LANES sum[CHAINS], const N(number) *x)
{
#pragma GCC unroll 4
	for (size_t c = 0; c < CHAINS; c++)
		sum[c] ^= N(load)(x + c * COUNT, COUNT);
}

/* Lanes that are not loaded are 0 and change nothing. */
ISK_INLINE N(number) N(xor_of_array)(const N(number) *x, size_t n)
{
	const size_t last_ahead = isk_last_ahead(n, CHAINS * COUNT, sizeof(*x), isk_is_split(x));
	LANES sum[CHAINS] = {{0}};
	N(number) all = 0;
	size_t i = 0;

	for (; n - i > last_ahead; i += CHAINS * COUNT) {
		isk_prefetch_ahead(x + i, sizeof(sum));
		N(xor_round)(sum, x + i);
	}
	for (; n - i >= CHAINS * COUNT; i += CHAINS * COUNT)
		N(xor_round)(sum, x + i);
	for (; i < n; i += COUNT)
		sum[0] ^= N(load)(x + i, n - i);
	sum[0] ^= sum[1] ^ sum[2] ^ sum[3];
	for (size_t l = 0; l < COUNT; l++)
		all ^= sum[0][l];
	return all;
}

ISK_INLINE N(number) N(xor_of_strided)(const N(number) *x, size_t n, size_t incx)
{
	N(number) all = 0;

	for (size_t i = 0; i < n; i++)
		all ^= x[i * incx];
	return all;
}

/* Takes four vectors of columns at a time, so that whole cache lines are read. */
ISK_INLINE void N(xor_of_columns)(N(number) *y, const N(number) *x, size_t rows, size_t cols, size_t ldx)
{
	for (size_t i = 0; i < cols; i += 4 * COUNT) {
		LANES sum[4] = {{0}};

		for (size_t r = 0; r < rows; r++)
			for (size_t v = 0; v < 4 && i + v * COUNT < cols; v++)
				sum[v] ^= N(load)(x + r * ldx + i + v * COUNT, cols - i - v * COUNT);
		for (size_t v = 0; v < 4 && i + v * COUNT < cols; v++)
			vi_store_bytes(y + i + v * COUNT, (vi)sum[v], (cols - i - v * COUNT) * sizeof(*x));
	}
}

ISK_INLINE LANES N(greater)(LANES a, LANES b)
{
	return ((a > b) & a) | (~(a > b) & b);
}

ISK_INLINE void N(greatest_round)(LANES most[CHAINS], const N(number) *x, const N(number) turn)
{
#pragma GCC unroll 4
	for (size_t c = 0; c < CHAINS; c++)
		most[c] = N(greater)(N(load)(x + c * COUNT, COUNT) ^ turn, most[c]);
}

/*
 * Extremes are those of x ^ turn: the greatest x if turn is 0, and the least x if it is ~0, which turns the order. So one
 * function serves both. In each lane, the greatest of n elements, COUNT or more, which `after` others follow. The last
 * vector ends with the last element and may overlap others.
 */
static __attribute__((noinline)) LANES N(greatest_by_lanes)(const N(number) *x, size_t n, size_t after,
                                                            const N(number) turn)
{
	const size_t last_ahead = isk_last_ahead(n + after, CHAINS * COUNT, sizeof(*x), isk_is_split(x));
	LANES most[CHAINS];
	size_t i = 0;

#pragma GCC unroll 4
	for (size_t c = 0; c < CHAINS; c++)
		most[c] = N(load)(x, COUNT) ^ turn;
	for (; n - i >= CHAINS * COUNT && n - i + after > last_ahead; i += CHAINS * COUNT) {
		isk_prefetch_ahead(x + i, sizeof(most));
		N(greatest_round)(most, x + i, turn);
	}
	for (; n - i >= CHAINS * COUNT; i += CHAINS * COUNT)
		N(greatest_round)(most, x + i, turn);
	for (; i < n; i += COUNT)
		most[0] = N(greater)(N(load)(x + (n - i < COUNT ? n - COUNT : i), COUNT) ^ turn, most[0]);
	/* Written out, because compilers keep an array in memory for a loop. */
	return N(greater)(N(greater)(most[0], most[1]), N(greater)(most[2], most[3]));
}

/* The greatest of `most` and n elements. */
ISK_INLINE N(number) N(greatest)(const N(number) *x, size_t n, N(number) most, const N(number) turn)
{
	if (n >= COUNT) {
		const LANES lanes = N(greatest_by_lanes)(x, n, 0, turn);

		for (size_t l = 0; l < COUNT; l++)
			most = lanes[l] > most ? lanes[l] : most;
		return most;
	}
	for (size_t i = 0; i < n; i++)
		most = (N(number))(x[i] ^ turn) > most ? (N(number))(x[i] ^ turn) : most;
	return most;
}

/* Whether a comparison holds in any lane. */
ISK_INLINE int N(any)(LANES holds)
{
	return vm_any(vm_not(vi_eq((vi)holds, (vi){0})));
}

/* The position of the first extreme: of blocks with a greater one than before it, the last one is searched. */
static __attribute__((noinline, unused)) size_t N(position)(const N(number) *x, size_t n, const N(number) turn)
{
	N(number) most = n ? x[0] ^ turn : 0;
	size_t at = 0;

	if (n < COUNT)
		most = N(greatest)(x, n, most, turn);
	/* A last block of less than a vector begins earlier: what it has in common with the block before is not greater. */
	for (size_t i = 0; i < n && n >= COUNT; i += SEARCHED * COUNT) {
		const size_t from = n - i < COUNT ? n - COUNT : i;
		const size_t count = n - from < SEARCHED * COUNT ? n - from : SEARCHED * COUNT;
		const LANES lanes = N(greatest_by_lanes)(x + from, count, n - from - count, turn);

		if (N(any)((LANES)(lanes > most))) {
			for (size_t l = 0; l < COUNT; l++)
				most = lanes[l] > most ? lanes[l] : most;
			at = from;
		}
	}
	while (n - at >= COUNT && !N(any)((LANES)(N(load)(x + at, COUNT) == (N(number))(most ^ turn))))
		at += COUNT;
	while (at < n && x[at] != (N(number))(most ^ turn))
		at++;
	return at;
}

#undef N
#undef COUNT
#undef T
#undef LANES
