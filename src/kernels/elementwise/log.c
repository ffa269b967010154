/* SPDX-License-Identifier: MIT */
/*
 * Logarithms in f32 by log_lanes.h. The correctly rounded kernels compute the logarithms of all numbers that are not
 * normal, and everything on ISAs without fused multiply-add. Constants: derive/log.py, derive/log.sollya. Worst errors
 * of all 2^32 inputs, from avx2 up: log 1.5389 ulp at 0x1.516edcp+1, log2 1.6684 at 0x1.6fb07cp-1, log10 2.2731 at
 * 0x1.9f625ep-107.
 */
#include "log_kernels.h"
#include "exactly.h"
#include "log_lanes.h"

static const float inverse_of_log2[8] = {
	0x1.5572eep+0f, 0x1.3b076ep+0f, 0x1.24addcp+0f, 0x1.1107e2p+0f,
	0x1p+0f, 0x1.c6fefcp-1f, 0x1.999da4p-1f, 0x1.745826p-1f,
};
static const float log_of_log2[8] = {
	-0x1.a97faap-2f, -0x1.32866ep-2f, -0x1.8b9feap-3f, -0x1.7c9988p-4f,
	0, 0x1.5cc0ecp-3f, 0x1.4998f2p-2f, 0x1.d688dap-2f,
};

static const float inverse_of_log10[8] = {
	0x1.55424ap+0f, 0x1.3b026ep+0f, 0x1.249496p+0f, 0x1.112638p+0f,
	0x1p+0f, 0x1.c7361ep-1f, 0x1.99987p-1f, 0x1.745beep-1f,
};
static const float log_of_log10[8] = {
	-0x1.ff5c8p-4f, -0x1.70fb94p-4f, -0x1.db2de6p-5f, -0x1.cd6014p-6f,
	0, 0x1.a241f2p-5f, 0x1.8cf69p-4f, 0x1.1b4138p-3f,
};

ISK_INLINE vf log2_of(vf x)
{
	const struct reduced l = reduced(x, inverse_of_log2, log_of_log2);
	vf p = vf_fma(vf_set1(0x1.220f8cp-2f), l.r, vf_set1(-0x1.726ee4p-2f));

	p = vf_fma(p, l.r, vf_set1(0x1.ec76dap-2f));
	p = vf_fma(p, l.r, vf_set1(-0x1.715456p-1f));
	p = vf_fma(p, l.r, vf_set1(0x1.715476p0f));
	return vf_fma(p, l.r, l.e + l.t);
}

ISK_INLINE vf log10_of(vf x)
{
	const struct reduced l = reduced(x, inverse_of_log10, log_of_log10);
	vf p = vf_fma(vf_set1(0x1.6c8ed8p-4f), l.r, vf_set1(-0x1.be1e34p-4f));

	p = vf_fma(p, l.r, vf_set1(0x1.287534p-3f));
	p = vf_fma(p, l.r, vf_set1(-0x1.bcb786p-3f));
	p = vf_fma(p, l.r, vf_set1(0x1.bcb7b2p-2f));
	return vf_fma(p, l.r, vf_fma(l.e, vf_set1(0x1.344136p-2f), l.t));
}

/* 0 is plain and gets its result from unless_0(), since lanes after the last element are 0. */
ISK_INLINE vm is_plain(vf x)
{
	const vm is_normal = vm_and(vf_le(vf_set1(0x1p-126f), x), vf_lt(x, vf_set1(__builtin_inff())));

	return vm_or(is_normal, vf_eq(x, vf_set1(0)));
}

ISK_INLINE vf unless_0(vf x, vf y)
{
	return vf_sel(vf_eq(x, vf_set1(0)), vf_set1(-__builtin_inff()), y);
}

MAP_BY_FMA_WHERE(log, cr_log_f32, is_plain(x), unless_0(x, ln_of(x)))
MAP_BY_FMA_WHERE(log2, cr_log2_f32, is_plain(x), unless_0(x, log2_of(x)))
MAP_BY_FMA_WHERE(log10, cr_log10_f32, is_plain(x), unless_0(x, log10_of(x)))
