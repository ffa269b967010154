/* SPDX-License-Identifier: MIT */
/* For loops of tests: compiled for several vectors, of which those of the CPU are taken, with all that they call. */
#ifndef ISK_CLONES_H
#define ISK_CLONES_H

#ifdef __x86_64__
#define ISK_CLONES __attribute__((flatten, target_clones("avx512f", "avx2", "default")))
#else
#define ISK_CLONES __attribute__((flatten))
#endif

#endif
