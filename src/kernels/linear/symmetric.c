/* SPDX-License-Identifier: MIT */
/*
 * Products of matrices with a symmetric matrix of which one triangle is stored, by the tiles of matmul.c. Each sum is one chain
 * of fused multiply-adds in the order of k, as in gemm.
 *
 * syrk and syr2k: a triangle of C is two smaller ones and a rectangle, which matmul computes. The smallest ones are squares on
 * the diagonal, computed outside C, because the other triangle is not written.
 *
 * symm: the columns of some rows of A are those left of the diagonal, a square on it, and those right of it. Of the first and
 * the last, one lies in memory as rows and the other as columns; the square is written out. So each sum continues twice.
 *
 * symm_right: matmul.c copies parts of its right operand, and these are made of the triangle.
 */
#include "symmetric_kernels.h"
#include "of_type.h"
#include "part.h"
#include "unpacked.h"

ISK_EXTERN int KERNEL(matmul)(elem *c, const elem *a, const elem *b, size_t m, size_t n, size_t k, size_t ldc, size_t lda,
                              size_t ldb, unsigned transposed, const struct isk_post *post);
ISK_EXTERN multiply_copied_fn KERNEL(multiply_copied);
ISK_EXTERN multiply_in_place_fn KERNEL(multiply_in_place);

/* Rows of a square on the diagonal. That of syrk waits on the stack while matmul works, which takes most of 64 KiB itself. */
enum { SQUARE = 64, UPDATED = 128 / sizeof(elem) };

ISK_INLINE size_t lesser(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* The post-operations of alpha * sum + beta * C, for C from this element on. */
ISK_INLINE struct isk_post scaled(const lane *alpha, lane beta, const elem *c, size_t ldc)
{
	return (struct isk_post){.size = sizeof(struct isk_post), .scale = alpha, .scales = *alpha != 1, .other = c, .ldother = ldc,
	                         .binary = beta != 0 ? ISK_BINARY_AXPY : ISK_BINARY_NONE, .other_scale = (double)beta};
}

/* A product of which C has one triangle: a and b are rows of k elements or, if transposed, columns. */
struct update {
	elem *c;
	const elem *a, *b;
	size_t k, ldc, lda, ldb;
	unsigned lower, transposed;
	lane alpha, beta;
};

/* `rows` rows of A, from `row` on, times the transposes of `cols` rows of B, from `col` on, to c. */
static void rectangle(const struct update *u, elem *c, size_t ldc, size_t row, size_t rows, size_t col, size_t cols)
{
	const struct isk_post post = scaled(&u->alpha, u->beta, c, ldc);

	KERNEL(matmul)(c, u->a + row * (u->transposed ? 1 : u->lda), u->b + col * (u->transposed ? 1 : u->ldb), rows, cols,
	               u->alpha == 0 ? 0 : u->k, ldc, u->lda, u->ldb, u->transposed ? ISK_TRANSPOSED_A : ISK_TRANSPOSED_B, &post);
}

/* The stored elements of rows and columns `first` to `first + count` of a square matrix. */
static void copy_stored(elem *to, size_t ldto, const elem *from, size_t ldfrom, size_t count, unsigned lower)
{
	for (size_t i = 0; i < count; i++, to += ldto, from += ldfrom)
		for (size_t j = lower ? 0 : i; j < (lower ? i + 1 : count); j++)
			to[j] = from[j];
}

static __attribute__((noinline)) void on_diagonal(const struct update *u, size_t first, size_t count)
{
	elem square[UPDATED * UPDATED], *c = u->c + first * u->ldc + first;

	if (u->beta != 0) {
		__builtin_memset(square, 0, sizeof(square));
		copy_stored(square, count, c, u->ldc, count, u->lower);
	}
	rectangle(u, square, count, first, count, first, count);
	copy_stored(c, u->ldc, square, count, count, u->lower);
}

static void triangle(const struct update *u, size_t from, size_t to)
{
	const size_t half = from + ((to - from) / 2 + UPDATED - 1) / UPDATED * UPDATED;
	const size_t row = u->lower ? half : from, col = u->lower ? from : half;

	if (to - from <= UPDATED) {
		on_diagonal(u, from, to - from);
		return;
	}
	triangle(u, from, half);
	triangle(u, half, to);
	rectangle(u, u->c + row * u->ldc + col, u->ldc, row, (u->lower ? to : half) - row, col, (u->lower ? half : to) - col);
}

ISK_INLINE int check_update(size_t n, size_t k, size_t ldc, size_t lda, size_t ldb, unsigned lower, unsigned transposed)
{
	const size_t row = transposed ? n : k;

	return lower > 1 || transposed > 1 ? ISK_ERR_SHAPE : ldc < n || lda < row || ldb < row ? ISK_ERR_STRIDE : ISK_OK;
}

int KERNEL(syr2k)(elem *c, const elem *a, const elem *b, size_t n, size_t k, size_t ldc, size_t lda, size_t ldb, unsigned lower,
                  unsigned transposed, lane alpha, lane beta)
{
	const struct update first = {c, b, a, k, ldc, ldb, lda, lower, transposed, alpha, beta};
	const struct update second = {c, a, b, k, ldc, lda, ldb, lower, transposed, alpha, 1};
	const int status = check_update(n, k, ldc, lda, ldb, lower, transposed);

	if (status || !n)
		return status;
	triangle(&first, 0, n);
	triangle(&second, 0, n);
	return ISK_OK;
}

int KERNEL(syrk)(elem *c, const elem *a, size_t n, size_t k, size_t ldc, size_t lda, unsigned lower, unsigned transposed,
                 lane alpha, lane beta)
{
	const struct update all = {c, a, a, k, ldc, lda, lda, lower, transposed, alpha, beta};
	const int status = check_update(n, k, ldc, lda, lda, lower, transposed);

	if (!status && n)
		triangle(&all, 0, n);
	return status;
}

/* A symmetric matrix. */
struct symmetric {
	const elem *a;
	size_t lda;
	unsigned lower;
};

/* Writes rows by cols elements of A, from (row, col) on; behind each row zeros, up to a whole vector. */
static void write_out(elem *to, size_t ldto, const struct symmetric *s, size_t row, size_t col, size_t rows, size_t cols)
{
	for (size_t i = row; i < row + rows; i++, to += ldto) {
		for (size_t j = col; j < col + cols; j++)
			to[j - col] = s->a[(s->lower ? j <= i : j >= i) ? i * s->lda + j : j * s->lda + i];
		for (size_t j = cols; j % COUNT; j++)
			to[j] = 0;
	}
}

static void copy_symmetric(lane *to, const struct matmul *p, size_t at, size_t col, size_t deep, size_t width)
{
	write_out(to, COLUMNS, p->made, at, col, deep, width);
}

ISK_INLINE int check_symm(size_t order, size_t n, size_t ldc, size_t lda, size_t ldb, unsigned lower)
{
	return lower > 1 ? ISK_ERR_SHAPE : lda < order || ldb < n || ldc < n ? ISK_ERR_STRIDE : ISK_OK;
}

int KERNEL(symm_right)(elem *c, const elem *a, const elem *b, size_t m, size_t n, size_t ldc, size_t lda, size_t ldb,
                       unsigned lower, lane alpha, lane beta)
{
	const struct symmetric s = {a, lda, lower};
	const struct isk_post post = scaled(&alpha, beta, c, ldc);
	const struct matmul p = {c, b, NULL, m, n, alpha == 0 ? 0 : n, ldc, ldb, 0, 0, &post, copy_symmetric, &s};
	const int status = check_symm(n, n, ldc, lda, ldb, lower);

	if (!status && m && n)
		KERNEL(multiply_copied)(&p);
	return status;
}

/* To sums, `deep` of k: `flags` says whether rows of A are stored as columns, and MORE that the sums continue. */
ISK_INLINE void add_part(elem *sums, const elem *a, size_t lda, const elem *b, size_t ldb, size_t rows, size_t cols, size_t deep,
                         unsigned flags)
{
	const struct matmul p = {.c = sums, .a = a, .b = b, .m = rows, .n = cols, .k = deep, .ldc = COLUMNS, .lda = lda, .ldb = ldb,
	                         .transposed = flags};

	KERNEL(multiply_in_place)(&p);
}

/* The sums of `rows` rows of A, from `row` on, and of up to COLUMNS columns of B, which begin at b. */
static __attribute__((noinline)) void sums_of(elem *sums, const struct symmetric *s, const elem *b, size_t ldb, size_t order,
                                              size_t row, size_t rows, size_t cols)
{
	const size_t end = row + rows;
	const unsigned left = s->lower ? 0 : ISK_TRANSPOSED_A, right = s->lower ? ISK_TRANSPOSED_A : 0;
	elem square[SQUARE * SQUARE];

	write_out(square, SQUARE, s, row, row, rows, rows);
	if (row)
		add_part(sums, s->a + row * (left ? 1 : s->lda), s->lda, b, ldb, rows, cols, row, left);
	add_part(sums, square, SQUARE, b + row * ldb, ldb, rows, cols, rows, row ? MORE : 0);
	if (end < order)
		add_part(sums, s->a + (right ? end * s->lda + row : row * s->lda + end), s->lda, b + end * ldb, ldb, rows, cols, order - end,
		         right | MORE);
}

int KERNEL(symm)(elem *c, const elem *a, const elem *b, size_t m, size_t n, size_t ldc, size_t lda, size_t ldb, unsigned lower,
                 lane alpha, lane beta)
{
	const struct symmetric s = {a, lda, lower};
	const int status = check_symm(m, n, ldc, lda, ldb, lower);
	elem sums[SQUARE * COLUMNS] = {0};

	for (size_t j = 0; m && j < n && !status; j += COLUMNS)
		for (size_t i = 0; i < m; i += SQUARE) {
			const size_t rows = lesser(m - i, SQUARE), cols = lesser(n - j, COLUMNS);

			if (alpha != 0)
				sums_of(sums, &s, b + j, ldb, m, i, rows, cols);
			for (size_t row = 0; row < rows; row++)
				for (size_t at = 0; at < cols; at += COUNT) {
					const vec sum = splat(alpha) * load(sums, row * COLUMNS + at, cols - at);
					elem *to = c + (i + row) * ldc + j;

					store(to, at, beta == 0 ? sum : multiply_add(splat(beta), load(to, at, cols - at), sum), cols - at);
				}
		}
	return status;
}
