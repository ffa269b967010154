/* SPDX-License-Identifier: MIT */
/*
 * The drivers of conv_pack and conv. Packed weights must be byte for byte those of the packing oracle;
 * convolutions are checked with the weights before packing. Geometries are drawn at random, as small as one
 * with all its parts can be.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "harness.h"
#include "order.h"
#include "packed.h"
#include "products.h"

struct convolution {
	struct isk_conv c;
	size_t out_height, out_width, pixels, ldx, ldy, ldother;
	enum edge edge;
	size_t offset[3]; /* of y, x, packed */
	int has_post, other_is_y, with_bias;
	struct isk_post post; /* the scalars of the post; the pointers are set at the call */
};

static unsigned char *x_data, *w_data, *y_data, *other_data, *packed_data;
static unsigned char *bias_data, *scale_data; /* of type_post() */
static int32_t *zero_data;

static size_t in_pixels(const struct isk_conv *c)
{
	return c->images * c->height * c->width;
}

static size_t weights(const struct isk_conv *c)
{
	return c->out_channels * (c->channels / c->groups) * c->kernel_h * c->kernel_w;
}

static void fill(enum isk_type type, unsigned char *x, size_t n, double size)
{
	if (isk_element_is_float(type))
		fill_floats(type, x, n, size);
	else
		for (size_t i = 0; i < n; i++)
			isk_element_set_bits(type, x, i, random_bits());
}

static void describe(const struct convolution *p)
{
	const struct isk_conv *c = &p->c;

	trying("%zu images of %zu by %zu by %zu to %zu, kernel %zu by %zu, stride %zu %zu, dilation %zu %zu, "
	       "padding %zu %zu %zu %zu, %zu groups, ldx %zu, ldy %zu, offsets %zu %zu %zu from the %s edge; %s, "
	       "%zu scales, "
	       "%s, activation %d, binary %d%s; zero points %d, %zu; output %g, %d",
	       c->images, c->height, c->width, c->channels, c->out_channels, c->kernel_h, c->kernel_w,
	       c->stride_h, c->stride_w, c->dilation_h, c->dilation_w, c->pad_top, c->pad_left, c->pad_bottom,
	       c->pad_right, c->groups, c->ldx, c->ldy, p->offset[0], p->offset[1], p->offset[2],
	       p->edge == LOW ? "lower" : "upper", p->has_post ? "post" : "no post", p->post.scales,
	       p->with_bias ? "bias" : "no bias", (int)p->post.act, (int)p->post.binary,
	       p->other_is_y ? " with y" : "", p->post.a_zero, p->post.b_zeros, (double)p->post.out_scale,
	       p->post.out_zero);
}

/* Sets the members that follow from the geometry; the oracle gives the sizes. */
static void complete(struct convolution *p)
{
	size_t height, width;

	if (isk_conv_output(&p->c, &height, &width))
		wrong("isk_conv_output() refuses");
	p->out_height = height;
	p->out_width = width;
	p->pixels = p->c.images * height * width;
	if (p->pixels != isk_oracle_pixels(&p->c))
		wrong("isk_conv_output() gives %zu by %zu", height, width);
	p->ldx = p->c.ldx ? p->c.ldx : p->c.channels;
	p->ldy = p->c.ldy ? p->c.ldy : p->c.out_channels;
	p->ldother = p->c.out_channels + random_below(3);
	p->edge = random_below(2) ? LOW : HIGH;
}

static int packed_by_oracle(const struct isk_kernel *k, void *packed, const void *w, size_t bytes,
                            const struct isk_conv *conv)
{
	const struct isk_args_conv_pack args = {.packed = packed, .w = w, .bytes = bytes, .conv = conv};

	return isk_oracle_conv_pack(type_b(k), &args);
}

static void pack_weights(const struct isk_kernel *k, const struct convolution *p)
{
	if (packed_by_oracle(k, packed_data, w_data, ROOM, &p->c))
		wrong("the oracle cannot pack");
}

static void fill_all(const struct isk_kernel *k, const struct convolution *p)
{
	const size_t bytes = isk_conv_packed_size(type_b(k), &p->c);
	/* Scales of integers bring sums to a few units, where activations curve. */
	const double unit =
		integers(k) ? 1 / (4000 * sqrt((double)weights(&p->c) / (double)p->c.out_channels + 1)) : 1;

	fill(type_a(k), x_data, span(in_pixels(&p->c), p->c.channels, p->ldx), 1);
	fill(type_b(k), w_data, weights(&p->c), 1);
	fill(type_c(k), y_data, span(p->pixels, p->c.out_channels, p->ldy), 2);
	fill(type_c(k), other_data, span(p->pixels, p->c.out_channels, p->ldother), 2);
	for (size_t i = 0; i < p->c.out_channels || i < 2; i++) {
		isk_element_set(type_post(k), bias_data, i, (long double)random_in(-2, 2));
		isk_element_set(type_post(k), scale_data, i, (long double)(random_in(-2, 2) * unit));
		zero_data[i] = (int32_t)(random_below(16) ? random_below(256) - 128 : random_bits());
	}
	if (bytes > ROOM)
		wrong("the test asks for %zu bytes of weights", bytes);
	pack_weights(k, p);
}

/* The least post that an 8-bit y needs. */
static void least_post(const struct isk_kernel *k, struct convolution *p)
{
	p->has_post = quantized(k);
	p->post.out_scale = p->has_post ? 0.05f : 0;
	p->post.out_zero = p->has_post ? draw_zero(type_c(k)) : 0;
}

/* A padding, a stride or a dilation: in two of three cases the least. */
static size_t small(size_t least, size_t most)
{
	return random_below(3) ? least : least + random_below(most - least + 1);
}

void conv_draw(struct isk_conv *c)
{
	static const size_t around[] = {1, 2, 3, 4, 7, 8, 15, 16, 17, 24, 31, 32, 33, 48, 50, 64, 67};
	const size_t kind = random_below(8), channels = around[random_below(sizeof(around) / sizeof(around[0]))];

	*c = (struct isk_conv){.size = sizeof(*c)};
	c->images = small(1, 3);
	c->kernel_h = random_below(2) ? 3 : 1 + random_below(5);
	c->kernel_w = random_below(2) ? c->kernel_h : 1 + random_below(5);
	c->height = 1 + random_below(12);
	c->width = 1 + random_below(kind == 7 ? 60 : 20);
	if (random_below(4) == 0)
		c->kernel_h = c->height = 1;
	c->stride_h = random_below(2) ? 1 : 1 + random_below(3);
	c->stride_w = random_below(2) ? c->stride_h : 1 + random_below(3);
	c->dilation_h = small(1, 3);
	c->dilation_w = small(1, 3);
	c->pad_top = random_below(4) ? c->kernel_h / 2 : random_below(6);
	c->pad_left = random_below(4) ? c->kernel_w / 2 : random_below(6);
	c->pad_bottom = random_below(4) ? c->kernel_h / 2 : random_below(6);
	c->pad_right = random_below(4) ? c->kernel_w / 2 : random_below(6);
	switch (kind) {
	case 0: /* depthwise, mostly 3 by 3 */
	case 1:
	case 2:
		c->groups = c->channels = c->out_channels = channels;
		break;
	case 3: /* depthwise with several outputs for each channel */
		c->groups = c->channels = channels;
		c->out_channels = channels * (1 + random_below(5));
		break;
	case 4:
		c->groups = 1 + random_below(4);
		c->channels = c->groups * (1 + random_below(9));
		c->out_channels = c->groups * (1 + random_below(20));
		break;
	case 5:
		c->kernel_h = c->kernel_w = 1;
		/* fallthrough */
	default:
		c->groups = 1;
		c->channels = channels;
		c->out_channels = around[random_below(sizeof(around) / sizeof(around[0]))];
	}
	if (random_below(3) == 0)
		c->ldx = c->channels + random_below(4);
	if (random_below(3) == 0)
		c->ldy = c->out_channels + random_below(4);
}

static struct convolution draw(const struct isk_kernel *k)
{
	struct convolution p = {.c = {.size = 0}};

	conv_draw(&p.c);
	complete(&p);
	least_post(k, &p);
	return p;
}

static void draw_post(const struct isk_kernel *k, struct convolution *p)
{
	p->has_post = 1;
	if (integers(k) && random_below(3)) {
		p->post.a_zero = random_below(2) ? draw_zero(type_a(k)) : 0;
		p->post.b_zeros = random_below(3);
		p->post.b_zeros = p->post.b_zeros == 2 ? p->c.out_channels : p->post.b_zeros;
	}
	if (type_c(k) == ISK_S32)
		return;
	p->with_bias = (int)random_below(2);
	draw_simple_post(k, &p->post, p->c.out_channels);
	p->other_is_y = p->post.binary && random_below(2);
}

static int convolve(struct variant *v, isk_function fn, void *y, const void *x, const void *packed,
                    const struct isk_conv *conv, const struct isk_post *post)
{
	union isk_args args = {.conv = {.y = y, .x = x, .packed = packed, .conv = conv, .post = post}};

	variant_call(v, fn, &args);
	return args.result.status;
}

/* The status that the reference returns. */
static int status_of(const struct isk_kernel *k, void *y, const void *x, const void *packed,
                     const struct isk_conv *conv, const struct isk_post *post)
{
	const struct isk_args_conv args = {.y = y, .x = x, .packed = packed, .conv = conv, .post = post};

	return isk_check_conv(k->types, &args);
}

/* Calls fn in guarded memory, with x from element `from` on; then copies y, as pixels without gaps, to out. */
static void compute_from(struct variant *v, isk_function fn, const struct convolution *p, size_t from,
                         unsigned char *out)
{
	const struct isk_kernel *k = v->kernel;
	const size_t in = isk_element_bytes(type_a(k)), size = isk_element_bytes(type_c(k)), n = p->c.out_channels;
	const size_t sum_bytes = isk_element_bytes(type_post(k));
	const void *x = slot_put(SLOT_A, p->edge, p->offset[1], x_data + from * in,
	                         span(in_pixels(&p->c), p->c.channels, p->ldx) * in);
	const void *packed =
		slot_put(SLOT_B, p->edge, p->offset[2], packed_data, isk_conv_packed_size(type_b(k), &p->c));
	unsigned char *y = slot_put(SLOT_Y, p->edge, p->offset[0], p->other_is_y ? y_data : NULL,
	                            span(p->pixels, n, p->ldy) * size);
	struct isk_post post = p->post;
	int status;

	slot_expect_rows(SLOT_Y, n ? p->pixels : 0, n * size, p->ldy * size);
	post.size = sizeof(post);
	if (p->with_bias)
		post.bias = slot_put(SLOT_C, p->edge, 0, bias_data, n * sum_bytes);
	if (post.scales)
		post.scale = slot_put(SLOT_D, p->edge, 0, scale_data, post.scales * sum_bytes);
	if (post.b_zeros)
		post.b_zero = slot_put(SLOT_F, p->edge, 0, zero_data, post.b_zeros * sizeof(int32_t));
	if (post.binary) {
		post.other = p->other_is_y
		                 ? y
		                 : slot_put(SLOT_E, p->edge, 0, other_data, span(p->pixels, n, p->ldother) * size);
		post.ldother = p->other_is_y ? p->ldy : p->ldother;
	}
	status = convolve(v, fn, y, x, packed, &p->c, p->has_post ? &post : NULL);
	slots_check();
	if (status)
		wrong("status %d (%s)", status, isk_strerror(status));
	for (size_t i = 0; i < p->pixels; i++)
		memcpy(out + i * n * size, y + i * p->ldy * size, n * size);
}

static void compute(struct variant *v, isk_function fn, const void *convolution, unsigned char *out)
{
	compute_from(v, fn, convolution, 0, out);
}

static int is_depthwise(const struct isk_conv *c)
{
	return c->groups > 1 && c->channels == c->groups;
}

static void copy_as(enum isk_type to, void *y, size_t i, enum isk_type from, const void *x, size_t j)
{
	const uint64_t bits = isk_element_bits(from, x, j);

	if (to == from)
		isk_element_set_bits(to, y, i, bits);
	else
		isk_element_set(to, y, i, (long double)isk_element_value(from, bits));
}

/*
 * Gathers the row of A and the column of B whose product an output is. Elements are as stored, except that a
 * depthwise sum of bf16 gets them as f32, since it has the order of f32. Returns their number: other sums of
 * f32 and f64 leave out taps outside the image.
 */
static size_t gather(const struct isk_kernel *k, const struct convolution *p, size_t pixel, size_t o,
                   struct terms *a, struct terms *b)
{
	static unsigned char patch[ROOM], column[ROOM];
	const struct isk_conv *c = &p->c;
	const size_t channels = c->channels / c->groups, first = o / (c->out_channels / c->groups) * channels;
	const size_t image = pixel / (p->out_height * p->out_width);
	const ptrdiff_t row = (ptrdiff_t)(pixel / p->out_width % p->out_height * c->stride_h - c->pad_top);
	const ptrdiff_t col = (ptrdiff_t)(pixel % p->out_width * c->stride_w - c->pad_left);
	const int depthwise = is_depthwise(c), leaves_out = !depthwise && (type_a(k) == ISK_F32 || type_a(k) == ISK_F64);
	const int as_f32 = type_a(k) == ISK_BF16 && depthwise;
	size_t n = 0;

	*a = (struct terms){as_f32 ? ISK_F32 : type_a(k), patch, 1, 0, NULL, 0};
	*b = (struct terms){as_f32 ? ISK_F32 : type_b(k), column, 1, 0, NULL, 0};
	for (size_t u = 0; u < c->kernel_h; u++)
		for (size_t v = 0; v < c->kernel_w; v++)
			for (size_t i = 0; i < channels; i++) {
				const ptrdiff_t r = row + (ptrdiff_t)(u * c->dilation_h),
								q = col + (ptrdiff_t)(v * c->dilation_w);
				const size_t taps = c->kernel_h * c->kernel_w;
				const size_t first_w = o * channels * taps + u * c->kernel_w + v;
				const int inside = r >= 0 && r < (ptrdiff_t)c->height && q >= 0 && q < (ptrdiff_t)c->width;
				const size_t at =
					inside ? ((image * c->height + (size_t)r) * c->width + (size_t)q) * p->ldx : 0;

				if (!inside && leaves_out)
					break;
				if (inside)
					copy_as(a->type, patch, n, type_a(k), x_data, at + first + i);
				else
					isk_element_set(a->type, patch, n, (long double)p->post.a_zero);
				copy_as(b->type, column, n++, type_b(k), w_data, first_w + i * taps);
			}
	return n;
}

/* x and the weights with denormals replaced by 0, if AMX takes them for 0; else NULL. */
struct flushed {
	const unsigned char *x, *w;
};

static const unsigned char *flush(const unsigned char *from, unsigned char **to, size_t n)
{
	room(to);
	for (size_t i = 0; i < n; i++)
		isk_element_set_bits(ISK_BF16, *to, i, without_denormal(isk_element_bits(ISK_BF16, from, i)));
	return *to;
}

static void expect(struct variant *v, const struct convolution *p, struct flushed f, size_t pixel, size_t o)
{
	const struct isk_kernel *k = v->kernel;
	const double least = f.x ? 0x1p-126 : element_least(type_post(k));
	const size_t depth = p->c.channels / p->c.groups * p->c.kernel_h * p->c.kernel_w;
	const struct isk_weights w = {.oihw = f.w ? f.w : w_data};
	struct isk_post post = p->post;
	struct terms a, b;
	const struct element e = {p->pixels * p->c.out_channels, pixel * p->c.out_channels + o, AT(pixel, o)};
	struct isk_value exact;
	uint64_t named;
	size_t terms;
	int is_named;

	post.size = sizeof(post);
	post.bias = p->with_bias ? bias_data : NULL;
	post.scale = scale_data;
	post.b_zero = zero_data;
	post.other = p->other_is_y ? y_data : other_data;
	post.ldother = p->other_is_y ? p->ldy : p->ldother;
	terms = gather(k, p, pixel, o, &a, &b);
	is_named = bits_named(v, &a, &b, terms, pixel, o, &post, &named);
	exact = isk_oracle_convolution(k->types, f.x ? f.x : x_data, &w, &p->c, pixel, o, p->has_post ? &post : NULL);
	check_element(v, &e, is_named ? &named : NULL, &exact, &post, 4 * (double)(depth + 16) * least);
}

static void one(struct variant *v, const struct convolution *p)
{
	const size_t n = p->c.out_channels, count = p->pixels * n;
	const size_t work = count * (weights(&p->c) / (n ? n : 1) + 1);
	/* Only products have AMX's own order. */
	const isk_function same = v->other && is_depthwise(&p->c) ? v->other : NULL;
	static unsigned char *flushed_x, *flushed_w;
	struct flushed f = {NULL, NULL};

	spare(v);
	if (!taking_part(v))
		return;
	describe(p);
	if (has_amx_order(v) && !same) {
		f.x = flush(x_data, &flushed_x, span(in_pixels(&p->c), p->c.channels, p->ldx));
		f.w = flush(w_data, &flushed_w, weights(&p->c));
	}
	if (span(in_pixels(&p->c), p->c.channels, p->ldx) * isk_element_bytes(type_a(v->kernel)) > ROOM)
		wrong("the test asks for an image of %zu pixels", in_pixels(&p->c));
	compute_each(v, compute, p, count, n, same);
	for (size_t i = 0; i < count; i += step_to_next(work / 20000))
		expect(v, p, f, i / n, i % n);
}

static void random_ones(struct variant *v, int count)
{
	for (int i = 0; i < count; i++) {
		struct convolution p = draw(v->kernel);

		fill_all(v->kernel, &p);
		one(v, &p);
		draw_post(v->kernel, &p);
		one(v, &p);
	}
}

/* All small sizes of one dimension, depthwise and not. */
static void every_line(struct variant *v)
{
	for (size_t taps = 1; taps < 5; taps++)
		for (size_t stride = 1; stride < 4; stride++)
			for (size_t dilation = 1; dilation < 3; dilation++)
				for (size_t before = 0; before < 4; before++)
					for (size_t after = 0; after < 3; after++)
						for (size_t width = 0; width < 20; width += 1 + random_below(3)) {
							const size_t groups = random_below(2) ? 3 : 1;
							struct convolution p = {.c = {.size = sizeof(p.c),
							                              .images = 1,
							                              .height = 1,
							                              .width = width,
							                              .channels = 3,
							                              .out_channels = 6,
							                              .kernel_h = 1,
							                              .kernel_w = taps,
							                              .stride_h = 1,
							                              .stride_w = stride,
							                              .dilation_h = 1,
							                              .dilation_w = dilation,
							                              .pad_left = before,
							                              .pad_right = after,
							                              .groups = groups}};

							complete(&p);
							least_post(v->kernel, &p);
							fill_all(v->kernel, &p);
							one(v, &p);
						}
}

/* An image of size by size with a kernel of taps by taps and a padding that keeps the size. */
static struct convolution square(const struct isk_kernel *k, size_t size, size_t taps, size_t channels,
                                 size_t out_channels, size_t groups)
{
	struct convolution p = {.c = {.size = sizeof(p.c),
	                              .images = 1,
	                              .height = size,
	                              .width = size,
	                              .channels = channels,
	                              .out_channels = out_channels,
	                              .kernel_h = taps,
	                              .kernel_w = taps,
	                              .stride_h = 1,
	                              .stride_w = 1,
	                              .dilation_h = 1,
	                              .dilation_w = 1,
	                              .pad_top = taps / 2,
	                              .pad_left = taps / 2,
	                              .pad_bottom = taps / 2,
	                              .pad_right = taps / 2,
	                              .groups = groups}};

	complete(&p);
	least_post(k, &p);
	return p;
}

/*
 * 3 by 3 and 5 by 5 with the usual padding, for which kernels have sliding code, at each size around their
 * tiles. An infinite weight shows whether the padding is multiplied, because 0 times infinity is NaN.
 */
static void every_sliding(struct variant *v, size_t taps)
{
	for (size_t height = 1; height < 6; height++)
		for (size_t width = 1; width < 34; width++)
			for (size_t stride = 1; stride < 3; stride++) {
				static const size_t sizes[] = {1, 16, 19, 32};
				const size_t channels = sizes[random_below(4)];
				struct convolution p = square(v->kernel, 1, taps, channels, channels, channels);

				p.c.images = 1 + random_below(2);
				p.c.height = height;
				p.c.width = width;
				p.c.stride_h = p.c.stride_w = stride;
				complete(&p);
				fill_all(v->kernel, &p);
				one(v, &p);
				if (isk_element_is_float(type_b(v->kernel)))
					isk_element_set(type_b(v->kernel), w_data, random_below(weights(&p.c)), (long double)INFINITY);
				pack_weights(v->kernel, &p);
				draw_post(v->kernel, &p);
				one(v, &p);
			}
}

/*
 * Image lines of each length, with channels that fill whole vectors. AMX copies such lines in pieces, or
 * several at once, and takes their taps in parts.
 */
static void whole_lines(struct variant *v)
{
	/* The pixels fit into the rows of a tile, unless those between image lines count. */
	struct convolution few = square(v->kernel, 9, 4, 128 / isk_element_bytes(type_a(v->kernel)), 272, 1);
	static const size_t bytes[] = {16, 32, 64, 128, 192, 256}, columns[] = {1, 16, 19, 33, 48, 272};

	for (size_t width = 6; width < 70; width += 1 + random_below(3))
		for (size_t taps = 2; taps < 5; taps++) {
			const size_t out_channels = columns[random_below(6)], many = out_channels > 48;
			const size_t channels = bytes[random_below(6)] / isk_element_bytes(type_a(v->kernel));
			struct convolution p = square(v->kernel, 1, taps, channels, out_channels, 1);

			p.c.images = many ? 1 : small(1, 2);
			p.c.height = 1 + random_below(many ? 2 : 6);
			p.c.width = width;
			p.c.kernel_h = many ? 3 : random_below(3) ? taps : 1 + random_below(4);
			p.c.stride_h = small(1, 3);
			p.c.stride_w = small(1, 3);
			p.c.dilation_h = small(1, 3);
			p.c.pad_left = many || random_below(2) ? p.c.pad_left : random_below(20);
			p.c.pad_right = many || random_below(2) ? p.c.pad_right : random_below(20);
			p.c.pad_top = small(p.c.pad_top, 4);
			if (!many && random_below(3) == 0) {
				p.c.groups = 2;
				p.c.channels *= 2;
				p.c.out_channels *= 2;
			}
			if (random_below(3) == 0)
				p.c.ldx = p.c.channels + random_below(9);
			complete(&p);
			fill_all(v->kernel, &p);
			if (random_below(2))
				draw_post(v->kernel, &p);
			one(v, &p);
		}
	few.c.height = 2;
	few.c.kernel_h = few.c.stride_w = 3;
	complete(&few);
	fill_all(v->kernel, &few);
	one(v, &few);
}

/* Terms of all sizes whose sum is 0 in the middle of the image, so that only roundings remain, which show the order. */
static void cancelling(struct variant *v)
{
	const struct isk_kernel *k = v->kernel;

	for (int i = 0; i < 30 && !integers(k); i++) {
		struct convolution p = square(k, 5 + random_below(28), 2 + random_below(2), 8 * (1 + random_below(8)),
		                              1 + random_below(20), 1);
		const size_t n = weights(&p.c) / p.c.out_channels;

		p.c.height = 1 + random_below(6);
		complete(&p);
		fill_all(k, &p);
		for (size_t j = 0; j < in_pixels(&p.c) * p.c.channels; j++)
			isk_element_set(type_a(k), x_data, j, 1);
		for (size_t o = 0; o < p.c.out_channels; o++)
			for (size_t j = 0; j < n / 2; j++) {
				const double size = ldexp(random_in(1, 2), (int)random_below(25) - 12);

				isk_element_set(type_b(k), w_data, o * n + j, (long double)(random_below(2) ? size : -size));
				isk_element_set(type_b(k), w_data, o * n + n - 1 - j,
				                -(long double)isk_element_value(type_b(k), isk_element_bits(type_b(k), w_data, o * n + j)));
			}
		pack_weights(k, &p);
		one(v, &p);
	}
}

static void every_alignment(struct variant *v)
{
	for (size_t y = 0; y < 64; y += isk_element_bytes(type_c(v->kernel)))
		for (size_t x = 0; x < 64; x += 4 * isk_element_bytes(type_a(v->kernel))) {
			struct convolution p = draw(v->kernel);

			fill_all(v->kernel, &p);
			p.offset[0] = y;
			p.offset[1] = x;
			p.offset[2] = random_below(64);
			one(v, &p);
		}
}

/* NaN, infinities and denormals, in x and in the weights, also at padded taps. */
static void specials_in(struct variant *v)
{
	static const uint32_t values[] = {0x7fc00000, 0x7f800001, 0x7f800000, 0xff800000,
	                                  0x80000000, 0x00000001, 0x80012345};

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]) && isk_element_is_float(type_a(v->kernel)); i++)
		for (int j = 0; j < 24; j++) {
			struct convolution p = draw(v->kernel);
			const size_t inputs = span(in_pixels(&p.c), p.c.channels, p.ldx);

			fill_all(v->kernel, &p);
			if (j % 2 && inputs)
				isk_element_set(type_a(v->kernel), x_data, random_below(inputs), (long double)f32_of(values[i]));
			else
				isk_element_set(type_b(v->kernel), w_data, random_below(weights(&p.c)), (long double)f32_of(values[i]));
			pack_weights(v->kernel, &p);
			if (j % 4 > 1)
				draw_post(v->kernel, &p);
			one(v, &p);
		}
}

/* So many k that they are taken in parts that do not end with a tap: waiting sums with each kind of y and post. */
static void deep(struct variant *v)
{
	static const size_t sizes[] = {2, 4, 7}, channels[] = {512, 301};

	for (size_t i = 0; i < 3; i++)
		for (size_t j = 0; j < 2; j++) {
			struct convolution p = square(v->kernel, sizes[i], 3, channels[j], 1 + random_below(35), 1);

			fill_all(v->kernel, &p);
			one(v, &p);
			for (int round = 0; round < 2; round++) {
				draw_post(v->kernel, &p);
				one(v, &p);
			}
		}
}

/* Pixels far apart in x, in y and in both, by a power of two and by another number. */
static void far_apart(struct variant *v)
{
	static const size_t strides[] = {0, 1024, 1031, 4096};

	for (size_t i = 0; i < 4; i++)
		for (size_t j = 0; j < 4; j++)
			for (size_t kind = 0; kind < 3; kind++) {
				struct convolution p = square(v->kernel, 8, kind ? 3 : 1, 35, 35, kind == 2 ? 35 : 1);

				p.c.ldx = strides[i];
				p.c.ldy = strides[j];
				complete(&p);
				fill_all(v->kernel, &p);
				one(v, &p);
			}
}

/*
 * Each activation with each binary operation, each kind of scale, with and without bias: depthwise has code
 * of its own.
 */
static void every_post(struct variant *v)
{
	for (int act = ISK_ACT_NONE; act <= ISK_ACT_SILU && type_c(v->kernel) != ISK_S32; act++)
		for (int binary = ISK_BINARY_NONE; binary <= ISK_BINARY_AXPY; binary++)
			for (size_t rest = 0; rest < 6; rest++) {
				struct convolution p = square(v->kernel, 7, 3, 19, 19, 19);

				p.c.height = p.out_height = 2;
				p.pixels = p.out_height * p.out_width;
				draw_post(v->kernel, &p);
				set_post(v->kernel, &p.post, p.c.out_channels, rest % 3, (enum isk_activation)act, (enum isk_binary)binary);
				p.with_bias = rest > 2;
				p.other_is_y = binary && random_below(2);
				fill_all(v->kernel, &p);
				one(v, &p);
			}
}

/*
 * Denormals among x, weights, products and sums, which count. The least difference of two products of 8-bit
 * fractions is (1 + 2^-7)^2 - (1 + 2^-6) = 2^-14, so the sum of exponents tells whether a sum can be
 * denormal.
 */
static void small_numbers(struct variant *v)
{
	static const int sizes[][2] = {{-126, 0}, {0, -126}, {-62, -62}, {-70, -55}, {-130, 3}, {-133, -133}};
	const struct isk_kernel *k = v->kernel;
	const int lower = type_a(k) == ISK_F64 ? 1022 - 126 : 0; /* how much less the least exponent of f64 is */

	for (size_t i = 0; i < 8 * sizeof(sizes) / sizeof(sizes[0]) && !integers(k); i++) {
		const int both = sizes[i / 8][0] < 0 && sizes[i / 8][1] < 0, each = both ? lower / 2 : lower;
		const int x = sizes[i / 8][0], w = sizes[i / 8][1];
		struct convolution p = draw(k);

		fill_all(k, &p);
		fill(type_a(k), x_data, span(in_pixels(&p.c), p.c.channels, p.ldx), ldexp(1, x < 0 ? x - each : x));
		fill(type_b(k), w_data, weights(&p.c), ldexp(1, w < 0 ? w - each : w));
		pack_weights(k, &p);
		one(v, &p);
	}
	for (int sum = -128; sum < -100 && !integers(k); sum++)
		for (int x = -126; x <= sum + 126; x += 21) {
			struct convolution p = square(k, 5, 3, 2, 3, 1);

			fill_all(k, &p);
			memset(w_data, 0, weights(&p.c) * isk_element_bytes(type_b(k)));
			for (size_t i = 0; i < in_pixels(&p.c); i++) {
				isk_element_set(type_a(k), x_data, 2 * i, ldexpl(1 + 0x1p-7L, x));
				isk_element_set(type_a(k), x_data, 2 * i + 1, ldexpl(1 + 0x1p-6L, x));
			}
			for (size_t o = 0; o < p.c.out_channels; o++) {
				isk_element_set(type_b(k), w_data, (2 * o) * 9 + 4, ldexpl(1 + 0x1p-7L, sum - x));
				isk_element_set(type_b(k), w_data, (2 * o + 1) * 9 + 4, -ldexpl(1, sum - x));
			}
			pack_weights(k, &p);
			one(v, &p);
		}
}

static void check_part(struct variant *v, const struct convolution *part, size_t from,
                       const unsigned char *whole)
{
	const enum isk_type type = type_c(v->kernel);
	const size_t n = part->c.out_channels;
	unsigned char *results = results_room();

	describe(part);
	compute_from(v, v->fn, part, from, results);
	for (size_t i = 0; i < part->pixels * n && promises_bits(v); i++)
		check_bits(v, type, isk_element_bits(type, results, i), isk_element_bits(type, whole, i),
		           "as part of a larger convolution", AT(i / n, i % n));
}

/* Images and rows of y computed in parts have the bits of those computed at once. */
static void every_split(struct variant *v)
{
	static unsigned char *whole;
	const size_t size = isk_element_bytes(type_c(v->kernel));

	if (!whole && !(whole = malloc(ROOM)))
		abort();
	for (int i = 0; i < 60; i++) {
		const struct convolution p = draw(v->kernel);
		const size_t row_bytes = p.out_width * p.c.out_channels * size;
		const size_t image = random_below(p.c.images), row = random_below(p.out_height + 1);
		const size_t first = row * p.c.stride_h;
		struct convolution part = p;

		fill_all(v->kernel, &p);
		compute(v, v->fn, &p, whole);
		part.c.images = p.c.images - image;
		part.pixels = part.c.images * p.out_height * p.out_width;
		check_part(v, &part, image * p.c.height * p.c.width * p.ldx,
		           whole + image * p.out_height * row_bytes);
		if (row == p.out_height || (first > p.c.pad_top && first - p.c.pad_top > p.c.height))
			continue;
		part.c.images = 1;
		part.c.pad_top = first < p.c.pad_top ? p.c.pad_top - first : 0;
		part.c.height = first < p.c.pad_top ? p.c.height : p.c.height - (first - p.c.pad_top);
		part.out_height = p.out_height - row;
		part.pixels = part.out_height * p.out_width;
		check_part(v, &part, (p.c.height - part.c.height) * p.c.width * p.ldx, whole + row * row_bytes);
	}
}

static void refusals(struct variant *v)
{
	const struct isk_kernel *k = v->kernel;
	const size_t huge = SIZE_MAX / 4 + 1;
	const struct convolution good = {
		.c = {.size = sizeof(good.c), .images = 2, .height = 5, .width = 6, .channels = 8, .out_channels = 12,
	          .kernel_h = 3, .kernel_w = 2, .stride_h = 1, .stride_w = 1, .dilation_h = 1, .dilation_w = 1,
	          .groups = 2}};
	struct convolution p = good;
	struct isk_post post;
	size_t bytes;
	unsigned char *y, *packed;
	const void *x;

	complete(&p);
	fill_all(k, &p);
	bytes = isk_conv_packed_size(type_b(k), &p.c);
	x = slot_put(SLOT_A, HIGH, 0, x_data, span(in_pixels(&p.c), p.c.channels, p.ldx) * isk_element_bytes(type_a(k)));
	packed = slot_put(SLOT_B, HIGH, 0, packed_data, bytes);
	y = slot_put(SLOT_Y, HIGH, 0, NULL, span(p.pixels, p.c.out_channels, p.ldy) * isk_element_bytes(type_c(k)));

#define REFUSED(status, y, x, packed, change)                                  \
	do {                                                                       \
		p = good;                                                              \
		post = (struct isk_post){.size = sizeof(post), .out_scale = quantized(k)};   \
		(void)(change);                                                        \
		trying("refusal: %s with y %s, x %s, packed %s", #change, #y, #x, #packed); \
		check_status(convolve(v, v->fn, y, x, packed, &p.c, &post), status, status_of(k, y, x, packed, &p.c, &post)); \
		v->checks++;                                                           \
	} while (0)

	REFUSED(ISK_ERR_NULL, NULL, x, packed, 0);
	REFUSED(ISK_ERR_NULL, y, NULL, packed, 0);
	REFUSED(ISK_ERR_NULL, y, x, NULL, 0);
	if (convolve(v, v->fn, y, x, packed, NULL, &post) != ISK_ERR_NULL)
		wrong("no convolution is taken for one");
	REFUSED(ISK_ERR_CONV, y, x, packed, p.c.size = 0);
	REFUSED(ISK_ERR_CONV, y, x, packed, p.c.size++);
	REFUSED(ISK_ERR_CONV, y, x, packed, p.c.kernel_h = 0);
	REFUSED(ISK_ERR_CONV, y, x, packed, p.c.kernel_w = 0);
	REFUSED(ISK_ERR_CONV, y, x, packed, p.c.stride_h = 0);
	REFUSED(ISK_ERR_CONV, y, x, packed, p.c.stride_w = 0);
	REFUSED(ISK_ERR_CONV, y, x, packed, p.c.dilation_h = 0);
	REFUSED(ISK_ERR_CONV, y, x, packed, p.c.dilation_w = 0);
	REFUSED(ISK_ERR_CONV, y, x, packed, p.c.groups = 0);
	REFUSED(ISK_ERR_CONV, y, x, packed, p.c.groups = 3);
	REFUSED(ISK_ERR_CONV, y, x, packed, p.c.out_channels = 13);
	REFUSED(ISK_ERR_STRIDE, y, x, packed, p.c.ldx = 7);
	REFUSED(ISK_ERR_STRIDE, y, x, packed, p.c.ldy = 11);
	REFUSED(ISK_ERR_SIZE, y, x, packed, p.c.ldx = huge);
	REFUSED(ISK_ERR_SIZE, y, x, packed, p.c.ldy = huge);
	REFUSED(ISK_ERR_SIZE, y, x, packed, p.c.images = huge);
	REFUSED(ISK_ERR_SIZE, y, x, packed, p.c.height = huge);
	REFUSED(ISK_ERR_SIZE, y, x, packed, p.c.width = huge);
	REFUSED(ISK_ERR_SIZE, y, x, packed, p.c.pad_top = SIZE_MAX);
	REFUSED(ISK_ERR_SIZE, y, x, packed, p.c.pad_right = SIZE_MAX);
	REFUSED(ISK_ERR_SIZE, y, x, packed, p.c.pad_left = SIZE_MAX / 2);
	REFUSED(ISK_ERR_SIZE, y, x, packed, p.c.dilation_h = SIZE_MAX);
	REFUSED(ISK_ERR_SIZE, y, x, packed, (p.c.kernel_h = huge, p.c.height = 0));
	REFUSED(ISK_ERR_SIZE, y, x, packed, (p.c.kernel_h = huge / 4, p.c.kernel_w = huge / 4));
	REFUSED(ISK_ERR_SHAPE, y, x, packed, p.c.kernel_h++);
	REFUSED(ISK_ERR_SHAPE, y, x, packed, p.c.kernel_w = 1);
	REFUSED(ISK_ERR_SHAPE, y, x, packed, p.c.groups = 1);
	REFUSED(ISK_ERR_SHAPE, y, x, packed, p.c.channels = 6);
	REFUSED(ISK_ERR_SHAPE, y, x, packed, p.c.out_channels = 10);
	REFUSED(ISK_ERR_POST, y, x, packed, post.size = 0);
	REFUSED(ISK_ERR_POST, y, x, packed, post.first_column = 16);
	REFUSED(ISK_ERR_POST, y, x, packed, post.row_scale = scale_data);
	REFUSED(ISK_ERR_POST, y, x, packed, post.row_zero = zero_data);
	REFUSED(ISK_ERR_POST, y, x, packed, post.act = (enum isk_activation)(ISK_ACT_SILU + 1));
	if (type_c(k) == ISK_F64)
		REFUSED(ISK_ERR_POST, y, x, packed, post.act = ISK_ACT_SIGMOID);
	REFUSED(ISK_ERR_POST, y, x, packed, post.binary = (enum isk_binary)(ISK_BINARY_AXPY + 1));
	if (type_c(k) != ISK_S32) {
		REFUSED(ISK_ERR_POST, y, x, packed, (post.scales = 2, post.scale = scale_data));
		REFUSED(ISK_ERR_POST, y, x, packed, (post.scales = 6, post.scale = scale_data));
		REFUSED(ISK_ERR_NULL, y, x, packed, post.scales = 1);
		REFUSED(ISK_ERR_NULL, y, x, packed, (post.binary = ISK_BINARY_ADD, post.ldother = 12));
		REFUSED(ISK_ERR_STRIDE, y, x, packed,
		        (post.binary = ISK_BINARY_MUL, post.other = other_data, post.ldother = 11));
		REFUSED(ISK_ERR_SIZE, y, x, packed,
		        (post.binary = ISK_BINARY_SUB, post.other = other_data, post.ldother = huge));
	} else {
		REFUSED(ISK_ERR_POST, y, x, packed, (post.scales = 1, post.scale = scale_data));
		REFUSED(ISK_ERR_POST, y, x, packed, post.bias = bias_data);
	}
	if (integers(k)) {
		REFUSED(ISK_ERR_POST, y, x, packed, post.a_zero = (int32_t)isk_greatest_integer(type_a(k)) + 1);
		REFUSED(ISK_ERR_POST, y, x, packed, post.a_zero = (int32_t)isk_least_integer(type_a(k)) - 1);
		REFUSED(ISK_ERR_POST, y, x, packed, (post.b_zeros = 6, post.b_zero = zero_data));
		REFUSED(ISK_ERR_NULL, y, x, packed, post.b_zeros = 1);
	} else {
		REFUSED(ISK_ERR_POST, y, x, packed, post.a_zero = 1);
		REFUSED(ISK_ERR_POST, y, x, packed, (post.b_zeros = 1, post.b_zero = zero_data));
	}
	if (quantized(k)) {
		REFUSED(ISK_ERR_POST, y, x, packed, post.out_scale = 0);
		REFUSED(ISK_ERR_POST, y, x, packed, post.out_zero = (int32_t)isk_greatest_integer(type_c(k)) + 1);
	} else {
		REFUSED(ISK_ERR_POST, y, x, packed, post.out_scale = 1);
		REFUSED(ISK_ERR_POST, y, x, packed, post.out_zero = 1);
	}

	/* The second group's header is checked like the first one's: one packed for another convolution, or damaged. */
	for (size_t g = 0; g < 2; g++) {
		const size_t at = g * (bytes / 2);
		struct isk_packed header, bad;

		memcpy(&header, packed_data + at, sizeof(header));
		packed = slot_put(SLOT_B, HIGH, 0, packed_data, bytes);
		bad = isk_packed_header(type_b(k), header.k + 1, header.n, 0, 0, 0);
		memcpy(packed + at, &bad, sizeof(bad));
		REFUSED(ISK_ERR_SHAPE, y, x, packed, 0);
		bad = isk_packed_header(type_b(k), header.k, header.n + 1, 0, 0, 0);
		memcpy(packed + at, &bad, sizeof(bad));
		REFUSED(ISK_ERR_SHAPE, y, x, packed, 0);
		bad = isk_packed_header(type_b(k) == ISK_F32 ? ISK_BF16 : ISK_F32, header.k, header.n, 0, 0, 0);
		memcpy(packed + at, &bad, sizeof(bad));
		REFUSED(ISK_ERR_TYPE, y, x, packed, 0);
		bad = header;
		bad.version = ISK_PACKED_VERSION + 1;
		bad.header_check = isk_packed_header_check(&bad);
		memcpy(packed + at, &bad, sizeof(bad));
		REFUSED(ISK_ERR_VERSION, y, x, packed, 0);
		for (size_t i = 0; i < sizeof(header); i++) {
			if (i == offsetof(struct isk_packed, version) || i == offsetof(struct isk_packed, version) + 1)
				continue;
			memcpy(packed + at, &header, sizeof(header));
			packed[at + i] ^= (unsigned char)(1 + random_below(255));
			REFUSED(ISK_ERR_PACKED, y, x, packed, 0);
		}
		slot_put(SLOT_B, HIGH, 0, packed_data, bytes);
	}
	slots_check();
}

/* Sizes of 0 read and write nothing; a kernel larger than the padded image has no output. */
static void empty(struct variant *v)
{
	static const size_t sizes[][4] = {{0, 5, 3, 4}, {1, 0, 3, 4}, {1, 5, 0, 4}, {1, 5, 3, 0}, {2, 1, 3, 4}};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct convolution p = {.c = {.size = sizeof(p.c),
		                              .images = sizes[i][0],
		                              .height = sizes[i][1],
		                              .width = 4,
		                              .channels = sizes[i][2],
		                              .out_channels = sizes[i][3],
		                              .kernel_h = 2,
		                              .kernel_w = 2,
		                              .stride_h = 1,
		                              .stride_w = 1,
		                              .dilation_h = 1,
		                              .dilation_w = 1,
		                              .groups = 1}};

		complete(&p);
		least_post(v->kernel, &p);
		fill_all(v->kernel, &p);
		if (p.pixels && p.c.out_channels)
			one(v, &p); /* no channels: sums of nothing */
		describe(&p);
		p.post.size = sizeof(p.post);
		if (!(p.pixels && p.c.out_channels)
		    && convolve(v, v->fn, NULL, NULL, packed_data, &p.c, p.has_post ? &p.post : NULL))
			wrong("refused");
	}
}

/*
 * A call with nothing to write ends at once, however large the other dimensions are, on each way to compute a
 * convolution.
 */
static void huge_and_empty(struct variant *v)
{
	const size_t huge = (size_t)1 << 61;
	static const size_t channels[][3] = {{3, 4, 1}, {64, 32, 1}, {8, 6, 2}, {19, 19, 19}, {16, 16, 16}, {16, 0, 16}};

	for (size_t i = 0; i < sizeof(channels) / sizeof(channels[0]); i++)
		for (size_t taps = 1; taps < 4; taps++)
			for (int empty = 0; empty < 4; empty++) {
				struct convolution p = square(v->kernel, 5, taps, channels[i][0], channels[i][1], channels[i][2]);
				struct isk_conv *c = &p.c;
				int status;

				fill_all(v->kernel, &p);
				if (c->out_channels && empty == 0) {
					c->width = c->pad_left = c->pad_right = 0;
					c->pad_bottom = huge;
				} else if (c->out_channels && empty == 1) {
					c->height = c->pad_top = c->pad_bottom = 0;
					c->pad_right = huge;
				} else if (c->out_channels && empty == 2) {
					c->height = c->width = c->pad_top = c->pad_bottom = 0;
					c->images = huge;
				} else {
					c->images = c->out_channels ? 0 : 1;
					c->pad_top = huge;
				}
				complete(&p);
				describe(&p);
				p.post.size = sizeof(p.post);
				status = convolve(v, v->fn, NULL, NULL, packed_data, c, p.has_post ? &p.post : NULL);
				if (status)
					wrong("status %d (%s)", status, isk_strerror(status));
				v->checks++;
			}
}

static void rooms(void)
{
	unsigned char **const all[] = {&x_data, &w_data, &y_data, &other_data, &packed_data};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (!*all[i] && !(*all[i] = malloc(ROOM)))
			abort();
	if (!bias_data &&
	    (!(bias_data = malloc(ROOM)) || !(scale_data = malloc(ROOM)) || !(zero_data = malloc(ROOM))))
		abort();
}

void drive_conv(struct variant *v)
{
	rooms();
	each_alone(v, empty);
	each_alone(v, huge_and_empty);
	every_line(v);
	every_sliding(v, 3);
	every_sliding(v, 5);
	random_ones(v, getenv("ISK_TEST_SLOW") ? 10000 : 300);
	deep(v);
	if (strcmp(v->isa, "amx") == 0)
		whole_lines(v);
	cancelling(v);
	far_apart(v);
	every_post(v);
	every_alignment(v);
	specials_in(v);
	small_numbers(v);
	each_alone(v, every_split);
	each_alone(v, refusals);
}

static int pack(struct variant *v, void *packed, const void *w, size_t bytes, const struct isk_conv *c)
{
	union isk_args args = {.conv_pack = {.packed = packed, .w = w, .bytes = bytes, .conv = c}};

	v->checks++;
	variant_call(v, v->fn, &args);
	return args.result.status;
}

static void pack_one(struct variant *v, const struct convolution *p)
{
	/* The header tells of infinities, NaN and denormals. */
	static const long double rare[] = {HUGE_VALL, -HUGE_VALL, (long double)NAN, 0x1p-130L, 0};
	const struct isk_kernel *k = v->kernel;
	const size_t bytes = isk_conv_packed_size(type_b(k), &p->c), more = random_below(2) * 100;
	const size_t groups = p->c.channels == p->c.groups ? 1 : p->c.groups;
	unsigned char *packed, *wanted = results_room();
	const void *w;
	int status;

	describe(p);
	fill(type_a(k), w_data, weights(&p->c), 8);
	if (isk_element_is_float(type_a(k)) && weights(&p->c) && random_below(2))
		isk_element_set(type_a(k), w_data, random_below(weights(&p->c)), rare[random_below(5)]);
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
	for (size_t g = 0; g < groups && !status; g++)
		status = isk_packed_check(packed + g * (bytes / groups), bytes / groups, type_b(k));
	if (status)
		wrong("isk_packed_check() gives %d (%s)", status, isk_strerror(status));
}

static void pack_refusals(struct variant *v)
{
	const struct isk_kernel *k = v->kernel;
	const size_t huge = SIZE_MAX / 4 + 1;
	const struct isk_conv good = {.size = sizeof(good),
	                              .images = 1,
	                              .height = 5,
	                              .width = 6,
	                              .channels = 8,
	                              .out_channels = 12,
	                              .kernel_h = 3,
	                              .kernel_w = 2,
	                              .stride_h = 1,
	                              .stride_w = 1,
	                              .dilation_h = 1,
	                              .dilation_w = 1,
	                              .groups = 2};
	const size_t bytes = isk_conv_packed_size(type_b(k), &good);
	unsigned char *to = slot_put(SLOT_Y, HIGH, 0, NULL, bytes);
	struct isk_conv c;

#define PACK_REFUSED(status, packed, w, bytes, conv, change)                   \
	do {                                                                       \
		c = good;                                                              \
		(void)(change);                                                        \
		trying("refusal: %s with packed %s, w %s, bytes %s", #change, #packed, #w, #bytes); \
		check_status(pack(v, packed, w, bytes, conv), status, packed_by_oracle(k, packed, w, bytes, conv)); \
	} while (0)

	fill(type_a(k), w_data, weights(&good), 1);
	PACK_REFUSED(ISK_ERR_NULL, NULL, w_data, bytes, &c, 0);
	PACK_REFUSED(ISK_ERR_NULL, to, NULL, bytes, &c, 0);
	PACK_REFUSED(ISK_ERR_NULL, to, w_data, bytes, NULL, 0);
	PACK_REFUSED(ISK_ERR_SPACE, to, w_data, bytes - 1, &c, 0);
	PACK_REFUSED(ISK_ERR_SPACE, to, w_data, 0, &c, 0);
	PACK_REFUSED(ISK_ERR_CONV, to, w_data, bytes, &c, c.groups = 5);
	PACK_REFUSED(ISK_ERR_CONV, to, w_data, bytes, &c, c.stride_w = 0);
	PACK_REFUSED(ISK_ERR_STRIDE, to, w_data, bytes, &c, c.ldx = 7);
	PACK_REFUSED(ISK_ERR_SIZE, to, w_data, SIZE_MAX, &c, (c.channels = huge, c.height = 0));
	PACK_REFUSED(ISK_ERR_SIZE, to, w_data, SIZE_MAX, &c, (c.out_channels = huge, c.images = 0));
	PACK_REFUSED(ISK_ERR_SIZE, to, w_data, SIZE_MAX, &c, c.kernel_h = huge);
	slots_check();
}

void drive_conv_pack(struct variant *v)
{
	rooms();
	for (int i = 0; i < 2000; i++) {
		const struct convolution p = draw(v->kernel);

		pack_one(v, &p);
	}
	pack_refusals(v);
}
