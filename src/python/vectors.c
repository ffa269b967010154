/* SPDX-License-Identifier: MIT */
/* Reductions of vectors without gaps to numbers, with as little as possible before and after the kernel: short ones take less time. */
#define NO_IMPORT_ARRAY
#define NO_IMPORT_UFUNC
#include "loops.h"

/*
 * numpy's iterator for generalized ufuncs takes several times as long as the kernel of a short vector. Vectors of more elements are
 * numpy's, which lets other threads of the interpreter run meanwhile.
 */
#define MOST_ELEMENTS 4096

bool reduces_vectors(const struct loop *l)
{
	const struct isk_shape *shape = l->kernel->shape;
	const int inputs = l->operands - 1;
	bool suits = l->cores == 1 && l->operand[inputs] == RESULT && shape->count == inputs + 1;

	for (int i = 0; i < inputs && suits; i++) {
		const struct isk_argument *a = &shape->arguments[l->operand[i]];

		suits = a->role == ISK_IN && a->extents == 1 && a->extent[0].size == l->core[0];
	}
	return suits;
}

/* The number of elements of a vector that a kernel can read in place, or 0. */
static npy_intp elements_of(PyObject *x, const int type)
{
	PyArrayObject *const array = (PyArrayObject *)x;

	return PyArray_CheckExact(x) && PyArray_NDIM(array) == 1 && PyArray_TYPE(array) == type && PyArray_ISCARRAY_RO(array)
	           ? PyArray_DIM(array, 0)
	           : 0;
}

PyObject *reduce_vectors(const struct loop *l, PyObject *const *args, const int type, const int made)
{
	const struct isk_argument *arguments = l->kernel->shape->arguments;
	const npy_intp n = elements_of(args[0], type);
	PyArray_Descr *descr;
	union isk_args call;
	PyObject *number;
	char result[16];

	if (n < 1 || n > MOST_ELEMENTS)
		return NULL;
	for (int i = 0; i < l->operands - 1; i++) {
		if (elements_of(args[i], type) != n)
			return NULL;
		*(void **)isk_argument_at(&call, &arguments[l->operand[i]]) = PyArray_DATA((PyArrayObject *)args[i]);
	}
	*(size_t *)isk_argument_at(&call, &arguments[l->core[0]]) = (size_t)n;
	l->kernel->call(l->fn, &call);
	get_result(l->kernel, &call, result);
	descr = PyArray_DescrFromType(made);
	number = PyArray_Scalar(result, descr, NULL);
	Py_DECREF(descr);
	return number;
}

bool run_vectors(const struct loop *l, char **args, const npy_intp *dimensions, const npy_intp *steps)
{
	const struct isk_argument *arguments = l->kernel->shape->arguments;
	const int inputs = l->operands - 1;
	union isk_args call;

	for (int i = 0; i < inputs; i++) {
		if (dimensions[1] > 1 && steps[l->operands + i] != (npy_intp)isk_element_bytes(isk_argument_type(l->kernel, &arguments[l->operand[i]])))
			return false;
	}
	*(size_t *)isk_argument_at(&call, &arguments[l->core[0]]) = (size_t)dimensions[1];
	for (npy_intp turn = 0; turn < dimensions[0]; turn++) {
		for (int i = 0; i < inputs; i++)
			*(void **)isk_argument_at(&call, &arguments[l->operand[i]]) = args[i] + turn * steps[i];
		l->kernel->call(l->fn, &call);
		get_result(l->kernel, &call, args[inputs] + turn * steps[inputs]);
	}
	return true;
}
