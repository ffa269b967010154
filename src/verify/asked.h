/* SPDX-License-Identifier: MIT */
/* The library under test: the one that the program is linked with, unless the program sets another one. */
#ifndef ASKED_H
#define ASKED_H

#include "description.h"
#include "isakern.h"

/* X(name): the functions of its API */
#define ASKED_FUNCTIONS(X)                                                         \
	X(bound) X(candidates) X(isa_binary) X(isa_count) X(isa_cpu) X(isa_current)    \
	X(isa_name) X(kernel_count) X(kernel_find) X(kernel_info) X(reference)

struct asked {
	const struct isk_description *described;
#define X(name) __typeof(isk_##name) *name;
	ASKED_FUNCTIONS(X)
#undef X
};

extern struct asked asked;

#endif
