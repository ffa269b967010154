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

/* Checks the sizes of images. x_bytes and y_bytes are the bytes of an element of x and y. */
static int check_images(const struct isk_conv *c, size_t x_bytes, size_t y_bytes)
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
	return ISK_OK;
}

static int check_sizes(const struct isk_conv *c, enum isk_type type, size_t x_bytes, size_t y_bytes)
{
	const int status = check_images(c, x_bytes, y_bytes);

	if (status)
		return status;
	if (too_many(isk_packed_bytes(type, depth(c), c->out_channels / matrices(c), 0), matrices(c), 1, 1)
	    || isk_packed_bytes(type, depth(c), c->out_channels / matrices(c), 0) == 0)
		return ISK_ERR_SIZE;
	return ISK_OK;
}

/* Checks the headers of packed matrices, `count` of them, each k by n. */
static int check_matrices(enum isk_type type, const unsigned char *matrix, size_t count, size_t k, size_t n)
{
	struct isk_packed header;

	for (size_t g = 0; g < count; g++, matrix += isk_packed_bytes(type, k, header.n, 0)) {
		int status;

		memcpy(&header, matrix, sizeof(header));
		status = isk_packed_check_header(&header, type);
		if (status)
			return status;
		if (header.scale_k)
			return ISK_ERR_TYPE;
		if (header.k != k || header.n != n)
			return ISK_ERR_SHAPE;
	}
	return ISK_OK;
}

static int wrong_post(const struct isk_post *post)
{
	return post && (post->size != sizeof(*post) || post->first_column || post->row_scale || post->row_zero);
}

ISK_TESTED int isk_check_conv(const enum isk_type types[3], const struct isk_args_conv *a)
{
	const struct isk_conv *c = a->conv;
	size_t pixels;
	int status = check_sizes(c, types[1], isk_element_bytes(types[0]), isk_element_bytes(types[2]));

	if (status)
		return status;
	pixels = isk_oracle_pixels(c);
	if (wrong_post(a->post))
		return ISK_ERR_POST;
	if (!a->packed || (!a->y && pixels && c->out_channels)
	    || (!a->x && pixels && c->out_channels && c->height && c->width && c->channels))
		return ISK_ERR_NULL;
	status = check_matrices(types[1], a->packed, matrices(c), depth(c), c->out_channels / matrices(c));
	return status ? status : check_post(types[0], types[2], pixels, c->out_channels, a->post);
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

/*
 * Transposes of convolutions: y is the image and x the output. Packed weights have a matrix for each group, of (taps and channels
 * of x) by channels of y.
 */

/* Pixels of y that are columns of one matrix. */
static size_t joined(const struct isk_conv *c)
{
	size_t width;

	pixel_of_y(c, &width);
	return c->kernel_w == c->stride_w && c->dilation_w == 1 && c->pad_left == 0 && (wide)width * c->kernel_w == c->width
	               && c->groups == 1 && (c->ldx == 0 || c->ldx == c->channels) && c->channels % 16 != 0
	               && c->channels <= 256 / c->kernel_w
	           ? c->kernel_w
	           : 1;
}

/* Whether each group has one channel of x. */
static int transposed_depthwise(const struct isk_conv *c)
{
	return c->groups > 1 && c->out_channels == c->groups;
}

static size_t transposed_matrices(const struct isk_conv *c)
{
	return transposed_depthwise(c) ? 1 : c->groups;
}

static size_t transposed_depth(const struct isk_conv *c)
{
	return c->kernel_h * (c->kernel_w / joined(c)) * (c->out_channels / c->groups);
}

static size_t transposed_columns(const struct isk_conv *c)
{
	return c->channels / transposed_matrices(c) * joined(c);
}

static int check_transposed_sizes(const struct isk_conv *c, enum isk_type type, size_t x_bytes, size_t y_bytes)
{
	const int status = check_images(c, y_bytes, x_bytes);
	size_t bytes;

	if (status)
		return status;
	if (too_many(c->kernel_h, c->kernel_w / joined(c), c->out_channels / c->groups, 1))
		return ISK_ERR_SIZE;
	bytes = isk_packed_bytes(type, transposed_depth(c), transposed_columns(c), 0);
	return !bytes || too_many(bytes, transposed_matrices(c), 1, 1) ? ISK_ERR_SIZE : ISK_OK;
}

ISK_TESTED int isk_check_conv_transpose(const enum isk_type types[3], const struct isk_args_conv_transpose *a)
{
	const struct isk_conv *c = a->conv;
	size_t pixels;
	int status = check_transposed_sizes(c, types[1], isk_element_bytes(types[0]), isk_element_bytes(types[2]));

	if (status)
		return status;
	pixels = c->images * c->height * c->width;
	if (wrong_post(a->post))
		return ISK_ERR_POST;
	if (!a->packed || (!a->y && pixels && c->channels)
	    || (!a->x && pixels && c->channels && isk_oracle_pixels(c) && c->out_channels))
		return ISK_ERR_NULL;
	status = check_matrices(types[1], a->packed, transposed_matrices(c), transposed_depth(c), transposed_columns(c));
	return status ? status : check_post(types[0], types[2], pixels, c->channels, a->post);
}

static size_t remainders(size_t stride, size_t dilation)
{
	size_t common = stride;

	while (stride % common || dilation % common)
		common--;
	return stride / common;
}

/* Whether tap a comes before tap b along a side. */
static int precedes(size_t a, size_t b, size_t n)
{
	return a % n != b % n ? a % n < b % n : a > b;
}

/* The number of taps that are packed before tap (u, v). */
static size_t taps_before(const struct isk_conv *c, size_t u, size_t v)
{
	const size_t rows = remainders(c->stride_h, c->dilation_h), columns = remainders(c->stride_w, c->dilation_w);
	size_t count = 0;

	for (size_t i = 0; i < c->kernel_h; i++)
		for (size_t j = 0; j < (joined(c) > 1 ? 1 : c->kernel_w); j++)
			if (i % rows != u % rows)
				count += i % rows < u % rows;
			else if (joined(c) == 1 && j % columns != v % columns)
				count += j % columns < v % columns;
			else
				count += i != u ? precedes(i, u, rows) : joined(c) == 1 && precedes(j, v, columns);
	return count;
}

/* The address of the weight for channel o of y, tap (u, v) and a channel of x in its group. */
static const void *transposed_weight(const struct isk_weights *w, const struct isk_conv *c, size_t o, size_t u, size_t v,
                                     size_t channel, size_t bytes)
{
	const size_t in = c->out_channels / c->groups, out = c->channels / transposed_matrices(c), group = o / out;
	struct isk_column column;
	size_t i;

	if (w->oihw)
		return (const unsigned char *)w->oihw
		       + ((((group * in + channel) * out + o % out) * c->kernel_h + u) * c->kernel_w + v) * bytes;
	i = taps_before(c, u, v) * in + channel;
	column = isk_oracle_packed_column((const unsigned char *)w->packed
	                                      + group * isk_packed_bytes(bytes == 8 ? ISK_F64 : ISK_F32, transposed_depth(c),
	                                                                 transposed_columns(c), 0),
	                                  (joined(c) > 1 ? v * out : 0) + o % out);
	return (const unsigned char *)column.first + (i / column.group * column.stride + i % column.group) * bytes;
}

/* Whether the tap adds to this pixel of y: an element of x or, if x has no such pixel, nothing. */
static int meets(const struct isk_conv *c, size_t pixel, size_t u, size_t v)
{
	const __int128 r = (__int128)(pixel / c->width % c->height) + c->pad_top - (__int128)u * c->dilation_h;
	const __int128 q = (__int128)(pixel % c->width) + c->pad_left - (__int128)v * c->dilation_w;

	return r % (__int128)c->stride_h == 0 && q % (__int128)c->stride_w == 0;
}

/* The address of the element of x that a tap adds to this pixel of y; NULL: there is none. */
static const void *transposed_input(const void *x, const struct isk_conv *c, size_t pixel, size_t o, size_t u, size_t v,
                                    size_t channel, size_t bytes)
{
	size_t out_width;
	const size_t out_height = pixel_of_y(c, &out_width), group = o / (c->channels / c->groups);
	const __int128 r = (__int128)(pixel / c->width % c->height) + c->pad_top - (__int128)u * c->dilation_h;
	const __int128 q = (__int128)(pixel % c->width) + c->pad_left - (__int128)v * c->dilation_w;

	if (r < 0 || q < 0 || r % c->stride_h || q % c->stride_w || r / c->stride_h >= out_height || q / c->stride_w >= out_width)
		return NULL;
	return (const unsigned char *)x
	       + (((pixel / c->width / c->height * out_height + (size_t)(r / c->stride_h)) * out_width + (size_t)(q / c->stride_w))
	              * (c->ldy ? c->ldy : c->out_channels)
	          + group * (c->out_channels / c->groups) + channel) * bytes;
}

/* Terms in the order of the pixels of x, which is that of the taps, last one first. */
#define EACH_TRANSPOSED(c)                                                     \
	for (size_t u = (c)->kernel_h; u-- > 0;)                                   \
		for (size_t v = (c)->kernel_w; v-- > 0;)                               \
			for (size_t channel = 0; channel < (c)->out_channels / (c)->groups; channel++)

ISK_TESTED size_t isk_oracle_transposed_terms(enum isk_type type, void *a, void *b, const void *x, const struct isk_weights *w,
                                              const struct isk_conv *c, size_t pixel, size_t o)
{
	const size_t bytes = isk_element_bytes(type);
	size_t n = 0;

	EACH_TRANSPOSED (c) {
		const void *at = transposed_input(x, c, pixel, o, u, v, channel, bytes);

		if (!at && !(transposed_depthwise(c) && meets(c, pixel, u, v)))
			continue;
		if (at)
			memcpy((unsigned char *)a + n * bytes, at, bytes);
		else
			isk_element_set(type, a, n, 0);
		memcpy((unsigned char *)b + n++ * bytes, transposed_weight(w, c, o, u, v, channel, bytes), bytes);
	}
	return n;
}

ISK_TESTED struct isk_value isk_oracle_transposed(const enum isk_type types[3], const void *x, const struct isk_weights *w,
                                                  const struct isk_conv *c, size_t pixel, size_t o, const struct isk_post *post)
{
	const size_t most = c->kernel_h * c->kernel_w * (c->out_channels / c->groups) * isk_element_bytes(types[0]) + 1;
	unsigned char *a = malloc(most), *b = malloc(most);
	const struct isk_column column = {b, 1, 1, 0, NULL};
	struct isk_value y = {(long double)NAN, 0};

	if (a && b)
		y = isk_oracle_product(types, a, 1, &column, isk_oracle_transposed_terms(types[0], a, b, x, w, c, pixel, o), pixel, o,
		                       post);
	free(a);
	free(b);
	return y;
}

/* Gathers the matrix of each group one element at a time, then packs it like any other. */
ISK_TESTED int isk_oracle_conv_transpose_pack(enum isk_type type, const struct isk_args_transposed_pack *p)
{
	const struct isk_conv *c = p->conv;
	const int status = check_transposed_sizes(c, type, 1, 1);
	const struct isk_weights weights = {.oihw = p->w};
	const size_t bytes = isk_element_bytes(type);
	size_t columns, out, k, size;

	if (!p->packed || !c || (!p->w && !status && transposed_depth(c) && c->channels))
		return ISK_ERR_NULL;
	if (status)
		return status;
	k = transposed_depth(c);
	columns = transposed_columns(c);
	out = c->channels / transposed_matrices(c);
	size = isk_packed_bytes(type, k, columns, 0);
	if (p->bytes < size * transposed_matrices(c))
		return ISK_ERR_SPACE;
	for (size_t g = 0; g < transposed_matrices(c); g++) {
		unsigned char *b = malloc(k * columns * bytes + 1);

		if (!b)
			return ISK_ERR_SPACE;
		for (size_t o = 0; o < out; o++)
			EACH_TRANSPOSED (c) {
				const size_t i = taps_before(c, u, v) * (c->out_channels / c->groups) + channel;

				memcpy(b + (i * columns + (joined(c) > 1 ? v * out : 0) + o) * bytes,
				       transposed_weight(&weights, c, g * out + o, u, v, channel, bytes), bytes);
			}
		isk_oracle_pack(type, &(struct isk_args_pack){.packed = (unsigned char *)p->packed + g * size, .b = b,
		                                              .bytes = size, .k = k, .n = columns, .ldb = columns},
		                NULL);
		free(b);
	}
	return ISK_OK;
}

#define oracle_conv_transpose_pack_plain isk_oracle_conv_transpose_pack
#define oracle_conv_transpose_plain      isk_check_conv_transpose
#define oracle_conv_transpose_pack_wide  isk_oracle_conv_transpose_pack
#define oracle_conv_transpose_wide       isk_check_conv_transpose
#define form_transposed_pack_wide    form_transposed_pack_plain
#define form_conv_transpose_wide         form_conv_transpose_plain

ISK_SHARED static void form_transposed_pack_plain(struct isk_sink *s, const enum isk_type *types,
                                           struct isk_args_transposed_pack *a,
                                           int (*oracle)(enum isk_type type, const struct isk_args_transposed_pack *p))
{
	(void)s;
	a->result.status = oracle(types[0], a);
}

ISK_SHARED static void form_conv_transpose_plain(struct isk_sink *s, const enum isk_type *types, struct isk_args_conv_transpose *a,
                                      int (*check)(const enum isk_type types[3], const struct isk_args_conv_transpose *a))
{
	const struct isk_weights w = {.packed = a->packed};
	const struct isk_conv *c = a->conv;

	a->result.status = check(types, a);
	for (size_t i = 0; !a->result.status && c->channels && i < c->images * c->height * c->width; i++)
		for (size_t o = 0; o < c->channels; o++)
			put_product(s, a->y, i * (c->ldx ? c->ldx : c->channels) + o, types[2],
			            isk_oracle_transposed(types, a->x, &w, c, i, o, a->post),
			            c->kernel_h * c->kernel_w * (c->out_channels / c->groups), a->post);
}

#undef EACH_TRANSPOSED
#undef EACH_TERM

#endif
