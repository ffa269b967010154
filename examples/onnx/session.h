/* SPDX-License-Identifier: MIT */
/* A model that is ready to run, for programs that run models: inputs of fixed shapes, a graph, and a plan. */
#ifndef SESSION_H
#define SESSION_H

#include "model.h"
#include "plan.h"

enum { MOST_INPUTS = 64 };

struct session {
	struct graph graph; /* its path, wants and store may be set before session_plan() */
	struct plan plan;
	struct value *input[MOST_INPUTS];
	size_t inputs;
};

/*
 * Adds an input, dense, at data, or in storage of its own, all zeros, if data is NULL. An integer without dims and a
 * single BOOL are parameters of the graph, and must be set before session_plan().
 */
struct value *session_input(struct session *s, const char *name, int type, size_t rank, const size_t *dim, void *data);
/* Elaborates, fuses unless `plain`, and plans. The model must outlive the session. */
void session_plan(struct session *s, const Onnx__ModelProto *model, int plain);
/* Computes the outputs from what the inputs hold now. */
void session_run(struct session *s);
/* The output of that name; exits with a message if the model has none. */
const struct value *session_output(const struct session *s, const char *name);
void session_close(struct session *s);

/*
 * Calls body(data), in which runs find their threads ready. Without it each run begins with threads of its own, and waits for
 * them at its end.
 */
void session_on_threads(void (*body)(void *data), void *data);

/* Sets the threads of all sessions, before the first one is run. */
void session_threads(size_t threads);

#endif
