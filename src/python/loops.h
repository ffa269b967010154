/* SPDX-License-Identifier: MIT */
/* The inner loop of all ufuncs: one function, whose data is a kernel. */
#ifndef ISK_PYTHON_LOOPS_H
#define ISK_PYTHON_LOOPS_H

#include "core.h"

#include <stdbool.h>

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
	bool folds;                  /* numpy may reduce by it in any order */
	const struct isk_kernel *whole; /* the kernel that reduces an array by it; NULL if there is none */
	isk_function whole_fn;
	const struct isk_kernel *strided; /* as whole, or as kernel if that is NULL, for elements a stride apart; NULL: none */
	isk_function strided_fn;
	const struct isk_kernel *valued; /* the kernel of two inputs with a value as the second one; NULL: none */
	isk_function valued_fn;
	bool commutes;               /* the first input may be that value */
	bool negates;                /* the kernel takes the value, a double, with the other sign */
	bool has_one_result;         /* numpy's loop of floats has the kernel's bits */
	PyUFuncGenericFunction numpys; /* numpy's loop of the same types, if it has the kernel's bits; else NULL */
	void *numpys_data;
	bool keeps_integers;         /* numpy's function of the same name makes integers of integers */
	bool is_flat;                /* the arguments are arrays along the batch, values and the batch, and nothing else */
	npy_intp item[MOST_ARGUMENTS]; /* if is_flat: the bytes of an element of each operand; 0: a value */
	bool may_be[MOST_ARGUMENTS]; /* if is_flat: the output may be this input */
	bool reduces_vectors;        /* inputs are vectors of one size, and the result is a number */
};

/* Fills in is_flat and item. */
void describe_loop(struct loop *l);

/* Runs a loop that is_flat if its output has no gaps and is no input that has some. False: nothing is done. */
bool run_flat(const struct loop *l, char **args, npy_intp n, const npy_intp *steps);

/* Whether a loop makes a number of vectors of one size, and of nothing else. */
bool reduces_vectors(const struct loop *l);

/*
 * The number that a loop of which this is true makes of arguments of Python, as a scalar of the type `made`. NULL without an
 * exception: the arguments are not short vectors of `type` without gaps.
 */
PyObject *reduce_vectors(const struct loop *l, PyObject *const *args, int type, int made);

/* Runs such a loop if the vectors have no gaps. False: nothing is done. */
bool run_vectors(const struct loop *l, char **args, const npy_intp *dimensions, const npy_intp *steps);

/* Whether a call is that of numpy's reduce(): the first operand is the output, and one element. */
bool is_fold(const struct loop *l, char **args, const npy_intp *steps);

/* Joins n elements of the second operand to the first one. */
void fold(const struct loop *l, char **args, npy_intp n, const npy_intp *steps);

/* Copies n elements between places with different steps. False: nothing is done, because elements are not of 1, 2, 4 or 8 bytes. */
bool copy_elements(char *to, npy_intp to_step, const char *from, npy_intp from_step, npy_intp n, size_t item);

/* Raises MemoryError from a loop. */
void no_memory(void);

void run_loop(char **args, const npy_intp *dimensions, const npy_intp *steps, void *loop);

#endif
