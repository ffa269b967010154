/* SPDX-License-Identifier: MIT */
/* Operators that are gone once shapes are known: elaborate.c takes them apart. */
#include "ops.h"

const struct op control_ops[] = {
	{"Constant", 0, 0, NULL, NULL},
	{"If", 1, 1, NULL, NULL},
	{NULL, 0, 0, NULL, NULL},
};
