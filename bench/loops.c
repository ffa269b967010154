/* SPDX-License-Identifier: MIT */
/* Compiled twice, with LOOPS defined as loops_plt or loops_no_plt. */
#include "loops.h"

enum { FEW = 4 };

#define LOOP(name, call)                                                       \
	static __attribute__((noinline)) void name(size_t times, float *y, const float *x) \
	{                                                                          \
		(void)y;                                                               \
		(void)x;                                                               \
		while (times--)                                                        \
			call;                                                              \
	}

LOOP(ifunc_query, isk_get_vec_length())
LOOP(pointer_query, pointed_get_vec_length())
LOOP(plain_query, isk_get_vec_length__plain())
LOOP(ifunc_relu, isk_relu_f32(y, x, FEW))
LOOP(pointer_relu, pointed_relu_f32(y, x, FEW))
LOOP(plain_relu, isk_relu_f32__plain(y, x, FEW))

const struct loops LOOPS = {ifunc_query, pointer_query, plain_query, ifunc_relu, pointer_relu, plain_relu};
