/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "graph.h"

const Onnx__AttributeProto *attribute(const struct node *n, const char *name)
{
	for (size_t i = 0; n->proto && i < n->proto->n_attribute; i++)
		if (n->proto->attribute[i]->name && strcmp(n->proto->attribute[i]->name, name) == 0)
			return n->proto->attribute[i];
	return NULL;
}

int64_t attribute_int(const struct node *n, const char *name, int64_t absent)
{
	const Onnx__AttributeProto *a = attribute(n, name);

	return a ? a->i : absent;
}

double attribute_float(const struct node *n, const char *name, double absent)
{
	const Onnx__AttributeProto *a = attribute(n, name);

	return a ? (double)a->f : absent;
}

int attribute_is(const struct node *n, const char *name, const char *text)
{
	const Onnx__AttributeProto *a = attribute(n, name);

	return a && a->s.len == strlen(text) && memcmp(a->s.data, text, a->s.len) == 0;
}

int parameter_ints(const struct node *n, const char *name, size_t i, int64_t *list, size_t most)
{
	const Onnx__AttributeProto *a = attribute(n, name);
	const struct value *v = i < n->ins ? n->in[i] : NULL;
	size_t count;

	if (!a && !v)
		return -1;
	if (!a && (!value_is_constant(v) || (v->type != S64 && v->type != S32)))
		refuse(n, "input '%s' (%s) must be integers that are constant or follow from shapes", v->name, name);
	count = a ? a->n_ints : value_count(v);
	if (count > most)
		refuse(n, "%s has %zu numbers; at most %zu are allowed", name, count, most);
	for (size_t j = 0; j < count; j++)
		list[j] = a ? a->ints[j] : value_int(v, j);
	return (int)count;
}

size_t axis_of(const struct node *n, int64_t axis, size_t rank)
{
	const int64_t from_start = axis < 0 ? axis + (int64_t)rank : axis;

	if (from_start < 0 || from_start >= (int64_t)rank)
		refuse(n, "axis is %lld; the tensor has %zu dimensions", (long long)axis, rank);
	return (size_t)from_start;
}
