/* SPDX-License-Identifier: MIT */
/* The inner loop of all ufuncs: one function, and a kernel as its data. */
#ifndef ISK_PYTHON_LOOPS_H
#define ISK_PYTHON_LOOPS_H

#include "core.h"

#define RESULT (-1)
#define NO_BATCH (-1)

struct loop {
	const struct isk_kernel *kernel;
	isk_function fn;
	int operands;
	int operand[MOST_ARGUMENTS]; /* which argument of the kernel each is, inputs first; or RESULT */
	int batch; /* the size that numpy's loop dimension is handed over as; or NO_BATCH: a call for each */
	int cores; /* core dimensions: */
	int core[MOST_ARGUMENTS]; /* the size that each is */
};

void run_loop(char **args, const npy_intp *dimensions, const npy_intp *steps, void *loop);

#endif
