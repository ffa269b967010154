/* SPDX-License-Identifier: MIT */
/* Packed matrices, and the sizes of convolutions. */
#include "addon.h"

#include <string.h>

#include "element_types.h"
#include "packed.h"

static void set_number(napi_env env, napi_value object, const char *name, const uint64_t number)
{
	napi_value value;

	napi_create_int64(env, (int64_t)number, &value);
	napi_set_named_property(env, object, name, value);
}

/* Takes (bytes) and returns an object with the numbers of a packed matrix, which is checked as a whole. */
napi_value check_packed(napi_env env, napi_callback_info info)
{
#define TYPE(name, ...) ISK_ENUM_##name,
	static const enum isk_type types[] = {ISK_ELEMENT_TYPES(TYPE)};
#undef TYPE
	napi_value given, object;
	struct isk_packed header;
	int status = ISK_ERR_TYPE;
	struct array array;
	size_t count = 1;

	napi_get_cb_info(env, info, &count, &given, NULL, NULL);
	if (!read_array(env, given, "Packed", "bytes", &array))
		return NULL;
	for (size_t i = 0; i < sizeof(types) / sizeof(*types) && status == ISK_ERR_TYPE; i++)
		status = isk_packed_check(array.data, array.bytes, types[i]);
	if (status)
		return throw_range(env, "Packed: 'bytes': %s", isk_strerror(status));
	memcpy(&header, array.data, sizeof(header));
	napi_create_object(env, &object);
	set_number(env, object, "type", header.type);
	set_number(env, object, "k", header.k);
	set_number(env, object, "n", header.n);
	set_number(env, object, "group", header.scale_k);
	return object;
}

/* Takes (kernel, type, k, n, groups, conv, transposed) and returns the bytes of a packed matrix; of weights if conv is not null, for its
 * transpose if transposed is not 0, else with scales if groups is not null. */
napi_value packed_size(napi_env env, napi_callback_info info)
{
	union structure groups, conv;
	napi_value given[7], value;
	int64_t type, k, n, transposed;
	size_t count = 7, bytes;
	char kernel[64];

	napi_get_cb_info(env, info, &count, given, NULL, NULL);
	if (napi_get_value_string_utf8(env, given[0], kernel, sizeof(kernel), NULL) != napi_ok || !read_integer(env, given[1], &type) ||
	    !read_integer(env, given[2], &k) || !read_integer(env, given[3], &n) || !read_integer(env, given[6], &transposed))
		return throw_type(env, "packed_size: a name, a type and two sizes are expected");
	if (!is_nothing(env, given[5])) {
		if (!read_struct(env, given[5], kernel, "isk_conv", &conv))
			return NULL;
		bytes = transposed ? isk_conv_transpose_packed_size((enum isk_type)type, &conv.isk_conv)
		                   : isk_conv_packed_size((enum isk_type)type, &conv.isk_conv);
	} else if (!is_nothing(env, given[4])) {
		if (!read_struct(env, given[4], kernel, "isk_groups", &groups))
			return NULL;
		bytes = isk_packed_groups_size((enum isk_type)type, (size_t)k, (size_t)n, &groups.isk_groups);
	} else {
		bytes = isk_packed_size((enum isk_type)type, (size_t)k, (size_t)n);
	}
	napi_create_double(env, (double)bytes, &value);
	return value;
}

/* Takes (kernel, conv) and returns the height and width of the output. */
napi_value conv_output(napi_env env, napi_callback_info info)
{
	napi_value given[2], object;
	size_t count = 2, height, width;
	union structure conv;
	char kernel[64];
	int status;

	napi_get_cb_info(env, info, &count, given, NULL, NULL);
	if (napi_get_value_string_utf8(env, given[0], kernel, sizeof(kernel), NULL) != napi_ok)
		return throw_type(env, "conv_output: a name is expected");
	if (!read_struct(env, given[1], kernel, "isk_conv", &conv))
		return NULL;
	status = isk_conv_output(&conv.isk_conv, &height, &width);
	if (status)
		return throw_range(env, "%s: 'conv': %s", kernel, isk_strerror(status));
	napi_create_object(env, &object);
	set_number(env, object, "height", height);
	set_number(env, object, "width", width);
	return object;
}
