/* SPDX-License-Identifier: MIT */
/*
 * Norm, and the logarithm of a sum of exponentials.
 *
 * The norm of f32 and 16-bit elements is the root of a sum in f64. The norm of f64 is the root of the sum of squares. If
 * that sum is tiny or huge, elements are multiplied by 2^600 or 2^-600 first.
 *
 * ln(sum of e^x) = m + ln(sum of e^(x - m)), m being the largest element; the logarithm is the correctly rounded one, in
 * f64 that of logarithm.h.
 *
 * Worst found, in units of the contract: nrm2 0.5 ulp, logsumexp 0.93 (f64).
 */
#include "norms_kernels.h"
#include "of_type.h"
#include "blocks.h"
#include "exp_lanes.h"
#include "logarithm.h"
#include "wide_sums.h"

LINES_OF(scaled_lines, P_SCALED)

/* A tiny sum may lack squares that vanished, and squares in a huge one may overflow, so these are computed again, scaled. */
ISK_INLINE double norm_f64(const elem *x, size_t n, size_t step)
{
	double scale = 1;
	lane s[MAX_SUMS];

	part_all(s, scaled_lines, x, NULL, n, step, (lane)scale, P_SCALED);
	if ((double)s[0] < 0x1p-960 || (double)s[0] > 0x1p1020) {
		scale = s[0] < 1 ? 0x1p600 : 0x1p-600;
		part_all(s, scaled_lines, x, NULL, n, step, (lane)scale, P_SCALED);
	}
	return __builtin_sqrt((double)s[0]) / scale;
}

ISK_INLINE lane norm(const elem *x, size_t n, size_t step)
{
	if (TYPE == ISK_F64)
		return (lane)norm_f64(x, n, step);
	return (lane)__builtin_sqrt(wide_sums((const char *)x, n, step, 0, 0, 0, TYPE).second);
}

lane KERNEL(nrm2)(const elem *x, size_t n)
{
	return norm(x, n, 1);
}

lane KERNEL(nrm2_strided)(const elem *x, size_t n, size_t incx)
{
	return norm(x, n, incx);
}

/* The sums of e^(x - centre). A round adds to four lines. */
ISK_APART static void powers_lines(line *out, const elem *x, const elem *none, size_t n, size_t after, size_t step,
                                   lane centre)
{
	const int is_masked = VL > 4 && sizeof(elem) == sizeof(lane) && step == 1;
	const uint64_t nothing = nothing_bits(P_MOST, 0);
	const size_t count = COUNT, round = 4 * LINE;
	vec acc[4 * VECTORS];
	struct room room;

	(void)none;
	(void)after;
	for (size_t v = 0; v < round / count; v++)
		acc[v] = splat(0);
	while (n) {
		const size_t now = n < round ? n : round;
		const elem *p = (now < round && !is_masked) || step != 1
		                    ? ISK_PART(room, copied)(&room, x, now, step, sizeof(elem), round, nothing)
		                    : x;

		for (size_t i = 0; i < now; i += count) {
			const size_t left = is_masked ? now - i : count;

			acc[i / count] += ISK_WORD(power)(first_lanes(load(p, i, left), left, -INFINITE) - centre);
		}
		n -= now;
		x += now * step;
	}
	for (size_t half = 2 * VECTORS; half >= VECTORS; half /= 2)
		for (size_t v = 0; v < half; v++)
			acc[v] += acc[v + half];
	for (size_t v = 0; v < VECTORS; v++)
		out->v[v] = acc[v];
}

void ISK_FN(cr_log_f32)(float *y, const float *x, size_t n);

/* A whole vector of one sum, because the load of a lane and its neighbours would wait until all these are in the cache. */
ISK_INLINE lane logarithm(lane sum)
{
	_Alignas(64) float same[VL];

	if (TYPE == ISK_F64)
		return (lane)ln_of_one((double)sum);
	vf_store(same, vf_set1((float)sum));
	ISK_FN(cr_log_f32)(same, same, VL);
	return (lane)same[0];
}

/* The sum of e^(x[i] - most), or 1, whose logarithm is 0, if the largest element, most, is infinite or NaN and thus the result. */
ISK_APART static lane sum_of_powers(const elem *x, size_t n, size_t step, lane most)
{
	lane s[MAX_SUMS];

	if (most - most != 0)
		return 1;
	part_all(s, powers_lines, x, NULL, n, step, most, P_DOT);
	return s[0];
}

/* The logarithm of the sum of e^x[i], given the largest element. */
ISK_INLINE lane log_of_sum(const elem *x, size_t n, size_t step, lane most)
{
	return most + logarithm(sum_of_powers(x, n, step, most));
}

lane KERNEL(max)(const elem *x, size_t n);
lane KERNEL(max_strided)(const elem *x, size_t n, size_t incx);

lane KERNEL(logsumexp)(const elem *x, size_t n)
{
	return log_of_sum(x, n, 1, KERNEL(max)(x, n));
}

lane KERNEL(logsumexp_strided)(const elem *x, size_t n, size_t incx)
{
	return log_of_sum(x, n, incx, KERNEL(max_strided)(x, n, incx));
}

/* Replaces sums by their logarithms. */
ISK_INLINE void logarithms(lane *sums, size_t n)
{
	if (TYPE != ISK_F64)
		ISK_FN(cr_log_f32)((float *)(void *)sums, (float *)(void *)sums, n);
	for (size_t i = 0; i < n && TYPE == ISK_F64; i += VD)
		vd_store_as(sums, i, ln_of(vd_load_as(sums, i, n - i, ISK_F64)), n - i, ISK_F64);
}

/* The logarithms of many rows are computed together, because one takes as long as those of a vector. */
void KERNEL(logsumexp_rows)(elem *y, const elem *x, size_t rows, size_t cols, size_t ldx)
{
	enum { TOGETHER = 64 };
	lane most[TOGETHER], sum[TOGETHER];

	for (size_t r = 0, now; r < rows; r += now) {
		now = rows - r < TOGETHER ? rows - r : TOGETHER;
		for (size_t i = 0; i < now; i++) {
			most[i] = KERNEL(max)(x + (r + i) * ldx, cols);
			sum[i] = sum_of_powers(x + (r + i) * ldx, cols, 1, most[i]);
		}
		logarithms(sum, now);
		for (size_t i = 0; i < now; i++)
			store_one(y, r + i, most[i] + sum[i]);
	}
}
