/* SPDX-License-Identifier: MIT */
/*
 * The micro-kernel: multiplies lines of some panels of B by words of some rows of A
 * into sums that stay in registers. It is a template with constant parameters:
 *
 *     rows, panels  the size of the tile
 *     kind          how a panel line is multiplied
 *     form          PACKED: rows of A as pack_fn leaves them
 *                   AHEAD: likewise, and the tile prefetches for its successors
 *                   DIRECT: rows of A in place, as the taps of a convolution find them
 */
#ifndef ISK_MICRO_H
#define ISK_MICRO_H

#include "post.h"
#include "thresholds.h"

enum form { PACKED, AHEAD, DIRECT };

/*
 * The taps of a convolution that a tile multiplies, and the distances between them in the
 * image. Elements are 32-bit words: f32, pairs of bf16 or four u8.
 */
struct taps {
	size_t height, width, lines; /* rows of taps, taps in a row, panel lines of a tap; adjacent taps count as one */
	size_t tap, row;             /* words of A from the end of a tap to the next tap, and of a row of taps to the next row */
	size_t skip;                 /* bytes of B to skip at the end of a row of taps */
};

/*
 * The prefetches of a tile for its successors while it multiplies. Nothing else would hide
 * the latency of memory. A tile's panel lines are cut into STRIPS pieces. During each, it
 * prefetches a piece of one of the next rows of A, so that all tiles of a strip of C
 * together fetch those rows, and the cache lines of one row of the next tile of C. Tiles of a
 * tall block also prefetch some lines of the panels that are multiplied after those of the block.
 */
struct ahead {
	const char *row;    /* next rows of A */
	size_t bytes, at, step; /* bytes in a row; offset of the next piece; bytes in a piece */
	const char *c;      /* next rows of C */
	size_t lda, ldc;    /* bytes from one row to the next */
	const unsigned char *b; /* panel of which lines are prefetched next, into the second-level cache */
	size_t panel, lines, line; /* bytes from a panel to the next; lines of each; the next line */
	size_t left, each;  /* lines left to prefetch; lines during a piece */
};

/*
 * A tile of a size that finishes() allows can compute elements of C from its sums in place of storing the sums. For f32 it
 * applies all of post, whose activation is a clamp between the bounds; for f64 it computes fma(other_scale, C, scale * sum).
 */
struct finish {
	const struct isk_post *post;
	size_t row, col; /* the tile's first element of C */
	struct bounds bounds;
};

/*
 * Whether tiles of f32 can finish elements of C, for which *f is prepared: registers have room for scales and biases of
 * columns, for a clamp and for adding other.
 */
ISK_INLINE int can_finish_f32(struct finish *f, const struct isk_post *post)
{
	const int adds = post->binary == ISK_BINARY_NONE || post->binary == ISK_BINARY_ADD || post->binary == ISK_BINARY_AXPY;

	f->post = post;
	return bounds_of(post, &f->bounds) && adds && !post->row_scale;
}

struct tile {
	float *c;        /* destination of the sums: C, or a buffer in which they wait */
	size_t ldc;
	const float *t;  /* sums to continue from; NULL: they begin with 0, FOURS with factor * start */
	size_t ldt;
	const int32_t *start; /* FOURS: sums of the columns of B */
	int32_t factor;  /* FOURS: minus the zero point of A */
	int as_float;    /* FOURS: sums are converted to f32 */
	const float *a;  /* rows of A */
	size_t lda;      /* from one row of A to the next: words if taps read A in place, else bytes */
	const unsigned char *b; /* first line in the first panel */
	size_t panel;    /* bytes from one panel to the next */
	size_t lines;    /* panel lines to multiply */
	const float *scales;    /* s8: scales of the first group in the first panel */
	size_t scales_panel;    /* floats from the scales of one panel to those of the next */
	size_t group;           /* panel lines that share a scale; 0: there are no scales */
	size_t k;               /* AMX: number of k in a row of A */
	struct ahead *ahead;
	struct finish *finish; /* NULL: sums are stored as they are */
	const struct taps *taps;
	size_t rows, panels;
	size_t more; /* number of like tiles to its right */
};

/* The distance in bytes at which B is prefetched into the second-level cache. */
ISK_INLINE size_t prefetch_distance(const enum operand kind)
{
	return kind == FOURS ? PREFETCH_FOURS : PREFETCH_BYTES;
}

/*
 * Whether a tile prefetches B. Wide tiles of few rows (FAST_ROWS), or of FOURS, do not, because they
 * finish a line so fast that the CPU's own prefetcher does better. Tiles with many chains do not,
 * because that prefetcher does well from the third-level cache and more loads would be in
 * the way. From memory it does badly, so a single row prefetches one line in MOST_CHAINS,
 * which costs little and sets the prefetcher going.
 */
ISK_INLINE int prefetches(const int rows, const int panels, const int chains, const int chain,
                          const enum operand kind)
{
	return kind == FOURS ? panels < WIDE_PANELS && (chains <= FEW_CHAINS || (chains == MOST_CHAINS && chain == 0))
	                     : panels < WIDE_PANELS || rows > (IS_WHOLE && kind == WIDE_F32 ? FAST_ROWS_WHOLE : FAST_ROWS);
}

/* Unrolls a loop over registers with at most n rounds. clang gives up if n is more than the actual number. */
#ifdef __clang__
#define UNROLL(n) _Pragma("clang loop unroll(full)")
#else
#define UNROLL_PRAGMA(text) _Pragma(#text)
#define UNROLL(n)           UNROLL_PRAGMA(GCC unroll n)
#endif

/* The factors of VL columns of a panel line for word number `word` of A. For bf16, word 0 is the odd one of each pair. */
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
	case WIDE_S8: /* a byte b, its sign flipped, at the end of a mantissa gives 2^23 + 128 + b or 2^15 + 128 + b */
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
	return kind == FOURS   ? vi_float(vi_dot(vf_bits(sum), vf_bits(a), vf_bits(b)))
	       : kind == PAIRS ? vf_dot_bf16(sum, a, b)
	       : kind == F64   ? (vf)vd_fma((vd)a, (vd)b, (vd)sum)
	                       : vf_fma_word(a, b, sum);
}

/*
 * A word of A (a double of two words) in all lanes, loaded by an instruction for its type, since vpdpbusd takes
 * 1.33 times the time if its four bytes come from a load of floats (Zen 4).
 */
ISK_INLINE vf broadcast(const float *a, const enum operand kind)
{
	return kind == FOURS   ? vi_float(vi_dot_word(a))
	       : kind == PAIRS ? vf_set1(*a)
	       : kind == F64   ? (vf)vd_set1(*(const double *)(const void *)a)
	                       : vf_word(a);
}

/* Multiplies one line of each panel. */
ISK_INLINE void multiply_line(vf acc[FLAT][WIDE_VECTORS], const float *a, size_t lda, const unsigned char *b,
                              size_t panel, const int rows, const int panels, const enum operand kind)
{
	const int vectors = panels * PANEL / VL, steps = line_steps(kind, VI_DOT_STEPS);

	UNROLL(4)
	for (int w = 0; w < steps; w++) {
		vf bv[WIDE_VECTORS];

		UNROLL(28)
		for (int r = 0; r < rows; r++) {
			const vf y = broadcast(a + (size_t)r * lda + w, kind);

			UNROLL(16)
			for (int v = 0; v < vectors; v++) {
				const unsigned char *line = b + (size_t)(v * VL / PANEL) * panel;

				/* Widened as the first row needs it, because a wide tile of one row has no registers for all vectors. */
				if (r == 0)
					bv[v] = widen_line(vi_load((const int32_t *)(const void *)line + v * VL % PANEL), w, kind);
				acc[r][v] = multiply_add(acc[r][v], y, bv[v], kind);
				/* Forces each sum to be computed here, since gcc would widen all words first and spill sums. */
				if (steps > 1 && kind == FOURS)
					acc[r][v] = vi_float(vi_here(vf_bits(acc[r][v])));
				else if (steps > 1 && kind != WIDE_F16)
					acc[r][v] = vf_here(acc[r][v]);
			}
		}
	}
}

/* Multiplies `lines` lines of a tile; `left` lines remain to its end. Several chains take successive lines in turn. */
ISK_INLINE void multiply_lines(vf acc[MOST_CHAINS][FLAT][WIDE_VECTORS], const float *a, size_t lda,
                               const unsigned char *b, size_t lines, size_t left, size_t panel, const int rows,
                               const int panels, const int chains, const enum operand kind)
{
	const size_t words = (size_t)line_words(kind, VI_DOT_STEPS);
	const size_t distance = prefetch_distance(kind), near = distance / ISK_PACKED_LINE;
	/* The last lines of a tile prefetch from the next panels. */
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

/* Words from one packed row of A to the next: a constant, but for a part of a tile (multiply_parts). */
ISK_INLINE size_t packed_stride(const struct tile *t, const int rows, const enum operand kind)
{
	return kind == WIDE_S8 ? t->lda / sizeof(float) : a_stride((size_t)rows);
}

ISK_INLINE void prefetch_panels(struct ahead *next)
{
	for (size_t i = next->each < next->left ? next->each : next->left; i; i--, next->left--) {
		__builtin_prefetch(next->b + next->line * ISK_PACKED_LINE, 0, 2);
		if (++next->line == next->lines) {
			next->line = 0;
			next->b += next->panel;
		}
	}
}

/* Multiplies all lines of a tile, which take one step each, and prefetches for its successors (struct ahead). */
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
		prefetch_panels(next);
		multiply_lines(acc, t->a + done * (size_t)line_words(kind, 1), a_stride((size_t)rows), t->b + done * ISK_PACKED_LINE,
		               strip + 1 < STRIPS ? each : left, left, t->panel, rows, panels, 1, kind);
	}
	next->at += next->step;
	if (next->at >= next->bytes)
		next->at = 0;
}

/* Multiplies the words of the image at all taps. */
ISK_INLINE void multiply_taps(vf acc[FLAT][WIDE_VECTORS], const struct tile *t, const int rows, const int panels,
                              const enum operand kind)
{
	const struct taps *taps = t->taps;
	const size_t lda = t->lda, panel = t->panel;
	const unsigned char *b = t->b;
	const float *a = t->a;

	for (size_t u = taps->height; u; u--, a += taps->row, b += taps->skip)
		for (size_t v = taps->width; v; v--, a += taps->tap)
			for (size_t i = taps->lines; i; i--, a += line_words(kind, 1), b += ISK_PACKED_LINE) {
				UNROLL(4)
				for (int p = 0; p < panels; p++)
					if (prefetches(rows, panels, 1, 0, WIDE_F32))
						__builtin_prefetch(b + (size_t)p * panel + prefetch_distance(WIDE_F32), 0, 2);
				multiply_line(acc, a, lda, b, panel, rows, panels, kind);
			}
}

/* The first values of the sums: those in t or, if t is NULL, 0 (FOURS: factor * start). */
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

ISK_INLINE void finish_f64(const struct tile *t, vf acc[FLAT][WIDE_VECTORS], const int rows, const int vectors)
{
	const struct isk_post *post = t->finish->post;
	const vd scale = vd_set1(post->scales ? *(const double *)post->scale : 1), other_scale = vd_set1(post->other_scale);
	const size_t ldc = t->ldc;
	float *c = t->c;

	UNROLL(28)
	for (int r = 0; r < rows; r++, c += ldc)
		UNROLL(16)
		for (int v = 0; v < vectors; v++)
			vf_store(c + v * VL, (vf)vd_fma(other_scale, (vd)vf_load(c + v * VL), (vd)acc[r][v] * scale));
}

ISK_INLINE void finish_f32(const struct tile *t, vf acc[FLAT][WIDE_VECTORS], const int rows, const int vectors,
                           const int has_other)
{
	const struct finish *f = t->finish;
	const struct isk_post *post = f->post;
	const struct clamp c = clamp_between(f->bounds);
	const vf other_scale = vf_set1(post->binary == ISK_BINARY_AXPY ? (float)post->other_scale : 1);
	const size_t ldc = t->ldc, ldother = post->ldother;

	UNROLL(16)
	for (int v = 0; v < vectors; v++) {
		const size_t col = f->col + (size_t)(v * VL);
		const struct linear l = linear_of(post, col, VL);
		const float *other = (const float *)post->other + f->row * ldother + col;
		float *to = t->c + v * VL;

		UNROLL(28)
		for (int r = 0; r < rows; r++, to += ldc, other += ldother) {
			const vf x = clamp(vf_fma(acc[r][v], l.scale, l.bias), c);

			vf_store(to, has_other ? vf_fma(other_scale, vf_load(other), x) : x);
		}
	}
}

ISK_INLINE void finish_sums(const struct tile *t, vf acc[FLAT][WIDE_VECTORS], const int rows, const int vectors,
                            const enum operand kind)
{
	if (kind == F64)
		finish_f64(t, acc, rows, vectors);
	else if (t->finish->post->binary)
		finish_f32(t, acc, rows, vectors, 1);
	else
		finish_f32(t, acc, rows, vectors, 0);
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
 * Multiplies the sums of a group of k by its scales and adds the sums of the groups before
 * it, by one more fused multiply-add. Those sums wait in C, because the registers hold the
 * sums of one group.
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
 * The micro-kernel of s8. Without scales, all lines are one group. The other kinds have a loop of
 * their own because gcc spills sums if one loop over groups serves all (Zen 3: 1.3 to 1.8
 * times the time).
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
		multiply_lines(acc, a, packed_stride(t, rows, kind), b, lines, left, t->panel, rows, panels, 1, kind);
		if (t->group)
			add_group(t, acc[0], scale, left == t->lines, rows, vectors);
		end_sums(t, acc, rows, vectors, 1, kind);
		left -= lines;
		scale += PANEL;
		a += lines * (size_t)line_words(kind, 1);
		b += lines * ISK_PACKED_LINE;
	} while (left);
}

/*
 * The number of chains of additions for each sum. FOURS in one panel have several if there are too few rows to hide the
 * latency of an addition.
 */
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
	const size_t cols = (size_t)panels * PANEL;
	const int finish = finishes((size_t)rows, cols, kind, form == DIRECT) && t->finish;
	vf acc[MOST_CHAINS][FLAT][WIDE_VECTORS];

	if (is_s8(kind)) {
		multiply_groups(t, rows, panels, kind);
		return;
	}
	if (finish && form != DIRECT)
		prefetch_other(t->finish->post, t->finish->row, t->finish->col, (size_t)rows, cols, kind == F64 ? ISK_F64 : ISK_F32);
	begin_sums(acc, t, t->t, t->ldt, rows, vectors, chains, kind);
	if (form == AHEAD)
		multiply_ahead(acc, t, rows, panels, kind);
	else if (form == DIRECT)
		multiply_taps(acc[0], t, rows, panels, kind);
	else
		multiply_lines(acc, t->a, a_stride((size_t)rows), t->b, t->lines, t->lines, t->panel, rows, panels, chains, kind);
	if (finish)
		finish_sums(t, acc[0], rows, vectors, kind);
	else
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

/* Calls multiply() with a constant number of rows. Tiles never have fewer than least or more than most rows. */
#define MICRO_CASE(r, least, most, panels, kind, form)                         \
	case r:                                                                    \
		if ((r) >= (least) && (r) <= (most))                                   \
			multiply(t, (r) >= (least) && (r) <= (most) ? (r) : 1, panels, kind, form); \
		break;

/* Moves to the next tile on the right. Returns 0 if there is none. */
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
	if (t->finish)
		t->finish->col += columns;
	if (t->ahead)
		t->ahead->c += columns * sizeof(float);
	return 1;
}

/* Multiplies a tile of any size that tile_width() chooses for this kind. */
ISK_INLINE void multiply_tile(const struct tile *t, const enum operand kind, const enum form form)
{
	const int fours = kind == FOURS && form == PACKED;

	if (form == PACKED && line_steps(kind, VI_DOT_STEPS) == 1 && t->ahead) {
		switch (t->rows) {
			UP_TO_14(MICRO_CASE, MR - 1, MR, NR / PANEL, kind, AHEAD)
		}
	} else if (kind != WIDE_S8 && t->panels == WIDE_PANELS) {
		switch (t->rows) {
			UP_TO_6(MICRO_CASE, 1, fours ? wide_fours() : wide_rows(kind), WIDE_PANELS, kind, form)
		}
	} else if (kind != WIDE_S8 && NR > PANEL && t->panels > 1) {
		switch (t->rows) {
			UP_TO_14(MICRO_CASE, 1, MR, NR / PANEL, kind, form)
		}
	} else {
		switch (t->rows) {
			UP_TO_28(MICRO_CASE, 1, form == DIRECT || kind == WIDE_S8 ? MR : FLAT, 1, kind, form)
		}
	}
}

/*
 * Multiplies a tile in parts, one panel wide and at most MR rows high. WIDE_S8 has no larger ones, because it multiplies
 * only the rows of A that RAISED_S8 cannot; this saves 56 KB of code (avx512).
 */
ISK_INLINE void multiply_parts(const struct tile *t, const enum operand kind, const enum form form)
{
	struct tile part = *t;

	for (size_t done = 0; done < t->rows; done += part.rows) {
		part = *t;
		part.rows = tile_height(t->rows - done, (t->rows - done + MR - 1) / MR);
		part.a += done * (t->lda / sizeof(float));
		part.c += done * t->ldc;
		if (part.t)
			part.t += done * t->ldt;
		part.panels = 1;
		part.more = t->panels - 1;
		do
			multiply_tile(&part, kind, form);
		while (step_right(&part, kind));
	}
}

ISK_INLINE void multiply_whole(const struct tile *t, const enum operand kind, const enum form form)
{
	if (kind == WIDE_S8)
		multiply_parts(t, kind, form);
	else
		multiply_tile(t, kind, form);
}

/* Defines the micro-kernel of a kind and a form, for a tile and for all like tiles to its right. */
#define DEFINE_MICRO(name, kind, form)                                         \
	static void ISK_PASTE2(one_, name)(const struct tile *t)                   \
	{                                                                          \
		multiply_whole(t, kind, form);                                         \
	}                                                                          \
                                                                               \
	void ISK_FN(name)(struct tile *t)                                          \
	{                                                                          \
		do                                                                     \
			ISK_PASTE2(one_, name)(t);                                         \
		while (step_right(t, kind));                                           \
	}

#endif
