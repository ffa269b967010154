/* SPDX-License-Identifier: MIT */
/*
 * A layer of an LSTM in both directions, of matrix products and the kernels for a step; then with weights of 8 bits.
 *
 *     cc lstm_layer.c $(pkg-config --cflags --libs isakern)
 */
#include <isakern.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 6, IN = 4, UNITS = 8, GATES = 4 * UNITS, LONGEST = UNITS > IN ? UNITS : IN };

/* For each direction. As in frameworks, a row is a gate of a unit: candidates, then input, forget, output. */
static float w[2][GATES][IN], u[2][GATES][UNITS], bias[2][GATES];

struct matrix {
	void *packed;
	size_t k;
	int is_s8;
	float scale[GATES]; /* for s8: one for each column */
};

static int pack(struct matrix *matrix, const float *rows, size_t k, int is_s8)
{
	const size_t bytes = isk_packed_size(is_s8 ? ISK_S8 : ISK_F32, k, GATES);
	int8_t small[GATES * LONGEST];

	*matrix = (struct matrix){.packed = aligned_alloc(64, (bytes + 63) / 64 * 64), .k = k, .is_s8 = is_s8};
	if (!matrix->packed)
		return ISK_ERR_NULL;
	/* The rows are the columns of the product, hence `transposed`, and a row's scale is a column's. */
	if (!is_s8)
		return isk_gemm_pack_f32(matrix->packed, rows, bytes, k, GATES, k, 1);
	isk_quantize_rows_f32_s8(small, matrix->scale, NULL, rows, GATES, k, k, k);
	return isk_gemm_pack_s8(matrix->packed, small, bytes, k, GATES, k, 1);
}

/* gates = x * matrix + b, or gates += x * matrix if b is NULL; x has `rows` rows, at most STEPS. */
static int multiply(float *gates, const float *x, const struct matrix *matrix, size_t rows, const float *b)
{
	const size_t k = matrix->k;
	uint8_t small[STEPS * LONGEST];
	float scale[STEPS];
	int32_t zero[STEPS];
	struct isk_post post = {.size = sizeof(post), .bias = b, .other = gates, .ldother = GATES};

	post.binary = b ? ISK_BINARY_NONE : ISK_BINARY_ADD;
	if (!matrix->is_s8)
		return isk_gemm_f32(gates, x, matrix->packed, rows, GATES, k, GATES, k, &post);
	/* Each step has its own scale, so that its result does not depend on the other steps. */
	isk_quantize_rows_f32_u8(small, scale, zero, x, rows, k, k, k);
	post.row_scale = scale;
	post.row_zero = zero;
	post.scale = matrix->scale;
	post.scales = GATES;
	return isk_gemm_u8s8_f32(gates, small, matrix->packed, rows, GATES, k, GATES, k, &post);
}

/* One direction. The rows of y are 2 * UNITS apart, because the other direction lies between them. */
static int run(float *y, const float *x, const struct matrix *input, const struct matrix *recurrent, const float *b,
               int backward)
{
	const unsigned acts = ISK_CELL_ACTS(ISK_CELL_SIGMOID, ISK_CELL_TANH, ISK_CELL_TANH);
	float gates[STEPS][GATES], c[UNITS];
	const float *old = NULL;
	/* The products that do not wait for h are one product for all steps, so that the weights are read once. */
	int status = multiply(gates[0], x, input, STEPS, b);

	for (int i = 0; i < STEPS && status == ISK_OK; i++) {
		const int t = backward ? STEPS - 1 - i : i;
		float *g = gates[t], *in = g + UNITS, *forget = in + UNITS, *out = forget + UNITS, *h = y + t * 2 * UNITS;

		if (old)
			status = multiply(g, old, recurrent, 1, NULL);
		if (status == ISK_OK)
			status = old ? isk_lstm_ctht_f32(c, h, g, in, forget, out, c, NULL, NULL, NULL, UNITS, acts)
			             : isk_lstm_c1h1_f32(c, h, g, in, out, NULL, UNITS, acts);
		old = h;
	}
	return status;
}

/* A program that runs its layer more than once keeps the packed matrices. */
static int layer(float *y, const float *x, int is_s8)
{
	int status = ISK_OK;

	for (int backward = 0; backward < 2 && status == ISK_OK; backward++) {
		struct matrix input = {0}, recurrent = {0};

		status = pack(&input, w[backward][0], IN, is_s8);
		if (status == ISK_OK)
			status = pack(&recurrent, u[backward][0], UNITS, is_s8);
		if (status == ISK_OK)
			status = run(y + backward * UNITS, x, &input, &recurrent, bias[backward], backward);
		free(input.packed);
		free(recurrent.packed);
	}
	return status;
}

/* From -1 to 1, the same numbers on every CPU. */
static void draw(float *x, size_t n, int64_t seed)
{
	isk_uniform_f32(x, n, seed, 0);
	for (size_t i = 0; i < n; i++)
		x[i] = 2 * x[i] - 1;
}

int main(void)
{
	float x[STEPS][IN], y[STEPS][2 * UNITS], small[STEPS][2 * UNITS];
	int status;

	draw(w[0][0], 2 * GATES * IN, 1);
	draw(u[0][0], 2 * GATES * UNITS, 2);
	draw(bias[0], 2 * GATES, 3);
	draw(x[0], STEPS * IN, 13);
	status = layer(y[0], x[0], 0);
	if (status == ISK_OK)
		status = layer(small[0], x[0], 1);
	if (status != ISK_OK) {
		fprintf(stderr, "lstm_layer: %s\n", isk_strerror(status));
		return 1;
	}
	for (int t = 0; t < STEPS; t++)
		printf("step %d: forward %.4f, backward %.4f\n", t, (double)y[t][0], (double)y[t][UNITS]);
	printf("8 bits: at most %.3f away\n", (double)isk_linf_f32(y[0], small[0], STEPS * 2 * UNITS));
	return 0;
}

/*
 * prints
 *
 *     step 0: forward 0.3563, backward -0.1500
 *     step 1: forward 0.2356, backward -0.2449
 *     step 2: forward 0.1706, backward -0.1874
 *     step 3: forward 0.4957, backward -0.1591
 *     step 4: forward 0.3055, backward -0.2126
 *     step 5: forward 0.2734, backward -0.1274
 *     8 bits: at most 0.003 away
 */
