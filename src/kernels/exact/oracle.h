/* SPDX-License-Identifier: MIT */
/*
 * The oracles of the correctly rounded operations. Near ties they are computed in long
 * double. Its 40 bits more than f32 show on which side of a tie a result lies, except for
 * some inputs around 0, for which only the next term of a series decides.
 */
MAP(cr_exp, exp(x))
MAP(cr_exp2, exp2(x))
MAP(exp2, exp2(x))
MAP(cr_exp10, pow(10, x))
MAP(exp10, pow(10, x))
MAP(cr_expm1, expm1(x))
MAP(expm1, expm1(x))
MAP(cr_sinh, sinh(x))
MAP(sinh, sinh(x))
MAP(cr_cosh, cosh(x))
MAP(cosh, cosh(x))
MAP(cr_tanh, tanh(x))
/* 1/2 + x/4 - x^3/48 ... */
MAP(cr_sigmoid, fabs(x) < (REAL)0x1p-12 ? nextafter((REAL)0.5 + x / 4, (REAL)0.5) : 1 / (1 + exp(-x)))
/* x/2 + x^2/4 - ... */
MAP(cr_silu, isinf(x) && x < 0 ? -(REAL)0
             : x != 0 && fabs(x) < (REAL)0x1p-100 ? nextafter(x / 2, (REAL)1) : x / (1 + exp(-x)))
MAP(cr_rsqrt, 1 / sqrt(x))
/* x/2 + x^2/sqrt(2 pi) - ... */
MAP(cr_gelu, isinf(x) && x < 0 ? -(REAL)0
             : x != 0 && fabs(x) < (REAL)0x1p-100 ? nextafter(x / 2, (REAL)1) : x / 2 * erfc(-x * sqrt((REAL)0.5)))
MAP(cr_asin, asin(x))
MAP(asin, asin(x))
MAP(cr_acos, acos(x))
MAP(acos, acos(x))
MAP(cr_asinh, asinh(x))
MAP(asinh, asinh(x))
/* Tests x < 1 because musl 1.2.3 returns a number for acosh(-65520). */
MAP(cr_acosh, x < 1 ? (REAL)NAN : acosh(x))
MAP(acosh, x < 1 ? (REAL)NAN : acosh(x))
MAP(cr_atanh, atanh(x))
MAP(atanh, atanh(x))
MAP(cr_cbrt, cbrt(x))
MAP(cbrt, cbrt(x))
MAP(cr_atan, atan(x))
MAP(atan, atan(x))
MAP(cr_log, log(x))
MAP(log, log(x))
MAP(cr_log2, log2(x))
MAP(log2, log2(x))
MAP(cr_log10, log10(x))
MAP(log10, log10(x))
/* x - x^2/2 + x^3/3 - ...: the first two terms may make a tie, and the others may differ from it by only 2^-64. */
ISK_UNUSED static REAL R(small_log1p)(REAL x)
{
	REAL behind = 0, sum;

	for (int i = 12; i > 1; i--)
		behind = (i % 2 ? 1 : -1) / (REAL)i + x * behind;
	behind *= x * x;
	sum = x + behind;
	return nextafter(sum, behind > sum - x ? (REAL)1 : (REAL)-1);
}

MAP(cr_log1p, x != 0 && fabs(x) < (REAL)0x1p-8 ? R(small_log1p)(x) : log1p(x))
MAP(log1p, log1p(x))
MAP(cr_tan, tan(x))
MAP(tan, tan(x))
MAP(cr_erf, erf(x))
MAP(erf, erf(x))
MAP(cr_erfc, erfc(x))
MAP(erfc, erfc(x))
MAP(cr_sin, sin(x))
MAP(cr_cos, cos(x))

MAP(cr_sinpi, isinf(x) ? x - x : x == nearbyint(x) ? copysign((REAL)0, x) : copysign((REAL)1, x) * R(sine_of_pi)(x))
MAP(cr_cospi, isinf(x) ? x - x
              : fabs(x) >= (REAL)0x1p30 ? 1
              : 2 * x == nearbyint(2 * x) && x != nearbyint(x) ? 0 : R(sine_of_pi)(fabs(x) + (REAL)0.5))
MAP(sinpi, R(oracle_cr_sinpi)(x))
MAP(cospi, R(oracle_cr_cospi)(x))

#include "special_oracle.h"

MAP(lgamma, R(log_gamma)(x))
MAP(erfinv, R(inverse_of_erf)(x))
