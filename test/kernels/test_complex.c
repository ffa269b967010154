/* SPDX-License-Identifier: MIT */
/*
 * Products of complex matrices have the bits that the contract names: for each part, a chain over k of two fused
 * multiply-adds, of elements of B that were multiplied by alpha before; whether a matrix is transposed or conjugated. At
 * baseline a multiply-add rounds its product. The build defines REAL, the type of the parts, and PRODUCT, the kernel.
 */
#include <isakern.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 12000, TURNS = 80 };

struct number {
	REAL re, im;
};

static struct number a[MOST], b[MOST], c[MOST], got[MOST];
static int is_fused;

/* Numbers of both signs and of sizes from 2^-8 to 2^8. */
static REAL drawn(void)
{
	const double unit = (double)rand() / RAND_MAX * 2 - 1;

	return (REAL)ldexp(unit, rand() % 17 - 8);
}

static size_t below(size_t n)
{
	return (size_t)rand() % n;
}

static void fill(struct number *x)
{
	for (size_t i = 0; i < MOST; i++)
		x[i] = (struct number){drawn(), drawn()};
}

static REAL madd(REAL x, REAL y, REAL sum)
{
	const REAL product = x * y;

	if (!is_fused)
		return product + sum;
	return sizeof(REAL) == sizeof(float) ? (REAL)fmaf((float)x, (float)y, (float)sum)
	                                     : (REAL)fma((double)x, (double)y, (double)sum);
}

struct problem {
	size_t m, n, k, ldc, lda, ldb;
	unsigned transposed, conjugated;
	REAL alpha, alpha_im, beta;
};

static struct problem draw(void)
{
	static const REAL factors[][3] = {{1, 0, 0}, {1, 0, 1}, {-1, 0, 1}, {0.5, -1.25, 0}, {0.75, 3, -0.375}, {0, 0, 2}};
	const REAL *f = factors[below(6)];
	struct problem p = {.m = 1 + below(40), .n = 1 + below(40), .transposed = (unsigned)below(2), .conjugated = (unsigned)below(4),
	                    .alpha = f[0], .alpha_im = f[1], .beta = f[2]};

	p.k = below(below(2) ? 20 : 260);
	p.ldc = p.n + below(3);
	p.lda = p.k + below(3);
	p.ldb = (p.transposed ? p.k : p.n) + below(3);
	return p;
}

static struct number conjugate_if(unsigned conjugated, struct number x)
{
	return (struct number){x.re, conjugated ? -x.im : x.im};
}

/* An element of B, multiplied by alpha unless that is 1. */
static struct number element_of_b(const struct problem *p, size_t row, size_t col)
{
	const struct number x = conjugate_if(p->conjugated & ISK_CONJUGATED_B, b[p->transposed ? col * p->ldb + row : row * p->ldb + col]);
	const REAL re_re = p->alpha * x.re, im_im = p->alpha_im * x.im, re_im = p->alpha * x.im, im_re = p->alpha_im * x.re;

	if (p->alpha == 1 && p->alpha_im == 0)
		return x;
	return (struct number){re_re - im_im, re_im + im_re};
}

static struct number named(const struct problem *p, size_t row, size_t col)
{
	const struct number before = c[row * p->ldc + col];
	struct number sum = {0, 0};

	for (size_t i = 0; i < p->k && (p->alpha != 0 || p->alpha_im != 0); i++) {
		const struct number x = conjugate_if(p->conjugated & ISK_CONJUGATED_A, a[row * p->lda + i]), y = element_of_b(p, i, col);

		sum.re = madd(-x.im, y.im, madd(x.re, y.re, sum.re));
		sum.im = madd(x.im, y.re, madd(x.re, y.im, sum.im));
	}
	if (p->beta != 0)
		sum = (struct number){madd(p->beta, before.re, sum.re), madd(p->beta, before.im, sum.im)};
	return sum;
}

static int is_right(const struct problem *p)
{
	size_t wrong = 0;

	memcpy(got, c, sizeof(got));
	if (PRODUCT(got, a, b, p->m, p->n, p->k, p->ldc, p->lda, p->ldb, p->transposed, p->conjugated, p->alpha, p->alpha_im, p->beta))
		return 0;
	for (size_t i = 0; i < MOST; i++) {
		const int written = i / p->ldc < p->m && i % p->ldc < p->n;
		const struct number wanted = written ? named(p, i / p->ldc, i % p->ldc) : c[i];

		wrong += memcmp(&got[i], &wanted, sizeof(wanted)) != 0;
	}
	return !wrong;
}

int main(void)
{
	int failed = 0;

	is_fused = strcmp(isk_isa_current(), "baseline") != 0;
	fill(a);
	fill(b);
	fill(c);
	for (int turn = 1; turn <= TURNS; turn++) {
		const struct problem p = draw();
		const int right = is_right(&p);

		failed += !right;
		printf("%sok %d - %zux%zux%zu, transposed %u, conjugated %u, alpha %g %g, beta %g\n", right ? "" : "not ", turn, p.m,
		       p.n, p.k, p.transposed, p.conjugated, (double)p.alpha, (double)p.alpha_im, (double)p.beta);
	}
	printf("1..%d\n", TURNS);
	return failed != 0;
}
