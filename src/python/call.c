/* SPDX-License-Identifier: MIT */
/* One call of a kernel with arrays of numpy. It stays inside the arrays, whatever sizes Python gives. */
#define NO_IMPORT_ARRAY
#define NO_IMPORT_UFUNC
#include "core.h"

#include "formats.h"

static int refuse(const struct isk_kernel *k, const struct isk_argument *a, const char *reason)
{
	PyErr_Format(PyExc_ValueError, "%s: %s: %s", k->name, a->name, reason);
	return -1;
}

static int set_array(const struct isk_kernel *k, union isk_args *args, const struct isk_argument *a, PyObject *given)
{
	PyArrayObject *array = (PyArrayObject *)given;

	if (given == Py_None)
		return a->null ? 0 : refuse(k, a, "must not be None");
	if (!PyArray_Check(given) || !PyArray_ISCARRAY_RO(array))
		return refuse(k, a, "not an array that is contiguous and aligned");
	if (a->role == ISK_OUT && !PyArray_ISWRITEABLE(array))
		return refuse(k, a, "the array is read-only");
	if ((size_t)PyArray_ITEMSIZE(array) != isk_element_bytes(isk_argument_type(k, a)))
		return refuse(k, a, "elements of another size");
	*(void **)isk_argument_at(args, a) = PyArray_DATA(array);
	return 0;
}

static int set_argument(const struct isk_kernel *k, union isk_args *args, const struct isk_argument *a, PyObject *given)
{
	void *to = isk_argument_at(args, a);

	switch (a->role) {
	case ISK_STRUCT:
		return given == Py_None && a->null ? 0 : refuse(k, a, "must be None");
	case ISK_SIZE:
	case ISK_STRIDE:
		*(size_t *)to = PyLong_AsSize_t(given);
		break;
	case ISK_VALUE:
		if (a->variable || a->type == ISK_F64)
			*(double *)to = PyFloat_AsDouble(given);
		else if (a->type == ISK_F32)
			*(float *)to = (float)PyFloat_AsDouble(given);
		else if (a->type == ISK_S64)
			*(int64_t *)to = PyLong_AsLongLong(given);
		else
			*(int32_t *)to = (int32_t)PyLong_AsLong(given);
		break;
	default:
		return set_array(k, args, a, given);
	}
	return PyErr_Occurred() ? -1 : 0;
}

/* Whether all matrices of a batch are the same one, because the next one begins where it does. */
static int is_repeated(const struct isk_kernel *k, union isk_args *args, const struct isk_argument *a)
{
	return a->extents == 3 && a->extent[0].stride >= 0 &&
	       !*(const size_t *)isk_argument_at(args, &k->shape->arguments[a->extent[0].stride]);
}

/* A transposed array is contiguous, so its number of elements alone is checked. */
static int fits(const struct isk_kernel *k, union isk_args *args, const struct isk_argument *a, PyObject *given)
{
	if ((a->role != ISK_IN && a->role != ISK_OUT) || given == Py_None)
		return 0;
	if (a->turned) {
		npy_intp elements = 1;

		for (int i = is_repeated(k, args, a); i < a->extents; i++)
			elements *= *(const npy_intp *)isk_argument_at(args, &k->shape->arguments[a->extent[i].size]);
		return elements <= PyArray_SIZE((PyArrayObject *)given) ? 0 : refuse(k, a, "too few elements");
	}
	return isk_argument_span(k, args, a, 0) <= (size_t)PyArray_SIZE((PyArrayObject *)given)
	           ? 0
	           : refuse(k, a, "too few elements");
}

static PyObject *result_of(const struct isk_kernel *k, const union isk_args *args)
{
	union isk_result r;

	if (k->shape->returns == ISK_RETURNS_NOTHING)
		Py_RETURN_NONE;
	get_result(k, args, &r);
	switch (isk_result_type(k)) {
	case ISK_F32:
		return PyFloat_FromDouble((double)r.f32);
	case ISK_F64:
		return PyFloat_FromDouble(r.f64);
	case ISK_S32:
		return PyLong_FromLong(r.s32);
	default:
		return PyLong_FromLongLong(r.s64);
	}
}

PyObject *call_kernel(PyObject *module, PyObject *args)
{
	Py_ssize_t library, number;
	const struct isk_kernel *k;
	union isk_args call;
	PyObject *given;
	isk_function fn;

	(void)module;
	if (!PyArg_ParseTuple(args, "nnO!", &library, &number, &PyList_Type, &given) ||
	    !(k = find_kernel(library, number, &fn)))
		return NULL;
	if (PyList_GET_SIZE(given) != k->shape->count)
		return PyErr_Format(PyExc_TypeError, "%s: %d arguments, not %zd", k->name, k->shape->count,
		                    PyList_GET_SIZE(given));
	memset(&call, 0, sizeof(call));
	for (int i = 0; i < k->shape->count; i++) {
		if (set_argument(k, &call, &k->shape->arguments[i], PyList_GET_ITEM(given, i)))
			return NULL;
	}
	for (int i = 0; i < k->shape->count; i++) {
		if (fits(k, &call, &k->shape->arguments[i], PyList_GET_ITEM(given, i)))
			return NULL;
	}
	Py_BEGIN_ALLOW_THREADS
	k->call(fn, &call);
	Py_END_ALLOW_THREADS
	if (k->shape->returns == ISK_RETURNS_STATUS && ((union isk_result *)&call)->status < 0) {
		const int status = ((union isk_result *)&call)->status;

		return PyErr_Format(status == ISK_ERR_INDEX ? PyExc_IndexError : PyExc_ValueError, "%s: %s", k->name,
		                    isk_strerror(status));
	}
	return result_of(k, &call);
}
