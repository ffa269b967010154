/* SPDX-License-Identifier: MIT */
/*
 * sin and cos, correctly rounded, of any argument: r = |x| - n pi, and cos(x) is a
 * sine of x + pi/2. Constants: derive/sine.sollya.
 */
#include "cr_sine_kernels.h"
#include "by_pi.h"

/* sin(r) on [-pi/2, pi/2], with the sign of the lowest bit of n. */
ISK_INLINE vd signed_sine(vd r, vd n)
{
	const vd w = r * r;
	vd p = vd_set1(0x1.883bf70329b0ap-49);

	p = vd_fma(p, w, vd_set1(-0x1.ae43db6f91342p-41));
	p = vd_fma(p, w, vd_set1(0x1.6123ce4d97a2fp-33));
	p = vd_fma(p, w, vd_set1(-0x1.ae6454d955e07p-26));
	p = vd_fma(p, w, vd_set1(0x1.71de3a52aaaa3p-19));
	p = vd_fma(p, w, vd_set1(-0x1.a01a01a014eb5p-13));
	p = vd_fma(p, w, vd_set1(0x1.11111111110c9p-7));
	p = vd_fma(p, w, vd_set1(-0x1.5555555555555p-3));
	return (vd)((vl)vd_fma(p, w * r, r) ^ (vl)n << 63);
}

/* For cosine n is an integer and a half, and the sign is the other way round. */
#define COSINE_HALF  0.5
#define COSINE_ROUND (VD_ROUND + 1)

static __attribute__((noinline)) vd large_of(vd d, double half, double round)
{
	const struct by_pi t = by_pi_of_large(d, half, round);

	return signed_sine(t.r, t.sum);
}

ISK_INLINE vd small_sin_of(vd d)
{
	const struct by_pi t = by_pi_of_small(d, 0, VD_ROUND);

	return signed_sine(t.r, t.sum);
}

ISK_INLINE vd small_cos_of(vd d)
{
	const struct by_pi t = by_pi_of_small(d, COSINE_HALF, COSINE_ROUND);

	return signed_sine(t.r, t.sum);
}

ISK_INLINE vd large_sin_of(vd d)
{
	return large_of(d, 0, VD_ROUND);
}

ISK_INLINE vd large_cos_of(vd d)
{
	return large_of(d, COSINE_HALF, COSINE_ROUND);
}

static const struct hard hard_sin[] = {{0x46199998, -0x1.63f4bap-2f}};
static const struct hard hard_large_sin[] = {{0x55cafb2a, -0x1.fcf42ep-1f}};
static const struct hard hard_large_cos[] = {{0x5f18b878, 0x1.fe2976p-1f}, {0x6115cb11, 0x1.f0285ep-1f},
	{0x61703976, 0x1.b598acp-2f}, {0x7908cd73, 0x1.f3176ap-1f}};

/* op of a, which is |x|; NaN of infinities. */
#define SINE(name, op, WIDE)                                                   \
	ISK_INLINE vf name(vf a)                                                   \
	{                                                                          \
		const vm small = vf_lt(a, vf_set1(0x1p26f));                           \
		vf y = WIDE(small_##op##_of, a);                                       \
                                                                               \
		if (__builtin_expect(!vm_all(small), 0))                               \
			y = vf_sel(small, y, BUT_FOR(hard_large_##op, a, WIDE(large_##op##_of, a)) + (a - a)); \
		return y;                                                              \
	}
SINE(sin_of, sin, WIDE)
SINE(cos_of, cos, WIDE)
SINE(sin_to_odd, sin, WIDE_TO_ODD)
SINE(cos_to_odd, cos, WIDE_TO_ODD)

#define WITH_SIGN(size, x) ((vf)((vi)(size) ^ ((vi)(x) & INT32_MIN)))

MAP(cr_sin, WITH_SIGN(BUT_FOR(hard_sin, vf_abs(x), sin_of(vf_abs(x))), x))
MAP(sin, WITH_SIGN(sin_to_odd(vf_abs(x)), x))
MAP(cr_cos, cos_of(vf_abs(x)))
MAP(cos, cos_to_odd(vf_abs(x)))
