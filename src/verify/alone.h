/* SPDX-License-Identifier: MIT */
#ifndef ALONE_H
#define ALONE_H

#include "kernels.h"

enum outcome { PASSED, WRONG, CRASHED, NOT_RUN, OUTCOMES };

/*
 * Runs a test of a variant, if that can run here, in a process of its own: whatever it destroys, and however it
 * ends, the caller goes on. What it counted is in *v afterwards, what it found in found(), in which call in tried().
 * In gdb: set follow-fork-mode child.
 */
enum outcome run_alone(void (*test)(struct variant *v), struct variant *v);

/* Called by such a test: it ends here, and has passed. */
_Noreturn void alone_passed(void);

#endif
