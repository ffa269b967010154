/* SPDX-License-Identifier: MIT */
/* The drivers of the kernels that work on rows: softmax and norm, pool. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "harness.h"

enum values { UNIT, TEN, HUNDRED, OFFSET, CONSTANT, SMALL, WIDE, MASKED, VALUES };

static const char *const value_names[VALUES] = {
	"in [-1, 1)", "in [-10, 10)", "in [-110, 110)",     "1000 and a little",
	"all equal",  "denormal",     "of very mixed size", "a third -Inf",
};

#define MOST ((size_t)1 << 19)

static unsigned char *data[3], *first_bits;
static double *exact, *scale;

static double value(const struct kernel *k, enum values values)
{
	switch (values) {
	case TEN:
		return random_in(-10, 10);
	case HUNDRED:
		return random_in(-110, 110);
	case OFFSET:
		return 1000 + random_in(-1, 1);
	case CONSTANT:
		return 0.3;
	case SMALL:
		return (double)random_f32(KIND_TINY);
	case WIDE:
		return ldexp(random_in(-1, 1), (int)random_below(60) - 30);
	case MASKED:
		/* Only a softmax has a use for -Inf; elsewhere it makes NaNs of all. */
		return k->inputs == 1 && random_below(3) == 0 ? -(double)INFINITY : random_in(-10, 10);
	default:
		return random_in(-1, 1);
	}
}

static void fill(const struct kernel *k, enum values values, size_t n, size_t cols)
{
	for (size_t i = 0; i < n; i++)
		elem_set(k->in, data[0], i, value(k, values));
	for (int j = 1; j < k->inputs; j++)
		for (size_t i = 0; i < cols; i++)
			elem_set(k->in, data[j], i, random_in(-2, 2));
}

/* How the call is made. */
struct layout {
	enum edge edge;
	size_t rows, cols, ldx, ldy, offset[4];
	int in_place, without; /* bits: 1 no weight, 2 no bias */
	float epsilon;
	int pool;
};

/*
 * Checks the rows of y as the oracle says. Where terms underflow a result may
 * err by the least denormal, or as many of it as there are terms of a mean.
 */
static void check_rows(struct variant *v, const struct args *args, const struct layout *l)
{
	const struct kernel *k = v->kernel;
	const double slack = elem_least(k->out) * (l->pool ? (double)l->rows : 2);

	for (size_t r = 0; r < (l->pool ? l->cols != 0 : l->rows); r++) {
		k->row(args, r, exact, scale);
		for (size_t i = 0; i < l->cols; i++)
			check_scaled(v, elem_bits(k->out, args->y, r * l->ldy + i), exact[i], scale[i], slack, r, i);
	}
}

static void one(struct variant *v, const struct layout *l, int compare)
{
	const struct kernel *k = v->kernel;
	const size_t in = elem_bytes(k->in), out = elem_bytes(k->out);
	const size_t out_rows = l->pool ? 1 : l->rows, out_span = span(out_rows, l->cols, l->ldy);
	struct args args = {.n = l->rows, .cols = l->cols, .ldx = l->ldx, .ldy = l->ldy, .scale = l->epsilon};
	struct args oracle = args;
	unsigned char *results = first_bits;

	args.x[0] = slot_put(SLOT_A, l->edge, l->offset[1], data[0], span(l->rows, l->cols, l->ldx) * in);
	for (int j = 1; j < k->inputs; j++)
		if (!(l->without & j))
			args.x[j] = slot_put(SLOT_A + j, l->edge, l->offset[1 + j], data[j], l->cols * in);
	for (int twin = 0; twin <= (v->twin && v->twin != v->fn && !l->in_place); twin++) {
		args.y = l->in_place ? (void *)(uintptr_t)args.x[0]
		                     : slot_put(SLOT_Y, l->edge, l->offset[0], NULL, out_span * out);
		slot_expect_rows(l->in_place ? SLOT_A : SLOT_Y, l->cols ? out_rows : 0, l->cols * out, l->ldy * out);
		variant_call(v, twin ? v->twin : v->fn, &args);
		for (size_t i = 0; i < out_span && v->twin; i++)
			if (i % (l->ldy ? l->ldy : 1) < l->cols || l->pool) {
				const uint64_t bits = elem_bits(k->out, args.y, i);

				const size_t row = l->pool ? 0 : i / l->ldy, col = l->pool ? i : i % l->ldy;

				if (twin)
					check_same(v, elem_bits(k->out, results, i), bits, row, col);
				else if (compare)
					check_bits(v, bits, elem_bits(k->out, results, i), "the bits at other addresses", row,
					           col);
				else
					elem_set_bits(k->out, results, i, bits);
			}
		oracle = args;
		oracle.x[0] = data[0];
		if (!twin)
			check_rows(v, &oracle, l);
		if (twin || !(v->twin && v->twin != v->fn && !l->in_place))
			slots_check();
	}
}

static void describe(const struct layout *l, const char *values)
{
	trying("%zu rows of %zu, ldx %zu, ldy %zu, offsets y %zu x %zu from the %s edge, values %s%s%s%s, "
	       "epsilon %g",
	       l->rows, l->cols, l->ldx, l->ldy, l->offset[0], l->offset[1], l->edge == LOW ? "lower" : "upper",
	       values, l->in_place ? ", in place" : "", l->without & 1 ? ", no weight" : "",
	       l->without & 2 ? ", no bias" : "", (double)l->epsilon);
}

static struct layout layout(int pool, size_t rows, size_t cols, size_t i)
{
	static const size_t gaps[] = {0, 0, 1, 3, 16, 29};
	static const float epsilons[] = {1e-5f, 1e-12f, 1e-6f, 1.0f};
	struct layout l = {.edge = i % 2 ? LOW : HIGH, .rows = rows, .cols = cols, .pool = pool};

	l.ldx = cols + gaps[random_below(6)];
	l.ldy = pool ? 0 : cols + gaps[random_below(6)];
	l.without = (int)random_below(4);
	l.epsilon = epsilons[random_below(4)];
	return l;
}

static void random_one(struct variant *v, int pool, size_t rows, size_t cols, size_t i)
{
	const enum values values = (enum values)(i % VALUES);
	struct layout l = layout(pool, rows, cols, i / VALUES);

	/* Two numbers of very mixed size leave nothing of a variance but its rounding. */
	fill(v->kernel, values, span(rows, cols, l.ldx), cols);
	describe(&l, value_names[values]);
	one(v, &l, 0);
	if (pool || i % 3)
		return;
	l.in_place = 1;
	l.ldy = l.ldx;
	describe(&l, value_names[values]);
	one(v, &l, 0);
}

static void every_size(struct variant *v, int pool)
{
	static const size_t large[] = {511, 1000, 1025, 2047, 2049, 4099, 12289};
	const size_t most = 4 * 64 + 4;

	for (size_t i = 0; i < most + sizeof(large) / sizeof(large[0]); i++)
		for (size_t j = 0; j < VALUES; j++) {
			const size_t cols = i < most ? i : large[i - most];

			random_one(v, pool, 1 + random_below(3), cols, i * (VALUES + 1) + j);
		}
	for (size_t rows = 0; rows < 40; rows++)
		for (size_t cols = 0; cols < 40; cols++)
			random_one(v, pool, rows, cols, rows * 40 + cols + rows);
	for (size_t rows = 60; rows < 5000; rows = rows * 2 + 5)
		for (size_t j = 0; j < VALUES; j++)
			random_one(v, pool, rows, 1 + random_below(40), j);
}

static void every_alignment(struct variant *v, int pool)
{
	static const size_t sizes[] = {1, 15, 33, 70, 131};
	const struct kernel *k = v->kernel;

	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
		struct layout l = {.edge = LOW,
		                   .rows = 2,
		                   .cols = sizes[s],
		                   .ldx = sizes[s] + 1,
		                   .ldy = pool ? 0 : sizes[s] + 2,
		                   .pool = pool,
		                   .epsilon = 1e-5f};
		int compare = 0;

		fill(k, TEN, span(l.rows, l.cols, l.ldx), l.cols);
		for (size_t y = 0; y < 64; y += elem_bytes(k->out))
			for (size_t x = 0; x < 64; x += elem_bytes(k->in)) {
				l.offset[0] = y;
				l.offset[1] = x;
				l.offset[2] = random_below(16) * elem_bytes(k->in);
				l.offset[3] = random_below(16) * elem_bytes(k->in);
				describe(&l, value_names[TEN]);
				one(v, &l, compare);
				compare = 1;
			}
	}
}

static void every_lane(struct variant *v, int pool)
{
	static const uint32_t values[] = {0x7fc00000, 0x7f800001, 0x7f800000, 0xff800000, 0x80000000,
	                                  0x42c80000, 0x5b800000, 0xdb800000, 0x00000001};
	static const size_t sizes[] = {1, 2, 3, 7, 16, 33, 67, 131};
	const struct kernel *k = v->kernel;

	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
		for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
			for (size_t lane = 0; lane < sizes[s]; lane++) {
				struct layout l = layout(pool, 2, sizes[s], lane);

				fill(k, i % 2 ? MASKED : UNIT, span(l.rows, l.cols, l.ldx), l.cols);
				elem_set(k->in, data[0], lane, (double)f32_of(values[i]));
				if (lane % 3 == 0)
					elem_set(k->in, data[0], random_below(sizes[s]), (double)f32_of(values[i]));
				describe(&l, value_names[i % 2 ? MASKED : UNIT]);
				one(v, &l, 0);
			}
}

/* Rows that are -Inf, +Inf, NaN, 0 or huge throughout. */
static void whole_rows(struct variant *v, int pool)
{
	static const uint32_t values[] = {0xff800000, 0x7f800000, 0x7fc00000, 0,
	                                  0x80000000, 0x5b800000, 0x00000001};

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		for (size_t cols = 1; cols < 70; cols++) {
			struct layout l = layout(pool, 3, cols, cols);

			fill(v->kernel, UNIT, span(l.rows, l.cols, l.ldx), cols);
			for (size_t c = 0; c < cols; c++)
				elem_set(v->kernel->in, data[0], l.ldx + c, (double)f32_of(values[i]));
			describe(&l, "one special row");
			one(v, &l, 0);
		}
}

static void drive(struct variant *v, int pool)
{
	for (int j = 0; j < 3 && !data[j]; j++)
		data[j] = malloc(MOST * 4);
	if (!exact) {
		exact = malloc(MOST * sizeof(*exact));
		scale = malloc(MOST * sizeof(*scale));
		first_bits = malloc(MOST * 4);
	}
	if (!data[2] || !exact || !scale || !first_bits)
		abort();
	every_size(v, pool);
	every_alignment(v, pool);
	every_lane(v, pool);
	whole_rows(v, pool);
}

void drive_rows(struct variant *v)
{
	drive(v, 0);
}

void drive_pool(struct variant *v)
{
	drive(v, 1);
}
