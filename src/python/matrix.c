/* SPDX-License-Identifier: MIT */
/* Packing, and products with packed matrices. _matrix.py has checked shapes and types. */
#define NO_IMPORT_ARRAY
#define NO_IMPORT_UFUNC
#include "core.h"

static PyObject *refuse(const struct isk_kernel *k, const int status)
{
	return PyErr_Format(PyExc_ValueError, "%s: %s", k->name, isk_strerror(status));
}

PyObject *call_pack(PyObject *module, PyObject *args)
{
	Py_ssize_t library, number;
	const struct isk_kernel *k;
	PyArrayObject *b, *packed;
	size_t rows, cols;
	union isk_args call;
	isk_function fn;
	npy_intp bytes;
	int transposed;

	(void)module;
	if (!PyArg_ParseTuple(args, "nnO!p", &library, &number, &PyArray_Type, &b, &transposed) ||
	    !(k = find_kernel(library, number, &fn)))
		return NULL;
	rows = (size_t)PyArray_DIM(b, transposed);
	cols = (size_t)PyArray_DIM(b, !transposed);
	bytes = (npy_intp)isk_packed_size(k->types[0], rows, cols);
	if (bytes <= 0)
		return refuse(k, ISK_ERR_SIZE);
	packed = (PyArrayObject *)PyArray_SimpleNew(1, &bytes, NPY_UINT8);
	if (!packed)
		return NULL;
	memset(&call, 0, sizeof(call));
	call.pack = (struct isk_args_pack){.packed = PyArray_DATA(packed), .b = PyArray_DATA(b), .bytes = (size_t)bytes,
	                                   .k = rows, .n = cols, .ldb = transposed ? rows : cols, .transposed = transposed};
	Py_BEGIN_ALLOW_THREADS
	k->call(fn, &call);
	Py_END_ALLOW_THREADS
	if (call.pack.result.status) {
		Py_DECREF(packed);
		return refuse(k, call.pack.result.status);
	}
	return (PyObject *)packed;
}

PyObject *call_gemm(PyObject *module, PyObject *args)
{
	Py_ssize_t library, number;
	const struct isk_kernel *k;
	PyObject *packed, *dict;
	PyArrayObject *c, *a;
	const void *weights;
	struct isk_post post;
	union isk_args call;
	isk_function fn;

	(void)module;
	if (!PyArg_ParseTuple(args, "nnO!O!OO!", &library, &number, &PyArray_Type, &c, &PyArray_Type, &a, &packed,
	                      &PyDict_Type, &dict) ||
	    !(k = find_kernel(library, number, &fn)) || !(weights = packed_data(packed, k->types[1])) ||
	    set_post(&post, dict))
		return NULL;
	memset(&call, 0, sizeof(call));
	call.gemm = (struct isk_args_gemm){.c = PyArray_DATA(c), .a = PyArray_DATA(a), .packed = weights,
	                                   .m = (size_t)PyArray_DIM(a, 0), .n = (size_t)PyArray_DIM(c, 1),
	                                   .k = (size_t)PyArray_DIM(a, 1), .ldc = (size_t)PyArray_DIM(c, 1),
	                                   .lda = (size_t)PyArray_DIM(a, 1), .post = &post};
	Py_BEGIN_ALLOW_THREADS
	k->call(fn, &call);
	Py_END_ALLOW_THREADS
	if (call.gemm.result.status)
		return refuse(k, call.gemm.result.status);
	Py_RETURN_NONE;
}
