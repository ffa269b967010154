/* SPDX-License-Identifier: MIT */
/* Integers and masks, element by element: they are shapes and masks, so small that no kernel is needed. */
#ifndef INTEGER_H
#define INTEGER_H

#include "plan.h"

/* A binary operator of integers, with broadcasting. */
void plan_integer(struct plan *p, struct node *n);

#endif
