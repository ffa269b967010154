/* SPDX-License-Identifier: MIT */
/* Functions of two f32 vectors, in f64 lanes or in lanes of both types. */
#ifndef ISK_BOTH_H
#define ISK_BOTH_H

#include "vmath.h"

/* Applies a function of two f64 vectors to both halves of two f32 vectors, and rounds once. */
#define OF_BOTH(f, x, y) vd_halves(f(vf_low_half(x), vf_low_half(y)), f(vf_high_half(x), vf_high_half(y)))

/* plain(a, b) in the lanes that it calls plain, and any(a, b) in the others, and in all lanes of ISAs without fused multiply-add. */
ISK_INLINE vf plain_or_any(vf a, vf b, vf plain(vf a, vf b, vm *is_plain), vf any(vf a, vf b))
{
	vm is_plain;
	vf y;

	if (!ISK_FMA)
		return any(a, b);
	y = plain(a, b, &is_plain);
	return __builtin_expect(!vm_all(is_plain), 0) ? vf_sel(is_plain, y, any(a, b)) : y;
}

#endif
