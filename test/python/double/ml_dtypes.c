/* SPDX-License-Identifier: MIT */
/*
 * A stand-in for the package ml_dtypes if that is not installed. It defines bfloat16, float8_e4m3fn, float8_e5m2 and
 * float6_e3m2fn as types of numpy, with the same part of numpy's C API, as far as arrays are made, read and converted.
 */
/*
 * A stand-in for the package ml_dtypes if that is not installed. It defines bfloat16, float8_e4m3fn,
 * float8_e5m2 and float6_e3m2fn as types of numpy, with the same part of numpy's C API, as far as arrays are made, read and
 * converted.
 */
#define PY_SSIZE_T_CLEAN
#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#include <Python.h>
#include <numpy/arrayobject.h>

#include <math.h>
#include <stdint.h>
#include <string.h>

struct format {
	const char *name;
	int bytes, mantissa, least; /* least: the least exponent of normal numbers */
	unsigned sign;
	unsigned infinity; /* the bits of infinity, of the NaN in its place, or of the greatest number */
	unsigned nan;
	int has_infinity;
	PyTypeObject *type;
	int number;
};

static struct format formats[] = {
	{"ml_dtypes.bfloat16", 2, 7, -126, 0x8000, 0x7f80, 0x7fc0, 1, NULL, 0},
	{"ml_dtypes.float8_e4m3fn", 1, 3, -6, 0x80, 0x7f, 0x7f, 0, NULL, 0},
	{"ml_dtypes.float8_e5m2", 1, 2, -14, 0x80, 0x7c, 0x7e, 1, NULL, 0},
	{"ml_dtypes.float6_e3m2fn", 1, 2, -2, 0x20, 0x1f, 0, 0, NULL, 0},
};
enum { COUNT = sizeof(formats) / sizeof(formats[0]) };

struct scalar {
	PyObject_HEAD
	uint16_t bits;
};

static double decode(const struct format *f, unsigned bits)
{
	const unsigned magnitude = bits & (f->sign - 1), one = 1u << f->mantissa;
	const int exponent = (int)(magnitude >> f->mantissa);
	double x = magnitude & (one - 1);

	if (magnitude >= f->infinity && f->nan)
		x = magnitude == f->infinity && f->has_infinity ? (double)INFINITY : (double)NAN;
	else
		x = ldexp(exponent ? x + one : x, (exponent ? exponent - 1 : 0) + f->least - f->mantissa);
	return bits & f->sign ? -x : x;
}

/* Rounds to nearest even. Numbers that are not negative have the order of their bits. */
static unsigned encode(const struct format *f, double x)
{
	const unsigned sign = signbit(x) ? f->sign : 0;
	int exponent;
	double unit;

	x = fabs(x);
	if (isnan(x) || isinf(x))
		return sign | (isnan(x) ? f->nan : f->infinity);
	frexp(x, &exponent);
	exponent = exponent - 1 < f->least || x == 0 ? f->least : exponent - 1;
	unit = nearbyint(ldexp(x, f->mantissa - exponent)) + ldexp(exponent - f->least, f->mantissa);
	return sign | (unit < f->infinity ? (unsigned)unit : f->infinity);
}

static unsigned load(const struct format *f, const void *from)
{
	uint16_t bits = 0;

	memcpy(&bits, from, (size_t)f->bytes);
	return bits;
}

static void store(const struct format *f, void *to, unsigned bits)
{
	const uint16_t narrow = (uint16_t)bits;

	memcpy(to, &narrow, (size_t)f->bytes);
}

static PyObject *scalar_of(const struct format *f, unsigned bits)
{
	struct scalar *s = PyObject_New(struct scalar, f->type);

	if (s)
		s->bits = (uint16_t)bits;
	return (PyObject *)s;
}

static const struct format *format_of(PyObject *self)
{
	int i = 0;

	while (formats[i].type != Py_TYPE(self))
		i++;
	return &formats[i];
}

static PyObject *to_float(PyObject *self)
{
	return PyFloat_FromDouble(decode(format_of(self), ((struct scalar *)self)->bits));
}

static int set_from(const struct format *f, PyObject *item, void *to)
{
	const double x = PyFloat_AsDouble(item);

	if (x == -1 && PyErr_Occurred())
		return -1;
	store(f, to, encode(f, x));
	return 0;
}

/* The format of an array's elements. */
static const struct format *format_in(void *array)
{
	int i = 0;

	while (formats[i].number != PyArray_TYPE((PyArrayObject *)array))
		i++;
	return &formats[i];
}

static PyObject *get(void *from, void *array)
{
	const struct format *f = format_in(array);

	return scalar_of(f, load(f, from));
}

static int set(PyObject *item, void *to, void *array)
{
	return set_from(format_in(array), item, to);
}

static npy_bool is_true(void *from, void *array)
{
	const struct format *f = format_in(array);

	return decode(f, load(f, from)) != 0;
}

/* Besides the elements, numpy gives casts two arrays, one of each type. */
static void from_float(void *from, void *to, npy_intp n, void *unused, void *to_array)
{
	const struct format *f = format_in(to_array);
	const float *x = from;

	(void)unused;
	for (npy_intp i = 0; i < n; i++)
		store(f, (char *)to + i * f->bytes, encode(f, (double)x[i]));
}

static void from_double(void *from, void *to, npy_intp n, void *unused, void *to_array)
{
	const struct format *f = format_in(to_array);
	const double *x = from;

	(void)unused;
	for (npy_intp i = 0; i < n; i++)
		store(f, (char *)to + i * f->bytes, encode(f, x[i]));
}

static void into_float(void *from, void *to, npy_intp n, void *from_array, void *unused)
{
	const struct format *f = format_in(from_array);
	float *y = to;

	(void)unused;
	for (npy_intp i = 0; i < n; i++)
		y[i] = (float)decode(f, load(f, (char *)from + i * f->bytes));
}

static void into_double(void *from, void *to, npy_intp n, void *from_array, void *unused)
{
	const struct format *f = format_in(from_array);
	double *y = to;

	(void)unused;
	for (npy_intp i = 0; i < n; i++)
		y[i] = decode(f, load(f, (char *)from + i * f->bytes));
}

static const struct {
	int type;
	PyArray_VectorUnaryFunc *from, *into;
} casts[] = {{NPY_FLOAT, from_float, into_float}, {NPY_DOUBLE, from_double, into_double}};

static PyObject *make_scalar(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
	const struct format *f = formats;
	double x;

	(void)keywords;
	while (f->type != type)
		f++;
	return PyArg_ParseTuple(args, "d", &x) ? scalar_of(f, encode(f, x)) : NULL;
}

static PyTypeObject *make_type(const char *name)
{
	PyType_Slot slots[] = {{Py_nb_float, to_float}, {Py_tp_new, make_scalar}, {0, NULL}};
	PyType_Spec spec = {name, sizeof(struct scalar), 0, Py_TPFLAGS_DEFAULT, slots};
	PyObject *bases = PyTuple_Pack(1, &PyGenericArrType_Type), *type = PyType_FromSpecWithBases(&spec, bases);

	Py_XDECREF(bases);
	return (PyTypeObject *)type;
}

/* Any error ends the import. */
static int add(PyObject *module, int i)
{
	static PyArray_ArrFuncs all[COUNT];
	struct format *f = &formats[i];
	PyArray_Descr *descr, *bits = PyArray_DescrFromType(f->bytes == 2 ? NPY_UINT16 : NPY_UINT8);

	f->type = make_type(f->name);
	descr = f->type ? PyObject_New(PyArray_Descr, &PyArrayDescr_Type) : NULL;
	if (!descr)
		return -1;
	PyArray_InitArrFuncs(&all[i]);
	all[i].getitem = get;
	all[i].setitem = set;
	all[i].copyswap = bits->f->copyswap;
	all[i].copyswapn = bits->f->copyswapn;
	all[i].nonzero = is_true;
	memset((char *)descr + sizeof(PyObject), 0, sizeof(*descr) - sizeof(PyObject));
	descr->typeobj = (PyTypeObject *)Py_NewRef(f->type);
	descr->kind = 'V';
	descr->type = 'E';
	descr->byteorder = '=';
	descr->flags = NPY_USE_SETITEM;
	descr->elsize = descr->alignment = f->bytes;
	descr->f = &all[i];
	descr->hash = -1;
	f->number = PyArray_RegisterDataType(descr);
	if (f->number < 0)
		return -1;
	for (size_t j = 0; j < sizeof(casts) / sizeof(casts[0]); j++) {
		PyArray_Descr *other = PyArray_DescrFromType(casts[j].type);

		if (PyArray_RegisterCastFunc(other, f->number, casts[j].from) ||
		    PyArray_RegisterCastFunc(descr, casts[j].type, casts[j].into) ||
		    PyArray_RegisterCanCast(descr, casts[j].type, NPY_NOSCALAR))
			return -1;
		Py_DECREF(other);
	}
	if (PyObject_SetAttrString((PyObject *)f->type, "dtype", (PyObject *)descr))
		return -1;
	return PyModule_AddObjectRef(module, strrchr(f->name, '.') + 1, (PyObject *)f->type);
}

PyMODINIT_FUNC PyInit_ml_dtypes(void);

PyMODINIT_FUNC PyInit_ml_dtypes(void)
{
	static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "ml_dtypes", .m_size = -1};
	PyObject *module = PyModule_Create(&definition);

	import_array();
	for (int i = 0; module && i < COUNT; i++) {
		if (add(module, i))
			return NULL;
	}
	return module;
}
