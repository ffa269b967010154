/* SPDX-License-Identifier: MIT */
#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isakern.h"
#include "onnx.pb-c.h"
#include "weights.h"

/* Far more than any model of this kind has. */
enum { MOST_BYTES = 64 << 20 };

struct weights {
	const char *path;
	Onnx__ModelProto *model;
	const Onnx__GraphProto *branch;
};

static int ends_with(const char *text, const char *end)
{
	const size_t length = strlen(text), of_end = strlen(end);

	return length >= of_end && strcmp(text + length - of_end, end) == 0;
}

/* The f32 tensor of a constant node with this name; NULL if the node is another one. */
static const Onnx__TensorProto *constant(const Onnx__NodeProto *node, const char *name)
{
	const Onnx__AttributeProto *a = node->n_attribute == 1 ? node->attribute[0] : NULL;

	if (strcmp(node->op_type, "Constant") != 0 || !a || !a->t || node->n_output != 1 || !ends_with(node->output[0], name))
		return NULL;
	return a->t->data_type == ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT && a->t->has_raw_data ? a->t : NULL;
}

static const Onnx__TensorProto *find(const Onnx__GraphProto *graph, const char *name)
{
	for (size_t i = 0; i < graph->n_node; i++) {
		const Onnx__TensorProto *t = constant(graph->node[i], name);

		if (t)
			return t;
	}
	return NULL;
}

static int has_dims(const Onnx__TensorProto *t, const size_t dims[3])
{
	return t->n_dims == 3 && (size_t)t->dims[0] == dims[0] && (size_t)t->dims[1] == dims[1] && (size_t)t->dims[2] == dims[2];
}

/* The graph itself, or the first branch anywhere in it, with the constant. */
static const Onnx__GraphProto *branch_of(const Onnx__GraphProto *graph, const char *name, const size_t dims[3])
{
	const Onnx__TensorProto *t = find(graph, name);
	const Onnx__GraphProto *found = t && has_dims(t, dims) ? graph : NULL;

	for (size_t i = 0; i < graph->n_node && !found; i++)
		for (size_t j = 0; j < graph->node[i]->n_attribute && !found; j++)
			if (graph->node[i]->attribute[j]->g)
				found = branch_of(graph->node[i]->attribute[j]->g, name, dims);
	return found;
}

static Onnx__ModelProto *read_model(const char *path)
{
	FILE *f = fopen(path, "rb");
	unsigned char *data = malloc(MOST_BYTES);
	Onnx__ModelProto *model;
	size_t bytes;

	if (!f)
		err(1, "%s", path);
	if (!data)
		errx(1, "out of memory");
	bytes = fread(data, 1, MOST_BYTES, f);
	if (ferror(f))
		err(1, "%s", path);
	fclose(f);
	model = onnx__model_proto__unpack(NULL, bytes, data);
	free(data);
	if (!model || !model->graph)
		errx(1, "%s: not a model of ONNX, or cut short", path);
	return model;
}

struct weights *weights_open(const char *path, const char *name, const size_t dims[3])
{
	struct weights *w = malloc(sizeof(*w));

	if (!w)
		errx(1, "out of memory");
	*w = (struct weights){.path = path, .model = read_model(path)};
	w->branch = branch_of(w->model->graph, name, dims);
	if (!w->branch)
		errx(1, "%s: no '%s' of %zu x %zu x %zu: not Silero VAD v5 for 16 kHz", path, name, dims[0], dims[1], dims[2]);
	return w;
}

void weights_close(struct weights *w)
{
	onnx__model_proto__free_unpacked(w->model, NULL);
	free(w);
}

const float *weights_find(const struct weights *w, const char *name, size_t count)
{
	const Onnx__TensorProto *t = find(w->branch, name);
	const float *x = t ? (const float *)(const void *)t->raw_data.data : NULL;

	if (!t || t->raw_data.len != count * sizeof(float))
		errx(1, "%s: no '%s' of %zu numbers: not Silero VAD v5", w->path, name, count);
	if (!isfinite(isk_dot_f32(x, x, count)))
		errx(1, "%s: '%s' holds what is no number: the file is damaged", w->path, name);
	return x;
}
