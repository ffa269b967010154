/* SPDX-License-Identifier: MIT */
/*
 * isakern: numerical kernels that bind themselves to the CPU they run on.
 *
 * Every kernel is a GNU indirect function. The dynamic linker binds it, once, to
 * the variant that is best for this CPU and this operating system; a call then
 * goes straight to that variant. There is nothing to initialise and nothing to
 * free, and every function here may be called from any number of threads at once.
 *
 * The headers included below summarize the contract of each operation beside its
 * prototypes: the definition, special values and the error. The manual page of a
 * kernel, such as isk_exp_f32(3), has the whole contract and an example.
 */
#ifndef ISAKERN_H
#define ISAKERN_H

/*
 * What holds for every kernel
 *
 * Sizes and strides count elements, not bytes. Pointers need the alignment of
 * their element type and no more. A size of 0 is allowed: nothing is read or
 * written, and pointers may then be NULL. An output may be the same array as an
 * input (in place) if its shape says so. An output must not overlap an input in
 * any other way.
 *
 * Kernels do not allocate, lock, print or set errno. They expect the default
 * floating-point environment (round to nearest, exceptions masked, no
 * flush-to-zero). They change nothing of it except the exception flags. They use
 * at most 64 KiB of stack.
 *
 * Errors are bounded, and the bounds are tested: see each kernel. A kernel marked
 * "same bits" gives bit-identical results at every ISA that has fused multiply-add
 * (on x86-64 avx2 and higher, on AArch64 all) and for every alignment. Three things
 * are not promised: the payload and sign of a NaN that a kernel returns (except by
 * conversions), exception flags, and equal bits at baseline, because baseline has
 * no fused multiply-add.
 *
 * An error in ulp is in units of the result's element type. eps is half the
 * distance from 1 to the next number of the type that the kernel computes in: 2^-53
 * for f64 elements, 2^-24 for all other floats. depth(n) is the smaller of n + 2 and
 * 32 + log2(n). It bounds how often a term of a sum is rounded. Bounds on sums hold
 * if no term (the square of an input, for instance) and no sum overflows or
 * underflows (below 2^-126, in f64 below 2^-1022).
 */

#include <isakern/types.h>
#include <isakern/library.h>
#include <isakern/families.h>

#endif
