/* SPDX-License-Identifier: MIT */
#include <err.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph.h"

/* The largest value: 16 GiB are more than any of these models needs, and far from an overflow of size_t. */
#define MOST_BYTES ((size_t)1 << 34)

struct block {
	struct block *next, *before;
	char pad[64 - 2 * sizeof(struct block *)]; /* the memory behind it is aligned as the block is */
};

void refuse(const struct node *n, const char *format, ...)
{
	char text[600];
	size_t length = 0;
	va_list list;

	if (n)
		length = (size_t)snprintf(text, 200, "node '%.80s' (%.80s): ", n->name,
		                          n->op      ? n->op->name
		                          : n->proto ? n->proto->op_type
		                                     : "?");
	va_start(list, format);
	vsnprintf(text + length, sizeof(text) - length, format, list);
	va_end(list);
	/* Names in a damaged file may have any bytes; the message stays one line. */
	for (char *c = text; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 127)
			*c = '?';
	errx(1, "%s", text);
}

void *graph_alloc(struct graph *g, size_t count, size_t size)
{
	const size_t bytes = count * size + sizeof(struct block);
	void *p;
	struct block *b;

	if (posix_memalign(&p, 64, bytes) != 0)
		errx(1, "out of memory: %zu bytes more", bytes);
	memset(p, 0, bytes);
	b = p;
	b->next = g->blocks;
	if (b->next)
		b->next->before = b;
	g->blocks = b;
	return b + 1;
}

static void release(struct graph *g, struct storage *s)
{
	struct block *b = (struct block *)(void *)s->data - 1;

	s->data = NULL;
	g->constant_bytes -= s->bytes;
	if (s->tensor) {
		free(s->tensor->raw_data.data);
		s->tensor->raw_data = (ProtobufCBinaryData){0, NULL};
		return;
	}
	if (b->next)
		b->next->before = b->before;
	if (b->before)
		b->before->next = b->next;
	else
		g->blocks = b->next;
	free(b);
}

void graph_own(struct graph *g, struct storage *s)
{
	s->next = g->own;
	g->own = s;
}

static void count_users(const struct graph *g)
{
	for (size_t i = 0; i < g->nodes; i++)
		for (size_t j = 0; j < g->node[i]->ins; j++)
			if (g->node[i]->in[j] && g->node[i]->in[j]->storage)
				g->node[i]->in[j]->storage->users++;
	for (size_t i = 0; i < g->outputs; i++)
		if (g->output[i]->storage)
			g->output[i]->storage->users++;
	for (const struct guard *guard = g->guards; guard; guard = guard->next)
		if (guard->condition->storage)
			guard->condition->storage->users++;
}

void graph_sweep(struct graph *g)
{
	struct storage **at = &g->own;

	count_users(g);
	while (*at) {
		struct storage *s = *at;

		if (s->users)
			at = &s->next;
		else {
			release(g, s);
			*at = s->next;
		}
	}
}

void graph_used_up(struct graph *g, const struct value *v)
{
	struct storage **at = &g->own;

	while (*at && *at != v->storage)
		at = &(*at)->next;
	if (!*at || v->storage->users > 1)
		return;
	*at = v->storage->next;
	release(g, v->storage);
}

void graph_free(struct graph *g)
{
	while (g->blocks) {
		struct block *b = g->blocks;

		g->blocks = b->next;
		free(b);
	}
	free(g->node);
	free(g->file);
}

size_t type_bytes(int type)
{
	switch (type) {
	case F32:
	case S32:
		return 4;
	case U8:
	case S8:
	case BOOL:
		return 1;
	case F16:
	case BF16:
		return 2;
	case S64:
	case F64:
		return 8;
	default:
		return 0;
	}
}

const char *type_name(int type)
{
	const ProtobufCEnumValue *e =
		protobuf_c_enum_descriptor_get_value(&onnx__tensor_proto__data_type__descriptor, type);

	return e ? e->name : "an unknown type";
}

size_t value_count(const struct value *v)
{
	size_t count = 1;

	for (size_t i = 0; i < v->rank; i++)
		count *= v->dim[i];
	return count;
}

size_t value_bytes(const struct value *v)
{
	return value_count(v) * type_bytes(v->type);
}

int value_is_constant(const struct value *v)
{
	return v->storage && v->storage->place == PLACE_CONSTANT;
}

void *value_data(const struct value *v)
{
	return v->storage->data + v->offset * type_bytes(v->type);
}

int64_t value_int(const struct value *v, size_t i)
{
	const void *data = value_data(v);

	switch (v->type) {
	case S64:
		return ((const int64_t *)data)[i];
	case S32:
		return ((const int32_t *)data)[i];
	case S8:
		return ((const int8_t *)data)[i];
	default:
		return ((const uint8_t *)data)[i];
	}
}

void value_set_int(const struct value *v, size_t i, int64_t x)
{
	void *data = value_data(v);

	switch (v->type) {
	case S64:
		((int64_t *)data)[i] = x;
		break;
	case S32:
		((int32_t *)data)[i] = (int32_t)x;
		break;
	case S8:
		((int8_t *)data)[i] = (int8_t)x;
		break;
	default:
		((uint8_t *)data)[i] = (uint8_t)x;
	}
}

int value_is_scalar(const struct value *v, double *x)
{
	if (!v || !value_is_constant(v) || v->type != F32 || value_count(v) != 1)
		return 0;
	*x = (double)*(const float *)value_data(v);
	return 1;
}

int value_same_dims(const struct value *a, const struct value *b)
{
	return a->rank == b->rank && memcmp(a->dim, b->dim, a->rank * sizeof(*a->dim)) == 0;
}

const char *value_dims(const struct value *v, char text[200])
{
	size_t n = 0;

	text[0] = 0;
	for (size_t i = 0; i < v->rank; i++)
		n += (size_t)snprintf(text + n, 200 - n, "%s%zu", i ? "x" : "", v->dim[i]);
	return v->rank ? text : "scalar";
}

struct value *value_new(struct graph *g, const struct node *n, const char *name, int type, size_t rank,
                        const size_t *dim)
{
	struct value *v = graph_alloc(g, 1, sizeof(*v));
	size_t bytes = type_bytes(type), stride = 1;

	if (!bytes)
		refuse(n, "'%s' has type %s; allowed are FLOAT, FLOAT16, DOUBLE, INT64, INT32, INT8, UINT8 and BOOL", name,
		       type_name(type));
	if (rank > RANK)
		refuse(n, "'%s' has %zu dimensions; at most %d are allowed", name, rank, RANK);
	*v = (struct value){.name = name, .type = type, .rank = rank};
	for (size_t i = 0; i < rank; i++) {
		v->dim[i] = dim[i];
		if (dim[i] && bytes > MOST_BYTES / dim[i])
			refuse(n, "'%s' would take more than %zu bytes, the most that a tensor may", name, MOST_BYTES);
		bytes *= dim[i] ? dim[i] : 1;
	}
	for (size_t i = rank; i-- > 0;) {
		v->stride[i] = stride;
		stride *= dim[i];
	}
	v->maker = NULL;
	return v;
}

struct value *constant_at(struct graph *g, const char *name, int type, size_t rank, const size_t *dim, void *data)
{
	struct value *v = value_new(g, NULL, name, type, rank, dim);

	v->storage = graph_alloc(g, 1, sizeof(*v->storage));
	*v->storage = (struct storage){.data = data, .bytes = value_bytes(v), .place = PLACE_CONSTANT};
	g->constant_bytes += v->storage->bytes;
	return v;
}

struct value *constant_new(struct graph *g, const char *name, int type, size_t rank, const size_t *dim)
{
	struct value *v = constant_at(g, name, type, rank, dim, NULL);

	v->storage->data = graph_alloc(g, v->storage->bytes + 1, 1);
	graph_own(g, v->storage);
	return v;
}

struct node *node_new(struct graph *g, const char *op, const char *name, size_t ins, size_t outs)
{
	struct node *n = graph_alloc(g, 1, sizeof(*n));

	*n = (struct node){.op = op_find(op), .name = name, .ins = ins, .outs = outs, .alpha = 1, .guard = g->guard};
	n->in = graph_alloc(g, ins, sizeof(*n->in));
	n->out = graph_alloc(g, outs, sizeof(*n->out));
	return n;
}

void graph_append(struct graph *g, struct node *n)
{
	if (g->nodes == g->node_space) {
		g->node_space = g->node_space * 2 + 64;
		g->node = reallocarray(g->node, g->node_space, sizeof(*g->node));
		if (!g->node)
			errx(1, "out of memory");
	}
	g->node[g->nodes++] = n;
}

void graph_kill(struct node *n)
{
	if (n->dead)
		return;
	n->dead = 1;
	for (size_t j = 0; j < n->ins; j++)
		if (n->in[j])
			n->in[j]->uses--;
}

static void count_uses(struct graph *g)
{
	for (size_t i = 0; i < g->nodes; i++) {
		for (size_t j = 0; j < g->node[i]->ins; j++)
			if (g->node[i]->in[j])
				g->node[i]->in[j]->uses = 0;
		for (size_t j = 0; j < g->node[i]->outs; j++)
			g->node[i]->out[j]->uses = 0;
	}
	for (size_t i = 0; i < g->outputs; i++)
		g->output[i]->uses = 0;
	for (size_t i = 0; i < g->outputs; i++)
		g->output[i]->uses++;
	for (size_t i = 0; i < g->nodes; i++)
		for (size_t j = 0; j < g->node[i]->ins && !g->node[i]->dead; j++)
			if (g->node[i]->in[j])
				g->node[i]->in[j]->uses++;
}

static int is_needed(const struct node *n)
{
	for (size_t j = 0; j < n->outs; j++)
		if (n->out[j]->uses)
			return 1;
	return 0;
}

void graph_tidy(struct graph *g)
{
	size_t kept = 0;

	count_uses(g);
	for (size_t i = g->nodes; i-- > 0;) {
		struct node *n = g->node[i];

		if (n->dead || is_needed(n))
			continue;
		graph_kill(n);
	}
	for (size_t i = 0; i < g->nodes; i++)
		if (!g->node[i]->dead)
			g->node[kept++] = g->node[i];
	g->nodes = kept;
}

void graph_set_input(struct graph *g, struct node *n, size_t i, struct value *v)
{
	if (i >= n->ins) {
		struct value **in = graph_alloc(g, i + 1, sizeof(*in));

		for (size_t j = 0; j < n->ins; j++)
			in[j] = n->in[j];
		n->in = in;
		n->ins = i + 1;
	}
	if (n->in[i])
		n->in[i]->uses--;
	n->in[i] = v;
	v->uses++;
}

void graph_put(struct graph *g, struct node *new, struct value *v)
{
	struct node *old = v->maker;

	for (size_t i = 0; i < g->nodes; i++)
		if (g->node[i] == old) {
			g->node[i] = new;
			break;
		}
	graph_kill(old);
	new->guard = old->guard;
	new->out[0] = v;
	v->maker = new;
}

void graph_exchange(struct graph *g, struct node *a, struct node *b)
{
	for (size_t i = 0; i < g->nodes; i++) {
		if (g->node[i] == a)
			g->node[i] = b;
		else if (g->node[i] == b)
			g->node[i] = a;
	}
}

struct node *graph_only_user(const struct graph *g, const struct value *v)
{
	if (v->uses != 1 || v->is_output)
		return NULL;
	for (size_t i = 0; i < g->nodes; i++)
		for (size_t j = 0; j < g->node[i]->ins && !g->node[i]->dead; j++)
			if (g->node[i]->in[j] == v)
				return g->node[i];
	return NULL;
}

void graph_replace(struct graph *g, struct value *old, struct value *new)
{
	for (size_t i = 0; i < g->nodes; i++)
		for (size_t j = 0; j < g->node[i]->ins; j++)
			if (g->node[i]->in[j] == old) {
				g->node[i]->in[j] = new;
				new->uses++;
				old->uses--;
			}
	old->became = new;
	for (struct guard *guard = g->guards; guard; guard = guard->next)
		if (guard->condition == old)
			guard->condition = new;
	for (size_t i = 0; i < g->outputs; i++)
		if (g->output[i] == old) {
			g->output[i] = new;
			new->uses++;
			old->uses--;
			new->is_output = 1;
		}
}

int is_op(const struct node *n, const char *name)
{
	return n && !n->dead && strcmp(n->op->name, name) == 0;
}
