/* SPDX-License-Identifier: MIT */
/*
 * Kernels whose work is many independent parts: elements, rows, columns, images. Each
 * thread calls the kernel for a part of every array. The column `threads` of
 * shapes.tbl names the sizes along which a call may be cut.
 */
#ifndef ISK_IN_PARTS_H
#define ISK_IN_PARTS_H

#include "args.h"

/*
 * Each thread reads and writes at least this many bytes, because it takes 3 us to wake it (bench/parallel on two cores of
 * Zen 5 in a virtual machine), as long as one core takes for relu of 700 KiB in its second-level cache.
 */
#define ISK_BYTES_A_THREAD ((size_t)512 << 10)

/*
 * Calls fn, the function of kernel k, on several threads if `bytes`, which the whole call reads and writes, are enough for
 * them. Returns the status of a kernel that has one, and 0 for others.
 */
__attribute__((visibility("hidden"))) int isk_in_parts(const struct isk_kernel *k, isk_function fn, union isk_args *args,
                                                       size_t bytes);

#endif
