/* SPDX-License-Identifier: MIT */
/* The calls whose results are a kernel's fingerprint: docs/fingerprint.md defines them. */
#ifndef CASES_H
#define CASES_H

#include "job.h"

/* Call it before the other functions. */
void cases_start(void);
size_t cases_of(const struct isk_kernel *k);
/* Makes a call ready, the same on every machine. Returns 0 if the case is too large and therefore left out. */
int case_place(struct job *job, const struct isk_kernel *k, size_t number);
/* Describes the case for people: "n 17, in place, elements near 1". */
void case_describe(struct job *job, char *text, size_t size);

/* The bytes that text needs, with its end. */
enum { CASE_TEXT = 400 };

#endif
