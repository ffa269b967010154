/* SPDX-License-Identifier: MIT */
/* The parts of the addon. A function that fails leaves an exception in env. */
#ifndef ISK_NODE_ADDON_H
#define ISK_NODE_ADDON_H

#define NAPI_VERSION 8
#include <node_api.h>
#include <stdbool.h>

#include <isakern/conv_types.h>

#include "library.h"
#include "structs.h"

/* The libraries of the package, isakern first. */
extern const struct library *const libraries[];
extern const size_t libraries_count;

/* Throws an exception of the class that `throw` makes, and returns NULL. */
napi_value throw_as(napi_env env, napi_status (*throw)(napi_env, const char *, const char *), const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* For the wrong kind of a thing. */
#define throw_type(env, ...)  throw_as(env, napi_throw_type_error, __VA_ARGS__)
/* For a wrong number, length or state. */
#define throw_range(env, ...) throw_as(env, napi_throw_range_error, __VA_ARGS__)
napi_value throw_status(napi_env env, int status, const char *message);

/* A typed array: where its elements are, and their size. data is NULL for null and undefined. */
struct array {
	void *data;
	size_t bytes, element;
};

/* Reads a typed array. who names the kernel, and name the argument, in the exception if it is none that a kernel may use. */
bool read_array(napi_env env, napi_value given, const char *who, const char *name, struct array *array);
bool is_nothing(napi_env env, napi_value given);
bool read_integer(napi_env env, napi_value given, int64_t *integer);

/* Any of the structs that kernels take. */
#define MEMBER(structure) struct structure structure;
union structure {
	size_t size;
	STRUCTS(MEMBER)
};

/* Reads a struct, by its name in C, from an array of its fields in their order. */
bool read_struct(napi_env env, napi_value given, const char *who, const char *name, union structure *to);

/* The functions of the addon. */
napi_value make_kernel(napi_env env, napi_callback_info info);
napi_value check_packed(napi_env env, napi_callback_info info);
napi_value packed_size(napi_env env, napi_callback_info info);
napi_value conv_output(napi_env env, napi_callback_info info);

#endif
