/* SPDX-License-Identifier: MIT */
/* The addon: functions for the modules of JavaScript beside it, which check what people give them. */
#include "addon.h"

extern const struct library isk_node_library;
#ifdef ISK_NODE_SLEEF
extern const struct library isk_sleef_node_library;
#endif

const struct library *const libraries[] = {
	&isk_node_library,
#ifdef ISK_NODE_SLEEF
	&isk_sleef_node_library,
#endif
};
const size_t libraries_count = sizeof(libraries) / sizeof(*libraries);

static void set_text(napi_env env, napi_value object, const char *name, const char *text)
{
	napi_value value;

	napi_create_string_utf8(env, text, NAPI_AUTO_LENGTH, &value);
	napi_set_named_property(env, object, name, value);
}

static napi_value isas(napi_env env, napi_callback_info info)
{
	napi_value object, value;
	size_t kernels = 0;

	(void)info;
	for (size_t i = 0; i < libraries_count; i++)
		kernels += libraries[i]->count();
	napi_create_object(env, &object);
	set_text(env, object, "version", isk_version());
	set_text(env, object, "isa", isk_isa_current());
	set_text(env, object, "cpu", isk_isa_cpu());
	set_text(env, object, "built", isk_isa_binary());
	napi_create_double(env, (double)kernels, &value);
	napi_set_named_property(env, object, "kernels", value);
	return object;
}

/* Takes a kernel's name and returns its variants, lowest ISA first. */
static napi_value candidates(napi_env env, napi_callback_info info)
{
	struct isk_candidate found[32] = {{.size = sizeof(*found)}};
	int number = ISK_ERR_KERNEL;
	napi_value given, list;
	size_t count = 1;
	char kernel[64];

	napi_get_cb_info(env, info, &count, &given, NULL, NULL);
	if (napi_get_value_string_utf8(env, given, kernel, sizeof(kernel), NULL) != napi_ok)
		return throw_type(env, "why: 'kernel' must be a name such as 'exp_f32'");
	for (size_t i = 0; number < 0 && i < libraries_count; i++)
		number = libraries[i]->candidates(kernel, found, 32);
	if (number < 0)
		return throw_range(env, "why: there is no kernel '%s'", kernel);
	napi_create_array(env, &list);
	for (int i = 0; i < number; i++) {
		napi_value row, bound;

		napi_create_object(env, &row);
		set_text(env, row, "isa", found[i].isa);
		napi_get_boolean(env, found[i].bound, &bound);
		napi_set_named_property(env, row, "bound", bound);
		set_text(env, row, "reason", found[i].reason);
		napi_set_element(env, list, (uint32_t)i, row);
	}
	return list;
}

/* Takes (function, argument, array) and throws if the typed array is detached or shared, because no kernel may use it then. */
static napi_value check_array(napi_env env, napi_callback_info info)
{
	char who[64], name[64];
	struct array array;
	napi_value given[3];
	size_t count = 3;

	napi_get_cb_info(env, info, &count, given, NULL, NULL);
	if (napi_get_value_string_utf8(env, given[0], who, sizeof(who), NULL) == napi_ok &&
	    napi_get_value_string_utf8(env, given[1], name, sizeof(name), NULL) == napi_ok)
		read_array(env, given[2], who, name, &array);
	return NULL;
}

#define FUNCTION(name, function) {name, NULL, function, NULL, NULL, NULL, napi_enumerable, NULL}

/* Declared here because the macro below defines it without. */
NAPI_MODULE_EXPORT int32_t NODE_API_MODULE_GET_API_VERSION(void);

NAPI_MODULE_INIT()
{
	static const napi_property_descriptor functions[] = {
		FUNCTION("kernel", make_kernel),
		FUNCTION("packed", check_packed),
		FUNCTION("packedSize", packed_size),
		FUNCTION("convOutput", conv_output),
		FUNCTION("checkArray", check_array),
		FUNCTION("why", candidates),
		FUNCTION("info", isas),
	};

	napi_define_properties(env, exports, sizeof(functions) / sizeof(*functions), functions);
	return exports;
}
