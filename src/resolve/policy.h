/* SPDX-License-Identifier: MIT */
/* The settings that the ISAKERN_ variables ask for. */
#ifndef ISK_POLICY_H
#define ISK_POLICY_H

#include "environ.h"
#include "resolve.h"

struct isk_policy {
	unsigned int cap;  /* the highest ISA that may be used */
	uint32_t disabled; /* the ISAs that may not be used, one bit each; never the lowest */
	int verbose;       /* 1: each binding is told on stderr */
};

void isk_policy_read(struct isk_policy *policy, const struct isk_environ *e);

/* Sets pins[number] to the ISA plus 1 for each kernel that ISAKERN_BIND pins to an ISA that it can have. */
void isk_policy_pin(uint8_t pins[], const struct isk_environ *e, uint32_t allowed);

/* Warns once for each part of a variable's value that has no effect. room: there was memory for pins. */
void isk_policy_warn(const struct isk_environ *e, uint32_t cpu, uint32_t allowed, int room);

#endif
