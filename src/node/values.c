/* SPDX-License-Identifier: MIT */
/* Values of JavaScript on their way to C. */
#include "addon.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

napi_value throw_as(napi_env env, napi_status (*throw)(napi_env, const char *, const char *), const char *format, ...)
{
	char message[256];
	va_list list;

	va_start(list, format);
	vsnprintf(message, sizeof(message), format, list);
	va_end(list);
	throw(env, NULL, message);
	return NULL;
}

napi_value throw_status(napi_env env, const int status, const char *message)
{
	switch (status) {
	case ISK_CALL_COUNT:
	case ISK_CALL_KIND:
	case ISK_CALL_TYPE:
	case ISK_ERR_NULL:
	case ISK_ERR_TYPE:
		return throw_type(env, "%s", message);
	default:
		return throw_range(env, "%s", message);
	}
}

bool is_nothing(napi_env env, napi_value given)
{
	napi_valuetype type;

	return napi_typeof(env, given, &type) == napi_ok && (type == napi_null || type == napi_undefined);
}

static size_t width(const napi_typedarray_type type)
{
	switch (type) {
	case napi_int16_array:
	case napi_uint16_array:
		return 2;
	case napi_int32_array:
	case napi_uint32_array:
	case napi_float32_array:
		return 4;
	case napi_float64_array:
	case napi_bigint64_array:
	case napi_biguint64_array:
		return 8;
	default:
		return 1;
	}
}

bool read_array(napi_env env, napi_value given, const char *who, const char *name, struct array *array)
{
	napi_typedarray_type type;
	bool is_plain, is_detached;
	napi_value buffer;
	size_t length;

	*array = (struct array){.data = NULL};
	if (is_nothing(env, given))
		return true;
	if (napi_get_typedarray_info(env, given, &type, &length, &array->data, &buffer, NULL) != napi_ok) {
		throw_type(env, "%s: '%s' is no typed array", who, name);
		return false;
	}
	/* Another thread could change an index after a kernel has checked it. */
	if (napi_is_arraybuffer(env, buffer, &is_plain) != napi_ok || !is_plain) {
		throw_type(env, "%s: '%s' is on a SharedArrayBuffer; it must be on an ArrayBuffer, because no other thread may write to it", who,
		           name);
		return false;
	}
	if (!length && napi_is_detached_arraybuffer(env, buffer, &is_detached) == napi_ok && is_detached) {
		throw_type(env, "%s: the ArrayBuffer of '%s' is detached", who, name);
		return false;
	}
	array->element = width(type);
	array->bytes = length * array->element;
	return true;
}

bool read_integer(napi_env env, napi_value given, int64_t *integer)
{
	bool is_exact;

	return napi_get_value_int64(env, given, integer) == napi_ok ||
	       (napi_get_value_bigint_int64(env, given, integer, &is_exact) == napi_ok && is_exact);
}

enum kind { POINTER, FLOAT, DOUBLE, INTEGER, WORD, SIZE };

struct field {
	const char *name;
	enum kind kind;
	size_t at;
};

#define KIND_OF(value) _Generic(value, float: FLOAT, double: DOUBLE, int32_t: INTEGER, unsigned: WORD, size_t: SIZE, default: POINTER)
#define FIELD(structure, field) {#field, KIND_OF(((struct structure *)0)->field), offsetof(struct structure, field)},
#define FIELDS(structure) static const struct field fields_of_##structure[] = {FIELDS_OF_##structure(FIELD)};
#define STRUCT(structure) \
	{#structure, sizeof(struct structure), fields_of_##structure, sizeof(fields_of_##structure) / sizeof(struct field)},

STRUCTS(FIELDS)

static const struct {
	const char *name;
	size_t size;
	const struct field *fields;
	size_t count;
} structs[] = {STRUCTS(STRUCT)};

static bool read_field(napi_env env, napi_value given, const char *who, const struct field *f, char *to)
{
	struct array array;
	int64_t integer = 0;
	double real = 0;

	if (f->kind == POINTER) {
		if (!read_array(env, given, who, f->name, &array))
			return false;
		memcpy(to, &array.data, sizeof(array.data));
		return true;
	}
	if (f->kind == FLOAT || f->kind == DOUBLE ? napi_get_value_double(env, given, &real) != napi_ok
	                                          : napi_get_value_int64(env, given, &integer) != napi_ok) {
		throw_type(env, "%s: '%s' must be a number", who, f->name);
		return false;
	}
	switch (f->kind) {
	case FLOAT:
		memcpy(to, &(float){(float)real}, sizeof(float));
		break;
	case DOUBLE:
		memcpy(to, &real, sizeof(real));
		break;
	case INTEGER:
		memcpy(to, &(int32_t){(int32_t)integer}, sizeof(int32_t));
		break;
	case WORD:
		memcpy(to, &(unsigned){(unsigned)integer}, sizeof(unsigned));
		break;
	default:
		memcpy(to, &(size_t){(size_t)integer}, sizeof(size_t));
	}
	return true;
}

bool read_struct(napi_env env, napi_value given, const char *who, const char *name, union structure *to)
{
	for (size_t s = 0; s < sizeof(structs) / sizeof(*structs); s++) {
		uint32_t length;

		if (strcmp(structs[s].name, name) != 0)
			continue;
		if (napi_get_array_length(env, given, &length) != napi_ok || length != structs[s].count) {
			throw_type(env, "%s: %s is no array of %zu fields", who, name, structs[s].count);
			return false;
		}
		memset(to, 0, sizeof(*to));
		to->size = structs[s].size;
		for (size_t i = 0; i < structs[s].count; i++) {
			napi_value field;

			if (napi_get_element(env, given, (uint32_t)i, &field) != napi_ok ||
			    !read_field(env, field, who, &structs[s].fields[i], (char *)to + structs[s].fields[i].at))
				return false;
		}
		return true;
	}
	throw_type(env, "%s: there is no struct '%s'", who, name);
	return false;
}
