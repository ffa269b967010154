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

MAP_BY_FMA_WHERE(log, cr_log_f32, is_plain(x), unless_0(x, vf_ln(x)))
MAP_BY_FMA_WHERE(log2, cr_log2_f32, is_plain(x), unless_0(x, vf_log2(x)))
MAP_BY_FMA_WHERE(log10, cr_log10_f32, is_plain(x), unless_0(x, vf_log10(x)))
