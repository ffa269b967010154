/* SPDX-License-Identifier: MIT */
#include <err.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tensor.h"

/* Of onnx.backend.test. */
#define RELATIVE 1e-3
#define ABSOLUTE 1e-7

static size_t element_bytes(int type)
{
	switch (type) {
	case ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT:
	case ONNX__TENSOR_PROTO__DATA_TYPE__INT32:
		return 4;
	case ONNX__TENSOR_PROTO__DATA_TYPE__UINT8:
	case ONNX__TENSOR_PROTO__DATA_TYPE__INT8:
		return 1;
	default:
		return 0;
	}
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
	t.data = calloc(t.count + 1, element_bytes(type));
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

static void set_int(struct tensor *t, size_t i, int32_t value)
{
	if (element_bytes(t->type) == 4)
		((int32_t *)t->data)[i] = value;
	else
		((uint8_t *)t->data)[i] = (uint8_t)value;
}

int tensor_unpack(struct tensor *t, const Onnx__TensorProto *proto)
{
	const size_t element = element_bytes(proto->data_type);
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
	else if (!proto->has_raw_data && proto->n_int32_data == t->count)
		for (size_t i = 0; i < t->count; i++)
			set_int(t, i, proto->int32_data[i]);
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

static int close_to(double got, double want)
{
	return isnan(got) || isnan(want) ? isnan(got) && isnan(want)
	                                 : fabs(got - want) <= ABSOLUTE + RELATIVE * fabs(want);
}

int tensor_matches(const struct tensor *got, const struct tensor *want, char *why, size_t space)
{
	const int is_float = want->type == ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT;

	if (got->type != want->type || got->dims != want->dims ||
	    memcmp(got->dim, want->dim, got->dims * sizeof(*got->dim)) != 0) {
		snprintf(why, space, "type %d with %zu dimensions and %zu elements, must be type %d with %zu and %zu",
		         got->type, got->dims, got->count, want->type, want->dims, want->count);
		return 0;
	}
	for (size_t i = 0; i < want->count; i++) {
		const double g = is_float ? (double)((const float *)got->data)[i] : tensor_int(got, i);
		const double w = is_float ? (double)((const float *)want->data)[i] : tensor_int(want, i);

		if (is_float ? close_to(g, w) : tensor_int(got, i) == tensor_int(want, i))
			continue;
		snprintf(why, space, "element %zu of %zu is %.9g, must be %.9g", i, want->count, g, w);
		return 0;
	}
	return 1;
}
