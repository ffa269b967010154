/* SPDX-License-Identifier: MIT */
/*
 * A stand-in for the package ml_dtypes if that is not installed. It defines bfloat16, float8_e4m3fn and
 * float8_e5m2 as types of numpy, with the same part of numpy's C API, as far as arrays are made, read and
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
	unsigned infinity; /* the bits of infinity, or of the NaN in its place */
	unsigned nan;
	int has_infinity;
	PyTypeObject *type;
	int number;
};

static struct format formats[] = {
	{"ml_dtypes.bfloat16", 2, 7, -126, 0x7f80, 0x7fc0, 1, NULL, 0},
	{"ml_dtypes.float8_e4m3fn", 1, 3, -6, 0x7f, 0x7f, 0, NULL, 0},
	{"ml_dtypes.float8_e5m2", 1, 2, -14, 0x7c, 0x7e, 1, NULL, 0},
};
enum { COUNT = sizeof(formats) / sizeof(formats[0]) };

struct scalar {
	PyObject_HEAD
	uint16_t bits;
};

static unsigned sign_of(const struct format *f)
{
	return 1u << (8 * f->bytes - 1);
}

static double decode(const struct format *f, unsigned bits)
{
	const unsigned magnitude = bits & (sign_of(f) - 1), one = 1u << f->mantissa;
	const int exponent = (int)(magnitude >> f->mantissa);
	double x = magnitude & (one - 1);

	if (magnitude >= f->infinity)
		x = magnitude == f->infinity && f->has_infinity ? (double)INFINITY : (double)NAN;
	else
		x = ldexp(exponent ? x + one : x, (exponent ? exponent - 1 : 0) + f->least - f->mantissa);
	return bits & sign_of(f) ? -x : x;
}

/* Rounds to nearest even. Numbers that are not negative have the order of their bits. */
static unsigned encode(const struct format *f, double x)
{
	const unsigned sign = signbit(x) ? sign_of(f) : 0;
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

static void swap_copy(const struct format *f, char *to, npy_intp to_step, const char *from, npy_intp from_step,
                      npy_intp n, int swap)
{
	for (npy_intp i = 0; i < n; i++, to += to_step, from += from ? from_step : 0) {
		unsigned bits = load(f, from ? from : to);

		if (swap && f->bytes == 2)
			bits = (bits >> 8 | bits << 8) & 0xffff;
		store(f, to, bits);
	}
}

/* numpy does not tell these functions their type, so there is one of each for each format. */
#define CASTS(i, from_type) \
	static void from_type##_to_##i(void *from, void *to, npy_intp n, void *unused, void *unused_too) \
	{ \
		const from_type *x = from; \
 \
		(void)unused; \
		(void)unused_too; \
		for (npy_intp j = 0; j < n; j++) \
			store(&formats[i], (char *)to + j * formats[i].bytes, encode(&formats[i], (double)x[j])); \
	} \
	static void from_type##_of_##i(void *from, void *to, npy_intp n, void *unused, void *unused_too) \
	{ \
		from_type *y = to; \
 \
		(void)unused; \
		(void)unused_too; \
		for (npy_intp j = 0; j < n; j++) \
			y[j] = (from_type)decode(&formats[i], load(&formats[i], (char *)from + j * formats[i].bytes)); \
	}
#define FORMAT(i) \
	static PyObject *get_##i(void *from, void *array) \
	{ \
		(void)array; \
		return scalar_of(&formats[i], load(&formats[i], from)); \
	} \
	static int set_##i(PyObject *item, void *to, void *array) \
	{ \
		(void)array; \
		return set_from(&formats[i], item, to); \
	} \
	static void copy_##i(void *to, void *from, int swap, void *array) \
	{ \
		(void)array; \
		swap_copy(&formats[i], to, 0, from, 0, 1, swap); \
	} \
	static void copies_##i(void *to, npy_intp to_step, void *from, npy_intp step, npy_intp n, int swap, void *array) \
	{ \
		(void)array; \
		swap_copy(&formats[i], to, to_step, from, step, n, swap); \
	} \
	static npy_bool true_##i(void *from, void *array) \
	{ \
		(void)array; \
		return decode(&formats[i], load(&formats[i], from)) != 0; \
	} \
	CASTS(i, float) \
	CASTS(i, double)
FORMAT(0)
FORMAT(1)
FORMAT(2)

#define FUNCTIONS(i) \
	{get_##i, set_##i, copy_##i, copies_##i, true_##i, {float_to_##i, double_to_##i}, {float_of_##i, double_of_##i}}
static const struct functions {
	PyArray_GetItemFunc *get;
	PyArray_SetItemFunc *set;
	PyArray_CopySwapFunc *copy;
	PyArray_CopySwapNFunc *copies;
	PyArray_NonzeroFunc *nonzero;
	PyArray_VectorUnaryFunc *of[2], *to[2];
} functions[COUNT] = {FUNCTIONS(0), FUNCTIONS(1), FUNCTIONS(2)};
static const int others[] = {NPY_FLOAT, NPY_DOUBLE};

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
	PyArray_Descr *descr;

	f->type = make_type(f->name);
	descr = f->type ? PyObject_New(PyArray_Descr, &PyArrayDescr_Type) : NULL;
	if (!descr)
		return -1;
	PyArray_InitArrFuncs(&all[i]);
	all[i].getitem = functions[i].get;
	all[i].setitem = functions[i].set;
	all[i].copyswap = functions[i].copy;
	all[i].copyswapn = functions[i].copies;
	all[i].nonzero = functions[i].nonzero;
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
	for (int j = 0; j < 2; j++) {
		PyArray_Descr *other = PyArray_DescrFromType(others[j]);

		if (PyArray_RegisterCastFunc(other, f->number, functions[i].of[j]) ||
		    PyArray_RegisterCastFunc(descr, others[j], functions[i].to[j]) ||
		    PyArray_RegisterCanCast(descr, others[j], NPY_NOSCALAR))
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
