/* SPDX-License-Identifier: MIT */
/*
 * libisakern-omp: the kernels of isakern on the threads of OpenMP. A kernel has no form
 * if its work does not split: products of elements, norms and logsumexp of an array,
 * exact sums, and elements chosen by a mask.
 *
 * isk_parallel_K takes the arguments of isk_K and keeps its contract, bits and
 * statuses included: the bits are those of the single call, for any number of
 * threads. The contract's rules on allocation, locks, output, errno and stack hold
 * for the kernels that the threads call. They do not hold for the OpenMP run-time
 * library, which starts the threads: it allocates and locks, gives the threads
 * stacks of its own (OMP_STACKSIZE), prints if the environment tells it to, and may
 * end the program if resources run out.
 *
 * A sum is the sum of partial sums: isk_partial_sums() in isakern/reduce_types.h, for
 * programs with threads of their own.
 *
 * The work is split by elements, rows, columns, images or matrices, whichever splits
 * evenly, among at most ISAKERN_NUM_THREADS threads or, if that variable is not set,
 * omp_get_max_threads() (OMP_NUM_THREADS). Each thread reads and writes 512 KiB or
 * more, or, in products and convolutions, does 500,000 multiply-adds. The calling thread
 * does all of it if there is less than twice as much to do, or if the call is inside a
 * parallel region that does not nest.
 *
 * In a child of fork() the calling thread does it all too, because a child has
 * none of its parent's threads, for which GNU's run-time library would wait for
 * ever. A child that is to use threads calls exec, or loads this library itself.
 *
 * A thread of GNU's run-time library that waits for another keeps its CPU busy at
 * first. This is the fastest way on idle CPUs. If other programs use all of them, the
 * other thread gets no CPU for milliseconds; then set OMP_WAIT_POLICY=passive, with
 * which a waiting thread sleeps. isk_parallel_exp_f32 on two CPUs of a Zen 5, times as
 * fast as isk_exp_f32, for 2 and 32 MiB: on idle CPUs 1.36 and 2.28, passive .61 and
 * 1.54; with two other programs .01 and .14, passive .4 to .7 and .94 to 1.00.
 *
 * isk_with_threads(body, data) calls body(data) on the calling thread, and keeps the threads ready for the isk_parallel_
 * kernels that body calls, until body returns. They then begin in a tenth of the time, 0.2 us in place of 2.3 (two cores of
 * a Zen 5), and share calls of an eighth of the work named above. The bits stay the same. In
 * body, parallel regions of OpenMP are nested ones. Between calls the threads spin for some 100 us, then they sleep; with
 * OMP_WAIT_POLICY=passive they sleep at once.
 *
 * In libisakern-omp.so, which needs libisakern.so and the OpenMP run-time
 * library of the compiler it was built with; libisakern.so needs neither.
 */
#ifndef ISAKERN_OMP_H
#define ISAKERN_OMP_H

#include "isakern.h"

#ifdef __cplusplus
extern "C" {
#endif

#include <isakern/parallel.h>

/* Calls body(data), with threads that are ready for the isk_parallel_ kernels that it calls. body must return. */
void isk_with_threads(void (*body)(void *data), void *data);

#ifdef __cplusplus
}
#endif

#endif
