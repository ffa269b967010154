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
MAP(sin, sin(x))
MAP(cos, cos(x))
ZIP(add, a + b)
ZIP(mul, a *b)
ZIP3(fma, fma(a, b, c))
CVT(cvt, x)
QUANTIZE(quantize, R(quantized)(x, scale, zero))
DEQUANTIZE(dequantize, (x - zero) * (REAL)scale)
