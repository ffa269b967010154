/* SPDX-License-Identifier: MIT */
#include "settings.h"

#include <stddef.h>

const struct setting settings[] = {
	{"ISAKERN_MAX_ISA", "nothing above it is bound"},
	{"ISAKERN_DISABLE", "these are not bound"},
	{"ISAKERN_BIND", "these kernels are pinned"},
	{"ISAKERN_SLEEF_BIND", "these kernels of libisakern-sleef are pinned"},
	{"ISAKERN_PROFILE", "plans of products follow this file"},
	{"ISAKERN_NUM_THREADS", "libisakern-omp and libisakern-blas3 have at most this number of threads"},
	{"ISAKERN_VERBOSE", "1 tells each binding on stderr"},
	{"ISAKERN_TRACE", "libisakern-trace writes its report there"},
	{"ISAKERN_TRACE_LINES", "1 lets libisakern-trace tell each call on stderr"},
	{"ISAKERN_CHECK_KERNELS", "libisakern-check checks these kernels"},
	{"ISAKERN_CHECK_RATE", "libisakern-check checks one in N calls"},
	{"ISAKERN_BLAS_COUNT", "libisakern-blas counts its calls"},
	{"ISAKERN_MESON_ARGS", "a build of the Python package configures isakern with these options"},
	{"GLIBC_TUNABLES", "glibc.cpu.hwcaps masks are honoured"},
	{NULL, NULL},
};
