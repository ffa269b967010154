/* SPDX-License-Identifier: MIT */
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "../clock.h"
#include "plan.h"
#include "store.h"
#include "strides.h"

int many_threads;

void must(const struct step *s, int status)
{
	if (status != 0)
		errx(1, "node '%s': isk_%s returns %d", s->node->name, s->kernel, status);
}

struct step *plan_step(struct plan *p, const struct node *n, run_fn *run, const char *kernel, void *state)
{
	if (p->steps == p->step_space) {
		p->step_space = p->step_space * 2 + 64;
		p->step = reallocarray(p->step, p->step_space, sizeof(*p->step));
		if (!p->step)
			errx(1, "out of memory");
	}
	p->step[p->steps] = (struct step){.run = run, .kernel = kernel, .node = n, .state = state, .guard = n->guard};
	return &p->step[p->steps++];
}

void step_in(struct step *s, const struct value *v)
{
	s->in[s->ins++] = v;
}

void step_out(struct step *s, struct value *v)
{
	s->out[s->outs++] = v;
}

void step_products(struct step *s, enum isk_type operand, size_t each)
{
	s->operand = operand;
	s->products = (double)value_count(s->out[0]) * (double)each;
}

void plan_store(struct plan *p, struct value *v)
{
	v->storage = graph_alloc(p->graph, 1, sizeof(*v->storage));
	*v->storage = (struct storage){.bytes = value_bytes(v), .place = PLACE_ARENA};
	v->offset = 0;
}

void plan_alias(struct value *out, const struct value *whole, const size_t *stride, size_t offset)
{
	for (size_t i = 0; i < out->rank; i++)
		out->stride[i] = stride[i];
	out->storage = whole->storage;
	out->offset = whole->offset + offset;
}

void *plan_packed(struct plan *p, const struct value *weights, const char *kernel, const void *how, size_t how_bytes,
                  size_t bytes, int *is_packed)
{
	return store_keep(p->graph,
	                  store_hash(store_hash(store_key(p->graph, weights), kernel, strlen(kernel)), how, how_bytes),
	                  bytes, is_packed);
}

static struct value *copy_of(struct plan *p, const struct node *n, const struct value *v)
{
	return value_new(p->graph, n, v->name, v->type, v->rank, v->dim);
}

static const struct value *copied(struct plan *p, const struct node *n, struct value *to, const struct value *from)
{
	plan_store(p, to);
	plan_copy(p, n, to, from);
	return to;
}

const struct value *plan_dense(struct plan *p, const struct node *n, const struct value *v)
{
	return strides_are_dense(v) ? v : copied(p, n, copy_of(p, n, v), v);
}

const struct value *plan_channels_last(struct plan *p, const struct node *n, struct value *v)
{
	struct value *to;

	if (strides_are_channels_last(v))
		return v;
	if (v->channels_last)
		return v->channels_last;
	to = copy_of(p, n, v);
	strides_channels_last(to);
	copied(p, n, to, v);
	/* A copy in a branch is not there if another branch is taken. */
	if (!n->guard)
		v->channels_last = to;
	return to;
}

const struct value *plan_copy_like(struct plan *p, const struct node *n, const struct value *v,
                                   const struct value *like)
{
	struct value *to = copy_of(p, n, v);

	strides_like(to, like);
	return copied(p, n, to, v);
}

/* A hash of what the node computes from constants. */
static uint64_t folded_key(const struct graph *g, const struct node *n)
{
	uint64_t h = store_hash(0, n->op->name, strlen(n->op->name));

	for (size_t i = 0; n->proto && i < n->proto->n_attribute; i++) {
		const Onnx__AttributeProto *a = n->proto->attribute[i];
		uint8_t *bytes = malloc(onnx__attribute_proto__get_packed_size(a) + 1);

		if (!bytes)
			errx(1, "out of memory");
		h = store_hash(h, bytes, onnx__attribute_proto__pack(a, bytes));
		free(bytes);
	}
	for (size_t i = 0; i < n->ins; i++) {
		const uint64_t key = n->in[i] ? store_key(g, n->in[i]) : 0;

		h = store_hash(h, &key, sizeof(key));
	}
	return h;
}

/* Smaller constants are computed anew for each graph. */
enum { WORTH_KEEPING = 4096 };

/* Gives the storage of a folded output its bytes; returns whether they were computed before. */
static int place_folded(struct graph *g, const struct node *n, struct storage *s)
{
	int is_made = 0;

	s->place = PLACE_CONSTANT;
	if (s->data)
		return 0;
	if (g->store && n->outs == 1 && s->bytes >= WORTH_KEEPING && s == n->out[0]->storage) {
		s->key = folded_key(g, n);
		s->data = store_keep(g, s->key, s->bytes, &is_made);
	} else {
		s->data = graph_alloc(g, s->bytes + 1, 1);
		g->constant_bytes += s->bytes;
		graph_own(g, s);
	}
	return is_made;
}

void plan_now(struct graph *g, struct node *n)
{
	struct plan p = {.graph = g};
	int is_made = 0;

	n->op->plan(&p, n);
	for (size_t i = 0; i < n->outs; i++)
		if (!strides_are_dense(n->out[i])) {
			/* The copy is made of the view as it is now. */
			struct value *view = graph_alloc(g, 1, sizeof(*view));
			const struct value *dense;

			*view = *n->out[i];
			dense = plan_dense(&p, n, view);
			plan_alias(n->out[i], dense, dense->stride, 0);
		}
	for (size_t i = 0; i < p.steps; i++)
		for (size_t j = 0; j < p.step[i].outs; j++)
			is_made |= place_folded(g, n, p.step[i].out[j]->storage);
	for (size_t i = 0; i < p.steps && !is_made; i++)
		p.step[i].run(&p.step[i]);
	free(p.step);
}

/* Whether the storage of v can be handed out as the output: it is v's alone, and dense. */
static int can_be_output(const struct value *v)
{
	return v->storage->place == PLACE_ARENA && v->offset == 0 && strides_are_dense(v) &&
	       v->storage->bytes == value_bytes(v);
}

void plan_graph(struct plan *p, struct graph *g)
{
	*p = (struct plan){.graph = g};
	graph_sweep(g);
	place_parts(g);
	for (size_t i = 0; i < g->nodes; i++)
		g->node[i]->op->plan(p, g->node[i]);
	for (size_t i = 0; i < g->outputs; i++) {
		struct value *v = g->output[i];

		if (!can_be_output(v)) {
			struct node *n = node_new(g, "Identity", v->name, 0, 0);

			g->output[i] = copy_of(p, n, v);
			copied(p, n, g->output[i], v);
		}
		g->output[i]->storage->place = PLACE_OUTPUT;
		g->output[i]->storage->data = graph_alloc(g, g->output[i]->storage->bytes + 1, 1);
	}
	arena_lay_out(p);
}

void plan_free(struct plan *p)
{
	free(p->arena);
	free(p->step);
}

static int is_taken(const struct guard *guard)
{
	for (; guard; guard = guard->outer)
		if ((value_int(guard->condition, 0) != 0) != guard->taken)
			return 0;
	return 1;
}

static void run_step(const struct step *s)
{
	if (!s->guard || is_taken(s->guard))
		s->run(s);
}

void plan_run(struct plan *p)
{
	for (size_t i = 0; i < p->steps; i++) {
		run_step(&p->step[i]);
		if (p->watch)
			p->watch(p, i + 1);
	}
}

void plan_run_timed(struct plan *p)
{
	double before = clock_seconds();

	for (size_t i = 0; i < p->steps; i++) {
		double after;

		run_step(&p->step[i]);
		after = clock_seconds();
		p->step[i].seconds += after - before;
		before = after;
	}
}
