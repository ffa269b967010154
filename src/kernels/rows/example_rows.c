/* SPDX-License-Identifier: MIT */
/* The work of a transformer layer on its rows: a residual and a norm, masked softmax, a loss, and gradients. */
#include <isakern.h>
#include <stdio.h>

enum { ROWS = 2, COLS = 4, K = 2 };

static void show(const char *what, const float *x, int n)
{
	printf("%-14s", what);
	for (int i = 0; i < n; i++)
		printf(" %6.3f", (double)x[i]);
	printf("\n");
}

/* Norms and their gradients. */
static void norms(const float *x, const float *residual)
{
	const float weight[COLS] = {1, 2, 1, 2}, bias[COLS] = {0, 0, 1, 1},
				dy[ROWS * COLS] = {1, 0, 0, 0, 0, 0, 0, 1};
	float sum[ROWS * COLS], y[ROWS * COLS], mean[ROWS], rstd[ROWS], dx[ROWS * COLS], dweight[COLS],
		dbias[COLS];

	isk_add_layernorm_f32(sum, y, residual, x, weight, bias, ROWS, COLS, COLS, COLS, COLS, COLS, 1e-5f);
	show("add, norm", y, COLS);
	isk_layernorm_stats_f32(y, mean, rstd, x, weight, bias, ROWS, COLS, COLS, COLS, 1e-5f);
	show("means", mean, ROWS);
	isk_layernorm_backward_f32(dx, dy, x, weight, mean, rstd, ROWS, COLS, COLS, COLS, COLS);
	show("dx", dx, COLS);
	isk_layernorm_backward_weight_f32(dweight, dbias, dy, x, mean, rstd, ROWS, COLS, COLS, COLS);
	show("dweight", dweight, COLS);
	isk_rmsnorm_stats_f32(y, rstd, x, weight, ROWS, COLS, COLS, COLS, 1e-5f);
	show("rmsnorm", y, COLS);
	isk_rmsnorm_backward_f32(dx, dy, x, weight, rstd, ROWS, COLS, COLS, COLS, COLS);
	isk_rmsnorm_backward_weight_f32(dweight, dy, x, rstd, ROWS, COLS, COLS, COLS);
	show("dweight", dweight, COLS);
	isk_groupnorm_f32(y, x, weight, bias, 1, 2, 2, 2, 1e-5f);
	show("groups", y, COLS);
	isk_batchnorm_nchw_f32(y, x, weight, bias, 1, 4, 2);
	isk_batchnorm_nhwc_f32(y, y, weight, bias, ROWS, COLS, COLS, COLS);
	isk_add_row_f32(y, y, bias, ROWS, COLS, COLS, COLS);
	show("linear", y, COLS);
}

int main(void)
{
	const float x[ROWS * COLS] = {0, 1, 2, 3, 3, 1, 0, 0}, dloss[ROWS] = {1, 1};
	const int64_t labels[ROWS] = {3, 0};
	float y[ROWS * COLS], residual[ROWS * COLS], loss[ROWS], dx[ROWS * COLS], values[ROWS * K];
	int64_t where[ROWS * COLS];

	isk_broadcast_rows_b32(residual, x, ROWS, COLS, COLS);
	norms(x, residual);
	isk_softmax_masked_f32(y, x, NULL, ROWS, COLS, COLS, COLS, COLS, 0.5f, 1);
	show("causal", y, COLS);
	isk_softmax_axis_f32(y, x, 1, ROWS, COLS);
	show("by columns", y, COLS);
	isk_softmax_backward_f32(dx, x, y, ROWS, COLS, COLS, COLS, COLS);
	if (isk_cross_entropy_f32(loss, x, labels, ROWS, COLS, COLS) ||
	    isk_cross_entropy_backward_f32(dx, x, dloss, labels, ROWS, COLS, COLS, COLS))
		return 1;
	show("loss", loss, ROWS);
	show("dx", dx, COLS);
	isk_topk_f32(values, where, x, ROWS, COLS, K, K, COLS, COLS);
	printf("greatest: %.0f and %.0f, at %d and %d\n", (double)values[0], (double)values[1], (int)where[0],
	       (int)where[1]);
	isk_argsort_f32(where, x, ROWS, COLS, COLS, COLS, 0);
	printf("in order: %d %d %d %d\n", (int)where[4], (int)where[5], (int)where[6], (int)where[7]);
	return 0;
}

/*
 * prints
 *
 *     add, norm      -1.342 -0.894  1.447  3.683
 *     means           1.500  1.000
 *     dx              0.268 -0.358 -0.089  0.179
 *     dweight        -1.342  0.000  0.000 -0.816
 *     rmsnorm         0.000  1.069  1.069  3.207
 *     dweight         0.000  0.000  0.000  0.000
 *     groups         -1.342 -0.447  0.894  2.683
 *     linear          0.000  2.000  6.000 14.000
 *     causal          0.378  0.622  0.000  0.000
 *     by columns      0.047  0.500  0.881  0.953
 *     loss            0.440  0.211
 *     dx              0.032  0.087  0.237 -0.356
 *     greatest: 3 and 2, at 3 and 2
 *     in order: 2 3 1 0
 */
