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

/* Fewer elements are reduced by numpy's method in less time than the function in Python takes. */
#define FEW 4096

/* The function in Python that reduces, or returns NotImplemented for a call that is numpy's, and numpy's method. */
static PyObject *reduced, *numpys_reduce;
/* By ufunc, the reduce() of numpy's function of the same name, which reduces integers. */
static PyObject *reduces;

PyObject *set_reduce(PyObject *module, PyObject *args)
{
	PyObject *function, *methods;

	(void)module;
	if (!PyArg_ParseTuple(args, "OO!", &function, &PyDict_Type, &methods))
		return NULL;
	Py_INCREF(function);
	Py_INCREF(methods);
	Py_XSETREF(reduced, function);
	Py_XSETREF(reduces, methods);
	Py_RETURN_NONE;
}

/* The method that reduces an array of few elements, or NULL. */
static PyObject *method_for_few(PyObject *ufunc, PyObject *x)
{
	PyArrayObject *const array = (PyArrayObject *)x;
	PyObject *method = NULL;

	if (!reduces || !PyArray_CheckExact(x) || PyArray_SIZE(array) >= FEW)
		return NULL;
	if (PyArray_ISINTEGER(array) || PyArray_ISBOOL(array))
		method = PyDict_GetItem(reduces, ufunc);
	return method ? method : numpys_reduce;
}

/* Whether an argument has no class that could have a reduce() of its own. */
static bool is_plain(PyObject *x)
{
	return PyArray_CheckExact(x) || PyList_CheckExact(x) || PyTuple_CheckExact(x) || PyArray_IsAnyScalar(x);
}

static PyObject *reduce(PyObject *ufunc, PyObject *const *args, const Py_ssize_t given, PyObject *names)
{
	const Py_ssize_t named = names ? PyTuple_GET_SIZE(names) : 0;
	PyObject *all[MOST], *made, *method = given ? method_for_few(ufunc, args[0]) : NULL;

	if (given + named >= MOST)
		return PyErr_Format(PyExc_TypeError, "reduce() got %zd arguments", given + named);
	if (method && method != numpys_reduce)
		return PyObject_Vectorcall(method, args, (size_t)given, names);
	all[0] = ufunc;
	if (given + named)
		memcpy(all + 1, args, (size_t)(given + named) * sizeof(*all));
	if (reduced && !method && given && is_plain(args[0])) {
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
