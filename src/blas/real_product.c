/* SPDX-License-Identifier: MIT */
/*
 * A product of real matrices: large ones by isk_gemm, of a B that is packed here, small ones by isk_matmul. Both give the
 * same bits, and so does a product in parts of its rows or columns. Therefore the sizes at which this source decides
 * are free, and without memory for a packed B isk_matmul does all.
 */
#include "real_product.h"
#include "xerbla.h"
#include <stdlib.h>

enum {
	MOST_SMALL = 96 * 96 * 96, /* m * n * k below which packing does not pay */
	FEW_ROWS = 12,             /* of A, among which packing B would have to pay */
	COLUMNS = 1024,            /* of B that are packed at a time, a multiple of 16 */
	ROWS = 256,                /* of a transposed A that are copied at a time */
};

static struct isk_post post_of(const struct real_product *p, const void *alpha)
{
	return (struct isk_post){.size = sizeof(struct isk_post), .scale = alpha, .scales = p->alpha != 1, .other = p->c,
	                         .binary = p->beta != 0 ? ISK_BINARY_AXPY : ISK_BINARY_NONE, .ldother = p->ldc,
	                         .other_scale = (double)p->beta};
}

/* BLAS has no way to report an error, and all arguments have been checked. */
static void must(int status)
{
	if (status)
		blas_no_memory();
}

static void in_place(const struct real_product *p)
{
	const struct isk_post post = post_of(p, &p->alpha);

	must(KERNEL(matmul)(p->c, p->a, p->b, p->m, p->n, p->k, p->ldc, p->lda, p->ldb, p->transposed, &post));
}

/* Rows of A times a packed B. */
static void rows_by_packed(const struct real_product *p, const real *a, size_t lda, const void *packed, size_t row, size_t rows)
{
	struct real_product part = *p;
	struct isk_post post;

	part.c += row * p->ldc;
	post = post_of(&part, &p->alpha);
	must(KERNEL(gemm)(part.c, a, packed, rows, p->n, p->k, p->ldc, lda, &post));
}

/* A transposed A is copied, ROWS of its rows at a time. */
static int turned_by_packed(const struct real_product *p, const void *packed)
{
	real *turned = malloc(ROWS * p->k * sizeof(real));

	if (!turned)
		return 0;
	for (size_t i = 0; i < p->m; i += ROWS) {
		const size_t rows = p->m - i < ROWS ? p->m - i : ROWS;

		BITS_KERNEL(transpose)((void *)turned, (const void *)(p->a + i), p->k, rows, p->k, p->lda);
		rows_by_packed(p, turned, p->k, packed, i, rows);
	}
	free(turned);
	return 1;
}

static int by_packed(const struct real_product *p, void *packed, size_t bytes)
{
	must(KERNEL(gemm_pack)(packed, p->b, bytes, p->k, p->n, p->ldb, (p->transposed & ISK_TRANSPOSED_B) != 0));
	if (p->transposed & ISK_TRANSPOSED_A)
		return turned_by_packed(p, packed);
	rows_by_packed(p, p->a, p->lda, packed, 0, p->m);
	return 1;
}

void CORE(real_product)(const struct real_product *p)
{
	const enum isk_type type = sizeof(real) == sizeof(float) ? ISK_F32 : ISK_F64;
	struct real_product part = *p;
	void *packed = NULL;
	size_t bytes;

	part.n = p->n < COLUMNS ? p->n : COLUMNS;
	bytes = isk_packed_size(type, p->k, part.n);
	if (p->m > FEW_ROWS && p->n > FEW_ROWS && (double)p->m * (double)p->n * (double)p->k > MOST_SMALL)
		packed = aligned_alloc(64, (bytes + 63) / 64 * 64);
	for (size_t j = 0; packed && j < p->n; j += COLUMNS) {
		part.n = p->n - j < COLUMNS ? p->n - j : COLUMNS;
		part.c = p->c + j;
		part.b = p->b + j * (p->transposed & ISK_TRANSPOSED_B ? p->ldb : 1);
		if (!by_packed(&part, packed, bytes))
			in_place(&part);
	}
	if (!packed)
		in_place(p);
	free(packed);
}
