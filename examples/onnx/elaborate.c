/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "elaborate.h"
#include "model.h"
#include "origin.h"
#include "plan.h"
#include "weights8.h"

static const char *name_of(const Onnx__NodeProto *proto)
{
	return proto->name && *proto->name ? proto->name : proto->n_output ? proto->output[0] : "without a name";
}

static struct node *node_of(struct graph *g, const Onnx__NodeProto *proto, const struct scope *names)
{
	struct node *n = node_new(g, proto->op_type, name_of(proto), proto->n_input, proto->n_output);

	n->proto = proto;
	if (proto->domain && *proto->domain && strcmp(proto->domain, "ai.onnx") != 0)
		refuse(n, "operators of domain '%s' are not supported; those of ai.onnx are", proto->domain);
	if (!n->op)
		refuse(n, "this operator is not supported; onnxrun --operators lists those that are");
	if (n->ins < n->op->least || n->ins > n->op->most)
		refuse(n, "%zu inputs; allowed are %zu to %zu", n->ins, n->op->least, n->op->most);
	if (!n->outs)
		refuse(n, "no outputs");
	for (size_t i = 0; i < n->ins; i++) {
		if (!*proto->input[i]) {
			if (i < n->op->least)
				refuse(n, "input %zu is left out, but the operator needs it", i);
			continue;
		}
		n->in[i] = scope_find(names, proto->input[i]);
		if (!n->in[i])
			refuse(n, "nothing computes input '%s'", proto->input[i]);
	}
	return n;
}

static int is_known(const struct node *n)
{
	for (size_t i = 0; i < n->ins; i++)
		if (n->in[i] && !value_is_constant(n->in[i]))
			return 0;
	return 1;
}

static void name_outputs(const struct node *n, struct scope *names)
{
	for (size_t i = 0; i < n->outs; i++)
		if (*n->proto->output[i]) {
			if (!n->out[i])
				refuse(n, "%zu outputs are more than the operator has", n->outs);
			if (!n->out[i]->name)
				n->out[i]->name = n->proto->output[i];
			scope_add(names, n->proto->output[i], n->out[i]);
		}
}

static void elaborate_constant(struct graph *g, struct node *n, struct scope *names)
{
	const Onnx__AttributeProto *a = n->proto->n_attribute == 1 ? n->proto->attribute[0] : NULL;

	if (!a || !a->t)
		refuse(n, "a Constant must have the one attribute value, a tensor");
	n->out[0] = model_constant(g, n, a->t, n->proto->output[0]);
	n->outs = 1;
	name_outputs(n, names);
}

/* Reads a branch and gives its outputs, n->outs of them. */
static void read_branch(struct graph *g, const struct node *n, const char *name, const struct scope *names,
                        struct value **out)
{
	const Onnx__AttributeProto *a = attribute(n, name);
	struct scope *inner;

	if (!a || !a->g || a->g->n_output < n->outs)
		refuse(n, "%s is missing, or has too few outputs", name);
	inner = scope_new(names);
	for (size_t i = 0; i < a->g->n_initializer; i++)
		scope_add(inner, a->g->initializer[i]->name,
		          model_constant(g, n, a->g->initializer[i], a->g->initializer[i]->name));
	elaborate(g, a->g, inner);
	for (size_t i = 0; i < n->outs; i++) {
		out[i] = scope_find(inner, a->g->output[i]->name);
		if (!out[i])
			refuse(n, "nothing computes '%s', an output of the branch", a->g->output[i]->name);
	}
	scope_free(inner);
}

/* Both branches, each guarded by the condition, and for each output a Select of the branch that was computed. */
static void read_both(struct graph *g, struct node *n, const struct scope *names)
{
	struct guard *guard = graph_alloc(g, 2, sizeof(*guard));
	struct value **out[2];

	for (int taken = 0; taken < 2; taken++) {
		out[taken] = graph_alloc(g, n->outs, sizeof(**out));
		guard[taken] = (struct guard){n->in[0], taken, g->guard, g->guards};
		g->guards = &guard[taken];
		g->guard = &guard[taken];
		read_branch(g, n, taken ? "then_branch" : "else_branch", names, out[taken]);
		g->guard = guard[taken].outer;
	}
	for (size_t i = 0; i < n->outs; i++) {
		struct node *select = node_new(g, "Select", n->name, 3, 1);

		select->in[0] = n->in[0];
		select->in[1] = out[1][i];
		select->in[2] = out[0][i];
		select->op->infer(g, select);
		graph_append(g, select);
		n->out[i] = select->out[0];
		n->out[i]->name = NULL;
	}
}

static void elaborate_if(struct graph *g, struct node *n, struct scope *names)
{
	if (value_count(n->in[0]) != 1 || n->in[0]->type != BOOL)
		refuse(n, "the condition must be one BOOL");
	if (value_is_constant(n->in[0]))
		read_branch(g, n, value_int(n->in[0], 0) ? "then_branch" : "else_branch", names, n->out);
	else {
		read_both(g, n, names);
		origin_keep(g, n);
	}
	name_outputs(n, names);
}

static void elaborate_node(struct graph *g, const Onnx__GraphProto *graph, const Onnx__NodeProto *proto,
                           struct scope *names)
{
	struct node *n = node_of(g, proto, names);
	int all_known = 1;

	if (is_op(n, "Constant")) {
		elaborate_constant(g, n, names);
		return;
	}
	if (is_op(n, "If")) {
		elaborate_if(g, n, names);
		return;
	}
	n->op->infer(g, n);
	for (size_t j = 0; j < n->outs; j++) {
		if (!n->out[j])
			refuse(n, "%zu outputs are more than the operator has", n->outs);
		n->out[j]->maker = n;
		all_known &= value_is_constant(n->out[j]);
	}
	if (!all_known && is_known(n) && !weights8_stay(graph, n)) {
		plan_now(g, n);
		all_known = 1;
	}
	if (!all_known)
		graph_append(g, n);
	else
		for (size_t j = 0; j < n->outs; j++)
			n->out[j]->maker = NULL;
	name_outputs(n, names);
	origin_keep(g, n);
}

static int is_ready(const Onnx__NodeProto *proto, const struct scope *names)
{
	for (size_t i = 0; i < proto->n_input; i++)
		if (*proto->input[i] && !scope_find(names, proto->input[i]))
			return 0;
	return 1;
}

/* Nodes that compute an input stand before the node in most files, but not in all. */
void elaborate(struct graph *g, const Onnx__GraphProto *proto, struct scope *names)
{
	char *is_done = graph_alloc(g, proto->n_node + 1, 1);
	size_t left = proto->n_node, before;

	do {
		before = left;
		for (size_t i = 0; i < proto->n_node; i++)
			if (!is_done[i] && is_ready(proto->node[i], names)) {
				elaborate_node(g, proto, proto->node[i], names);
				is_done[i] = 1;
				left--;
			}
	} while (left && left < before);
	for (size_t i = 0; i < proto->n_node; i++)
		if (!is_done[i])
			elaborate_node(g, proto, proto->node[i], names); /* refuses it, because of the missing input */
}
