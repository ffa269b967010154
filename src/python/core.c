/* SPDX-License-Identifier: MIT */
/* The module isakern._core: the tables as Python objects, and functions that call kernels. */
#include "core.h"

extern const struct library isk_python_library;
#ifdef ISK_PYTHON_SLEEF
extern const struct library isk_sleef_python_library;
#endif

const struct library *const libraries[] = {
	&isk_python_library,
#ifdef ISK_PYTHON_SLEEF
	&isk_sleef_python_library,
#endif
};
const size_t libraries_count = sizeof(libraries) / sizeof(*libraries);

const struct isk_kernel *find_kernel(const Py_ssize_t library, const Py_ssize_t number, isk_function *fn)
{
	if (library < 0 || (size_t)library >= libraries_count || number < 0 ||
	    (size_t)number >= *libraries[library]->count) {
		PyErr_SetString(PyExc_IndexError, "no such kernel");
		return NULL;
	}
	*fn = libraries[library]->bound(libraries[library]->kernels[number].name);
	if (!*fn) {
		PyErr_Format(PyExc_RuntimeError, "%s is not in this build", libraries[library]->kernels[number].name);
		return NULL;
	}
	return &libraries[library]->kernels[number];
}

static PyObject *argument_row(const struct isk_argument *a)
{
	PyObject *extents = PyTuple_New(a->extents);

	if (!extents)
		return NULL;
	for (int i = 0; i < a->extents; i++) {
		PyObject *extent = Py_BuildValue("(ii)", a->extent[i].size, a->extent[i].stride);

		if (!extent) {
			Py_DECREF(extents);
			return NULL;
		}
		PyTuple_SET_ITEM(extents, i, extent);
	}
	return Py_BuildValue("{si,ss,si,si,sN,sz,si,si,si,si,si,si,si,si,si}", "role", a->role, "name", a->name, "type", a->type,
	                     "variable", a->variable, "extents", extents, "measured", a->measured, "packed", a->packed,
	                     "null", a->null, "inout", a->inout, "below", a->below, "ascending", a->ascending, "turned",
	                     a->turned, "bit", a->bit, "positive", a->positive, "within", a->within);
}

static PyObject *shape_row(const struct isk_shape *s)
{
	PyObject *arguments = PyTuple_New(s->count);

	if (!arguments)
		return NULL;
	for (int i = 0; i < s->count; i++) {
		PyObject *a = argument_row(&s->arguments[i]);

		if (!a) {
			Py_DECREF(arguments);
			return NULL;
		}
		PyTuple_SET_ITEM(arguments, i, a);
	}
	return Py_BuildValue("{ss,si,si,sN}", "name", s->name, "returns", s->returns, "variable", s->variable, "arguments",
	                     arguments);
}

/* A kernel of a library; None if the loaded library lacks it. */
static PyObject *kernel_row(const size_t library, const size_t number, PyObject *shapes)
{
	const struct isk_kernel *k = &libraries[library]->kernels[number];
	struct isk_kernel_info info = {.size = sizeof(info)};
	const int found = libraries[library]->find(k->name);
	PyObject *shape;

	if (found < 0 || libraries[library]->info((size_t)found, &info) || !libraries[library]->bound(k->name))
		Py_RETURN_NONE;
	shape = PyDict_GetItemString(shapes, k->shape->name);
	if (!shape) {
		shape = shape_row(k->shape);
		if (!shape || PyDict_SetItemString(shapes, k->shape->name, shape)) {
			Py_XDECREF(shape);
			return NULL;
		}
		Py_DECREF(shape);
	}
	return Py_BuildValue("{sn,sn,ss,ss,sO,s(iii),ss,ss,ss,ss,ss,ss}", "library", (Py_ssize_t)library, "number",
	                     (Py_ssize_t)number, "name", k->name, "op", k->op, "shape", shape, "types", k->types[0],
	                     k->types[1], k->types[2], "family", info.family, "since", info.since, "bits", info.bits,
	                     "error", info.error, "error_baseline", info.error_baseline, "summary", info.summary);
}

static PyObject *kernels(PyObject *module, PyObject *args)
{
	PyObject *list = PyList_New(0), *shapes = PyDict_New();

	(void)module;
	(void)args;
	for (size_t i = 0; list && shapes && i < libraries_count; i++) {
		for (size_t j = 0; j < *libraries[i]->count; j++) {
			PyObject *row = kernel_row(i, j, shapes);
			const int failed = !row || (row != Py_None && PyList_Append(list, row));

			Py_XDECREF(row);
			if (failed) {
				Py_DECREF(list);
				Py_DECREF(shapes);
				return NULL;
			}
		}
	}
	Py_XDECREF(shapes);
	return list;
}

/* The element types; a name in numpy or ml_dtypes is "" if there is none. */
static PyObject *types(PyObject *module, PyObject *args)
{
	static const struct {
		enum isk_type type;
		const char *name, *numpy;
	} all[] = {
#define TYPE(name, kind, bits, memory, fraction, bias, infinity, nan, numpy) {ISK_ENUM_##name, #name, #numpy},
		ISK_ELEMENT_TYPES(TYPE)
#undef TYPE
	};
	PyObject *list = PyList_New(0);

	(void)module;
	(void)args;
	for (size_t i = 0; list && i < sizeof(all) / sizeof(*all); i++) {
		PyObject *row = Py_BuildValue("{ss,si,ss,sn,si,si}", "name", all[i].name, "number", all[i].type, "numpy", all[i].numpy,
		                              "bytes", (Py_ssize_t)isk_element_bytes(all[i].type), "is_bits",
		                              isk_format_of(all[i].type).kind == ISK_BITS, "returned", isk_by_value(all[i].type));

		if (!row || PyList_Append(list, row))
			Py_CLEAR(list);
		Py_XDECREF(row);
	}
	return list;
}

static PyObject *candidates(PyObject *module, PyObject *args)
{
	struct isk_candidate found[32] = {{.size = sizeof(*found)}};
	const char *kernel;
	int count = ISK_ERR_KERNEL;
	PyObject *list;

	(void)module;
	if (!PyArg_ParseTuple(args, "s:why", &kernel))
		return NULL;
	for (size_t i = 0; count < 0 && i < libraries_count; i++)
		count = libraries[i]->candidates(kernel, found, 32);
	if (count < 0)
		return PyErr_Format(PyExc_ValueError, "kernel: there is no kernel '%s'", kernel);
	list = PyList_New(0);
	for (int i = 0; list && i < count; i++) {
		PyObject *row = Py_BuildValue("(sNs)", found[i].isa, PyBool_FromLong(found[i].bound), found[i].reason);

		if (!row || PyList_Append(list, row))
			Py_CLEAR(list);
		Py_XDECREF(row);
	}
	return list;
}

static PyObject *isas(PyObject *module, PyObject *args)
{
	(void)module;
	(void)args;
	return Py_BuildValue("{ss,ss,ss,ss}", "version", isk_version(), "isa", isk_isa_current(), "cpu", isk_isa_cpu(),
	                     "built", isk_isa_binary());
}

static PyMethodDef methods[] = {
	{"types", types, METH_NOARGS, "The element types."},
	{"kernels", kernels, METH_NOARGS, "The kernels of all libraries."},
	{"candidates", candidates, METH_VARARGS, "The variants of a kernel: ISA, whether it is bound, and why or why not."},
	{"isas", isas, METH_NOARGS, "The version, and the highest ISA in use, of the CPU and of the build."},
	{"call", call_kernel, METH_VARARGS, "One call of a kernel."},
	{"pack", call_pack, METH_VARARGS, "An array of bytes with a matrix packed into it."},
	{"gemm", call_gemm, METH_VARARGS, "The product with a packed matrix."},
	{"conv_output", conv_output, METH_VARARGS, "The height and width of a convolution's output."},
	{"conv_pack", conv_pack, METH_VARARGS, "An array of bytes with the weights of a convolution packed into it."},
	{"conv", convolve, METH_VARARGS, "A convolution."},
	{"ufunc", make_ufunc, METH_VARARGS, "A ufunc on kernels."},
	{"set_where", set_where, METH_O, "Sets the function to which ufuncs pass calls with where=."},
	{"set_reduce", set_reduce, METH_O, "Sets the function to which ufuncs pass calls of reduce()."},
	{NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
	PyModuleDef_HEAD_INIT,
	.m_name = "isakern._core",
	.m_doc = "The internals of the package isakern; not for other use.",
	.m_size = -1,
	.m_methods = methods,
};

PyMODINIT_FUNC PyInit__core(void);

PyMODINIT_FUNC PyInit__core(void)
{
	PyObject *module;

	import_array();
	import_umath();
	if (make_reducing_type())
		return NULL;
	module = PyModule_Create(&definition);
	if (module && PyModule_AddType(module, &packed_type))
		Py_CLEAR(module);
	return module;
}
