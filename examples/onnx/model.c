/* SPDX-License-Identifier: MIT */
#include <err.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elaborate.h"
#include "half.h"
#include "model.h"
#include "store.h"

/* Twice the largest model for which onnxrun was written. */
enum { MOST_FILE_BYTES = 256 << 20 };

/* Names that the format needs, but a damaged file may lack; protobuf-c gives NULL for them. */
static int has_names(const Onnx__GraphProto *graph)
{
	for (size_t i = 0; i < graph->n_initializer; i++)
		if (!graph->initializer[i]->name)
			return 0;
	for (size_t i = 0; i < graph->n_input; i++)
		if (!graph->input[i]->name)
			return 0;
	for (size_t i = 0; i < graph->n_output; i++)
		if (!graph->output[i]->name)
			return 0;
	for (size_t i = 0; i < graph->n_node; i++) {
		if (!graph->node[i]->op_type)
			return 0;
		for (size_t j = 0; j < graph->node[i]->n_attribute; j++)
			if (graph->node[i]->attribute[j]->g && !has_names(graph->node[i]->attribute[j]->g))
				return 0;
	}
	return 1;
}

struct mapped {
	unsigned char *start;
	size_t bytes;
};

/*
 * protobuf-c copies each tensor. Before it does, the pages of the file that have been read so far leave this process,
 * so that no model is in memory twice.
 */
static void *alloc_and_forget(void *file, size_t bytes)
{
	const struct mapped *m = file;

	if (bytes >= 1 << 20)
		madvise(m->start, m->bytes, MADV_DONTNEED);
	return malloc(bytes);
}

static void free_plainly(void *file, void *p)
{
	(void)file;
	free(p);
}

Onnx__ModelProto *model_read(const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct mapped file;
	ProtobufCAllocator allocator = {alloc_and_forget, free_plainly, &file};
	Onnx__ModelProto *model;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) != 0)
		err(1, "%s", path);
	if (S_ISDIR(st.st_mode))
		errx(1, "%s: a folder, not a model of ONNX", path);
	if (st.st_size > MOST_FILE_BYTES)
		errx(1, "%s: %lld bytes; a model has at most %d", path, (long long)st.st_size, MOST_FILE_BYTES);
	file = (struct mapped){NULL, (size_t)st.st_size};
	if (file.bytes) {
		file.start = mmap(NULL, file.bytes, PROT_READ, MAP_PRIVATE, fd, 0);
		if (file.start == MAP_FAILED)
			err(1, "%s", path);
	}
	close(fd);
	model = onnx__model_proto__unpack(&allocator, file.bytes, file.start);
	if (file.bytes)
		munmap(file.start, file.bytes);
	if (!model)
		errx(1, "%s: not a model of ONNX, or cut short", path);
	if (!model->graph || !model->graph->n_node) {
		onnx__model_proto__free_unpacked(model, NULL);
		errx(1, "%s: a model of ONNX without nodes", path);
	}
	if (!has_names(model->graph)) {
		onnx__model_proto__free_unpacked(model, NULL);
		errx(1, "%s: a node, input, output or constant without its name: the file is damaged", path);
	}
	return model;
}

/* The elements from int32_data, which has integers of 8 to 32 bits and the bits of f16. */
static void from_int32(const struct value *v, const Onnx__TensorProto *t)
{
	for (size_t i = 0; i < t->n_int32_data; i++)
		if (v->type == F16)
			((uint16_t *)value_data(v))[i] = (uint16_t)t->int32_data[i];
		else
			value_set_int(v, i, t->int32_data[i]);
}

/* The constant as the file has it. */
static struct value *tensor(struct graph *g, const struct node *n, Onnx__TensorProto *t, const char *name)
{
	size_t dim[RANK] = {0}, count;
	struct value *v;

	if (t->n_dims > RANK)
		refuse(n, "constant '%s' has %zu dimensions; at most %d are allowed", name, t->n_dims, RANK);
	if (t->n_external_data)
		refuse(n, "constant '%s' is in another file, which is not supported", name);
	for (size_t i = 0; i < t->n_dims; i++) {
		if (t->dims[i] < 0)
			refuse(n, "constant '%s' has a dimension of %lld", name, (long long)t->dims[i]);
		dim[i] = (size_t)t->dims[i];
	}
	v = value_new(g, n, name, t->data_type, t->n_dims, dim);
	count = value_count(v);
	/* Before memory is taken, so that a few bytes of a damaged file cannot ask for gigabytes. */
	if (t->has_raw_data ? t->raw_data.len != value_bytes(v)
	                    : count != t->n_float_data && count != t->n_int32_data && count != t->n_int64_data &&
	                          count != t->n_double_data)
		refuse(n, "constant '%s' has not the data of its shape, %zu elements of type %s: the file is damaged", name,
		       count, type_name(t->data_type));
	/* Kernels only read constants, so that the bytes of the file serve as they are. */
	if (t->has_raw_data) {
		v = constant_at(g, name, t->data_type, t->n_dims, dim, t->raw_data.data);
		if (g->store)
			v->storage->key = store_tensor_key(g->store, t, v);
		v->storage->tensor = t;
		if (g->consumes && t->raw_data.len)
			graph_own(g, v->storage);
		return v;
	}
	v = constant_new(g, name, t->data_type, t->n_dims, dim);
	if (v->type == F32 && t->n_float_data == count)
		memcpy(value_data(v), t->float_data, count * 4);
	else if (v->type == F64 && t->n_double_data == count)
		memcpy(value_data(v), t->double_data, count * 8);
	else if (v->type == S64 && t->n_int64_data == count)
		memcpy(value_data(v), t->int64_data, count * 8);
	else if (v->type != F32 && v->type != F64 && v->type != S64 && t->n_int32_data == count)
		from_int32(v, t);
	else if (count)
		refuse(n, "constant '%s' of type %s has its data in a field of another type", name, type_name(v->type));
	return v;
}

struct value *model_constant(struct graph *g, const struct node *n, Onnx__TensorProto *t, const char *name)
{
	return half_constant(g, tensor(g, n, t, name));
}

const Onnx__TypeProto__Tensor *tensor_type(const Onnx__ValueInfoProto *info)
{
	return info->type && info->type->value_case == ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE ? info->type->tensor_type : NULL;
}

static struct value *input_given(const char *name, struct value **inputs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(inputs[i]->name, name) == 0)
			return inputs[i];
	return NULL;
}

void model_elaborate(struct graph *g, const Onnx__ModelProto *model, struct value **inputs, size_t count)
{
	const Onnx__GraphProto *proto = model->graph;
	struct scope *names = scope_new(NULL);

	g->opset = 0;
	for (size_t i = 0; i < model->n_opset_import; i++)
		if (!model->opset_import[i]->domain || !*model->opset_import[i]->domain)
			g->opset = model->opset_import[i]->version;
	if (g->opset < 7 || g->opset > 21)
		refuse(NULL, "%s: operators of version %lld; allowed are 7 to 21", g->path, (long long)g->opset);
	g->input = inputs;
	g->inputs = count;
	for (size_t i = 0; i < count; i++)
		scope_add(names, inputs[i]->name, half_input(g, inputs[i]));
	for (size_t i = 0; i < proto->n_initializer; i++)
		if (!input_given(proto->initializer[i]->name, inputs, count))
			scope_add(names, proto->initializer[i]->name,
			          model_constant(g, NULL, proto->initializer[i], proto->initializer[i]->name));
	elaborate(g, proto, names);
	g->output = graph_alloc(g, proto->n_output, sizeof(*g->output));
	g->output_name = graph_alloc(g, proto->n_output, sizeof(*g->output_name));
	for (size_t i = 0; i < proto->n_output; i++) {
		const char *name = proto->output[i]->name;
		struct value *v = scope_find(names, name);

		if (!v)
			refuse(NULL, "%s: nothing computes output '%s'", g->path, name);
		if (g->wants && !g->wants(name))
			continue;
		if (tensor_type(proto->output[i]))
			v = half_output(g, v, tensor_type(proto->output[i])->elem_type);
		v->is_output = 1;
		g->output[g->outputs] = v;
		g->output_name[g->outputs++] = name;
	}
	scope_free(names);
	graph_tidy(g);
}
