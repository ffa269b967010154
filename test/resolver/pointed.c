/* SPDX-License-Identifier: MIT */
/*
 * Calls each kernel of a library without indirect functions twice, and prints the results: by name, or, given
 * a LIBRARY, by dlopen(). Afterwards prints the library's answers about the kernels.
 */
#include <stdio.h>
#ifndef STATIC
#include <dlfcn.h>
#endif

#include "../candidates.h"

static __typeof(isk_get_vec_length) *length = isk_get_vec_length;
static __typeof(isk_relu_f32) *relu = isk_relu_f32;
static __typeof(isk_axpby_f32) *axpby = isk_axpby_f32;
static __typeof(isk_dot_f32) *dot = isk_dot_f32;

#ifndef STATIC
static int open_library(const char *path)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	if (!library)
		return 0;
	*(void **)&length = dlsym(library, "isk_get_vec_length");
	*(void **)&relu = dlsym(library, "isk_relu_f32");
	*(void **)&axpby = dlsym(library, "isk_axpby_f32");
	*(void **)&dot = dlsym(library, "isk_dot_f32");
	return length && relu && axpby && dot;
}
#endif

static int is_right(void)
{
	const float x[5] = {1, -2, 3, -4, 5};
	float y[5] = {1, 1, 1, 1, 1}, z[5];

	axpby(y, x, 5, 2, 0.5f);
	relu(z, x, 5);
	return y[0] == 2.5f && y[1] == -3.5f && y[2] == 6.5f && y[3] == -7.5f && y[4] == 10.5f && z[0] == 1 && z[1] == 0
	    && z[4] == 5 && dot(x, x, 5) == 55;
}

static int reference_is_right(void)
{
	__typeof(isk_dot_f32) *reference = (__typeof(isk_dot_f32) *)isk_reference("dot_f32");
	const float x[2] = {3, 4};

	return reference && reference != dot && reference(x, x, 2) == 25;
}

int main(int argc, char **argv)
{
	size_t lanes;
	int right;

#ifndef STATIC
	if (argc > 1 && !open_library(argv[1]))
		return 1;
#endif
	(void)argc;
	(void)argv;
	lanes = length();
	right = is_right() && is_right() && lanes == length();
	printf("lanes=%zu right=%d length=%s relu=%s reference=%d current=%s\n", lanes, right,
	       bound_isa(isk_candidates, "get_vec_length"), bound_isa(isk_candidates, "relu_f32"), reference_is_right(),
	       isk_isa_current());
	return 0;
}
