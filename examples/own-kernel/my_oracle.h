/* SPDX-License-Identifier: MIT */
/* What the operations compute, once more: in double, for f64 in long double. */
ISK_UNUSED static REAL R(smooth)(REAL x)
{
	const REAL t = x < 0 ? 0 : x > 1 ? 1 : x;

	return t * t * (3 - 2 * t);
}

MAP(smoothstep, R(smooth)(x))
BLEND(mix, fma((REAL)t, b, a))
