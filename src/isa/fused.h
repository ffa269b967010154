/* SPDX-License-Identifier: MIT */
/*
 * a * b + c, rounded once, without an instruction for it. libm's fma() is not used,
 * because to load that library takes longer than to load this one.
 */
#ifndef ISK_FUSED_H
#define ISK_FUSED_H

/*
 * The sum rounded to odd: if it is not exact, the one of the two neighbouring f64
 * whose last bit is 1. An f64 has more than two bits more than an f32, so rounding
 * this result again, to f32, gives the exact sum rounded once (Boldo and Melquiond,
 * 2008).
 */
ISK_INLINE vd vd_sum_to_odd(vd a, vd b)
{
	const vd sum = a + b, of_b = sum - a, low = a - (sum - of_b) + (b - of_b);
	const vl inexact = (vl)(low < 0) | (vl)(low > 0), even = ((vl)sum & 1) - 1;
	const vl away = (((vl)low ^ (vl)sum) < 0) | 1;

	return (vd)((vl)sum + (away & inexact & even));
}

/* A product of f32 is exact in f64. */
ISK_INLINE vf vf_fused(vf a, vf b, vf c)
{
	return vd_halves(vd_sum_to_odd(vf_low_half(a) * vf_low_half(b), vf_low_half(c)),
	                 vd_sum_to_odd(vf_high_half(a) * vf_high_half(b), vf_high_half(c)));
}

/* bits * 2^exponent */
struct isk_wide {
	unsigned __int128 bits;
	int exponent;
};

/* The magnitude of a finite number. */
ISK_INLINE struct isk_wide isk_wide_of(double x)
{
	uint64_t bits;
	int exponent;

	__builtin_memcpy(&bits, &x, sizeof(bits));
	exponent = (int)(bits >> 52 & 0x7ff);
	bits &= UINT64_MAX >> 12;
	return exponent ? (struct isk_wide){bits | 1ull << 52, exponent - 1075} : (struct isk_wide){bits, -1074};
}

/* The same number, which is not 0, shifted up so that its highest bit is bit `at`. */
ISK_INLINE struct isk_wide isk_raised(struct isk_wide w, int at)
{
	const uint64_t high = (uint64_t)(w.bits >> 64);
	const int n = at - (high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll((uint64_t)w.bits));

	return (struct isk_wide){w.bits << n, w.exponent - n};
}

/* bits shifted right by n. The last bit of the result is 1 also if any lost bit was. */
ISK_INLINE unsigned __int128 isk_shift_to_odd(unsigned __int128 bits, int n)
{
	if (n == 0)
		return bits;
	return n > 127 ? bits != 0 : bits >> n | (bits << (128 - n) != 0);
}

/* Rounds to nearest, ties to even. If all bits are 0, w is a difference of equals, so the result is +0. */
ISK_INLINE double isk_rounded(struct isk_wide w, int negative)
{
	uint64_t bits = 0;
	double x;

	if (w.bits) {
		int drop = 128 - 53;

		w = isk_raised(w, 127);
		if (drop < -1074 - w.exponent)
			drop = -1074 - w.exponent; /* denormal */
		w.exponent += drop + 1074;
		bits = (uint64_t)isk_shift_to_odd(w.bits, drop - 2);
		bits = (bits >> 2) + ((bits & 3) + (bits >> 2 & 1) > 2);
		/* The highest bit, or a carry, counts into the exponent. */
		bits = w.exponent > 2045 ? 0x7ffull << 52 : ((uint64_t)w.exponent << 52) + bits;
		bits |= (uint64_t)negative << 63;
	}
	__builtin_memcpy(&x, &bits, sizeof(x));
	return x;
}

/* Computed in integers: 126 bits hold the 106 bits of a product, and 128 leave room for the carry of a sum. */
static __attribute__((unused, noinline)) double isk_fused(double a, double b, double c)
{
	const int minus = __builtin_signbit(c) != 0;
	const int opposite = minus ^ (__builtin_signbit(a) != 0) ^ (__builtin_signbit(b) != 0);
	struct isk_wide product = isk_wide_of(a), other = isk_wide_of(b);

	if (a == 0 || b == 0 || !__builtin_isfinite(a) || !__builtin_isfinite(b))
		return a * b + c;
	if (c == 0)
		return a * b;
	if (!__builtin_isfinite(c))
		return c + c;
	product.bits *= other.bits;
	product.exponent += other.exponent;
	product = isk_raised(product, 125);
	other = isk_raised(isk_wide_of(c), 125);
	if (product.exponent > other.exponent || (product.exponent == other.exponent && product.bits > other.bits)) {
		other.bits = isk_shift_to_odd(other.bits, product.exponent - other.exponent);
		product.bits += opposite ? -other.bits : other.bits;
		return isk_rounded(product, minus ^ opposite);
	}
	product.bits = isk_shift_to_odd(product.bits, other.exponent - product.exponent);
	other.bits += opposite ? -product.bits : product.bits;
	return isk_rounded(other, minus);
}

ISK_INLINE vd vd_fused(vd a, vd b, vd c)
{
	for (int i = 0; i < VD; i++)
		a[i] = isk_fused(a[i], b[i], c[i]);
	return a;
}

#endif
