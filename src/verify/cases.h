/* SPDX-License-Identifier: MIT */
/* The calls whose results are a kernel's fingerprint: docs/fingerprint.md defines them. */
#ifndef CASES_H
#define CASES_H

#include "job.h"

/* Before all others. */
void cases_start(void);
size_t cases_of(const struct isk_kernel *k);
/* Makes a call ready, the same on every machine; 0: it is left out, for it would be too large. */
int case_place(struct job *job, const struct isk_kernel *k, size_t number);
/* What it is, for people: "n 17, in place, elements near 1". */
void case_describe(struct job *job, char *text, size_t size);

/* The room that text and its end take. */
enum { CASE_TEXT = 400 };

#endif
