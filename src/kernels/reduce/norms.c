/* SPDX-License-Identifier: MIT */
/*
 * Norm, mean and variance, and the logarithm of a sum of exponentials.
 *
 * Elements of f32 and of 16 bits are summed in 32 lanes of f64, element i in lane
 * i % 32, because squares cannot overflow or vanish there, and the roundings of fewer
 * than 2^40 of them are too small to show in f32. Mean and variance sum the distances
 * from the first element, or from 0 if that is not finite, and their squares.
 *
 * The norm of f64 is the root of the sum of squares. If that sum is tiny or huge,
 * elements are multiplied by 2^600 or 2^-600 first. The variance of f64 reads the
 * elements a second time, for their distances from the mean.
 *
 * ln(sum of e^x) = m + ln(sum of e^(x - m)), m being the largest element; the
 * logarithm is the correctly rounded one, in f64 that of logarithm.h.
 *
 * Worst found, in units of the contract: nrm2 0.5 ulp, mean 0.46, variance 0.79 (f64),
 * logsumexp 0.93 (f64), combine_moments 5.2, which 7 roundings bound.
 */
#include "norms_kernels.h"
#include "blocks.h"
#include "exp_lanes.h"
#include "logarithm.h"

#define LANES 32

/* Sums of x - centre and of their squares. */
struct sums {
	double first, second;
};

ISK_INLINE double fold(vd acc[LANES / VD])
{
#pragma GCC unroll 4
	for (int half = LANES / VD / 2; half >= 8 / VD; half /= 2)
#pragma GCC unroll 8
		for (int v = 0; v < half; v++)
			acc[v] += acc[v + half];
	return vd_fold_add(acc);
}

/* The last round is padded with the centre: `nothing` has its bits. */
ISK_INLINE struct sums wide(const char *x, size_t n, size_t step, double centre, uint64_t nothing, const int both,
                            const enum isk_type type)
{
	const size_t bytes = isk_element_bytes(type);
	vd first[LANES / VD], second[LANES / VD];
	struct room room;
	struct sums s = {0, 0};

#pragma GCC unroll 16
	for (int v = 0; v < LANES / VD; v++)
		first[v] = second[v] = vd_set1(0);
	while (n) {
		const size_t now = n < LANES ? n : LANES;
		const char *p = now < LANES || step != 1 ? copied(&room, x, now, step, bytes, LANES, nothing) : x;

#pragma GCC unroll 8
		for (int v = 0; v < LANES / VL; v++) {
			const vf e = vf_load_as(p, (size_t)(v * VL), VL, type);
			vd low = vf_low_half(e), high = vf_high_half(e);

			if (both) {
				low -= vd_set1(centre);
				high -= vd_set1(centre);
				first[2 * v] += low;
				first[2 * v + 1] += high;
			}
			second[2 * v] = vd_fma(low, low, second[2 * v]);
			second[2 * v + 1] = vd_fma(high, high, second[2 * v + 1]);
		}
		n -= now;
		x += now * step * bytes;
	}
	if (both)
		s.first = fold(first);
	s.second = fold(second);
	return s;
}

#define NORM_vf(kernel, T)                                                     \
	ISK_INLINE float norm_##T(const ISK_C_##T *x, size_t n, size_t step)       \
	{                                                                          \
		return (float)__builtin_sqrt(wide((const char *)x, n, step, 0, 0, 0, ISK_ENUM_##T).second); \
	}

/* A tiny sum may lack squares that vanished, and squares in a huge one may overflow, so these are computed again, scaled. */
#define NORM_vd(kernel, T)                                                     \
	LINES_OF(lines_##kernel, T, P_SCALED)                                      \
                                                                               \
	ISK_INLINE LANE_OF(T) norm_##T(const ISK_C_##T *x, size_t n, size_t step)  \
	{                                                                          \
		LANE_OF(T) s[MAX_SUMS], scale = 1;                                     \
                                                                               \
		part_all_vd(s, lines_##kernel, x, NULL, n, step, scale, P_SCALED, ISK_ENUM_##T); \
		if (s[0] < 0x1p-960 || s[0] > 0x1p1020) {                              \
			scale = s[0] < 1 ? 0x1p600 : 0x1p-600;                             \
			part_all_vd(s, lines_##kernel, x, NULL, n, step, scale, P_SCALED, ISK_ENUM_##T); \
		}                                                                      \
		return __builtin_sqrt(s[0]) / scale;                                   \
	}
#define NORM(kernel, T, ...) ISK_PASTE2(NORM_, ISK_VECTOR(T))(kernel, T)
ISK_EACH_nrm2(NORM, )

#define NORM_OF_ARRAY(kernel, T, ...)                                          \
	LANE_OF(T) ISK_FN(kernel)(const ISK_C_##T *x, size_t n)                    \
	{                                                                          \
		return norm_##T(x, n, 1);                                              \
	}
#define NORM_STRIDED(kernel, T, ...)                                           \
	LANE_OF(T) ISK_FN(kernel)(const ISK_C_##T *x, size_t n, size_t incx)       \
	{                                                                          \
		return norm_##T(x, n, incx);                                           \
	}
ISK_EACH_nrm2(NORM_OF_ARRAY, )
ISK_EACH_nrm2_strided(NORM_STRIDED, )

/* The mean, and the sum of the squares of the distances from it. */
struct moments {
	double mean, m2;
};

/* The moments of n elements, from the sums of their distances from centre. */
ISK_INLINE struct moments moments(double centre, struct sums s, size_t n)
{
	const double shift = s.first / (double)n, m2 = s.second - s.first * shift;

	return (struct moments){centre + shift, m2 < 0 || !n ? 0 : m2};
}

#define MOMENTS_vf(T)                                                          \
	__attribute__((noinline)) static struct moments moments_##T(const ISK_C_##T *x, size_t n) \
	{                                                                          \
		float first = n ? FIRST_OF(T, x) : 0;                                  \
		uint64_t nothing = 0;                                                  \
                                                                               \
		if (first - first == 0) {                                              \
			for (int i = 0; n && i < 8 / (int)sizeof(*x); i++)                 \
				__builtin_memcpy((char *)&nothing + i * (int)sizeof(*x), x, sizeof(*x)); \
		} else {                                                               \
			first = 0;                                                         \
		}                                                                      \
		return moments((double)first, wide((const char *)x, n, 1, (double)first, nothing, 1, ISK_ENUM_##T), n); \
	}

#define MOMENTS_vd(T)                                                          \
	LINES_OF(lines_moments_##T, T, P_DEVIATION)                                \
	LANE_OF(T) SIBLING(sum, T)(const ISK_C_##T *x, size_t n);                  \
                                                                               \
	__attribute__((noinline)) static struct moments moments_##T(const ISK_C_##T *x, size_t n) \
	{                                                                          \
		const double mean = SIBLING(sum, T)(x, n) / (double)n;                 \
		double s[MAX_SUMS];                                                    \
                                                                               \
		part_all_vd(s, lines_moments_##T, x, NULL, n, 1, mean, P_DEVIATION, ISK_ENUM_##T); \
		if (mean - mean != 0)                                                  \
			return (struct moments){mean, n ? __builtin_nan("") : 0};                 \
		return moments(mean, (struct sums){s[0], s[1]}, n);                    \
	}
#define MOMENTS(kernel, T, ...) ISK_PASTE2(MOMENTS_, ISK_VECTOR(T))(T)
ISK_EACH_meanvar(MOMENTS, )

#define VARIANCES(kernel, T, divisor) VARIANCES_AS(kernel, T, T, divisor)
#define VARIANCES_AS(kernel, F, T, divisor)                                    \
	void ISK_FN(kernel)(ISK_C_##T *mean, ISK_C_##T *variance, const ISK_C_##F *x, size_t rows, size_t cols, \
	                    size_t ldx)                                            \
	{                                                                          \
		for (size_t r = 0; r < rows; r++, x += ldx) {                          \
			const struct moments m = moments_##F(x, cols);                     \
                                                                               \
			PUT_OF(T, mean, r, (LANE_OF(T))m.mean);                            \
			PUT_OF(T, variance, r, (LANE_OF(T))(m.m2 / (divisor)));            \
		}                                                                      \
	}
ISK_EACH_meanvar(VARIANCES, (double)cols)
/* Without elements, the variance is 0 / 0. */
ISK_EACH_meanvar_unbiased(VARIANCES, (double)cols - (cols > 0))
ISK_EACH_meanm2(VARIANCES, 1)
ISK_EACH_meanm2_wide(VARIANCES_AS, 1)

/* If one part is empty, the result is that of the other part, whatever mean and m2 the empty part has. */
#define COMBINE(kernel, T, ...)                                                \
	void ISK_FN(kernel)(ISK_C_##T *mean, ISK_C_##T *m2, const ISK_C_##T *mean_a, const ISK_C_##T *m2_a, \
	                    const ISK_C_##T *mean_b, const ISK_C_##T *m2_b, size_t n, size_t count_a, size_t count_b) \
	{                                                                          \
		const double a = (double)count_a, b = (double)count_b;                 \
		const ISK_C_##T part = (ISK_C_##T)(b / (a + b)), weight = (ISK_C_##T)(a * (b / (a + b))); \
                                                                               \
		for (size_t i = 0; i < n; i++) {                                       \
			const ISK_C_##T far = mean_b[i] - mean_a[i];                       \
                                                                               \
			if (count_a && count_b) {                                          \
				const ISK_C_##T both = m2_a[i] + m2_b[i];                      \
                                                                               \
				mean[i] = mean_a[i] + far * part;                              \
				m2[i] = both + far * far * weight;                             \
			} else {                                                           \
				const ISK_C_##T m = m2_a[i], m_b = m2_b[i];                    \
                                                                               \
				mean[i] = count_b ? mean_b[i] : mean_a[i];                     \
				m2[i] = count_b ? m_b : m;                                     \
			}                                                                  \
		}                                                                      \
	}
ISK_EACH_combine_moments(COMBINE, )

void ISK_FN(cr_log_f32)(float *y, const float *x, size_t n);

ISK_INLINE float log_vf(float sum)
{
	ISK_FN(cr_log_f32)(&sum, &sum, 1);
	return sum;
}

ISK_INLINE double log_vd(double sum)
{
	return ln_of_one(sum);
}

/* A round adds to four lines. */
#define LOGSUMEXP(kernel, T, ...)                                              \
	LANE_OF(T) SIBLING(max, T)(const ISK_C_##T *x, size_t n);                  \
                                                                               \
	__attribute__((noinline)) static void lines_##kernel(struct TREE_OF(line, T) *out, const void *a, const void *b, \
	                                                     size_t n, size_t step, LANE_OF(T) centre) \
	{                                                                          \
		const uint64_t nothing = nothing_bits(P_MOST, ISK_ENUM_##T, 0);        \
		const size_t count = ISK_COUNT(T), line = 64 / sizeof(LANE_OF(T)), round = 4 * line; \
		ISK_VECTOR(T) acc[4 * 64 / sizeof(ISK_VECTOR(T))];                     \
		struct room room;                                                      \
                                                                               \
		(void)b;                                                               \
		for (size_t v = 0; v < round / count; v++)                             \
			acc[v] = TREE_OF_SET1(T)(0);                                       \
		for (const char *p = a; n;) {                                          \
			const size_t now = n < round ? n : round;                          \
			const char *q = now < round || step != 1                           \
			                    ? copied(&room, p, now, step, sizeof(ISK_C_##T), round, nothing) \
			                    : p;                                           \
                                                                               \
			for (size_t i = 0; i < now; i += count)                            \
				acc[i / count] += ISK_PASTE2(ISK_VECTOR(T), _power)(ISK_LOAD(T, q, i, count) - centre); \
			n -= now;                                                          \
			p += now * step * sizeof(ISK_C_##T);                               \
		}                                                                      \
		for (size_t half = 2 * line / count; half >= line / count; half /= 2)  \
			for (size_t v = 0; v < half; v++)                                  \
				acc[v] += acc[v + half];                                       \
		for (size_t v = 0; v < line / count; v++)                              \
			out->v[v] = acc[v];                                                \
	}                                                                          \
                                                                               \
	ISK_INLINE LANE_OF(T) logsumexp_##T(const ISK_C_##T *x, size_t n, size_t step, LANE_OF(T) most) \
	{                                                                          \
		LANE_OF(T) s[MAX_SUMS];                                                \
                                                                               \
		if (most - most != 0)                                                  \
			return most;                                                       \
		TREE_OF(part_all, T)(s, lines_##kernel, x, NULL, n, step, most, P_DOT, ISK_ENUM_##T); \
		return most + ISK_PASTE2(log_, ISK_VECTOR(T))(s[0]);                   \
	}                                                                          \
                                                                               \
	LANE_OF(T) ISK_FN(kernel)(const ISK_C_##T *x, size_t n)                    \
	{                                                                          \
		return logsumexp_##T(x, n, 1, SIBLING(max, T)(x, n));                  \
	}
ISK_EACH_logsumexp(LOGSUMEXP, )

#define LOGSUMEXP_STRIDED(kernel, T, ...)                                      \
	LANE_OF(T) SIBLING(max_strided, T)(const ISK_C_##T *x, size_t n, size_t incx); \
                                                                               \
	LANE_OF(T) ISK_FN(kernel)(const ISK_C_##T *x, size_t n, size_t incx)       \
	{                                                                          \
		return logsumexp_##T(x, n, incx, SIBLING(max_strided, T)(x, n, incx)); \
	}
ISK_EACH_logsumexp_strided(LOGSUMEXP_STRIDED, )
