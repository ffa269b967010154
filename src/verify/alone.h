/* SPDX-License-Identifier: MIT */
#ifndef ALONE_H
#define ALONE_H

#include <time.h>

#include "kernels.h"

enum outcome { PASSED, WRONG, CRASHED, NOT_RUN, OUTCOMES };

/*
 * Runs a test of a variant, if the variant can run here, in a process of its own, so that the caller survives whatever the test
 * destroys. The variants that are linked to it are tested in the same process; if any of them fails, each one is tested alone,
 * in its turn, and the last one fails if none does so alone. Afterwards *v has the test's counts, found() its finding, and
 * tried() the call that it tried last. In gdb: set follow-fork-mode child.
 */
enum outcome run_alone(void (*test)(struct variant *v), struct variant *v);

/* A call that takes more seconds of CPU time than these may be an endless loop: its process ends by SIGVTALRM. 20 at first. */
extern time_t seconds_of_a_call;

/* Ends such a test before its last call, as passed. */
_Noreturn void alone_cut(void);

#endif
