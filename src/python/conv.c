/* SPDX-License-Identifier: MIT */
/* Convolutions and their transposes, with weights that are packed once. _conv.py has checked that types fit and arrays have no gaps. */
#define NO_IMPORT_ARRAY
#define NO_IMPORT_UFUNC
#include "core.h"

#define NUMBERS ((sizeof(struct isk_conv) - offsetof(struct isk_conv, images)) / sizeof(size_t))

/* Reads a convolution from a tuple: the members of struct isk_conv after its size, in their order. */
static int read_conv(PyObject *tuple, void *to)
{
	struct isk_conv *conv = to;
	size_t numbers[NUMBERS];

	if (!PyTuple_Check(tuple) || PyTuple_GET_SIZE(tuple) != (Py_ssize_t)NUMBERS) {
		PyErr_Format(PyExc_TypeError, "a convolution is %zu numbers", NUMBERS);
		return 0;
	}
	for (size_t i = 0; i < NUMBERS; i++) {
		numbers[i] = PyLong_AsSize_t(PyTuple_GET_ITEM(tuple, (Py_ssize_t)i));
		if (PyErr_Occurred())
			return 0;
	}
	conv->size = sizeof(*conv);
	memcpy((char *)conv + offsetof(struct isk_conv, images), numbers, sizeof(numbers));
	return 1;
}

/* Whether a kernel is one for the transpose of a convolution. */
static int is_transpose(const struct isk_kernel *k)
{
	return strcmp(k->shape->name, "transposed_pack") == 0 || strcmp(k->shape->name, "conv_transpose") == 0;
}

static PyObject *refuse(const char *name, const int status)
{
	return PyErr_Format(PyExc_ValueError, "%s: %s", name, isk_strerror(status));
}

PyObject *conv_output(PyObject *module, PyObject *args)
{
	size_t height, width;
	struct isk_conv conv;
	int status;

	(void)module;
	if (!PyArg_ParseTuple(args, "O&", read_conv, &conv))
		return NULL;
	status = isk_conv_output(&conv, &height, &width);
	return status ? refuse("Convolution", status) : Py_BuildValue("(nn)", (Py_ssize_t)height, (Py_ssize_t)width);
}

PyObject *conv_pack(PyObject *module, PyObject *args)
{
	Py_ssize_t library, number;
	const struct isk_kernel *k;
	PyArrayObject *w, *packed;
	struct isk_conv conv;
	union isk_args call;
	isk_function fn;
	npy_intp bytes;

	(void)module;
	if (!PyArg_ParseTuple(args, "nnO!O&", &library, &number, &PyArray_Type, &w, read_conv, &conv) ||
	    !(k = find_kernel(library, number, &fn)))
		return NULL;
	bytes = (npy_intp)(is_transpose(k) ? isk_conv_transpose_packed_size : isk_conv_packed_size)(k->types[0], &conv);
	if (bytes <= 0)
		return refuse(k->name, ISK_ERR_CONV);
	packed = (PyArrayObject *)PyArray_SimpleNew(1, &bytes, NPY_UINT8);
	if (!packed)
		return NULL;
	memset(&call, 0, sizeof(call));
	if (is_transpose(k))
		call.transposed_pack = (struct isk_args_transposed_pack){.packed = PyArray_DATA(packed), .w = PyArray_DATA(w),
		                                                         .bytes = (size_t)bytes, .conv = &conv};
	else
		call.conv_pack = (struct isk_args_conv_pack){.packed = PyArray_DATA(packed), .w = PyArray_DATA(w),
		                                             .bytes = (size_t)bytes, .conv = &conv};
	Py_BEGIN_ALLOW_THREADS
	k->call(fn, &call);
	Py_END_ALLOW_THREADS
	if (((union isk_result *)&call)->status) {
		refuse(k->name, ((union isk_result *)&call)->status);
		Py_DECREF(packed);
		return NULL;
	}
	return (PyObject *)packed;
}

PyObject *convolve(PyObject *module, PyObject *args)
{
	Py_ssize_t library, number;
	const struct isk_kernel *k;
	PyArrayObject *y, *x, *packed;
	struct isk_post post;
	struct isk_conv conv;
	union isk_args call;
	PyObject *dict;
	isk_function fn;

	(void)module;
	if (!PyArg_ParseTuple(args, "nnO!O!O!O&O!", &library, &number, &PyArray_Type, &y, &PyArray_Type, &x, &PyArray_Type,
	                      &packed, read_conv, &conv, &PyDict_Type, &dict) ||
	    !(k = find_kernel(library, number, &fn)) || set_post(&post, dict))
		return NULL;
	memset(&call, 0, sizeof(call));
	if (is_transpose(k))
		call.conv_transpose = (struct isk_args_conv_transpose){.y = PyArray_DATA(y), .x = PyArray_DATA(x),
		                                                       .packed = PyArray_DATA(packed), .conv = &conv, .post = &post};
	else
		call.conv = (struct isk_args_conv){.y = PyArray_DATA(y), .x = PyArray_DATA(x), .packed = PyArray_DATA(packed),
		                                   .conv = &conv, .post = &post};
	Py_BEGIN_ALLOW_THREADS
	k->call(fn, &call);
	Py_END_ALLOW_THREADS
	if (((union isk_result *)&call)->status)
		return refuse(k->name, ((union isk_result *)&call)->status);
	Py_RETURN_NONE;
}
