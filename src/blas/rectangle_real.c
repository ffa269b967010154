/* SPDX-License-Identifier: MIT */
/* Large products by isk_gemm of a packed B, small ones by isk_matmul. Both give the same bits. */
#include "gemv.h"
#include "rectangle.h"
#include "room.h"
#include "xerbla.h"

enum {
	MOST_SMALL = 96 * 96 * 96, /* m * n * k up to which packing does not pay, */
	FEW = 192,                 /* rows of A, or columns, up to which it does not pay either: isk_matmul copies B once for them, */
	FEW_FAR = 64,              /* but from a B with more than NEAR bytes, whose rows are read, it copies too slowly */
	NEAR = 1 << 20,
	SHORT = 96,                /* if k is not longer and C is added, isk_gemm saves a pass over C, so these limits hold instead: */
	SHORT_SMALL = 64 * 64 * 64,
	SHORT_FEW = 12,
	SUMS = 256,                /* rows of sums that are computed outside C at a time, */
	LONG = 256,                /* if k is longer */
};

/* BLAS has no way to report an error, and all arguments have been checked. */
static void must(int status)
{
	if (status)
		blas_no_memory();
}

/*
 * Time of isk_gemm by that of isk_matmul (Zen 4, doubles, packing included, sizes of m x n x k here): beta = 1: 128x300x32 .81,
 * 128x968x64 .88, 128x968x128 1.02, 100x100x32 .88, 64x64x64 1.11; beta = 0: 128x300x300 1.11. With a transposed B
 * 32x968x968 1.2, 160x968x968 1.07. With rows that are not aligned to a cache line 32x968x968 1.12, 64x968x968 1.12,
 * 128x968x968 .87, 64x500x500 1.15, 128x700x700 .92.
 */
size_t CORE(packed_bytes)(const struct by_rows *p, size_t count)
{
	const int is_short = p->k <= SHORT && p->beta != 0;
	const int is_near = p->b.trans & TRANSPOSED || (double)p->k * (double)p->n * sizeof(real) <= NEAR;
	const size_t few = is_short ? SHORT_FEW : is_near ? FEW : FEW_FAR;
	const double small = is_short ? SHORT_SMALL : MOST_SMALL;
	const int pays = p->m > few && p->n > few && (double)p->m * (double)p->n * (double)p->k > small;

	return pays ? isk_packed_size(sizeof(real) == sizeof(float) ? ISK_F32 : ISK_F64, p->k, count) : 0;
}

void CORE(pack)(const struct by_rows *p, void *packed, size_t bytes, size_t at, size_t count)
{
	const struct operand b = p->b;
	const int transposed = b.trans & TRANSPOSED;

	must(KERNEL(gemm_pack)(packed, b.a + at * (transposed ? (size_t)b.ld : 1), bytes, p->k, count, (size_t)b.ld, transposed));
}

int CORE(takes_transposed)(const struct columns *columns)
{
	return !columns->packed;
}

static void multiply(const struct by_rows *p, struct operand a, size_t count, const struct columns *columns, struct span s,
                     real *c, size_t ldc, real alpha, real beta)
{
	const size_t width = s.to - s.from, lda = (size_t)a.ld, ldb = (size_t)p->b.ld;
	const int transposed = p->b.trans & TRANSPOSED;
	struct isk_post post = {.size = sizeof(post), .scale = &alpha, .scales = alpha != 1, .other = c, .ldother = ldc,
	                        .binary = beta != 0 ? ISK_BINARY_AXPY : ISK_BINARY_NONE, .other_scale = (double)beta};

	if (columns->packed) {
		post.first_column = s.from - columns->at;
		must(KERNEL(gemm)(c, a.a, columns->packed, count, width, p->k, ldc, lda, &post));
	} else {
		must(KERNEL(matmul)(c, a.a, p->b.a + s.from * (transposed ? ldb : 1), count, width, p->k, ldc, lda, ldb,
		                    (a.trans & TRANSPOSED ? ISK_TRANSPOSED_A : 0u) | (transposed ? ISK_TRANSPOSED_B : 0u), &post));
	}
}

void CORE(sums)(const struct by_rows *p, struct operand a, size_t count, const struct columns *columns, struct span s,
                real *sums, size_t ld)
{
	multiply(p, a, count, columns, s, sums, ld, 1, 0);
}

void CORE(add_sums)(const struct by_rows *p, real *c, real *sums, size_t n)
{
	CORE(finish)(c, sums, (int64_t)n, p->alpha, p->beta);
}

/*
 * If k is long, the kernel keeps sums in C between parts of k, unless it needs C for beta. Then it multiplies small blocks,
 * which takes 1.07 times as long for 1000 x 1000 x 1000 (Zen 4). So the sums are computed elsewhere. Returns 0 without memory.
 */
static int by_sums(const struct by_rows *p, struct operand a, size_t count, const struct columns *columns, struct span s,
                   real *c, size_t ldc)
{
	const size_t width = s.to - s.from;
	real *sums = blas_take_room(lesser_size(count, SUMS) * width * sizeof(real));

	if (!sums)
		return 0;
	for (size_t i = 0, rows; i < count; i += rows) {
		rows = lesser_size(count - i, SUMS);
		CORE(sums)(p, part_of(a, 0, (int64_t)i), rows, columns, s, sums, width);
		for (size_t row = 0; row < rows; row++)
			CORE(add_sums)(p, c + (i + row) * ldc, sums + row * width, width);
	}
	blas_give_room(sums);
	return 1;
}

void CORE(rectangle)(const struct by_rows *p, struct operand a, size_t count, const struct columns *columns, struct span s,
                     real *c, size_t ldc)
{
	if (!columns->packed || p->beta == 0 || p->k <= LONG || !by_sums(p, a, count, columns, s, c, ldc))
		multiply(p, a, count, columns, s, c, ldc, p->alpha, p->beta);
}
