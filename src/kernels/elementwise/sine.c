/* SPDX-License-Identifier: MIT */
/*
 * sin and cos: see sine_f32.h. ../exact/sine.h computes arguments from 2^16 on, and all arguments on ISAs without fused
 * multiply-add. Worst errors from avx2 up, over all inputs below 2^16: sin 1.9409 ulp at 0x1.b34a1ap+5, cos 1.9743 at
 * 0x1.30752ap+13.
 */
#include "sine_kernels.h"
#include "sine.h"
#include "sine_f32.h"

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

#define FAST(name, op, half)                                                                                 \
	ISK_INLINE vf name(vf a)                                                                                 \
	{                                                                                                        \
		const vm small = vf_lt(a, vf_set1(0x1p16f));                                                         \
		vf y = vf_sine(a, half);                                                                             \
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
