/* SPDX-License-Identifier: MIT */
/*
 * Kernels whose work is many independent parts: elements, rows, columns, images. Each
 * thread calls the kernel for a part of every array. The column `threads` of
 * shapes.tbl names the sizes along which a call may be cut.
 */
#ifndef ISK_IN_PARTS_H
#define ISK_IN_PARTS_H

#include "args.h"
#include "threads.h"

/*
 * Columns and elements are cut in multiples of 64. So no two threads write to one cache line of an aligned output, and
 * elements that share a byte stay together.
 */
#define ISK_ELEMENTS_TOGETHER 64

/* How results of parts are joined: joins.tbl. */
enum isk_join {
	ISK_JOIN_SUM, ISK_JOIN_ADD, ISK_JOIN_XOR, ISK_JOIN_MAX, ISK_JOIN_MIN, ISK_JOIN_ARGMAX, ISK_JOIN_ARGMIN
};

static inline size_t isk_size_at(const struct isk_kernel *k, union isk_args *args, int i)
{
	return *(const size_t *)isk_argument_at(args, &k->shape->arguments[i]);
}

static inline union isk_result isk_call_once(const struct isk_kernel *k, isk_function fn, union isk_args *args)
{
	args->result = (union isk_result){0};
	k->call(fn, args);
	return args->result;
}

/* Writes the arguments of a part of a call: of a range along a size, which is the number of an argument. */
__attribute__((visibility("hidden"))) void isk_part_of(union isk_args *args, const struct isk_kernel *k, union isk_args *whole,
                                                       int size, struct range range);

/*
 * Calls fn, the function of kernel k, on several threads if `bytes`, which the whole call reads and writes, are enough for
 * them. Returns the status of a kernel that has one, and 0 for others.
 */
__attribute__((visibility("hidden"))) int isk_in_parts(const struct isk_kernel *k, isk_function fn, union isk_args *args,
                                                       size_t bytes);

/* The same for a kernel with one result, which it returns. */
__attribute__((visibility("hidden"))) union isk_result isk_joined(const struct isk_kernel *k, isk_function fn,
                                                                  union isk_args *args, size_t bytes, enum isk_join join);

#endif
