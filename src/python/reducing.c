/* SPDX-License-Identifier: MIT */
/*
 * The type of ufuncs whose reduce() is a reduction of the library: numpy's, with a method of its own. numpy's method calls a
 * loop for each row of an array, which for rows of ten elements takes ten times as long as the work.
 */
#define NO_IMPORT_ARRAY
#define NO_IMPORT_UFUNC
#include "core.h"

#include <stdbool.h>
#include <string.h>

/* More arguments than reduce() has. */
#define MOST 16

/* The function in Python that reduces, or returns NotImplemented for a call that is numpy's, and numpy's method. */
static PyObject *reduced, *numpys_reduce;

PyObject *set_reduce(PyObject *module, PyObject *function)
{
	(void)module;
	Py_INCREF(function);
	Py_XSETREF(reduced, function);
	Py_RETURN_NONE;
}

/* Whether an argument has no class that could have a reduce() of its own. */
static bool is_plain(PyObject *x)
{
	return PyArray_CheckExact(x) || PyList_CheckExact(x) || PyTuple_CheckExact(x) || PyArray_IsAnyScalar(x);
}

static PyObject *reduce(PyObject *ufunc, PyObject *const *args, const Py_ssize_t given, PyObject *names)
{
	const Py_ssize_t named = names ? PyTuple_GET_SIZE(names) : 0;
	PyObject *all[MOST], *made;

	if (given + named >= MOST)
		return PyErr_Format(PyExc_TypeError, "reduce() got %zd arguments", given + named);
	all[0] = ufunc;
	if (given + named)
		memcpy(all + 1, args, (size_t)(given + named) * sizeof(*all));
	if (reduced && given && is_plain(args[0])) {
		made = PyObject_Vectorcall(reduced, all, (size_t)given + 1, names);
		if (made != Py_NotImplemented)
			return made;
		Py_DECREF(made);
	}
	return PyObject_Vectorcall(numpys_reduce, all, (size_t)given + 1, names);
}

/* By its name, as numpy's are pickled and copied. */
static PyObject *name_of(PyObject *ufunc, PyObject *none)
{
	(void)none;
	return PyUnicode_FromString(((PyUFuncObject *)ufunc)->name);
}

static PyMethodDef methods[] = {
	{"reduce", (PyCFunction)(void (*)(void))reduce, METH_FASTCALL | METH_KEYWORDS,
	 "reduce(array, axis=0, dtype=None, out=None, keepdims=False, initial=<no value>, where=True)\n\n"
	 "As numpy's ufunc.reduce(). For arrays of a type that has a reduction, such as isakern.sum for add, it is that reduction."},
	{"__reduce__", name_of, METH_NOARGS, NULL},
	{NULL, NULL, 0, NULL},
};

PyTypeObject reducing_type = {
	PyVarObject_HEAD_INIT(NULL, 0)
	.tp_name = "isakern.ufunc",
	.tp_flags = Py_TPFLAGS_DEFAULT,
	.tp_methods = methods,
};

int make_reducing_type(void)
{
	reducing_type.tp_base = &PyUFunc_Type;
	numpys_reduce = PyObject_GetAttrString((PyObject *)&PyUFunc_Type, "reduce");
	/* A type without a docstring has None, which would hide those of its ufuncs. */
	if (!numpys_reduce || PyType_Ready(&reducing_type) || PyDict_DelItemString(reducing_type.tp_dict, "__doc__"))
		return -1;
	PyType_Modified(&reducing_type);
	return 0;
}
