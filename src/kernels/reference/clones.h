/* SPDX-License-Identifier: MIT */
/* Loops of tests, with all that they call: compiled for several vectors, of which those of the CPU are taken. */
#ifndef ISK_CLONES_H
#define ISK_CLONES_H

#include <features.h>

/*
 * A clone is taken by an indirect function, which glibc has. clang has one or the other, and no vectors of libm; with
 * ThreadSanitizer a choice of a clone ends the program.
 */
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#define ISK_CLONES __attribute__((flatten, target_clones("avx512f", "avx2", "default")))
#else
#define ISK_CLONES __attribute__((flatten))
#endif

#endif
