/* SPDX-License-Identifier: MIT */
/*
 * A reduction of each column. A template, for lanes of f32 and of f64: columns.h includes it
 * for both. A column is one lane. The rows of a block, ROUNDS of them, are added in order, and
 * the blocks like the carries of a counter, as in sum_tree.h, so that the order depends on
 * the number of rows alone. A reduction with a centre has one for each column.
 *
 *     TREE   vf or vd: the vectors in which it computes, and the end of its names
 */
#define N(name) ISK_PASTE2(name##_, TREE)
#define W(word) ISK_PASTE2(TREE, _##word)

typedef __typeof((TREE){0}[0]) N(lane);

ISK_INLINE TREE N(column_join)(TREE a, TREE b, const enum column column)
{
	switch (column) {
	case LEAST_OF:
		return W(minimum)(a, b);
	case MOST_OF:
	case FARTHEST_OF:
		return W(maximum)(a, b);
	case PRODUCT_OF:
		return a * b;
	default:
		return a + b;
	}
}

ISK_INLINE TREE N(column_start)(const enum column column)
{
	const N(lane) infinite = (N(lane))__builtin_inf();

	return W(set1)(column == LEAST_OF ? infinite : column == MOST_OF ? -infinite : column == PRODUCT_OF ? 1 : 0);
}

ISK_INLINE TREE N(column_step)(TREE s, TREE e, TREE centre, const enum column column)
{
	switch (column) {
	case SQUARES_OF:
		return W(fma)(e, e, s);
	case SIZES_OF:
	case FARTHEST_OF:
		return N(column_join)(s, W(abs)(e), column);
	case DEVIATIONS_OF:
		return W(fma)(e - centre, e - centre, s);
	case SCALED_OF:
		return W(fma)(e * centre, e * centre, s);
	case POWERS_OF:
		return s + W(power)(e - centre);
	default:
		return N(column_join)(s, e, column);
	}
}

#define LANES (sizeof(TREE) / sizeof(N(lane)))

/* The centre of accumulator v: 0 if the reduction has no centres. */
ISK_INLINE TREE N(centre_at)(const TREE *centre, size_t v, const enum column column)
{
	return column >= DEVIATIONS_OF ? centre[v] : W(set1)(0);
}

/* Adds n columns of the rows, one row after another, to the accumulator s. */
ISK_INLINE TREE N(add_to_one)(TREE s, const char *x, size_t step, size_t rows, size_t n, TREE centre, const int unrolled,
                              const enum column column, const enum isk_type type)
{
	for (; unrolled && rows >= AT_ONCE; rows -= AT_ONCE, x += AT_ONCE * step)
#pragma GCC unroll 8
		for (size_t r = 0; r < AT_ONCE; r++)
			s = N(column_step)(s, W(load_as)(x + r * step, 0, n, type), centre, column);
	for (; rows; rows--, x += step)
		s = N(column_step)(s, W(load_as)(x, 0, n, type), centre, column);
	return s;
}

/* Reductions that have loops of their own for large matrices. */
ISK_INLINE int N(is_frequent)(const enum column column)
{
	return column == SUM_OF || column == LEAST_OF || column == MOST_OF || column == PRODUCT_OF;
}

/*
 * Adds 1 or AT_ONCE rows to accumulators, one after another, each of which covers the next vector of a row, except the last one.
 * Its loop has nothing else, because the fewer instructions a cache line takes, the more lines the CPU waits for at a time.
 */
ISK_INLINE void N(add_at_once)(TREE *s, const char *x, size_t step, const size_t rows, size_t sums, size_t last,
                               const enum column column, const enum isk_type type)
{
	const char *const half = x + AT_ONCE / 2 * step;
	const size_t end = (sums - 1) * sizeof(TREE);

	for (size_t at = 0;; at += sizeof(TREE)) {
		const size_t from = at == end ? last : at;
		TREE t = *(TREE *)((char *)s + at);

#pragma GCC unroll 8
		for (size_t r = 0; r < rows; r++)
			t = N(column_step)(t, W(load_as)((r < AT_ONCE / 2 ? x : half) + from + r % (AT_ONCE / 2) * step, 0, LANES, type),
			                   W(set1)(0), column);
		*(TREE *)((char *)s + at) = t;
		if (at == end)
			return;
	}
}

/* For LANES / 2 columns, loads half a vector, because a full one could cross a cache line that the row does not. */
ISK_INLINE TREE N(load_columns)(const char *x, size_t n, const enum isk_type type)
{
	if (__builtin_constant_p(n) && n == LANES / 2)
		return (TREE)vf_from_lower(*(const vf_half *)x);
	return W(load_as)(x, 0, n, type);
}

/*
 * The same for 4 or 8 accumulators: accumulators i and 4 + i take the elements at x + i * apart and second + i * apart, the
 * last one those at `last`.
 */
ISK_INLINE void N(add_to_some)(TREE *s, const size_t sums, const char *x, const char *second, const char *last, size_t step,
                               size_t rows, size_t apart, size_t n, int is_first, const TREE *centre,
                               const enum column column, const enum isk_type type)
{
	TREE some[8];

#pragma GCC unroll 8
	for (size_t u = 0; u < sums; u++)
		some[u] = is_first ? N(column_start)(column) : s[u];
	for (; rows; rows--, x += step, second += step, last += step)
#pragma GCC unroll 8
		for (size_t u = 0; u < sums; u++)
			some[u] = N(column_step)(
				some[u], N(load_columns)(u + 1 == sums ? last : (u < 4 ? x : second) + u % 4 * apart, n, type),
				N(centre_at)(centre, u, column), column);
#pragma GCC unroll 8
	for (size_t u = 0; u < sums; u++)
		s[u] = some[u];
}

typedef N(lane) N(half) __attribute__((vector_size(sizeof(TREE) / 2), aligned(1), may_alias));

/*
 * The same for 8 accumulators that start empty, of sums of LANES / 2 columns, by additions of half vectors, two of which take
 * as long as one of 64 bytes (Zen 4).
 */
ISK_INLINE void N(add_halves)(TREE *s, const char *x, const char *second, const char *last, size_t step, size_t rows,
                              size_t apart)
{
	N(half) some[8] = {{0}};

	for (; rows; rows--, x += step, second += step, last += step)
#pragma GCC unroll 8
		for (size_t u = 0; u < 8; u++)
			some[u] += *(const N(half) *)(u == 7 ? last : (u < 4 ? x : second) + u % 4 * apart);
#pragma GCC unroll 8
	for (size_t u = 0; u < 8; u++)
		s[u] = (TREE)vf_from_lower((vf_half)some[u]);
}

/* The number of accumulators at a time: 8 if a step needs no register besides them, else 4. */
ISK_INLINE size_t N(sums_at_once)(const enum column column)
{
	return column == SUM_OF || column == SQUARES_OF ? 8 : 4;
}

/*
 * Adds rows (`step` bytes apart) to accumulators. Accumulator i covers the elements at byte i * apart of a row, the last
 * one those at byte `last`, which may overlap. If there are 8, the fifth begins at byte `second`, which may be in another
 * block. n is less than LANES only in matrices of less
 * than a vector of columns, where the accumulators are those of several blocks. Up to AT_ONCE rows are added to one
 * accumulator after another, more rows to 4 or 8 accumulators at a time.
 */
ISK_INLINE void N(add_rows)(TREE *s, const char *x, size_t step, size_t rows, size_t sums, size_t apart, size_t second,
                            size_t last, size_t n, enum start how, const TREE *centre, const enum column column, const enum isk_type type)
{
	const int is_first = how == EMPTY;
	const int is_short = column != POWERS_OF, is_masked = isk_element_bytes(type) > 2;
	const int is_plain = isk_element_bytes(type) == sizeof(N(lane));
	size_t now, reached;

	if (N(is_frequent)(column) && is_plain && VL > 4 && how == STREAMED) {
		for (; rows; rows--, x += step)
			N(add_at_once)(s, x, step, 1, sums, last, column, type);
		return;
	}
	if (N(is_frequent)(column) && is_plain && how == CONTINUED && rows == AT_ONCE) {
		N(add_at_once)(s, x, step, AT_ONCE, sums, last, column, type);
		return;
	}
	for (; sums; sums -= now, s += now, x += reached, last -= reached) {
		const int beside = is_short && rows > AT_ONCE && (n == LANES || is_masked);
		const char *end;

		now = !beside || sums < 4 ? 1 : sums < N(sums_at_once)(column) ? 4 : N(sums_at_once)(column);
		reached = now < 4 ? apart : now == 4 ? second : second + 4 * apart;
		end = x + (now == sums ? last : now == 8 ? second + 3 * apart : (now - 1) * apart);
		if (now == 8 && n == LANES)
			N(add_to_some)(s, 8, x, x + second, end, step, rows, apart, LANES, is_first, centre, column, type);
		else if (now == 8 && n == LANES / 2 && column == SUM_OF && sizeof(TREE) == 64 && is_first && is_plain)
			N(add_halves)(s, x, x + second, end, step, rows, apart);
		else if (now == 8 && n == LANES / 2 && is_masked)
			N(add_to_some)(s, 8, x, x + second, end, step, rows, apart, LANES / 2, is_first, centre, column, type);
		else if (now == 8)
			N(add_to_some)(s, 8, x, x + second, end, step, rows, apart, n, is_first, centre, column, type);
		else if (now == 4 && n == LANES)
			N(add_to_some)(s, 4, x, x, end, step, rows, apart, LANES, is_first, centre, column, type);
		else if (now == 4)
			N(add_to_some)(s, 4, x, x, end, step, rows, apart, n, is_first, centre, column, type);
		else if (n == LANES)
			*s = N(add_to_one)(is_first ? N(column_start)(column) : *s, end, step, rows, LANES,
			                   N(centre_at)(centre, 0, column), is_short, column, type);
		else
			*s = N(add_to_one)(is_first ? N(column_start)(column) : *s, end, step, rows, n,
			                   N(centre_at)(centre, 0, column), 0, column, type);
		centre += column >= DEVIATIONS_OF ? now : 0;
	}
}

typedef void N(adder)(TREE *s, const char *x, size_t step, size_t rows, size_t sums, size_t apart, size_t second,
                      size_t last, size_t n, enum start how, const TREE *centre);

/*
 * Adds the sums of block b, which are the last ones in the room, at s, to all pending sums that they complete, and after
 * the last block to all pending sums. Returns the place of the next sums.
 */
ISK_INLINE TREE *N(carry)(TREE *room, TREE *s, size_t vectors, size_t b, int is_last, const enum column column)
{
	for (; is_last ? s != room : b & 1; b >>= 1, s -= vectors)
		for (size_t v = 0; v < vectors; v++)
			s[v - vectors] = N(column_join)(s[v - vectors], s[v], column);
	return s + vectors;
}

ISK_INLINE size_t N(blocks)(size_t rows)
{
	return rows ? (rows + ROUNDS - 1) / ROUNDS : 1;
}

/*
 * The number of columns of the next panel: all remaining ones if a room of `most` bytes holds their sums (but two or three
 * vectors go one at a time), else an even share of them, whose sums take at most ROOM. A row of more than LONG_ROW bytes is
 * shared even if the room holds its sums, because the first-level cache would not.
 */
ISK_INLINE size_t N(columns_now)(size_t rows, size_t cols, size_t most)
{
	const size_t levels = 64 - (size_t)__builtin_clzll(N(blocks)(rows)), room = ROOM / sizeof(TREE);
	const size_t vectors = (cols + LANES - 1) / LANES;
	size_t shares;

	if (vectors <= room / 64 || vectors * levels <= room ||
	    (vectors * sizeof(TREE) <= LONG_ROW && vectors * levels <= most / sizeof(TREE)))
		return vectors >= 4 || cols < LANES ? cols : LANES;
	shares = (vectors + room / levels - 1) / (room / levels);
	return (vectors + shares - 1) / shares * LANES;
}

/* A panel of at most one vector: takes up to BESIDE blocks at a time while there are whole ones. */
ISK_INLINE void N(few_columns)(TREE *room, const char *x, size_t rows, size_t step, size_t cols, N(adder) *add,
                               const TREE *centre, const enum column column)
{
	const size_t blocks = N(blocks)(rows), apart = ROUNDS * step;
	TREE *to = room, beside[BESIDE], centres[BESIDE];

	for (size_t v = 0; v < BESIDE; v++)
		centres[v] = centre ? *centre : W(set1)(0);
	for (size_t b = 0, now; b < blocks; b += now) {
		const size_t r = rows < ROUNDS ? rows : ROUNDS;

		now = rows < ROUNDS ? 1 : rows < BESIDE * ROUNDS ? rows / ROUNDS : BESIDE;
		add(beside, x, step, r, now, apart, 4 * apart, (now - 1) * apart, cols, EMPTY, centres);
		x += now * r * step;
		rows -= now * r;
		if (now == BESIDE) {
			/* The order of the carries of a counter: pairs, pairs of pairs and so on. */
#pragma GCC unroll 3
			for (size_t half = BESIDE / 2; half; half /= 2)
#pragma GCC unroll 4
				for (size_t v = 0; v < half; v++)
					beside[v] = N(column_join)(beside[2 * v], beside[2 * v + 1], column);
			*to = beside[0];
			to = N(carry)(room, to, 1, b / BESIDE, b + now == blocks, column);
		} else {
			for (size_t v = 0; v < now; v++) {
				*to = beside[v];
				to = N(carry)(room, to, 1, b + v, b + v + 1 == blocks, column);
			}
		}
	}
}

/*
 * Takes two blocks of four vectors at a time, while there are two whole ones, so that as many chains of additions as there
 * are registers for hide their latency. Returns their number; *s becomes the place of the next sums.
 */
ISK_INLINE size_t N(pairs_of_blocks)(TREE *room, TREE **s, const char *x, size_t rows, size_t step, size_t bytes,
                                     N(adder) *add, const enum column column)
{
	const size_t apart = LANES * bytes, second = ROUNDS * step, pair = 2 * ROUNDS;
	size_t done = 0;

	for (; rows - done * ROUNDS >= pair; done += 2) {
		add(*s, x + done * second, step, ROUNDS, 8, apart, second, second + 3 * apart, LANES, EMPTY, NULL);
		for (size_t v = 0; v < 4; v++)
			(*s)[v] = N(column_join)((*s)[v], (*s)[v + 4], column);
		*s = N(carry)(room, *s, 4, done / 2, (done + 2) * ROUNDS == rows, column);
	}
	return done;
}

/*
 * Whether the rows of a panel, of `row` bytes, are added one at a time. A single stream is read the fastest, but each row loads
 * and stores all accumulators: it pays if rows follow each other and the accumulators stay in the first-level cache.
 */
ISK_INLINE int N(streams)(size_t rows, size_t row, size_t step, size_t bytes, const enum column column)
{
	return VL > 4 && N(is_frequent)(column) && bytes == sizeof(N(lane)) && row == step && row >= SHORT_ROW &&
	       row <= LONG_ROW && rows * row >= FAR;
}

/*
 * Reduces the next columns; the results begin the room. Large matrices are read in the order of memory, AT_ONCE rows of
 * all columns at a time, because stripes of a few cache lines leave each page before the CPU prefetches: they are read
 * at a third of the rate.
 */
static __attribute__((noinline, unused)) void N(panel)(TREE *room, const char *x, size_t rows, size_t step,
                                                       size_t cols, size_t bytes, N(adder) *add, const TREE *centre,
                                                       const enum column column)
{
	const size_t vectors = (cols + LANES - 1) / LANES, blocks = N(blocks)(rows);
	const enum start how = rows * cols * bytes < LARGE ? EMPTY
	                      : N(streams)(rows, cols * bytes, step, bytes, column) ? STREAMED : CONTINUED;
	const size_t most = how == CONTINUED ? AT_ONCE : ROUNDS;
	TREE *s = room;
	size_t done = 0;

	if (vectors == 1) {
		N(few_columns)(room, x, rows, step, cols, add, centre, column);
		return;
	}
	if (vectors == 4 && cols == 4 * LANES && !centre && how == EMPTY) {
		done = N(pairs_of_blocks)(room, &s, x, rows, step, bytes, add, column);
		x += done * ROUNDS * step;
		rows -= done * ROUNDS;
	}
	for (size_t b = done; b < blocks; b++) {
		size_t r = rows < ROUNDS ? rows : ROUNDS, now;

		rows -= r;
		for (size_t v = 0; how != EMPTY && v < vectors; v++)
			s[v] = N(column_start)(column);
		do {
			now = r < most ? r : most;
			add(s, x, step, now, vectors, LANES * bytes, 4 * LANES * bytes, (cols - LANES) * bytes, LANES, how, centre);
			r -= now;
			x += now * step;
		} while (r);
		s = N(carry)(room, s, vectors, b, b + 1 == blocks, column);
	}
}

/* Stores the vectors from s on as cols columns. The last vector may overlap the one before it. */
ISK_INLINE void N(put_columns)(void *y, const TREE *s, size_t cols, const enum isk_type type)
{
	for (size_t c = 0; c < cols; c += LANES, s++)
		if (cols < LANES)
			W(store_as)(y, 0, *s, cols, type);
		else
			W(store_as)(y, cols - c < LANES ? cols - LANES : c, *s, LANES, type);
}

/* Writes the reduction of each column, divided by divisor, to y. */
ISK_INLINE void N(columns)(char *y, const char *x, size_t rows, size_t cols, size_t ldx, N(lane) divisor,
                           N(adder) *add, const enum column column, const enum isk_type type)
{
	const size_t bytes = isk_element_bytes(type);
	TREE room[WHOLE_ROOM / sizeof(TREE)];
	size_t now;

	for (; cols; cols -= now, x += now * bytes, y += now * bytes) {
		now = N(columns_now)(rows, cols, sizeof(room));
		N(panel)(room, x, rows, ldx * bytes, now, bytes, add, NULL, column);
		for (size_t v = 0; divisor != 1 && v * LANES < now; v++)
			room[v] /= divisor;
		N(put_columns)(y, room, now, type);
	}
}

/* Writes the mean of each column, and the sum of squared distances from it over divisor: x has `type`, the results `to`. */
ISK_INLINE void N(moments_of_columns)(char *mean, char *variance, const char *x, size_t rows, size_t cols, size_t ldx,
                                      N(lane) divisor, N(adder) *sum, N(adder) *squares, const enum isk_type type,
                                      const enum isk_type to)
{
	const size_t bytes = isk_element_bytes(type), wide = isk_element_bytes(to);
	TREE room[ROOM / sizeof(TREE)], means[ROOM / sizeof(TREE)];
	size_t now;

	for (; cols; cols -= now, x += now * bytes, mean += now * wide, variance += now * wide) {
		now = N(columns_now)(rows, cols, sizeof(room));
		N(panel)(means, x, rows, ldx * bytes, now, bytes, sum, NULL, SUM_OF);
		for (size_t v = 0; v * LANES < now; v++)
			means[v] /= (N(lane))rows;
		N(panel)(room, x, rows, ldx * bytes, now, bytes, squares, means, DEVIATIONS_OF);
		for (size_t v = 0; v * LANES < now; v++)
			room[v] /= divisor;
		N(put_columns)(mean, means, now, to);
		N(put_columns)(variance, room, now, to);
	}
}

/*
 * Writes the second reduction of each column, which takes its centre, to y: centre_of() makes the centre of the first
 * reduction, and finished() the result of the second one.
 */
ISK_INLINE void N(centred_columns)(char *y, const char *x, size_t rows, size_t cols, size_t ldx, N(adder) *add_first,
                                   N(adder) *add_second, TREE centre_of(TREE first), TREE finished(TREE second, TREE centre),
                                   const enum column first, const enum column second, const enum isk_type type)
{
	const size_t bytes = isk_element_bytes(type);
	TREE centres[ROOM / sizeof(TREE)], room[ROOM / sizeof(TREE)];
	size_t now;

	for (; cols; cols -= now, x += now * bytes, y += now * bytes) {
		now = N(columns_now)(rows, cols, sizeof(room));
		N(panel)(centres, x, rows, ldx * bytes, now, bytes, add_first, NULL, first);
		for (size_t v = 0; v * LANES < now; v++)
			centres[v] = centre_of(centres[v]);
		N(panel)(room, x, rows, ldx * bytes, now, bytes, add_second, centres, second);
		for (size_t v = 0; v * LANES < now; v++)
			room[v] = finished(room[v], centres[v]);
		N(put_columns)(y, room, now, type);
	}
}

#undef N
#undef W
#undef LANES
#undef TREE
