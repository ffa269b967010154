/* SPDX-License-Identifier: MIT */
/* Shared by the sources of the extension isakern._core. */
#ifndef ISK_PYTHON_CORE_H
#define ISK_PYTHON_CORE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL isk_python_array
#define PY_UFUNC_UNIQUE_SYMBOL isk_python_ufunc
#include <numpy/arrayobject.h>
#include <numpy/ufuncobject.h>

#include <isakern.h>

#include "args.h"
#include "library.h"

/* No shape has more. */
#define MOST_ARGUMENTS 32

/* The libraries. Python names a library by its index here. */
extern const struct library *const libraries[];
extern const size_t libraries_count;

/* A kernel by its library and number, or NULL with an exception. */
const struct isk_kernel *find_kernel(Py_ssize_t library, Py_ssize_t number, isk_function *fn);

/* The bytes of the number in which numpy passes the value of an argument. */
size_t value_bytes(const struct isk_kernel *k, const struct isk_argument *a);

/* Sets the value of an argument of a call from a number of numpy in memory. */
void set_value(const struct isk_kernel *k, union isk_args *args, const struct isk_argument *a, const void *from);

/* Stores the result of a call as a number of numpy. */
void get_result(const struct isk_kernel *k, const union isk_args *args, void *to);

PyObject *make_ufunc(PyObject *module, PyObject *args);
PyObject *set_where(PyObject *module, PyObject *function);
PyObject *set_reduce(PyObject *module, PyObject *function);
PyObject *call_kernel(PyObject *module, PyObject *args);
PyObject *call_pack(PyObject *module, PyObject *args);
PyObject *call_gemm(PyObject *module, PyObject *args);
PyObject *conv_output(PyObject *module, PyObject *args);
PyObject *conv_pack(PyObject *module, PyObject *args);
PyObject *convolve(PyObject *module, PyObject *args);

int set_post(struct isk_post *post, PyObject *dict);

extern PyTypeObject packed_type, reducing_type;

/* Makes reducing_type ready to be used. */
int make_reducing_type(void);

/* The bytes of a packed matrix of this element type; NULL with an exception if it is none. */
const void *packed_data(PyObject *object, enum isk_type type);

#endif
