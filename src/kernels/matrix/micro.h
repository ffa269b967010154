/* SPDX-License-Identifier: MIT */
/*
 * The micro-kernel: lines of some panels of B by as many words of some rows of A,
 * into sums that stay in registers. A template, of constants:
 *
 *     rows, panels  of the tile
 *     kind          how a line is multiplied
 *     form          PACKED: rows of A as pack_fn leaves them
 *                   AHEAD: likewise, and what comes next is prefetched meanwhile
 *                   DIRECT: rows of A where they are, as the taps of a convolution find them
 */
#ifndef ISK_MICRO_H
#define ISK_MICRO_H

#include "multiply.h"

enum form { PACKED, AHEAD, DIRECT };

/*
 * What a tile multiplies of an image: taps of the kernel, and where the next ones
 * are. Elements are words: f32, pairs of bf16 or four u8.
 */
struct taps {
	size_t height, width, lines; /* lines: of k that are side by side in the image as in B */
	size_t tap, row;             /* words of A to the next tap, and from the last of a row of them */
	size_t skip;                 /* bytes of B there */
};

/*
 * What comes after a tile: a tile of a block brings it closer while it multiplies,
 * since nothing else hides how long memory takes: 4 % of all time at 1024 and more
 * (Zen 4), a tenth where only 64 columns use a row of A. Its lines are STRIPS times as
 * many; each strip prefetches a piece of a row of the next part of A, so that the tiles
 * of a strip bring all of it, and lines of a row of the next tile of C.
 */
#define STRIPS      16
#define LOOKS_AHEAD (8 * STRIPS) /* lines, at least */

/*
 * Words of a row of A in a part of k at most. With a tile of 6 rows 768 are 18 KiB of
 * A, which stay in the first-level cache, while lines of B pass through it whatever
 * their number: 512 to 768 are 2 to 9 % faster than 256 with 64 to 512 rows and k from
 * 512 on, and 1024 are slower where B is bf16 (Zen 3). Of 14 rows 512 are 28 KiB, and
 * 2 to 4 % faster than 256 (Zen 4).
 */
#define KC (VL == 16 ? 512 : 768)

struct ahead {
	const char *row;    /* the first of A, */
	size_t bytes, at, step; /* how long it is, bytes from there to a piece of it, and of that; */
	const char *c;      /* those of C */
	size_t lda, ldc;    /* in bytes, one row to the next */
};

struct tile {
	float *c;        /* where sums go: C, or where they wait */
	size_t ldc;
	const float *t;  /* where they waited; NULL: they begin, FOURS with factor times start, */
	size_t ldt;
	const int32_t *start;
	int32_t factor;
	int as_float;    /* FOURS: they become f32 */
	const float *a;  /* rows of A, */
	size_t lda;      /* words apart in DIRECT */
	const unsigned char *b; /* a line of the first panel, */
	size_t panel;    /* bytes to that of the next one, */
	size_t lines;    /* and how many to multiply */
	const float *scales;    /* s8: a line of those of the first panel, */
	size_t scales_panel;    /* floats to that of the next one, */
	size_t group;           /* and lines of B that have one; 0: none have */
	size_t k;               /* AMX: bytes of a row of A */
	struct ahead *ahead;
	const struct taps *taps;
	size_t rows, panels;
	size_t more; /* tiles that are like it, to its right */
};

/*
 * Bytes ahead in B that are prefetched while this line is used, into the
 * second-level cache: what is fetched into the first one waits for its few
 * buffers, and 16 rows by a B of 64 MB take a fifth more time (Zen 4). Lines of
 * FOURS are used up faster.
 */
ISK_INLINE size_t prefetch_distance(const enum operand kind)
{
	return kind == FOURS ? 8192 : 4096;
}

/*
 * Not always: up to three rows by wide tiles are through with a line so fast that
 * the CPU's own prefetching does better. With chains it does well from the
 * third-level cache, and more loads are in the way; from memory it does not, so a
 * single row asks for one line in MOST_CHAINS, which costs little and sets it going.
 */
#define MOST_CHAINS 8

ISK_INLINE int prefetches(const int rows, const int panels, const int chains, const int chain,
                          const enum operand kind)
{
	return kind == FOURS ? chains <= 2 || (chains == MOST_CHAINS && chain == 0) : panels < WIDE_PANELS || rows > 3;
}

/* For loops over registers, of at most n rounds: clang gives up where n is more than there are. */
#ifdef __clang__
#define UNROLL(n) _Pragma("clang loop unroll(full)")
#else
#define UNROLL_PRAGMA(text) _Pragma(#text)
#define UNROLL(n)           UNROLL_PRAGMA(GCC unroll n)
#endif

/* What VL columns of a line become for word number word of A; of a pair of bf16 the odd one comes first. */
ISK_INLINE vf widen_line(vi x, const int word, const enum operand kind)
{
	vf pair[2];

	switch (kind) {
	case FOURS:
		return vi_float(vi_dot_b(x, word));
	case WIDE_BF16:
		return vi_float(word ? x << 16 : x & (int32_t)0xffff0000);
	case WIDE_F16:
		vf_from_f16_pairs(x, &pair[0], &pair[1]);
		return pair[word];
	case RAISED_S8:
		return vi_to_vf(vi_raise(x, word));
	case WIDE_S8: /* a byte, its sign flipped, as the end of a mantissa, is 2^23 + 128 or 2^15 + 128 too much */
		return word == 0   ? vi_float((x & 0xff) ^ 0x4b000080) - 8388736
		       : word == 1 ? vi_float((x & 0xff00) ^ 0x47008000) - 32896
		       : word == 2 ? vi_float((x >> 16 & 0xff) ^ 0x4b000080) - 8388736
		                   : vi_to_vf(x >> 24);
	default:
		return vi_float(x);
	}
}

ISK_INLINE vf multiply_add(vf sum, vf a, vf b, const enum operand kind)
{
	return kind == FOURS ? vi_float(vi_dot(vf_bits(sum), vf_bits(a), vf_bits(b)))
	       : kind == PAIRS ? vf_dot_bf16(sum, a, b)
	                       : vf_fma_word(a, b, sum);
}

/*
 * A word of A in all lanes, by an instruction for what it is: vpdpbusd takes a third
 * longer with four bytes that one for floats has loaded (Zen 4).
 */
ISK_INLINE vf broadcast(const float *a, const enum operand kind)
{
	return kind == FOURS ? vi_float(vi_dot_word(a)) : kind == PAIRS ? vf_set1(*a) : vf_word(a);
}

/* One line of each panel. */
ISK_INLINE void multiply_line(vf acc[FLAT][WIDE_VECTORS], const float *a, size_t lda, const unsigned char *b,
                              size_t panel, const int rows, const int panels, const enum operand kind)
{
	const int vectors = panels * PANEL / VL, words = line_words(kind, VI_DOT_STEPS);

	UNROLL(4)
	for (int w = 0; w < words; w++) {
		vf bv[WIDE_VECTORS];

		UNROLL(28)
		for (int r = 0; r < rows; r++) {
			const vf y = broadcast(a + (size_t)r * lda + w, kind);

			UNROLL(16)
			for (int v = 0; v < vectors; v++) {
				const unsigned char *line = b + (size_t)(v * VL / PANEL) * panel;

				/* Among the sums of the first row: one row by wide tiles has no registers for all at once. */
				if (r == 0)
					bv[v] = widen_line(vi_load((const int32_t *)(const void *)line + v * VL % PANEL), w, kind);
				acc[r][v] = multiply_add(acc[r][v], y, bv[v], kind);
				/* Each sum is made where it stands: gcc would widen all words first, and spill sums. */
				if (words > 1 && kind == FOURS)
					acc[r][v] = vi_float(vi_here(vf_bits(acc[r][v])));
				else if (words > 1 && kind != WIDE_F16)
					acc[r][v] = vf_here(acc[r][v]);
			}
		}
	}
}

/* Lines of a tile, of which left are there, some of them added apart. */
ISK_INLINE void multiply_lines(vf acc[MOST_CHAINS][FLAT][WIDE_VECTORS], const float *a, const unsigned char *b,
                               size_t lines, size_t left, size_t panel, const int rows, const int panels,
                               const int chains, const enum operand kind)
{
	const size_t words = (size_t)line_words(kind, VI_DOT_STEPS), lda = a_stride((size_t)rows);
	const size_t distance = prefetch_distance(kind), near = distance / ISK_PACKED_LINE;
	/* From the last lines on, the next panels are what lies ahead. */
	const size_t turn = (size_t)panels * panel - left * ISK_PACKED_LINE;

	while (lines) {
		const size_t b_ahead = left > near ? distance : distance + turn;
		size_t n = left > near && left - near < lines ? left - near : lines;

		lines -= n;
		left -= n;
		for (; chains > 1 && n >= (size_t)chains; n -= (size_t)chains) {
			UNROLL(8)
			for (int c = 0; c < chains; c++, a += words, b += ISK_PACKED_LINE) {
				if (prefetches(rows, panels, chains, c, kind))
					__builtin_prefetch(b + b_ahead, 0, 2);
				multiply_line(acc[c], a, lda, b, panel, rows, panels, kind);
			}
		}
		for (; n; n--, a += words, b += ISK_PACKED_LINE) {
			UNROLL(4)
			for (int p = 0; p < panels; p++)
				if (chains == 1 && prefetches(rows, panels, 1, 0, kind))
					__builtin_prefetch(b + (size_t)p * panel + b_ahead, 0, 2);
			multiply_line(acc[0], a, lda, b, panel, rows, panels, kind);
		}
	}
}

/* The lines of a tile, of one word each, in order, and what comes next on the way. */
ISK_INLINE void multiply_ahead(vf acc[MOST_CHAINS][FLAT][WIDE_VECTORS], const struct tile *t, const int rows,
                               const int panels, const enum operand kind)
{
	const size_t each = t->lines / STRIPS;
	struct ahead *next = t->ahead;
	const char *next_a = next->row + next->at, *next_c = next->c;

	for (size_t strip = 0; strip < STRIPS; strip++, next_a += next->lda, next_c += next->ldc) {
		const size_t done = strip * each, left = t->lines - done;

		UNROLL(4)
		for (int p = 0; p < panels; p++)
			__builtin_prefetch(next_c + 64 * p, 1);
		for (size_t i = 0; i < next->step; i += 64)
			__builtin_prefetch(next_a + i);
		multiply_lines(acc, t->a + done, t->b + done * ISK_PACKED_LINE, strip + 1 < STRIPS ? each : left, left,
		               t->panel, rows, panels, 1, kind);
	}
	next->at += next->step;
	if (next->at >= next->bytes)
		next->at = 0;
}

/* What all taps find. */
ISK_INLINE void multiply_taps(vf acc[FLAT][WIDE_VECTORS], const struct tile *t, const int rows, const int panels,
                              const enum operand kind)
{
	const struct taps *taps = t->taps;
	const size_t lda = t->lda, panel = t->panel;
	const unsigned char *b = t->b;
	const float *a = t->a;

	for (size_t u = taps->height; u; u--, a += taps->row, b += taps->skip)
		for (size_t v = taps->width; v; v--, a += taps->tap)
			for (size_t i = taps->lines; i; i--, a++, b += ISK_PACKED_LINE) {
				UNROLL(4)
				for (int p = 0; p < panels; p++)
					if (prefetches(rows, panels, 1, 0, WIDE_F32))
						__builtin_prefetch(b + (size_t)p * panel + prefetch_distance(WIDE_F32), 0, 2);
				multiply_line(acc, a, lda, b, panel, rows, panels, kind);
			}
}

/* Sums to begin with: those in t, or with NULL 0, FOURS factor times start. */
ISK_INLINE void begin_sums(vf acc[MOST_CHAINS][FLAT][WIDE_VECTORS], const struct tile *tile, const float *t, size_t ldt,
                           const int rows, const int vectors, const int chains, const enum operand kind)
{
	if (t) {
		UNROLL(28)
		for (int r = 0; r < rows; r++, t += ldt)
			UNROLL(16)
			for (int v = 0; v < vectors; v++)
				acc[0][r][v] = vf_load(t + v * VL);
	} else {
		UNROLL(16)
		for (int v = 0; v < vectors; v++) {
			vf first = vf_set1(0);

			if (kind == FOURS && tile->factor)
				first = vi_float((vi)((vu)vi_load(tile->start + v * VL) * (uint32_t)tile->factor));
			UNROLL(28)
			for (int r = 0; r < rows; r++)
				acc[0][r][v] = first;
		}
	}
	UNROLL(8)
	for (int c = 1; c < chains; c++)
		UNROLL(28)
		for (int r = 0; r < rows; r++)
			UNROLL(16)
			for (int v = 0; v < vectors; v++)
				acc[c][r][v] = vf_set1(0);
}

ISK_INLINE void end_sums(const struct tile *t, vf acc[MOST_CHAINS][FLAT][WIDE_VECTORS], const int rows,
                         const int vectors, const int chains, const enum operand kind)
{
	const int as_float = kind == FOURS && t->as_float;
	const size_t ldc = t->ldc;
	float *c = t->c;

	UNROLL(28)
	for (int r = 0; r < rows; r++, c += ldc)
		UNROLL(16)
		for (int v = 0; v < vectors; v++) {
			vf sum = acc[0][r][v];

			UNROLL(8)
			for (int i = 1; i < chains; i++)
				sum = vi_float((vi)((vu)vf_bits(sum) + (vu)vf_bits(acc[i][r][v])));
			vf_store(c + v * VL, as_float ? vi_to_vf(vf_bits(sum)) : sum);
		}
}

/*
 * Sums of a group of k that has scales, times these, with those of the groups
 * before it added by one more fused multiply-add. The latter are in C, for registers
 * hold the sums of one group.
 */
ISK_INLINE void add_group(const struct tile *t, vf acc[FLAT][WIDE_VECTORS], const float *scale, int first,
                          const int rows, const int vectors)
{
	const float *before = first ? t->t : t->c;
	const size_t ld = first ? t->ldt : t->ldc;

	UNROLL(16)
	for (int v = 0; v < vectors; v++) {
		const vf s = vf_load(scale + (size_t)(v * VL / PANEL) * t->scales_panel + v * VL % PANEL);

		UNROLL(28)
		for (int r = 0; r < rows; r++)
			acc[r][v] = vf_fma(acc[r][v], s, before ? vf_load(before + (size_t)r * ld + v * VL) : vf_set1(0));
	}
}

/*
 * s8, with scales for groups of k or without: then all of it is one. Not the loop of
 * all kinds: with one of groups for all of them gcc spills sums (Zen 3: 1.3 to 1.8 times
 * the time).
 */
ISK_INLINE void multiply_groups(const struct tile *t, const int rows, const int panels, const enum operand kind)
{
	const int vectors = panels * PANEL / VL;
	const float *a = t->a, *scale = t->scales;
	const unsigned char *b = t->b;
	size_t left = t->lines, lines;
	vf acc[MOST_CHAINS][FLAT][WIDE_VECTORS];

	do {
		lines = t->group && t->group < left ? t->group : left;
		begin_sums(acc, t, t->group ? NULL : t->t, t->ldt, rows, vectors, 1, kind);
		multiply_lines(acc, a, b, lines, left, t->panel, rows, panels, 1, kind);
		if (t->group)
			add_group(t, acc[0], scale, left == t->lines, rows, vectors);
		end_sums(t, acc, rows, vectors, 1, kind);
		left -= lines;
		scale += PANEL;
		a += lines * (size_t)line_words(kind, 1);
		b += lines * ISK_PACKED_LINE;
	} while (left);
}

/* FOURS: lines that are added apart, where rows by one panel are too few for the cycles of an addition. */
ISK_INLINE int chains_of(const int rows, const int panels, const enum operand kind, const enum form form)
{
	return kind == FOURS && form == PACKED && panels == 1 && VI_DOT_STEPS == 1
	           ? (MOST_CHAINS - 1) / (rows * (PANEL / VL)) + 1
	           : 1;
}

ISK_INLINE void multiply(const struct tile *t, const int rows, const int panels, const enum operand kind,
                         const enum form form)
{
	const int vectors = panels * PANEL / VL, chains = chains_of(rows, panels, kind, form);
	vf acc[MOST_CHAINS][FLAT][WIDE_VECTORS];

	if (is_s8(kind)) {
		multiply_groups(t, rows, panels, kind);
		return;
	}
	begin_sums(acc, t, t->t, t->ldt, rows, vectors, chains, kind);
	if (form == AHEAD)
		multiply_ahead(acc, t, rows, panels, kind);
	else if (form == DIRECT)
		multiply_taps(acc[0], t, rows, panels, kind);
	else
		multiply_lines(acc, t->a, t->b, t->lines, t->lines, t->panel, rows, panels, chains, kind);
	end_sums(t, acc, rows, vectors, chains, kind);
}

/* CASE(rows, ...) for each number of rows. */
#define UP_TO_6(CASE, ...)                                                     \
	CASE(1, __VA_ARGS__) CASE(2, __VA_ARGS__) CASE(3, __VA_ARGS__) CASE(4, __VA_ARGS__) CASE(5, __VA_ARGS__) \
	CASE(6, __VA_ARGS__)
#define UP_TO_14(CASE, ...)                                                    \
	UP_TO_6(CASE, __VA_ARGS__)                                                 \
	CASE(7, __VA_ARGS__) CASE(8, __VA_ARGS__) CASE(9, __VA_ARGS__) CASE(10, __VA_ARGS__) CASE(11, __VA_ARGS__) \
	CASE(12, __VA_ARGS__) CASE(13, __VA_ARGS__) CASE(14, __VA_ARGS__)
#define UP_TO_28(CASE, ...)                                                    \
	UP_TO_14(CASE, __VA_ARGS__)                                                \
	CASE(15, __VA_ARGS__) CASE(16, __VA_ARGS__) CASE(17, __VA_ARGS__) CASE(18, __VA_ARGS__) \
	CASE(19, __VA_ARGS__) CASE(20, __VA_ARGS__) CASE(21, __VA_ARGS__) CASE(22, __VA_ARGS__) \
	CASE(23, __VA_ARGS__) CASE(24, __VA_ARGS__) CASE(25, __VA_ARGS__) CASE(26, __VA_ARGS__) \
	CASE(27, __VA_ARGS__) CASE(28, __VA_ARGS__)

/* A number of rows that the compiler knows; others than from least to most are never asked for. */
#define MICRO_CASE(r, least, most, panels, kind, form)                         \
	case r:                                                                    \
		if ((r) >= (least) && (r) <= (most))                                   \
			multiply(t, (r) >= (least) && (r) <= (most) ? (r) : 1, panels, kind, form); \
		break;

/* To the tile on the right, if there are more. */
ISK_INLINE int step_right(struct tile *t, const enum operand kind)
{
	const size_t columns = t->panels * PANEL;

	if (!t->more)
		return 0;
	t->more--;
	t->c += columns;
	if (t->t)
		t->t += columns;
	t->b += t->panels * t->panel;
	if (kind == FOURS)
		t->start += columns;
	if (is_s8(kind) && t->group)
		t->scales += t->panels * t->scales_panel;
	if (t->ahead)
		t->ahead->c += columns * sizeof(float);
	return 1;
}

/* A micro-kernel for all tiles that tile_width() gives this kind; FOURS that are packed take no wide ones. */
#define DEFINE_MICRO(name, kind, form)                                         \
	static void ISK_PASTE2(one_, name)(const struct tile *t)                   \
	{                                                                          \
		if ((form) == PACKED && line_words(kind, VI_DOT_STEPS) == 1 && t->ahead) { \
			switch (t->rows) {                                                 \
				UP_TO_14(MICRO_CASE, MR - 1, MR, NR / PANEL, kind, AHEAD)      \
			}                                                                  \
		} else if (t->panels == WIDE_PANELS) {                                 \
			switch (t->rows) {                                                 \
				UP_TO_6(MICRO_CASE, 1, (kind) == FOURS && (form) == PACKED ? 0 : wide_rows(kind), WIDE_PANELS, kind, form) \
			}                                                                  \
		} else if (NR > PANEL && t->panels > 1) {                              \
			switch (t->rows) {                                                 \
				UP_TO_14(MICRO_CASE, 1, MR, NR / PANEL, kind, form)            \
			}                                                                  \
		} else {                                                               \
			switch (t->rows) {                                                 \
				UP_TO_28(MICRO_CASE, 1, (form) == DIRECT ? MR : FLAT, 1, kind, form) \
			}                                                                  \
		}                                                                      \
	}                                                                          \
                                                                               \
	void ISK_FN(name)(struct tile *t)                                          \
	{                                                                          \
		do                                                                     \
			ISK_PASTE2(one_, name)(t);                                         \
		while (step_right(t, kind));                                           \
	}

#endif
