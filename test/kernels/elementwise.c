/* SPDX-License-Identifier: MIT */
/*
 * The driver of map, zip, cvt, quantize and dequantize: each output depends on
 * the inputs at its own position alone. So the answers for a pool of values are
 * worked out once, and every call is on some choice from the pool, in some
 * order: whatever its length, alignment and neighbours, an element must get its
 * answer, and from avx2 up its very bits.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "kernels.h"

struct pool {
	size_t count;
	size_t ordinary; /* values from here on are finite and of middling size */
	size_t equal;    /* zip: of the entries below this, both inputs are equal */
	float scale;
	int32_t zero;
	unsigned char *x[2];
	double *exact;       /* map, zip */
	unsigned char *want; /* the exact result rounded, or the conversion's result */
	unsigned char *bits; /* what the twin makes of it; NULL: nothing is promised */
};

static void *room(size_t count, size_t bytes)
{
	void *p = calloc(count + 1, bytes);

	if (!p)
		abort();
	return p;
}

static void pool_free(struct pool *pool)
{
	for (int i = 0; i < 2; i++)
		free(pool->x[i]);
	free(pool->exact);
	free(pool->want);
	free(pool->bits);
}

/* The answers, and the bits of the twin, or of the variant itself where it is the twin. */
static void pool_answer(struct variant *v, struct pool *pool)
{
	const struct kernel *k = v->kernel;

	pool->exact = room(pool->count, sizeof(double));
	pool->want = room(pool->count, elem_bytes(k->out));
	if (k->convert)
		k->convert(pool->want, pool->x[0], pool->count, pool->scale, pool->zero);
	else
		for (size_t i = 0; i < pool->count; i++) {
			const double a = elem_value(k->in, elem_bits(k->in, pool->x[0], i));

			pool->exact[i] =
				k->map ? k->map(a) : k->zip(a, elem_value(k->in, elem_bits(k->in, pool->x[1], i)));
			elem_set(k->out, pool->want, i, pool->exact[i]);
		}
	if (v->twin) {
		struct args args = {.n = pool->count, .scale = pool->scale, .zero = pool->zero};

		pool->bits = room(pool->count, elem_bytes(k->out));
		args.y = pool->bits;
		args.x[0] = pool->x[0];
		args.x[1] = pool->x[1];
		trying("all of the pool at once, by the lowest ISA with the same bits");
		variant_call(v, v->twin, &args);
	}
}

static void check(struct variant *v, const struct pool *pool, size_t i, uint64_t bits)
{
	const struct kernel *k = v->kernel;
	const uint64_t a = elem_bits(k->in, pool->x[0], i), b = pool->x[1] ? elem_bits(k->in, pool->x[1], i) : 0;
	const uint64_t want = elem_bits(k->out, pool->want, i);

	if (v->exact || k->convert) {
		v->checks++;
		check_bits(v, bits, want, "the only result allowed", a, b);
	} else {
		check_ulps(v, bits, pool->exact[i], a, b);
	}
	if (pool->bits)
		check_same(v, bits, elem_bits(k->out, pool->bits, i), a, b);
}

/* The call on pool entries index[0..n), arrays at these offsets from one edge; in: which input is the
 * output too, -1 for none, 2 for both. */
static void one(struct variant *v, const struct pool *pool, size_t n, const uint32_t *index, enum edge edge,
                const size_t offset[3], int in_place)
{
	static unsigned char chosen[2][1 << 18];
	const struct kernel *k = v->kernel;
	const size_t in = elem_bytes(k->in), out = elem_bytes(k->out);
	struct args args = {.n = n, .scale = pool->scale, .zero = pool->zero};
	const unsigned char *y;

	trying("n = %zu, offsets y %zu, x %zu, %zu from the %s edge, scale %g, zero %d%s", n, offset[0],
	       offset[1], offset[2], edge == LOW ? "lower" : "upper", (double)pool->scale, pool->zero,
	       in_place < 0    ? ""
	       : in_place == 1 ? ", in place of input 2"
	                       : ", in place");
	for (int j = 0; j < k->inputs; j++) {
		for (size_t i = 0; i < n; i++)
			memcpy(chosen[j] + i * in, pool->x[j] + index[i] * in, in);
		args.x[j] =
			in_place == 2 && j ? args.x[0] : slot_put(SLOT_A + j, edge, offset[1 + j], chosen[j], n * in);
	}
	if (in_place < 0) {
		args.y = slot_put(SLOT_Y, edge, offset[0], NULL, n * out);
		slot_expect_rows(SLOT_Y, 1, n * out, n * out);
	} else {
		args.y = (void *)(uintptr_t)args.x[in_place % 2];
		slot_expect_rows(SLOT_A + in_place % 2, 1, n * out, n * out);
	}
	variant_call(v, v->fn, &args);
	slots_check();
	y = args.y;
	for (size_t i = 0; i < n; i++)
		check(v, pool, index[i], elem_bits(k->out, y, i));
}

static void choose(const struct pool *pool, size_t n, uint32_t *index, size_t below)
{
	for (size_t i = 0; i < n; i++)
		index[i] = (uint32_t)random_below(below ? below : pool->count);
}

static uint32_t *indices(void)
{
	static uint32_t index[1 << 16];

	return index;
}

static void every_size(struct variant *v, const struct pool *pool, size_t most)
{
	static const size_t large[] = {511, 1000, 1023, 1025, 4099, 10007};
	uint32_t *index = indices();

	for (size_t i = 0; i < most + sizeof(large) / sizeof(large[0]); i++) {
		const size_t n = i < most ? i : large[i - most], none[3] = {0};

		for (int edge = LOW; edge <= HIGH; edge++) {
			choose(pool, n, index, 0);
			one(v, pool, n, index, edge, none, -1);
			if (v->kernel->in == v->kernel->out)
				one(v, pool, n, index, edge, none, 0);
			if (v->kernel->inputs == 2) {
				one(v, pool, n, index, edge, none, 1);
				choose(pool, n, index, pool->equal);
				one(v, pool, n, index, edge, none, 2);
			}
		}
	}
}

static void every_alignment(struct variant *v, const struct pool *pool)
{
	static const size_t sizes[] = {1, 5, 33, 70, 131};
	const struct kernel *k = v->kernel;
	uint32_t *index = indices();

	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
		for (size_t y = 0; y < 64; y += elem_bytes(k->out))
			for (size_t x = 0; x < 64; x += elem_bytes(k->in)) {
				const size_t z = random_below(64 / elem_bytes(k->in)) * elem_bytes(k->in);

				choose(pool, sizes[s], index, 0);
				one(v, pool, sizes[s], index, (x + y) & 4 ? LOW : HIGH, (size_t[]){y, x, z}, -1);
				if (x == y && k->in == k->out)
					one(v, pool, sizes[s], index, LOW, (size_t[]){y, x, z}, 0);
			}
}

/* Each of the first entries in every lane among ordinary values: no value may disturb its neighbours. */
static void every_lane(struct variant *v, const struct pool *pool, size_t entries)
{
	const size_t n = 4 * 16 + 3, none[3] = {0};
	uint32_t *index = indices();

	for (size_t i = 0; i < n; i++)
		index[i] = (uint32_t)(pool->ordinary + random_below(pool->count - pool->ordinary));
	for (size_t entry = 0; entry < entries; entry++)
		for (size_t lane = 0; lane < n; lane++) {
			const uint32_t was = index[lane];

			index[lane] = (uint32_t)entry;
			one(v, pool, n, index, HIGH, none, -1);
			index[lane] = was;
		}
}

/*
 * Floats: for a zip first pairs of equals, then each special with an ordinary
 * value, either way round, all pairs of specials; then random ones of all kinds.
 */
static void pool_of_floats(const struct kernel *k, struct pool *pool)
{
	const size_t pairs = k->inputs == 2 ? special_count * special_count : 0, count = 8192;
	float *x[2];
	size_t n = 0;

	pool->count = pairs + 3 * special_count + count + 4096;
	for (int j = 0; j < 2; j++)
		x[j] = (float *)(pool->x[j] = room(pool->count, sizeof(float)));
	for (size_t i = 0; i < special_count; i++, n++)
		x[0][n] = x[1][n] = f32_of(specials[i]);
	pool->equal = n;
	for (size_t i = 0; i < 2 * special_count; i++, n++) {
		x[i % 2][n] = f32_of(specials[i / 2]);
		x[!(i % 2)][n] = 0.75f;
	}
	for (size_t i = 0; i < pairs; i++, n++) {
		x[0][n] = f32_of(specials[i / special_count]);
		x[1][n] = f32_of(specials[i % special_count]);
	}
	for (size_t i = 0; i < count; i++, n++)
		for (int j = 0; j < 2; j++)
			x[j][n] = random_f32(i % KINDS);
	pool->ordinary = n;
	for (; n < pool->count; n++)
		for (int j = 0; j < 2; j++)
			x[j][n] = random_f32(KIND_TEN);
	if (k->inputs == 1) {
		free(pool->x[1]);
		pool->x[1] = NULL;
	}
}

/* Small types: every value, in order. */
static void pool_of_all(const struct kernel *k, struct pool *pool)
{
	pool->count = elem_values(k->in);
	pool->x[0] = room(pool->count, elem_bytes(k->in));
	for (size_t i = 0; i < pool->count; i++)
		elem_set_bits(k->in, pool->x[0], i, i);
}

/* Multiples of the scale, halves between them, and what lies next to those. */
static void pool_of_steps(const struct kernel *k, struct pool *pool)
{
	const size_t ordinary = pool->ordinary;
	float *x = (float *)pool->x[0];

	for (size_t i = ordinary; i < pool->count && k->in == ELEM_f32; i++) {
		const double step = (double)random_below(1200) / 2 - 300;
		const float at = (float)(step * (double)pool->scale);

		x[i] = isfinite(at) ? f32_of(bits_of(at) + (uint32_t)random_below(5) - 2) : at;
	}
}

static void with_scalars(struct variant *v, struct pool *pool, int first)
{
	const struct kernel *k = v->kernel;
	const size_t all[3] = {0};
	uint32_t *index = indices();

	pool_answer(v, pool);
	for (size_t i = 0; i < pool->count; i++)
		index[i] = (uint32_t)i;
	one(v, pool, pool->count, index, HIGH, all, -1);
	every_size(v, pool, first ? 4 * 64 + 4 : 4 * 16 + 4);
	if (first) {
		every_alignment(v, pool);
		if (elem_values(k->in) == 0)
			every_lane(v, pool, k->inputs == 2 ? 3 * special_count : special_count);
	}
}

/* More values than fit between guard pages, for accuracy alone. */
static void sweep(struct variant *v)
{
	const struct kernel *k = v->kernel;

	for (int round = 0; round < 32; round++) {
		struct pool pool = {.count = 16384};
		struct args args = {.n = pool.count};
		float *x[2];
		unsigned char *y = room(pool.count, elem_bytes(k->out));

		for (int j = 0; j < k->inputs; j++)
			args.x[j] = x[j] = (float *)(pool.x[j] = room(pool.count, sizeof(float)));
		for (size_t i = 0; i < pool.count; i++)
			for (int j = 0; j < k->inputs; j++)
				x[j][i] = random_f32(i % KINDS);
		trying("the sweep");
		pool_answer(v, &pool);
		args.y = y;
		variant_call(v, v->fn, &args);
		for (size_t i = 0; i < pool.count; i++)
			check(v, &pool, i, elem_bits(k->out, y, i));
		free(y);
		pool_free(&pool);
	}
}

void drive_elementwise(struct variant *v)
{
	static const float scales[] = {1, 0.0123f, 0x1p-20f, 3.7f, 1e30f, 0x1p-130f};
	const struct kernel *k = v->kernel;
	const int scaled = strcmp(v->info.shape, "quantize") == 0 || strcmp(v->info.shape, "dequantize") == 0;
	const enum elem small = scaled && elem_values(k->in) ? k->in : k->out;
	const int32_t zeros[] = {0, small == ELEM_u8 ? 128 : -128, small == ELEM_u8 ? 255 : 127, 3};

	for (size_t s = 0; s < (scaled ? sizeof(scales) / sizeof(scales[0]) : 1); s++)
		for (size_t z = 0; z < (scaled ? 4 : 1); z++) {
			struct pool pool = {.scale = scaled ? scales[s] : 0, .zero = scaled ? zeros[z] : 0};

			if (elem_values(k->in))
				pool_of_all(k, &pool);
			else
				pool_of_floats(k, &pool);
			if (scaled)
				pool_of_steps(k, &pool);
			with_scalars(v, &pool, s == 0 && z == 0);
			pool_free(&pool);
		}
	if (!scaled && elem_values(k->in) == 0)
		sweep(v);
}
