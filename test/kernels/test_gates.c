/* SPDX-License-Identifier: MIT */
/*
 * The matrix products of recurrent layers, by gemm_f32 alone, at every ISA, against sums in double. All gates
 * of an LSTM, x * W + h * R + b, are two products into one C, the second added to the first. A GRU computes
 * one gate apart, by first_column, because the reset gate first multiplies what h adds to it. W and R are
 * stored as in ONNX: one row for each output of a gate.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "isakern.h"

enum { BATCH = 5, INPUT = 37, HIDDEN = 48, GATES = 4, ALL = GATES * HIDDEN };

static const double eps = 0x1p-24;

static float x[BATCH * INPUT], h[BATCH * HIDDEN], w[ALL * INPUT], r[ALL * HIDDEN], bias[ALL];
static float gates[BATCH * ALL], apart[BATCH * HIDDEN];
static void *packed_w, *packed_r;
static int tests, failed;

static void fill(float *a, size_t n)
{
	static uint32_t state = 1;

	for (size_t i = 0; i < n; i++) {
		state = state * 1664525u + 1013904223u;
		a[i] = (float)((double)(state >> 8) * 0x1p-23 - 1);
	}
}

static void *packed(const float *matrix, size_t k)
{
	const size_t bytes = isk_packed_size(ISK_F32, k, ALL);
	void *p = aligned_alloc(64, bytes);

	if (!p || isk_gemm_pack_f32(p, matrix, bytes, k, ALL, k, ISK_TRANSPOSED_B))
		exit(99);
	return p;
}

/* Adds row i of a times output o of the matrix to *sum, and the error allowed for that to *error. */
static void add(double *sum, double *error, const float *a, const float *matrix, size_t k, size_t i, size_t o)
{
	double size = 0;

	for (size_t j = 0; j < k; j++) {
		const double term = (double)a[i * k + j] * (double)matrix[o * k + j];

		*sum += term;
		size += fabs(term);
	}
	*error += (double)k * eps * size;
}

static void check(const char *isa, const char *what, int ok)
{
	failed += !ok;
	printf("%sok %d - gemm_f32/%s: %s\n", ok ? "" : "not ", ++tests, isa, what);
}

static void try(__typeof(&isk_gemm_f32) gemm, const char *isa)
{
	const struct isk_post first = {.size = sizeof(first), .bias = bias};
	const struct isk_post onto = {
		.size = sizeof(onto), .binary = ISK_BINARY_ADD, .other = gates, .ldother = ALL};
	struct isk_post last = {.size = sizeof(last), .first_column = (GATES - 1) * HIDDEN};
	int near = 1, same = 1, status;

	status = gemm(gates, x, packed_w, BATCH, ALL, INPUT, ALL, INPUT, &first);
	status = status ? status : gemm(gates, h, packed_r, BATCH, ALL, HIDDEN, ALL, HIDDEN, &onto);
	for (size_t i = 0; i < BATCH; i++)
		for (size_t o = 0; o < ALL; o++) {
			double sum = (double)bias[o], error = 0;

			add(&sum, &error, x, w, INPUT, i, o);
			error += eps * fabs(sum);
			add(&sum, &error, h, r, HIDDEN, i, o);
			error += eps * fabs(sum);
			near &= fabs((double)gates[i * ALL + o] - sum) <= error;
		}
	check(isa, "all gates of an LSTM in two products", status == ISK_OK && near);

	/* The last gate alone: first its products with x, then those with h, without a bias. */
	last.bias = bias + (GATES - 1) * HIDDEN;
	status = gemm(apart, x, packed_w, BATCH, HIDDEN, INPUT, HIDDEN, INPUT, &last);
	last.bias = NULL;
	last.binary = ISK_BINARY_ADD;
	last.other = apart;
	last.ldother = HIDDEN;
	status = status ? status : gemm(apart, h, packed_r, BATCH, HIDDEN, HIDDEN, HIDDEN, HIDDEN, &last);
	for (size_t i = 0; i < BATCH; i++)
		for (size_t o = 0; o < HIDDEN; o++)
			same &= fabsf(apart[i * HIDDEN + o] - gates[i * ALL + (GATES - 1) * HIDDEN + o]) <= 0;
	check(isa, "a gate by itself has the same bits", status == ISK_OK && same);
}

int main(void)
{
	const int count = isk_candidates("gemm_f32", NULL, 0);
	struct isk_candidate *candidates = calloc((size_t)count, sizeof(*candidates));

	if (!candidates)
		return 99;
	candidates[0].size = sizeof(candidates[0]);
	isk_candidates("gemm_f32", candidates, (size_t)count);
	fill(x, BATCH * INPUT);
	fill(h, BATCH * HIDDEN);
	fill(w, ALL * INPUT);
	fill(r, ALL * HIDDEN);
	fill(bias, ALL);
	packed_w = packed(w, INPUT);
	packed_r = packed(r, HIDDEN);
	for (int i = 0; i < count; i++)
		if (candidates[i].state == ISK_USABLE)
			try((__typeof(&isk_gemm_f32))candidates[i].fn, candidates[i].isa);
	free(candidates);
	printf("1..%d\n", tests);
	return failed || !tests;
}
