/* SPDX-License-Identifier: MIT */
/* ISK_CLONES compiles a loop of a test, with all its callees, for several vector widths and runs the one for the CPU. */
#ifndef ISK_CLONES_H
#define ISK_CLONES_H

#include <features.h>

/*
 * An indirect function of glibc chooses the clone. clang accepts only one of the two attributes and has no vectors of
 * libm; with ThreadSanitizer, choosing a clone ends the program.
 */
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#define ISK_CLONES __attribute__((flatten, target_clones("avx512f", "avx2", "default")))
#else
#define ISK_CLONES __attribute__((flatten))
#endif

#endif
