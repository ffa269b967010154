/* SPDX-License-Identifier: MIT */
/*
 * Kernels of matrices and vectors have the bits of the routines of the BLAS that compute the same, for random sizes and
 * options, where there is fused multiply-add. Kernels have matrices by rows, so the routines are called with row-major ones.
 * Elements beyond a result are compared too. The build defines LETTER, s or d, and KERNELS, the type of the kernels.
 */
#include "matrices.h"

#include <cblas.h>
#include <isakern.h>

#define KERNEL(name) PASTE(isk_, name##_, KERNELS)

enum { MOST = 200, STRIDE = MOST + 4, ALL = MOST * STRIDE, TURNS = 30 };

struct problem {
	int m, n, k; /* at most MOST, and strides are at least that, so that any matrix fits */
	int lda, ldb, ldc;
	unsigned lower, transposed, unit;
	REAL alpha, beta;
	CBLAS_UPLO uplo;
	CBLAS_TRANSPOSE trans;
	CBLAS_DIAG diag;
};

/* The operands, and two copies of what a kernel and the routine change. */
static REAL a[ALL], b[ALL], ours[ALL], theirs[ALL];

static int below(int n)
{
	return rand() % n;
}

static REAL drawn(void)
{
	return (REAL)(rand() / (double)RAND_MAX * 2 - 1);
}

/* Every second problem crosses blocks of 64 rows. The diagonal is large, so that solutions stay of the size of the right sides. */
static struct problem draw(void)
{
	static const REAL factors[] = {1, -1, 0.75, 0};
	const int most = below(2) ? 30 : MOST;
	struct problem p = {.m = 1 + below(most), .n = 1 + below(most), .k = 1 + below(most), .lower = (unsigned)below(2),
	                    .transposed = (unsigned)below(2), .unit = (unsigned)below(2), .alpha = factors[below(3)],
	                    .beta = factors[below(4)]};

	p.lda = MOST + below(4);
	p.ldb = MOST + below(4);
	p.ldc = MOST + below(4);
	p.uplo = p.lower ? CblasLower : CblasUpper;
	p.trans = p.transposed ? CblasTrans : CblasNoTrans;
	p.diag = p.unit ? CblasUnit : CblasNonUnit;
	for (int i = 0; i < ALL; i++) {
		a[i] = i % (p.lda + 1) ? drawn() / 64 : 2 + drawn();
		b[i] = drawn();
		ours[i] = theirs[i] = drawn();
	}
	return p;
}

/* A kernel changes `ours`, a routine `theirs`. p is the problem. */
#define COMPARE(name, of_kernel, of_blas)                                      \
	static void name(const struct problem *p)                                  \
	{                                                                          \
		(void)(of_kernel);                                                     \
		of_blas;                                                               \
	}

#define M (size_t)p->m
#define N (size_t)p->n
#define K (size_t)p->k
#define A (size_t)p->lda
#define B (size_t)p->ldb
#define Y (size_t)p->ldc

COMPARE(gemv, (KERNEL(gemv)(ours, a, b, M, N, A, p->alpha, p->beta), 0),
        C(gemv)(CblasRowMajor, CblasNoTrans, p->m, p->n, p->alpha, a, p->lda, b, 1, p->beta, theirs, 1))
COMPARE(gemv_t, (KERNEL(gemv_t)(ours, a, b, M, N, A, p->alpha, p->beta), 0),
        C(gemv)(CblasRowMajor, CblasTrans, p->m, p->n, p->alpha, a, p->lda, b, 1, p->beta, theirs, 1))
COMPARE(ger, (KERNEL(ger)(ours, a, b, M, N, Y, p->alpha), 0),
        C(ger)(CblasRowMajor, p->m, p->n, p->alpha, a, 1, b, 1, theirs, p->ldc))
COMPARE(symv, KERNEL(symv)(ours, a, b, N, A, p->lower, p->alpha, p->beta),
        C(symv)(CblasRowMajor, p->uplo, p->n, p->alpha, a, p->lda, b, 1, p->beta, theirs, 1))
COMPARE(trmv, KERNEL(trmv)(ours, a, N, A, p->lower, p->transposed, p->unit),
        C(trmv)(CblasRowMajor, p->uplo, p->trans, p->diag, p->n, a, p->lda, theirs, 1))
COMPARE(trsv, KERNEL(trsv)(ours, a, N, A, p->lower, p->transposed, p->unit),
        C(trsv)(CblasRowMajor, p->uplo, p->trans, p->diag, p->n, a, p->lda, theirs, 1))
COMPARE(syr, KERNEL(syr)(ours, b, N, Y, p->lower, p->alpha),
        C(syr)(CblasRowMajor, p->uplo, p->n, p->alpha, b, 1, theirs, p->ldc))
COMPARE(syr2, KERNEL(syr2)(ours, a, b, N, Y, p->lower, p->alpha),
        C(syr2)(CblasRowMajor, p->uplo, p->n, p->alpha, a, 1, b, 1, theirs, p->ldc))
COMPARE(symm, KERNEL(symm)(ours, a, b, M, N, Y, A, B, p->lower, p->alpha, p->beta),
        C(symm)(CblasRowMajor, CblasLeft, p->uplo, p->m, p->n, p->alpha, a, p->lda, b, p->ldb, p->beta, theirs, p->ldc))
COMPARE(symm_right, KERNEL(symm_right)(ours, a, b, M, N, Y, A, B, p->lower, p->alpha, p->beta),
        C(symm)(CblasRowMajor, CblasRight, p->uplo, p->m, p->n, p->alpha, a, p->lda, b, p->ldb, p->beta, theirs, p->ldc))
COMPARE(syrk, KERNEL(syrk)(ours, a, N, K, Y, A, p->lower, p->transposed, p->alpha, p->beta),
        C(syrk)(CblasRowMajor, p->uplo, p->trans, p->n, p->k, p->alpha, a, p->lda, p->beta, theirs, p->ldc))
COMPARE(syr2k, KERNEL(syr2k)(ours, a, b, N, K, Y, A, B, p->lower, p->transposed, p->alpha, p->beta),
        C(syr2k)(CblasRowMajor, p->uplo, p->trans, p->n, p->k, p->alpha, a, p->lda, b, p->ldb, p->beta, theirs, p->ldc))
COMPARE(trmm, KERNEL(trmm)(ours, a, M, N, Y, A, p->lower, p->transposed, p->unit, p->alpha),
        C(trmm)(CblasRowMajor, CblasLeft, p->uplo, p->trans, p->diag, p->m, p->n, p->alpha, a, p->lda, theirs, p->ldc))
COMPARE(trmm_right, KERNEL(trmm_right)(ours, a, M, N, Y, A, p->lower, p->transposed, p->unit, p->alpha),
        C(trmm)(CblasRowMajor, CblasRight, p->uplo, p->trans, p->diag, p->m, p->n, p->alpha, a, p->lda, theirs, p->ldc))
COMPARE(trsm, KERNEL(trsm)(ours, a, M, N, Y, A, p->lower, p->transposed, p->unit, p->alpha),
        C(trsm)(CblasRowMajor, CblasLeft, p->uplo, p->trans, p->diag, p->m, p->n, p->alpha, a, p->lda, theirs, p->ldc))
COMPARE(trsm_right, KERNEL(trsm_right)(ours, a, M, N, Y, A, p->lower, p->transposed, p->unit, p->alpha),
        C(trsm)(CblasRowMajor, CblasRight, p->uplo, p->trans, p->diag, p->m, p->n, p->alpha, a, p->lda, theirs, p->ldc))

static const struct {
	const char *name;
	void (*compare)(const struct problem *p);
} pairs[] = {{"gemv", gemv}, {"gemv_t", gemv_t}, {"ger", ger}, {"symv", symv}, {"trmv", trmv}, {"trsv", trsv}, {"syr", syr},
             {"syr2", syr2}, {"symm", symm}, {"symm_right", symm_right}, {"syrk", syrk}, {"syr2k", syr2k}, {"trmm", trmm},
             {"trmm_right", trmm_right}, {"trsm", trsm}, {"trsm_right", trsm_right}};

int main(void)
{
	const int count = (int)(sizeof(pairs) / sizeof(pairs[0]));
	int failed = 0;

	for (int i = 0; i < count; i++) {
		int wrong = 0;

		for (int turn = 0; turn < TURNS; turn++) {
			const struct problem p = draw();

			pairs[i].compare(&p);
			if (memcmp(ours, theirs, sizeof(ours)) == 0)
				continue;
			wrong++;
			printf("# m %d, n %d, k %d, lower %u, transposed %u, unit %u, alpha %g, beta %g\n", p.m, p.n, p.k, p.lower,
			       p.transposed, p.unit, (double)p.alpha, (double)p.beta);
		}
		printf("%sok %d - %s: %d of %d calls differ\n", wrong ? "not " : "", i + 1, pairs[i].name, wrong, TURNS);
		failed += wrong;
	}
	printf("1..%d\n", count);
	return failed != 0;
}
