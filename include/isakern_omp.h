/* SPDX-License-Identifier: MIT */
/*
 * libisakern-omp: the matrix kernels of isakern on the threads of OpenMP.
 *
 * isk_parallel_K takes the arguments of isk_K and keeps its contract, bits and
 * statuses included: the bits are those of the single call, for any number of
 * threads. What the contract says of allocation, locks, output, errno and stack
 * holds for the kernels that the threads call. It does not hold for the OpenMP
 * run-time library, which starts the threads: it allocates and locks, gives them
 * stacks of its own (OMP_STACKSIZE), prints if told to by the environment, and
 * may end the program when there are no resources.
 *
 * The work is split by rows, columns, images or matrices, whichever is even, among
 * at most omp_get_max_threads() threads (OMP_NUM_THREADS), and among fewer where
 * it is small. Inside a parallel region that does not nest, and where there is
 * little to do, the calling thread does it all.
 *
 * In a child of fork() the calling thread does it all too, because a child has
 * none of its parent's threads, for which GNU's run-time library would wait for
 * ever. A child that is to use threads calls exec, or loads this library itself.
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

#ifdef __cplusplus
}
#endif

#endif
