/* SPDX-License-Identifier: MIT */
/* Applies a function of two f64 vectors to both halves of two f32 vectors, and rounds once. */
#ifndef ISK_BOTH_H
#define ISK_BOTH_H

#define OF_BOTH(f, x, y) vd_halves(f(vf_low_half(x), vf_low_half(y)), f(vf_high_half(x), vf_high_half(y)))

#endif
