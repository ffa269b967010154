/* SPDX-License-Identifier: MIT */
/*
 * Logarithms without a quotient: x = 2^e m, and log(m) = log(1 + r) - log(c) with r = c m - 1. c is one of 8 numbers
 * near 1 / m whose logarithms are next to an f32. From 31/32 to 17/16, c is 1, so that nothing cancels.
 * Constants: derive/log.py, derive/log.sollya.
 */
#ifndef ISK_LOG_LANES_H
#define ISK_LOG_LANES_H

#include "kernel.h"

static const float inverse_of_ln[8] = {
	0x1.5564fap+0f, 0x1.3b20d8p+0f, 0x1.248eeep+0f, 0x1.11031cp+0f,
	0x1p+0f, 0x1.c711d4p-1f, 0x1.99a968p-1f, 0x1.746c6cp-1f,
};
static const float log_of_ln[8] = {
	-0x1.26c50ep-2f, -0x1.a9944ep-3f, -0x1.11616ap-3f, -0x1.07882ap-4f,
	0, 0x1.e2d004p-4f, 0x1.c8b076p-3f, 0x1.45ee94p-2f,
};

struct reduced {
	vf e, r, t; /* t is -log(c) */
};

/* The bits of x minus those of 23/32: e in the upper 9 bits, then the number of the part. NaN wraps. */
ISK_INLINE vi log_parts(vf x)
{
	return (vi)((vu)vf_bits(x) - 0x3f380000);
}

ISK_INLINE struct reduced reduced(vf x, const float inverse[8], const float log_of[8])
{
	const vi from = log_parts(x), part = from >> 20;
	const vf m = vi_float((vi)((vu)vf_bits(x) - ((vu)from & 0xff800000)));

	return (struct reduced){vi_to_vf(from >> 23), vf_fma(m, vf_lookup8(inverse, part), vf_set1(-1)),
	                        vf_lookup8(log_of, part)};
}

/*
 * The reduction of 1 + x, for -1 < x < 2^126, with r = c 2^-e x + (c 2^-e - 1). The term in parentheses is exact for
 * e = 0; elsewhere its rounding error is small against the logarithm.
 */
ISK_INLINE struct reduced reduced_1p(vf x, const float inverse[8], const float log_of[8])
{
	const vi from = log_parts(x + 1), part = from >> 20;
	const vf scale = vi_float((vi)(0x3f800000 - ((vu)from & 0xff800000))), c = vf_lookup8(inverse, part);

	return (struct reduced){vi_to_vf(from >> 23), vf_fma(x * scale, c, vf_fma(scale, c, vf_set1(-1))),
	                        vf_lookup8(log_of, part)};
}

ISK_INLINE vf ln_of_reduced(struct reduced l)
{
	vf p = vf_fma(vf_set1(0x1.9837dcp-3f), l.r, vf_set1(-0x1.009ed6p-2f));

	p = vf_fma(p, l.r, vf_set1(0x1.5555d6p-2f));
	p = vf_fma(p, l.r, vf_set1(-0x1.ffffeep-2f));
	return vf_fma(l.e, vf_set1(0x1.62e43p-1f), l.t) + vf_fma(p, l.r * l.r, l.r);
}

ISK_INLINE vf ln_of(vf x)
{
	return ln_of_reduced(reduced(x, inverse_of_ln, log_of_ln));
}

ISK_INLINE vf ln_1p_of(vf x)
{
	return ln_of_reduced(reduced_1p(x, inverse_of_ln, log_of_ln));
}

#endif
