/* SPDX-License-Identifier: MIT */
/* A function of two f64 on both halves of two vectors of f32, rounded once. */
#ifndef ISK_BOTH_H
#define ISK_BOTH_H

#define OF_BOTH(f, x, y) vd_halves(f(vf_low_half(x), vf_low_half(y)), f(vf_high_half(x), vf_high_half(y)))

#endif
