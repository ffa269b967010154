/* SPDX-License-Identifier: MIT */
/* Kernels called by name. Each argument is checked against the shape and put where the kernel's thunk reads it. */
#include "isakern_call.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "args.h"
#include "bytes.h"
#include "elements.h"
#include "isakern/library.h"
#include "kernels.h"

#define PUBLIC __attribute__((visibility("default")))

_Static_assert(ISK_PARAMETER_EXTENTS >= ISK_MOST_EXTENTS, "isk_parameter() has room for the extents of any array");

static _Thread_local char message[256];

static int refuse(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
static int refuse(int status, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vsnprintf(message, sizeof(message), format, list);
	va_end(list);
	return status;
}

PUBLIC const char *isk_call_message(void)
{
	return message;
}

/* The kernel with a name. Its number may differ, because the loaded library may be another version than the tables here. */
static const struct isk_kernel *kernel_of(const char *name)
{
	const int number = name ? isk_kernel_find(name) : -1;

	if (number >= 0 && (size_t)number < isk_kernels_count && strcmp(isk_kernels[number].name, name) == 0)
		return &isk_kernels[number];
	for (size_t i = 0; number >= 0 && i < isk_kernels_count; i++)
		if (strcmp(isk_kernels[i].name, name) == 0)
			return &isk_kernels[i];
	return NULL;
}

#ifdef ISK_STATIC
/* A static program has no dynamic symbols to look up. */
static isk_function bound(const struct isk_kernel *k)
{
	return isk_bound(k->name);
}
#else
/* The function that the process calls by the public name. */
static isk_function bound(const struct isk_kernel *k)
{
	static isk_function known[ISK_KERNEL_COUNT];
	isk_function *const entry = &known[k - isk_kernels];
	isk_function fn = __atomic_load_n(entry, __ATOMIC_RELAXED);
	char symbol[96];

	if (fn)
		return fn;
	snprintf(symbol, sizeof(symbol), "isk_%s", k->name);
	*(void **)&fn = dlsym(RTLD_DEFAULT, symbol);
	__atomic_store_n(entry, fn, __ATOMIC_RELAXED);
	return fn;
}
#endif

static enum isk_kind kind_of(const struct isk_kernel *k, const struct isk_argument *a)
{
	if (isk_is_array(a))
		return a->packed ? ISK_KIND_PACKED : ISK_KIND_ARRAY;
	if (a->role == ISK_STRUCT)
		return ISK_KIND_STRUCT;
	return a->role == ISK_VALUE && isk_element_is_float(isk_argument_type(k, a)) ? ISK_KIND_REAL : ISK_KIND_INTEGER;
}

static const char *kind_name(enum isk_kind kind)
{
	static const char names[][16] = {"an array", "a packed matrix", "a struct", "an integer", "a real number"};

	return kind >= ISK_KIND_ARRAY && kind <= ISK_KIND_REAL ? names[kind] : "of no kind";
}

/* The type's name, as it stands in the names of kernels. */
static const char *type_name(enum isk_type type)
{
#define ISK_TYPE_NAME(name, ...) case ISK_ENUM_##name: return #name;
	switch (type) {
		ISK_ELEMENT_TYPES(ISK_TYPE_NAME)
	}
#undef ISK_TYPE_NAME
	return "no type";
}

/* "exp_f32: argument 1, 'x'" */
struct place {
	char text[96];
};

static struct place place_of(const struct isk_kernel *k, int i)
{
	struct place place;

	snprintf(place.text, sizeof(place.text), "%s: argument %d, '%s',", k->name, i, k->shape->arguments[i].name);
	return place;
}

/*
 * A value whose type varies with the kernel's name is a double in the struct of arguments. A double holds all integers of
 * 54 bits, sign included.
 */
static int put_integer(const struct isk_kernel *k, int i, union isk_args *args, int64_t integer)
{
	const struct isk_argument *a = &k->shape->arguments[i];
	const enum isk_type type = isk_argument_type(k, a);
	const int64_t held = a->variable ? ((int64_t)1 << 53) - 1 : INT64_MAX;
	const int64_t greatest = a->role != ISK_VALUE ? INT64_MAX : !type ? INT_MAX : isk_greatest_integer(type);
	const int64_t most = greatest < held ? greatest : held;
	const int64_t least = a->role != ISK_VALUE || !type || !isk_least_integer(type) ? 0 : -most - 1;
	void *const at = isk_argument_at(args, a);

	if (integer < least || integer > most)
		return refuse(ISK_CALL_RANGE, "%s is %lld; it may be from %lld to %lld", place_of(k, i).text, (long long)integer,
		              (long long)least, (long long)most);
	if (a->role != ISK_VALUE)
		*(size_t *)at = (size_t)integer;
	else if (a->variable)
		*(double *)at = (double)integer;
	else if (type)
		isk_element_set_bits(type, at, 0, (uint64_t)integer);
	else
		*(int *)at = (int)integer;
	return ISK_OK;
}

static int put_pointer(const struct isk_kernel *k, int i, union isk_args *args, const struct isk_value *v)
{
	const struct isk_argument *a = &k->shape->arguments[i];
	size_t size;

	if (isk_is_array(a) && v->type != isk_argument_type(k, a))
		return refuse(ISK_CALL_TYPE, "%s is of %s; it must be of %s", place_of(k, i).text, type_name(v->type),
		              type_name(isk_argument_type(k, a)));
	if (a->role == ISK_STRUCT && v->pointer) {
		if (v->bytes >= sizeof(size))
			memcpy(&size, v->pointer, sizeof(size));
		if (v->bytes < sizeof(size) || size != v->bytes)
			return refuse(ISK_ERR_STRUCT, "%s is of %zu bytes, which is not the size that it says", place_of(k, i).text,
			              v->bytes);
	}
	*(const void **)isk_argument_at(args, a) = v->pointer;
	return ISK_OK;
}

static int put(const struct isk_kernel *k, int i, union isk_args *args, const struct isk_value *v)
{
	const struct isk_argument *a = &k->shape->arguments[i];
	const enum isk_kind kind = kind_of(k, a);

	if (v->kind != kind)
		return refuse(ISK_CALL_KIND, "%s is %s; it must be %s", place_of(k, i).text, kind_name(v->kind), kind_name(kind));
	if (kind == ISK_KIND_INTEGER)
		return put_integer(k, i, args, v->integer);
	if (kind != ISK_KIND_REAL)
		return put_pointer(k, i, args, v);
	/* A value whose type varies with the kernel's name is a double there. */
	if (a->variable || a->type == ISK_F64)
		*(double *)isk_argument_at(args, a) = v->real;
	else
		*(float *)isk_argument_at(args, a) = (float)v->real;
	return ISK_OK;
}

/*
 * Whether rows of an output run into one another. Matrices of a batch may lie side by side in the rows of a wider one, so
 * that only the kernel can judge the stride between them.
 */
static int rows_overlap(const struct isk_kernel *k, union isk_args *args, const struct isk_argument *a)
{
	const struct isk_argument *const all = k->shape->arguments;
	int e = a->packed ? -1 : a->extents - 1;

	while (e >= 0 && a->extent[e].stride < 0)
		e--;
	return e >= 0 && *(const size_t *)isk_argument_at(args, &all[a->extent[e].size]) > 1
	       && *(const size_t *)isk_argument_at(args, &all[a->extent[e].stride]) < isk_argument_span(k, args, a, e + 1);
}

/* Whether the array is there, long enough, and, if it is an output, has its rows apart. */
static int check_array(const struct isk_kernel *k, int i, union isk_args *args, size_t given)
{
	const struct isk_argument *a = &k->shape->arguments[i];
	const void *const p = isk_pointer_of(args, a);
	size_t bytes;

	if (a->packed && a->role == ISK_IN && p && given < 64)
		return refuse(ISK_CALL_SPACE, "%s has %zu bytes, which no packed matrix fits in", place_of(k, i).text, given);
	bytes = isk_array_bytes(k, args, a);
	if (!p && !a->null && bytes)
		return refuse(ISK_ERR_NULL, "%s is NULL", place_of(k, i).text);
	if (p && bytes > given)
		return refuse(ISK_CALL_SPACE, "%s has %zu bytes; the sizes ask for %zu", place_of(k, i).text, given, bytes);
	if (p && a->role == ISK_OUT && rows_overlap(k, args, a))
		return refuse(ISK_ERR_STRIDE, "%s has rows that overlap: its stride is less than a row", place_of(k, i).text);
	return ISK_OK;
}

/* Whether two arrays are the same: they begin at one address and have equal strides. */
static int is_same_array(const struct isk_kernel *k, union isk_args *args, const struct isk_argument *a,
                         const struct isk_argument *b)
{
	if (isk_pointer_of(args, a) != isk_pointer_of(args, b))
		return 0;
	for (int e = 0; e < a->extents; e++) {
		const int one = a->extent[e].stride, other = b->extent[e].stride;

		if (one >= 0 && other >= 0
		    && *(const size_t *)isk_argument_at(args, &k->shape->arguments[one])
		           != *(const size_t *)isk_argument_at(args, &k->shape->arguments[other])
		    && *(const size_t *)isk_argument_at(args, &k->shape->arguments[a->extent[e].size]) > 1)
			return 0;
	}
	return 1;
}

/* Returns the bytes from one row to the next and sets *row to the bytes in a row. Without a stride, all is one row. */
static size_t row_of(const struct isk_kernel *k, union isk_args *args, const struct isk_argument *a, size_t *row)
{
	const enum isk_type type = isk_argument_type(k, a);
	const size_t all = isk_array_bytes(k, args, a);

	*row = all;
	if (a->extents != 2 || a->extent[0].stride < 0 || a->extent[1].stride >= 0)
		return all;
	*row = isk_bytes_of(type, isk_argument_span(k, args, a, 1));
	return isk_bytes_of(type, *(const size_t *)isk_argument_at(args, &k->shape->arguments[a->extent[0].stride]));
}

/* Whether two arrays share memory. Rows of both may lie side by side within the rows of one matrix, and then they do not. */
static int overlap(const struct isk_kernel *k, union isk_args *args, const struct isk_argument *a,
                   const struct isk_argument *b)
{
	const uintptr_t at_a = (uintptr_t)isk_pointer_of(args, a), at_b = (uintptr_t)isk_pointer_of(args, b);
	const size_t bytes_a = isk_array_bytes(k, args, a), bytes_b = isk_array_bytes(k, args, b);
	const size_t low = at_a < at_b ? bytes_a : bytes_b, apart = at_a < at_b ? at_b - at_a : at_a - at_b;
	size_t row_a, row_b, step, into;

	if (!at_a || !at_b || !bytes_a || !bytes_b || apart >= low)
		return 0;
	step = row_of(k, args, a, &row_a);
	if (step != row_of(k, args, b, &row_b) || row_a >= step || row_b >= step)
		return 1;
	into = (at_b - at_a) % step;
	if (at_b < at_a)
		into = (step - (at_a - at_b) % step) % step;
	return into < row_a || into + row_b > step;
}

/* No output may share memory with another array, unless it is that array and the shape allows it. */
static int check_overlap(const struct isk_kernel *k, union isk_args *args)
{
	const struct isk_argument *all = k->shape->arguments;

	for (int i = 0; i < k->shape->count; i++)
		for (int j = 0; j < k->shape->count; j++) {
			if (i == j || all[i].role != ISK_OUT || !isk_is_array(&all[j]) || !overlap(k, args, &all[i], &all[j]))
				continue;
			if (!(all[i].may_be >> j & 1))
				return refuse(ISK_CALL_OVERLAP, "%s overlaps '%s'; it must not", place_of(k, i).text, all[j].name);
			if (!is_same_array(k, args, &all[i], &all[j]))
				return refuse(ISK_CALL_OVERLAP, "%s overlaps '%s'; it may only be the very same array", place_of(k, i).text,
				              all[j].name);
		}
	return ISK_OK;
}

static int check(const struct isk_kernel *k, const struct isk_value *values, union isk_args *args)
{
	int status = ISK_OK;

	for (int i = 0; i < k->shape->count && !status; i++)
		status = put(k, i, args, &values[i]);
	for (int i = 0; i < k->shape->count && !status; i++) {
		const struct isk_argument *a = &k->shape->arguments[i];

		if (a->role == ISK_STRUCT && !a->null && !isk_pointer_of(args, a))
			status = refuse(ISK_ERR_NULL, "%s is NULL", place_of(k, i).text);
	}
	for (int i = 0; i < k->shape->count && !status; i++)
		if (isk_is_array(&k->shape->arguments[i]))
			status = check_array(k, i, args, values[i].bytes);
	return status ? status : check_overlap(k, args);
}

static struct isk_value result_of(const struct isk_kernel *k, const union isk_args *args)
{
	const enum isk_type type = isk_result_type(k);
	struct isk_value v = {.kind = ISK_KIND_INTEGER, .type = type};
	const uint64_t bits = type ? isk_element_bits(type, &args->result, 0) : 0;

	if (type && isk_element_is_float(type)) {
		v.kind = ISK_KIND_REAL;
		v.real = isk_element_value(type, bits);
	} else {
		v.integer = type == ISK_S32 ? (int32_t)bits : (int64_t)bits;
	}
	return v;
}

PUBLIC int isk_call(const char *kernel, const struct isk_value *args, size_t count, struct isk_value *result)
{
	const struct isk_kernel *const k = kernel_of(kernel);
	const isk_function fn = k ? bound(k) : NULL;
	union isk_args room = {{0}};
	int status;

	if (!fn)
		return refuse(ISK_ERR_KERNEL, "'%s' is no kernel of isakern %s", kernel ? kernel : "", isk_version());
	if (count != (size_t)k->shape->count || (count && !args))
		return refuse(ISK_CALL_COUNT, "%s: %zu arguments are given; it has %d", kernel, args ? count : 0, k->shape->count);
	status = check(k, args, &room);
	if (status)
		return status;
	k->call(fn, &room);
	if (result)
		*result = result_of(k, &room);
	if (k->shape->returns == ISK_RETURNS_STATUS && room.result.status < 0)
		return refuse(room.result.status, "%s: %s", kernel, isk_strerror(room.result.status));
	return ISK_OK;
}

/* Gives as much of an answer as the caller has room for. No caller was compiled with a struct smaller than `least`. */
static int give(void *to, const void *answer, size_t size, size_t least)
{
	size_t room;

	memcpy(&room, to, sizeof(room));
	if (room < least)
		return ISK_ERR_STRUCT;
	memcpy((char *)to + sizeof(room), (const char *)answer + sizeof(room), (room < size ? room : size) - sizeof(room));
	return ISK_OK;
}

PUBLIC int isk_signature(const char *kernel, struct isk_signature *signature)
{
	const struct isk_kernel *const k = kernel_of(kernel);
	struct isk_signature all = {.size = sizeof(all)};

	if (!k)
		return ISK_ERR_KERNEL;
	if (!signature)
		return ISK_ERR_NULL;
	all.shape = k->shape->name;
	all.arguments = (size_t)k->shape->count;
	all.result = isk_result_type(k);
	all.is_status = k->shape->returns == ISK_RETURNS_STATUS;
	return give(signature, &all, sizeof(all), sizeof(all));
}

PUBLIC int isk_parameter(const char *kernel, size_t i, struct isk_parameter *parameter)
{
	const struct isk_kernel *const k = kernel_of(kernel);
	const struct isk_argument *a;
	struct isk_parameter all = {.size = sizeof(all)};

	if (!k)
		return ISK_ERR_KERNEL;
	if (!parameter)
		return ISK_ERR_NULL;
	if (i >= (size_t)k->shape->count)
		return ISK_CALL_COUNT;
	a = &k->shape->arguments[i];
	all.name = a->name;
	all.role = a->role;
	all.kind = kind_of(k, a);
	all.type = isk_argument_type(k, a);
	all.structure = a->structure;
	all.packed = a->packed;
	all.null = a->null;
	all.inout = a->inout;
	all.may_be = a->may_be;
	all.measured = a->measured;
	all.extents = a->extents;
	for (int e = 0; e < a->extents; e++) {
		all.extent[e].argument = a->extent[e].size;
		all.extent[e].stride = a->extent[e].stride;
	}
	return give(parameter, &all, sizeof(all), sizeof(all));
}
