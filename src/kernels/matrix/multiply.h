/* SPDX-License-Identifier: MIT */
/*
 * Products of matrices, as the parts of it see one another. A kernel checks its
 * arguments, says in a struct product what is to be multiplied and by which
 * functions, and calls the driver:
 *
 *     driver.c     cuts C into blocks and tiles, and k into parts
 *     columns.c    does it all where C has few columns
 *     pack_a.c     brings rows of A into the form that a micro-kernel reads
 *     micro_*.c    the micro-kernels: a tile of C, or of sums that wait for more of k
 *     epilogue*.c  from sums to elements of C
 *
 * Each part is compiled for the ISAs that gain from it (kernels.tbl) and calls the
 * others by ISK_PART(part, name).
 *
 * Each sum of floats is one chain of fused multiply-adds in the order of k, from
 * +0. Blocking splits the chain but never reorders it: a partial sum that waits in
 * memory is the f32 it was. k roundings make the bound of eps * k * sum |terms|,
 * which one product attains.
 */
#ifndef ISK_MULTIPLY_H
#define ISK_MULTIPLY_H

#include "isakern/matrix_types.h"
#include "kernel.h"
#include "packed.h"
#include "part.h"

/*
 * How a line of B, 64 bytes of a panel, is multiplied. WIDE: its elements become
 * f32, and so does A. RAISED_S8: they are 2^24 times as large, since a byte is made
 * f32 soonest where it stands on top of its word, and A is as much smaller. PAIRS
 * of bf16 and FOURS of s8 stay what they are, in A as well; sums of FOURS are s32,
 * in the same registers. TILES are those of AMX.
 */
enum operand { WIDE_F32, WIDE_BF16, WIDE_F16, WIDE_S8, RAISED_S8, PAIRS, FOURS, TILES_BF16, TILES_US, TILES_SS };

/* Whether s8 become f32. */
ISK_INLINE int is_s8(const enum operand kind)
{
	return kind == WIDE_S8 || kind == RAISED_S8;
}

/* k in a line. */
ISK_INLINE size_t line_k(const enum operand kind)
{
	return kind == WIDE_F32 ? 1 : is_s8(kind) || kind == FOURS || kind >= TILES_US ? 4 : 2;
}

/* Lines that k elements of a column are. */
ISK_INLINE size_t lines_of(const enum operand kind, size_t k)
{
	return isk_packed_lines(line_k(kind), k);
}

/* 32-bit words of a packed row of A that a line takes, and vectors that a vector of a line becomes. */
ISK_INLINE int line_words(const enum operand kind, const int fours)
{
	return kind == FOURS ? fours : kind >= PAIRS ? 1 : (int)line_k(kind);
}

ISK_INLINE int is_amx(const enum operand kind)
{
	return kind >= TILES_BF16;
}

/* Whether sums are s32. */
ISK_INLINE int has_integers(const enum operand kind)
{
	return kind == FOURS || kind >= TILES_US;
}

#define PANEL ISK_PACKED_PANEL

/*
 * A tile is MR by NR: two vectors a row, or a panel where two are less, and as
 * many rows as registers hold beside a line of B and an element of A.
 */
#define NR (2 * VL > PANEL ? 2 * VL : PANEL)
#define MR ((ISK_REGISTERS - NR / VL - 1) / (NR / VL))

/*
 * Few rows have few chains of additions for the cycles that an FMA takes: they
 * take WIDE_PANELS side by side, which also are more streams for the CPU to fetch
 * ahead. Up to FLAT rows make one tile, if only a panel wide: then B is read once,
 * from end to end.
 */
#define WIDE_PANELS  (8 * VL / PANEL < 4 ? 8 * VL / PANEL : 4)
#define WIDE_VECTORS (WIDE_PANELS * PANEL / VL)
#define FLAT         (MR * NR / PANEL)

/*
 * Rows that are a multiple of the size of a way of the first-level cache apart are all
 * in one set: those of a tile that reads them where they are must be fewer than its
 * ways, which are 8. lda is in words.
 */
#define WAY_BYTES 4096
#define WAY_ROWS  7

ISK_INLINE int share_a_set(size_t lda)
{
	return lda * sizeof(float) % WAY_BYTES == 0;
}

ISK_INLINE size_t rows_in_place(size_t lda)
{
	return share_a_set(lda) && MR > WAY_ROWS ? WAY_ROWS : MR;
}

/* Rows that leave registers for what WIDE_PANELS lines of B become, and one. */
ISK_INLINE size_t wide_rows(const enum operand kind)
{
	const int rows = (ISK_REGISTERS - 1) / WIDE_VECTORS - line_words(kind, 1);

	return rows > 1 ? (size_t)rows : 1;
}

/*
 * 32-bit words on the stack of the driver: packed A and sums. Rows of A are an odd
 * number of lines apart: they never fall into the same set of the first-level
 * cache, as they do where lda is a multiple of 1024.
 */
#define PACKED_WORDS 7392
#define SUM_WORDS    6400

ISK_INLINE size_t a_stride(size_t rows)
{
	return ((PACKED_WORDS / PANEL / rows - 1) | 1) * PANEL;
}

/* Rows that AMX takes at once. */
#define AMX_ROWS 32

struct product;

/*
 * Brings k elements of rows rows of A, from (row, at) on, to rows of words that
 * are stride apart, in the order in which they are multiplied, and fills them up
 * with 0 to whole lines of B. It may write up to a vector more.
 */
typedef void pack_fn(float *to, size_t stride, const struct product *p, size_t row, size_t rows, size_t at,
                     size_t k);

/*
 * Where A is not rows in memory: brings k elements, as they are, of rows rows of
 * it, from (row, at) on, to rows stride bytes apart. It may write up to a vector
 * more behind each.
 */
typedef void copy_fn(unsigned char *to, size_t stride, const struct product *p, size_t row, size_t rows, size_t at,
                     size_t k);

/* Adds to sums those over k elements of rows that are lda bytes apart, as a micro-kernel reads them; 8 bits alone. */
typedef void row_sums_fn(int32_t *sums, const float *a, size_t lda, size_t rows, size_t k,
                         const struct product *p);

struct tile;
typedef void micro_fn(struct tile *t); /* may change it */

/*
 * rows by cols of C, of which (row, col) is the first element, from their sums in
 * t, whose rows may be read and written up to a whole vector.
 */
struct epilogue {
	void *c; /* whole matrices: C and post->other */
	size_t ldc;
	float *t;
	size_t ldt;
	size_t row, col, rows, cols;
	const struct isk_post *post;
};

typedef void epilogue_fn(const struct epilogue *e);
typedef void correct_fn(const struct epilogue *e, const struct product *p, const int32_t *row_sums, int as_float);

struct product {
	void *c;
	const void *a;
	const unsigned char *panels; /* of B, from the first column of C on, */
	size_t panel;                /* their bytes, */
	const int32_t *sums;         /* s8: their sums over k, and */
	const float *scales;         /* those of groups of k, NULL for none */
	size_t group;
	size_t m, n, k, ldc, lda;
	const struct isk_post *post;
	enum operand kind;
	enum isk_type a_type, c_type;
	int32_t a_zero; /* of A as it is packed, */
	int32_t flip;   /* whose words have these bits flipped: 0x80808080 or 0 */
	copy_fn *copy;  /* NULL: A is rows in memory, lda apart; else it is what this makes */
	const void *image; /* of that */
	int words;      /* of packed A that a line takes */
	pack_fn *pack;  /* NULL: A is read where it is */
	row_sums_fn *row_sums;
	micro_fn *micro;
	epilogue_fn *epilogue;
	const struct product *wide; /* PAIRS, RAISED_S8: the same for rows of A with elements that are too small, */
	int least;                  /* PAIRS: where the least exponent of B is this: see bf16_pairs.h */
};

/* Does all of a product. */
typedef void drive_fn(const struct product *p);

/*
 * Does all of a product of f32 of VL rows or more by up to FEW columns: step apart, with elements ldb apart.
 * One of the two is 1.
 */
enum { FEW = VL > 8 ? 8 : VL > 4 ? 6 : 2 };
typedef void column_fn(const struct product *p, const float *b, size_t ldb, size_t step);

/* Post-operations that do nothing, for callers that give none. */
static const struct isk_post isk_no_post = {.size = sizeof(isk_no_post)};

/* Whether sums are elements of C as they are. */
ISK_INLINE int post_is_plain(const struct isk_post *post)
{
	return !post->scales && !post->row_scale && !post->bias && post->act == ISK_ACT_NONE
	       && post->binary == ISK_BINARY_NONE;
}

/* Whether complete sums are C: it holds them, and nothing is done to them. */
ISK_INLINE int sums_are_c(const struct product *p)
{
	return post_is_plain(p->post) && (p->c_type == ISK_F32 || p->c_type == ISK_S32);
}

/* The prefetch of rows of bytes, ld bytes apart, to be read or written. */
ISK_INLINE void prefetch_rows(const char *x, size_t ld, size_t rows, size_t bytes, const int write)
{
	for (; rows; rows--, x += ld)
		for (size_t i = 0; i < bytes; i += 64)
			if (write)
				__builtin_prefetch(x + i, 1);
			else
				__builtin_prefetch(x + i);
}

/* The part of post->other that the epilogue will want: it may not have been touched for long. */
ISK_INLINE void prefetch_other(const struct isk_post *post, size_t row, size_t col, size_t rows, size_t cols,
                               size_t bytes)
{
	const char *x = (const char *)post->other + (row * post->ldother + col) * bytes;

	if (post->binary)
		prefetch_rows(x, post->ldother * bytes, rows, cols * bytes, 0);
}

/* Tiles, and blocks, have one height or two that differ by one: of the next of so many in rows. */
ISK_INLINE size_t tile_height(size_t rows, size_t tiles)
{
	return tiles > 1 ? (rows + tiles - 1) / tiles : rows;
}

/*
 * Columns of a tile of so many rows where so many are left. flat: there is one row of tiles, of few rows, whose
 * sums have room for wide ones; FOURS have chains instead of columns there.
 */
ISK_INLINE size_t tile_width(size_t rows, size_t left, const enum operand kind, int flat)
{
	if (kind == FOURS && flat)
		return PANEL;
	return flat && rows <= wide_rows(kind) && left > (WIDE_PANELS - 1) * PANEL ? WIDE_PANELS * PANEL
	       : rows <= MR && left > NR - PANEL                                   ? NR
	                                                                           : PANEL;
}

#endif
