/* SPDX-License-Identifier: MIT */
/*
 * Logarithms without a quotient: x = 2^e m, and log(m) = log(1 + r) - log(c) with r = c m - 1. c is one of 8 numbers
 * near 1 / m whose logarithms are next to an f32. From 31/32 to 17/16, c is 1, so that nothing cancels.
 * Constants: derive/log.py, derive/log.sollya.
 */
#ifndef ISK_LOG_LANES_H
#define ISK_LOG_LANES_H

#include "kernel.h"

static const float vf_ln_inverse[8] = {
	0x1.5564fap+0f, 0x1.3b20d8p+0f, 0x1.248eeep+0f, 0x1.11031cp+0f,
	0x1p+0f, 0x1.c711d4p-1f, 0x1.99a968p-1f, 0x1.746c6cp-1f,
};
static const float vf_ln_of_inverse[8] = {
	-0x1.26c50ep-2f, -0x1.a9944ep-3f, -0x1.11616ap-3f, -0x1.07882ap-4f,
	0, 0x1.e2d004p-4f, 0x1.c8b076p-3f, 0x1.45ee94p-2f,
};

struct vf_reduced {
	vf e, r, t; /* t is -log(c) */
};

/* The bits of x minus those of 23/32: e in the upper 9 bits, then the number of the part. NaN wraps. */
ISK_INLINE vi log_parts(vf x)
{
	return (vi)((vu)vf_bits(x) - 0x3f380000);
}

ISK_INLINE struct vf_reduced vf_reduced(vf x, const float inverse[8], const float log_of[8])
{
	const vi from = log_parts(x), part = from >> 20;
	const vf m = vi_float((vi)((vu)vf_bits(x) - ((vu)from & 0xff800000)));

	return (struct vf_reduced){vi_to_vf(from >> 23), vf_fma(m, vf_lookup8(inverse, part), vf_set1(-1)),
	                           vf_lookup8(log_of, part)};
}

/*
 * The reduction of 1 + x, for -1 < x < 2^126, with r = c 2^-e x + (c 2^-e - 1). The term in parentheses is exact for
 * e = 0; elsewhere its rounding error is small against the logarithm.
 */
ISK_INLINE struct vf_reduced vf_reduced_1p(vf x, const float inverse[8], const float log_of[8])
{
	const vi from = log_parts(x + 1), part = from >> 20;
	const vf scale = vi_float((vi)(0x3f800000 - ((vu)from & 0xff800000))), c = vf_lookup8(inverse, part);

	return (struct vf_reduced){vi_to_vf(from >> 23), vf_fma(x * scale, c, vf_fma(scale, c, vf_set1(-1))),
	                           vf_lookup8(log_of, part)};
}

ISK_INLINE vf vf_ln_of_reduced(struct vf_reduced l)
{
	vf p = vf_fma(vf_set1(0x1.9837dcp-3f), l.r, vf_set1(-0x1.009ed6p-2f));

	p = vf_fma(p, l.r, vf_set1(0x1.5555d6p-2f));
	p = vf_fma(p, l.r, vf_set1(-0x1.ffffeep-2f));
	return vf_fma(l.e, vf_set1(0x1.62e43p-1f), l.t) + vf_fma(p, l.r * l.r, l.r);
}

ISK_INLINE vf vf_ln(vf x)
{
	return vf_ln_of_reduced(vf_reduced(x, vf_ln_inverse, vf_ln_of_inverse));
}

ISK_INLINE vf vf_ln_1p(vf x)
{
	return vf_ln_of_reduced(vf_reduced_1p(x, vf_ln_inverse, vf_ln_of_inverse));
}

static const float vf_log2_inverse[8] = {
	0x1.5572eep+0f, 0x1.3b076ep+0f, 0x1.24addcp+0f, 0x1.1107e2p+0f,
	0x1p+0f, 0x1.c6fefcp-1f, 0x1.999da4p-1f, 0x1.745826p-1f,
};
static const float vf_log2_of_inverse[8] = {
	-0x1.a97faap-2f, -0x1.32866ep-2f, -0x1.8b9feap-3f, -0x1.7c9988p-4f,
	0, 0x1.5cc0ecp-3f, 0x1.4998f2p-2f, 0x1.d688dap-2f,
};

static const float vf_log10_inverse[8] = {
	0x1.55424ap+0f, 0x1.3b026ep+0f, 0x1.249496p+0f, 0x1.112638p+0f,
	0x1p+0f, 0x1.c7361ep-1f, 0x1.99987p-1f, 0x1.745beep-1f,
};
static const float vf_log10_of_inverse[8] = {
	-0x1.ff5c8p-4f, -0x1.70fb94p-4f, -0x1.db2de6p-5f, -0x1.cd6014p-6f,
	0, 0x1.a241f2p-5f, 0x1.8cf69p-4f, 0x1.1b4138p-3f,
};

ISK_INLINE vf vf_log2(vf x)
{
	const struct vf_reduced l = vf_reduced(x, vf_log2_inverse, vf_log2_of_inverse);
	vf p = vf_fma(vf_set1(0x1.220f8cp-2f), l.r, vf_set1(-0x1.726ee4p-2f));

	p = vf_fma(p, l.r, vf_set1(0x1.ec76dap-2f));
	p = vf_fma(p, l.r, vf_set1(-0x1.715456p-1f));
	p = vf_fma(p, l.r, vf_set1(0x1.715476p0f));
	return vf_fma(p, l.r, l.e + l.t);
}

ISK_INLINE vf vf_log10(vf x)
{
	const struct vf_reduced l = vf_reduced(x, vf_log10_inverse, vf_log10_of_inverse);
	vf p = vf_fma(vf_set1(0x1.6c8ed8p-4f), l.r, vf_set1(-0x1.be1e34p-4f));

	p = vf_fma(p, l.r, vf_set1(0x1.287534p-3f));
	p = vf_fma(p, l.r, vf_set1(-0x1.bcb786p-3f));
	p = vf_fma(p, l.r, vf_set1(0x1.bcb7b2p-2f));
	return vf_fma(p, l.r, vf_fma(l.e, vf_set1(0x1.344136p-2f), l.t));
}

#endif
