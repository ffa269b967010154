/* SPDX-License-Identifier: MIT */
#include "asked.h"

struct asked asked = {
	.described = &isakern_description,
#define X(name) .name = isk_##name,
	ASKED_FUNCTIONS(X)
#undef X
};
