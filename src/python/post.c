/* SPDX-License-Identifier: MIT */
/* struct isk_post from a dict. _matrix.py has checked the types and lengths of its arrays, and keeps them alive. */
#define NO_IMPORT_ARRAY
#define NO_IMPORT_UFUNC
#include "core.h"

enum kind { POINTER, FLOAT, DOUBLE, INT, SIZE, ACTIVATION, BINARY };

struct word {
	const char *name;
	int value;
};

static const struct word activations[] = {
	{"relu", ISK_ACT_RELU},           {"relu6", ISK_ACT_RELU6},
	{"leaky_relu", ISK_ACT_LEAKY_RELU}, {"sigmoid", ISK_ACT_SIGMOID},
	{"hardsigmoid", ISK_ACT_HARDSIGMOID}, {"tanh", ISK_ACT_TANH},
	{"hardtanh", ISK_ACT_HARDTANH},   {"hardswish", ISK_ACT_HARDSWISH},
	{"gelu", ISK_ACT_GELU},           {"gelu_tanh", ISK_ACT_GELU_TANH},
	{"silu", ISK_ACT_SILU},           {NULL, 0},
};

static const struct word binaries[] = {
	{"add", ISK_BINARY_ADD}, {"sub", ISK_BINARY_SUB}, {"mul", ISK_BINARY_MUL}, {"axpy", ISK_BINARY_AXPY}, {NULL, 0},
};

#define AT(field) offsetof(struct isk_post, field)

static const struct field {
	const char *name;
	enum kind kind;
	size_t at, count; /* the offsets of the field and of the field for its number of elements; count 0: there is none */
} fields[] = {
	{"a_zero", INT, AT(a_zero), 0},
	{"b_zero", POINTER, AT(b_zero), AT(b_zeros)},
	{"scale", POINTER, AT(scale), AT(scales)},
	{"bias", POINTER, AT(bias), 0},
	{"activation", ACTIVATION, AT(act), 0},
	{"act_a", DOUBLE, AT(act_a), 0},
	{"act_b", DOUBLE, AT(act_b), 0},
	{"binary", BINARY, AT(binary), 0},
	{"other", POINTER, AT(other), 0},
	{"ldother", SIZE, AT(ldother), 0},
	{"other_scale", DOUBLE, AT(other_scale), 0},
	{"out_scale", FLOAT, AT(out_scale), 0},
	{"out_zero", INT, AT(out_zero), 0},
	{"row_scale", POINTER, AT(row_scale), 0},
	{"row_zero", POINTER, AT(row_zero), 0},
};

static int word_of(const struct word *words, const char *field, PyObject *given)
{
	const char *text = PyUnicode_AsUTF8(given);
	PyObject *known;

	if (!text)
		return -1;
	for (const struct word *w = words; w->name; w++) {
		if (!strcmp(w->name, text))
			return w->value;
	}
	known = PyUnicode_FromString("");
	for (const struct word *w = words; known && w->name; w++)
		PyUnicode_AppendAndDel(&known, PyUnicode_FromFormat(w == words ? "%s" : ", %s", w->name));
	if (known)
		PyErr_Format(PyExc_ValueError, "%s: no '%s'; there are %U", field, text, known);
	Py_XDECREF(known);
	return -1;
}

static void set_field(struct isk_post *post, const struct field *f, PyObject *given)
{
	char *to = (char *)post + f->at;

	switch (f->kind) {
	case POINTER:
		*(const void **)to = PyArray_DATA((PyArrayObject *)given);
		if (f->count)
			*(size_t *)((char *)post + f->count) = (size_t)PyArray_SIZE((PyArrayObject *)given);
		break;
	case FLOAT:
		*(float *)to = (float)PyFloat_AsDouble(given);
		break;
	case DOUBLE:
		*(double *)to = PyFloat_AsDouble(given);
		break;
	case SIZE:
		*(size_t *)to = PyLong_AsSize_t(given);
		break;
	case INT:
		*(int32_t *)to = (int32_t)PyLong_AsLong(given);
		break;
	case ACTIVATION:
		post->act = (enum isk_activation)word_of(activations, f->name, given);
		break;
	case BINARY:
		post->binary = (enum isk_binary)word_of(binaries, f->name, given);
		break;
	}
}

int set_post(struct isk_post *post, PyObject *dict)
{
	*post = (struct isk_post){.size = sizeof(*post)};
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		PyObject *given = PyDict_GetItemString(dict, fields[i].name);

		if (given && given != Py_None)
			set_field(post, &fields[i], given);
		if (PyErr_Occurred())
			return -1;
	}
	return 0;
}
