/* SPDX-License-Identifier: MIT */
/* Prints the file that each kernel call of this program reaches, and some results. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "isakern.h"
#include "kernels.h"

#define X(kernel, ...) {#kernel, (void (*)(void))isk_##kernel},
static const struct {
	const char *name;
	void (*fn)(void);
} kernels[] = {ISK_KERNELS(X)};
#undef X

int main(void)
{
	float x[4] = {-1, 0.5f, 2, 3}, y[4];

	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++) {
		const char *file = "?";
		Dl_info info;

		if (dladdr((void *)(size_t)kernels[i].fn, &info)) {
			file = strrchr(info.dli_fname, '/');
			file = file ? file + 1 : info.dli_fname;
		}
		printf("in %s %s\n", kernels[i].name, file);
	}
	isk_exp_f32(y, x, 4);
	printf("exp %.9g %.9g %.9g %.9g\n", (double)y[0], (double)y[1], (double)y[2], (double)y[3]);
	isk_relu_f32(y, x, 4);
	printf("relu %g %g %g %g\n", (double)y[0], (double)y[1], (double)y[2], (double)y[3]);
	isk_softmax_f32(y, x, 1, 4, 4, 4);
	printf("softmax %.9g %.9g %.9g %.9g\n", (double)y[0], (double)y[1], (double)y[2], (double)y[3]);
	printf("dot %.9g\n", (double)isk_dot_f32(x, x, 4));
	printf("lanes=%zu current=%s\n", isk_get_vec_length(), isk_isa_current());
	return 0;
}
