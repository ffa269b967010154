/* SPDX-License-Identifier: MIT */
/*
 * What the operations compute, a line each. Where a function loses bits that its
 * rounded result would show, its text avoids that: erfc for the left tail of gelu,
 * and (1 + tanh(u)) / 2 = 1 / (1 + exp(-2u)), without the cancellation.
 */
MAP(exp, exp(x))
MAP(tanh, tanh(x))
MAP(sigmoid, 1 / (1 + exp(-x)))
MAP(silu, isinf(x) && x < 0 ? -(REAL)0 : x / (1 + exp(-x)))
MAP(gelu, isinf(x) && x < 0 ? -(REAL)0 : x / 2 * erfc(-x * sqrt((REAL)0.5)))
MAP(gelu_tanh,
    isinf(x) && x < 0 ? -(REAL)0 : x / (1 + exp(-2 * sqrt(1 / acos((REAL)0)) * (x + (REAL)0.044715L * x * x * x))))
MAP(relu, isnan(x) || x > 0 ? x : 0)
MAP(relu6, isnan(x) ? x : fmax(0, fmin(x, 6)))
MAP(hardsigmoid, isnan(x) ? x : x <= -3 ? 0 : x >= 3 ? 1 : (x + 3) / 6)
MAP(hardswish, isnan(x) ? x : x <= -3 ? -(REAL)0 : x >= 3 ? x : x * (x + 3) / 6)
MAP(sin, sin(x))
MAP(cos, cos(x))
MAP(abs, fabs(x))
MAP(neg, -x)
MAP(sign, isnan(x) ? x : (x > 0) - (x < 0))
MAP(floor, floor(x))
MAP(ceil, ceil(x))
MAP(round, nearbyint(x))
MAP(trunc, trunc(x))
MAP(square, x *x)
MAP(recip, 1 / x)
MAP(sqrt, sqrt(x))
MAP(rsqrt, 1 / sqrt(x))
ZIP(add, a + b)
ZIP(sub, a - b)
ZIP(mul, a *b)
ZIP(div, a / b)
ZIP(absdiff, fabs(a - b))
ZIP(add_relu, isnan(a + b) || a + b > 0 ? a + b : 0)
ZIP(copysign, copysign(a, b))
ZIP(minimum, isnan(a) || isnan(b) ? a + b : a < b || (a == b && signbit(a)) ? a : b)
ZIP(maximum, isnan(a) || isnan(b) ? a + b : a > b || (a == b && !signbit(a)) ? a : b)
ZIP3(fma, fma(a, b, c))
ZIP3(clamp, R(oracle_minimum)(R(oracle_maximum)(a, b), c))

/* Beyond 700 and 37 their values times any number would not change, but be 0 times infinity. */
ISK_UNUSED static REAL R(silu_slope)(REAL x)
{
	const REAL near = x < -700 ? -700 : x > 700 ? 700 : x, s = 1 / (1 + exp(-near));

	return s * (1 + near / (1 + exp(near)));
}

ISK_UNUSED static REAL R(gelu_slope)(REAL x)
{
	const REAL near = x < -37 ? -37 : x > 37 ? 37 : x;

	return erfc(-near * sqrt((REAL)0.5)) / 2 + near * exp(-near * near / 2) / sqrt(4 * acos((REAL)0));
}

ZIP(silu_backward, R(silu_slope)(a) * b)
ZIP(gelu_backward, R(gelu_slope)(a) * b)
