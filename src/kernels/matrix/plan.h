/* SPDX-License-Identifier: MIT */
/* Between isk_matmul_plan() and the kernels that it plans for. */
#ifndef ISK_PLAN_H
#define ISK_PLAN_H

#include "isakern/matrix_types.h"

/* The ways in which a matmul kernel multiplies. plan.c names and describes them in this order. */
enum isk_way { ISK_WAY_ANY, ISK_WAY_TILE, ISK_WAY_TILES, ISK_WAY_BLOCKS, ISK_WAY_COPIED, ISK_WAY_COLUMNS, ISK_WAYS };

typedef __typeof(*((struct isk_matmul_plan *)0)->multiply) isk_matmul_fn;

/*
 * Checks the sizes, strides and post of a plan, and sets plan->multiply to a function of this ISA that goes the given way;
 * ISK_WAY_ANY becomes the way that the kernel would go. Returns 0 or a negative isk_status, ISK_ERR_STRUCT if the product
 * cannot go this way.
 */
typedef int isk_planner(struct isk_matmul_plan *plan, enum isk_way *way);

/* The choice of a profile for a product. */
struct isk_profiled {
	char isa[16], way[16];
};

/*
 * Looks for a product in the file that ISAKERN_PROFILE names; *p stays if it is not there. The first read of all tells each line that is wrong, by its number, on
 * stderr; wrong lines count for nothing, and neither does a profile of another CPU.
 */
void isk_profile_read(struct isk_profiled *p, const char *kernel, size_t m, size_t n, size_t k);

/* The ISA with this name, or -1. */
int isk_isa_named(const char *name);

/* The way with this name, or ISK_WAY_ANY. */
enum isk_way isk_way_named(const char *name);

#endif
