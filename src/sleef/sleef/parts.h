/* SPDX-License-Identifier: MIT */
/*
 * Numbers in two parts, high + low, whose sum is rounded once, at the end. low must be small against high, but may be
 * larger than the rounding error of high. A number is settled if it is not larger. At least one of two factors must be
 * settled, and so must a divisor. Without FMA products are computed from halves, so that baseline loses little.
 */
#ifndef ISK_PARTS_H
#define ISK_PARTS_H

#include "pow2.h"

struct parts {
	vd high, low;
};

/* a + b, if |b| <= |a|. */
ISK_INLINE struct parts parts_sum(vd a, vd b)
{
	const vd sum = a + b;

	return (struct parts){sum, a - sum + b};
}

/* a + b, for any a and b. */
ISK_INLINE struct parts parts_sum_of_any(vd a, vd b)
{
	const vd sum = a + b, of_b = sum - a;

	return (struct parts){sum, a - (sum - of_b) + (b - of_b)};
}

/* The same number, settled: the low part is the rounding error of the high part. */
ISK_INLINE struct parts settled(struct parts a)
{
	return parts_sum(a.high, a.low);
}

ISK_INLINE struct parts parts_add(struct parts a, struct parts b)
{
	const struct parts sum = parts_sum_of_any(a.high, b.high);

	return (struct parts){sum.high, sum.low + (a.low + b.low)};
}

/* a + b, if |b| <= |a|. */
ISK_INLINE struct parts parts_add_to(vd a, struct parts b)
{
	const struct parts sum = parts_sum(a, b.high);

	return (struct parts){sum.high, sum.low + b.low};
}

ISK_INLINE struct parts parts_times(struct parts a, vd b)
{
	const vd high = a.high * b;

	return (struct parts){high, vd_fma(a.low, b, vd_mul_low(a.high, b, high))};
}

ISK_INLINE struct parts parts_product(struct parts a, struct parts b)
{
	const vd high = a.high * b.high;

	return (struct parts){high, vd_fma(a.high, b.low, vd_fma(a.low, b.high, vd_mul_low(a.high, b.high, high)))};
}

ISK_INLINE struct parts parts_quotient(struct parts a, struct parts b)
{
	const vd r = 1 / b.high, high = a.high * r;
	const vd rest = a.low - vd_mul_low(high, b.high, a.high) - high * b.low;

	return parts_sum(high, rest * r);
}

ISK_INLINE struct parts parts_sel(vmd m, struct parts a, struct parts b)
{
	return (struct parts){vd_sel(m, a.high, b.high), vd_sel(m, a.low, b.low)};
}

ISK_INLINE struct parts parts_scaled(struct parts a, vd by)
{
	return (struct parts){a.high * by, a.low * by};
}

#endif
