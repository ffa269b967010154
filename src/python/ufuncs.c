/* SPDX-License-Identifier: MIT */
/* Makes ufuncs. _ufuncs.py says which argument of which kernel each operand is. */
#define NO_IMPORT_ARRAY
#define NO_IMPORT_UFUNC
#include "loops.h"

/* The parts of a ufunc. numpy keeps pointers to them, so they are never freed. */
struct ufunc {
	PyUFuncGenericFunction *functions;
	void **data;
	char *types;
	int builtin; /* the number of loops with numpy's own types only; loops with other packages' types are added later */
	struct loop *loops;
	int (*type)[MOST_ARGUMENTS];
	Py_ssize_t count;
};

static int read_numbers(PyObject *tuple, int *numbers)
{
	const Py_ssize_t count = PyTuple_Size(tuple);

	if (count < 0 || count > MOST_ARGUMENTS) {
		if (count > 0)
			PyErr_SetString(PyExc_ValueError, "too many numbers");
		return -1;
	}
	for (Py_ssize_t i = 0; i < count; i++) {
		numbers[i] = (int)PyLong_AsLong(PyTuple_GET_ITEM(tuple, i));
		if (PyErr_Occurred())
			return -1;
	}
	return (int)count;
}

/* Reads a loop and its types. It has no kernel if it is a loop of numpy's. */
static int read_loop(PyObject *row, const int operands, struct loop *l, int *types)
{
	Py_ssize_t library, number, whole, strided, valued;
	PyObject *type, *operand, *core;
	int commutes, negates, has_one_result;

	if (!PyArg_ParseTuple(row, "nnO!O!iO!nnnppp", &library, &number, &PyTuple_Type, &type, &PyTuple_Type, &operand, &l->batch,
	                      &PyTuple_Type, &core, &whole, &strided, &valued, &commutes, &negates,
	                      &has_one_result))
		return -1;
	if (library < 0)
		return read_numbers(type, types) == operands ? 0 : -1;
	l->kernel = find_kernel(library, number, &l->fn);
	if (!l->kernel || (whole >= 0 && !(l->whole = find_kernel(library, whole, &l->whole_fn))) ||
	    (strided >= 0 && !(l->strided = find_kernel(library, strided, &l->strided_fn))) ||
	    (valued >= 0 && !(l->valued = find_kernel(library, valued, &l->valued_fn))))
		return -1;
	l->commutes = (bool)commutes;
	l->negates = (bool)negates;
	l->has_one_result = (bool)has_one_result;
	l->operands = read_numbers(operand, l->operand);
	l->cores = read_numbers(core, l->core);
	if (l->operands < 0 || l->cores < 0)
		return -1;
	if (l->operands != operands || read_numbers(type, types) != operands) {
		if (!PyErr_Occurred())
			PyErr_Format(PyExc_ValueError, "%s has not %d operands", l->kernel->name, operands);
		return -1;
	}
	describe_loop(l);
	l->reduces_vectors = reduces_vectors(l);
	return 0;
}

/* Whether all operands of a loop are of one type, two inputs and an output, so that a result can be an input again. */
static bool is_closed(const struct loop *l, const int *types)
{
	return l->is_flat && l->operands == 3 && l->item[1] && types[0] == types[1] && types[0] == types[2];
}

/* The identity of numpy's ufunc of the same name, which says whether reduce() may change the order; PyUFunc_None without one. */
static int identity_of(PyObject *like)
{
	int identity = PyUFunc_None;
	PyObject *value;

	if (like == Py_None)
		return PyUFunc_None;
	identity = ((PyUFuncObject *)like)->identity;
	if (identity != PyUFunc_IdentityValue)
		return identity;
	/* An operation without an identity that may be reordered, such as maximum, has None. */
	identity = PyUFunc_ReorderableNone;
	value = PyObject_GetAttrString(like, "identity");
	if (value && value != Py_None) {
		const long number = PyLong_Check(value) ? PyLong_AsLong(value) : 2;

		identity = number == 0    ? PyUFunc_Zero
		           : number == 1  ? PyUFunc_One
		           : number == -1 ? PyUFunc_MinusOne
		                          : PyUFunc_None;
	}
	Py_XDECREF(value);
	return identity;
}

static int is_builtin(const int *type, const int operands)
{
	for (int i = 0; i < operands; i++) {
		if (type[i] >= NPY_USERDEF)
			return 0;
	}
	return 1;
}

static int allocate(struct ufunc *u, const Py_ssize_t count, const int operands)
{
	const size_t n = (size_t)count + 1;

	u->count = count;
	u->functions = PyMem_RawCalloc(n, sizeof(*u->functions));
	u->data = PyMem_RawCalloc(n, sizeof(*u->data));
	u->types = PyMem_RawCalloc(n, (size_t)operands);
	u->loops = PyMem_RawCalloc(n, sizeof(*u->loops));
	u->type = PyMem_RawCalloc(n, sizeof(*u->type));
	if (u->functions && u->data && u->types && u->loops && u->type)
		return 0;
	PyErr_NoMemory();
	return -1;
}

/* The number of numpy's loop for these types, or -1. */
static int numpys_loop(PyObject *like, const char *types, const int operands)
{
	const PyUFuncObject *const ufunc = (const PyUFuncObject *)like;

	for (int i = 0; like != Py_None && i < ufunc->ntypes; i++) {
		if (!memcmp(ufunc->types + i * operands, types, (size_t)operands) && ufunc->functions[i])
			return i;
	}
	return -1;
}

/* Whether numpy's loop has the bits of the kernel, if it has two inputs of integers, or the operation is one of those in ONE_RESULT. */
static bool has_kernels_bits(const struct loop *l, const char *types, const int operands)
{
	if (operands == 3 && PyTypeNum_ISINTEGER(types[0]) && PyTypeNum_ISINTEGER(types[1]))
		return true;
	return l->has_one_result && (types[0] == NPY_FLOAT || types[0] == NPY_DOUBLE);
}

/* Adds a loop of kernels, or the one that numpy's function has for these types. */
static int add_builtin(struct ufunc *u, struct loop *l, const int *type, const int operands, PyObject *like)
{
	const PyUFuncObject *const ufunc = (const PyUFuncObject *)like;
	char types[MOST_ARGUMENTS];
	int numpys;

	for (int j = 0; j < operands; j++)
		types[j] = (char)type[j];
	memcpy(u->types + u->builtin * operands, types, (size_t)operands);
	numpys = numpys_loop(like, types, operands);
	u->functions[u->builtin] = run_loop;
	u->data[u->builtin] = l;
	if (!l->kernel) {
		if (numpys < 0) {
			PyErr_Format(PyExc_TypeError, "numpy's %s has no loop of these types", ufunc->name);
			return -1;
		}
		u->functions[u->builtin] = ufunc->functions[numpys];
		u->data[u->builtin] = ufunc->data[numpys];
	} else if (numpys >= 0 && has_kernels_bits(l, types, operands)) {
		l->numpys = ufunc->functions[numpys];
		l->numpys_data = ufunc->data[numpys];
	}
	u->builtin++;
	return 0;
}

/* Adds a loop with a type of another package. */
static int add_foreign(PyUFuncObject *ufunc, struct loop *l, const int *type, const int operands)
{
	PyArray_Descr *descr[MOST_ARGUMENTS], *foreign = NULL;
	int r;

	for (int i = 0; i < operands; i++) {
		descr[i] = PyArray_DescrFromType(type[i]);
		if (!foreign && type[i] >= NPY_USERDEF)
			foreign = descr[i];
	}
	r = PyUFunc_RegisterLoopForDescr(ufunc, foreign, run_loop, descr, l);
	for (int i = 0; i < operands; i++)
		Py_DECREF(descr[i]);
	return r;
}

/* Whether a loop takes integers, but not only truths, as that input, or should: numpy's function makes integers of it. */
static int takes_integers(const PyUFuncObject *ufunc, const int input)
{
	if (ufunc->ntypes && ufunc->functions[0] == run_loop && ((const struct loop *)ufunc->data[0])->keeps_integers)
		return 1;
	for (int i = 0; i < ufunc->ntypes; i++) {
		if (PyTypeNum_ISINTEGER(ufunc->types[i * ufunc->nargs + input]))
			return 1;
	}
	return 0;
}

/* Whether the caller has named the type that an input is to be cast to. */
static int is_named(const PyUFuncObject *ufunc, PyObject *types, const int input)
{
	return types && PyTuple_Check(types) && PyTuple_GET_SIZE(types) == ufunc->nargs &&
	       PyTuple_GET_ITEM(types, input) != Py_None;
}

static int has_floats(PyArrayObject *const *operands, const int inputs)
{
	for (int i = 0; i < inputs; i++) {
		if (!PyTypeNum_ISINTEGER(PyArray_TYPE(operands[i])) && !PyTypeNum_ISBOOL(PyArray_TYPE(operands[i])))
			return 1;
	}
	return 0;
}

/* Whether numpy's function of the same name takes integers, but refuses truths. */
static int refuses_truths(const PyUFuncObject *ufunc)
{
	return !strcmp(ufunc->name, "sub") || !strcmp(ufunc->name, "neg");
}

static int all_truths(PyArrayObject *const *operands, const int inputs)
{
	for (int i = 0; i < inputs; i++) {
		if (!PyTypeNum_ISBOOL(PyArray_TYPE(operands[i])))
			return 0;
	}
	return 1;
}

/* The loop whose inputs all have one type, or -1. */
static int loop_of(const PyUFuncObject *ufunc, const int type)
{
	for (int i = 0, j; i < ufunc->ntypes; i++) {
		const char *const types = ufunc->types + i * ufunc->nargs;

		for (j = 0; j < ufunc->nin && types[j] == type; j++)
			;
		if (j == ufunc->nin)
			return i;
	}
	return -1;
}

/*
 * Chooses the loop of several inputs of the type that numpy's arithmetic would choose, if it is there and the casts are
 * allowed, in which case it returns 1. numpy's own search casts each input to the type of each loop for a try, which takes as
 * long as to add a number to 5000 others.
 */
static int choose_common(PyUFuncObject *ufunc, const NPY_CASTING casting, PyArrayObject **operands, PyArray_Descr **types)
{
	PyArray_Descr *const common = PyArray_ResultType(ufunc->nin, operands, 0, NULL);
	const int loop = common && common->type_num < NPY_USERDEF ? loop_of(ufunc, common->type_num) : -1;
	int suits = loop >= 0;

	PyErr_Clear();
	Py_XDECREF(common);
	for (int i = 0; suits && i < ufunc->nargs; i++) {
		types[i] = PyArray_DescrFromType(ufunc->types[loop * ufunc->nargs + i]);
		suits = !operands[i] || (i < ufunc->nin ? PyArray_CanCastArrayTo(operands[i], types[i], casting)
		                                        : PyArray_CanCastTypeTo(types[i], PyArray_DESCR(operands[i]), casting));
	}
	for (int i = 0; !suits && i < ufunc->nargs; i++)
		Py_CLEAR(types[i]);
	return suits;
}

/* The exception for integers that no kernel takes: those of operand i or, if these differ, beside those of another one. */
static void refuse_integers(const PyUFuncObject *ufunc, PyArrayObject **operands, const int i)
{
	int other = 0;

	while (other < ufunc->nin && (!PyTypeNum_ISINTEGER(PyArray_TYPE(operands[other])) ||
	                              PyArray_TYPE(operands[other]) == PyArray_TYPE(operands[i])))
		other++;
	if (other < ufunc->nin)
		PyErr_Format(PyExc_TypeError, "%s: no kernel for integers of %S beside %S; astype() converts them to a type that has one",
		             ufunc->name, (PyObject *)PyArray_DESCR(operands[i]), (PyObject *)PyArray_DESCR(operands[other]));
	else
		PyErr_Format(PyExc_TypeError, "%s: no kernel for integers of %S; astype() converts them to a type that has one",
		             ufunc->name, (PyObject *)PyArray_DESCR(operands[i]));
}

/*
 * numpy's own choice of a loop, but integers stay integers: by its rules uint64 becomes float64 if there is no loop of
 * uint64, and 2^60 + 1 is then 2^60. An operation of floats alone takes integers as numpy's exp does, and so does one of
 * integers beside floats.
 */
static int choose_loop(PyUFuncObject *ufunc, const NPY_CASTING casting, PyArrayObject **operands, PyObject *given,
                       PyArray_Descr **types)
{
	if (refuses_truths(ufunc) && all_truths(operands, ufunc->nin) && !given) {
		PyErr_Format(PyExc_TypeError, "%s: truths have no difference; mask_xor, mask_not or astype() may be meant", ufunc->name);
		return -1;
	}
	if ((given || ufunc->nin < 2 || !choose_common(ufunc, casting, operands, types)) &&
	    PyUFunc_DefaultTypeResolver(ufunc, casting, operands, given, types) < 0)
		return -1;
	for (int i = 0; i < ufunc->nin; i++) {
		if (!PyTypeNum_ISINTEGER(PyArray_TYPE(operands[i])) || PyTypeNum_ISINTEGER(types[i]->type_num) ||
		    !takes_integers(ufunc, i) || is_named(ufunc, given, i) || has_floats(operands, ufunc->nin))
			continue;
		refuse_integers(ufunc, operands, i);
		for (int j = 0; j < ufunc->nargs; j++)
			Py_CLEAR(types[j]);
		return -1;
	}
	return 0;
}

/* numpy's function that calls a ufunc, and ours in Python that calls one with where=. */
static vectorcallfunc numpys_call;
static PyObject *call_where;

PyObject *set_where(PyObject *module, PyObject *function)
{
	(void)module;
	Py_INCREF(function);
	Py_XSETREF(call_where, function);
	Py_RETURN_NONE;
}

/* Masks of fewer elements are numpy's: its runs take less time than the function in Python. */
#define LEAST_MASK 1024

/*
 * numpy calls a loop for each run of elements that where= chooses, of two on average if half are chosen at random. Such a
 * call goes to Python's function, with the ufunc before the arguments; all others to numpy, as ever.
 */
static PyObject *call_ufunc(PyObject *ufunc, PyObject *const *args, const size_t flags, PyObject *names)
{
	const Py_ssize_t given = PyVectorcall_NARGS(flags), named = names ? PyTuple_GET_SIZE(names) : 0;
	PyObject *result, **all;

	for (Py_ssize_t i = 0; i < named && call_where; i++) {
		if (PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(names, i), "where") ||
		    !PyArray_CheckExact(args[given + i]) || !PyArray_ISBOOL((PyArrayObject *)args[given + i]) ||
		    PyArray_SIZE((PyArrayObject *)args[given + i]) < LEAST_MASK)
			continue;
		all = PyMem_Malloc((size_t)(given + named + 1) * sizeof(*all));
		if (!all)
			return PyErr_NoMemory();
		all[0] = ufunc;
		memcpy(all + 1, args, (size_t)(given + named) * sizeof(*all));
		result = PyObject_Vectorcall(call_where, all, (size_t)given + 1, names);
		PyMem_Free(all);
		return result;
	}
	return numpys_call(ufunc, args, flags, names);
}

/* A call of a generalized ufunc. Short vectors are reduced without numpy's iterator. */
static PyObject *call_generalized(PyObject *ufunc, PyObject *const *args, const size_t flags, PyObject *names)
{
	const PyUFuncObject *const u = (const PyUFuncObject *)ufunc;

	if (!names && PyVectorcall_NARGS(flags) == u->nin && PyArray_CheckExact(args[0])) {
		const int type = PyArray_TYPE((PyArrayObject *)args[0]), i = loop_of(u, type);
		const struct loop *const l = i < 0 || u->functions[i] != run_loop ? NULL : u->data[i];
		PyObject *const made = l && l->reduces_vectors ? reduce_vectors(l, args, type, u->types[i * u->nargs + u->nin]) : NULL;

		if (made || PyErr_Occurred())
			return made;
	}
	return numpys_call(ufunc, args, flags, names);
}

static char *kept(const char *text)
{
	char *const copy = PyMem_RawMalloc(strlen(text) + 1);

	return copy ? strcpy(copy, text) : NULL;
}

PyObject *make_ufunc(PyObject *module, PyObject *args)
{
	const char *name, *doc, *signature;
	char *own_name, *own_doc;
	PyObject *loops, *ufunc, *like;
	struct ufunc u = {0};
	int inputs, outputs, identity, keeps_integers, folds = 0;

	(void)module;
	if (!PyArg_ParseTuple(args, "sszO!iiOp", &name, &doc, &signature, &PyList_Type, &loops, &inputs, &outputs, &like,
	                      &keeps_integers))
		return NULL;
	if (like != Py_None && !PyObject_TypeCheck(like, &PyUFunc_Type)) {
		PyErr_SetString(PyExc_TypeError, "like: expected a ufunc of numpy or None");
		return NULL;
	}
	identity = identity_of(like);
	if (allocate(&u, PyList_GET_SIZE(loops), inputs + outputs))
		return NULL;
	for (Py_ssize_t i = 0; i < u.count; i++) {
		if (read_loop(PyList_GET_ITEM(loops, i), inputs + outputs, &u.loops[i], u.type[i]))
			return NULL;
		u.loops[i].keeps_integers = (bool)keeps_integers;
		u.loops[i].folds = identity != PyUFunc_None && is_closed(&u.loops[i], u.type[i]);
		folds |= u.loops[i].folds;
		if (is_builtin(u.type[i], inputs + outputs) &&
		    add_builtin(&u, &u.loops[i], u.type[i], inputs + outputs, like))
			return NULL;
	}
	own_name = kept(name);
	own_doc = kept(doc);
	if (!own_name || !own_doc)
		return PyErr_NoMemory();
	ufunc = PyUFunc_FromFuncAndDataAndSignature(u.functions, u.data, u.types, u.builtin, inputs, outputs, identity,
	                                            own_name, own_doc, 0, signature);
	if (ufunc) {
		((PyUFuncObject *)ufunc)->type_resolver = choose_loop;
		numpys_call = ((PyUFuncObject *)ufunc)->vectorcall;
		((PyUFuncObject *)ufunc)->vectorcall = signature ? call_generalized : call_ufunc;
		if (folds)
			Py_SET_TYPE(ufunc, &reducing_type);
	}
	for (Py_ssize_t i = 0; ufunc && i < u.count; i++) {
		if (!is_builtin(u.type[i], inputs + outputs) &&
		    add_foreign((PyUFuncObject *)ufunc, &u.loops[i], u.type[i], inputs + outputs)) {
			Py_DECREF(ufunc);
			return NULL;
		}
	}
	return ufunc;
}
