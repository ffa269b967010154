/* SPDX-License-Identifier: MIT */
/* The inner loop of all ufuncs: one function, whose data is a kernel. */
#ifndef ISK_PYTHON_LOOPS_H
#define ISK_PYTHON_LOOPS_H

#include "core.h"

#define RESULT (-1)
#define NO_BATCH (-1)

struct loop {
	const struct isk_kernel *kernel;
	isk_function fn;
	int operands;                /* the number of operands, inputs first */
	int operand[MOST_ARGUMENTS]; /* the number of the kernel's argument that each operand is, or RESULT */
	int batch;                   /* the size that takes numpy's loop dimension; NO_BATCH: each turn is a call */
	int cores;                   /* the number of core dimensions */
	int core[MOST_ARGUMENTS];    /* the number of the size that each core dimension is */
};

void run_loop(char **args, const npy_intp *dimensions, const npy_intp *steps, void *loop);

#endif
