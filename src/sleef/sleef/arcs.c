/* SPDX-License-Identifier: MIT */
/*
 * Arc tangent, of a pair too, arc sine and arc cosine. Worst errors found: atan 0.932 ulp at 0x1.01711e1cf0d5cp-2 (at
 * baseline 0.933 at 0x1.047b83dba92d8p-2), atan2 0.985 at (-0x1.2988429950f12p+0, 0x1.256e23af38030p+2), asin 0.656 at
 * 0.52849238453521208 (0.673 at 0.53563720196282638), acos 0.629 at 0.55190665462068811 (0.643 at 0.5660466599963816).
 * Constants: derive/by_table.py.
 */
#include "arcs_kernels.h"
#include "by_sleef.h"
#include "parts.h"
#include "polynomial.h"
#include "sixteen.h"

#define PI      0x1.921fb54442d18p+1
#define PI_LOW  0x1.1a62633145c07p-53

/*
 * atan(x) = atan(c) + atan((x - c) / (1 + x c)) for x > 0. There is a c for each half of the binades from 1/8 to 16; the
 * place of an entry is the last four bits of the exponent and the first of the fraction, modulo 16. Smaller x have a c of
 * 0, and from 16 on atan(x) = pi / 2 + atan(-1 / x).
 */
static const double arc_from[16] = {
	0x1.36p+1, 0x1.b8p+1, 0x1.34p+2, 0x1.b8p+2,
	0x1.34p+3, 0x1.b6p+3, 0x1.p+0, 0x0.0p+0,
	0x1.4p-3, 0x1.cp-3, 0x1.3ep-2, 0x1.bep-2,
	0x1.3cp-1, 0x1.bcp-1, 0x1.38p+0, 0x1.bap+0,
};
static const double arc_of[16] = {
	0x1.2de11cfc645f5p+0, 0x1.49a6be20c3a52p+0, 0x1.5dace854dff1cp+0, 0x1.6d2595b4f5943p+0,
	0x1.779f1d70e8bfdp+0, 0x1.7f742e7c37327p+0, 0x1.921fb54442d18p+0, 0x0.0p+0,
	0x1.3d6eee8c6626cp-3, 0x1.b90d7529260a2p-3, 0x1.3454be5720a00p-2, 0x1.a4a0ded82e8f4p-2,
	0x1.1b1dc87904285p-1, 0x1.6dc44551553afp-1, 0x1.c470abf2d3d01p-1, 0x1.0bbb010f02202p+0,
};
static const double arc_rest[16] = {
	-0x1.d9498f7e33355p-54, 0x1.61f86cbdae1abp-54, 0x1.73f5a5a50fadfp-59, 0x1.6d3e45139467ep-54,
	-0x1.282f0950761e8p-55, 0x1.7faa77bc8d354p-57, 0x1.1a62633145c07p-54, 0x0.0p+0,
	0x1.61a3b0ce9281bp-57, 0x1.17b10d2e0e5abp-61, 0x1.defffe50a259fp-57, -0x1.03e8d0e2b59d8p-57,
	-0x1.21e8c8aef8f29p-57, -0x1.bf8863573828ep-58, 0x1.6a61dbf199479p-56, -0x1.6cc50024c23aep-57,
};

/* (atan(t) - t) / t^3 in t^2, for |t| up to 1/8, and (asin(s) - s) / s^3 in s^2, for s up to 1/2 */
static const double atan_steps[7] = {
	-0x1.02c55b0d6de4cp-4, 0x1.3aba7aa637cdfp-4, -0x1.745bf874eeff3p-4, 0x1.c71c6fd492818p-4,
	-0x1.24924923b19dep-3, 0x1.99999999993f4p-3, -0x1.5555555555555p-2,
};
static const double asin_steps[13] = {
	0x1.da43d6d1db199p-6, -0x1.f01477e18c949p-7, 0x1.203bdbeaff9a8p-6, 0x1.60d7477c0be60p-8,
	0x1.52d9116d7b69bp-7, 0x1.780dc5a9d01a6p-7, 0x1.c9d1b64da4165p-7, 0x1.1c4d1ccd774f9p-6,
	0x1.6e8bb2f52b686p-6, 0x1.f1c71c1512780p-6, 0x1.6db6db6e433f6p-5, 0x1.3333333332dd0p-4,
	0x1.5555555555556p-3,
};

/* The place of x > 0 in the tables. */
ISK_INLINE vl place_of(vd x)
{
	return (vl)((vul)vd_min(vd_set1(16), vd_max(vd_set1(0x1.8p-4), x)) >> 51);
}

ISK_INLINE vd atan_of(vd x)
{
	const vd a = vd_abs(x);
	const vl at = place_of(a);
	const vd c = one_of_16(arc_from, at), one = vd_sel(vd_lt(a, vd_set1(16)), vd_set1(1), vd_set1(0));
	const vd size = vd_min(vd_set1(0x1p100), a);
	const vd t = vd_fma(size, one, -c) / vd_fma(size, c, one), w = t * t;
	const vd more = vd_fma(POLYNOMIAL(atan_steps, w), w * t, one_of_16(arc_rest, at));

	return vd_copysign(one_of_16(arc_of, at) + (t + more), x);
}

/*
 * asin(s) = s + more for s = |x| up to 1/2, or s = sqrt((1 - |x|) / 2) for larger |x|, where asin(|x|) is pi / 2 - 2 asin(s)
 * and acos(|x|) is 2 asin(s). The rounding error of s is (z - s^2) / (2 s). It counts little, so 1 / (2 s) needs few digits:
 * bits that are subtracted from those of the inverse give it within 12 %.
 */
struct arc {
	vmd is_small;
	vd s, more;
};

ISK_INLINE struct arc arc_of_sine(vd x)
{
	const vd a = vd_abs(x);
	const vmd is_small = vd_le(a, vd_set1(0.5));
	const vd z = vd_sel(is_small, a * a, vd_fma(a, vd_set1(-0.5), vd_set1(0.5))), root = v_sqrt(z);
	const vd inverse = (vd)((vul)vd_set1(0x1.e623822fc16e6p+1021) - (vul)root), lost = -vd_mul_low(root, root, z) * inverse;
	const vd s = vd_sel(is_small, a, root);

	return (struct arc){is_small, s, vd_fma(POLYNOMIAL(asin_steps, z), z * s, vd_sel(is_small, vd_set1(0), lost))};
}

/* base + low - factor (s + more), for a base of 0 or no less than factor s */
ISK_INLINE vd arc_from_base(vd base, vd low, vd factor, vd s, vd more)
{
	const struct parts sum = parts_sum(base, -factor * s);

	return sum.high + (sum.low + vd_fma(-factor, more, low));
}

ISK_INLINE vd asin_of(vd x)
{
	const struct arc arc = arc_of_sine(x);
	const vd zero = vd_set1(0), base = vd_sel(arc.is_small, zero, vd_set1(PI / 2)), low = vd_sel(arc.is_small, zero, vd_set1(PI_LOW / 2));

	return vd_copysign(arc_from_base(base, low, vd_sel(arc.is_small, vd_set1(-1), vd_set1(2)), arc.s, arc.more), x);
}

ISK_INLINE vd acos_of(vd x)
{
	const struct arc arc = arc_of_sine(x);
	const vmd is_below = vd_lt(x, vd_set1(0));
	const vd zero = vd_set1(0);
	const vd base = vd_sel(arc.is_small, vd_set1(PI / 2), vd_sel(is_below, vd_set1(PI), zero));
	const vd low = vd_sel(arc.is_small, vd_set1(PI_LOW / 2), vd_sel(is_below, vd_set1(PI_LOW), zero));
	const vd factor = vd_sel(arc.is_small, vd_set1(1), vd_set1(2)), turned = vd_sel(arc.is_small, x, -x);

	return arc_from_base(base, low, vd_copysign(factor, turned), arc.s, arc.more);
}

/* A small angle is the quotient a / b, because SLEEF would round a denormal quotient twice. */
static __attribute__((noinline)) vd atan2_of_any(vd a, vd b)
{
	return vd_sel(vd_lt(vd_abs(a), b * 0x1p-30), a / b, SLEEF(atan2, u10)(a, b));
}

#if ISK_FMA

/*
 * The angle of the point (x, y) = (|b|, |a|) is atan(c) + atan(t) with t = (y - c x) / (x + c y) and c as for y / x, or
 * pi / 2 + atan(-x / y). The rounding error of the quotient t is lost = (y - c x - t (x + c y)) / (x + c y). For b < 0 the
 * angle is subtracted from pi. Neither products nor quotients can overflow or be denormal if x and y are 0 or from 2^-500 to
 * 2^500. Others, also two zeros, are for SLEEF; a NaN makes t NaN.
 */
ISK_INLINE vd atan2_of(vd a, vd b)
{
	const vd y = vd_abs(a), x = vd_abs(b), ratio = y / x, zero = vd_set1(0), least = vd_min(y, x), most = vd_max(y, x);
	const vmd is_left = vd_lt(b, zero), is_far = vd_le(vd_set1(16), ratio);
	const vl at = place_of(ratio);
	const vd c = one_of_16(arc_from, at), over = vd_fma(-c, x, vd_sel(is_far, zero, y));
	const vd under = vd_fma(c, y, vd_sel(is_far, zero, x)), inverse = 1 / under;
	const vd t = over * inverse, lost = -vd_mul_low(t, under, over) * inverse, w = t * t;
	const vd more = vd_fma(POLYNOMIAL(atan_steps, w), w * t, one_of_16(arc_rest, at) + lost);
	const vd base = vd_sel(is_left, vd_set1(PI), zero), low = vd_sel(is_left, vd_set1(PI_LOW), zero);
	const vul turn = (vul)vd_sel(is_left, vd_set1(-0.0), zero);
	const struct parts sum = parts_sum(base, (vd)((vul)one_of_16(arc_of, at) ^ turn));
	const vd rest = sum.low + low + (vd)((vul)more ^ turn);
	const vd angle = vd_copysign(sum.high + ((vd)((vul)t ^ turn) + rest), a);
	const vd one = vd_set1(1), tiniest = vd_sel(vd_eq(least, zero), most, least);
	const vd far = vd_sel(vd_lt(tiniest, vd_set1(0x1p-500)), one, vd_sel(vd_lt(vd_set1(0x1p500), most), one, zero));
	const vmd is_other = vd_lt(zero, far);

	return __builtin_expect(vmd_any(is_other), 0) ? vd_sel(is_other, atan2_of_any(a, b), angle) : angle;
}

#else

/* Without FMA the differences lose more than the bound allows. */
ISK_INLINE vd atan2_of(vd a, vd b)
{
	return atan2_of_any(a, b);
}

#endif

MAP(atan, atan_of(x))
ZIP(atan2, atan2_of(a, b))
MAP(asin, asin_of(x))
MAP(acos, acos_of(x))
