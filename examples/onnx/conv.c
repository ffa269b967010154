/* SPDX-License-Identifier: MIT */
/* Convolutions, of images whose channels lie last in memory. */
#include <string.h>

#include "ops.h"
#include "post.h"
#include "shapes.h"
#include "strides.h"
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

static const struct value *by_pixel(struct plan *p, const struct node *n, struct value *v, size_t *ld)
{
	*ld = strides_of_pixels(v);
	if (*ld)
		return v;
	*ld = v->dim[1];
	return plan_channels_last(p, n, v);
}

static void plan_conv(struct plan *p, struct node *n)
{
	struct conv *c = graph_alloc(p->graph, 1, sizeof(*c));
	const struct value *x, *other = NULL;
	struct step *s;
	size_t bytes;
	int is_packed;

	c->conv = windows_conv(n);
	c->post = post_of(p, n);
	x = by_pixel(p, n, n->in[IN_X], &c->conv.ldx);
	if (n->ins > IN_OTHER && n->in[IN_OTHER]) {
		other = by_pixel(p, n, n->in[IN_OTHER], &c->post.ldother);
		c->post.binary = ISK_BINARY_ADD;
	}
	bytes = isk_conv_packed_size(ISK_F32, &c->conv);
	c->packed = plan_packed(p, n->in[IN_WEIGHTS], "conv_f32", &c->conv, sizeof(c->conv), bytes, &is_packed);
	if (!is_packed && isk_conv_pack_f32(c->packed, value_data(n->in[IN_WEIGHTS]), bytes, &c->conv) != 0)
		refuse(n, "isakern has no convolution of these sizes");
	graph_used_up(p->graph, n->in[IN_WEIGHTS]);
	place_store(p, n->out[0]);
	c->conv.ldy = strides_of_pixels(n->out[0]);
	s = plan_step(p, n, run_conv, post_name(p->graph, n, c->conv.groups > 1 ? "conv_f32 (groups)" : "conv_f32"), c);
	step_in(s, x);
	if (other)
		step_in(s, other);
	step_out(s, n->out[0]);
	step_products(s, ISK_F32, c->conv.kernel_h * c->conv.kernel_w * c->conv.channels / c->conv.groups);
}

static void infer_conv_transpose(struct graph *g, struct node *n)
{
	const struct value *x = n->in[IN_X], *w = n->in[IN_WEIGHTS];
	size_t dim[RANK];
	struct windows win;

	check_weights(n, IN_WEIGHTS);
	win = windows_of(n, w->dim + 2);
	if (attribute_int(n, "group", 1) != 1 || w->dim[0] != x->dim[1])
		refuse(n, "group 1 and weights for all %zu channels are allowed", x->dim[1]);
	dim[0] = x->dim[0];
	dim[1] = w->dim[1];
	for (size_t i = 2; i < x->rank; i++) {
		const size_t side = i - 2 + SIDES + 2 - x->rank;

		if (win.kernel[side] != win.stride[side] || win.before[side] || win.after[side] || win.dilation[side] != 1 ||
		    attribute(n, "output_padding") || attribute(n, "output_shape"))
			refuse(
				n,
				"strides equal to kernel_shape without pads, dilations, output_padding and output_shape are allowed");
		dim[i] = x->dim[i] * win.kernel[side];
	}
	check_bias(n, w->dim[1]);
	infer_output(g, n, 0, F32, x->rank, dim);
}

/* Windows do not overlap: the pixels of each row of x become kernel_h rows of y, each by one product. */
struct spread {
	struct isk_post post;
	size_t rows, width, kernel, channels, columns, ldx;
	void *packed[]; /* for each row of the kernel */
};

static void run_spread(const struct step *s)
{
	const struct spread *t = s->state;
	float *y = value_data(s->out[0]);
	const float *x = value_data(s->in[0]);

	for (size_t r = 0; r < t->rows; r++)
		for (size_t u = 0; u < t->kernel; u++)
			must(s, KERNEL(gemm_f32)(y + (r * t->kernel + u) * t->width * t->columns, x + r * t->width * t->ldx,
			                         t->packed[u], t->width, t->columns, t->channels, t->columns, t->ldx, &t->post));
}

/* Weights [channels][out][kernel_h][kernel_w]; row u of the kernel as a matrix of channels by kernel_w * out. */
static void *pack_row(struct plan *p, const struct value *w, const struct windows *win, size_t u)
{
	const size_t channels = w->dim[0], out = w->dim[1], kernel = win->kernel[WIDTH], columns = kernel * out;
	const size_t bytes = isk_packed_size(ISK_F32, channels, columns);
	const float *from = value_data(w);
	int is_packed;
	void *packed = plan_packed(p, w, "conv_transpose_f32", &u, sizeof(u), bytes, &is_packed);
	float *b;

	if (is_packed)
		return packed;
	b = graph_alloc(p->graph, channels * columns, sizeof(*b));
	for (size_t c = 0; c < channels; c++)
		for (size_t o = 0; o < out; o++)
			for (size_t v = 0; v < kernel; v++)
				b[c * columns + v * out + o] = from[((c * out + o) * win->kernel[HEIGHT] + u) * kernel + v];
	isk_gemm_pack_f32(packed, b, bytes, channels, columns, columns, 0);
	return packed;
}

static void plan_conv_transpose(struct plan *p, struct node *n)
{
	const struct value *w = n->in[IN_WEIGHTS], *x;
	const struct windows win = windows_of(n, w->dim + 2);
	struct spread *t = graph_alloc(p->graph, 1, sizeof(*t) + win.kernel[HEIGHT] * sizeof(*t->packed));
	struct step *s;
	float *bias;

	x = by_pixel(p, n, n->in[IN_X], &t->ldx);
	t->post = post_of(p, n);
	t->rows = x->dim[0] * win.size[HEIGHT];
	t->width = win.size[WIDTH];
	t->kernel = win.kernel[HEIGHT];
	t->channels = x->dim[1];
	t->columns = win.kernel[WIDTH] * w->dim[1];
	for (size_t u = 0; u < t->kernel; u++)
		t->packed[u] = pack_row(p, w, &win, u);
	graph_used_up(p->graph, w);
	if (t->post.bias) {
		bias = graph_alloc(p->graph, t->columns, sizeof(*bias));
		for (size_t i = 0; i < t->columns; i++)
			bias[i] = ((const float *)t->post.bias)[i % w->dim[1]];
		t->post.bias = bias;
	}
	strides_channels_last(n->out[0]);
	plan_store(p, n->out[0]);
	s = plan_step(p, n, run_spread, post_name(p->graph, n, "gemm_f32"), t);
	step_in(s, x);
	step_out(s, n->out[0]);
	step_products(s, ISK_F32, t->channels);
}

const struct op conv_ops[] = {
	{"Conv", 2, 3, infer_conv, plan_conv},
	{"ConvTranspose", 2, 3, infer_conv_transpose, plan_conv_transpose},
	{NULL, 0, 0, NULL, NULL},
};
