/* SPDX-License-Identifier: MIT */
/* A packed matrix in any object that has bytes. It is checked once, when it is made, and read-only from then on. */
#define NO_IMPORT_ARRAY
#define NO_IMPORT_UFUNC
#include "core.h"

#include "packed.h"

struct packed {
	PyObject_HEAD
	Py_buffer bytes;
	struct isk_packed header;
};

static int check(const Py_buffer *bytes)
{
#define TYPE(name, ...) ISK_ENUM_##name,
	static const enum isk_type types[] = {ISK_ELEMENT_TYPES(TYPE)};
#undef TYPE
	int status = ISK_ERR_TYPE;

	for (size_t i = 0; i < sizeof(types) / sizeof(*types) && status == ISK_ERR_TYPE; i++)
		status = isk_packed_check(bytes->buf, (size_t)bytes->len, types[i]);
	return status;
}

static PyObject *new_packed(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
	struct packed *self;
	PyObject *buffer;
	int status;

	(void)keywords;
	if (!PyArg_ParseTuple(args, "O:Packed", &buffer) || !(self = (struct packed *)type->tp_alloc(type, 0)))
		return NULL;
	if (PyObject_GetBuffer(buffer, &self->bytes, PyBUF_SIMPLE)) {
		Py_DECREF(self);
		return NULL;
	}
	Py_BEGIN_ALLOW_THREADS
	status = check(&self->bytes);
	Py_END_ALLOW_THREADS
	if (status) {
		PyErr_Format(PyExc_ValueError, "buffer: %s", isk_strerror(status));
		Py_DECREF(self);
		return NULL;
	}
	memcpy(&self->header, self->bytes.buf, sizeof(self->header));
	return (PyObject *)self;
}

static void free_packed(PyObject *self)
{
	PyBuffer_Release(&((struct packed *)self)->bytes);
	Py_TYPE(self)->tp_free(self);
}

static int get_buffer(PyObject *self, Py_buffer *view, const int flags)
{
	const Py_buffer *bytes = &((struct packed *)self)->bytes;

	return PyBuffer_FillInfo(view, self, bytes->buf, bytes->len, 1, flags);
}

static PyBufferProcs buffer = {.bf_getbuffer = get_buffer};

static PyObject *get_number(PyObject *self, void *which)
{
	const struct isk_packed *header = &((struct packed *)self)->header;
	const uint64_t numbers[] = {header->type, header->k, header->n, header->scale_k, header->bytes};

	return PyLong_FromUnsignedLongLong(numbers[*(const char *)which - '0']);
}

static PyGetSetDef numbers[] = {
	{"type", get_number, NULL, "the number of its element type", "0"},
	{"k", get_number, NULL, "rows", "1"},
	{"n", get_number, NULL, "columns", "2"},
	{"group", get_number, NULL, "rows that share a scale in each column; 0: there are no scales", "3"},
	{"nbytes", get_number, NULL, "bytes of the whole matrix", "4"},
	{NULL, NULL, NULL, NULL, NULL},
};

PyTypeObject packed_type = {
	PyVarObject_HEAD_INIT(NULL, 0)
	.tp_name = "isakern._core.Packed",
	.tp_basicsize = sizeof(struct packed),
	.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
	.tp_doc = "A packed matrix in a buffer.",
	.tp_new = new_packed,
	.tp_dealloc = free_packed,
	.tp_as_buffer = &buffer,
	.tp_getset = numbers,
};

const void *packed_data(PyObject *object, const enum isk_type type)
{
	const struct packed *p = (const struct packed *)object;

	if (!PyObject_TypeCheck(object, &packed_type))
		PyErr_SetString(PyExc_TypeError, "packed: not a packed matrix");
	else if (p->header.type != type)
		PyErr_SetString(PyExc_TypeError, "packed: of another type");
	else
		return p->bytes.buf;
	return NULL;
}
