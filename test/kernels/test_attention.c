/* SPDX-License-Identifier: MIT */
/*
 * Attention, block by block, from the public kernels that its contract names: the bits of each variant with fused multiply-add
 * are those. Keys and values that no query sees are NaN here, and queries that are computed one by one have the same bits.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "candidates.h"

enum { KEYS = 64, MOST = 400 };

struct problem {
	size_t queries, keys, width, value_width;
	float cap;
	int64_t ahead;
	size_t window;
	int has_mask;
};

typedef __typeof(isk_attention_f32) attention_fn;

static int tests, failed;

static float *numbers(size_t count, float size)
{
	static unsigned seed = 1;
	float *x = malloc(count * sizeof(*x) + 1);

	if (!x)
		abort();
	for (size_t i = 0; i < count; i++)
		x[i] = size * ((float)(int)((seed = seed * 1664525 + 1013904223) >> 8) / (1 << 23) - 1);
	return x;
}

static int sees(const struct problem *p, size_t i, size_t j)
{
	const int64_t last = (int64_t)i + p->ahead;

	return (int64_t)j <= last && (!p->window || (int64_t)j > last - (int64_t)p->window);
}

/* A row of y as the contract computes it. */
static void plain(float *y, const struct problem *p, const float *q, const float *k, const float *v, const float *mask,
                  float scale, size_t i)
{
	float m = -INFINITY, l = 0;

	memset(y, 0, p->value_width * sizeof(*y));
	for (size_t key = 0; key < p->keys; key += KEYS) {
		float s[KEYS], w[KEYS], most = m, factor, sum;

		for (size_t j = 0; j < KEYS; j++) {
			s[j] = -INFINITY;
			if (key + j >= p->keys || !sees(p, i, key + j))
				continue;
			s[j] = 0;
			for (size_t d = 0; d < p->width; d++)
				s[j] = fmaf(q[i * p->width + d], k[(key + j) * p->width + d], s[j]);
			s[j] *= scale;
			if (p->cap > 0) {
				const float part = s[j] / p->cap;
				float t;

				isk_tanh_f32(&t, &part, 1);
				s[j] = p->cap * t;
			}
			if (mask)
				s[j] += mask[i * p->keys + key + j];
			most = s[j] > most ? s[j] : most;
		}
		if (most == -INFINITY)
			continue;
		for (size_t j = 0; j < KEYS; j++)
			w[j] = s[j] - most;
		isk_exp_f32(w, w, KEYS);
		factor = m - most;
		isk_exp_f32(&factor, &factor, 1);
		sum = isk_sum_f32(w, KEYS);
		l = fmaf(l, factor, sum);
		m = most;
		for (size_t e = 0; e < p->value_width; e++) {
			y[e] *= factor;
			for (size_t j = 0; j < KEYS; j++)
				if (key + j < p->keys && sees(p, i, key + j))
					y[e] = fmaf(w[j], v[(key + j) * p->value_width + e], y[e]);
		}
	}
	for (size_t e = 0; e < p->value_width && l != 0; e++)
		y[e] /= l;
}

static void check_problem(attention_fn *fn, const char *isa, const struct problem *p)
{
	const size_t row = p->value_width * sizeof(float);
	const float scale = 1 / sqrtf((float)p->width);
	float *q = numbers(p->queries * p->width, 3), *k = numbers(p->keys * p->width, 3), *v = numbers(p->keys * p->value_width, 1);
	float *mask = p->has_mask ? numbers(p->queries * p->keys, 2) : NULL, *y = numbers(p->queries * p->value_width, 1);
	int right = 1, alone = 1;

	for (size_t i = 0; mask && i < p->queries * p->keys; i++)
		mask[i] = i / KEYS % 3 == 1 || i % 5 == 0 ? -INFINITY : mask[i];
	for (size_t j = 0, seen = 0; j < p->keys; j++, seen = 0) {
		for (size_t i = 0; i < p->queries; i++)
			seen |= (size_t)sees(p, i, j);
		for (size_t d = 0; d < p->width && !seen; d++)
			k[j * p->width + d] = NAN;
		for (size_t e = 0; e < p->value_width && !seen; e++)
			v[j * p->value_width + e] = NAN;
	}
	fn(y, q, k, v, mask, p->queries, p->keys, p->width, p->value_width, p->value_width, p->width, p->width, p->value_width,
	   p->keys, scale, p->cap, p->ahead, p->window);
	for (size_t i = 0; i < p->queries; i++) {
		float one[MOST], expected[MOST];

		plain(expected, p, q, k, v, mask, scale, i);
		right &= !memcmp(expected, y + i * p->value_width, row);
		fn(one, q + i * p->width, k, v, mask ? mask + i * p->keys : NULL, 1, p->keys, p->width, p->value_width, p->value_width,
		   p->width, p->width, p->value_width, p->keys, scale, p->cap, p->ahead + (int64_t)i, p->window);
		alone &= !memcmp(one, y + i * p->value_width, row);
	}
	failed += !right + !alone;
	printf("%sok %d - %s: %zu queries, %zu keys of %zu, values of %zu, ahead %lld, window %zu: the contract's bits\n",
	       right ? "" : "not ", ++tests, isa, p->queries, p->keys, p->width, p->value_width, (long long)p->ahead, p->window);
	printf("%sok %d - %s: the same, one query at a time\n", alone ? "" : "not ", ++tests, isa);
	free(q);
	free(k);
	free(v);
	free(mask);
	free(y);
}

static void check_variant(const void *to, const char *isa, void (*fn)(void))
{
	static const struct problem problems[] = {
		{1, 1, 1, 1, 0, 0, 0, 0},       {7, 64, 16, 16, 0, 1000, 0, 0},  {13, 65, 33, 70, 0, 1000, 0, 1},
		{60, 200, 64, 64, 0, 140, 0, 0}, {55, 55, 80, 131, 0, 0, 0, 0},   {50, 300, 130, 48, 30, 250, 70, 1},
		{20, 130, 8, 5, 2, -6, 0, 0},    {3, 500, 128, 128, 0, 497, 90, 0},
	};

	(void)to;
	/* Without fused multiply-add, and in f64, other bits are right. */
	if (!strcmp(isa, "baseline") || !strcmp(isa, "reference"))
		return;
	for (size_t i = 0; i < sizeof(problems) / sizeof(*problems); i++)
		check_problem((attention_fn *)fn, isa, &problems[i]);
}

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!strcmp(bound_isa(isk_candidates, "exp_f32"), "baseline")) {
		printf("1..0 # SKIP this CPU has no fused multiply-add\n");
		return 0;
	}
	each_variant("attention_f32", &tests, check_variant, NULL);
	printf("1..%d\n", tests);
	return failed != 0;
}
