/* SPDX-License-Identifier: MIT */
/*
 * All numbers come from 64 random bits by integer operations. No rounding lies between the seed and an input,
 * so inputs depend neither on how a compiler treats floating-point expressions nor on the length of a long
 * double.
 */
#include "cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "harness.h"
#include "order.h"

/* Sizes around tails and blocks. */
static const size_t sizes[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,   9,   10,  11,  12,  13,  14,  15,  16,
                               17, 31, 32, 33, 47, 63, 64, 65, 100, 127, 128, 129, 255, 256, 257, 1000, 4097};
enum { SIZES = sizeof(sizes) / sizeof(*sizes), MIXED = 60, CONVOLUTIONS = 150 };

/* The limits of a case: elements of an array; the product of all sizes, or the multiplications of a convolution. */
#define MOST_ELEMENTS ((size_t)1 << 16)
#define MOST_WORK     ((size_t)1 << 20)

enum drawn { NEAR, WIDE, ANY, SPECIAL, SMALL, POSITIVE, DRAWN };

static const char *const drawn_names[DRAWN] = {
	"near 1", "of many magnitudes", "of any bits", "near 1, some special", "small integers", "positive, or 0 and 1",
};

/* The kind of values of the case that was placed last. */
static enum drawn drawn;

/* Zeros, denormals, neighbours of powers of 2, the ends of halves and of odd numbers, the largest, infinity, NaN. */
static uint64_t special_float(enum isk_type type, size_t i)
{
	const struct isk_format f = isk_format_of(type);
	const uint64_t one = (uint64_t)f.bias << f.fraction, step = (uint64_t)1 << f.fraction;
	const uint64_t top = isk_infinity_bits(type), halves = (uint64_t)(f.bias + f.fraction - 1) << f.fraction;
	const uint64_t values[] = {0,       1,        step - 1,      step,        step + 1, one - step, one - 1, one,
	                           one + 1, one + step, halves + 1, halves + step + 1, top - 1, top, top | step >> 1};

	return values[i % (sizeof(values) / sizeof(*values))];
}

/* -3 to 3. */
static uint64_t small_float(enum isk_type type, size_t i)
{
	const struct isk_format f = isk_format_of(type);
	const uint64_t one = (uint64_t)f.bias << f.fraction, two = one + ((uint64_t)1 << f.fraction);
	const uint64_t values[] = {0, one, two, two + ((uint64_t)1 << (f.fraction - 1))};

	return i < 4 ? values[i] : values[i - 3] | isk_sign_bit(type);
}

/*
 * A sign, one of `count` exponents from `least` on (0 is the exponent of 1), and a fraction. Exponents below
 * the type's least become denormals.
 */
static uint64_t of_exponents(enum isk_type type, uint64_t bits, int least, int count)
{
	const struct isk_format f = isk_format_of(type);
	const int exponent = f.bias + least + (int)(bits >> 52 & 0x7ff) % count;

	return (bits >> 63 ? isk_sign_bit(type) : 0) | (uint64_t)(exponent > 0 ? exponent : 0) << f.fraction
	       | (bits & (((uint64_t)1 << f.fraction) - 1));
}

static uint64_t float_of(enum isk_type type, enum drawn how, uint64_t bits)
{
	const int bias = isk_format_of(type).bias;

	switch (how) {
	case WIDE:
		return of_exponents(type, bits, -bias / 2, bias + 1);
	case ANY:
		return bits & (UINT64_MAX >> (64 - isk_element_width(type)));
	case SPECIAL:
		if (bits >> 52 & 0xf)
			return of_exponents(type, bits, -8, 12);
		return special_float(type, bits & 0xffff) | (bits >> 63 ? isk_sign_bit(type) : 0);
	case SMALL:
		return small_float(type, bits % 7);
	case POSITIVE:
		return of_exponents(type, bits & INT64_MAX, -8, 12);
	default:
		return of_exponents(type, bits, -8, 12);
	}
}

/* An integer: of every magnitude, of any bits, one of the ends, a small one, or 0 or 1. */
static uint64_t integer_of(enum isk_type type, enum drawn how, uint64_t bits)
{
	const int width = isk_element_width(type);
	const uint64_t all = UINT64_MAX >> (64 - width), top = (uint64_t)1 << (width - 1);
	const uint64_t ends[] = {0, 1, all, top, top - 1, top + 1, all - 1};

	switch (how) {
	case ANY:
		return bits & all;
	case SPECIAL:
		return bits >> 60 ? bits & all : ends[bits % 7];
	case SMALL:
		return (bits % 7 - 3) & all;
	case POSITIVE:
		return bits & 1;
	default:
		return (uint64_t)((int64_t)bits >> (bits & 63)) & all;
	}
}

static uint64_t element(enum isk_type type, enum drawn how)
{
	const uint64_t bits = random_bits();

	return isk_element_is_float(type) ? float_of(type, how, bits) : integer_of(type, how, bits);
}

static void fill(enum isk_type type, void *x, size_t count, enum drawn how)
{
	for (size_t i = 0; i < count; i++)
		isk_element_set_bits(type, x, i, element(type, how));
}

/* Ascending numbers from 0 to `most`. Each step is on average an equal share of the remaining distance. */
static void ascend(enum isk_type type, void *x, size_t count, size_t most)
{
	size_t at = 0;

	for (size_t i = 0; i < count; i++) {
		const size_t step = random_below(2 * (most - at) / (count - i) + 1);

		at = step < most - at ? at + step : most;
		isk_element_set_bits(type, x, i, at);
	}
}

/* In one case of 8, one index is out of range. */
static void indices(struct job *job, const struct isk_argument *a, void *x, size_t count)
{
	const enum isk_type type = isk_argument_type(job->kernel, a);
	const size_t limit = job_size(job, (a->ascending ? a->ascending : a->below) - 1);

	if (a->ascending)
		ascend(type, x, count, limit);
	else
		for (size_t i = 0; i < count; i++)
			isk_element_set_bits(type, x, i, random_below(limit));
	if (count && random_below(8) == 0) {
		const size_t at = random_below(count);

		isk_element_set_bits(type, x, at, random_below(2) ? UINT64_MAX : limit + !!a->ascending);
	}
}

/* The bytes of outputs before the call. */
enum { POISON = 0xa5 };

static void draw_elements(struct job *job, const struct isk_argument *a, void *x, size_t count)
{
	const enum isk_type type = isk_argument_type(job->kernel, a);

	if (a->role == ISK_OUT && !a->inout)
		memset(x, POISON, a->packed ? count : isk_bytes_of(type, count));
	else if (a->below || a->ascending)
		indices(job, a, x, count);
	else
		fill(isk_part_type(type), x, isk_parts(type) * count, drawn);
}

static size_t draw_offset(size_t multiple)
{
	return random_below(64) * multiple;
}

static void *drawn_array(struct job *job, enum isk_type type, size_t count, enum drawn how)
{
	const size_t bytes = isk_element_bytes(type);
	void *x = job_array(job, count * bytes, bytes);

	fill(type, x, count, how);
	return x;
}

static float drawn_float(int least, int count)
{
	return f32_of((uint32_t)of_exponents(ISK_F32, random_bits(), least, count));
}

/* None, one, or one for each column. */
static size_t none_one_or_all(size_t n)
{
	const size_t count = random_below(3);

	return count == 2 ? n : count;
}

/* Zero points of integers. `rows` is 0 for a convolution, which has no zero points by row. */
static void draw_zeros(struct job *job, size_t rows, size_t n)
{
	struct isk_post *p = &job->post;
	const size_t zeros = random_below(3);

	if (zeros == 1)
		p->a_zero = draw_zero(type_a(job->kernel));
	if (zeros == 2 && rows) {
		int32_t *zero = job_array(job, rows * sizeof(*zero), sizeof(*zero));

		for (size_t i = 0; i < rows; i++)
			zero[i] = draw_zero(type_a(job->kernel));
		p->row_zero = zero;
	}
	p->b_zeros = none_one_or_all(n);
	if (p->b_zeros) {
		int32_t *zero = job_array(job, p->b_zeros * sizeof(*zero), sizeof(*zero));

		for (size_t i = 0; i < p->b_zeros; i++)
			zero[i] = draw_zero(ISK_S8);
		p->b_zero = zero;
	}
}

/* The other operand of a binary operation: C itself (argument 0 of every shape with a post) or an array of its own. */
static void draw_other(struct job *job, size_t rows, size_t n, size_t ldc)
{
	struct isk_post *p = &job->post;

	p->binary = random_below(2) ? (enum isk_binary)random_below(ISK_BINARY_AXPY + 1) : ISK_BINARY_NONE;
	p->other_scale = (double)drawn_float(-8, 12);
	if (!p->binary)
		return;
	if (random_below(2)) {
		p->other = *(void **)isk_argument_at(&job->args, &job->kernel->shape->arguments[0]);
		p->ldother = ldc;
	} else {
		p->ldother = n + random_below(4);
		p->other = drawn_array(job, type_c(job->kernel), rows * p->ldother, drawn);
	}
}

/* The rows of C, their length and their stride. The rows of a convolution's output are its pixels. */
static void rows_of(struct job *job, size_t *rows, size_t *n, size_t *ldc)
{
	const struct isk_argument *c = &job->kernel->shape->arguments[0];
	const int last = c->extents - 1;

	if (c->measured) {
		const int is_image = strcmp(c->measured, "image") == 0;
		const size_t ld = is_image ? job->conv.ldx : job->conv.ldy;

		*n = is_image ? job->conv.channels : job->conv.out_channels;
		*ldc = ld ? ld : *n;
		*rows = *ldc ? elements_of(job->kernel, &job->args, &job->conv, c) / *ldc : 0;
	} else {
		*n = job_size(job, c->extent[last].size);
		*rows = job_size(job, c->extent[last - 1].size);
		*ldc = job_size(job, c->extent[last - 1].stride);
	}
}

static int draw_post(struct job *job)
{
	const struct isk_kernel *k = job->kernel;
	const int measured = k->shape->arguments[0].measured != NULL, batch = k->shape->arguments[0].extents > 2;
	struct isk_post *p = &job->post;
	size_t rows, n, ldc;

	rows_of(job, &rows, &n, &ldc);
	if (random_below(32) == 0)
		p->first_column = 8;
	if (integers(k))
		draw_zeros(job, measured ? 0 : rows, n);
	if (quantized(k)) {
		p->out_scale = f32_of((uint32_t)of_exponents(ISK_F32, random_bits() & INT64_MAX, -2, 16));
		p->out_zero = draw_zero(type_c(k));
	}
	if (type_c(k) == ISK_S32 || (!quantized(k) && random_below(3) == 0))
		return random_below(3) != 0;
	p->scales = none_one_or_all(n);
	/* Sums of products of integers are in the thousands, while the operations after them are interesting near 1. */
	if (p->scales && integers(k)) {
		float *scale = job_array(job, p->scales * sizeof(*scale), sizeof(*scale));

		for (size_t i = 0; i < p->scales; i++)
			scale[i] = drawn_float(-16, 12);
		p->scale = scale;
	} else if (p->scales) {
		p->scale = drawn_array(job, type_post(k), p->scales, NEAR);
	}
	if (random_below(2))
		p->bias = drawn_array(job, type_post(k), n, drawn);
	if (!measured && random_below(3) == 0)
		p->row_scale = drawn_array(job, type_post(k), rows, NEAR);
	p->act = activation_for(k, (enum isk_activation)random_below(ISK_ACT_SILU + 1));
	p->act_a = p->act == ISK_ACT_HARDTANH ? -0.75 : 0.125;
	p->act_b = 1.25;
	/* A batch would need as many matrices. */
	if (!batch)
		draw_other(job, rows, n, ldc);
	return 1;
}

static const struct job_values draws = {draw_elements, draw_post, draw_offset};

/* One value in 8 is special. */
static float drawn_value(enum drawn how)
{
	const uint64_t bits = random_bits();

	return f32_of((uint32_t)(random_below(8) ? float_of(ISK_F32, how, bits)
	                                         : special_float(ISK_F32, bits & 0xffff) | (bits >> 63) << 31));
}

/*
 * A value of the given type; if elements are small, it is small too, so that some are equal to it. 0: the
 * base of a power.
 */
static double drawn_double(enum isk_type type)
{
	if (!type)
		return (double)(2 + random_below(20000));
	return isk_element_is_float(type) ? (double)drawn_value(drawn == SMALL ? SMALL : NEAR)
	                                  : (double)random_below(drawn == SMALL ? 4 : 100);
}

static void draw_value(struct job *job, const struct isk_argument *a)
{
	void *at = isk_argument_at(&job->args, a);

	if (a->type == ISK_F32)
		*(float *)at = drawn_value(POSITIVE);
	else if (a->type == ISK_F64)
		*(double *)at = drawn_double(a->variable ? isk_argument_type(job->kernel, a) : 0);
	else if (a->type == ISK_S64)
		*(int64_t *)at = random_whole();
	else if (a->limit)
		*(int32_t *)at = (int32_t)random_below((size_t)a->limit);
	else
		*(int32_t *)at = (int32_t)random_below(random_below(2) ? 4 : 64);
}

/* Whether size i is drawn, that is, not the room for a packed matrix. */
static int is_drawn(const struct isk_shape *shape, int i)
{
	return shape->arguments[i].role == ISK_SIZE && (is_extent(shape, i) || !shape->arguments[0].packed);
}

static size_t sizes_drawn(const struct isk_shape *shape)
{
	size_t count = 0;

	for (int i = 0; i < shape->count; i++)
		count += (size_t)is_drawn(shape, i);
	return count;
}

static int is_measured(const struct isk_shape *shape)
{
	for (int i = 0; i < shape->count; i++)
		if (shape->arguments[i].measured)
			return 1;
	return 0;
}

size_t cases_of(const struct isk_kernel *k)
{
	const size_t count = sizes_drawn(k->shape);

	return is_measured(k->shape) ? CONVOLUTIONS : count == 1 ? SIZES * DRAWN : count ? count * SIZES + MIXED : 0;
}

/* One size takes all values in turn, while the others are small. */
static size_t one_of_all(size_t number, size_t count, size_t i)
{
	if (count == 1)
		return sizes[number / DRAWN];
	return i == number / SIZES ? sizes[number % SIZES] : 1 + random_below(3);
}

/* As large as the remaining product of sizes allows. */
static size_t one_of_mixed(size_t *left)
{
	size_t fit = 0, size;

	while (fit < SIZES && sizes[fit] <= *left)
		fit++;
	size = sizes[random_below(fit)];
	*left /= size ? size : 1;
	return size;
}

static void draw_sizes(struct job *job, size_t number)
{
	const struct isk_shape *shape = job->kernel->shape;
	const size_t count = sizes_drawn(shape), all = count == 1 ? SIZES * DRAWN : count * SIZES;
	size_t *at[ISK_ARGS_BYTES / sizeof(size_t)], known = 0, left = MOST_ELEMENTS;

	for (int i = 0; i < shape->count; i++)
		if (is_drawn(shape, i))
			at[known++] = isk_argument_at(&job->args, &shape->arguments[i]);
	for (size_t i = 0; i < count; i++)
		*at[(i + number) % count] =
			number < all ? one_of_all(number, count, (i + number) % count) : one_of_mixed(&left);
}

/* Matrix kernels refuse rows that overlap: one case in 16 has overlapping rows. */
static int draw_overlap(const struct isk_shape *shape)
{
	for (int i = 0; i < shape->count; i++)
		if (shape->arguments[i].packed || shape->arguments[i].role == ISK_STRUCT)
			return random_below(16) == 0;
	return 0;
}

static void draw_strides(struct job *job)
{
	const struct isk_shape *shape = job->kernel->shape;
	int overlap = draw_overlap(shape);

	for (int i = 0; i < shape->count; i++) {
		const struct isk_argument *a = &shape->arguments[i];

		for (int e = a->extents - 1; e >= 0; e--) {
			const size_t length = a->extent[e].stride < 0 ? 0 : isk_argument_span(job->kernel, &job->args, a, e + 1);

			if (a->extent[e].stride < 0)
				continue;
			*(size_t *)isk_argument_at(&job->args, &shape->arguments[a->extent[e].stride]) =
				overlap && length ? length - 1 : length + random_gap(isk_argument_type(job->kernel, a));
			overlap &= !length;
		}
	}
}

/*
 * A third of the arrays that may be NULL are NULL; a quarter of the inputs that the first output may replace
 * are replaced.
 */
static void draw_pointers(struct job *job)
{
	const struct isk_shape *shape = job->kernel->shape;
	const struct isk_argument *out = &shape->arguments[0];

	for (int i = 0; i < shape->count; i++) {
		const struct isk_argument *a = &shape->arguments[i];

		if (a->null && a->role != ISK_STRUCT && random_below(3) == 0)
			job->null |= 1u << i;
		if (!(out->may_be >> i & 1) || a->null || job->in_place || random_below(4)
		    || isk_argument_type(job->kernel, a) != isk_argument_type(job->kernel, out))
			continue;
		job->in_place = a;
		for (int e = 0; e < a->extents; e++)
			if (out->extent[e].stride >= 0)
				*(size_t *)isk_argument_at(&job->args, &shape->arguments[out->extent[e].stride]) =
					job_size(job, a->extent[e].stride);
	}
}

/* k in a group of weights with a scale of its own, for gemm_f32s8 and the kernel that packs for it; 0: no groups. */
static size_t draw_group(const struct isk_kernel *k)
{
	const int packs = strcmp(k->shape->name, "pack_groups") == 0;
	const int takes = strcmp(k->shape->name, "gemm") == 0 && !integers(k) && type_b(k) == ISK_S8;

	return packs || (takes && random_below(2)) ? (size_t)32 << random_below(3) : 0;
}

static size_t work_of(struct job *job)
{
	const struct isk_shape *shape = job->kernel->shape;
	const struct isk_conv *c = &job->conv;
	size_t work = 1, height = 0, width = 0;

	if (is_measured(shape)) {
		isk_conv_output(c, &height, &width);
		return c->images * (height * width + 1) * c->out_channels * (c->channels / c->groups) * c->kernel_h
		       * c->kernel_w;
	}
	for (int i = 0; i < shape->count; i++)
		work *= is_drawn(shape, i) && is_extent(shape, i) ? job_size(job, i) : 1;
	return work;
}

static int fits(struct job *job)
{
	for (int i = 0; i < job->kernel->shape->count; i++) {
		const struct isk_argument *a = &job->kernel->shape->arguments[i];

		if ((a->role == ISK_OUT || a->role == ISK_IN)
		    && elements_of(job->kernel, &job->args, &job->conv, a) > MOST_ELEMENTS)
			return 0;
	}
	return work_of(job) <= MOST_WORK;
}

void cases_start(void)
{
	/* Random numbers then depend on the case's name alone. */
	setenv("ISK_TEST_SEED", "0", 1);
}

int case_place(struct job *job, const struct isk_kernel *k, size_t number)
{
	char name[96];

	*job = (struct job){.kernel = k, .values = &draws};
	snprintf(name, sizeof(name), "%s#%zu", k->name, number);
	job_begin(name);
	drawn = (enum drawn)(number % DRAWN);
	for (int i = 0; i < k->shape->count; i++)
		if (k->shape->arguments[i].role == ISK_VALUE)
			draw_value(job, &k->shape->arguments[i]);
	if (is_measured(k->shape))
		conv_draw(&job->conv);
	else
		draw_sizes(job, number);
	draw_strides(job);
	draw_pointers(job);
	job->group = draw_group(k);
	if (!fits(job))
		return 0;
	job_place(job);
	return 1;
}

void case_describe(struct job *job, char *text, size_t size)
{
	const struct isk_shape *shape = job->kernel->shape;
	const struct isk_conv *c = &job->conv;
	size_t used = 0;

	if (is_measured(shape))
		used += (size_t)snprintf(text, size, "%zu images of %zu by %zu by %zu to %zu, kernel %zu by %zu, %zu groups, ",
		                         c->images, c->height, c->width, c->channels, c->out_channels, c->kernel_h, c->kernel_w,
		                         c->groups);
	for (int i = 0; i < shape->count && used < size; i++) {
		const struct isk_argument *a = &shape->arguments[i];
		const void *at = isk_argument_at(&job->args, a);

		if (a->role == ISK_SIZE || a->role == ISK_STRIDE)
			used += (size_t)snprintf(text + used, size - used, "%s %zu, ", a->name, *(const size_t *)at);
		else if (a->role == ISK_VALUE)
			used += (size_t)snprintf(text + used, size - used, "%s %.9g, ", a->name,
			                         isk_element_value(a->type, isk_element_bits(a->type, at, 0)));
		else if (a->null && !*(void *const *)at)
			used += (size_t)snprintf(text + used, size - used, "no %s, ", a->name);
	}
	if (used < size && job->in_place)
		used += (size_t)snprintf(text + used, size - used, "y is %s, ", job->in_place->name);
	if (used < size)
		snprintf(text + used, size - used, "elements %s", drawn_names[drawn]);
}
