/* SPDX-License-Identifier: MIT */
/*
 * The driver of reduce, reduce2 and index: one result from one or two arrays.
 * Small integers are among the values because every partial sum of them is
 * exact: an element left out, or taken twice, shows whatever the bound.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "kernels.h"

enum values { UNIT, POSITIVE, INTEGERS, MIXED, CONSTANT, CANCEL, TINY, ONE_HOT, EQUAL, VALUES };

static const char *const value_names[VALUES] = {
	"in [-1, 1)",  "in [0, 1)", "small integers", "of mixed size",           "all 0.1",
	"that cancel", "denormal",  "0 but for one",  "all equal but for zeros",
};

#define MOST ((size_t)1 << 20)

static unsigned char *data[2];

static double value(enum values values, size_t i, size_t hot)
{
	switch (values) {
	case POSITIVE:
		return random_in(0, 1);
	case INTEGERS:
		return (double)random_below(7) - 3;
	case MIXED:
		return ldexp(random_in(-1, 1), (int)random_below(40) - 20);
	case CONSTANT:
		return (double)0.1f;
	case CANCEL:
		return (i % 2 ? -1 : 1) * (1000 + random_in(0, 0x1p-10));
	case TINY:
		return (double)random_f32(KIND_TINY);
	case ONE_HOT:
		return i == hot;
	case EQUAL:
		return random_below(2) ? 0.0 : -0.0;
	default:
		return random_in(-1, 1);
	}
}

/* An index, or bits; where underflow counts, n + 64 additions may each lose half of the least denormal. */
static void check_result(struct variant *v, const struct args *args, uint64_t bits)
{
	const struct kernel *k = v->kernel;
	double scale = 0;
	const double exact = k->reduce(args, &scale);
	const double got = elem_value(k->out, bits);

	/* Sums whose terms may overflow on the way promise nothing. */
	if (isfinite(exact) && scale > 0x1p126)
		return;
	if (k->out == ELEM_size ? (double)bits != exact
	                        : v->exact && !(got == exact || (isnan(got) && isnan(exact))))
		wrong("at %s: got %s, wanted %.9g", place(v, args->n, 0).s, elem_text(k->out, bits).s, exact);
	if (v->exact)
		v->checks++;
	else
		check_scaled(v, bits, exact, scale, (double)(args->n + 64) * elem_least(k->in), args->n, bits);
}

static void one(struct variant *v, size_t n, enum edge edge)
{
	const struct kernel *k = v->kernel;
	struct args args = {.n = n};

	for (int j = 0; j < k->inputs; j++)
		args.x[j] = slot_put(SLOT_A + j, edge, 0, data[j], n * elem_bytes(k->in));
	variant_call(v, v->fn, &args);
	if (v->twin && v->twin != v->fn) {
		const uint64_t bits = args.result;

		variant_call(v, v->twin, &args);
		check_same(v, bits, args.result, n, 0);
		args.result = bits;
	}
	check_result(v, &args, args.result);
	slots_check();
}

static void fill(const struct kernel *k, enum values values, size_t n)
{
	const size_t hot = random_below(n + 1);

	/* The second array differs where the first has its only 1: their product must not vanish. */
	for (int j = 0; j < k->inputs; j++)
		for (size_t i = 0; i < n; i++)
			elem_set(k->in, data[j], i, value(j && values == ONE_HOT ? INTEGERS : values, i, hot));
}

static void every_size(struct variant *v)
{
	static const size_t large[] = {383,  512,  1000, 1023, 1025, 2047,  2048, 2049,
	                               4095, 4099, 6145, 8191, 8193, 12289, 65537};
	const size_t most = 4 * 64 + 4;

	for (size_t i = 0; i < most + sizeof(large) / sizeof(large[0]); i++) {
		const size_t n = i < most ? i : large[i - most];

		for (int values = 0; values < VALUES; values++) {
			trying("n = %zu, values %s", n, value_names[values]);
			fill(v->kernel, values, n);
			one(v, n, i % 2 ? LOW : HIGH);
			if (values == UNIT || values == INTEGERS)
				one(v, n, i % 2 ? HIGH : LOW);
		}
	}
	/* Roundings that all go one way: the bound must hold for long arrays too. */
	for (int values = 0; values < VALUES; values++) {
		const size_t n = 1000003;

		trying("n = %zu, values %s", n, value_names[values]);
		fill(v->kernel, values, n);
		one(v, n, HIGH);
	}
}

/* The bits depend on the values alone, not on where they lie. */
static void every_alignment(struct variant *v)
{
	static const size_t sizes[] = {1, 7, 33, 131, 259, 515};
	const struct kernel *k = v->kernel;
	const size_t step = elem_bytes(k->in);

	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
		uint64_t first = 0;

		fill(k, UNIT, sizes[s]);
		for (size_t a = 0; a < 64; a += step)
			for (size_t b = 0; b < (k->inputs == 2 ? 64 : step); b += step) {
				struct args args = {.n = sizes[s]};

				trying("n = %zu, offsets %zu, %zu", sizes[s], a, b);
				args.x[0] = slot_put(SLOT_A, LOW, a, data[0], sizes[s] * step);
				if (k->inputs == 2)
					args.x[1] = slot_put(SLOT_B, LOW, b, data[1], sizes[s] * step);
				variant_call(v, v->fn, &args);
				slots_check();
				check_result(v, &args, args.result);
				if (a == 0 && b == 0)
					first = args.result;
				if (v->twin)
					check_bits(v, args.result, first, "the bits at other addresses", sizes[s], 0);
			}
	}
}

/* One special value at every place, alone and with its like, in arrays of every length up to 2 trees. */
static void every_lane(struct variant *v)
{
	static const uint32_t values[] = {0x7fc00000, 0x7f800001, 0xffc00001, 0x7f800000, 0xff800000, 0x3f800000,
	                                  0x80000000, 0xbf800000, 0x00000001, 0x807fffff, 0x7e967699, 0xfe967699};
	const size_t moderate = 10; /* values before those that may overflow against an infinity */
	static const size_t sizes[] = {1, 2, 3, 5, 8, 13, 17, 31, 64, 67, 130, 195, 259};
	const struct kernel *k = v->kernel;

	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
		for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
			fill(k, i % 2 ? UNIT : EQUAL, sizes[s]);
			for (size_t lane = 0; lane < sizes[s]; lane++)
				for (int j = 0; j < k->inputs; j++) {
					const uint64_t was = elem_bits(k->in, data[j], lane);

					trying("n = %zu, %#x at [%zu] of input %d", sizes[s], values[i], lane, j + 1);
					elem_set(k->in, data[j], lane, (double)f32_of(values[i]));
					one(v, sizes[s], HIGH);
					elem_set_bits(k->in, data[j], lane, was);
				}
			/* Two at random: of NaNs and infinities against each other, and of ties. */
			for (int j = 0; j < 40 && i < moderate; j++) {
				const size_t a = random_below(sizes[s]), b = random_below(sizes[s]);

				trying("n = %zu, %#x at [%zu] and [%zu]", sizes[s], values[i], a, b);
				fill(k, j % VALUES, sizes[s]);
				elem_set(k->in, data[0], a, (double)f32_of(values[i]));
				elem_set(k->in, data[0], b, (double)f32_of(values[random_below(moderate)]));
				one(v, sizes[s], HIGH);
			}
		}
}

void drive_reduce(struct variant *v)
{
	for (int j = 0; j < 2 && !data[j]; j++)
		if (!(data[j] = malloc(MOST * 4)))
			abort();
	every_size(v);
	every_alignment(v);
	every_lane(v);
}
