/* SPDX-License-Identifier: MIT */
/*
 * The driver of every shape without a driver of its own. From the shape's row in shapes.tbl it draws sizes,
 * gaps between rows, alignments, values, arrays that are NULL and arrays that coincide, and compares results
 * with the oracle and with the bits of the twin.
 *
 * Small integers are among the values because all their partial sums are exact: an element left out or taken
 * twice shows under any bound.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "arrays.h"

enum values {
	UNIT, POSITIVE, TEN, HUNDRED, OFFSET, INTEGERS, MIXED, CONSTANT, CANCEL, TINY, ONE_HOT, EQUAL, MASKED, VALUES
};

static const char *const value_names[VALUES] = {
	"in [-1, 1)",      "in [0, 1)",     "in [-10, 10)", "in [-110, 110)", "1000 and a little",
	"small integers",  "of mixed size", "all 0.1",      "that cancel",    "denormal",
	"0 but for one",   "all equal but for zeros",       "a third -Inf",
};

/* From FEW elements on, fast suites leave out some calls, and from MANY elements on, more of them. */
enum { FEW = 64, MANY = 5000 };

/* Room for each array, in bytes. */
#define ROOM_FOR_ONE (SLOT_BYTES - 4096)

static struct arguments arguments;
static const struct isk_kernel *kernel;
/*
 * data: the values of inputs, and the outputs that the twin writes. copies: outputs that are read as well,
 * for the twin; of others, the rows that lie far apart.
 */
static unsigned char *data[MOST_ARGUMENTS], *copies[MOST_ARGUMENTS];
/* For outputs that are read as well: the arrays that variants change in place of data. */
static unsigned char *changed[MOST_ARGUMENTS];

/* A call: its sizes and values (args), the places of its arrays (spots), and the name of the values drawn for inputs. */
struct call {
	union isk_args args;
	struct spot spots[MOST_ARGUMENTS];
	int in_place; /* the input in whose place the first output is; -1: none */
	unsigned null; /* one bit for each argument that is NULL */
	const char *values;
};

static double value(enum values values, size_t i, size_t hot)
{
	switch (values) {
	case POSITIVE:
		return random_in(0, 1);
	case TEN:
		return random_in(-10, 10);
	case HUNDRED:
		return random_in(-110, 110);
	case OFFSET:
		return 1000 + random_in(-1, 1);
	case INTEGERS:
		return (double)random_below(7) - 3;
	case MIXED:
		return ldexp(random_in(-1, 1), (int)random_below(40) - 20);
	case CONSTANT:
		return (double)0.1f;
	case CANCEL:
		return (i % 2 ? -1 : 1) * (1000 + random_in(0, 0x1p-10));
	case ONE_HOT:
		return i == hot;
	case EQUAL:
		return random_below(2) ? 0.0 : -0.0;
	case MASKED:
		return random_below(3) == 0 ? -(double)INFINITY : random_in(-10, 10);
	default:
		return random_in(-1, 1);
	}
}

/* Integers serve as masks too: all of them 0, none, one, and half of them. */
static uint64_t integer(enum values values, size_t i, size_t hot)
{
	switch (values) {
	case POSITIVE:
	case EQUAL:
		return random_below(2);
	case INTEGERS:
		return random_below(7) - 3;
	case CONSTANT:
		return 1;
	case TINY:
		return 0;
	case ONE_HOT:
		return i == hot;
	case CANCEL:
		return i != hot;
	default:
		return random_bits();
	}
}

/*
 * Draws one element of input i from the kind `values`. hot: the index of the only 1 of ONE_HOT; below: the
 * bound of an index.
 */
static void set(int i, size_t element, enum values values, size_t hot, size_t below)
{
	const enum isk_type type = argument_type(kernel, i);
	const int first = i == arguments.ins[0];

	if (argument(kernel, i)->below)
		isk_element_set_bits(type, data[i], element, below ? random_below(below) : 0);
	else if (!isk_element_is_float(type))
		isk_element_set_bits(type, data[i], element, integer(values, element, hot));
	else if (values == TINY)
		isk_element_set_bits(type, data[i], element, random_element(type, KIND_TINY));
	else /* Other inputs get integers where the first one has its only 1, because the product must not vanish. */
		isk_element_set(type, data[i], element,
		                (long double)value(!first && values == ONE_HOT ? INTEGERS : values, element, hot));
}

static size_t elements(struct call *c, int i)
{
	return argument_span(kernel, &c->args, i, 0);
}

/*
 * Ascending numbers up to `most`. One step in three is drawn, and is on average an equal share of the
 * remaining distance; the others are 0.
 */
static void ascend(int i, size_t count, size_t most)
{
	size_t at = 0;

	for (size_t e = 0; e < count; e++) {
		const size_t step = random_below(3) ? random_below(2 * (most - at) / (count - e) + 1) : 0;

		at = step < most - at ? at + step : most;
		isk_element_set_bits(argument_type(kernel, i), data[i], e, at);
	}
}

/*
 * The values of input i in a call that has these values. If they are MASKED, a single input has them, because -Inf in
 * several inputs makes nearly every sum of products NaN. Arrays that may be NULL, such as weights, else have ordinary
 * values.
 */
static enum values values_of(int i, enum values values, int masked)
{
	return values == MASKED ? (i == masked ? MASKED : TEN) : argument(kernel, i)->null ? UNIT : values;
}

/*
 * Gives a matrix of equations a diagonal of powers of two that are larger than the sum of most rows, so that solutions of
 * integers are exact, and errors stay those of a few roundings.
 */
static void raise_diagonal(struct call *c, int i)
{
	const enum isk_type type = argument_type(kernel, i);
	const size_t n = *size_at(kernel, &c->args, argument(kernel, i)->extent[0].size);
	const double large = ldexp(1, 7 + ilogb((double)n + 1));

	for (size_t e = 0; e < n; e++)
		isk_element_set(type, data[i], e * (argument_step(kernel, &c->args, i) + 1), (long double)(random_below(2) ? large : -large));
}

static void fill(struct call *c, enum values values)
{
	const int masked = arguments.in_count ? arguments.ins[random_below((size_t)arguments.in_count)] : -1;

	for (int i = 0; i < kernel->shape->count; i++) {
		const struct isk_argument *a = argument(kernel, i);
		const size_t count = a->extents && (a->role == ISK_IN || a->inout) ? elements(c, i) : 0;
		const size_t hot = random_below(count + 1), below = a->below ? *size_at(kernel, &c->args, a->below - 1) : 0;

		if (a->ascending)
			ascend(i, count, *size_at(kernel, &c->args, a->ascending - 1));
		for (size_t e = 0; !a->ascending && e < count; e++)
			set(i, e, values_of(i, values, masked), hot, below);
		if (a->solved && count && random_below(3))
			raise_diagonal(c, i);
	}
	c->values = value_names[values];
}

static void describe(struct call *c)
{
	char text[400];
	size_t used = 0;

	for (int i = 0; i < kernel->shape->count && used < sizeof(text); i++) {
		const struct isk_argument *a = argument(kernel, i);
		const void *at = isk_argument_at(&c->args, a);

		if (a->role == ISK_SIZE || a->role == ISK_STRIDE)
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s %zu, ", a->name, *(const size_t *)at);
		else if (a->role == ISK_VALUE && isk_element_is_float(a->type))
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s %g, ", a->name,
			                         isk_element_value(a->type, isk_element_bits(a->type, at, 0)));
		else if (c->null >> i & 1)
			used += (size_t)snprintf(text + used, sizeof(text) - used, "no %s, ", a->name);
		else if (a->extents)
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s %zu from the %s edge, ", a->name,
			                         c->spots[i].offset, c->spots[i].edge == LOW ? "lower" : "upper");
	}
	trying("%s%svalues %s", text, c->in_place >= 0 ? "in place, " : "", c->values);
}

static int is_null(const struct call *c, int i)
{
	return c->null >> i & 1;
}

/* Row and column of element e; an array without a stride counts as one row. */
static struct at at_element(union isk_args *args, int i, size_t e)
{
	const size_t step = argument_step(kernel, args, i);

	return AT((uint64_t)i + 1, e / step, e % step);
}

struct text place_in_any(const struct variant *v, struct at at)
{
	const struct isk_argument *a = argument(v->kernel, (int)at.word[0] - 1);
	const unsigned long long row = at.word[1], col = at.word[2];
	struct text text;

	if (!at.word[0])
		snprintf(text.s, sizeof(text.s), "n = %llu", row);
	else if (a->extent[0].stride < 0)
		snprintf(text.s, sizeof(text.s), "%s[%llu]", a->name, col);
	else
		snprintf(text.s, sizeof(text.s), "row %llu, column %llu of %s", row, col, a->name);
	return text;
}

/* The oracle's answers for a call; the results of the twin, if there is one; and the results that were right so far. */
struct truth {
	union isk_args args; /* of the call of the twin */
	struct answers answers;
	struct checked *of[MOST_ARGUMENTS], result;
};

/* Calls the twin on plain memory: its results hold for every alignment, and in place as well. */
static struct truth truth_of(struct variant *v, struct call *c)
{
	struct truth t = {.args = c->args};
	const struct variant *promising = first_promising(v);

	for (int i = 0; i < kernel->shape->count; i++)
		if (argument(kernel, i)->extents)
			*pointer_at(kernel, &t.args, i) = is_null(c, i) ? NULL : data[i];
	t.answers = answers_of(v, &t.args);
	for (int j = 0; j < arguments.out_count; j++) {
		const int i = arguments.outs[j];

		t.of[i] = calloc((is_null(c, i) ? 0 : elements(c, i)) + 1, sizeof(*t.of[i]));
		if (!t.of[i])
			abort();
		if (promising && argument(kernel, i)->inout && !is_null(c, i)) {
			memcpy(copies[i], data[i], argument_bytes(kernel, &t.args, i));
			*pointer_at(kernel, &t.args, i) = copies[i];
		}
	}
	if (promising)
		variant_call(v, promising->twin, &t.args);
	return t;
}

static void truth_free(struct truth *t)
{
	for (int i = 0; i < MOST_ARGUMENTS; i++)
		free(t->of[i]);
	answers_free(&t->answers);
}

static void compare(struct variant *v, struct call *c, struct truth *t, union isk_args *args)
{
	const enum isk_type type = isk_result_type(kernel);
	const int refused = kernel->shape->returns == ISK_RETURNS_STATUS && (int32_t)t->answers.result.bits < 0;

	for (int j = 0; j < arguments.out_count; j++) {
		const int i = arguments.outs[j];
		const enum isk_type out = argument_type(kernel, i);
		const size_t count = is_null(c, i) ? 0 : elements(c, i);
		const void *y = *pointer_at(kernel, args, i);
		const int before = argument(kernel, i)->inout ? i : j == 0 ? c->in_place : -1; /* its previous values; -1: none */

		for (size_t e = 0; e < count; e++) {
			const uint64_t bits = isk_element_bits(out, y, e);
			struct at at;

			if (!refused && was_right(v, bits, &t->of[i][e])) {
				v->checks++;
				continue;
			}
			at = at_element(args, i, e);
			if (!is_element(kernel, args, i, e)) {
				/* The harness looks at the gaps between rows, but not at those of further extents. */
				if (before < 0 && argument(kernel, i)->extents > 2 && !is_unwritten(bits, isk_element_bytes(out)))
					wrong("at %s: written, but between rows", place(v, at).s);
				continue;
			}
			if (refused && (before >= 0 ? bits != isk_element_bits(out, data[before], e)
			                            : !is_unwritten(bits, isk_element_bytes(out))))
				wrong("at %s: written by a call that was refused", place(v, at).s);
			if (refused)
				continue;
			if (t->answers.of[i][e].given == NOT_GIVEN)
				wrong("at %s: the oracle does not say what it is", place(v, at).s);
			check_exact(v, out, bits, &t->answers.of[i][e], &t->of[i][e], at);
			if (v->twin && t->answers.of[i][e].given != BITS)
				check_same(v, out, bits, isk_element_bits(out, *pointer_at(kernel, &t->args, i), e), at);
			t->of[i][e].same |= v->twin != NULL;
		}
	}
	if (type) {
		const struct at at = AT(0, *size_at(kernel, args, arguments.sizes[0]));

		check_exact(v, type, result_bits(kernel, args), &t->answers.result, &t->result, at);
		if (v->twin)
			check_same(v, type, result_bits(kernel, args), result_bits(kernel, &t->args), at);
	}
}

/* One variant's part in a call. */
static void one_of_them(struct variant *v, struct call *c, struct truth *t)
{
	union isk_args args = c->args;

	for (int j = 0; j < arguments.in_count; j++)
		if (!is_null(c, arguments.ins[j]))
			argument_put(kernel, &args, arguments.ins[j], c->spots[arguments.ins[j]], data[arguments.ins[j]]);
	for (int j = 0; j < arguments.out_count; j++) {
		const int i = arguments.outs[j];

		if (j == 0 && c->in_place >= 0)
			argument_in_place(kernel, &args, i, c->in_place);
		else if (!is_null(c, i))
			argument_put(kernel, &args, i, c->spots[i], argument(kernel, i)->inout ? data[i] : NULL);
	}
	variant_call(v, v->fn, &args);
	slots_check();
	compare(v, c, t, &args);
}

static void one(struct variant *v, struct call *c)
{
	struct truth t;

	spare(v);
	if (!taking_part(v))
		return;
	describe(c);
	t = truth_of(v, c);
	for (struct variant *each = taking_part(v); each; each = taking_part(each->next))
		one_of_them(each, c, &t);
	truth_free(&t);
}

/*
 * Fast suites make only some of the calls on many elements, because oracles take most of the time: one in
 * one_of * more.
 */
static int is_left_out(const struct variant *v, struct call *c, size_t more)
{
	size_t most = 0;

	for (int i = 0; i < kernel->shape->count; i++)
		if (argument(kernel, i)->extents && most < elements(c, i))
			most = elements(c, i);
	return v->one_of && most > FEW && random_below(most > MANY ? 3 * v->one_of * more : v->one_of * more);
}

static void perhaps_one(struct variant *v, struct call *c)
{
	if (!is_left_out(v, c, (size_t)arguments.in_count + 1))
		one(v, c);
}

/* Sets the strides of an array whose extents lie in memory in a random order; the elements of an extent of stride 0 coincide. */
static void draw_order(struct call *c, const struct isk_argument *a)
{
	int axes[ISK_MOST_EXTENTS];
	size_t span = 1;

	for (int e = 0; e < a->extents; e++) {
		const int other = (int)random_below((size_t)e + 1);

		axes[e] = axes[other];
		axes[other] = e;
	}
	for (int e = 0; e < a->extents; e++) {
		const size_t size = *size_at(kernel, &c->args, a->extent[axes[e]].size);
		size_t *stride = size_at(kernel, &c->args, a->extent[axes[e]].stride);

		*stride = random_below(8) ? span + (random_below(2) ? random_below(4) : 0) : 0;
		span += size ? (size - 1) * *stride : 0;
	}
}

/* Sets each stride to the elements of a row, or of a plane, plus a random gap: elements alone are 1, 2, 3, 4, 7 ... apart. */
static void draw_strides(struct call *c)
{
	for (int i = 0; i < kernel->shape->count; i++) {
		const struct isk_argument *a = argument(kernel, i);

		if (a->any_order)
			draw_order(c, a);
		for (int e = a->extents - 1; e >= 0 && !a->any_order; e--)
			if (a->extent[e].stride >= 0)
				*size_at(kernel, &c->args, a->extent[e].stride) =
					isk_argument_span(kernel, &c->args, a, e + 1) +
					random_gap(argument_type(kernel, i)) * (1 + random_below(2));
	}
}

/* A value that the call refuses, one time in 16; another otherwise. */
static size_t integer_value(const struct isk_argument *a)
{
	if (!a->limit)
		return random_below(100);
	return random_below(16) ? random_below((size_t)a->limit) : (size_t)a->limit + random_below(100);
}

static struct call call_of(const size_t *sizes)
{
	static const float epsilons[] = {1e-5f, 1e-12f, 1e-6f, 1.0f, 0.5f, 0.1f}, scalars[] = {0.5f, -1.25f, 0, 3, 1, 0.1f};
	struct call c = {.in_place = -1};

	for (int i = 0; i < arguments.size_count; i++)
		*size_at(kernel, &c.args, arguments.sizes[i]) = sizes[i];
	for (int j = 0; j < arguments.value_count; j++) {
		const struct isk_argument *a = argument(kernel, arguments.values[j]);
		void *at = isk_argument_at(&c.args, a);

		if (a->type == ISK_F32)
			*(float *)at = epsilons[random_below(6)];
		else if (a->type == ISK_F64)
			*(double *)at = a->variable && isk_element_is_float(argument_type(kernel, arguments.values[j]))
			                    ? (double)scalars[random_below(6)]
			                    : (double)random_below(100);
		else if (a->type == ISK_S64)
			*(int64_t *)at = random_whole();
		else
			*(int32_t *)at = (int32_t)integer_value(a);
	}
	draw_strides(&c); /* after the values, of which one may say that a matrix is transposed */
	for (int i = 0; i < kernel->shape->count; i++) {
		c.spots[i].edge = random_below(2) ? LOW : HIGH;
		if (argument(kernel, i)->null && random_below(2))
			c.null |= 1u << i;
	}
	return c;
}

/* The input in whose place the first output may be, if both have one type; -1: none. */
static int in_place_of(void)
{
	if (!arguments.out_count)
		return -1;
	for (int j = 0; j < arguments.in_count; j++)
		if (argument(kernel, arguments.outs[0])->may_be >> arguments.ins[j] & 1
		    && argument_type(kernel, arguments.outs[0]) == argument_type(kernel, arguments.ins[j]))
			return arguments.ins[j];
	return -1;
}

static int fits(struct call *c)
{
	for (int i = 0; i < kernel->shape->count; i++)
		if (argument(kernel, i)->extents && argument_bytes(kernel, &c->args, i) > ROOM_FOR_ONE)
			return 0;
	return 1;
}

static void random_one(struct variant *v, const size_t *sizes, enum values values)
{
	struct call c = call_of(sizes);
	const int in_place = in_place_of();

	if (!fits(&c) || is_left_out(v, &c, 1))
		return;
	fill(&c, values);
	one(v, &c);
	if (in_place < 0 || random_below(3))
		return;
	c.in_place = in_place;
	for (int e = 0; e < argument(kernel, in_place)->extents; e++) {
		const int from = argument(kernel, in_place)->extent[e].stride;
		const int to = argument(kernel, arguments.outs[0])->extent[e].stride;

		if (to >= 0)
			*size_at(kernel, &c.args, to) = *size_at(kernel, &c.args, from);
	}
	one(v, &c);
}

/* Whether a size of the shape is that of the rows and of the columns of a matrix. */
static int has_square(void)
{
	for (int i = 0; i < kernel->shape->count; i++) {
		const struct isk_argument *a = argument(kernel, i);

		if (a->extents == 2 && a->extent[0].size == a->extent[1].size)
			return 1;
	}
	return 0;
}

/* The largest square in most of the calls of fast suites, and in their largest products. */
enum { SQUARE = 70, LARGE_SQUARE = 150 };

/* Every length of one extent, while the others are small. */
static void every_size(struct variant *v)
{
	static const size_t large[] = {383,  511,  512,  1000, 1023, 1025, 2047,  2048, 2049,
	                               4095, 4099, 6145, 8191, 8193, 12289, 65537};
	const int small = v->one_of && has_square();
	const size_t most = small ? SQUARE : 4 * 64 + 4, count = most + (small ? 3 : sizeof(large) / sizeof(large[0]));

	/* If there is one size, every kind of values is tried for it, else up to three random kinds. */
	const size_t kinds = arguments.size_count == 1 ? VALUES : arguments.size_count < 4 ? 3 : 1;

	for (int s = 0; s < arguments.size_count; s++)
		for (size_t i = 0; i < count; i++)
			for (size_t j = 0; j < kinds; j++) {
				size_t sizes[MOST_ARGUMENTS];

				for (int other = 0; other < arguments.size_count; other++)
					sizes[other] = 1 + random_below(3);
				sizes[s] = i < most ? i : large[i - most];
				random_one(v, sizes, (enum values)(kinds < VALUES ? random_below(VALUES) : j));
			}
}

/* Sets the last two sizes to a and b, and all sizes before them to `others`. */
static void random_pair(struct variant *v, size_t others, size_t a, size_t b, enum values values)
{
	size_t sizes[MOST_ARGUMENTS];

	for (int i = 0; i < arguments.size_count; i++)
		sizes[i] = i + 1 == arguments.size_count ? b : i + 2 == arguments.size_count ? a : others;
	random_one(v, sizes, values);
}

/* Two extents: all small sizes, some large ones, and rows that lie a power of two apart. */
static void every_pair(struct variant *v)
{
	for (size_t a = 0; a < 70; a++)
		for (size_t b = 0; b < 70; b++) {
			/*
			 * Fast suites draw half of the pairs, or a third if each call draws further sizes as well,
			 * because an error at one b shows at many a.
			 */
			if (v->one_of && random_below(arguments.size_count > 3 ? 3 : 2))
				continue;
			random_pair(v, random_below(4), a, b, (enum values)random_below(VALUES));
		}
	for (int i = 0; i < 8 && has_square(); i++)
		random_pair(v, 1, random_below(LARGE_SQUARE), random_below(LARGE_SQUARE), (enum values)random_below(VALUES));
	for (int i = 0; i < 60 && !has_square(); i++) {
		const size_t pairs[][3] = {{random_below(3), random_below(500), random_below(500)},
		                           {1 + random_below(3), random_below(20), random_below(9000)},
		                           {1 + random_below(3), random_below(9000), random_below(20)},
		                           {1, (size_t)64 << random_below(4), (size_t)64 << random_below(4)}};

		for (size_t p = 0; p < sizeof(pairs) / sizeof(pairs[0]); p++)
			random_pair(v, pairs[p][0], pairs[p][1], pairs[p][2], (enum values)random_below(VALUES));
	}
}

static const size_t some_sizes[] = {1, 2, 3, 5, 8, 13, 17, 31, 33, 67, 130, 195, 259, 515};

/* The last extent has this size, those before it are 2. */
static struct call two_rows(size_t size)
{
	size_t sizes[MOST_ARGUMENTS];

	for (int i = 0; i < arguments.size_count; i++)
		sizes[i] = i + 1 < arguments.size_count ? 2 : size;
	return call_of(sizes);
}

/* The bits depend on the values alone, not on their addresses. */
static void every_alignment(struct variant *v)
{
	for (size_t s = 0; s < sizeof(some_sizes) / sizeof(some_sizes[0]); s += 2) {
		struct call c = two_rows(some_sizes[s]);
		const int first = arguments.out_count ? arguments.outs[0] : arguments.ins[0];
		const int second = arguments.out_count ? arguments.ins[0] : arguments.ins[arguments.in_count - 1];
		const size_t step_a = isk_element_bytes(argument_type(kernel, first));
		const size_t step_b = isk_element_bytes(argument_type(kernel, second));

		fill(&c, TEN);
		for (size_t a = 0; a < 64; a += step_a)
			for (size_t b = 0; b < (first == second ? step_b : 64); b += step_b) {
				for (int i = 0; i < kernel->shape->count; i++)
					if (argument(kernel, i)->extents)
						c.spots[i] = (struct spot){LOW, random_below(16) * isk_element_bytes(argument_type(kernel, i))};
				c.spots[second].offset = b;
				c.spots[first].offset = a;
				perhaps_one(v, &c);
			}
	}
}

/* NaNs and infinities, which spread or must not; ordinary values; zeros and denormals; numbers whose squares overflow. */
static const uint32_t lane_values[] = {0x7fc00000, 0x7f800001, 0xffc00001, 0x7f800000, 0xff800000, 0x3f800000, 0x42c80000,
                                       0x80000000, 0xbf800000, 0x00000001, 0x807fffff, 0x5b800000, 0xdb800000,
                                       0x7e967699, 0xfe967699};

static int strided(int i)
{
	return argument(kernel, i)->extents == 2 && argument(kernel, i)->extent[0].stride >= 0;
}

static void put(int i, size_t element, uint32_t bits)
{
	isk_element_set(argument_type(kernel, i), data[i], element, (long double)f32_of(bits));
}

/* Elements from one element of a row to the next. */
static size_t from_one_to_next(struct call *c, int i)
{
	const int stride = argument(kernel, i)->extent[argument(kernel, i)->extents - 1].stride;

	return stride < 0 ? 1 : *size_at(kernel, &c->args, stride);
}

/*
 * One special value at every place, alone and beside another one; an infinity also above the opposite one, in
 * one column.
 */
static void every_lane(struct variant *v)
{
	static const size_t count = sizeof(lane_values) / sizeof(lane_values[0]);

	for (size_t s = 0; s < sizeof(some_sizes) / sizeof(some_sizes[0]) - 1; s++)
		for (size_t i = 0; i < count && !(v->one_of && has_square() && some_sizes[s] > SQUARE); i++)
			for (int j = 0; j < arguments.in_count; j++) {
				const int input = arguments.ins[j];
				struct call c = two_rows(some_sizes[s]);
				const enum isk_type type = argument_type(kernel, input);
				const size_t step = strided(input) ? argument_step(kernel, &c.args, input) : 0;
				const size_t apart = from_one_to_next(&c, input);

				if (!isk_element_is_float(type))
					continue;
				fill(&c, i % 2 ? UNIT : i % 4 == 0 ? EQUAL : arguments.in_count == 1 ? MASKED : TEN);
				for (size_t lane = 0; lane < some_sizes[s]; lane++) {
					const size_t place = lane * apart, other = random_below(some_sizes[s]) * apart;
					const uint64_t was = isk_element_bits(type, data[input], place);
					const uint64_t other_was = isk_element_bits(type, data[input], other);

					put(input, place, lane_values[i]);
					perhaps_one(v, &c);
					if (lane % 3 == 0) {
						put(input, other, lane_values[lane % 2 ? i : random_below(count)]);
						perhaps_one(v, &c);
					}
					isk_element_set_bits(type, data[input], other, other_was);
					if (step && isinf(f32_of(lane_values[i]))) {
						const uint64_t below = isk_element_bits(type, data[input], lane + step);

						put(input, lane + step, lane_values[i] ^ 1u << 31);
						perhaps_one(v, &c);
						isk_element_set_bits(type, data[input], lane + step, below);
					}
					isk_element_set_bits(type, data[input], place, was);
				}
			}
}

/*
 * An index out of range, or out of order, at any place and size: the oracle refuses the call, which must
 * write nothing.
 */
static void bad_indices(struct variant *v)
{
	for (int j = 0; j < arguments.in_count; j++) {
		const int i = arguments.ins[j], ascending = argument(kernel, i)->ascending;
		const enum isk_type type = argument_type(kernel, i);
		const int limit = ascending ? ascending : argument(kernel, i)->below;

		for (size_t s = 0; limit && s < sizeof(some_sizes) / sizeof(some_sizes[0]); s++)
			for (int bad = 0; bad < 6; bad++) {
				struct call c = two_rows(some_sizes[s]);
				const int64_t below = (int64_t)*size_at(kernel, &c.args, limit - 1) + !!ascending;
				int64_t indices[] = {below, below + 1, -1, INT32_MIN, INT32_MAX, INT64_MIN};
				const size_t count = elements(&c, i);
				size_t at;

				fill(&c, UNIT);
				if (!count || is_null(&c, i))
					continue;
				at = random_below(count);
				if (ascending && at)
					indices[5] = (int64_t)isk_element_bits(type, data[i], at - 1) - 1;
				isk_element_set_bits(type, data[i], at, (uint64_t)indices[bad]);
				c.values = "an index out of range";
				one(v, &c);
			}
	}
}

/* All elements have one special value. */
static void whole_rows(struct variant *v)
{
	for (size_t i = 0; i < sizeof(lane_values) / sizeof(lane_values[0]); i++)
		for (size_t size = 1; size < 70; size++) {
			struct call c = two_rows(size);

			if (!isk_element_is_float(argument_type(kernel, arguments.ins[0])))
				return;
			fill(&c, UNIT);
			for (size_t e = 0; e < size; e++)
				put(arguments.ins[0], e * from_one_to_next(&c, arguments.ins[0]), lane_values[i]);
			c.values = "one row of a special value";
			one(v, &c);
		}
}

/* Whether the shape has integers among its values, such as `ahead`, that may leave out most of a row. */
static int has_integer_value(void)
{
	int found = 0;

	for (int i = 0; i < arguments.value_count; i++)
		found |= !isk_element_is_float(argument_type(kernel, arguments.values[i])) && !argument(kernel, arguments.values[i])->limit;
	return found;
}

/*
 * A long row of one input is all -Inf, as that of a mask may be; no kernel has longer blocks of a row than 512 f32. There
 * are several calls if a drawn value may leave out most of the row.
 */
static void masked_rows(struct variant *v)
{
	const int calls = has_integer_value() ? 8 : 1;

	for (int j = 0; j < calls * arguments.in_count; j++) {
		const int input = arguments.ins[j % arguments.in_count];
		const size_t size = 513 + random_below(500); /* a square of f64 with these rows fits in ROOM_FOR_ONE */
		struct call c = two_rows(size);

		if (!isk_element_is_float(argument_type(kernel, input)))
			continue;
		c.null &= ~(1u << input);
		fill(&c, TEN);
		for (size_t e = 0; e < size && e * from_one_to_next(&c, input) < elements(&c, input); e++)
			isk_element_set(argument_type(kernel, input), data[input], e * from_one_to_next(&c, input), -(long double)INFINITY);
		c.values = "one row of -Inf";
		one(v, &c);
	}
}

/* All numbers of a call have one exponent, from `least` to `most`. */
static void of_one_exponent(struct variant *v, size_t size, int least, int most)
{
	const int exponent = least + (int)random_below((size_t)(most - least + 1));
	struct call c = two_rows(size);

	fill(&c, TEN);
	for (int j = 0; j < arguments.in_count; j++) {
		const int i = arguments.ins[j];
		const size_t count = isk_element_is_float(argument_type(kernel, i)) && !argument(kernel, i)->null ? elements(&c, i) : 0;

		for (size_t e = 0; e < count; e++)
			isk_element_set(argument_type(kernel, i), data[i], e,
			                ldexpl((random_below(2) ? 1 : -1) * (long double)random_in(1, 2), exponent));
	}
	c.values = "of one exponent";
	one(v, &c);
}

/*
 * Numbers whose squares are from the least denormal to the least normal number, or add up to nearly the greatest number, or
 * are infinite, while their sum is not. Kernels that scale such sums decide there whether they do.
 */
static void around_roots(struct variant *v)
{
	const enum isk_type type = argument_type(kernel, arguments.ins[0]);
	const struct isk_format f = isk_format_of(type);

	for (size_t s = 0; s < sizeof(some_sizes) / sizeof(some_sizes[0]) && isk_element_is_float(type); s++) {
		for (int i = 0; i < 3; i++)
			of_one_exponent(v, some_sizes[s], (1 - f.bias - f.fraction) / 2 - 2, (1 - f.bias) / 2 + 2);
		of_one_exponent(v, some_sizes[s], f.bias / 2 - 16, f.bias / 2 - 7);
		of_one_exponent(v, some_sizes[s], f.bias / 2 - 7, f.bias - 11);
	}
}

/*
 * Long arrays, because a bound must hold there too, where roundings all go one way. And matrices of 600 rows
 * or more that exceed the second-level cache.
 */
static void long_ones(struct variant *v)
{
	const size_t bytes = isk_element_bytes(argument_type(kernel, arguments.ins[0]));
	const size_t length[] = {1000003}, rows = 600 + random_below(100);

	for (int values = 0; values < VALUES && arguments.size_count == 1; values++)
		random_one(v, length, (enum values)values);
	if (arguments.size_count > 1 && !has_square())
		random_pair(v, 1, rows, ((size_t)6 << 20) / 600 / bytes, UNIT);
}

/* The bytes of n elements of argument i. */
static size_t bytes_of(int i, size_t n)
{
	return isk_bytes_of(argument_type(kernel, i), argument_parts(kernel, i) * n);
}

/* The rows that a matrix is stored as or, if `across` is 1, its columns. */
static size_t rows_of(union isk_args *args, int i, int across)
{
	const struct isk_argument *a = argument(kernel, i);

	return *size_at(kernel, args, a->extent[isk_argument_is_turned(kernel, args, a) ? 1 - across : across].size);
}

static void copy_far(struct call *c, union isk_args *far, int i, int back)
{
	const struct isk_argument *a = argument(kernel, i);
	const size_t rows = rows_of(&c->args, i, 0), row = bytes_of(i, rows_of(&c->args, i, 1));
	const size_t near = bytes_of(i, *size_at(kernel, &c->args, a->extent[0].stride)), there_apart = bytes_of(i, FAR);
	void *there = *pointer_at(kernel, far, i), *here = *pointer_at(kernel, &c->args, i);

	if (back)
		copy_rows(here, near, there, there_apart, rows, row);
	else
		copy_rows(there, there_apart, here, near, rows, row);
}

/* Sets the outputs that are read as well to their values from before the calls, and marks the others. */
static void begin_far(struct call *c, union isk_args *far)
{
	for (int j = 0; j < arguments.out_count; j++) {
		const int i = arguments.outs[j];
		const size_t bytes = argument_bytes(kernel, &c->args, i);

		if (argument(kernel, i)->inout)
			memcpy(changed[i], data[i], bytes);
		else
			mark_unwritten(copies[i], bytes);
		if (strided(i))
			copy_far(c, far, i, 0);
	}
}

/* Rows more than 2^32 elements apart. Inputs are copied there from close rows, and outputs back to close rows. */
static void far_strides(struct variant *v, size_t rows, size_t cols)
{
	struct call c = call_of((size_t[]){rows, cols, 1});
	union isk_args far = c.args;
	struct truth t;
	int there = 0;

	for (int i = 0; i < kernel->shape->count; i++)
		there += strided(i);
	if (!there || arguments.size_count != 2)
		return;
	c.null = 0;
	fill(&c, TEN);
	describe(&c);
	for (int i = 0; i < kernel->shape->count; i++) {
		const struct isk_argument *a = argument(kernel, i);

		if (!a->extents)
			continue;
		*pointer_at(kernel, &c.args, i) = *pointer_at(kernel, &far, i) =
			a->inout ? changed[i] : a->role == ISK_OUT ? copies[i] : data[i];
		if (!strided(i))
			continue;
		*size_at(kernel, &far, a->extent[0].stride) = FAR;
		*pointer_at(kernel, &far, i) =
			far_rows(rows_of(&far, i, 0), bytes_of(i, rows_of(&far, i, 1)), bytes_of(i, FAR));
		if (!*pointer_at(kernel, &far, i))
			return;
		if (a->role == ISK_IN)
			copy_far(&c, &far, i, 0);
	}
	trying("%zu by %zu, rows %zu elements apart", rows, cols, FAR);
	t = truth_of(v, &c);
	for (struct variant *each = v; each; each = each->next) {
		begin_far(&c, &far);
		variant_call(each, each->fn, &far);
		c.args.result = far.result;
		for (int j = 0; j < arguments.out_count; j++)
			if (strided(arguments.outs[j]))
				copy_far(&c, &far, arguments.outs[j], 1);
		compare(each, &c, &t, &c.args);
	}
	truth_free(&t);
	for (int i = 0; i < kernel->shape->count; i++)
		if (strided(i))
			far_free(*pointer_at(kernel, &far, i), rows_of(&far, i, 0), bytes_of(i, rows_of(&far, i, 1)), bytes_of(i, FAR));
}

/* A call that has nothing to write ends at once, however large the other sizes are, and touches no array. */
static void nothing(struct variant *v)
{
	static const size_t huge[] = {SIZE_MAX / 32, SIZE_MAX};

	for (int zero = 0; zero < arguments.size_count; zero++)
		for (int h = 0; h < 2; h++) {
			struct call c = {.in_place = -1};
			size_t outputs = arguments.out_count == 0;

			for (int i = 0; i < arguments.size_count; i++)
				*size_at(kernel, &c.args, arguments.sizes[i]) = i == zero ? 0 : huge[h];
			for (int i = 0; i < arguments.stride_count; i++)
				*size_at(kernel, &c.args, arguments.strides[i]) = huge[h];
			for (int j = 0; j < arguments.out_count; j++)
				outputs += elements(&c, arguments.outs[j]) != 0;
			if (outputs)
				continue;
			c.values = "none";
			describe(&c);
			for (struct variant *each = v; each; each = each->next)
				variant_call(each, each->fn, &c.args);
		}
}

void drive_any(struct variant *v)
{
	kernel = v->kernel;
	arguments = arguments_of(kernel);
	for (int i = 0; i < kernel->shape->count; i++)
		if (argument(kernel, i)->extents
		    && (!(data[i] = calloc(1, ROOM_FOR_ONE))
		        || (argument(kernel, i)->role == ISK_OUT && !(copies[i] = calloc(1, ROOM_FOR_ONE)))
		        || (argument(kernel, i)->inout && !(changed[i] = calloc(1, ROOM_FOR_ONE)))))
			abort();
	nothing(v);
	every_size(v);
	if (arguments.size_count > 1)
		every_pair(v);
	every_alignment(v);
	bad_indices(v);
	every_lane(v);
	whole_rows(v);
	masked_rows(v);
	around_roots(v);
	long_ones(v);
	far_strides(v, 7, 70);
	far_strides(v, 70, 66);
}
