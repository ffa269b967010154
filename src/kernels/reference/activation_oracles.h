/* SPDX-License-Identifier: MIT */
/*
 * The oracles of activations and their gradients, for elementwise/ and for the f64 kernels
 * with SLEEF. If the rounding of an argument of e^x or erfc would show in a result, a
 * correction is added. Next to their zeros, gradients are computed as integrals.
 */

/* From LIMIT on, e^-x times any element is 0, and e^LIMIT is still finite. */
#undef LIMIT
#if ISK_WIDE
#define LIMIT 5000
#else
#define LIMIT 700
#endif

/* The part of a constant that REAL does not hold; `behind` is the part that long double does not hold. */
#define REST(constant, behind) ((REAL)((long double)(constant) - (long double)(REAL)(constant) + (long double)(behind)))

/* The normal distribution: erfc(-x / sqrt(2)) / 2. */
ISK_UNUSED static REAL R(normal)(REAL x)
{
	const REAL root = sqrt((REAL)0.5), root_low = fma(-root, root, (REAL)0.5) / (2 * root), a = -x * root;
	const REAL low = fma(-x, root, -a) - x * root_low;

	return fabs(x) > 200 ? x > 0 : (erfc(a) - low * exp(-a * a) / sqrt(acos((REAL)0) / 2)) / 2;
}

/* exp(-sqrt(8 / pi) (x + 0.044715 x^3)), corrected for the rounding error of the argument of exp. */
ISK_UNUSED static REAL R(gelu_tanh_exp)(REAL x)
{
	const long double k = 0xcc42299ea1b28468p-63L, k1 = 0x922279526c5a57a5p-67L;
	const REAL k_low = REST(k, 0x1.f9678a017571cp-65), k1_low = REST(k1, -0x1.087453a38e0f3p-70);
	const REAL w = x * x, w_low = fma(x, x, -w), p = (REAL)k1 * w, u = (REAL)k + p, back = u - (REAL)k;
	const REAL p_low = fma((REAL)k1, w, -p) + (REAL)k1 * w_low + k1_low * w + k_low;
	const REAL u_low = (REAL)k - (u - back) + (p - back) + p_low, v = x * u, low = fma(x, u, -v) + x * u_low;

	return fabs(x) > 30 ? (x > 0 ? 0 : exp((REAL)LIMIT)) : exp(-v) * (1 - low);
}

/*
 * x / 2 + c x^2, with a c > 0, if x is so small that no REAL holds c x^2 beside x / 2, and value if it is not: x / 2 can be
 * a tie of a narrower type, which c x^2 decides.
 */
ISK_UNUSED static REAL R(above_half)(REAL x, REAL value)
{
	return x != 0 && fabs(x) < (REAL)0x1p-100 ? nextafter(x / 2, (REAL)1) : value;
}

MAP(silu, isinf(x) && x < 0 ? -(REAL)0 : R(above_half)(x, x / (1 + exp(-x))))
MAP(gelu, isinf(x) && x < 0 ? -(REAL)0 : R(above_half)(x, x * R(normal)(x)))
MAP(gelu_tanh, isinf(x) && x < 0 ? -(REAL)0 : R(above_half)(x, x / (1 + R(gelu_tanh_exp)(x))))

/* x > 0 ? x : alpha * (e^(x / over) - 1) */
ISK_UNUSED static REAL R(elu)(REAL x, REAL alpha, REAL over)
{
	return x > 0 ? x : alpha * expm1(x / over);
}

/* log(1 + e^x) */
ISK_UNUSED static REAL R(softplus)(REAL x)
{
	return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x));
}

MAP_SCALAR(elu, R(elu)(x, (REAL)alpha, 1))
MAP_SCALAR(celu, R(elu)(x, (REAL)alpha, (REAL)alpha))
MAP(selu, (REAL)1.0507009873554804934193349852946L * R(elu)(x, (REAL)1.6732632423543772848170429916717L, 1))
MAP(softplus, R(softplus)(x))
MAP(logsigmoid, -R(softplus)(-x))
MAP(mish, isinf(x) && x < 0 ? -(REAL)0 : x * tanh(R(softplus)(x)))
ZIP(swiglu, a > -LIMIT ? R(oracle_silu)(a) * b : isinf(a) ? -(REAL)0 * b : a * exp((REAL)-LIMIT) * b)
ZIP(geglu, a > (ISK_WIDE ? -100 : -30) ? R(oracle_gelu)(a) * b : isinf(a) ? -(REAL)0 * b : a * exp((REAL)-LIMIT) * b)

/* f(x) for x near zero + low, where f is 0: the integral of its slope from there, by five nodes of Gauss and Legendre. */
ISK_UNUSED static REAL R(from_zero)(REAL x, REAL zero, REAL low, REAL (*slope)(REAL))
{
	const REAL d = (x - zero - low) / 2, inner = 2 * sqrt((REAL)10 / 7), root = 13 * sqrt((REAL)70);
	const REAL node[] = {0, sqrt(5 - inner) / 3, sqrt(5 + inner) / 3};
	const REAL weight[] = {(REAL)64 / 225, (322 + root) / 900, (322 - root) / 900};
	REAL sum = 0;

	for (int i = 0; i < 3; i++)
		sum += weight[i] * (slope(zero + d * (1 + node[i])) + slope(zero + d * (1 - node[i])));
	return d * sum;
}

ISK_UNUSED static REAL R(silu_curvature)(REAL x)
{
	const REAL s = 1 / (1 + exp(-x));

	return s * (1 - s) * (2 + x * (1 - 2 * s));
}

ISK_UNUSED static REAL R(gelu_curvature)(REAL x)
{
	return exp(-x * x / 2) / sqrt(4 * acos((REAL)0)) * (2 - x * x);
}

/* Slopes are computed of limited arguments, because beyond the limits they would be 0 times infinity. */
ISK_UNUSED static REAL R(silu_slope)(REAL x)
{
	const REAL near = x < -LIMIT ? -LIMIT : x > LIMIT ? LIMIT : x, s = 1 / (1 + exp(-near));
	const long double zero = -0xa3a4b9e420905bf2p-63L;

	if (fabs(x - (REAL)zero) < (REAL)0x1p-5)
		return R(from_zero)(x, (REAL)zero, REST(zero, 0x1.45a1b29f55d77p-65), R(silu_curvature));
	return s * (1 + near / (1 + exp(near)));
}

ISK_UNUSED static REAL R(gelu_slope)(REAL x)
{
	const REAL most = ISK_WIDE ? 100 : 37, near = x < -most ? -most : x > most ? most : x;
	const REAL square = near * near, low = fma(near, near, -square);
	const long double zero = -0xc07568cbf8059eecp-64L;

	if (fabs(x - (REAL)zero) < (REAL)0x1p-5)
		return R(from_zero)(x, (REAL)zero, REST(zero, -0x1.8b3a735257d34p-68), R(gelu_curvature));
	return R(normal)(near) + near * exp(-square / 2) * (1 - low / 2) / sqrt(4 * acos((REAL)0));
}

ZIP(silu_backward, R(silu_slope)(a) * b)
ZIP(gelu_backward, R(gelu_slope)(a) * b)
#undef REST
