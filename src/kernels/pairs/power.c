/* SPDX-License-Identifier: MIT */
/*
 * pow: for positive a and results that are normal numbers, a = 2^e m and, with c near 1 / m from a table,
 *
 *     log2(a) = e - log2(c) + log2(1 + r), r = c m - 1
 *
 * in f64 lanes, where r is exact and the relative error is 2^-37. b log2(a) = n / 16 + s; 2^(n / 16) 2^s is computed in f32
 * lanes, with the error of 2^(n / 16) in a table. Constants: derive/power.py. Worst error found: 0.5630 ulp at
 * a = 0x1.010dd8p+0, b = -0x1.dfdf04p+13.
 *
 * All other lanes, and all lanes of ISAs without fused multiply-add, are computed in f64 lanes as e^(b log|a|), within
 * 0.5000 ulp: unless the result is 0 or infinite, |b log|a|| is below 120, so that the relative error of log, 2^-52, changes
 * the result by less than 2^-44 of it.
 */
#include "power_kernels.h"
#include "both.h"
#include "logarithm.h"
#include "pow2.h"

static const float inverse[16] = {
	0x1.474062p+0f, 0x1.3ae672p+0f, 0x1.2ef394p+0f, 0x1.240344p+0f, 0x1.1ac9bcp+0f, 0x1.119b46p+0f, 0x1.084282p+0f, 0x1p+0f,
	0x1.e17864p-1f, 0x1.c77bcp-1f, 0x1.af0038p-1f, 0x1.990ddap-1f, 0x1.86390ap-1f, 0x1.73c8eap-1f, 0x1.64c04cp-1f, 0x1.550b56p-1f,
};
/* -log2(inverse) in units of 2^-24, as bits of floats for vf_lookup16() */
static const union {
	int32_t units[16];
	float bits[16];
} log2_of_inverse = {{
	-5943429, -5012206, -4075906, -3185785, -2408826, -1609923, -768617, 0,
	1488090, 2831077, 4168351, 5433337, 6574080, 7745637, 8744716, 9834548,
}};
/* Entry j plus (16 n + j) 2^19 is the bits of 2^(n + j / 16). Beside it, what that lacks, relatively. */
static const union {
	int32_t integers[16];
	float bits[16];
} steps_of_root = {{
	0x3f800000, 0x3f7daac3, 0x3f7b95c2, 0x3f79c3d3, 0x3f7837f0, 0x3f76f532, 0x3f75fed7, 0x3f75583f,
	0x3f7504f3, 0x3f7508a4, 0x3f75672a, 0x3f76248c, 0x3f7744fd, 0x3f78ccdf, 0x3f7ac0c7, 0x3f7d257d,
}};
static const float root_lack[16] = {
	0, 0x1.8d96d4p-25f, -0x1.9c0c22p-27f, 0x1.964904p-25f, 0x1.125002p-25f, 0x1.370be4p-25f, -0x1.0a355p-25f, -0x1.00d8acp-27f,
	0x1.26055cp-26f, -0x1.05cb44p-25f, 0x1.67a1cap-28f, 0x1.a3b5e4p-28f, -0x1.f9c304p-27f, -0x1.6961b4p-28f, -0x1.a5217cp-28f, 0x1.61428ep-28f,
};

/* The bits of 49/64, where the first of the 16 parts begins. */
#define FIRST_PART 0x3f440000
/* From there on, e - log2(c) may be 128, and 2^31 units. */
#define LARGE      0x1.f8p127f

/* b log2(a) in units of 2^-24: a multiple of 2^20, and the rest. */
struct sixteenths {
	vd n, rest;
};

ISK_INLINE struct sixteenths exponent(vd units, vd c, vd m, vd b)
{
	const vd round = vd_set1(0x1.8p72), r = vd_fma(c, m, vd_set1(-1));
	vd p = vd_fma(vd_set1(-0x1.ed292bb4fe7f1p+21), r, vd_set1(0x1.27c5fbc10561ap+22)), n;

	p = vd_fma(p, r, vd_set1(-0x1.715468a8e862dp+22));
	p = vd_fma(p, r, vd_set1(0x1.ec709655eb70fp+22));
	p = vd_fma(p, r, vd_set1(-0x1.71547652fcd08p+23));
	p = vd_fma(p, r, vd_set1(0x1.71547652beca3p+24));
	p = vd_fma(p, r, units);
	n = vd_fma(b, p, round) - round;
	return (struct sixteenths){n, vd_fma(b, p, -n)};
}

/* a^b in the lanes of plain: a is a positive normal number below LARGE, and the result is normal; or b is 0. */
ISK_INLINE vf plain_power(vf a, vf b, vm *plain)
{
	const vi from = (vi)((vu)vf_bits(a) - FIRST_PART), part = from >> 19;
	const vu e = (vu)from & 0xff800000;
	const vf m = vi_float((vi)((vu)vf_bits(a) - e)), c = vf_lookup16(inverse, part);
	const vi units = (vi)((vu)vf_bits(vf_lookup16(log2_of_inverse.bits, part)) + (e << 1));
	const struct sixteenths low = exponent(vi_low_half(units), vf_low_half(c), vf_low_half(m), vf_low_half(b));
	const struct sixteenths high = exponent(vi_high_half(units), vf_high_half(c), vf_high_half(m), vf_high_half(b));
	const vf n = vd_halves(low.n, high.n), r = vd_halves(low.rest, high.rest);
	/* The lower bits of 2^43 + 2^42 + 2^20 i are i. */
	const vu i = (vu)vf_bits(n + 0x1.8p43f);
	const vf power = (vf)((vu)vf_bits(vf_lookup16(steps_of_root.bits, (vi)i)) + (i << 19)), lack = vf_lookup16(root_lack, (vi)i);
	vf q = vf_fma(vf_set1(0x1.c6b47p-77f), r, vf_set1(0x1.ebfff4p-51f));

	q = vf_fma(vf_fma(q, r, vf_set1(0x1.62e43p-25f)), r, lack);
	*plain = vm_and(vf_lt(vf_abs(n), vf_set1(125 * 0x1p24f)),
	                vm_or(vf_eq(b, vf_set1(0)), vm_and(vf_le(vf_set1(0x1p-126f), a), vf_lt(a, vf_set1(LARGE)))));
	return vf_fma(power, q, power);
}

/* |a|^b, except if b log|a| is 0 times infinity; any_power() handles these cases. */
ISK_INLINE vd size_of_power(vd a, vd b)
{
	const vd size = vd_abs(a), inf = vd_set1((double)INFINITY);
	const vd finite = vd_sel(vd_lt(size, inf), ln_of(size), size);
	const vd t = b * vd_sel(vd_lt(vd_set1(0), size), finite, vd_sel(vd_unordered(size, size), size, -inf));

	return vd_exp_by_series(vd_min(vd_set1(120), vd_max(vd_set1(-120), t)));
}

static __attribute__((noinline)) vf any_power(vf a, vf b)
{
	const vf one = vf_set1(1), zero = vf_set1(0), size = vf_abs(b), half = b * 0.5f;
	const vm is_whole = vf_eq(vf_trunc(b), b), is_odd = vm_and(is_whole, vm_not(vf_eq(vf_trunc(half), half)));
	const vm is_one =
		vm_or(vm_or(vf_eq(b, zero), vf_eq(a, one)), vm_and(vf_eq(a, -one), vf_eq(size, vf_set1(INFINITY))));
	const vm is_none = vm_and(vm_and(vf_lt(a, zero), vf_gt(a, vf_set1(-INFINITY))), vm_not(is_whole));
	const vf y = vf_sel(is_one, one, OF_BOTH(size_of_power, a, b));

	return vf_sel(is_none, vf_set1(NAN), vf_sel(is_odd, vf_copysign(y, a), y));
}

ZIP(pow, plain_or_any(a, b, plain_power, any_power))
