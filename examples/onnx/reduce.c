/* SPDX-License-Identifier: MIT */
/* Means, sums and maxima along axes: by rows if the axes lie last in memory, by columns if another axis does. */
#include "ops.h"
#include "shapes.h"
#include "strides.h"

typedef void rows_fn(float *y, const float *x, size_t rows, size_t cols, size_t ldx);

static const struct function {
	const char *name;
	rows_fn *rows, *cols;
	const char *by_rows, *by_cols;
} functions[] = {
	{"ReduceMean", isk_mean_rows_f32, isk_mean_cols_f32, "mean_rows_f32", "mean_cols_f32"},
	{"ReduceSum", isk_sum_rows_f32, isk_sum_cols_f32, "sum_rows_f32", "sum_cols_f32"},
	{"ReduceMax", isk_max_rows_f32, isk_max_cols_f32, "max_rows_f32", "max_cols_f32"},
	{"GlobalAveragePool", isk_mean_rows_f32, isk_mean_cols_f32, "mean_rows_f32", "mean_cols_f32"},
};

static unsigned reduced_axes(const struct node *n)
{
	const size_t rank = n->in[0]->rank;
	const unsigned all = (1u << rank) - 1;
	int64_t list[RANK];
	unsigned axes = 0;
	int count;

	if (is_op(n, "GlobalAveragePool"))
		return all & ~3u;
	count = parameter_ints(n, "axes", 1, list, RANK);
	for (int i = 0; i < count; i++)
		axes |= 1u << axis_of(n, list[i], rank);
	return count < 0 ? all : axes;
}

static void infer_reduce(struct graph *g, struct node *n)
{
	const struct value *x = n->in[0];
	const unsigned axes = reduced_axes(n);
	const int keep = is_op(n, "GlobalAveragePool") || attribute_int(n, "keepdims", 1);
	size_t dim[RANK], rank = 0;

	check_type(n, 0, F32);
	for (size_t i = 0; i < x->rank; i++)
		if (!(axes >> i & 1) || keep)
			dim[rank++] = axes >> i & 1 ? 1 : x->dim[i];
	infer_output(g, n, 0, F32, rank, dim);
}

struct reduce {
	rows_fn *fn;
	size_t outer, step_y, step_x; /* calls, and elements from one to the next */
	size_t rows, cols, ldx;
};

static void run_reduce(const struct step *s)
{
	const struct reduce *r = s->state;

	for (size_t i = 0; i < r->outer; i++)
		r->fn((float *)value_data(s->out[0]) + i * r->step_y, (const float *)value_data(s->in[0]) + i * r->step_x,
		      r->rows, r->cols, r->ldx);
}

/* x with the axes that remain first, and how many they are. */
static size_t sort_axes(struct value *seen, const struct value *x, unsigned axes)
{
	size_t kept = 0, at;

	*seen = *x;
	for (size_t i = 0; i < x->rank; i++)
		kept += !(axes >> i & 1);
	at = 0;
	for (unsigned reduced = 0; reduced < 2; reduced++)
		for (size_t i = 0; i < x->rank; i++)
			if ((axes >> i & 1) == reduced) {
				seen->dim[at] = x->dim[i];
				seen->stride[at++] = x->stride[i];
			}
	return kept;
}

/* Each row of the memory is one result. */
static int by_rows(struct reduce *r, const struct value *seen, size_t kept)
{
	size_t stride;

	if (!strides_merge(seen, 0, kept, &r->rows, &r->ldx) || !strides_merge(seen, kept, seen->rank, &r->cols, &stride))
		return 0;
	r->outer = 1;
	if (r->rows == 1)
		r->ldx = r->cols;
	return (stride == 1 || r->cols == 1) && r->ldx >= r->cols;
}

/* The last of the axes that remain lies last in memory, and the others before it evenly. */
static int by_columns(struct reduce *r, const struct value *seen, size_t kept)
{
	size_t last = kept;

	while (last > 0 && seen->dim[last - 1] == 1)
		last--;
	if (last == 0 || seen->stride[last - 1] != 1)
		return 0;
	r->cols = seen->dim[last - 1];
	r->step_y = r->cols;
	return strides_merge(seen, kept, seen->rank, &r->rows, &r->ldx) && (r->rows == 1 || r->ldx >= r->cols) &&
	       strides_merge(seen, 0, last - 1, &r->outer, &r->step_x);
}

static void plan_reduce(struct plan *p, struct node *n)
{
	struct reduce *r = graph_alloc(p->graph, 1, sizeof(*r));
	const struct function *f = functions;
	const unsigned axes = reduced_axes(n);
	const struct value *x = n->in[0];
	struct value seen;
	size_t kept = sort_axes(&seen, x, axes);
	int is_by_columns = 0;
	struct step *s;

	while (!is_op(n, f->name))
		f++;
	if (!by_rows(r, &seen, kept)) {
		is_by_columns = by_columns(r, &seen, kept);
		if (!is_by_columns) {
			struct value *dense = value_new(p->graph, n, x->name, F32, x->rank, x->dim);
			size_t order[RANK], at = 0;

			for (unsigned reduced = 0; reduced < 2; reduced++)
				for (size_t i = 0; i < x->rank; i++)
					if ((axes >> i & 1) == reduced)
						order[at++] = i;
			strides_by_order(dense, order);
			plan_store(p, dense);
			plan_copy(p, n, dense, x);
			x = dense;
			kept = sort_axes(&seen, x, axes);
			by_rows(r, &seen, kept);
		}
	}
	r->fn = is_by_columns ? f->cols : f->rows;
	plan_store(p, n->out[0]);
	s = plan_step(p, n, run_reduce, is_by_columns ? f->by_cols : f->by_rows, r);
	step_in(s, x);
	step_out(s, n->out[0]);
}

const struct op reduce_ops[] = {
	{"ReduceMean", 1, 2, infer_reduce, plan_reduce},
	{"ReduceSum", 1, 2, infer_reduce, plan_reduce},
	{"ReduceMax", 1, 2, infer_reduce, plan_reduce},
	{"GlobalAveragePool", 1, 1, infer_reduce, plan_reduce},
	{NULL, 0, 0, NULL, NULL},
};
