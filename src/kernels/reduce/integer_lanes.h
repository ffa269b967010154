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

/* Lanes that are not loaded are 0 and change nothing. */
ISK_INLINE N(number) N(xor_of_array)(const N(number) *x, size_t n)
{
	LANES sum[CHAINS] = {{0}};
	N(number) all = 0;
	size_t i = 0;

	for (; n - i >= CHAINS * COUNT; i += CHAINS * COUNT)
#pragma GCC unroll 4
		for (size_t c = 0; c < CHAINS; c++)
			sum[c] ^= N(load)(x + i + c * COUNT, COUNT);
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

/* In each lane, x if it is greater than most (less, if is_max is 0), else most. */
ISK_INLINE LANES N(better)(LANES x, LANES most, const int is_max)
{
	return is_max ? ((x > most) & x) | (~(x > most) & most) : ((x < most) & x) | (~(x < most) & most);
}

/* If n fills a vector, the last vector ends with the last element and may overlap the vector before. */
ISK_INLINE N(number) N(extreme)(const N(number) *x, size_t n, N(number) all, const int is_max)
{
	if (n >= COUNT) {
		LANES most[CHAINS];
		size_t i = 0;

#pragma GCC unroll 4
		for (size_t c = 0; c < CHAINS; c++)
			most[c] = N(load)(x, COUNT);
		for (; n - i >= CHAINS * COUNT; i += CHAINS * COUNT)
#pragma GCC unroll 4
			for (size_t c = 0; c < CHAINS; c++)
				most[c] = N(better)(N(load)(x + i + c * COUNT, COUNT), most[c], is_max);
		for (; i < n; i += COUNT)
			most[0] = N(better)(N(load)(x + (n - i < COUNT ? n - COUNT : i), COUNT), most[0], is_max);
		for (size_t c = 1; c < CHAINS; c++)
			most[0] = N(better)(most[c], most[0], is_max);
		for (size_t l = 0; l < COUNT; l++)
			all = (is_max ? most[0][l] > all : most[0][l] < all) ? most[0][l] : all;
		return all;
	}
	for (size_t i = 0; i < n; i++)
		all = (is_max ? x[i] > all : x[i] < all) ? x[i] : all;
	return all;
}

/* The position of the first extreme: of blocks with a better one than before it, the last one is searched. */
ISK_INLINE size_t N(position)(const N(number) *x, size_t n, const int is_max)
{
	N(number) best = n ? x[0] : 0;
	size_t at = 0;

	for (size_t i = 0; i < n; i += SEARCHED) {
		const N(number) value = N(extreme)(x + i, n - i < SEARCHED ? n - i : SEARCHED, best, is_max);

		if (value != best)
			at = i;
		best = value;
	}
	while (at < n && x[at] != best)
		at++;
	return at;
}

#undef N
#undef COUNT
#undef T
#undef LANES
