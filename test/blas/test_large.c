/* SPDX-License-Identifier: MIT */
/*
 * Routines of one type on matrices that are larger than those of the testers of reference BLAS (65), so that all blocks,
 * panels and copies of src/blas are crossed. Results are compared with sums in double. Elements that a routine must not read
 * are NaN, and those that it must not write are compared. Each line ends with a checksum of the results: bits.py compares those of all ISAs.
 */
#include "matrices.h"

void F(gemm)(const char *, const char *, const int *, const int *, const int *, const elem *, const elem *, const int *,
             const elem *, const int *, const elem *, elem *, const int *);
void F64(gemm)(const char *, const char *, const int64_t *, const int64_t *, const int64_t *, const elem *, const elem *,
               const int64_t *, const elem *, const int64_t *, const elem *, elem *, const int64_t *);
void F(symm)(const char *, const char *, const int *, const int *, const elem *, const elem *, const int *, const elem *,
             const int *, const elem *, elem *, const int *);
void F(hemm)(const char *, const char *, const int *, const int *, const elem *, const elem *, const int *, const elem *,
             const int *, const elem *, elem *, const int *);
void F(syrk)(const char *, const char *, const int *, const int *, const elem *, const elem *, const int *, const elem *,
             elem *, const int *);
void F(herk)(const char *, const char *, const int *, const int *, const REAL *, const elem *, const int *, const REAL *,
             elem *, const int *);
void F(syr2k)(const char *, const char *, const int *, const int *, const elem *, const elem *, const int *, const elem *,
              const int *, const elem *, elem *, const int *);
void F(her2k)(const char *, const char *, const int *, const int *, const elem *, const elem *, const int *, const elem *,
              const int *, const REAL *, elem *, const int *);
void F(trmm)(const char *, const char *, const char *, const char *, const int *, const int *, const elem *, const elem *,
             const int *, elem *, const int *);
void F(trsm)(const char *, const char *, const char *, const char *, const int *, const int *, const elem *, const elem *,
             const int *, elem *, const int *);
void F(gemv)(const char *, const int *, const int *, const elem *, const elem *, const int *, const elem *, const int *,
             const elem *, elem *, const int *);
void F(trmv)(const char *, const char *, const char *, const int *, const elem *, const int *, elem *, const int *);
void F(trsv)(const char *, const char *, const char *, const int *, const elem *, const int *, elem *, const int *);
#if IS_COMPLEX
#define TRANS  "NTC"
#define F_HEMV F(hemv)
#else
#define TRANS  "NT"
#define F_HEMV F(symv)
#endif
#if IS_COMPLEX
void F(geru)(const int *, const int *, const elem *, const elem *, const int *, const elem *, const int *, elem *, const int *);
void F(gerc)(const int *, const int *, const elem *, const elem *, const int *, const elem *, const int *, elem *, const int *);
void F(her)(const char *, const int *, const REAL *, const elem *, const int *, elem *, const int *);
void F(her2)(const char *, const int *, const elem *, const elem *, const int *, const elem *, const int *, elem *, const int *);
#else
void F(ger)(const int *, const int *, const elem *, const elem *, const int *, const elem *, const int *, elem *, const int *);
void F(syr)(const char *, const int *, const REAL *, const elem *, const int *, elem *, const int *);
void F(syr2)(const char *, const int *, const elem *, const elem *, const int *, const elem *, const int *, elem *, const int *);
#endif
void F_HEMV(const char *, const int *, const elem *, const elem *, const int *, const elem *, const int *, const elem *, elem *,
            const int *);

static const double eps = sizeof(REAL) == sizeof(float) ? (double)FLT_EPSILON : DBL_EPSILON;
static int tests, failures;

static uint64_t checksum(uint64_t sum, const elem *x, int n)
{
	const unsigned char *bytes = (const unsigned char *)x;

	for (size_t i = 0; i < (size_t)n * sizeof(elem); i++)
		sum = (sum ^ bytes[i]) * 0x100000001b3;
	return sum;
}

static void report(int good, const char *name, double worst, uint64_t sum)
{
	failures += !good;
	printf("%sok %d - %s bits %016llx\n", good ? "" : "not ", ++tests, name, (unsigned long long)sum);
	if (!good)
		printf("#   error / bound: %g\n", worst);
}

/* The expected C, and the size of its terms, for the bound. */
struct expected {
	wide *sum;
	double *size;
	int m, n, terms;
};

static struct expected expect(int m, int n, const elem *c, int ldc, wide beta)
{
	struct expected e = {malloc((size_t)(m * n) * sizeof(wide)), malloc((size_t)(m * n) * sizeof(double)), m, n, 8};

	for (int j = 0; j < n; j++)
		for (int i = 0; i < m; i++) {
			e.sum[j * m + i] = beta == 0 ? 0 : times(beta, c[j * ldc + i]);
			e.size[j * m + i] = size_of(e.sum[j * m + i]);
		}
	return e;
}

/* alpha * A * B is added, with A of m by k and B of k by n. */
static void add_product(struct expected *e, wide alpha, wide *a, wide *b, int k)
{
	for (int j = 0; j < e->n; j++)
		for (int p = 0; p < k; p++) {
			const wide factor = times(alpha, b[j * k + p]);

			for (int i = 0; i < e->m; i++) {
				e->sum[j * e->m + i] += times(a[p * e->m + i], factor);
				e->size[j * e->m + i] += size_of(a[p * e->m + i]) * size_of(factor);
			}
		}
	e->terms += k;
	free(a);
	free(b);
}

/* part: U or L if only that triangle is computed, else 0. Elsewhere and behind each column C must be UNTOUCHED. */
static void compare(const char *name, struct expected *e, const elem *c, int ldc, char part)
{
	double worst = 0;
	uint64_t sum = 0xcbf29ce484222325;

	for (int j = 0; j < e->n; j++) {
		for (int i = 0; i < ldc; i++) {
			const elem got = c[j * ldc + i];
			const int computed = i < e->m && (!part || (part == 'U' ? i <= j : i >= j));
			const wide wanted = computed ? e->sum[j * e->m + i] : UNTOUCHED;
			const double bound = computed ? eps * (8 + sqrt(e->terms)) * (e->size[j * e->m + i] + 1e-30) : 0;
			const double error = size_of((wide)got - wanted);

			worst = error <= bound ? fmax(worst, bound > 0 ? error / bound : 0) : nan("");
			if (isnan(worst))
				j = e->n, i = ldc;
		}
		sum = j < e->n ? checksum(sum, c + j * ldc, e->m) : sum;
	}
	report(!isnan(worst), name, worst, sum);
	free(e->sum);
	free(e->size);
}

/* C of m by n: NaN where it will be written without being read, UNTOUCHED where it must stay. */
static elem *result_of(int m, int n, char part, int is_read)
{
	const int ld = m + PAD;
	elem *c = random_elements((size_t)(ld * n));

	for (int j = 0; j < n; j++)
		for (int i = 0; i < ld; i++) {
			const int computed = i < m && (!part || (part == 'U' ? i <= j : i >= j));

			c[j * ld + i] = !computed ? UNTOUCHED : is_read ? c[j * ld + i] : number(nan(""), nan(""));
		}
	return c;
}

static void one_gemm(char ta, char tb, int m, int n, int k, elem alpha, elem beta)
{
	struct matrix a = general(m, k, ta), b = general(k, n, tb);
	const int ldc = m + PAD;
	elem *c = result_of(m, n, 0, beta != 0), *again = malloc((size_t)(ldc * n) * sizeof(elem));
	struct expected e = expect(m, n, c, ldc, beta);
	const int64_t wide_m = m, wide_n = n, wide_k = k, lda = a.ld, ldb = b.ld, wide_ldc = ldc;
	char name[64];

	add_product(&e, alpha, whole(&a), whole(&b), k);
	memcpy(again, c, (size_t)(ldc * n) * sizeof(elem));
	F(gemm)(&ta, &tb, &m, &n, &k, &alpha, a.a, &a.ld, b.a, &b.ld, &beta, c, &ldc);
	snprintf(name, sizeof(name), "gemm %c%c %dx%dx%d%s", ta, tb, m, n, k, beta == 0 ? " without C" : "");
	compare(name, &e, c, ldc, 0);
	F64(gemm)(&ta, &tb, &wide_m, &wide_n, &wide_k, &alpha, a.a, &lda, b.a, &ldb, &beta, again, &wide_ldc);
	if (memcmp(c, again, (size_t)(ldc * n) * sizeof(elem)))
		report(0, "gemm_64_ gives the same bits", 0, 0);
	free(a.a);
	free(b.a);
	free(c);
	free(again);
}

static void products(void)
{
	for (const char *ta = TRANS; *ta; ta++)
		for (const char *tb = TRANS; *tb; tb++) {
			one_gemm(*ta, *tb, 150, 135, 170, 1, 0);
			one_gemm(*ta, *tb, 150, 135, 170, number(.7, -.9), number(1.3, *ta == 'N' ? 0 : -1.1));
		}
	one_gemm('N', 'N', 1100, 20, 600, number(-.5, 0), 1);
	one_gemm('T', 'T', 1100, 20, 600, number(1, .25), 0);
	one_gemm('N', 'T', 40, 600, 90, 1, 1);
	one_gemm('N', 'N', 3, 2, 0, 1, 0);
}

static void one_symmetric(int is_hermitian, char side, char uplo)
{
	const int m = side == 'L' ? 270 : 50, n = side == 'L' ? 50 : 270, ldc = m + PAD, of_a = side == 'L' ? m : n;
	struct matrix a = matrix_of(of_a, of_a, is_hermitian ? HERMITIAN : SYMMETRIC, uplo, 'N', 0), b = general(m, n, 'N');
	const elem alpha = number(.7, -.9), beta = side == 'L' ? number(1.3, -1.1) : 0;
	elem *c = result_of(m, n, 0, beta != 0);
	struct expected e = expect(m, n, c, ldc, beta);
	char name[64];

	if (side == 'L')
		add_product(&e, alpha, whole(&a), whole(&b), m);
	else
		add_product(&e, alpha, whole(&b), whole(&a), n);
#if IS_COMPLEX
	if (is_hermitian)
		F(hemm)(&side, &uplo, &m, &n, &alpha, a.a, &a.ld, b.a, &b.ld, &beta, c, &ldc);
	else
#endif
		F(symm)(&side, &uplo, &m, &n, &alpha, a.a, &a.ld, b.a, &b.ld, &beta, c, &ldc);
	snprintf(name, sizeof(name), "%s %c%c", is_hermitian ? "hemm" : "symm", side, uplo);
	compare(name, &e, c, ldc, 0);
	free(a.a);
	free(b.a);
	free(c);
}

/* The imaginary parts of a Hermitian diagonal must not be read. */
static void forget_diagonal(elem *c, int n, int is_hermitian)
{
	for (int i = 0; i < n && is_hermitian; i++)
		c[i * (n + PAD) + i] = number(re_of(c[i * (n + PAD) + i]), nan(""));
}

/* The diagonal of a Hermitian result is real. */
static void make_real(struct expected *e)
{
	for (int i = 0; i < e->n; i++)
		e->sum[i * e->n + i] = real_part(e->sum[i * e->n + i]);
}

static void call_rank_k(int is_hermitian, int is_twice, char uplo, const struct matrix *a, const struct matrix *b, int n, int k,
                        elem alpha, elem beta, elem *c)
{
	const REAL real_alpha = (REAL)re_of(alpha), real_beta = (REAL)re_of(beta);
	const int ldc = n + PAD;

	(void)real_alpha;
	(void)real_beta;
	if (!is_hermitian && !is_twice)
		F(syrk)(&uplo, &a->trans, &n, &k, &alpha, a->a, &a->ld, &beta, c, &ldc);
	else if (!is_hermitian)
		F(syr2k)(&uplo, &a->trans, &n, &k, &alpha, a->a, &a->ld, b->a, &b->ld, &beta, c, &ldc);
#if IS_COMPLEX
	else if (!is_twice)
		F(herk)(&uplo, &a->trans, &n, &k, &real_alpha, a->a, &a->ld, &real_beta, c, &ldc);
	else
		F(her2k)(&uplo, &a->trans, &n, &k, &alpha, a->a, &a->ld, b->a, &b->ld, &real_beta, c, &ldc);
#endif
}

static wide *other_side(struct matrix x, char back)
{
	x.trans = x.trans == 'N' ? back : 'N';
	return whole(&x);
}

static void one_rank_k(int is_hermitian, int is_twice, char uplo, int transposed, int n, int k)
{
	const int ldc = n + PAD;
	const char back = is_hermitian ? 'C' : 'T', trans = transposed ? back : 'N';
	struct matrix a = general(n, k, trans), b = general(n, k, trans);
	const elem alpha = is_hermitian && !is_twice ? number(.7, 0) : number(.7, -.9);
	const elem beta = transposed ? 0 : is_hermitian ? number(1.3, 0) : number(1.3, -1.1);
	elem *c = result_of(n, n, uplo, beta != 0);
	struct expected e;
	char name[64];

	for (int i = 0; i < n && is_hermitian && beta != 0; i++)
		c[i * ldc + i] = number(re_of(c[i * ldc + i]), 0);
	e = expect(n, n, c, ldc, beta);
	forget_diagonal(c, n, is_hermitian && beta != 0);
	if (!is_twice) {
		add_product(&e, alpha, whole(&a), other_side(a, back), k);
	} else {
		add_product(&e, alpha, whole(&a), other_side(b, back), k);
		add_product(&e, is_hermitian ? conj_of(alpha) : (wide)alpha, whole(&b), other_side(a, back), k);
	}
	if (is_hermitian)
		make_real(&e);
	call_rank_k(is_hermitian, is_twice, uplo, &a, &b, n, k, alpha, beta, c);
	snprintf(name, sizeof(name), "%s%s %c%c", is_hermitian ? "her" : "syr", is_twice ? "2k" : "k", uplo, trans);
	compare(name, &e, c, ldc, uplo);
	free(a.a);
	free(b.a);
	free(c);
}

/* B = alpha * op(A) * B; and for trsm, op(A) times the solution is alpha * B. */
static void one_triangular(int solve, char side, char uplo, char trans, char diag)
{
	const int m = side == 'L' ? 150 : 40, n = side == 'L' ? 40 : 150, of_a = side == 'L' ? m : n, ldb = m + PAD;
	struct matrix a = matrix_of(of_a, of_a, TRIANGULAR, uplo, trans, diag), b = {NULL, m, n, ldb, GENERAL, 0, 'N', 0};
	const elem alpha = number(.7, -.9);
	const wide one = 1;
	elem *before = result_of(m, n, 0, 1), *x = malloc((size_t)(ldb * n) * sizeof(elem));
	struct expected e = expect(m, n, before, ldb, 0);
	char name[64];

	memcpy(x, before, (size_t)(ldb * n) * sizeof(elem));
	(solve ? F(trsm) : F(trmm))(&side, &uplo, &trans, &diag, &m, &n, &alpha, a.a, &a.ld, x, &ldb);
	b.a = solve ? x : before;
	if (side == 'L')
		add_product(&e, solve ? one : (wide)alpha, whole(&a), whole(&b), m);
	else
		add_product(&e, solve ? one : (wide)alpha, whole(&b), whole(&a), n);
	/* A solution is right if the product with it is alpha * B, whose rounding is the least of the errors. */
	for (int j = 0; j < n && solve; j++)
		for (int i = 0; i < m; i++) {
			wide *sum = &e.sum[j * m + i];

			*sum = (wide)x[j * ldb + i] + *sum - times(alpha, before[j * ldb + i]);
			e.size[j * m + i] += size_of(times(alpha, before[j * ldb + i]));
		}
	snprintf(name, sizeof(name), "%s %c%c%c%c", solve ? "trsm" : "trmm", side, uplo, trans, diag);
	compare(name, &e, x, ldb, 0);
	free(a.a);
	free(before);
	free(x);
}

static void triangular(void)
{
	for (const char *side = "LR"; *side; side++)
		for (const char *uplo = "UL"; *uplo; uplo++)
			for (const char *trans = TRANS; *trans; trans++)
				for (const char *diag = "NU"; *diag; diag++)
					for (int solve = 0; solve < 2; solve++)
						one_triangular(solve, *side, *uplo, *trans, *diag);
}

/* A vector with an increment, all of whose other elements are UNTOUCHED, and its elements in order. */
static elem *spread(const elem *x, int n, int inc)
{
	const int apart = abs(inc);
	elem *to = malloc((size_t)(n * apart) * sizeof(elem));

	for (int i = 0; i < n * apart; i++)
		to[i] = UNTOUCHED;
	for (int i = 0; i < n; i++)
		to[(inc < 0 ? n - 1 - i : i) * apart] = x[i];
	return to;
}

static void collect(elem *to, elem *x, int n, int inc)
{
	for (int i = 0; i < n; i++)
		to[i] = x[(inc < 0 ? n - 1 - i : i) * abs(inc)];
	for (int i = 0; i < n * abs(inc); i++)
		if (i % abs(inc) && x[i] != UNTOUCHED)
			to[0] = number(nan(""), 0);
	free(x);
}

enum { GEMV, HEMV, TRMV, TRSV };

/* y = alpha * op(A) * x + beta * y, or x = op(A) * x, or the solution, which is multiplied again. */
static void one_of_level2(int which, struct matrix a, elem beta, int incx, int incy)
{
	static const char names[][8] = {"gemv", "hemv", "trmv", "trsv"};
	const int m = a.trans == 'N' ? a.rows : a.cols, n = a.trans == 'N' ? a.cols : a.rows;
	const elem alpha = which < TRMV ? number(.7, -.9) : number(1, 0);
	elem *x = random_elements((size_t)n), *y = result_of(m, 1, 0, beta != 0), *far_x = spread(x, n, incx);
	elem *far_y = spread(y, m, incy);
	struct expected e = expect(m, 1, y, m, beta);
	struct matrix of_x = {x, n, 1, n, GENERAL, 0, 'N', 0};
	char name[64];

	if (which == GEMV)
		F(gemv)(&a.trans, &a.rows, &a.cols, &alpha, a.a, &a.ld, far_x, &incx, &beta, far_y, &incy);
	else if (which == HEMV)
		F_HEMV(&a.uplo, &m, &alpha, a.a, &a.ld, far_x, &incx, &beta, far_y, &incy);
	else
		(which == TRMV ? F(trmv) : F(trsv))(&a.uplo, &a.trans, &a.diag, &n, a.a, &a.ld, far_x, &incx);
	collect(y, far_y, m, incy);
	if (which < TRSV)
		add_product(&e, alpha, whole(&a), whole(&of_x), n);
	if (which == TRMV)
		collect(y, far_x, n, incx);
	if (which == TRSV) {
		struct expected back = expect(m, 1, x, m, -1);

		collect(y, far_x, n, incx);
		of_x.a = y;
		add_product(&back, alpha, whole(&a), whole(&of_x), n);
		for (int i = 0; i < m; i++)
			back.sum[i] += (wide)y[i];
		free(e.sum);
		free(e.size);
		e = back;
	}
	if (which < TRMV)
		free(far_x);
	snprintf(name, sizeof(name), "%s %c%c%c", names[which], a.trans, a.uplo ? a.uplo : '-', a.diag ? a.diag : '-');
	for (int i = 0; i < PAD; i++)
		y[m + i] = UNTOUCHED;
	compare(name, &e, y, m + PAD, 0);
	free(a.a);
	free(x);
	free(y);
}

static void level2(void)
{
	for (const char *trans = TRANS; *trans; trans++) {
		one_of_level2(GEMV, general(1100, 300, *trans), number(1.3, -1.1), 1, 1);
		one_of_level2(GEMV, general(300, 1100, *trans), 0, -2, 3);
		for (const char *uplo = "UL"; *uplo; uplo++) {
			one_of_level2(TRMV, matrix_of(300, 300, TRIANGULAR, *uplo, *trans, 'N'), 0, 1, 1);
			one_of_level2(TRSV, matrix_of(300, 300, TRIANGULAR, *uplo, *trans, 'U'), 0, -3, 1);
		}
	}
	one_of_level2(HEMV, matrix_of(300, 300, IS_COMPLEX ? HERMITIAN : SYMMETRIC, 'U', 'N', 0), 0, 1, 1);
	one_of_level2(HEMV, matrix_of(300, 300, IS_COMPLEX ? HERMITIAN : SYMMETRIC, 'L', 'N', 0), number(1.3, -1.1), 2, -1);
	/* Sums of more than a block, on several threads. */
	for (const char *uplo = "UL"; *uplo; uplo++)
		one_of_level2(HEMV, matrix_of(1109, 1109, IS_COMPLEX ? HERMITIAN : SYMMETRIC, *uplo, 'N', 0), 0, 1, 1);
}

/* A = A + alpha * x * y^T and its relatives, on matrices large enough for several threads. uplo 0: ger, and gerc if hermitian. */
static void one_rank_1(int is_hermitian, int is_twice, char uplo)
{
	const int m = uplo ? 750 : 600, n = uplo ? 750 : 500, lda = m + PAD, incx = 1, incy = is_twice ? 1 : -2;
	const elem alpha = is_hermitian && uplo && !is_twice ? number(.7, 0) : number(.7, -.9);
	const REAL real_alpha = (REAL)re_of(alpha);
	elem *x = random_elements((size_t)m), *y = random_elements((size_t)n), *far_y = spread(y, n, incy);
	elem *a = result_of(m, n, uplo, 1);
	struct matrix of_x = {x, m, 1, m, GENERAL, 0, 'N', 0}, of_y = {uplo && !is_twice ? x : y, n, 1, n, GENERAL, 0, 'N', 0};
	const char back = is_hermitian ? 'C' : 'T';
	struct expected e;
	char name[64];

	for (int i = 0; i < n && is_hermitian && uplo; i++)
		a[i * lda + i] = number(re_of(a[i * lda + i]), 0);
	e = expect(m, n, a, lda, 1);
	forget_diagonal(a, n, is_hermitian && uplo);
	add_product(&e, alpha, whole(&of_x), other_side(of_y, back), 1);
	if (is_twice)
		add_product(&e, is_hermitian ? conj_of(alpha) : (wide)alpha, whole(&of_y), other_side(of_x, back), 1);
	if (is_hermitian && uplo)
		make_real(&e);
	(void)real_alpha;
#if IS_COMPLEX
	if (!uplo)
		(is_hermitian ? F(gerc) : F(geru))(&m, &n, &alpha, x, &incx, far_y, &incy, a, &lda);
	else if (is_twice)
		F(her2)(&uplo, &n, &alpha, x, &incx, far_y, &incy, a, &lda);
	else
		F(her)(&uplo, &n, &real_alpha, x, &incx, a, &lda);
#else
	if (!uplo)
		F(ger)(&m, &n, &alpha, x, &incx, far_y, &incy, a, &lda);
	else if (is_twice)
		F(syr2)(&uplo, &n, &alpha, x, &incx, far_y, &incy, a, &lda);
	else
		F(syr)(&uplo, &n, &alpha, x, &incx, a, &lda);
#endif
	snprintf(name, sizeof(name), "%s%s %c", is_hermitian ? "her" : "syr", is_twice ? "2" : "", uplo ? uplo : '-');
	compare(name, &e, a, lda, uplo);
	free(x);
	free(y);
	free(far_y);
	free(a);
}

static void updates(void)
{
	for (int is_hermitian = 0; is_hermitian <= IS_COMPLEX; is_hermitian++) {
		one_rank_1(is_hermitian, 0, 0);
		for (const char *uplo = "UL"; *uplo && is_hermitian == IS_COMPLEX; uplo++)
			for (int is_twice = 0; is_twice < 2; is_twice++)
				one_rank_1(is_hermitian, is_twice, *uplo);
		/* So long a k that sums are computed outside C. */
		for (int i = 0; i < 4; i++)
			one_rank_k(is_hermitian, i / 2, "UL"[i % 2], i / 2, 180, 300);
	}
}

int main(void)
{
	products();
	for (int is_hermitian = 0; is_hermitian <= IS_COMPLEX; is_hermitian++)
		for (const char *uplo = "UL"; *uplo; uplo++) {
			one_symmetric(is_hermitian, 'L', *uplo);
			one_symmetric(is_hermitian, 'R', *uplo);
			for (int i = 0; i < 4; i++)
				one_rank_k(is_hermitian, i / 2, *uplo, i % 2, 200, 70);
		}
	triangular();
	level2();
	updates();
	printf("1..%d\n", tests);
	return failures != 0;
}
