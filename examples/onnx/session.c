/* SPDX-License-Identifier: MIT */
#include "session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "passes.h"

struct value *session_input(struct session *s, const char *name, int type, size_t rank, const size_t *dim, void *data)
{
	struct value *v = value_new(&s->graph, NULL, name, type, rank, dim);
	const int is_parameter = value_count(v) == 1 && (type == BOOL || (rank == 0 && type == S64));

	if (s->inputs == MOST_INPUTS)
		refuse(NULL, "more than %d inputs", MOST_INPUTS);
	v->storage = graph_alloc(&s->graph, 1, sizeof(*v->storage));
	*v->storage = (struct storage){.bytes = value_bytes(v), .place = is_parameter ? PLACE_CONSTANT : PLACE_INPUT};
	v->storage->data = data ? data : graph_alloc(&s->graph, v->storage->bytes + 1, 1);
	s->input[s->inputs++] = v;
	return v;
}

void session_plan(struct session *s, const Onnx__ModelProto *model, int plain)
{
	model_elaborate(&s->graph, model, s->input, s->inputs);
	if (!plain)
		passes_run(&s->graph);
	plan_graph(&s->plan, &s->graph);
}

void session_on_threads(void (*body)(void *data), void *data)
{
	if (many_threads)
		isk_with_threads(body, data);
	else
		body(data);
}

static void run_plan(void *plan)
{
	plan_run(plan);
}

void session_run(struct session *s)
{
	session_on_threads(run_plan, &s->plan);
}

const struct value *session_output(const struct session *s, const char *name)
{
	for (size_t i = 0; i < s->graph.outputs; i++)
		if (strcmp(s->graph.output_name[i], name) == 0)
			return s->graph.output[i];
	refuse(NULL, "the model has no output '%s'", name);
}

void session_close(struct session *s)
{
	plan_free(&s->plan);
	graph_free(&s->graph);
}

void session_threads(size_t threads)
{
	char text[24];

	snprintf(text, sizeof(text), "%zu", threads);
	setenv("ISAKERN_NUM_THREADS", text, 1);
	many_threads = threads > 1;
}
