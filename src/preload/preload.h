/* SPDX-License-Identifier: MIT */
/*
 * The common part of libraries for LD_PRELOAD that stand in front of all kernels. The generated interposers.c defines
 * the public function of every kernel. Each puts its arguments into a struct and calls isk_interpose(), which each of
 * these libraries defines. So there is one path for all kernels.
 */
#ifndef ISK_PRELOAD_H
#define ISK_PRELOAD_H

#include "args.h"
#include "kernels.h"
#include "prefix.h"

/* The API of the library that this one stands in front of, under that library's names (prefix.h). */
#include "isakern/library.h"

/* Called instead of kernel number k. */
void isk_interpose(size_t k, union isk_args *args);

/* The beginning of messages: "isakern-trace". */
extern const char isk_preload_name[];

/* The functions that are found instead of the kernels. */
extern const isk_function isk_interposers[];

/* The next function of the kernel's name behind this library. */
isk_function isk_next(size_t k);

/* Whether the program asked the dynamic linker for the kernel at run time. */
int isk_was_looked_up(size_t k);
/* For a forked child, because the lookups before the fork are its parent's. */
void isk_forget_lookups(void);

/* The ISA of a variant, "avx512", or the file that holds the function if it is no variant of isakern. */
struct isk_origin {
	char text[64];
};
struct isk_origin isk_origin_of(size_t k, isk_function fn);

/* One line on standard error, in one piece. */
void isk_tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A variable of the environment; NULL if it is unset or empty, or if the process has more rights than its user. */
const char *isk_setting(const char *name);
/* Tells that the value of a variable is ignored, and which values are allowed. */
void isk_setting_is_wrong(const char *name, const char *value, const char *allowed);

#endif
