/* SPDX-License-Identifier: MIT */
/* What the ISAKERN_ variables ask for. */
#ifndef ISK_POLICY_H
#define ISK_POLICY_H

#include "environ.h"
#include "resolve.h"

struct isk_policy {
	unsigned int cap;  /* the highest ISA wanted */
	uint32_t disabled; /* one bit each; never the lowest */
	int verbose;
};

void isk_policy_read(struct isk_policy *policy, const struct isk_environ *e);

/* For each kernel that ISAKERN_BIND pins to an ISA it can have: pins[its number] = that ISA plus 1. */
void isk_policy_pin(uint8_t pins[], const struct isk_environ *e, uint32_t allowed);

/* One warning for each word of a variable that says nothing; room: there was memory for pins. */
void isk_policy_warn(const struct isk_environ *e, uint32_t cpu, uint32_t allowed, int room);

#endif
