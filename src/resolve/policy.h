/* SPDX-License-Identifier: MIT */
/* What the ISAKERN_ variables ask for. */
#ifndef ISK_POLICY_H
#define ISK_POLICY_H

#include "environ.h"
#include "resolve.h"

struct isk_policy {
	unsigned int cap;  /* the highest ISA wanted */
	uint32_t disabled; /* one bit each; never baseline */
	int verbose;
};

void isk_policy_read(struct isk_policy *policy, const struct isk_environ *e);

/* The ISA that a kernel is pinned to, or -1. */
int isk_policy_pin(isk_word word, const struct isk_row *row);

/* One warning for each word of a variable that says nothing; usable: see isk_word. */
void isk_policy_warn(const struct isk_environ *e, uint32_t cpu, uint32_t allowed);

#endif
