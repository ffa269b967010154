/* SPDX-License-Identifier: MIT */
/*
 * sin and cos: (-1)^n sin(r) with r = |x| - n pi; for the cosine, n is an integer
 * and a half. ../exact/sine.h computes arguments from 2^16 on, and all arguments on ISAs
 * without fused multiply-add. Constants: derive/sine.sollya, derive/sine.c. Worst errors
 * from avx2 up, over all inputs below 2^16: sin 1.9409 ulp at 0x1.b34a1ap+5, cos 1.9743 at
 * 0x1.30752ap+13.
 */
#include "sine_kernels.h"
#include "by_pi_f32.h"
#include "sine.h"

#define SAME(op, a, y) (y)
SINE(wide_sin, sin, WIDE, SAME)
SINE(wide_cos, cos, WIDE, SAME)

#if ISK_FMA
static __attribute__((noinline)) vf any_sin(vf a)
{
	return wide_sin(a);
}

static __attribute__((noinline)) vf any_cos(vf a)
{
	return wide_cos(a);
}

/* sin(a) with half = 0 or cos(a) with half = .5, for a = |x| below 2^16, so that n has 15 bits. */
ISK_INLINE vf fast_sine(vf a, const float half)
{
	const struct by_pi_f32 t = by_pi_f32(a, half, 1);
	const vf w = t.r * t.r;
	vf p = vf_fma(vf_set1(0x1.5cd38ep-19f), w, vf_set1(-0x1.9f6d38p-13f));

	p = vf_fma(p, w, vf_set1(0x1.110f5ep-7f));
	p = vf_fma(p, w, vf_set1(-0x1.555558p-3f));
	return (vf)((vi)vf_fma(p, w * t.r, t.r) ^ (vi)t.sum << 31);
}

#define FAST(name, op, half)                                                                                 \
	ISK_INLINE vf name(vf a)                                                                                 \
	{                                                                                                        \
		const vm small = vf_lt(a, vf_set1(0x1p16f));                                                         \
		vf y = fast_sine(a, half);                                                                           \
                                                                                                             \
		if (__builtin_expect(!vm_all(small), 0))                                                             \
			y = vf_sel(small, y, any_##op(a));                                                               \
		return y;                                                                                            \
	}
FAST(sin_of, sin, 0)
FAST(cos_of, cos, 0.5f)
#else
#define sin_of wide_sin
#define cos_of wide_cos
#endif

MAP(sin, with_sign(sin_of(vf_abs(x)), x))
MAP(cos, cos_of(vf_abs(x)))
