/* SPDX-License-Identifier: MIT */
/*
 * Functions of e^x that would lose digits in f32, or whose factors f32 cannot hold although
 * it holds their product; and hardswish of f16. They are computed in f64 lanes, with
 * functions of exact/, and rounded once. Each argument of e^x is bounded at a number beyond
 * which the result no longer depends on it, and at which 2^n is still normal. Worst errors
 * found: 0.5000 ulp of f32.
 */
#include "soft_kernels.h"
#include "both.h"
#include "logarithm.h"
#include "pow2.h"

ISK_INLINE vd within(vd d, double low, double high)
{
	return vd_min(vd_set1(high), vd_max(vd_set1(low), d));
}

/* max(d, 0) + log(1 + e^-|d|) */
ISK_INLINE vd softplus_of(vd d)
{
	return vd_max(vd_set1(0), d) + log1p_of(vd_exp_by_series(vd_max(vd_set1(-110), -vd_abs(d))));
}

ISK_INLINE vd logsigmoid_of(vd d)
{
	return -softplus_of(-d);
}

/* tanh(log(1 + u)) = u (u + 2) / (u (u + 2) + 2) */
ISK_INLINE vd mish_of(vd d)
{
	const vd u = vd_exp_by_series(within(d, -120, 40)), v = u * (u + 2);

	return vd_max(vd_set1(-120), d) * v / (v + 2);
}

ISK_INLINE vd celu_of(vd d, float alpha)
{
	const vd over = d / (double)alpha, e = vd_copysign(vd_expm1(within(over, -40, 700)), over);

	return vd_sel(vd_lt(vd_set1(0), d), d, e * (double)alpha);
}

/* silu(a) may be smaller than any f32 although its product with b is not. silu(-Inf) is -0. */
ISK_INLINE vd swiglu_of(vd a, vd b)
{
	const vd bounded = vd_max(vd_set1(-300), a), silu = bounded / (vd_exp_by_series(within(-a, -60, 300)) + 1);

	return vd_sel(vd_lt(a, vd_set1(-0x1p200)), vd_set1(-0.0), silu) * b;
}

/*
 * hardswish of f16. For small x = k 2^-24 with odd k, x / 2 is a tie of f16, which the term x^2 / 6 decides. x < -3 is
 * replaced by -3, because -Inf * 0 would be NaN.
 */
ISK_INLINE vd hardswish_of(vd d)
{
	return vd_max(vd_set1(-3), d) * within(d + 3, 0, 6) * (1. / 6);
}

#define OF_SCALAR(f, x, y) vd_halves(f(vf_low_half(x), y), f(vf_high_half(x), y))

/* f(x) for a map whose output is out; a result of 16 bits is first rounded to odd. */
#define ONCE(f, x) (sizeof(*out) == 2 ? WIDE_TO_ODD(f, x) : WIDE(f, x))

MAP(softplus, ONCE(softplus_of, x))
MAP(logsigmoid, ONCE(logsigmoid_of, x))
MAP(mish, ONCE(mish_of, x))
MAP(hardswish, ONCE(hardswish_of, x))
MAP_SCALAR(celu, OF_SCALAR(celu_of, x, alpha))
ZIP(swiglu, OF_BOTH(swiglu_of, a, b))
