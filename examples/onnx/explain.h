/* SPDX-License-Identifier: MIT */
/* Tables for people: the steps of a plan, and where the time goes. */
#ifndef EXPLAIN_H
#define EXPLAIN_H

#include "plan.h"

/* The nodes of the file and what computes each; then each step: its kernel, the shape and order in memory of its output, and
 * the nodes of the file that it computes. */
void explain(const struct plan *p);
/* Runs the plan `runs` times and prints the share of each step. */
void profile(struct plan *p, size_t runs);

#endif
