/* SPDX-License-Identifier: MIT */
/*
 * The drivers of conv_transpose_pack and conv_transpose. Packed weights must be byte for byte those of the packing oracle; results
 * are checked with the weights before packing. Geometries are those that conv.c draws.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "harness.h"
#include "order.h"
#include "packed.h"
#include "products.h"

struct transposition {
	struct isk_conv c;
	size_t in, out, ldx, ldy, ldother; /* pixels of x and y, elements from pixel to pixel */
	enum edge edge;
	size_t offset[3]; /* of y, x, packed */
	int has_post, other_is_y, with_bias;
	struct isk_post post; /* the scalars of the post; the pointers are set at the call */
};

static unsigned char *x_data, *w_data, *y_data, *other_data, *packed_data, *bias_data, *scale_data;

static size_t weights(const struct isk_conv *c)
{
	return c->out_channels * (c->channels / c->groups) * c->kernel_h * c->kernel_w;
}

static void describe(const struct transposition *p)
{
	const struct isk_conv *c = &p->c;

	trying("%zu images of %zu by %zu by %zu from %zu channels, kernel %zu by %zu, stride %zu %zu, dilation %zu %zu, "
	       "padding %zu %zu %zu %zu, %zu groups, ldx %zu, ldy %zu, offsets %zu %zu %zu; %s, %zu scales, %s, activation %d, "
	       "binary %d%s",
	       c->images, c->height, c->width, c->channels, c->out_channels, c->kernel_h, c->kernel_w, c->stride_h, c->stride_w,
	       c->dilation_h, c->dilation_w, c->pad_top, c->pad_left, c->pad_bottom, c->pad_right, c->groups, c->ldx, c->ldy,
	       p->offset[0], p->offset[1], p->offset[2], p->has_post ? "post" : "no post", p->post.scales,
	       p->with_bias ? "bias" : "no bias", (int)p->post.act, (int)p->post.binary, p->other_is_y ? " with y" : "");
}

/* Sets the members that follow from the geometry. */
static void complete(struct transposition *p)
{
	p->in = isk_oracle_pixels(&p->c);
	p->out = p->c.images * p->c.height * p->c.width;
	p->ldx = p->c.ldy ? p->c.ldy : p->c.out_channels;
	p->ldy = p->c.ldx ? p->c.ldx : p->c.channels;
	p->ldother = p->c.channels + random_below(3);
	p->edge = random_below(2) ? LOW : HIGH;
}

/* In one of three cases windows neither overlap nor leave gaps, as most transposes of networks. */
static struct transposition draw(void)
{
	struct transposition p = {.c = {.size = 0}};

	conv_draw(&p.c);
	if (random_below(3) == 0) {
		p.c.kernel_h = p.c.stride_h = 1 + random_below(3);
		p.c.kernel_w = p.c.stride_w = 1 + random_below(4);
		p.c.height *= p.c.kernel_h;
		p.c.width = (1 + random_below(9)) * p.c.kernel_w;
		p.c.dilation_h = p.c.dilation_w = 1;
		p.c.pad_left = p.c.pad_right = p.c.pad_top = p.c.pad_bottom = 0;
	}
	complete(&p);
	return p;
}

static int packed_by_oracle(const struct isk_kernel *k, void *packed, const void *w, size_t bytes, const struct isk_conv *conv)
{
	const struct isk_args_transposed_pack args = {.packed = packed, .w = w, .bytes = bytes, .conv = conv};

	return isk_oracle_conv_transpose_pack(type_b(k), &args);
}

static void fill_all(const struct isk_kernel *k, const struct transposition *p)
{
	fill_floats(type_a(k), x_data, span(p->in, p->c.out_channels, p->ldx), 1);
	fill_floats(type_b(k), w_data, weights(&p->c), 1);
	fill_floats(type_c(k), y_data, span(p->out, p->c.channels, p->ldy), 2);
	fill_floats(type_c(k), other_data, span(p->out, p->c.channels, p->ldother), 2);
	for (size_t i = 0; i < p->c.channels || i < 2; i++) {
		isk_element_set(type_post(k), bias_data, i, (long double)random_in(-2, 2));
		isk_element_set(type_post(k), scale_data, i, (long double)random_in(-2, 2));
	}
	if (packed_by_oracle(k, packed_data, w_data, ROOM, &p->c))
		wrong("the oracle cannot pack");
}

static void draw_post(const struct isk_kernel *k, struct transposition *p)
{
	p->has_post = 1;
	p->with_bias = (int)random_below(2);
	draw_simple_post(k, &p->post, p->c.channels);
	p->other_is_y = p->post.binary && random_below(2);
}

static int transpose(struct variant *v, isk_function fn, void *y, const void *x, const void *packed,
                     const struct isk_conv *conv, const struct isk_post *post)
{
	union isk_args args = {.conv_transpose = {.y = y, .x = x, .packed = packed, .conv = conv, .post = post}};

	variant_call(v, fn, &args);
	return args.result.status;
}

/* The status that the reference returns. */
static int status_of(const struct isk_kernel *k, void *y, const void *x, const void *packed, const struct isk_conv *conv,
                     const struct isk_post *post)
{
	const struct isk_args_conv_transpose args = {.y = y, .x = x, .packed = packed, .conv = conv, .post = post};

	return isk_check_conv_transpose(k->types, &args);
}

/* Calls fn in guarded memory, with x from element `from` on; then copies y, as pixels without gaps, to out. */
static void compute_from(struct variant *v, isk_function fn, const struct transposition *p, size_t from, unsigned char *out)
{
	const struct isk_kernel *k = v->kernel;
	const size_t bytes = isk_element_bytes(type_c(k)), n = p->c.channels;
	const void *x = slot_put(SLOT_A, p->edge, p->offset[1], x_data + from * bytes,
	                         span(p->in, p->c.out_channels, p->ldx) * bytes);
	const void *packed =
		slot_put(SLOT_B, p->edge, p->offset[2], packed_data, isk_conv_transpose_packed_size(type_b(k), &p->c));
	unsigned char *y = slot_put(SLOT_Y, p->edge, p->offset[0], p->other_is_y ? y_data : NULL, span(p->out, n, p->ldy) * bytes);
	struct isk_post post = p->post;
	int status;

	slot_expect_rows(SLOT_Y, n ? p->out : 0, n * bytes, p->ldy * bytes);
	post.size = sizeof(post);
	if (p->with_bias)
		post.bias = slot_put(SLOT_C, p->edge, 0, bias_data, n * bytes);
	if (post.scales)
		post.scale = slot_put(SLOT_D, p->edge, 0, scale_data, post.scales * bytes);
	if (post.binary) {
		post.other = p->other_is_y ? y : slot_put(SLOT_E, p->edge, 0, other_data, span(p->out, n, p->ldother) * bytes);
		post.ldother = p->other_is_y ? p->ldy : p->ldother;
	}
	status = transpose(v, fn, y, x, packed, &p->c, p->has_post ? &post : NULL);
	slots_check();
	if (status)
		wrong("status %d (%s)", status, isk_strerror(status));
	for (size_t i = 0; i < p->out; i++)
		memcpy(out + i * n * bytes, y + i * p->ldy * bytes, n * bytes);
}

static void compute(struct variant *v, isk_function fn, const void *transposition, unsigned char *out)
{
	compute_from(v, fn, transposition, 0, out);
}

static void expect(struct variant *v, const struct transposition *p, size_t pixel, size_t o)
{
	static unsigned char row[ROOM], column[ROOM];
	const struct isk_kernel *k = v->kernel;
	const struct terms a = {type_a(k), row, 1, 0, NULL, 0}, b = {type_b(k), column, 1, 0, NULL, 0};
	const size_t depth = p->c.out_channels / p->c.groups * p->c.kernel_h * p->c.kernel_w;
	const struct isk_weights w = {.oihw = w_data};
	const struct element e = {p->out * p->c.channels, pixel * p->c.channels + o, AT(pixel, o)};
	struct isk_post post = p->post;
	struct isk_value exact;
	uint64_t named;
	size_t terms;
	int is_named;

	post.size = sizeof(post);
	post.bias = p->with_bias ? bias_data : NULL;
	post.scale = scale_data;
	post.other = p->other_is_y ? y_data : other_data;
	post.ldother = p->other_is_y ? p->ldy : p->ldother;
	terms = isk_oracle_transposed_terms(type_a(k), row, column, x_data, &w, &p->c, pixel, o);
	is_named = bits_named(v, &a, &b, terms, pixel, o, &post, &named);
	exact = isk_oracle_transposed(k->types, x_data, &w, &p->c, pixel, o, p->has_post ? &post : NULL);
	check_element(v, &e, is_named ? &named : NULL, &exact, &post, 4 * (double)(depth + 16) * element_least(type_post(k)));
}

static void one(struct variant *v, const struct transposition *p)
{
	const size_t n = p->c.channels, count = p->out * n;
	const size_t work = count * (weights(&p->c) / (n ? n : 1) + 1);

	spare(v);
	if (!taking_part(v))
		return;
	describe(p);
	compute_each(v, compute, p, count, n, NULL);
	for (size_t i = 0; i < count; i += step_to_next(work / 10000))
		expect(v, p, i / n, i % n);
}

static void random_ones(struct variant *v, int count)
{
	for (int i = 0; i < count; i++) {
		struct transposition p = draw();

		fill_all(v->kernel, &p);
		one(v, &p);
		draw_post(v->kernel, &p);
		one(v, &p);
	}
}

/* All small sizes of one dimension. */
static void every_line(struct variant *v)
{
	for (size_t taps = 1; taps < 5; taps++)
		for (size_t stride = 1; stride < 5; stride++)
			for (size_t dilation = 1; dilation < 4; dilation++)
				for (size_t before = 0; before < 4; before++)
					for (size_t width = 0; width < 24; width += 1 + random_below(3)) {
						const size_t groups = random_below(2) ? 3 : 1;
						struct transposition p = {
							.c = {.size = sizeof(p.c), .images = 1, .height = 1, .width = width, .channels = 3,
						          .out_channels = 6, .kernel_h = 1, .kernel_w = taps, .stride_h = 1, .stride_w = stride,
						          .dilation_h = 1, .dilation_w = dilation, .pad_left = before,
						          .pad_right = random_below(3), .groups = groups}};

						complete(&p);
						fill_all(v->kernel, &p);
						one(v, &p);
					}
}

/* Pixels side by side and apart, with few and many channels, each activation and each binary operation. */
static void every_post(struct variant *v)
{
	static const size_t channels[] = {1, 3, 24, 100, 300};

	for (int act = ISK_ACT_NONE; act <= ISK_ACT_SILU; act++)
		for (int binary = ISK_BINARY_NONE; binary <= ISK_BINARY_AXPY; binary++)
			for (size_t i = 0; i < sizeof(channels) / sizeof(channels[0]); i++) {
				const size_t apart = random_below(2) * 3;
				struct transposition p = {
					.c = {.size = sizeof(p.c), .images = 1, .height = 4, .width = 10, .channels = channels[i],
				          .out_channels = 5, .kernel_h = 2, .kernel_w = 2, .stride_h = 2, .stride_w = 2, .dilation_h = 1,
				          .dilation_w = 1, .groups = 1, .ldx = apart ? channels[i] + apart : 0}};

				complete(&p);
				draw_post(v->kernel, &p);
				set_post(v->kernel, &p.post, channels[i], random_below(3), (enum isk_activation)act, (enum isk_binary)binary);
				p.other_is_y = binary && random_below(2);
				fill_all(v->kernel, &p);
				one(v, &p);
			}
}

static void every_alignment(struct variant *v)
{
	for (size_t y = 0; y < 64; y += isk_element_bytes(type_c(v->kernel)))
		for (size_t x = 0; x < 64; x += 8 * isk_element_bytes(type_a(v->kernel))) {
			struct transposition p = draw();

			fill_all(v->kernel, &p);
			p.offset[0] = y;
			p.offset[1] = x;
			p.offset[2] = random_below(64);
			one(v, &p);
		}
}

/* NaN, infinities and denormals, in x and in the weights. */
static void specials_in(struct variant *v)
{
	static const uint32_t values[] = {0x7fc00000, 0x7f800000, 0xff800000, 0x80000000, 0x00000001, 0x80012345};
	const struct isk_kernel *k = v->kernel;

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		for (int j = 0; j < 24; j++) {
			struct transposition p = draw();
			const size_t inputs = span(p.in, p.c.out_channels, p.ldx);

			fill_all(k, &p);
			if (j % 2 && inputs)
				isk_element_set(type_a(k), x_data, random_below(inputs), (long double)f32_of(values[i]));
			else
				isk_element_set(type_b(k), w_data, random_below(weights(&p.c)), (long double)f32_of(values[i]));
			if (packed_by_oracle(k, packed_data, w_data, ROOM, &p.c))
				wrong("the oracle cannot pack");
			if (j % 4 > 1)
				draw_post(k, &p);
			one(v, &p);
		}
}

/* Images computed in parts have the bits of those computed at once. */
static void every_split(struct variant *v)
{
	static unsigned char *whole;
	const enum isk_type type = type_c(v->kernel);
	const size_t bytes = isk_element_bytes(type);

	if (!whole && !(whole = malloc(ROOM)))
		abort();
	for (int i = 0; i < 40; i++) {
		const struct transposition p = draw();
		const size_t image = random_below(p.c.images), n = p.c.channels;
		unsigned char *results = results_room();
		struct transposition part = p;

		fill_all(v->kernel, &p);
		compute(v, v->fn, &p, whole);
		part.c.images = p.c.images - image;
		complete(&part);
		describe(&part);
		compute_from(v, v->fn, &part, image * (p.in / p.c.images) * p.ldx, results);
		for (size_t j = 0; j < part.out * n && promises_bits(v); j++)
			check_bits(v, type, isk_element_bits(type, results, j),
			           isk_element_bits(type, whole + image * (p.out / p.c.images) * n * bytes, j),
			           "as part of a larger one", AT(j / n, j % n));
	}
}

static const struct isk_conv good = {
	.size = sizeof(good), .images = 2, .height = 5, .width = 6, .channels = 8, .out_channels = 12, .kernel_h = 3, .kernel_w = 2,
	.stride_h = 2, .stride_w = 1, .dilation_h = 1, .dilation_w = 1, .pad_top = 1, .groups = 2,
};

static void refusals(struct variant *v)
{
	const struct isk_kernel *k = v->kernel;
	const size_t huge = SIZE_MAX / 4 + 1, bytes = isk_element_bytes(type_a(k));
	struct transposition p = {.c = good};
	struct isk_post post;
	unsigned char *y, *packed;
	const void *x;

	complete(&p);
	fill_all(k, &p);
	x = slot_put(SLOT_A, HIGH, 0, x_data, span(p.in, p.c.out_channels, p.ldx) * bytes);
	packed = slot_put(SLOT_B, HIGH, 0, packed_data, isk_conv_transpose_packed_size(type_b(k), &p.c));
	y = slot_put(SLOT_Y, HIGH, 0, NULL, span(p.out, p.c.channels, p.ldy) * bytes);

#define REFUSED(status, y, x, packed, change)                                  \
	do {                                                                       \
		p.c = good;                                                            \
		post = (struct isk_post){.size = sizeof(post)};                        \
		(void)(change);                                                        \
		trying("refusal: %s with y %s, x %s, packed %s", #change, #y, #x, #packed); \
		check_status(transpose(v, v->fn, y, x, packed, &p.c, &post), status,   \
		             status_of(k, y, x, packed, &p.c, &post));                 \
		v->checks++;                                                           \
	} while (0)

	REFUSED(ISK_ERR_NULL, NULL, x, packed, 0);
	REFUSED(ISK_ERR_NULL, y, NULL, packed, 0);
	REFUSED(ISK_ERR_NULL, y, x, NULL, 0);
	if (transpose(v, v->fn, y, x, packed, NULL, &post) != ISK_ERR_NULL)
		wrong("no convolution is taken for one");
	REFUSED(ISK_ERR_CONV, y, x, packed, p.c.size++);
	REFUSED(ISK_ERR_CONV, y, x, packed, p.c.stride_h = 0);
	REFUSED(ISK_ERR_CONV, y, x, packed, p.c.groups = 3);
	REFUSED(ISK_ERR_STRIDE, y, x, packed, p.c.ldx = 7);
	REFUSED(ISK_ERR_STRIDE, y, x, packed, p.c.ldy = 11);
	REFUSED(ISK_ERR_SIZE, y, x, packed, p.c.ldx = huge);
	REFUSED(ISK_ERR_SIZE, y, x, packed, p.c.images = huge);
	REFUSED(ISK_ERR_SIZE, y, x, packed, p.c.pad_left = SIZE_MAX / 2);
	REFUSED(ISK_ERR_SIZE, y, x, packed, (p.c.kernel_h = huge / 4, p.c.kernel_w = huge / 4));
	REFUSED(ISK_ERR_SHAPE, y, x, packed, p.c.kernel_h++);
	REFUSED(ISK_ERR_SHAPE, y, x, packed, p.c.groups = 1);
	REFUSED(ISK_ERR_SHAPE, y, x, packed, p.c.channels = 10);
	REFUSED(ISK_ERR_POST, y, x, packed, post.size = 0);
	REFUSED(ISK_ERR_POST, y, x, packed, post.first_column = 16);
	REFUSED(ISK_ERR_POST, y, x, packed, post.row_scale = scale_data);
	REFUSED(ISK_ERR_POST, y, x, packed, (post.scales = 12, post.scale = scale_data));
	REFUSED(ISK_ERR_NULL, y, x, packed, post.scales = 8);
	REFUSED(ISK_ERR_STRIDE, y, x, packed, (post.binary = ISK_BINARY_MUL, post.other = other_data, post.ldother = 7));
	for (size_t i = 0; i < sizeof(struct isk_packed); i++) {
		packed[i] ^= 1;
		if (transpose(v, v->fn, y, x, packed, &good, NULL) == 0)
			wrong("byte %zu of the header is changed, and the weights are taken", i);
		packed[i] ^= 1;
	}
	slots_check();
}

/* Sizes of 0 read and write nothing; a call with nothing to write ends at once, however large other sizes are. */
static void empty(struct variant *v)
{
	const size_t huge = (size_t)1 << 61;
	static const size_t sizes[][5] = {{0, 5, 4, 3, 4}, {1, 0, 4, 3, 4}, {1, 5, 4, 3, 0}, {1, 5, 4, 0, 4}, {2, 1, 4, 3, 4}};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]) + 2; i++) {
		struct transposition p = {.c = good};

		if (i < sizeof(sizes) / sizeof(sizes[0])) {
			p.c.images = sizes[i][0];
			p.c.height = sizes[i][1];
			p.c.width = sizes[i][2];
			p.c.channels = sizes[i][3] * 2;
			p.c.out_channels = sizes[i][4];
		} else {
			p.c.images = i % 2 ? huge : 0;
			p.c.height = 0;
			p.c.pad_right = i % 2 ? 0 : huge;
		}
		complete(&p);
		fill_all(v->kernel, &p);
		if (p.out && p.c.channels)
			one(v, &p);
		describe(&p);
		if (!(p.out && p.c.channels) && transpose(v, v->fn, NULL, NULL, packed_data, &p.c, NULL))
			wrong("refused");
	}
}

static void rooms(void)
{
	unsigned char **const all[] = {&x_data, &w_data, &y_data, &other_data, &packed_data, &bias_data, &scale_data};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (!*all[i] && !(*all[i] = malloc(ROOM)))
			abort();
}

void drive_conv_transpose(struct variant *v)
{
	rooms();
	each_alone(v, empty);
	every_line(v);
	random_ones(v, getenv("ISK_TEST_SLOW") ? 10000 : 120);
	every_post(v);
	every_alignment(v);
	specials_in(v);
	each_alone(v, every_split);
	each_alone(v, refusals);
}

static int pack(struct variant *v, void *packed, const void *w, size_t bytes, const struct isk_conv *c)
{
	union isk_args args = {.transposed_pack = {.packed = packed, .w = w, .bytes = bytes, .conv = c}};

	v->checks++;
	variant_call(v, v->fn, &args);
	return args.result.status;
}

static void pack_one(struct variant *v, const struct transposition *p)
{
	const struct isk_kernel *k = v->kernel;
	const size_t bytes = isk_conv_transpose_packed_size(type_b(k), &p->c), more = random_below(2) * 100;
	const size_t matrices = p->c.out_channels == p->c.groups ? 1 : p->c.groups;
	unsigned char *packed, *wanted = results_room();
	const void *w;
	int status;

	describe(p);
	fill_floats(type_a(k), w_data, weights(&p->c), 8);
	w = slot_put(SLOT_A, p->edge, isk_element_bytes(type_a(k)) * random_below(16), w_data,
	             weights(&p->c) * isk_element_bytes(type_a(k)));
	packed = slot_put(SLOT_Y, p->edge, random_below(64), NULL, bytes + more);
	slot_expect_rows(SLOT_Y, 1, bytes, bytes);
	status = pack(v, packed, w, bytes + more, &p->c);
	slots_check();
	if (status)
		wrong("status %d (%s)", status, isk_strerror(status));
	memset(wanted, 0x77, bytes);
	status = packed_by_oracle(k, wanted, w_data, bytes, &p->c);
	for (size_t i = 0; i < bytes; i++)
		if (packed[i] != wanted[i])
			wrong("byte %zu of %zu: got %#x, wanted %#x", i, bytes, packed[i], wanted[i]);
	for (size_t g = 0; g < matrices && !status; g++)
		status = isk_packed_check(packed + g * (bytes / matrices), bytes / matrices, type_b(k));
	if (status)
		wrong("isk_packed_check() gives %d (%s)", status, isk_strerror(status));
}

void drive_conv_transpose_pack(struct variant *v)
{
	const struct isk_kernel *k = v->kernel;
	const size_t huge = SIZE_MAX / 4 + 1, bytes = isk_conv_transpose_packed_size(type_b(k), &good);
	struct isk_conv c;
	unsigned char *to;

	rooms();
	for (int i = 0; i < 1000; i++) {
		const struct transposition p = draw();

		pack_one(v, &p);
	}
	to = slot_put(SLOT_Y, HIGH, 0, NULL, bytes);

#define PACK_REFUSED(status, packed, w, bytes, conv, change)                   \
	do {                                                                       \
		c = good;                                                              \
		(void)(change);                                                        \
		trying("refusal: %s with packed %s, w %s, bytes %s", #change, #packed, #w, #bytes); \
		check_status(pack(v, packed, w, bytes, conv), status, packed_by_oracle(k, packed, w, bytes, conv)); \
	} while (0)

	fill_floats(type_a(k), w_data, weights(&good), 1);
	PACK_REFUSED(ISK_ERR_NULL, NULL, w_data, bytes, &c, 0);
	PACK_REFUSED(ISK_ERR_NULL, to, NULL, bytes, &c, 0);
	PACK_REFUSED(ISK_ERR_NULL, to, w_data, bytes, NULL, 0);
	PACK_REFUSED(ISK_ERR_SPACE, to, w_data, bytes - 1, &c, 0);
	PACK_REFUSED(ISK_ERR_CONV, to, w_data, bytes, &c, c.groups = 5);
	PACK_REFUSED(ISK_ERR_STRIDE, to, w_data, bytes, &c, c.ldx = 7);
	PACK_REFUSED(ISK_ERR_SIZE, to, w_data, SIZE_MAX, &c, (c.channels = huge, c.height = 0));
	PACK_REFUSED(ISK_ERR_SIZE, to, w_data, SIZE_MAX, &c, (c.out_channels = huge, c.images = 0));
	PACK_REFUSED(ISK_ERR_SIZE, to, w_data, SIZE_MAX, &c, c.kernel_h = huge);
	slots_check();
}
