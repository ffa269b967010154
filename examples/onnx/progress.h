/* SPDX-License-Identifier: MIT */
/* Tells people that long work goes on: on a terminal one changing line, elsewhere a line every ten seconds. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include "plan.h"

/* For plan.watch: `done` steps of a run are done. Says nothing about a run of less than a second. */
void progress_tell(const struct plan *p, size_t done);

#endif
