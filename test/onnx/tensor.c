/* SPDX-License-Identifier: MIT */
#include <err.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elements.h"
#include "tensor.h"

/* The tolerances of onnx.backend.test. */
#define RELATIVE 1e-3
#define ABSOLUTE 1e-7

enum isk_type tensor_element_type(int type)
{
	switch (type) {
	case ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT:
		return ISK_F32;
	case ONNX__TENSOR_PROTO__DATA_TYPE__DOUBLE:
		return ISK_F64;
	case ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT16:
		return ISK_F16;
	case ONNX__TENSOR_PROTO__DATA_TYPE__BFLOAT16:
		return ISK_BF16;
	case ONNX__TENSOR_PROTO__DATA_TYPE__INT64:
		return ISK_S64;
	case ONNX__TENSOR_PROTO__DATA_TYPE__INT32:
		return ISK_S32;
	case ONNX__TENSOR_PROTO__DATA_TYPE__UINT8:
	case ONNX__TENSOR_PROTO__DATA_TYPE__BOOL:
		return ISK_U8;
	case ONNX__TENSOR_PROTO__DATA_TYPE__INT8:
		return ISK_S8;
	default:
		return 0;
	}
}

size_t tensor_element_bytes(int type)
{
	return isk_element_bytes(tensor_element_type(type));
}

struct tensor tensor_new(int type, size_t dims, const size_t *dim)
{
	struct tensor t = {.type = type, .dims = dims, .count = 1};

	if (dims > TENSOR_DIMS)
		errx(1, "a tensor of %zu dimensions", dims);
	for (size_t i = 0; i < dims; i++) {
		t.dim[i] = dim[i];
		t.count *= dim[i];
	}
	t.data = calloc(t.count + 1, tensor_element_bytes(type));
	if (!t.data)
		err(1, "a tensor");
	return t;
}

void tensor_free(struct tensor *t)
{
	free(t->data);
	t->data = NULL;
}

void *read_file(const char *path, size_t *bytes)
{
	FILE *f = fopen(path, "rb");
	char *data;
	long size;

	if (!f || fseek(f, 0, SEEK_END) != 0 || (size = ftell(f)) < 0)
		err(1, "%s", path);
	rewind(f);
	*bytes = (size_t)size;
	data = malloc(*bytes + 1);
	if (!data || fread(data, 1, *bytes, f) != *bytes)
		err(1, "%s", path);
	fclose(f);
	return data;
}

int tensor_unpack(struct tensor *t, const Onnx__TensorProto *proto)
{
	const size_t element = tensor_element_bytes(proto->data_type);
	size_t dim[TENSOR_DIMS];

	if (!element)
		return 0;
	for (size_t i = 0; i < proto->n_dims && i < TENSOR_DIMS; i++)
		dim[i] = (size_t)proto->dims[i];
	*t = tensor_new(proto->data_type, proto->n_dims, dim);
	if (proto->has_raw_data && proto->raw_data.len == t->count * element)
		memcpy(t->data, proto->raw_data.data, t->count * element);
	else if (!proto->has_raw_data && proto->n_float_data == t->count)
		memcpy(t->data, proto->float_data, t->count * element);
	else if (!proto->has_raw_data && proto->n_double_data == t->count)
		memcpy(t->data, proto->double_data, t->count * element);
	else if (!proto->has_raw_data && proto->n_int64_data == t->count)
		memcpy(t->data, proto->int64_data, t->count * element);
	else if (!proto->has_raw_data && proto->n_int32_data == t->count)
		for (size_t i = 0; i < t->count; i++)
			isk_element_set_bits(tensor_element_type(t->type), t->data, i, (uint64_t)proto->int32_data[i]);
	else
		errx(1, "tensor '%s' has not the data of its shape", proto->name);
	return 1;
}

int tensor_int(const struct tensor *t, size_t i)
{
	switch (t->type) {
	case ONNX__TENSOR_PROTO__DATA_TYPE__UINT8:
		return ((const uint8_t *)t->data)[i];
	case ONNX__TENSOR_PROTO__DATA_TYPE__INT8:
		return ((const int8_t *)t->data)[i];
	case ONNX__TENSOR_PROTO__DATA_TYPE__INT32:
		return ((const int32_t *)t->data)[i];
	default:
		errx(1, "integers were expected, not type %d", t->type);
	}
}

static int close_to(double got, double want, enum isk_type type)
{
	/* ONNX has no tolerance for bf16, whose neighbouring numbers are farther apart. */
	const double relative = type == ISK_BF16 ? 0x1p-8 : RELATIVE;

	return isnan(got) || isnan(want) || isinf(want) ? got == want || (isnan(got) && isnan(want))
	                                                : fabs(got - want) <= ABSOLUTE + relative * fabs(want);
}

int tensor_matches(const struct tensor *got, const struct tensor *want, char *why, size_t space)
{
	const enum isk_type type = tensor_element_type(want->type);

	if (got->type != want->type || got->dims != want->dims ||
	    memcmp(got->dim, want->dim, got->dims * sizeof(*got->dim)) != 0) {
		snprintf(why, space, "type %d with %zu dimensions and %zu elements, must be type %d with %zu and %zu",
		         got->type, got->dims, got->count, want->type, want->dims, want->count);
		return 0;
	}
	for (size_t i = 0; i < want->count; i++) {
		const uint64_t got_bits = isk_element_bits(type, got->data, i), want_bits = isk_element_bits(type, want->data, i);
		const double g = isk_element_value(type, got_bits), w = isk_element_value(type, want_bits);

		if (isk_element_is_float(type) ? close_to(g, w, type) : got_bits == want_bits)
			continue;
		snprintf(why, space, "element %zu of %zu is %.9g, must be %.9g", i, want->count, g, w);
		return 0;
	}
	return 1;
}
