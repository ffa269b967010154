/* SPDX-License-Identifier: MIT */
/*
 * test_onnx FOLDER ISA: computes ONNX's test cases for the operations of isakern's kernels, with
 * ISAKERN_MAX_ISA=ISA, in TAP. FOLDER is that of Debian's libonnx-testdata. A case is a graph with inputs and
 * expected outputs; it is computed on every kernel that can. Cases are found by their operation, not by their
 * name.
 */
#include <dirent.h>
#include <err.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "isakern.h"
#include "node.h"

#define VALUES 32

/* The tensors of a graph by name. */
struct values {
	const char *name[VALUES];
	struct tensor tensor[VALUES];
	size_t count;
};

static size_t tests, failures;

static __attribute__((format(printf, 1, 2))) char *print(const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		errx(1, "out of memory");
	va_end(args);
	return text;
}

static void add(struct values *v, const char *name, struct tensor tensor)
{
	if (v->count == VALUES)
		errx(1, "more than %d tensors in a graph", VALUES);
	v->name[v->count] = name;
	v->tensor[v->count++] = tensor;
}

static const struct tensor *find(const struct values *v, const char *name)
{
	for (size_t i = 0; i < v->count; i++)
		if (strcmp(v->name[i], name) == 0)
			return &v->tensor[i];
	return NULL;
}

/* Ends the case if one of its tensors has a type that no kernel has. */
static const char *read_tensor(struct tensor *t, const char *folder, const char *kind, size_t number)
{
	char *path = print("%s/test_data_set_0/%s_%zu.pb", folder, kind, number);
	Onnx__TensorProto *proto;
	size_t bytes;
	void *file = read_file(path, &bytes);
	int ok;

	proto = onnx__tensor_proto__unpack(NULL, bytes, file);
	if (!proto)
		errx(1, "%s: no tensor", path);
	ok = tensor_unpack(t, proto);
	onnx__tensor_proto__free_unpacked(proto, NULL);
	free(file);
	free(path);
	return ok ? NULL : "a tensor of a type that no kernel has";
}

static const struct op *op_of(const char *name)
{
	for (size_t i = 0; i < op_count; i++)
		if (strcmp(ops[i].name, name) == 0)
			return &ops[i];
	return NULL;
}

/* Nodes are in an order in which they can be computed. Those of op's kind are computed by op. */
static const char *run_graph(const Onnx__GraphProto *graph, const struct op *op, struct values *v)
{
	for (size_t i = 0; i < graph->n_node; i++) {
		struct node node = {.proto = graph->node[i]};
		const struct op *mine = strcmp(node.proto->op_type, op->name) == 0 ? op : op_of(node.proto->op_type);
		const char *skip;

		if (!mine)
			return "the graph has operations of other kinds";
		for (size_t j = 0; j < node.proto->n_input && j < NODE_INPUTS; j++)
			node.in[j] = find(v, node.proto->input[j]);
		skip = mine->run(&node, mine);
		if (skip) {
			tensor_free(&node.out);
			return skip;
		}
		add(v, node.proto->output[0], node.out);
	}
	return NULL;
}

static const char *read_inputs(const Onnx__GraphProto *graph, const char *folder, struct values *v)
{
	const char *skip = NULL;

	for (size_t i = 0; i < graph->n_initializer && !skip; i++) {
		struct tensor t;

		skip = tensor_unpack(&t, graph->initializer[i]) ? NULL : "weights of a type that no kernel has";
		if (!skip)
			add(v, graph->initializer[i]->name, t);
	}
	for (size_t i = 0, file = 0; i < graph->n_input && !skip; i++) {
		struct tensor t;

		if (find(v, graph->input[i]->name))
			continue;
		skip = read_tensor(&t, folder, "input", file++);
		if (!skip)
			add(v, graph->input[i]->name, t);
	}
	return skip;
}

/* Whether the case was computed. */
static int run_case(const char *folder, const Onnx__GraphProto *graph, const struct op *op)
{
	struct values v = {.count = 0};
	struct tensor want = {.data = NULL};
	char why[128] = "the output has no name of a node's";
	const char *skip = read_inputs(graph, folder, &v);
	int ok = 1;

	if (!skip)
		skip = read_tensor(&want, folder, "output", 0);
	if (!skip)
		skip = run_graph(graph, op, &v);
	if (!skip) {
		const struct tensor *got = find(&v, graph->output[0]->name);

		ok = got && tensor_matches(got, &want, why, sizeof(why));
	}
	printf("%s %zu - %s on %s: %s%s%s\n", ok ? "ok" : "not ok", ++tests, op->name, op->kernel, folder,
	       skip ? " # SKIP " : "", skip ? skip : "");
	if (!ok)
		printf("# %s\n", why);
	failures += !ok;
	tensor_free(&want);
	for (size_t i = 0; i < v.count; i++)
		tensor_free(&v.tensor[i]);
	return !skip;
}

static int has_op(const Onnx__GraphProto *graph, const char *name)
{
	for (size_t i = 0; i < graph->n_node; i++)
		if (strcmp(graph->node[i]->op_type, name) == 0)
			return 1;
	return 0;
}

/*
 * Whether the graph has a node of op's kind. A node that is the whole graph must also have op's type of the
 * first input.
 */
static int is_case_of(const Onnx__GraphProto *graph, const struct op *op)
{
	const Onnx__TypeProto *type = graph->n_input ? graph->input[0]->type : NULL;

	if (!op->type)
		return has_op(graph, op->name);
	return graph->n_node == 1 && has_op(graph, op->name) && type && type->tensor_type
	       && tensor_element_type(type->tensor_type->elem_type) == op->type;
}

/* Increases counts[i] if the case is one of ops[i] and was computed. */
static void run_folder(const char *folder, size_t *counts)
{
	char *path = print("%s/model.onnx", folder);
	size_t bytes;
	void *file = read_file(path, &bytes);
	Onnx__ModelProto *model = onnx__model_proto__unpack(NULL, bytes, file);

	if (!model || !model->graph)
		errx(1, "%s: no model", path);
	for (size_t i = 0; i < op_count; i++) {
		if (!ops[i].kernel || !is_case_of(model->graph, &ops[i]))
			continue;
		counts[i] += (size_t)run_case(folder, model->graph, &ops[i]);
	}
	onnx__model_proto__free_unpacked(model, NULL);
	free(file);
	free(path);
}

static int is_case(const struct dirent *entry)
{
	return strncmp(entry->d_name, "test_", 5) == 0;
}

static void run_group(const char *group, size_t *counts)
{
	struct dirent **entry;
	const int n = scandir(group, &entry, is_case, alphasort);

	if (n < 0)
		err(1, "%s", group);
	for (int i = 0; i < n; i++) {
		char *folder = print("%s/%s", group, entry[i]->d_name);

		run_folder(folder, counts);
		free(folder);
		free(entry[i]);
	}
	free(entry);
}

int main(int argc, char **argv)
{
	static const char *const groups[] = {"node", "pytorch-converted", "pytorch-operator"};
	size_t *counts = calloc(op_count, sizeof(*counts));

	if (argc != 3 || !counts)
		errx(2, "wants the folder of the test data, and the ISA that is in force");
	if (chdir(argv[1]) != 0) {
		printf("1..0 # SKIP no %s: Debian has it in libonnx-testdata\n", argv[1]);
		return 0;
	}
	if (strcmp(isk_isa_current(), argv[2]) != 0) {
		printf("1..0 # SKIP this machine or build has no %s: the cap binds to %s\n", argv[2],
		       isk_isa_current());
		return 0;
	}
	for (size_t i = 0; i < sizeof(groups) / sizeof(*groups); i++)
		run_group(groups[i], counts);
	for (size_t i = 0; i < op_count; i++) {
		if (!ops[i].kernel)
			continue;
		printf("%s %zu - %zu cases of %s were computed on %s\n", counts[i] ? "ok" : "not ok", ++tests,
		       counts[i], ops[i].name, ops[i].kernel);
		failures += !counts[i];
	}
	printf("1..%zu\n", tests);
	free(counts);
	return failures != 0;
}
