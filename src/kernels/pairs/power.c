/* SPDX-License-Identifier: MIT */
/*
 * pow: for positive a and results that are normal numbers, a = 2^e m and, with c near 1 / m from a table,
 *
 *     log2(a) = e - log2(c) + log2(1 + r), r = c m - 1
 *
 * in f64 lanes, where r is exact and the relative error is 2^-37. b log2(a) = n / 16 + s; 2^(n / 16) 2^s is computed in f32
 * lanes, with the error of 2^(n / 16) in a table. Constants: derive/power.py. Worst error found: 0.5836 ulp at
 * a = 0x1.0a8348p+0, b = 0x1.fbf3a6p+10.
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
	0x1.479a4ap+0f, 0x1.3b076ep+0f, 0x1.2f4edep+0f, 0x1.24addcp+0f, 0x1.1a770ep+0f, 0x1.1107e2p+0f, 0x1.085254p+0f, 0x1p+0f,
	0x1.e1dd32p-1f, 0x1.c6fefcp-1f, 0x1.af15eep-1f, 0x1.999da4p-1f, 0x1.861442p-1f, 0x1.745826p-1f, 0x1.643e3p-1f, 0x1.556a1cp-1f,
};
static const float log2_of_inverse[16] = {
	-0x1.6c57bap-2f, -0x1.32866ep-2f, -0x1.f505dep-3f, -0x1.8b9feap-3f, -0x1.22ab76p-3f, -0x1.7c9988p-4f, -0x1.7a1094p-5f, 0,
	0x1.6678eap-4f, 0x1.5cc0ecp-3f, 0x1.fc4026p-3f, 0x1.4998f2p-2f, 0x1.91cb46p-2f, 0x1.d688dap-2f, 0x1.0bebaep-1f, 0x1.2b534p-1f,
};
static const float root[16] = {
	0x1p+0f, 0x1.0b5586p+0f, 0x1.172b84p+0f, 0x1.2387a6p+0f, 0x1.306fep+0f, 0x1.3dea64p+0f, 0x1.4bfdaep+0f, 0x1.5ab07ep+0f,
	0x1.6a09e6p+0f, 0x1.7a1148p+0f, 0x1.8ace54p+0f, 0x1.9c4918p+0f, 0x1.ae89fap+0f, 0x1.c199bep+0f, 0x1.d5818ep+0f, 0x1.ea4afap+0f,
};
static const float root_low[16] = {
	0, 0x1.9f3122p-25f, -0x1.c15742p-27f, 0x1.ceac48p-25f, 0x1.4636e2p-25f, 0x1.824684p-25f, -0x1.593abcp-25f, -0x1.5bd5ecp-27f,
	0x1.9fcef4p-26f, -0x1.829fdp-25f, 0x1.15506ep-27f, 0x1.51f848p-27f, -0x1.a94b14p-26f, -0x1.3d56b2p-27f, -0x1.822dbcp-27f, 0x1.52486cp-27f,
};

/* The bits of 49/64, where the first of the 16 parts begins. */
#define FIRST_PART 0x3f440000

/* b log2(a) as a multiple of 1/16 and the rest. */
struct sixteenths {
	vd n, rest;
};

ISK_INLINE struct sixteenths exponent(vd e, vd log_of_c, vd c, vd m, vd b)
{
	const vd round = vd_set1(0x1.8p48), r = vd_fma(c, m, vd_set1(-1));
	vd p = vd_fma(vd_set1(-0x1.ed292bb4fe7f1p-3), r, vd_set1(0x1.27c5fbc10561ap-2)), t, n;

	p = vd_fma(p, r, vd_set1(-0x1.715468a8e862dp-2));
	p = vd_fma(p, r, vd_set1(0x1.ec709655eb70fp-2));
	p = vd_fma(p, r, vd_set1(-0x1.71547652fcd08p-1));
	p = vd_fma(p, r, vd_set1(0x1.71547652beca3p+0));
	t = b * vd_fma(p, r, e + log_of_c);
	n = t + round - round;
	return (struct sixteenths){n, t - n};
}

/* a^b in the lanes of plain: a is a positive normal number, and so is the result; or b is 0. */
ISK_INLINE vf plain_power(vf a, vf b, vm *plain)
{
	const vi from = (vi)((vu)vf_bits(a) - FIRST_PART), part = from >> 19, e = from >> 23;
	const vf m = vi_float((vi)((vu)vf_bits(a) - ((vu)from & 0xff800000)));
	const vf c = vf_lookup16(inverse, part), l = vf_lookup16(log2_of_inverse, part);
	const struct sixteenths low =
		exponent(vi_low_half(e), vf_low_half(l), vf_low_half(c), vf_low_half(m), vf_low_half(b));
	const struct sixteenths high =
		exponent(vi_high_half(e), vf_high_half(l), vf_high_half(c), vf_high_half(m), vf_high_half(b));
	const vf n = vd_halves(low.n, high.n), r = vd_halves(low.rest, high.rest);
	/* The lower bits of 2^19 + 2^18 + n / 16 are n. */
	const vu k = (vu)vf_bits(n + 0x1.8p19f);
	const vf most = vf_lookup16(root, (vi)k), rest = vf_lookup16(root_low, (vi)k);
	vf q = vf_fma(vf_set1(0x1.c6b47p-5f), r, vf_set1(0x1.ebfff4p-3f));

	q = vf_fma(q, r, vf_set1(0x1.62e43p-1f)) * r;
	*plain = vm_and(vf_lt(vf_abs(n), vf_set1(125)),
	                vm_or(vf_eq(b, vf_set1(0)), vm_and(vf_le(vf_set1(0x1p-126f), a), vf_lt(a, vf_set1(INFINITY)))));
	return vi_float((vi)((vu)vf_bits(most + vf_fma(most, q, rest)) + ((k & 0xfffffff0) << 19)));
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

ISK_INLINE vf power(vf a, vf b)
{
	vm plain;
	vf y;

	if (!ISK_FMA)
		return any_power(a, b);
	y = plain_power(a, b, &plain);
	return __builtin_expect(!vm_all(plain), 0) ? vf_sel(plain, y, any_power(a, b)) : y;
}

ZIP(pow, power(a, b))
