/* SPDX-License-Identifier: MIT */
/* The phases of the transpose of a convolution: transpose.h. One compilation serves every CPU, because others do the work. */
#include "conv.h"

each_phase_fn ISK_FN(each_phase);

/* The pixels of y from `place` on, at distances of the stride, along a side. */
struct phase {
	struct axis axis; /* the convolution of stride 1 that computes them */
	int is_empty;     /* its pixels have no taps: it has one that is never inside */
	size_t skip;      /* pixels of x before its image */
	size_t tap;       /* the number of taps before its own in the packed weights */
};

static struct phase phase_of(const struct axis *x, size_t place)
{
	const size_t phases = isk_phases(x), at = place + x->before;
	struct phase p = {.axis = {.taps = 1, .dilation = 1, .places = (x->places - place - 1) / x->stride + 1, .stride = 1}, .is_empty = 1};
	size_t first = 0, last;

	while (first < phases && first < x->taps && first * x->dilation % x->stride != at % x->stride)
		first++;
	if (first == phases || first >= x->taps)
		return p;
	p.is_empty = 0;
	p.tap = isk_taps_before(x, phases, first);
	p.axis.taps = isk_phase_taps(x, phases, first);
	p.axis.dilation = x->dilation / (x->stride / phases);
	last = (first + (p.axis.taps - 1) * phases) * x->dilation;
	if (last > at)
		p.axis.before = (last - at) / x->stride;
	else
		p.skip = (at - last) / x->stride;
	p.axis.size = p.skip < x->size ? x->size - p.skip : 0;
	return p;
}

/* The functions that compute the product of a phase. */
struct drivers {
	drive_fn *depthwise;
	convolve_fn *convolve;
};

/* Moves p and its post on by pixels of y. */
static void move_y(struct product *p, struct isk_post *post, size_t pixels)
{
	const size_t bytes = isk_element_bytes(p->c_type);

	p->c = (unsigned char *)p->c + pixels * p->ldc * bytes;
	if (post->binary)
		post->other = (const unsigned char *)post->other + pixels * post->ldother * bytes;
}

/*
 * The depthwise product of a phase. Its driver takes the places of y as lying side by side: a row of places that lie apart is
 * therefore an image of its own, whose pixels are longer.
 */
static void each_row(const struct product *phase, drive_fn *depthwise)
{
	const struct isk_conv_sizes *all = sizes_of(phase);
	struct isk_conv_sizes s = *all;

	s.images = s.down.places = 1;
	for (size_t i = 0; i < all->images * all->down.places; i++) {
		const size_t image = i / all->down.places, row = i % all->down.places;
		struct isk_post post = *phase->post;
		struct product p = *phase;

		move_y(&p, &post, image * all->image_y + row * all->line_y);
		p.a = (const unsigned char *)p.a + image * all->image_x * all->ldx * isk_element_bytes(p.a_type);
		p.ldc *= all->place_y;
		post.ldother *= all->place_y;
		p.post = &post;
		p.image = &s;
		s.down.before = all->down.before - row; /* modulo 2^64, as axis.h says */
		depthwise(&p);
	}
}

/* The product of the pixels of y from (row, col) on, at distances of the strides. */
static void convolve_phase(const struct product *all, size_t row, size_t col, const struct drivers *by)
{
	const struct isk_conv_sizes *whole = sizes_of(all);
	const struct phase down = phase_of(&whole->down, row), along = phase_of(&whole->along, col);
	const size_t taps = down.tap * whole->along.taps + down.axis.taps * along.tap;
	const size_t line = whole->in_group * ISK_PACKED_LINE;
	struct isk_conv_sizes s = *whole;
	struct isk_post post = *all->post;
	struct product p = *all;

	s.down = down.axis;
	s.along = along.axis;
	s.line_y = whole->down.stride * whole->line_y;
	s.place_y = whole->along.stride;
	move_y(&p, &post, row * whole->line_y + col);
	p.post = &post;
	p.image = &s;
	if (down.axis.size && along.axis.size)
		p.a = (const unsigned char *)p.a + (down.skip * s.row_x + along.skip) * s.ldx * isk_element_bytes(all->a_type);
	p.panels += taps * line;
	if (!s.multiplier) {
		by->convolve(&p);
		return;
	}
	/* The driver multiplies pixels outside the image as well, which must not be done for a tap that is not there. */
	if (down.is_empty || along.is_empty)
		s.down.taps = 0;
	if (s.place_y == 1 && s.line_y == s.along.places)
		by->depthwise(&p);
	else
		each_row(&p, by->depthwise);
}

/* The post of several pixels that lie side by side, as one pixel with repeated scales and biases. Elements of f64 are two words. */
struct wide_post {
	struct isk_post post;
	float scale[2 * ISK_JOINED_COLUMNS], bias[2 * ISK_JOINED_COLUMNS];
};

static void widen(struct wide_post *w, const struct isk_post *post, size_t channels, size_t pixels, size_t bytes)
{
	const size_t words = channels * bytes / sizeof(float);

	w->post = *post;
	w->post.ldother *= pixels;
	for (size_t i = 0; i < pixels; i++) {
		if (post->scales > 1)
			__builtin_memcpy(w->scale + i * words, post->scale, words * sizeof(float));
		if (post->bias)
			__builtin_memcpy(w->bias + i * words, post->bias, words * sizeof(float));
	}
	if (post->scales > 1)
		w->post.scale = w->scale;
	if (post->bias)
		w->post.bias = w->bias;
}

/*
 * Makes elements of y of the sums in it, whose pixels lie side by side. As many pixels as have ISK_JOINED_COLUMNS elements are
 * a row of the epilogue, so that it works on full vectors; but one, if the pixels of post->other lie apart.
 */
static void finish(const struct product *p, const struct isk_post *post, size_t pixels, size_t channels)
{
	const size_t bytes = isk_element_bytes(p->c_type), words = bytes / sizeof(float);
	const size_t together = post->binary ? 1 : ISK_JOINED_COLUMNS / channels;
	float t[2 * ISK_JOINED_COLUMNS + PANEL];
	struct wide_post w;

	widen(&w, post, channels, together, bytes);
	for (size_t i = 0; i < pixels; i += together) {
		const size_t n = (pixels - i < together ? pixels - i : together) * channels;
		unsigned char *const y = (unsigned char *)p->c + i * channels * bytes;

		__builtin_memcpy(t, y, n * bytes);
		w.post.other = post->binary ? (const unsigned char *)post->other + i * post->ldother * bytes : NULL;
		p->epilogue(&(struct epilogue){y, 0, t, 0, 0, 0, 1, n * words, &w.post});
	}
}

static void each_pixel(const struct product *p, const struct drivers *by)
{
	const struct isk_conv_sizes *s = sizes_of(p);

	for (size_t row = 0; row < s->down.stride && row < s->down.places; row++)
		for (size_t col = 0; col < s->along.stride && col < s->along.places; col++)
			convolve_phase(p, row, col, by);
}

/*
 * Whether tiles finish joined pixels: pixels of post->other must lie side by side too, and then they may be y, into which sums
 * must not go before it is read. Otherwise tiles do so if their rows fill a vector.
 */
static int tiles_finish(const struct isk_post *post, size_t joined, size_t channels)
{
	return post_is_plain(post) || (post->binary ? post->ldother == channels : joined * channels >= PANEL);
}

static void each_joined(const struct product *all, size_t joined, const struct drivers *by)
{
	const size_t channels = all->n / joined;
	struct product p = *all;
	struct wide_post w;

	if (tiles_finish(all->post, joined, channels)) {
		widen(&w, all->post, channels, joined, isk_element_bytes(p.c_type));
		p.post = &w.post;
		each_pixel(&p, by);
	} else {
		p.post = &isk_no_post;
		each_pixel(&p, by);
		finish(&p, all->post, p.m * joined, channels);
	}
}

void ISK_FN(each_phase)(const struct product *all, const struct isk_transpose *t, const void *packed, drive_fn *depthwise,
                        convolve_fn *convolve)
{
	const struct drivers by = {depthwise, convolve};
	struct isk_post post;
	struct product p;

	for (size_t g = 0; g < t->s.matrices; g++) {
		packed = ISK_PART(groups, take_group)(&p, &post, all, packed, g);
		if (t->joined > 1)
			each_joined(&p, t->joined, &by);
		else
			each_pixel(&p, &by);
	}
}
