/* SPDX-License-Identifier: MIT */
/*
 * The calls to be timed: an indirect function of libisakern, the same body in a plain shared library, and one
 * in a library whose functions jump through pointers.
 */
#ifndef LOOPS_H
#define LOOPS_H

#include "isakern.h"

__typeof(isk_get_vec_length) isk_get_vec_length__plain;
__typeof(isk_relu_f32) isk_relu_f32__plain;
__typeof(isk_get_vec_length) pointed_get_vec_length;
__typeof(isk_relu_f32) pointed_relu_f32;

typedef void (*loop)(size_t times, float *y, const float *x);

struct loops {
	loop ifunc_query, pointer_query, plain_query, ifunc_relu, pointer_relu, plain_relu;
};

/* Through the PLT, and with -fno-plt. */
extern const struct loops loops_plt, loops_no_plt;

#endif
