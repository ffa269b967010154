/* SPDX-License-Identifier: MIT */
/* MaxPool and AveragePool, of images whose channels lie last in memory. */
#include "ops.h"
#include "shapes.h"
#include "strides.h"
#include "windows.h"

static void infer_pool(struct graph *g, struct node *n)
{
	const struct value *x = n->in[0];
	const struct windows w = windows_of(n, NULL);

	check_type(n, 0, F32);
	if (n->outs != 1)
		refuse(n, "the output of indices is not supported");
	for (size_t side = 0; side < SIDES; side++) {
		if (w.dilation[side] != 1)
			refuse(n, "dilations of %zu; 1 is allowed", w.dilation[side]);
		if (is_op(n, "AveragePool") && attribute_int(n, "count_include_pad", 0) && w.after[side] > w.before[side])
			refuse(n, "count_include_pad with more padding at the end (%zu) than before (%zu)", w.after[side],
			       w.before[side]);
	}
	windows_infer(g, n, &w, F32, x->dim[1]);
}

struct pool {
	size_t images, channels;
	struct windows w;
	int is_max;
	unsigned include_pad;
};

static void run_pool(const struct step *s)
{
	const struct pool *p = s->state;
	const struct windows *w = &p->w;
	float *y = value_data(s->out[0]);
	const float *x = value_data(s->in[0]);
	const unsigned kernel_h = (unsigned)w->kernel[HEIGHT], kernel_w = (unsigned)w->kernel[WIDTH];
	const unsigned stride_h = (unsigned)w->stride[HEIGHT], stride_w = (unsigned)w->stride[WIDTH];
	const unsigned pad_h = (unsigned)w->before[HEIGHT], pad_w = (unsigned)w->before[WIDTH];

	if (p->is_max)
		KERNEL(maxpool_2d_nhwc_f32)
		(y, x, p->images, p->channels, w->out[HEIGHT], w->out[WIDTH], w->size[HEIGHT], w->size[WIDTH], kernel_h,
		 kernel_w, stride_h, stride_w, pad_h, pad_w);
	else
		KERNEL(avgpool_2d_nhwc_f32)
		(y, x, p->images, p->channels, w->out[HEIGHT], w->out[WIDTH], w->size[HEIGHT], w->size[WIDTH], kernel_h,
		 kernel_w, stride_h, stride_w, pad_h, pad_w, p->include_pad);
}

static void plan_pool(struct plan *p, struct node *n)
{
	struct pool *t = graph_alloc(p->graph, 1, sizeof(*t));
	const struct value *x = plan_channels_last(p, n, n->in[0]);
	struct step *s;

	*t = (struct pool){x->dim[0], x->dim[1], windows_of(n, NULL), is_op(n, "MaxPool"),
	                   attribute_int(n, "count_include_pad", 0) != 0};
	strides_channels_last(n->out[0]);
	plan_store(p, n->out[0]);
	s = plan_step(p, n, run_pool, t->is_max ? "maxpool_2d_nhwc_f32" : "avgpool_2d_nhwc_f32", t);
	step_in(s, x);
	step_out(s, n->out[0]);
}

const struct op pool_ops[] = {
	{"MaxPool", 1, 1, infer_pool, plan_pool},
	{"AveragePool", 1, 1, infer_pool, plan_pool},
	{NULL, 0, 0, NULL, NULL},
};
