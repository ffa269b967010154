/* SPDX-License-Identifier: MIT */
/*
 * Level 1 of one type on longer vectors than those of the testers of reference BLAS: a result has the same bits whatever the
 * increments, and is near the sum in double. Givens rotations are checked by what they do, also with tiny and huge numbers.
 */
#include "matrices.h"

void F(axpy)(const int *, const elem *, const elem *, const int *, elem *, const int *);
void F(scal)(const int *, const elem *, elem *, const int *);
void F(copy)(const int *, const elem *, const int *, elem *, const int *);
void F(swap)(const int *, elem *, const int *, elem *, const int *);
void F(rotg)(elem *, elem *, REAL *, elem *);
REAL F_NRM2(const int *, const elem *, const int *);
REAL F_ASUM(const int *, const elem *, const int *);
int PASTE(i, LETTER, amax_)(const int *, const elem *, const int *);
int64_t PASTE(i, LETTER, amax_64_)(const int64_t *, const elem *, const int64_t *);
size_t PASTE(cblas_i, LETTER, amax)(int, const elem *, int);
#if IS_COMPLEX
elem F(dotu)(const int *, const elem *, const int *, const elem *, const int *);
elem F(dotc)(const int *, const elem *, const int *, const elem *, const int *);
void C(dotc_sub)(int, const elem *, int, const elem *, int, elem *);
#else
elem F(dot)(const int *, const elem *, const int *, const elem *, const int *);
void F(rotmg)(elem *, elem *, elem *, const elem *, elem *);
#endif

static const double eps = sizeof(REAL) == sizeof(float) ? (double)FLT_EPSILON : DBL_EPSILON;
static int tests, failures;
static uint64_t sum_of_bits = 0xcbf29ce484222325;

/* Results of which bits.py compares a checksum. */
static void keep(const void *results, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		sum_of_bits = (sum_of_bits ^ ((const unsigned char *)results)[i]) * 0x100000001b3;
}

static void ok(int good, const char *name, int n)
{
	failures += !good;
	printf("%sok %d - %s, n = %d\n", good ? "" : "not ", ++tests, name, n);
}

static int near(wide got, wide wanted, double size)
{
	return size_of(got - wanted) <= 32 * eps * size;
}

static int same(const elem *a, const elem *b, int n)
{
	return !memcmp(a, b, (size_t)n * sizeof(elem));
}

/* The elements at an increment, in the order in which a routine takes them. */
static elem *spread(const elem *x, int n, int inc)
{
	elem *to = random_elements((size_t)(n * abs(inc)));

	for (int i = 0; i < n; i++)
		to[(inc < 0 ? n - 1 - i : i) * abs(inc)] = x[i];
	return to;
}

static void check_sums(int n, const elem *x, const elem *y, int incx, int incy)
{
	elem *far_x = spread(x, n, incx), *far_y = spread(y, n, incy);
	const int one = 1, positive = abs(incx);
	wide wanted = 0;
	double size = 0, sum = 0, squares = 0;
	elem near_dot, far_dot;
	REAL results[2];

	for (int i = 0; i < n; i++) {
		wanted += times(x[i], y[i]);
		size += size_of(x[i]) * size_of(y[i]);
		sum += size_of(x[i]);
		squares += re_of(x[i]) * re_of(x[i]) + im_of(x[i]) * im_of(x[i]);
	}
#if IS_COMPLEX
	near_dot = F(dotu)(&n, x, &one, y, &one);
	far_dot = F(dotu)(&n, far_x, &incx, far_y, &incy);
#else
	near_dot = F(dot)(&n, x, &one, y, &one);
	far_dot = F(dot)(&n, far_x, &incx, far_y, &incy);
#endif
	ok(near(near_dot, wanted, size) && same(&near_dot, &far_dot, 1), "dot", n);
	keep(&near_dot, sizeof(near_dot));
#if IS_COMPLEX
	wanted = 0;
	for (int i = 0; i < n; i++)
		wanted += times(conj_of(x[i]), y[i]);
	near_dot = F(dotc)(&n, x, &one, y, &one);
	C(dotc_sub)(n, far_x, incx, far_y, incy, &far_dot);
	ok(near(near_dot, wanted, size) && same(&near_dot, &far_dot, 1), "dotc", n);
#endif
	results[0] = F_NRM2(&n, x, &one);
	results[1] = F_ASUM(&n, x, &one);
	keep(results, sizeof(results));
	ok(near(results[0], sqrt(squares), sqrt(squares)) && results[0] == F_NRM2(&n, far_x, &incx), "nrm2", n);
	ok(near(results[1], sum, sum), "asum", n);
	ok(incx < 0 ? F_ASUM(&n, far_x, &incx) == 0 : F_ASUM(&n, x, &one) == F_ASUM(&n, far_x, &positive),
	   "asum of an increment, which must be positive", n);
	free(far_x);
	free(far_y);
}

static void check_vectors(int n, const elem *x, const elem *y, int incx, int incy)
{
	const elem alpha = number(.7, -.9);
	const int one = 1, positive = abs(incy);
	elem *far_x = spread(x, n, incx), *far_y = spread(y, n, incy), *at_y = spread(y, n, 1), *back;

	F(axpy)(&n, &alpha, x, &one, at_y, &one);
	F(axpy)(&n, &alpha, far_x, &incx, far_y, &incy);
	back = spread(y, n, 1);
	F(copy)(&n, far_y, &incy, back, &one);
	ok(same(at_y, back, n), "axpy has the same bits with increments", n);
	keep(at_y, (size_t)n * sizeof(elem));
	for (int i = 0; i < n; i++)
		if (!near(at_y[i], times(alpha, x[i]) + (wide)y[i], 4))
			ok(0, "axpy", n);
	F(swap)(&n, far_x, &incx, far_y, &incy);
	F(copy)(&n, far_x, &incx, back, &one);
	ok(same(at_y, back, n), "swap", n);
	free(far_y);
	far_y = spread(y, n, positive);
	F(scal)(&n, &alpha, far_y, &positive);
	F(scal)(&n, &alpha, at_y, &one);
	F(copy)(&n, y, &one, at_y, &one);
	F(scal)(&n, &alpha, at_y, &one);
	F(copy)(&n, far_y, &positive, back, &one);
	ok(same(at_y, back, n), "scal has the same bits with increments", n);
	free(far_x);
	free(far_y);
	free(at_y);
	free(back);
}

static void check_largest(int n, elem *x, int incx)
{
	elem *far = spread(x, n, incx);
	const int64_t wide_n = n, wide_inc = incx;
	int wanted = n ? 1 : 0;

	for (int i = 0; i < n; i++)
		if (size_of(x[i]) > size_of(x[wanted - 1]))
			wanted = i + 1;
	ok(PASTE(i, LETTER, amax_)(&n, far, &incx) == wanted && PASTE(i, LETTER, amax_64_)(&wide_n, far, &wide_inc) == wanted
	   && PASTE(cblas_i, LETTER, amax)(n, far, incx) == (size_t)(n ? wanted - 1 : 0), "iamax", n);
	free(far);
}

/* The first of two largest elements is found, in whichever block it lies; a NaN only if it comes first. */
static void check_ties(int n, elem *x)
{
	const int one = 1;
	int first;

	if (n < 2)
		return;
	first = PASTE(i, LETTER, amax_)(&n, x, &one);
	x[n - 1] = x[first - 1];
	ok(PASTE(i, LETTER, amax_)(&n, x, &one) == first, "iamax of two", n);
	if (first > 1) {
		x[0] = number(nan(""), 0);
		ok(PASTE(i, LETTER, amax_)(&n, x, &one) == 1, "iamax with a NaN that comes first", n);
		x[0] = 0;
		x[first - 2] = number(nan(""), 0);
		ok(PASTE(i, LETTER, amax_)(&n, x, &one) == (first == 2 ? 1 : first), "iamax with a NaN", n);
	}
}

/* c^2 + |s|^2 = 1, and the rotation turns (a, b) into (r, 0). All is scaled by a power of two. */
static void check_rotg(wide a, wide b, int exponent)
{
	const double scale = ldexp(1, exponent);
	elem r = (elem)(a * scale), other = (elem)(b * scale), s;
	const double size = size_of(a) + size_of(b);
	REAL c;
	wide turned, rest;

	F(rotg)(&r, &other, &c, &s);
	keep(&r, sizeof(r));
	keep(&s, sizeof(s));
	turned = (double)c * a + times(s, b);
	rest = (double)c * b - times(conj_of(s), a);
	ok(near(turned, (wide)r / scale, size) && near(rest, 0, size)
	   && near((double)c * (double)c + times(s, conj_of(s)), 1, 1), "rotg", exponent);
}

#if !IS_COMPLEX
/* The rotation of rotmg, with the elements that p implies, turns (x, y) into (new x, 0) and keeps d1 x^2 + d2 y^2. */
static void check_rotmg(double d1, double d2, double x, double y)
{
	elem new_d1 = (elem)d1, new_d2 = (elem)d2, new_x = (elem)x, p[5] = {0, 0, 0, 0, 0};
	const elem of_y = (elem)y;
	double h[4];

	F(rotmg)(&new_d1, &new_d2, &new_x, &of_y, p);
	h[0] = p[0] == 0 ? 1 : (double)p[1];
	h[1] = p[0] == 1 ? -1 : (double)p[2];
	h[2] = p[0] == 1 ? 1 : (double)p[3];
	h[3] = p[0] == 0 ? 1 : (double)p[4];
	ok(near((elem)(h[0] * x + h[2] * y - (double)new_x), 0, fabs((double)new_x)), "rotmg gives the new x", (int)p[0]);
	ok(fabs(h[1] * x + h[3] * y) <= 32 * eps * (fabs(h[1] * x) + fabs(h[3] * y)), "rotmg makes the other 0", (int)p[0]);
	ok(near((elem)((double)new_d1 * (double)new_x * (double)new_x / (d1 * x * x + d2 * y * y)), 1, 1),
	   "rotmg keeps the norm", (int)p[0]);
}
#endif

int main(void)
{
	static const int sizes[] = {0, 1, 2, 100, 129, 255, 256, 257, 1000};
	const int most = sizeof(REAL) == sizeof(float) ? 100 : 900;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		const int n = sizes[i];
		elem *x = random_elements((size_t)n), *y = random_elements((size_t)n);

		check_sums(n, x, y, 3, -2);
		check_sums(n, x, y, -1, 1);
		check_vectors(n, x, y, 1, -3);
		check_vectors(n, x, y, -2, 1);
		check_largest(n, x, 1);
		check_largest(n, x, 3);
		check_ties(n, x);
		free(x);
		free(y);
	}
	for (int exponent = -most; exponent <= most; exponent += most) {
		check_rotg(number(.6, .3), number(-.7, .2), exponent);
		check_rotg(number(-.7, .2), number(.1, -.4), exponent);
		check_rotg(number(0, 0), number(.1, -.4), exponent);
		check_rotg(number(.5, 0), number(0, 0), exponent);
	}
#if !IS_COMPLEX
	check_rotmg(.5, .25, 1, .5);
	check_rotmg(.25, .5, .5, 2);
	check_rotmg(1e-16, 1e-15, 3, 1);
	check_rotmg(1e15, 1e-16, 3, 1);
	check_rotmg(1e-15, 1e16, 3, 1);
#endif
	printf("# bits %016llx\n1..%d\n", (unsigned long long)sum_of_bits, tests);
	return failures != 0;
}
