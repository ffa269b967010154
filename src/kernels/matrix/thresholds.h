/* SPDX-License-Identifier: MIT */
/*
 * The constants of matrix products and transposes that were found by measurement: the sizes at which one way becomes
 * faster than another, the sizes of blocks, and the distances of prefetches. Each entry names what the constant decides,
 * its unit, the machine on which it was found, and the rows of bench/peers that repeat the measurement, for
 *
 *     build/bench/peers/peers --rows ROW
 *
 * The commands of the first measurements were not recorded. "Rows: none" means that no row of bench/peers has these
 * shapes. Times are relative to the value that stands here, unless an entry says otherwise. The sizes of tiles (MR, NR,
 * WIDE_PANELS, FLAT, CHUNK and others) are not here, because they follow from the number of registers.
 */
#ifndef ISK_THRESHOLDS_H
#define ISK_THRESHOLDS_H

#include "kernel.h"
#include "vec.h"

/* Whether vectors have 16 lanes, all of which an FMA takes at once. */
#define IS_WHOLE (VL == 16 && !VF_IS_IN_HALVES)

/* Products by a packed B: driver.c and micro.h */

/*
 * KC: the most 32-bit words of a row of A in a part of k. With a tile of 6 rows, 768 are 18 KiB of A, which stay in the
 * first-level cache while any number of panel lines of B passes through it; with 14 rows, 512 are 28 KiB.
 * Zen 3, 64 to 512 rows, k from 512 on: 512 to 768 are 2 to 9 % faster than 256; 1024 are slower if B is bf16.
 * Zen 4 (VL 16): 512 are 2 to 4 % faster than 256. Shapes not recorded. Zen 5 (loaded), 16x768x3072, 16x4096x4096,
 * 64x768x3072, 128x4096x4096 and 512x768x3072: 384 take 0.99 to 1.03, 768 take 0.97 to 1.03. Row: gemm_f32/128x4096x4096
 */
#define KC (VL == 16 ? 512 : 768)

/*
 * NC: columns of a block of C. KC of k by NC of f32 are 768 KiB. Zen 3: 128 instead of 256 take up to 1.10, 512 take
 * 1.00. Shapes not recorded. VL 16, Zen 5 (loaded), nine rows of f32, bf16 and 8 bits from 128x768x3072 to 2048x2048x2048: 256 take
 * 0.83 to 1.08, on average 0.99, and 512 take 0.94 to 1.11, on average 1.02: no more than the noise. Row: gemm_f32/128x4096x4096
 */
#define NC (VL == 16 ? 384 : 256)

/*
 * TALL_LEVEL: the least second-level cache, in bytes, with which blocks are tall (driver.c): panels of KC by NC words take
 * 768 KiB, those that are prefetched as much again, and strips of A and C some 100 KiB. TALL_ROWS: the fewest rows, because
 * all strips but the first share the prefetches. Both by arithmetic: no machine with 2 MiB was at hand. Zen 4, which has 1 MiB
 * and a fast third level: tall blocks of 128 to 2048 rows take 0.99 to 1.03. Rows: gemm_f32/2048x2048x2048, gemm_f32/128x4096x4096, gemm_f32/512x4096x4096
 */
#define TALL_LEVEL ((size_t)2 << 20)
#define TALL_ROWS  (4 * MR)

/*
 * PACKED_WORDS, SUM_WORDS: 32-bit words of packed A and of sums on the stack of the driver, within the 64 KiB
 * of stack that a kernel may take. 7392 in place of 7168 is no measurement: it gives rows of bf16 with denormals, which
 * are widened, room for deep k. How the two share the stack, Zen 5 (loaded), bf16: 5600 and 8192 take 1.02 at 128x768x3072
 * and 1.05 at 128x4096x4096. Row: gemm_bf16/128x4096x4096
 */
#define PACKED_WORDS 7392
#define SUM_WORDS    6400

/*
 * HELD_COLS: columns of a block whose sums wait on the stack, and columns of a strip that go through the epilogue at
 * once. A call of the epilogue for each tile instead costs as much as the work of the epilogue, 5 % of the time of a
 * semantic search by 8-bit products. Zen 5 (loaded), bf16: 64 take 0.99 at 128x768x3072 and 1.13 at 128x4096x4096, 256 take
 * 1.08 and 1.19. Row: gemm_bf16/128x4096x4096
 */
#define HELD_COLS 128

/*
 * FLAT_COLS: the most columns of a block that is a single strip, if k has several parts. Zen 4: 256 take 1.04 at
 * 4x768x3072, 1600 take 1.05 at 4x8192x8192 of 8 bits. Rows: gemm_f32/4x768x3072, gemm_u8s8_s32/4x768x3072
 */
#define FLAT_COLS 512

/*
 * SMALL_COLS: the most columns of a product that takes all of k at once, without a decision about blocks. Zen 4:
 * 1x16x64 takes 0.75 of the time that it takes with the decision. The limit itself: Zen 5 (loaded), 1x256x512, 1x512x13 and
 * 1x512x415: 256 take 1.03 to 1.13, 1024 take 1.03. Row: gemm_f32/1x512x415
 */
#define SMALL_COLS 512

/*
 * STRIPS: pieces of a tile that prefetches for its successors. LOOKS_AHEAD: the fewest panel lines of such a tile.
 * Zen 4: without these prefetches, sizes of 1024 and more take 1.04, and 1.10 if only 64 columns use a row of A.
 * STRIPS, Zen 5 (loaded), f32 of 64x768x3072, 128x768x768, 512x768x768 and 1024x1024x1024: 8 take 1.02 to 1.06, 32 take 1.00
 * to 1.04. LOOKS_AHEAD: half and twice as many take 0.98 to 1.03 there, no more than the noise. Row: gemm_f32/512x768x768
 */
#define STRIPS      16
#define LOOKS_AHEAD (8 * STRIPS)

/*
 * FINISH_ROWS: the numbers of rows, from MR down, of tiles that need no epilogue. Zen 4, dgemm of
 * libisakern-blas3 with beta = 1, time with an epilogue: k = 32 1.32 (968 and 500 rows and columns), k = 64 1.16, k = 200 1.10.
 */
#define FINISH_ROWS 4

/*
 * The distances in bytes at which B is prefetched into the second-level cache. FOURS use up lines faster and look
 * further ahead. Zen 4: if the prefetch goes to the first-level cache, 16 rows by a B of 64 MB take 1.20, because the
 * cache has few fill buffers. PREFETCH_BYTES, Zen 5 (loaded), f32: 2048 take 1.09 at 16x768x3072, 1.19 at 16x4096x4096, 0.98 to
 * 1.01 with 64 to 512 rows; 8192 take 1.02, 1.08 and 1.03 to 1.13; no prefetch takes 1.90, 1.78 and 0.97 to 1.13. The
 * distance of FOURS, Zen 5 (loaded), 14 rows of u8s8_s32 with m of 1, 4 and 16: 4096 take 0.94 to 1.03, 16384 take 0.94 to 1.10.
 * Rows: gemm_f32/16x4096x4096, gemm_u8s8_s32/16x4096x4096
 */
#define PREFETCH_BYTES 4096
#define PREFETCH_FOURS 8192

/*
 * A wide tile of up to FAST_ROWS rows does not prefetch B, because it finishes a line so fast that the CPU's own
 * prefetcher does better: 3 rows take 12 cycles if an FMA takes a vector in two halves. If it takes all lanes at once, so do
 * FAST_ROWS_WHOLE rows. Zen 5 (loaded), time of a product of f32 without prefetches: 4x768x768 0.75, 4x768x3072 0.77,
 * 4x3072x768 0.80, 4x4096x4096 0.89, 6x768x3072 0.84. Row: gemm_f32/4x768x768
 * A tile of FOURS prefetches each line if it has up to FEW_CHAINS chains of additions for each
 * sum, and one line in MOST_CHAINS if it has MOST_CHAINS. FEW_CHAINS, the same 14 rows: 4 take 0.94 to 1.06.
 */
#define FAST_ROWS       3
#define FAST_ROWS_WHOLE 6
#define FEW_CHAINS      2
#define MOST_CHAINS     8

/*
 * WIDE_FOURS: the most rows of a single strip of 8 bits that takes WIDE_PANELS panels at a time, because the CPU fetches several
 * streams faster than one (AVX-512). Zen 4, time of wide tiles relative to one panel with prefetches: 2x8192x8192 0.59,
 * 4x8192x8192 0.81, 1x8192x8192 0.85, 4x4096x4096 0.88, 4x768x768 and 4x3072x768, from a cache, 0.97 to 1.02. With 6 rows
 * sums are spilled. WIDE_LINES: the fewest panel lines for which a single row does so: of 192 and 256 lines, 1x3072x768 and
 * 1x3072x1024 take 1.06, because the streams are short; of 512, 1x2048x2048 takes 0.95. Rows: gemm_u8s8_s32/4x8192x8192, gemm_u8s8_s32/1x3072x768
 */
#define WIDE_FOURS 4
#define WIDE_LINES 512

/* Products of f32 by a packed B: gemm_f32.c */

/*
 * Products with up to SHORT_K of k and SHORT_N columns skip the driver. So do products with less than a panel of columns
 * and MANY_ROWS rows or more, which matmul.c computes. Time of matmul.c relative to the driver, Zen 3: 0.67 to 0.95 with k up to
 * SHORT_K; 1.33 with 1500 columns, because each panel visits all rows of C; 0.90 with MANY_ROWS rows, 1.25 with 33 rows.
 * Zen 4 (VL 16): 64x64x64 0.97. Strips of two panels (by_strips()), which read B once for each strip of A, so that SHORT_K by
 * SHORT_N may take half of a second-level cache of 1 MiB: 1024x1024x64 0.97, 1500x1500x64 0.93, 128x1024x13 0.94, 4096x1024x32
 * 0.81, 33x1500x64 0.98. Rows: gemm_f32/64x64x64, gemm_f32/1024x1024x64, gemm_f32/1500x1500x64, gemm_f32/33x12x4096
 *
 * A single row with up to ROW_K of k takes eight vectors of columns at a time. Time relative to the driver, Zen 5: 1x16x16
 * 0.57, 1x50x20 0.53, 1x100x30 0.80, 1x256x24 0.55, 1x512x13 0.62, 1x1000x30 1.01; 1x512x64, beyond ROW_K, 1.03 to 1.36.
 * Row: gemm_f32/1x512x13
 */
#define SHORT_K   (VL == 16 ? 64 : 192)
#define SHORT_N   (VL == 16 ? 2048 : 512)
#define ROW_K     32
#define MANY_ROWS 64

/*
 * Rows of f32 are read in place, not packed, if B has up to FEW_COLUMNS columns, or if it has up to SOME_COLUMNS columns,
 * C has up to SMALL_C elements and the rows do not share a set of the first-level cache. Time relative to packed rows, Zen 4:
 * 17x12x256 0.83, 1024x32x4096 0.75, 128x768x768 1.00, 512x3072x768 1.02, 1500x64x384 0.93, 1500x128x384 0.97, 1500x192x384
 * 1.05, 1500x384x384 1.07; Zen 5: 196x576x96 0.95. Rows that share a set, Zen 5: 49x512x2048 1.05, 196x256x1024 1.01,
 * 1024x32x4096 0.78, 4096x64x1024 0.98. Rows: gemm_f32/ followed by the shape, except the three of 64, 128 and 192 columns;
 * conv_f32/7x7x2048>512, conv_f32/14x14x1024>256, conv_f32/14x14x96>576
 */
#define FEW_COLUMNS  128
#define SOME_COLUMNS 640
#define SMALL_C      (192 << 10)

/* Products without packing: matmul.c */

/*
 * UNPACKED_KC, UNPACKED_MC: the k and the rows of A of a block if B is copied. UNPACKED_KC by CHUNK of B are 16 KiB of
 * the first-level cache, 32 with AVX-512; UNPACKED_MC by UNPACKED_KC of A are 192 KiB of the second-level cache. Zen 4:
 * KC 192 takes 1.00 with 64 to 1000 rows and up to 1500 columns; MC 96 takes 1.08 at 1000x1500x1500; MC 128 with KC 288
 * takes 0.97 to 1.03. Rows: none
 */
#define UNPACKED_KC 256
#define UNPACKED_MC 192

/*
 * If C has more than LARGE_C elements and B has not, C is computed one row of tiles after the other. Two neighbouring
 * tiles of a row share cache lines; if a whole column of tiles came between them, those lines would have left the
 * second-level cache. Zen 4: 1500x1500x64 takes 0.67 of the time of whole columns. The limit itself: Zen 5 (loaded), six C
 * of 300x300 to 500x500 with k of 32 and 64: 64 << 10 takes 1.00 to 1.02, 256 << 10 takes 0.98 to 1.00.
 * Row: matmul_f32/1500x1500x64
 */
#define LARGE_C (128 << 10)

/*
 * B is read in place, not copied, if A has at most FEW_ROWS rows, because so few rows of tiles do not repay a copy, or if
 * is_near(), given the rows m of A, the size k by n of B and its stride. Time without a copy relative to that with one:
 * Zen 4 (VL 16): 24x200x600 0.80, 32x200x600 0.80, 64x200x600 and 300x200x600 0.90, 96x1000x1000 (a larger B) 1.20. At
 * AVX2: 32x200x600 0.90, 300x200x600 1.10.
 * Zen 5 (IS_WHOLE): 32x512x128 0.78, 512x512x128 0.96, 256x512x512 0.94; 32x1500x600 0.75, 96x1000x1000 0.90,
 * 96x1500x1500 0.97, 128x3000x3000 1.07, because B comes from the third-level cache; 300x200x4100 0.96, 128x300x8200 1.50,
 * because CHUNK columns of B do not stay in the second-level cache. If rows of B collide, they share few sets of that
 * cache too, which hold COLLIDING_SPAN floats from the first row to the last: 32x1024x1024 1.23, 64x4096x512 1.21. A far B
 * and FEW_ROWS: 12x4096x512 0.83, 12x1024x1024 1.23, 16x1024x1024 1.58, 24x3000x3000 1.21, 24x4096x512 1.12.
 * Row: matmul_f32/32x512x128
 */
#define FEW_ROWS       (IS_WHOLE ? 14 : 24)
#define NEAR_DEPTH     192
#define MOST_DEPTH     (IS_WHOLE ? (size_t)4096 : SIZE_MAX)
#define COLLIDING_SPAN (IS_WHOLE ? 256 << 10 : 0)

ISK_INLINE int is_near(size_t m, size_t n, size_t k, size_t ldb, int collides)
{
	const size_t most = IS_WHOLE ? 2 << 20 : VL == 16 ? 768 << 10 : m <= 48 ? 256 << 10 : 0;

	return collides ? k * ldb <= COLLIDING_SPAN : k <= NEAR_DEPTH || (k <= MOST_DEPTH && k * n <= most);
}

/*
 * FEW_COLUMNS_OF(lanes): the most columns of a product that columns.c computes. Zen 4: with seven columns and more, tiles
 * win unless k is deep. suits_columns(): whether columns.c is faster than tiles for this shape. Its time relative to tiles, Zen 4:
 * 57x6x160 1.03, 64x5x128 0.88, 17x1x1024 and 64x8x1024 0.80, 64x2x128 0.60, 1024x3x1024 0.50 (at AVX2 0.67). Row:
 * gemm_f32/17x1x1024, a product by a packed B.
 * Zen 5 (IS_WHOLE), with the least k of the rule: 32x1x16 0.85, 32x2x24 0.93, 32x3x32 0.85, 40x4x40 0.93, 64x6x80 0.76,
 * 64x8x128 0.85. Below it: 1000x2x16 0.87, 200x3x24 0.87, 40x5x40 1.10, 40x8x100 1.07. If few rows are left for the last
 * of few squares, which is then mostly a copy, tiles win: 33x7x4096 1.60, 17x4x256 1.21.
 * f64, Zen 4, at AVX-512, AVX2 and baseline: 256x1x256 0.65 0.58 0.55, 48x1x32 1.00 0.79 0.68, 17x1x1024 1.21 1.49,
 * 256x2x256 0.87 0.82 1.01, 57x2x160 1.05 1.03 1.12, 256x3x256 0.87, 256x4x256 1.06.
 */
#define FEW_COLUMNS_OF(lanes) ((lanes) > 8 ? 8 : (lanes) > 4 ? 6 : 2)

ISK_INLINE int suits_columns(size_t m, size_t n, size_t k, const size_t lanes)
{
	const int is_f64 = lanes < VL;
	const size_t least_k = n <= 4 ? 8 * n + 8 : 24 * n - 64, last = m % lanes;

	if (is_f64)
		return n == 1 ? m >= 48 && k >= 32 : n == 2 && lanes > 2 && m >= 128 && k >= 128;
	if (IS_WHOLE && m >= 2 * lanes && (m >= 4 * lanes || !last || last > lanes / 2))
		return n <= FEW_COLUMNS_OF(lanes) && k >= least_k;
	return n <= FEW_COLUMNS_OF(lanes) && m >= lanes
	       && ((m >= 8 * (n + 1) && k >= 16 && k >= 32 * (n - 1) && m * k >= 1024 * n)
	           || (m >= 4 * (n + 2) && k >= 128 * n));
}

/*
 * FAR_B: the most 32-bit words of a B of which a C of one row reads COLUMNS columns after the other; of a larger B it reads
 * whole rows, and the sums of ROW_COLUMNS columns of f32, or half as many of f64, stay in the first-level cache. Time of
 * whole rows relative to columns, Zen 4: f64 1x512x256 1.12, 1x512x512 1.00, 1x512x1024 0.89, 1x1024x1024 0.90, 1x2048x512
 * 0.98, 1x512x2048 0.72, 1x4096x4096 0.54; f32 1x512x512 1.01, 1x512x1024 0.96, 1x1024x512 1.01, 1x1024x1024 0.93,
 * 1x2000x2000 0.80. Row: matmul_f64/1x1024x1024
 */
#define FAR_B       (512 << 10)
#define ROW_COLUMNS 2048

/*
 * COLLIDING: the least stride of a matrix, in floats, whose rows can fall into the same few sets of the first-level
 * cache. Zen 5 (loaded), matmul_f32 of 1x512x128 and 32x512x128, gemm_f32 of 128x1x1024 and 1024x1x1024: 128 take 0.93 to
 * 1.03, 512 take 1.00 to 1.02, no more than the noise. Row: matmul_f32/32x512x128
 */
#define COLLIDING 256

/*
 * COLLIDING_ROWS: the fewest rows of A that are not one tile if they share a set of the first-level cache. Zen 4: as one
 * tile 12x8x1024 takes 2.0, 16x1x1024 7.0. Rows: none
 */
#define COLLIDING_ROWS 10

/* Products with few columns: columns.c */

/*
 * COLUMNS_DEPTH: the k that a square's rows of A are read before the next ones, so that few pages are in use and the prefetchers
 * find long runs. Zen 4: 1024x1x4096 from memory takes 1.7 with 64, 1.15 with 512. Row: gemm_f32/1024x1x4096 (whose
 * operands may lie in a cache). COLUMNS_SQUARES_OF(lanes): squares, one below the other, for which COLUMNS_DEPTH rows of B are
 * copied once. Zen 5 (loaded), 16 lanes, k = 256, 1024 rows and 1 to 8 columns: 4 take 1.11 to 1.25 times the time of 16, 8 take
 * 1.01 to 1.09, with 8 columns 0.99. For 8 lanes of f64 16 squares have no room on the stack. Row: gemm_f32/1024x3x256
 */
#define COLUMNS_DEPTH             1024
#define COLUMNS_SQUARES_OF(lanes) ((lanes) > 8 ? 16 : 8)

/* Transposes: transpose.c */

/*
 * NEAR_BYTES: the most bytes of a matrix of which no square is prefetched. In a larger one the squares to the right are
 * prefetched, because no CPU foresees cache lines that are rows apart. Zen 3: with the prefetch, 768x3072 floats take
 * 0.87 of the time; in a cache, 1000x1000 elements of one or two bytes take 1.05. Row: transpose_b32/768x3072
 */
#define NEAR_BYTES (3 << 20)

/*
 * strip_rows(): rows of a strip, given the bytes of the matrix and of an element. 64 rows of 64 bytes are 4 KiB of the
 * first-level cache. Zen 4: with 16 rows, 512x512 bytes take 4.0; with 256 rows, 300x401 elements of two bytes take
 * 1.17. If a matrix hardly fits the second-level cache, longer pieces of rows of y gain more: with 64 rows, 4096x4096
 * bytes take 2.5 and 2048x2048 floats take 1.5; with 512 rows, 2048x2048 elements of eight bytes take 1.07. Row:
 * transpose_b32/2048x2048
 */
ISK_INLINE size_t strip_rows(size_t matrix_bytes, size_t element)
{
	return matrix_bytes <= 5 << 20 ? 64 : element < 8 ? 512 : 256;
}

#endif
