/* SPDX-License-Identifier: MIT */
/*
 * sin and cos: see sine_f32.h. ../exact/sine.h computes arguments from 2^16 on, and all arguments on ISAs without fused
 * multiply-add. Worst errors from avx2 up, over all inputs below 2^16: sin 1.9409 ulp at 0x1.b34a1ap+5, cos 1.9743 at
 * 0x1.30752ap+13.
 */
#include "sine_kernels.h"
#include "loops_plain.h"
#include "sine.h"
#include "sine_f32.h"

#define SAME(op, a, y) (y)
SINE(wide_sin, sin, WIDE, SAME)
SINE(wide_cos, cos, WIDE, SAME)

ISK_ANY vf any_sin(vf x)
{
	return with_sign(wide_sin(vf_abs(x)), x);
}

ISK_ANY vf any_cos(vf x)
{
	return wide_cos(vf_abs(x));
}

ISK_FAST vf fast_sin(vf x, vm *plain)
{
	*plain = vf_lt(vf_abs(x), vf_set1(0x1p16f));
	return with_sign(vf_sine(vf_abs(x), 0), x);
}

ISK_FAST vf fast_cos(vf x, vm *plain)
{
	*plain = vf_lt(vf_abs(x), vf_set1(0x1p16f));
	return vf_sine(vf_abs(x), 0.5f);
}

PLAIN(map, sin, fast_sin, any_sin)
PLAIN(map, cos, fast_cos, any_cos)
