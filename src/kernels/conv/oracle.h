/* SPDX-License-Identifier: MIT */
/*
 * The oracles of convolutions: the definition in conv.h, tap by tap, with sizes
 * computed in 128 bits. The oracles of matrices define the product of a row and a column,
 * and the columns of a packed matrix.
 */
#if !ISK_WIDE

#include <stdlib.h>

typedef unsigned __int128 wide;

static int depthwise(const struct isk_conv *c)
{
	return c->groups > 1 && c->channels == c->groups;
}

static size_t in_group(const struct isk_conv *c)
{
	return c->channels / c->groups;
}

static wide places(size_t size, size_t before, size_t after, size_t taps, size_t stride, size_t dilation)
{
	const wide extent = (wide)size + before + after, reach = (wide)(taps - 1) * dilation + 1;

	return extent < reach ? 0 : (extent - reach) / stride + 1;
}

static int too_many(wide a, wide b, wide c, wide d)
{
	const wide most = SIZE_MAX;

	if (a > most || b > most || a * b > most || c > most || a * b * c > most)
		return 1;
	return a * b * c != 0 && (d > most || a * b * c * d > most);
}

static size_t pixel_of_y(const struct isk_conv *c, size_t *width)
{
	*width = (size_t)places(c->width, c->pad_left, c->pad_right, c->kernel_w, c->stride_w, c->dilation_w);
	return (size_t)places(c->height, c->pad_top, c->pad_bottom, c->kernel_h, c->stride_h, c->dilation_h);
}

ISK_TESTED size_t isk_oracle_pixels(const struct isk_conv *c)
{
	size_t width;

	return c->images * pixel_of_y(c, &width) * width;
}

static size_t matrices(const struct isk_conv *c)
{
	return depthwise(c) ? 1 : c->groups;
}

static size_t depth(const struct isk_conv *c)
{
	return c->kernel_h * c->kernel_w * in_group(c);
}

/* Checks the sizes. x_bytes and y_bytes are the bytes of an element of x and y. */
static int check_sizes(const struct isk_conv *c, enum isk_type type, size_t x_bytes, size_t y_bytes)
{
	const wide half = SIZE_MAX / 2;
	wide ldx, ldy, height, width;

	if (!c)
		return ISK_ERR_NULL;
	ldx = c->ldx ? c->ldx : c->channels;
	ldy = c->ldy ? c->ldy : c->out_channels;
	if (c->size != sizeof(*c) || !c->kernel_h || !c->kernel_w || !c->stride_h || !c->stride_w
	    || !c->dilation_h || !c->dilation_w || !c->groups || c->channels % c->groups
	    || c->out_channels % c->groups)
		return ISK_ERR_CONV;
	if (ldx < c->channels || ldy < c->out_channels)
		return ISK_ERR_STRIDE;
	height = places(c->height, c->pad_top, c->pad_bottom, c->kernel_h, c->stride_h, c->dilation_h);
	width = places(c->width, c->pad_left, c->pad_right, c->kernel_w, c->stride_w, c->dilation_w);
	if ((wide)c->height + c->pad_top + c->pad_bottom > half
	    || (wide)c->width + c->pad_left + c->pad_right > half
	    || (wide)(c->kernel_h - 1) * c->dilation_h > SIZE_MAX
	    || (wide)(c->kernel_w - 1) * c->dilation_w > SIZE_MAX
	    || too_many(c->kernel_h, c->kernel_w, in_group(c), 1)
	    || too_many(c->images, c->height, c->width, ldx * x_bytes)
	    || too_many(c->images, height, width, ldy * y_bytes))
		return ISK_ERR_SIZE;
	if (too_many(isk_packed_bytes(type, depth(c), c->out_channels / matrices(c), 0), matrices(c), 1, 1)
	    || isk_packed_bytes(type, depth(c), c->out_channels / matrices(c), 0) == 0)
		return ISK_ERR_SIZE;
	return ISK_OK;
}

ISK_TESTED int isk_check_conv(const enum isk_type types[3], const struct isk_args_conv *a)
{
	const struct isk_conv *c = a->conv;
	const struct isk_post *post = a->post;
	const unsigned char *matrix = a->packed;
	struct isk_packed header;
	size_t pixels;
	int status = check_sizes(c, types[1], isk_element_bytes(types[0]), isk_element_bytes(types[2]));

	if (status)
		return status;
	pixels = isk_oracle_pixels(c);
	if (post && (post->size != sizeof(*post) || post->first_column || post->row_scale || post->row_zero))
		return ISK_ERR_POST;
	if (!a->packed || (!a->y && pixels && c->out_channels)
	    || (!a->x && pixels && c->out_channels && c->height && c->width && c->channels))
		return ISK_ERR_NULL;
	for (size_t g = 0; g < matrices(c); g++, matrix += isk_packed_bytes(types[1], depth(c), header.n, 0)) {
		memcpy(&header, matrix, sizeof(header));
		status = isk_packed_check_header(&header, types[1]);
		if (status)
			return status;
		if (header.scale_k)
			return ISK_ERR_TYPE;
		if (header.k != depth(c) || header.n != c->out_channels / matrices(c))
			return ISK_ERR_SHAPE;
	}
	return check_post(types[0], types[2], pixels, c->out_channels, post);
}

/* The address of the weight for output o, tap (u, v) and a channel of its group. */
static const void *weight(const struct isk_weights *w, const struct isk_conv *c, size_t o, size_t u, size_t v,
                          size_t channel, size_t bytes)
{
	const size_t columns = c->out_channels / matrices(c), i = (u * c->kernel_w + v) * in_group(c) + channel;
	const unsigned char *packed = w->packed, *first;
	struct isk_packed header;
	struct isk_column column;

	if (w->oihw)
		return (const unsigned char *)w->oihw
		       + (((o * in_group(c) + channel) * c->kernel_h + u) * c->kernel_w + v) * bytes;
	memcpy(&header, packed, sizeof(header));
	packed += o / columns * isk_packed_bytes(header.type, depth(c), columns, 0);
	column = isk_oracle_packed_column(packed, o % columns);
	first = column.first;
	return first + (i / column.group * column.stride + i % column.group) * bytes;
}

/* The address of the element of x that this weight multiplies, or NULL outside the image. */
static const void *input(const void *x, const struct isk_conv *c, size_t pixel, size_t o, size_t u, size_t v,
                         size_t channel, size_t bytes)
{
	size_t out_width;
	const size_t out_height = pixel_of_y(c, &out_width), group = o / (c->out_channels / c->groups);
	const size_t image = pixel / (out_height * out_width), row = pixel / out_width % out_height;
	const __int128 r = (__int128)(row * c->stride_h + u * c->dilation_h) - c->pad_top;
	const __int128 q = (__int128)(pixel % out_width * c->stride_w + v * c->dilation_w) - c->pad_left;

	if (r < 0 || r >= (__int128)c->height || q < 0 || q >= (__int128)c->width)
		return NULL;
	return (const unsigned char *)x
	       + (((image * c->height + (size_t)r) * c->width + (size_t)q) * (c->ldx ? c->ldx : c->channels)
	          + group * in_group(c) + channel) * bytes;
}

/* Whether sums of this type of x skip taps outside the image, instead of multiplying 0. */
static int leaves_out(const struct isk_conv *c, enum isk_type x_type)
{
	return (x_type == ISK_F32 || x_type == ISK_F64) && !depthwise(c);
}

#define EACH_TERM(c)                                                           \
	for (size_t u = 0; u < (c)->kernel_h; u++)                                 \
		for (size_t v = 0; v < (c)->kernel_w; v++)                             \
			for (size_t channel = 0; channel < in_group(c); channel++)

/* Computes an output as the product of a row and a column, whose oracle gives the sum and its error. */
ISK_TESTED struct isk_value isk_oracle_convolution(const enum isk_type types[3], const void *x,
                                                   const struct isk_weights *w, const struct isk_conv *c,
                                                   size_t pixel, size_t o, const struct isk_post *post)
{
	const size_t a_bytes = isk_element_bytes(types[0]), b_bytes = isk_element_bytes(types[1]);
	unsigned char *a = malloc(depth(c) * a_bytes + 1), *b = malloc(depth(c) * b_bytes + 1);
	const struct isk_column column = {b, 1, 1, 0, NULL};
	struct isk_value y = {(long double)NAN, 0};
	size_t i = 0;

	if (a && b) {
		EACH_TERM (c) {
			const void *at = input(x, c, pixel, o, u, v, channel, a_bytes);

			if (!at && leaves_out(c, types[0]))
				continue;
			if (at)
				memcpy(a + i * a_bytes, at, a_bytes);
			else
				isk_element_set(types[0], a, i, post ? post->a_zero : 0);
			memcpy(b + i++ * b_bytes, weight(w, c, o, u, v, channel, b_bytes), b_bytes);
		}
		y = isk_oracle_product(types, a, 1, &column, i, pixel, o, post);
	}
	free(a);
	free(b);
	return y;
}

/* Gathers the matrix one element at a time, then packs it like any other. */
ISK_TESTED int isk_oracle_conv_pack(enum isk_type type, const struct isk_args_conv_pack *p)
{
	const struct isk_conv *c = p->conv;
	const int status = check_sizes(c, type, 1, 1);
	const struct isk_weights weights = {.oihw = p->w};
	const size_t bytes = isk_element_bytes(type);
	size_t columns, size;

	if (!p->packed || !c || (!p->w && !status && depth(c) && c->out_channels))
		return ISK_ERR_NULL;
	if (status)
		return status;
	columns = c->out_channels / matrices(c);
	size = isk_packed_bytes(type, depth(c), columns, 0);
	if (too_many(depth(c), c->out_channels, bytes, 1))
		return ISK_ERR_SIZE;
	if (p->bytes < size * matrices(c))
		return ISK_ERR_SPACE;
	for (size_t g = 0; g < matrices(c); g++) {
		unsigned char *b = malloc(depth(c) * columns * bytes + 1);

		if (!b)
			return ISK_ERR_SPACE;
		for (size_t j = 0; j < columns; j++) {
			size_t i = j;

			EACH_TERM (c) {
				memcpy(b + i * bytes, weight(&weights, c, g * columns + j, u, v, channel, bytes), bytes);
				i += columns;
			}
		}
		isk_oracle_pack(type, &(struct isk_args_pack){.packed = (unsigned char *)p->packed + g * size, .b = b,
		                                              .bytes = size, .k = depth(c), .n = columns, .ldb = columns},
		                NULL);
		free(b);
	}
	return ISK_OK;
}

/* Operations of these shapes differ by their types alone, and one form serves f64 as well. */
#define oracle_conv_pack_plain isk_oracle_conv_pack
#define oracle_conv_plain      isk_check_conv
#define oracle_conv_pack_wide  isk_oracle_conv_pack
#define oracle_conv_wide       isk_check_conv
#define form_conv_pack_wide    form_conv_pack_plain
#define form_conv_wide         form_conv_plain

ISK_SHARED static void form_conv_pack_plain(struct isk_sink *s, const enum isk_type *types, struct isk_args_conv_pack *a,
                                 int (*oracle)(enum isk_type type, const struct isk_args_conv_pack *p))
{
	(void)s;
	a->result.status = oracle(types[0], a);
}

ISK_SHARED static void form_conv_plain(struct isk_sink *s, const enum isk_type *types, struct isk_args_conv *a,
                            int (*check)(const enum isk_type types[3], const struct isk_args_conv *a))
{
	const struct isk_weights w = {.packed = a->packed};
	const struct isk_conv *c = a->conv;

	a->result.status = check(types, a);
	/* Without output channels, there may be any number of pixels. */
	for (size_t i = 0; !a->result.status && c->out_channels && i < isk_oracle_pixels(c); i++)
		for (size_t o = 0; o < c->out_channels; o++)
			put_product(s, a->y, i * (c->ldy ? c->ldy : c->out_channels) + o, types[2],
			            isk_oracle_convolution(types, a->x, &w, c, i, o, a->post), depth(c), a->post);
}

#undef EACH_TERM

#endif
