/* SPDX-License-Identifier: MIT */
/* An isakern that takes part: the one this program is linked with, or that of --old. */
#ifndef OURS_H
#define OURS_H

#include "peers.h"

struct library {
	enum role role;
	const char *who;
	void (*(*bound)(const char *kernel))(void);
	size_t (*packed_size)(enum isk_type type, size_t k, size_t n);
	size_t (*conv_packed_size)(enum isk_type type, const struct isk_conv *conv);
	/* Whether it takes the structs of old.h, not those of isakern.h. */
	int old_post, old_conv;
};

/* NULL without --old. */
const struct library *old_library(void);

/* matmul as isakern.h describes it, with pointers to anything. */
typedef int matmul_fn(void *c, const void *a, const void *b, size_t m, size_t n, size_t k, size_t ldc,
                      size_t lda, size_t ldb, unsigned transposed, const void *post);

#endif
