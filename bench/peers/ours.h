/* SPDX-License-Identifier: MIT */
/* An isakern that takes part: the one that this program is linked with, or that of --old. */
#ifndef OURS_H
#define OURS_H

#include "field.h"
#include "isakern.h"

struct library {
	enum role role;
	const char *who;
	void (*(*bound)(const char *kernel))(void);
	size_t (*packed_size)(enum isk_type type, size_t k, size_t n);
	size_t (*conv_packed_size)(enum isk_type type, const struct isk_conv *conv);
	size_t (*conv_transpose_packed_size)(enum isk_type type, const struct isk_conv *conv); /* NULL: it has no such kernel */
	size_t (*packed_groups_size)(enum isk_type type, size_t k, size_t n, const struct isk_groups *groups);
	int takes_old_post; /* the struct of old.h in place of isk_post */
};

/* NULL without --old. */
const struct library *old_library(void);

#endif
