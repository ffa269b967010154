/* SPDX-License-Identifier: MIT */
/*
 * What libraries for LD_PRELOAD share that stand in front of all kernels. The generated interposers.c defines
 * the public function of every kernel; each puts its arguments into a struct and calls isk_interpose(), which
 * is the library's own. So there is one path for all kernels.
 */
#ifndef ISK_PRELOAD_H
#define ISK_PRELOAD_H

#include "args.h"
#include "kernels.h"
#include "prefix.h"

/* Under the names of the library that this one stands in front of. */
#include "isakern/library.h"

/* Called instead of kernel number k. */
void isk_interpose(size_t k, union isk_args *args);

/* What messages begin with: "isakern-trace". */
extern const char isk_preload_name[];

/* The functions that are found instead of the kernels. */
extern const isk_function isk_interposers[];

/* The next function of the kernel's name behind this library. */
isk_function isk_next(size_t k);

/* Whether the program asked the dynamic linker for the kernel at run time. */
int isk_was_looked_up(size_t k);
/* In a child that was forked: what its parent asked for is the parent's. */
void isk_forget_lookups(void);

/* "avx512"; of what is none of isakern's variants the file that it is in. */
struct isk_origin {
	char text[64];
};
struct isk_origin isk_origin_of(size_t k, isk_function fn);

/* One line on standard error, in one piece. */
void isk_tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A variable of the environment; NULL where it is not set, and in a process with more rights than its user. */
const char *isk_setting(const char *name);
/* That it is not as it may be, and hence ignored. */
void isk_setting_is_wrong(const char *name, const char *value, const char *allowed);

#endif
