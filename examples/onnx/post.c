/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "post.h"

static const char *const activations[] = {
	[ISK_ACT_NONE] = "",
	[ISK_ACT_RELU] = "relu",
	[ISK_ACT_RELU6] = "relu6",
	[ISK_ACT_LEAKY_RELU] = "leaky_relu",
	[ISK_ACT_SIGMOID] = "sigmoid",
	[ISK_ACT_HARDSIGMOID] = "hardsigmoid",
	[ISK_ACT_TANH] = "tanh",
	[ISK_ACT_HARDTANH] = "hardtanh",
	[ISK_ACT_HARDSWISH] = "hardswish",
	[ISK_ACT_GELU] = "gelu",
	[ISK_ACT_GELU_TANH] = "gelu_tanh",
	[ISK_ACT_SILU] = "silu",
};

const char *activation_name(enum isk_activation act)
{
	return activations[act];
}

static const struct value *optional(const struct node *n, size_t i)
{
	return i < n->ins ? n->in[i] : NULL;
}

struct isk_post post_of(struct plan *p, const struct node *n)
{
	struct isk_post post = {.size = sizeof(post), .act = n->act, .act_a = n->act_a, .act_b = n->act_b};
	float *alpha;

	if (optional(n, IN_BIAS))
		post.bias = value_data(n->in[IN_BIAS]);
	if (n->alpha != 1) {
		alpha = graph_alloc(p->graph, 1, sizeof(*alpha));
		*alpha = (float)n->alpha;
		post.scale = alpha;
		post.scales = 1;
	}
	return post;
}

const char *post_name(struct graph *g, const struct node *n, const char *kernel)
{
	char *text = graph_alloc(g, 100, 1);

	strcpy(text, kernel);
	if (n->alpha != 1)
		strcat(text, "+scale");
	if (optional(n, IN_BIAS))
		strcat(text, "+bias");
	if (n->act) {
		strcat(text, "+");
		strcat(text, activations[n->act]);
	}
	if (optional(n, IN_OTHER))
		strcat(text, "+add");
	return text;
}
