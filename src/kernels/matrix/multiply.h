/* SPDX-License-Identifier: MIT */
/*
 * The interfaces between the source parts of matrix products. A kernel checks its
 * arguments, fills a struct product with the operands and the functions that
 * multiply them, and calls the driver:
 *
 *     driver.c     cuts C into blocks and tiles, and k into parts
 *     columns.c    computes products with few columns, without the driver
 *     pack_a.c     brings rows of A into the form that a micro-kernel reads
 *     micro_*.c    the micro-kernels: a tile of C, or of sums that wait for more of k
 *     epilogue*.c  from sums to elements of C
 *     thresholds.h the constants that were found by measurement
 *
 * Each source part is compiled for the ISAs that gain from it (kernels.tbl) and calls
 * the others by ISK_PART(part, name).
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
#include "thresholds.h"

/*
 * How a panel line (64 bytes of a panel of B) is multiplied. WIDE: the elements of B and A
 * become f32. RAISED_S8: the elements of B become f32 2^24 times as large, because a byte
 * converts fastest from the top of its 32-bit word, and A is 2^24 times smaller. PAIRS of
 * bf16 and FOURS of s8 are multiplied as they are, in A as well; sums of FOURS are s32, in
 * the same registers. TILES are those of AMX.
 *
 * A matrix of F64 is one of 32-bit words here: two columns of B, and of C, are one of
 * doubles. Only the instructions that load and multiply differ.
 */
enum operand { WIDE_F32, F64, WIDE_BF16, WIDE_F16, WIDE_S8, RAISED_S8, PAIRS, FOURS, TILES_BF16, TILES_US, TILES_SS };

/* The number of 32-bit words that an element of F64 fills; other elements fill one at most. */
ISK_INLINE size_t element_words(const enum operand kind)
{
	return kind == F64 ? 2 : 1;
}

/* Whether B is s8 that becomes f32. */
ISK_INLINE int is_s8(const enum operand kind)
{
	return kind == WIDE_S8 || kind == RAISED_S8;
}

/* The number of k in a panel line. */
ISK_INLINE size_t line_k(const enum operand kind)
{
	return kind == WIDE_F32 || kind == F64 ? 1 : is_s8(kind) || kind == FOURS || kind >= TILES_US ? 4 : 2;
}

/* The number of panel lines that hold k elements of a column. */
ISK_INLINE size_t lines_of(const enum operand kind, size_t k)
{
	return isk_packed_lines(line_k(kind), k);
}

/* The number of vectors that a vector of a panel line becomes. */
ISK_INLINE int line_steps(const enum operand kind, const int fours)
{
	return kind == FOURS ? fours : kind >= PAIRS ? 1 : (int)line_k(kind);
}

/* The number of 32-bit words of a packed row of A for a panel line. */
ISK_INLINE int line_words(const enum operand kind, const int fours)
{
	return (int)element_words(kind) * line_steps(kind, fours);
}

ISK_INLINE int is_amx(const enum operand kind)
{
	return kind >= TILES_BF16;
}

/* Whether the sums are s32. */
ISK_INLINE int has_integers(const enum operand kind)
{
	return kind == FOURS || kind >= TILES_US;
}

#define PANEL ISK_PACKED_PANEL

/*
 * A tile is MR rows by NR columns: two vectors wide, or a panel if that is wider, and as
 * tall as the registers allow beside a panel line of B and an element of A.
 */
#define NR (2 * VL > PANEL ? 2 * VL : PANEL)
#define MR ((ISK_REGISTERS - NR / VL - 1) / (NR / VL))

/*
 * A tile of few rows has too few chains of additions to hide the latency of an FMA, so it
 * takes WIDE_PANELS panels side by side, which also gives the CPU more streams to fetch
 * ahead. Up to FLAT rows make one tile, a panel wide, so that B is read once, from end to
 * end.
 */
#define WIDE_PANELS  (8 * VL / PANEL < 4 ? 8 * VL / PANEL : 4)
#define WIDE_VECTORS (WIDE_PANELS * PANEL / VL)
#define FLAT         (MR * NR / PANEL)

/*
 * Rows whose distance is a multiple of WAY_BYTES, the size of a way of the first-level
 * cache, are all in one set, which has 8 ways. A tile that reads such rows in place must
 * have fewer. lda is in 32-bit words.
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

/* The most rows of a wide tile: registers also hold the widened lines of WIDE_PANELS panels and one element of A. */
ISK_INLINE size_t wide_rows(const enum operand kind)
{
	const int rows = (ISK_REGISTERS - 1) / WIDE_VECTORS - line_steps(kind, 1);

	return rows > 1 ? (size_t)rows : 1;
}

/*
 * The 32-bit words from one packed row of A to the next: an odd number of cache lines, so
 * that packed rows never fall into the same set of the first-level cache, as rows in memory
 * do if lda is a multiple of 1024.
 */
ISK_INLINE size_t a_stride(size_t rows)
{
	return ((PACKED_WORDS / PANEL / rows - 1) | 1) * PANEL;
}

/*
 * Whether the micro-kernel has code for tiles of this size that finish elements of C (struct finish of micro.h): if A is
 * packed, for the highest tiles alone, which most tiles of a large C are; if it is read in place, as by a convolution with
 * few pixels a line, for all that are higher than half the highest.
 */
ISK_INLINE int finishes(size_t rows, size_t columns, const enum operand kind, const int direct)
{
	return direct ? kind == WIDE_F32 && columns <= NR && rows > MR / 2 && rows <= MR
	              : (kind == F64 || kind == WIDE_F32) && columns == NR && rows + FINISH_ROWS > MR && rows <= MR;
}

/* Rows of a tile of AMX. */
#define AMX_ROWS 32

struct product;

/*
 * Packs `rows` rows of A, k elements each from (row, at) on, into rows of 32-bit words
 * that are `stride` words apart, in the order in which they are multiplied, and pads each
 * with 0 to whole panel lines of B. It may write up to a vector more.
 */
typedef void pack_fn(float *to, size_t stride, const struct product *p, size_t row, size_t rows, size_t at,
                     size_t k);

/*
 * Makes rows of an A that has none in memory: copies k elements of each of `rows` rows,
 * from (row, at) on, unchanged, to rows `stride` bytes apart. It may write up to a vector
 * more behind each.
 */
typedef void copy_fn(unsigned char *to, size_t stride, const struct product *p, size_t row, size_t rows, size_t at,
                     size_t k);

/*
 * Adds the sum of k elements of each row to sums[]; for 8-bit types alone. Rows are lda bytes apart, in the form that
 * the micro-kernel reads.
 */
typedef void row_sums_fn(int32_t *sums, const float *a, size_t lda, size_t rows, size_t k,
                         const struct product *p);

struct tile;
typedef void micro_fn(struct tile *t); /* may change *t */

/*
 * Makes rows by cols elements of C, from (row, col) on, of their sums in t. The rows of t
 * may be read and written up to a whole vector.
 */
struct epilogue {
	void *c; /* the whole matrix C; post->other is a whole matrix, too */
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
	const unsigned char *panels; /* panels of B, from the first column of C on */
	size_t panel;                /* bytes from one panel to the next */
	const int32_t *sums;         /* s8: the sum over k of each column of B */
	const float *scales;         /* scales of groups of k in the panels; NULL: there are none */
	size_t group;                /* number of k in a group with one scale */
	size_t m, n, k, ldc, lda; /* if kind is F64, n and ldc count words */
	const struct isk_post *post;
	enum operand kind;
	enum isk_type a_type, c_type;
	int32_t a_zero; /* zero point of A as it is packed */
	int32_t flip;   /* bits that packing flips in each word of A: 0x80808080 or 0 */
	copy_fn *copy;  /* makes rows of A; NULL: A is rows in memory, lda apart */
	const void *image; /* the image that copy() reads */
	int words;      /* 32-bit words of a packed row of A for a panel line */
	pack_fn *pack;  /* NULL: A is read in place */
	row_sums_fn *row_sums;
	micro_fn *micro;
	epilogue_fn *epilogue;
	const struct product *wide; /* PAIRS, RAISED_S8: the product for rows of A with elements that are too small */
	int least;                  /* PAIRS: the least exponent field in B, see bf16_pairs.h */
};

/* Computes a whole product. */
typedef void drive_fn(const struct product *p);

/*
 * Computes a whole product of f32 or f64, of which a vector has `lanes`, with at least `lanes` rows and at most
 * FEW_COLUMNS_OF(lanes) columns. Columns of B are step elements apart, elements of a column ldb; one of the two is 1. All
 * sizes and distances in p count elements.
 */
typedef void column_fn(const struct product *p, const void *b, size_t ldb, size_t step);

/* Post-operations that do nothing, for callers that give none. */
static const struct isk_post isk_no_post = {.size = sizeof(isk_no_post)};

/* Whether post changes no sum. */
ISK_INLINE int post_is_plain(const struct isk_post *post)
{
	return !post->scales && !post->row_scale && !post->bias && post->act == ISK_ACT_NONE
	       && post->binary == ISK_BINARY_NONE;
}

/* Whether sums are values of this type of C. */
ISK_INLINE int holds_sums(const enum isk_type c_type)
{
	return c_type == ISK_F32 || c_type == ISK_F64 || c_type == ISK_S32;
}

/* Whether complete sums are the elements of C: its type holds them, and post changes nothing. */
ISK_INLINE int sums_are_c(const struct product *p)
{
	return post_is_plain(p->post) && holds_sums(p->c_type);
}

/* Prefetches rows of `bytes` bytes, ld bytes apart, for reading or writing. */
ISK_INLINE void prefetch_rows(const char *x, size_t ld, size_t rows, size_t bytes, const int write)
{
	for (; rows; rows--, x += ld)
		for (size_t i = 0; i < bytes; i += 64)
			if (write)
				__builtin_prefetch(x + i, 1);
			else
				__builtin_prefetch(x + i);
}

/* Prefetches the elements of post->other that the epilogue will read, since no cache may hold them. */
ISK_INLINE void prefetch_other(const struct isk_post *post, size_t row, size_t col, size_t rows, size_t cols,
                               const enum isk_type type)
{
	const size_t bytes = isk_element_bytes(type), column = type == ISK_F64 ? 4 : bytes;
	const char *x = (const char *)post->other + row * post->ldother * bytes + col * column;

	if (post->binary)
		prefetch_rows(x, post->ldother * bytes, rows, cols * column, 0);
}

/* Divides rows evenly among tiles, or blocks (heights differ by at most 1), and returns the height of the first. */
ISK_INLINE size_t tile_height(size_t rows, size_t tiles)
{
	return tiles > 1 ? (rows + tiles - 1) / tiles : rows;
}

/* The most rows of a wide tile of packed FOURS, which have several chains (chains_of()) in tiles of one panel. */
ISK_INLINE size_t wide_fours(void)
{
	return VL == 16 ? WIDE_FOURS : 0;
}

/*
 * The width of the next tile, given its rows and the columns not yet done (left). flat: C is a single row of tiles, whose
 * sums have room for wide tiles.
 */
ISK_INLINE size_t tile_width(size_t rows, size_t left, const enum operand kind, int flat)
{
	if (kind == FOURS && flat && rows > wide_fours())
		return PANEL;
	return flat && rows <= wide_rows(kind) && left > (WIDE_PANELS - 1) * PANEL ? WIDE_PANELS * PANEL
	       : rows <= MR && left > NR - PANEL                                   ? NR
	                                                                           : PANEL;
}

#endif
