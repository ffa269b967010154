/* SPDX-License-Identifier: MIT */
/*
 * The driver of elementwise kernels, whose outputs each depend on the inputs at the same index. The answers
 * for a pool of values are computed once, and every call takes entries of the pool in some order. At any
 * length, alignment and neighbours an element must get its answer, and from avx2 up exactly its bits.
 */
#include <math.h>
#include <stdlib.h>

#include "arguments.h"

enum { MOST_INPUTS = 4 };

/* Room for the largest pool in the largest type: all pairs of specials in all pairs of four inputs. */
#define MOST ((size_t)1 << 17)

struct pool {
	size_t count;
	size_t ordinary; /* entries from here on are finite and of middling size */
	size_t equal;    /* entries below this have all inputs equal */
	union isk_args args; /* the arguments that are values, not arrays */
	unsigned char *x[MOST_INPUTS];
	struct answers answers;
	unsigned char *bits;  /* results of the twin; NULL: no bits are promised */
	struct checked *last; /* on each entry */
};

static struct arguments arguments;
static enum isk_type in, out; /* the types of elements */

static void *room(size_t count, size_t bytes)
{
	void *p = calloc(count + 1, bytes);

	if (!p)
		abort();
	return p;
}

static void pool_free(struct pool *pool)
{
	for (int i = 0; i < MOST_INPUTS; i++)
		free(pool->x[i]);
	answers_free(&pool->answers);
	free(pool->bits);
	free(pool->last);
}

static size_t *count_of(union isk_args *args)
{
	return size_at(arguments.kernel, args, arguments.sizes[0]);
}

static void **y_of(union isk_args *args)
{
	return pointer_at(arguments.kernel, args, arguments.outs[0]);
}

static void **x_of(union isk_args *args, int input)
{
	return pointer_at(arguments.kernel, args, arguments.ins[input]);
}

/* Computes the oracle's answers, and the bits of the twin, which may be the variant itself. */
static void pool_answer(struct variant *v, struct pool *pool)
{
	const struct variant *promising = first_promising(v);
	union isk_args args = pool->args;

	*count_of(&args) = pool->count;
	for (int j = 0; j < arguments.in_count; j++)
		*x_of(&args, j) = pool->x[j];
	*y_of(&args) = pool->bits = room(pool->count, isk_element_bytes(out));
	pool->answers = answers_of(v, &args);
	pool->last = room(pool->count, sizeof(*pool->last));
	if (promising) {
		trying("all of the pool at once, by the lowest ISA with the same bits");
		variant_call(v, promising->twin, &args);
	} else {
		free(pool->bits);
		pool->bits = NULL;
	}
}

static void check(struct variant *v, const struct pool *pool, size_t i, uint64_t bits)
{
	const struct exact *exact = &pool->answers.of[arguments.outs[0]][i];
	struct at at = AT(0);

	if (was_right(v, bits, &pool->last[i])) {
		v->checks++;
		return;
	}
	for (int j = 0; j < arguments.in_count; j++)
		at.word[j] = isk_element_bits(in, pool->x[j], i);
	check_exact(v, out, bits, exact, &pool->last[i], at);
	if (v->twin && exact->given != BITS)
		check_same(v, out, bits, isk_element_bits(out, pool->bits, i), at);
	pool->last[i].same |= v->twin != NULL;
}

/* The place of the output: an array of its own, one of the inputs, or the one array that all inputs are. */
enum { OUT_OF_PLACE = -1, ALL_ONE = MOST_INPUTS };

/* Bits above those of an input element that has fewer bits than its memory. The kernel must ignore them. */
static uint64_t unused(size_t i)
{
	const struct isk_format f = isk_format_of(in);

	return f.memory > 8 || f.bits == f.memory || isk_shares_byte(in) ? 0 : (uint64_t)i << f.bits & 0xff;
}

static unsigned char chosen[MOST_INPUTS][8 * MOST]; /* the inputs of a call */

/* One variant's part in a call. */
static void one_of_them(struct variant *v, const struct pool *pool, size_t n, const uint32_t *index, enum edge edge,
                        const size_t offset[1 + MOST_INPUTS], int in_place)
{
	union isk_args args = pool->args;
	const unsigned char *y;

	*count_of(&args) = n;
	for (int j = 0; j < arguments.in_count; j++)
		if (in_place == ALL_ONE && j)
			*x_of(&args, j) = *x_of(&args, 0);
		else
			argument_put(v->kernel, &args, arguments.ins[j], (struct spot){edge, offset[1 + j]}, chosen[j]);
	if (in_place < 0)
		argument_put(v->kernel, &args, arguments.outs[0], (struct spot){edge, offset[0]}, NULL);
	else
		argument_in_place(v->kernel, &args, arguments.outs[0], arguments.ins[in_place == ALL_ONE ? 0 : in_place]);
	variant_call(v, v->fn, &args);
	slots_check();
	y = *y_of(&args);
	for (size_t i = 0; i < n; i++)
		check(v, pool, index[i], isk_element_bits(out, y, i));
	if (isk_shares_byte(out) && n % 2 && isk_element_bits(out, y, n))
		wrong("the upper half of the last byte is not 0");
}

/* Calls the kernel on pool entries index[0..n), with arrays at these offsets from one edge. */
static void one(struct variant *v, const struct pool *pool, size_t n, const uint32_t *index, enum edge edge,
                const size_t offset[1 + MOST_INPUTS], int in_place)
{
	trying("n = %zu, offsets y %zu, x %zu, %zu, %zu, %zu from the %s edge%s%s", n, offset[0], offset[1], offset[2],
	       offset[3], offset[4], edge == LOW ? "lower" : "upper", in_place < 0 ? "" : ", in place of ",
	       in_place < 0 ? "" : in_place == ALL_ONE ? "all inputs" : argument(v->kernel, arguments.ins[in_place])->name);
	for (int j = 0; j < arguments.in_count; j++)
		/* If n is odd and elements share bytes, also fills the other half of the last byte, which the kernel must ignore. */
		for (size_t i = 0; i < n + (isk_shares_byte(in) ? n % 2 : 0); i++)
			isk_element_set_bits(in, chosen[j], i, isk_element_bits(in, pool->x[j], index[i < n ? i : 0]) | unused(i));
	spare(v);
	for (struct variant *each = taking_part(v); each; each = taking_part(each->next))
		one_of_them(each, pool, n, index, edge, offset, in_place);
}

static void choose(const struct pool *pool, size_t n, uint32_t *index, size_t below)
{
	for (size_t i = 0; i < n; i++)
		index[i] = (uint32_t)random_below(below ? below : pool->count);
}

static uint32_t *indices(void)
{
	static uint32_t index[MOST];

	return index;
}

/* Whether the output may be in place of this input. */
static int may_be(int input)
{
	return argument(arguments.kernel, arguments.outs[0])->may_be >> arguments.ins[input] & 1 && in == out;
}

/* Large sizes are tried with the first values only, because the code path does not depend on the values. */
static void every_size(struct variant *v, const struct pool *pool, size_t most, int first)
{
	static const size_t large[] = {511, 1000, 1023, 1025, 4099, 10007}, none[1 + MOST_INPUTS];
	uint32_t *index = indices();

	for (size_t i = 0; i < most + (first ? sizeof(large) / sizeof(large[0]) : 0); i++) {
		const size_t n = i < most ? i : large[i - most];

		for (int edge = LOW; edge <= HIGH; edge++) {
			choose(pool, n, index, 0);
			one(v, pool, n, index, edge, none, OUT_OF_PLACE);
			for (int j = 0; j < arguments.in_count; j++)
				if (may_be(j))
					one(v, pool, n, index, edge, none, j);
			if (arguments.in_count > 1 && pool->equal) {
				choose(pool, n, index, pool->equal);
				one(v, pool, n, index, edge, none, ALL_ONE);
			}
		}
	}
}

static void every_alignment(struct variant *v, const struct pool *pool)
{
	static const size_t sizes[] = {1, 5, 33, 70, 131};
	const size_t bytes = isk_element_bytes(in);
	uint32_t *index = indices();

	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
		for (size_t y = 0; y < 64; y += isk_element_bytes(out))
			for (size_t x = 0; x < 64; x += bytes) {
				size_t offset[1 + MOST_INPUTS] = {y, x};

				for (int j = 1; j < MOST_INPUTS; j++)
					offset[1 + j] = random_below(64 / bytes) * bytes;
				choose(pool, sizes[s], index, 0);
				one(v, pool, sizes[s], index, (x + y) & 4 ? LOW : HIGH, offset, OUT_OF_PLACE);
				if (x == y && may_be(0))
					one(v, pool, sizes[s], index, LOW, offset, 0);
			}
}

/* Puts each of the first entries into every lane among ordinary values, because no value may disturb its neighbours. */
static void every_lane(struct variant *v, const struct pool *pool, size_t entries)
{
	static const size_t none[1 + MOST_INPUTS];
	const size_t n = 4 * 16 + 3;
	uint32_t *index = indices();

	for (size_t i = 0; i < n; i++)
		index[i] = (uint32_t)(pool->ordinary + random_below(pool->count - pool->ordinary));
	for (size_t entry = 0; entry < entries; entry++)
		for (size_t lane = 0; lane < n; lane++) {
			const uint32_t was = index[lane];

			index[lane] = (uint32_t)entry;
			one(v, pool, n, index, HIGH, none, OUT_OF_PLACE);
			index[lane] = was;
		}
}

static void set(struct pool *pool, size_t entry, int input, uint64_t bits)
{
	if (input < arguments.in_count)
		isk_element_set_bits(in, pool->x[input], entry, bits);
}

/* The bits of 0.75. */
static uint64_t middling(void)
{
	return isk_element_round(in, 0.75L);
}

/*
 * First all inputs equal; then each special value in each input, with ordinary values in the others; then all
 * pairs of specials in every pair of inputs; then random values of all kinds; then ordinary ones.
 */
static void pool_of_many(struct pool *pool)
{
	const int inputs = arguments.in_count;
	const size_t specials = special_count(in), each = 8192, ordinary = 4096;
	size_t n = 0;

	pool->count = (1 + (size_t)inputs) * specials + (size_t)(inputs * (inputs - 1) / 2) * specials * specials + each
	              + ordinary;
	if (pool->count > MOST)
		abort();
	for (int j = 0; j < inputs; j++)
		pool->x[j] = room(pool->count, isk_element_bytes(in));
	for (; n < specials; n++)
		for (int j = 0; j < inputs; j++)
			set(pool, n, j, special(in, n));
	pool->equal = n;
	for (size_t i = 0; i < (size_t)inputs * specials; i++, n++)
		for (int j = 0; j < inputs; j++)
			set(pool, n, j, i % (size_t)inputs == (size_t)j ? special(in, i / (size_t)inputs) : middling());
	for (int a = 0; a < inputs; a++)
		for (int b = a + 1; b < inputs; b++)
			for (size_t i = 0; i < specials * specials; i++, n++)
				for (int j = 0; j < inputs; j++)
					set(pool, n, j, j == a ? special(in, i / specials) : j == b ? special(in, i % specials) : middling());
	for (size_t i = 0; i < each; i++, n++)
		for (int j = 0; j < inputs; j++)
			set(pool, n, j, random_element(in, i % KINDS));
	pool->ordinary = n;
	for (; n < pool->count; n++)
		for (int j = 0; j < inputs; j++)
			set(pool, n, j, random_element(in, KIND_TEN));
}

/* Small types: every value, in order. */
static void pool_of_all(struct pool *pool)
{
	pool->count = element_values(in);
	pool->x[0] = room(pool->count, isk_element_bytes(in));
	for (size_t i = 0; i < pool->count; i++)
		isk_element_set_bits(in, pool->x[0], i, i);
}

/*
 * Replaces ordinary entries by multiples of the scale, or of its inverse for integers, by halves between
 * these, and by their neighbours.
 */
static void add_steps(struct pool *pool, float scale)
{
	for (size_t i = pool->ordinary; i < pool->count && pool->ordinary; i++) {
		const long double step = (long double)random_below(1200) / 2 - 300, unit = (long double)scale;
		const uint64_t bits = isk_element_round(in, isk_element_is_float(in) ? step * unit : step / unit);
		const int finite = isfinite(isk_element_value(in, bits));

		isk_element_set_bits(in, pool->x[0], i, finite ? bits + random_below(5) - 2 : bits);
	}
}

static void fill(struct pool *pool)
{
	if (element_values(in) && arguments.in_count == 1)
		pool_of_all(pool);
	else
		pool_of_many(pool);
}

static void with_values(struct variant *v, struct pool *pool, int first)
{
	static const size_t none[1 + MOST_INPUTS];
	uint32_t *index = indices();

	pool_answer(v, pool);
	for (size_t i = 0; i < pool->count; i++)
		index[i] = (uint32_t)i;
	one(v, pool, pool->count, index, HIGH, none, OUT_OF_PLACE);
	every_size(v, pool, first ? 4 * 64 + 4 : 4 * 16 + 4, first);
	if (first) {
		every_alignment(v, pool);
		if (pool->ordinary)
			every_lane(v, pool, (arguments.in_count > 1 ? 3 : 1) * special_count(in));
	}
}

/*
 * Sets argument i to a value picked by number. Returns how many values there are, so that a caller can count
 * all combinations.
 */
static size_t set_value(union isk_args *args, int i, size_t number)
{
	static const float scales[] = {1, 0.0123f, 0x1p-20f, 3.7f, 1e30f, 3.3e38f, 0x1.8p-127f, 0x1p-130f};
	const size_t scale_count = sizeof(scales) / sizeof(*scales);
	const enum isk_type type = argument_type(arguments.kernel, i);
	const enum isk_type small = element_values(in) ? in : out;
	const int half = 1 << (isk_element_width(small) - 1), least = (int)isk_least_integer(small);
	const int32_t zeros[] = {0, least ? least : half, (int)isk_greatest_integer(small), 3};
	static const float scalars[] = {0.5f, -1.25f, 0, 3, 1e-3f, 1e30f};
	const struct isk_argument *a = argument(arguments.kernel, i);
	void *at = isk_argument_at(args, a);

	if (a->type == ISK_F64) {
		*(double *)at = isk_element_is_float(type) ? (double)scalars[number % 6] : (double)(number % 6 * 3);
		return 6;
	}
	if (!isk_element_is_float(type)) {
		*(int32_t *)at = zeros[number % 4];
		return 4;
	}
	isk_element_set(type, at, 0, (long double)scales[number % scale_count]);
	return scale_count;
}

/*
 * Accuracy alone, on more values than fit between guard pages, of all pairs of kinds. The slow suite takes
 * 10^9 values, but the reference, which is as exact as its own oracle, and variants that must have the bits of another one take
 * part in a few rounds only.
 */
static void sweep(struct variant *v)
{
	enum { AT_ONCE = 16384, FEW_ROUNDS = 32 };
	const int rounds = getenv("ISK_TEST_SLOW") ? 1000000000 / AT_ONCE + 1 : FEW_ROUNDS;

	for (int round = 0; round < rounds; round++) {
		struct pool pool = {.count = AT_ONCE};
		union isk_args args;
		unsigned char *y = room(pool.count, isk_element_bytes(out));

		for (int i = 0; i < arguments.value_count; i++)
			set_value(&pool.args, arguments.values[i], random_below(60));
		args = pool.args;
		*count_of(&args) = pool.count;
		for (int j = 0; j < arguments.in_count; j++) {
			*x_of(&args, j) = pool.x[j] = room(pool.count, isk_element_bytes(in));
			for (size_t i = 0; i < pool.count; i++)
				set(&pool, i, j, random_element(in, (i + (size_t)j * (i / KINDS)) % KINDS));
		}
		trying("the sweep");
		pool_answer(v, &pool);
		*y_of(&args) = y;
		for (struct variant *each = v; each; each = each->next) {
			if (round >= FEW_ROUNDS && (is_reference(each) || has_twin(each)))
				continue;
			variant_call(each, each->fn, &args);
			for (size_t i = 0; i < pool.count; i++)
				check(each, &pool, i, isk_element_bits(out, y, i));
		}
		free(y);
		pool_free(&pool);
	}
}

void drive_elementwise(struct variant *v)
{
	size_t combinations = 1;

	arguments = arguments_of(v->kernel);
	in = argument_type(v->kernel, arguments.ins[0]);
	out = argument_type(v->kernel, arguments.outs[0]);
	if (arguments.in_count > MOST_INPUTS)
		wrong("%d inputs, this driver has room for %d", arguments.in_count, MOST_INPUTS);
	for (size_t c = 0; c < combinations; c++) {
		struct pool pool = {.args = {{0}}};
		float scale = 0;

		combinations = 1;
		for (int i = 0; i < arguments.value_count; i++) {
			const int of_type = argument(v->kernel, arguments.values[i])->variable != 0;

			/* A second value of a kernel's type is drawn, because all combinations would be too many. */
			if (of_type && i)
				set_value(&pool.args, arguments.values[i], random_below(60));
			else
				combinations *= set_value(&pool.args, arguments.values[i], c / combinations);
			if (argument(v->kernel, arguments.values[i])->type == ISK_F32)
				scale = *(float *)isk_argument_at(&pool.args, argument(v->kernel, arguments.values[i]));
		}
		fill(&pool);
		if (scale > 0)
			add_steps(&pool, scale);
		with_values(v, &pool, c == 0);
		pool_free(&pool);
	}
	if ((!arguments.value_count || arguments.in_count > 1) && !element_values(in))
		sweep(v);
}
