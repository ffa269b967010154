/* SPDX-License-Identifier: MIT */
/* A kernel as a function of JavaScript that takes the arguments of C in their order. libisakern-call checks them. */
#include "addon.h"

#include <stdlib.h>
#include <string.h>

#include <isakern/query.h>

enum { MOST_ARGUMENTS = 31, MOST_STRUCTS = 2 };

struct kernel {
	const struct library *library;
	char name[64];
	struct isk_signature signature;
	struct isk_parameter parameters[MOST_ARGUMENTS];
};

static bool read_pointer(napi_env env, const struct kernel *k, const struct isk_parameter *p, napi_value given, struct isk_value *v)
{
	struct array array;

	if (!read_array(env, given, k->name, p->name, &array))
		return false;
	/* A packed matrix is bytes, and the length of another array is known in elements of its type. */
	if (array.data && !p->packed && array.element != isk_type_size(p->type)) {
		throw_type(env, "%s: '%s' has elements of %zu bytes; they must have %zu", k->name, p->name, array.element,
		           isk_type_size(p->type));
		return false;
	}
	v->type = p->type;
	v->pointer = array.data;
	v->bytes = array.bytes;
	return true;
}

static bool read_argument(napi_env env, const struct kernel *k, const struct isk_parameter *p, napi_value given, struct isk_value *v,
                          union structure *space)
{
	v->kind = p->kind;
	switch (p->kind) {
	case ISK_KIND_STRUCT:
		if (is_nothing(env, given))
			return true;
		if (!read_struct(env, given, k->name, p->structure, space))
			return false;
		v->pointer = space;
		v->bytes = space->size;
		return true;
	case ISK_KIND_INTEGER:
		if (read_integer(env, given, &v->integer))
			return true;
		throw_type(env, "%s: '%s' must be an integer of 64 bits", k->name, p->name);
		return false;
	case ISK_KIND_REAL:
		if (napi_get_value_double(env, given, &v->real) == napi_ok)
			return true;
		throw_type(env, "%s: '%s' must be a number", k->name, p->name);
		return false;
	default:
		return read_pointer(env, k, p, given, v);
	}
}

/* Integers of 64 bits that are elements become BigInt, and numbers of elements and positions a number. */
static napi_value result_of(napi_env env, const struct kernel *k, const struct isk_value *result)
{
	napi_value value = NULL;

	if (!k->signature.result || k->signature.is_status)
		return NULL;
	if (result->kind == ISK_KIND_REAL)
		napi_create_double(env, result->real, &value);
	else
		napi_create_bigint_int64(env, result->integer, &value);
	return value;
}

static napi_value call(napi_env env, napi_callback_info info)
{
	struct isk_value args[MOST_ARGUMENTS] = {{.pointer = NULL}}, result = {.type = 0};
	union structure space[MOST_STRUCTS];
	napi_value given[MOST_ARGUMENTS];
	size_t count = MOST_ARGUMENTS, structs = 0;
	const struct kernel *k;
	void *data;
	int status;

	napi_get_cb_info(env, info, &count, given, NULL, &data);
	k = data;
	if (count != k->signature.arguments)
		return throw_type(env, "%s: %zu arguments are given; it has %zu", k->name, count, k->signature.arguments);
	/* Nothing below runs code of JavaScript, which could detach an array that was read before. */
	for (size_t i = 0; i < count; i++) {
		const struct isk_parameter *p = &k->parameters[i];
		union structure *at = &space[structs];

		structs += p->kind == ISK_KIND_STRUCT;
		if (!read_argument(env, k, p, given[i], &args[i], at))
			return NULL;
	}
	status = k->library->call(k->name, args, count, &result);
	if (status < 0)
		return throw_status(env, status, k->library->message());
	return result_of(env, k, &result);
}

static void free_kernel(napi_env env, void *data, void *hint)
{
	(void)env;
	(void)hint;
	free(data);
}

static bool describe(struct kernel *k)
{
	size_t structs = 0;

	k->signature.size = sizeof(k->signature);
	for (size_t i = 0; i < libraries_count && !k->library; i++) {
		if (libraries[i]->signature(k->name, &k->signature) == ISK_OK)
			k->library = libraries[i];
	}
	if (!k->library || k->signature.arguments > MOST_ARGUMENTS)
		return false;
	for (size_t i = 0; i < k->signature.arguments; i++) {
		k->parameters[i].size = sizeof(*k->parameters);
		if (k->library->parameter(k->name, i, &k->parameters[i]) != ISK_OK)
			return false;
		structs += k->parameters[i].kind == ISK_KIND_STRUCT;
	}
	return structs <= MOST_STRUCTS;
}

napi_value make_kernel(napi_env env, napi_callback_info info)
{
	napi_value given, function = NULL;
	size_t count = 1;
	struct kernel *k;

	napi_get_cb_info(env, info, &count, &given, NULL, NULL);
	k = calloc(1, sizeof(*k));
	if (!k)
		return throw_range(env, "no memory");
	if (napi_get_value_string_utf8(env, given, k->name, sizeof(k->name), NULL) != napi_ok || !describe(k)) {
		throw_range(env, "there is no kernel '%s'", k->name);
		free(k);
		return NULL;
	}
	if (napi_create_function(env, k->name, NAPI_AUTO_LENGTH, call, k, &function) != napi_ok ||
	    napi_add_finalizer(env, function, k, free_kernel, NULL, NULL) != napi_ok) {
		free(k);
		return throw_range(env, "no memory");
	}
	return function;
}
