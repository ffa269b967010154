/* SPDX-License-Identifier: MIT */
/* Convolutions, of images whose channels lie last in memory. */
#include <stdlib.h>
#include <string.h>

#include "ops.h"
#include "post.h"
#include "shapes.h"
#include "strides.h"
#include "weights16.h"
#include "windows.h"

static void check_weights(const struct node *n, size_t i)
{
	check_type(n, IN_X, F32);
	check_type(n, i, F32);
	if (!value_is_constant(n->in[i]))
		refuse(n, "weights '%s' are not constant, which is not supported", n->in[i]->name);
	if (n->in[i]->rank != n->in[IN_X]->rank)
		refuse(n, "weights of %zu dimensions for an input of %zu", n->in[i]->rank, n->in[IN_X]->rank);
}

static void check_bias(const struct node *n, size_t channels)
{
	if (n->ins <= IN_BIAS || !n->in[IN_BIAS])
		return;
	check_type(n, IN_BIAS, F32);
	if (!value_is_constant(n->in[IN_BIAS]) || value_count(n->in[IN_BIAS]) != channels)
		refuse(n, "the bias must be a constant of %zu numbers", channels);
}

static void infer_conv(struct graph *g, struct node *n)
{
	const struct value *x = n->in[IN_X], *w = n->in[IN_WEIGHTS];
	const int64_t groups = attribute_int(n, "group", 1);
	struct windows win;

	check_weights(n, IN_WEIGHTS);
	win = windows_of(n, w->dim + 2);
	if (groups < 1 || x->dim[1] % (size_t)groups || w->dim[0] % (size_t)groups ||
	    w->dim[1] != x->dim[1] / (size_t)groups)
		refuse(n, "group %lld does not fit %zu channels and weights for %zu by %zu", (long long)groups, x->dim[1],
		       w->dim[0], w->dim[1]);
	check_bias(n, w->dim[0]);
	windows_infer(g, n, &win, F32, w->dim[0]);
}

struct conv {
	struct isk_conv conv;
	struct isk_post post;
	void *packed;
};

static void run_conv(const struct step *s)
{
	struct conv *c = s->state;

	if (s->ins > 1)
		c->post.other = value_data(s->in[1]);
	must(s, KERNEL(conv_f32)(value_data(s->out[0]), value_data(s->in[0]), c->packed, &c->conv, &c->post));
}

static void run_conv_bf16(const struct step *s)
{
	struct conv *c = s->state;

	if (s->ins > 1)
		c->post.other = value_data(s->in[1]);
	must(s, KERNEL(conv_bf16_f32)(value_data(s->out[0]), value_data(s->in[0]), c->packed, &c->conv, &c->post));
}

static const struct value *by_pixel(struct plan *p, const struct node *n, struct value *v, size_t *ld)
{
	*ld = strides_of_pixels(v);
	if (*ld)
		return v;
	*ld = v->dim[1];
	return plan_channels_last(p, n, v);
}

/* Packs the weights; of bf16 if the convolution takes them so. */
static void pack(struct plan *p, const struct node *n, struct conv *c, int in_bf16)
{
	const struct value *w = n->in[IN_WEIGHTS];
	const size_t bytes = isk_conv_packed_size(in_bf16 ? ISK_BF16 : ISK_F32, &c->conv);
	isk_bf16 *narrow = in_bf16 ? weights16_narrow(p, w) : NULL;
	int is_packed, status = 0;

	c->packed = plan_packed(p, w, in_bf16 ? "conv_bf16" : "conv_f32", &c->conv, sizeof(c->conv), bytes, &is_packed);
	if (!is_packed)
		status = in_bf16 ? isk_conv_pack_bf16(c->packed, narrow, bytes, &c->conv)
		                 : isk_conv_pack_f32(c->packed, value_data(w), bytes, &c->conv);
	if (status)
		refuse(n, "isakern has no convolution of these sizes");
	free(narrow);
}

static struct value *input_in_bf16(struct plan *p, const struct node *n)
{
	struct value *x = n->in[IN_X];
	const struct value *filled = x;

	if (!x->bf16 && (!strides_of_pixels(x) || !strides_fill(x)))
		filled = plan_channels_last(p, n, x);
	return weights16_input(p, n, x, filled);
}

static void plan_conv(struct plan *p, struct node *n)
{
	struct conv *c = graph_alloc(p->graph, 1, sizeof(*c));
	const struct value *x, *other = NULL;
	const char *kernel;
	struct step *s;
	int in_bf16;

	c->conv = windows_conv(n);
	c->post = post_of(p, n);
	/* Groups have few products for each element, so that time goes by reading them. */
	in_bf16 = weights16_wanted(p->graph, n) && c->conv.groups == 1;
	x = by_pixel(p, n, in_bf16 ? input_in_bf16(p, n) : n->in[IN_X], &c->conv.ldx);
	if (n->ins > IN_OTHER && n->in[IN_OTHER]) {
		other = by_pixel(p, n, n->in[IN_OTHER], &c->post.ldother);
		c->post.binary = ISK_BINARY_ADD;
	}
	pack(p, n, c, in_bf16);
	graph_used_up(p->graph, n->in[IN_WEIGHTS]);
	place_store(p, n->out[0]);
	c->conv.ldy = strides_of_pixels(n->out[0]);
	kernel = in_bf16 ? "conv_bf16_f32" : c->conv.groups > 1 ? "conv_f32 (groups)" : "conv_f32";
	s = plan_step(p, n, in_bf16 ? run_conv_bf16 : run_conv, post_name(p->graph, n, kernel), c);
	step_in(s, x);
	if (other)
		step_in(s, other);
	step_out(s, n->out[0]);
	step_products(s, in_bf16 ? ISK_BF16 : ISK_F32, c->conv.kernel_h * c->conv.kernel_w * c->conv.channels / c->conv.groups);
}

/* The convolution whose transpose a ConvTranspose is: its image is the output of the node. */
static struct isk_conv transposed(const struct node *n)
{
	const struct value *x = n->in[IN_X], *w = n->in[IN_WEIGHTS];
	const int64_t groups = attribute_int(n, "group", 1);
	const struct windows win = windows_transposed(n, w->dim + 2);

	if (groups < 1 || x->dim[1] % (size_t)groups || w->dim[0] != x->dim[1])
		refuse(n, "group %lld does not fit %zu channels and weights for %zu", (long long)groups, x->dim[1], w->dim[0]);
	return windows_geometry(&win, x->dim[0], win.out, w->dim[1] * (size_t)groups, x->dim[1], (size_t)groups);
}

static void infer_conv_transpose(struct graph *g, struct node *n)
{
	struct windows win;
	struct isk_conv c;
	size_t height, width;

	check_weights(n, IN_WEIGHTS);
	win = windows_transposed(n, n->in[IN_WEIGHTS]->dim + 2);
	c = transposed(n);
	check_bias(n, c.channels);
	if (isk_conv_output(&c, &height, &width) != 0 || height != win.size[HEIGHT] || width != win.size[WIDTH])
		refuse(n, "an output of %zux%zu pixels is that of no input of %zux%zu", c.height, c.width, win.size[HEIGHT],
		       win.size[WIDTH]);
	windows_infer(g, n, &win, F32, c.channels);
}

static void run_conv_transpose(const struct step *s)
{
	struct conv *c = s->state;

	if (s->ins > 1)
		c->post.other = value_data(s->in[1]);
	must(s, KERNEL(conv_transpose_f32)(value_data(s->out[0]), value_data(s->in[0]), c->packed, &c->conv, &c->post));
}

static void plan_conv_transpose(struct plan *p, struct node *n)
{
	struct conv *c = graph_alloc(p->graph, 1, sizeof(*c));
	const struct value *x, *other = NULL;
	struct step *s;
	size_t bytes;
	int is_packed;

	c->conv = transposed(n);
	c->post = post_of(p, n);
	x = by_pixel(p, n, n->in[IN_X], &c->conv.ldy);
	if (n->ins > IN_OTHER && n->in[IN_OTHER]) {
		other = by_pixel(p, n, n->in[IN_OTHER], &c->post.ldother);
		c->post.binary = ISK_BINARY_ADD;
	}
	place_store(p, n->out[0]);
	c->conv.ldx = strides_of_pixels(n->out[0]);
	bytes = isk_conv_transpose_packed_size(ISK_F32, &c->conv);
	c->packed = plan_packed(p, n->in[IN_WEIGHTS], "conv_transpose_f32", &c->conv, sizeof(c->conv), bytes, &is_packed);
	if (!is_packed && isk_conv_transpose_pack_f32(c->packed, value_data(n->in[IN_WEIGHTS]), bytes, &c->conv) != 0)
		refuse(n, "isakern has no convolution of these sizes");
	graph_used_up(p->graph, n->in[IN_WEIGHTS]);
	s = plan_step(p, n, run_conv_transpose, post_name(p->graph, n, "conv_transpose_f32"), c);
	step_in(s, x);
	if (other)
		step_in(s, other);
	step_out(s, n->out[0]);
	s->products = (double)value_count(n->in[IN_X]) * (double)(c->conv.channels / c->conv.groups) *
	              (double)(c->conv.kernel_h * c->conv.kernel_w);
	s->operand = ISK_F32;
}

const struct op conv_ops[] = {
	{"Conv", 2, 3, infer_conv, plan_conv},
	{"ConvTranspose", 2, 3, infer_conv_transpose, plan_conv_transpose},
	{NULL, 0, 0, NULL, NULL},
};
