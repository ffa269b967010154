/* SPDX-License-Identifier: MIT */
/* The oracles of moved arrays, whose elements keep their bits, and of patches and other sizes of images. */

/* Defines the element of x that becomes element i of y. */
#define PERMUTE(op, from)                                                      \
	ISK_UNUSED static size_t R(oracle_##op)(const struct isk_args_permute *a, const size_t i[5]) \
	{                                                                          \
		return from;                                                           \
	}
PERMUTE(permute, i[0] * a->x0 + i[1] * a->x1 + i[2] * a->x2 + i[3] * a->x3 + i[4] * a->x4)

ISK_SHARED static void R(form_permute)(struct isk_sink *s, const enum isk_type *types, struct isk_args_permute *a,
                                       size_t (*oracle)(const struct isk_args_permute *a, const size_t i[5]))
{
	const size_t n[5] = {a->n0, a->n1, a->n2, a->n3, a->n4};
	size_t i[5];

	for (int d = 0; d < 5; d++)
		if (!n[d])
			return;
	for (i[0] = 0; i[0] < n[0]; i[0]++)
		for (i[1] = 0; i[1] < n[1]; i[1]++)
			for (i[2] = 0; i[2] < n[2]; i[2]++)
				for (i[3] = 0; i[3] < n[3]; i[3]++)
					for (i[4] = 0; i[4] < n[4]; i[4]++)
						s->put_bits(s, a->y, i[0] * a->y0 + i[1] * a->y1 + i[2] * a->y2 + i[3] * a->y3 + i[4], types[0],
						            isk_element_bits(types[0], a->x, oracle(a, i)));
}

/* The pixel of an axis of n pixels that position i, `before` pixels after its beginning, shows; -1: the value of the border. */
ISK_UNUSED static __int128 R(oracle_pad)(size_t i, int64_t before, size_t n, unsigned mode)
{
	const __int128 at = (__int128)i - before, last = (__int128)n - 1, period = 2 * last;
	__int128 turned;

	if (n == 0 || (at >= 0 && at <= last))
		return n ? at : -1;
	if (mode == 0)
		return -1;
	if (mode == 2 || last == 0)
		return at < 0 ? 0 : last;
	turned = (at % period + period) % period;
	return turned <= last ? turned : period - turned;
}

ISK_SHARED static void R(form_pad)(struct isk_sink *s, const enum isk_type *types, struct isk_args_pad *a,
                                   __int128 (*oracle)(size_t i, int64_t before, size_t n, unsigned mode))
{
	size_t e = 0;

	s->put_bits(s, &a->result, 0, ISK_S32, a->mode < 3 ? 0 : (uint32_t)ISK_ERR_SHAPE);
	if (a->mode >= 3 || !a->channels || !a->out_width || !a->out_height)
		return;
	for (size_t n = 0; n < a->images; n++)
		for (size_t i = 0; i < a->out_height; i++)
			for (size_t j = 0; j < a->out_width; j++) {
				const __int128 r = oracle(i, a->top, a->height, a->mode), q = oracle(j, a->left, a->width, a->mode);
				const int is_border = r < 0 || q < 0;
				const size_t from = is_border ? 0 : ((n * a->height + (size_t)r) * a->width + (size_t)q) * a->channels;

				for (size_t c = 0; c < a->channels; c++, e++)
					s->put_bits(s, a->y, e, types[0],
					            is_border ? a->value ? isk_element_bits(types[0], a->value, c) : 0
					                      : isk_element_bits(types[0], a->x, from + c));
			}
}

/* The pixel of a tap at a place, and whether it is in the image. The sizes of both sides of an image. */
struct R(side) {
	size_t size, places, taps;
	unsigned stride, pad, dilation;
};

ISK_UNUSED static int R(sees)(const struct R(side) *s, size_t place, size_t tap, size_t *pixel)
{
	const __int128 at = (__int128)place * s->stride + (__int128)tap * s->dilation - s->pad;

	*pixel = (size_t)at;
	return at >= 0 && at < (__int128)s->size;
}

#define DOWN(a)  {a->height, a->out_height, a->kernel_h, a->stride_h, a->pad_h, a->dilation_h}
#define ALONG(a) {a->width, a->out_width, a->kernel_w, a->stride_w, a->pad_w, a->dilation_w}
#define EACH_TAP(down, along)                                                  \
	for (size_t i = 0; i < (down).places; i++)                                 \
		for (size_t j = 0; j < (along).places; j++)                            \
			for (size_t u = 0; u < (down).taps; u++)                           \
				for (size_t v = 0; v < (along).taps; v++)

/* The element of x that is an element of a patch. */
#define PATCHES(op, from)                                                      \
	ISK_UNUSED static size_t R(oracle_##op)(size_t pixel, size_t channels, size_t c) \
	{                                                                          \
		return from;                                                           \
	}
PATCHES(unfold, pixel *channels + c)
PATCHES(fold, pixel *channels + c)

ISK_SHARED static void R(form_unfold)(struct isk_sink *s, const enum isk_type *types, struct isk_args_unfold *a,
                                      size_t (*oracle)(size_t pixel, size_t channels, size_t c))
{
	const struct R(side) down = DOWN(a), along = ALONG(a);
	size_t e = 0, r, q;

	for (size_t n = 0; n < a->images && a->channels && along.places && along.taps && down.taps; n++)
		EACH_TAP (down, along) {
			const int is_inside = R(sees)(&down, i, u, &r) & R(sees)(&along, j, v, &q);
			const size_t pixel = is_inside ? (n * a->height + r) * a->width + q : 0;

			for (size_t c = 0; c < a->channels; c++, e++)
				s->put_bits(s, a->y, e, types[0],
				            is_inside ? isk_element_bits(types[0], a->x, oracle(pixel, a->channels, c)) : 0);
		}
}

/* The sum of the terms of a pixel, each rounded to the type: by the rows of taps, then by the rows of places. */
ISK_UNUSED static long double R(folded)(const struct isk_array x, const struct R(side) *down, const struct R(side) *along,
                                        size_t row, size_t column, size_t channels, size_t first)
{
	long double sum = 0;
	size_t r, q;

	for (size_t u = 0; u < down->taps; u++)
		for (size_t i = 0; i < down->places; i++)
			for (size_t v = 0; v < along->taps && R(sees)(down, i, u, &r) && r == row; v++)
				for (size_t j = 0; j < along->places; j++)
					if (R(sees)(along, j, v, &q) && q == column) {
						const size_t at = ((i * along->places + j) * down->taps + u) * along->taps + v;

						sum += (long double)AT(x, first + at * channels);
						sum = (long double)isk_element_value(x.type, isk_element_round(x.type, sum));
					}
	return sum;
}

ISK_SHARED static void R(form_fold)(struct isk_sink *s, const enum isk_type *types, struct isk_args_fold *a,
                                    size_t (*oracle)(size_t pixel, size_t channels, size_t c))
{
	const struct R(side) down = DOWN(a), along = ALONG(a);
	const size_t patches = down.places * along.places * down.taps * along.taps * a->channels;
	const struct isk_array x = {a->x, types[0], 1};

	for (size_t n = 0; n < a->images && a->channels && a->width; n++)
		for (size_t r = 0; r < a->height; r++)
			for (size_t q = 0; q < a->width; q++)
				for (size_t c = 0; c < a->channels; c++)
					s->put(s, a->y, oracle((n * a->height + r) * a->width + q, a->channels, c), types[0],
					       R(folded)(x, &down, &along, r, q, a->channels, n * patches + c), ISK_ULP, 0);
}

#undef DOWN
#undef ALONG
#undef EACH_TAP

/* How one side of an image is resized. */
struct R(resized) {
	size_t in, out;
	double scale;
	unsigned coordinates;
};

/* The formulas of arrange.md, in double as it says. */
ISK_UNUSED static double R(coordinate)(const struct R(resized) *s, size_t i)
{
	const double in = (double)s->in, out = (double)s->out, half = ((double)i + 0.5) / s->scale;
	const double at[6] = {(double)i / s->scale, half - 0.5, s->out > 1 ? half - 0.5 : 0,
	                      s->out > 1 ? (double)i * (in - 1) / (out - 1) : 0,
	                      in / 2 * (1 - out / (s->scale * in)) + half - 0.5, half};

	return fmax(-4, fmin(at[s->coordinates], in + 4));
}

ISK_UNUSED static size_t R(edge)(double at, size_t in)
{
	return at > 0 ? at < (double)in ? (size_t)at : in - 1 : 0;
}

/* The weight of a pixel at a distance. */
ISK_UNUSED static REAL R(oracle_resize_linear)(REAL d, REAL a)
{
	(void)a;
	return fmax(1 - d, 0);
}

ISK_UNUSED static REAL R(oracle_resize_cubic)(REAL d, REAL a)
{
	return d <= 1 ? (1 - d) * (1 + d - (a + 2) * d * d) : d < 2 ? a * (d - 1) * (2 - d) * (2 - d) : 0;
}

/* Four pixels of one side around a coordinate, and their weights. */
struct R(around) {
	size_t pixel[4];
	REAL weight[4];
	int taken[4];
};

ISK_UNUSED static struct R(around) R(pixels_around)(const struct R(resized) *s, size_t i, REAL (*weigh)(REAL d, REAL a),
                                                    int taps, REAL a, int excludes)
{
	const double at = R(coordinate)(s, i);
	struct R(around) p;
	REAL sum = 0;

	for (int k = 0; k < 4; k++) {
		const double pixel = floor(at) - 1 + k;

		p.pixel[k] = R(edge)(pixel, s->in);
		p.taken[k] = taps == 4 || k == 1 || k == 2;
		p.weight[k] = excludes && (pixel < 0 || pixel >= (double)s->in) ? 0 : weigh(fabs((REAL)(at - pixel)), a);
		sum += p.weight[k];
	}
	for (int k = 0; k < 4 && excludes; k++)
		p.weight[k] /= sum;
	return p;
}

struct R(image) {
	size_t images, channels, y[3], x[3];
	struct R(resized) down, along;
	int taps, excludes;
	REAL a;
};

/* Whether the call must be refused; gives the sink its status. */
ISK_UNUSED static int R(cannot_resize)(struct isk_sink *s, union isk_result *result, const struct R(image) *m,
                                       unsigned rounding)
{
	const int is_empty = !m->images || !m->channels || !m->down.out || !m->along.out;
	const int refused = m->down.coordinates > 5 || rounding > 3 || (!is_empty && (!m->down.in || !m->along.in));

	s->put_bits(s, result, 0, ISK_S32, refused ? (uint32_t)ISK_ERR_SHAPE : 0);
	return refused;
}

/* The index of channel 0 of a pixel, given the strides of its array. */
ISK_UNUSED static size_t R(pixel)(const size_t stride[3], size_t n, size_t row, size_t col)
{
	return n * stride[0] + row * stride[1] + col * stride[2];
}

ISK_UNUSED static void R(put_interpolated)(struct isk_sink *s, void *y, const void *x, const struct R(image) *m,
                                           REAL (*weigh)(REAL d, REAL a))
{
	const struct isk_array in = {x, ISK_F32, 1};

	for (size_t n = 0; n < m->images && m->channels && m->along.out; n++)
		for (size_t i = 0; i < m->down.out; i++)
			for (size_t j = 0; j < m->along.out; j++) {
				const struct R(around) r = R(pixels_around)(&m->down, i, weigh, m->taps, m->a, m->excludes);
				const struct R(around) q = R(pixels_around)(&m->along, j, weigh, m->taps, m->a, m->excludes);

				for (size_t c = 0; c < m->channels; c++) {
					long double sum = 0, size = 0;

					for (int u = 0; u < 4; u++)
						for (int v = 0; v < 4; v++) {
							const size_t at = R(pixel)(m->x, n, r.pixel[u], q.pixel[v]) + c;
							const long double w = (long double)(r.weight[u] * q.weight[v]);

							if (!r.taken[u] || !q.taken[v])
								continue;
							sum += w * (long double)AT(in, at);
							size += fabsl(w * (long double)AT(in, at));
						}
					s->put(s, y, R(pixel)(m->y, n, i, j) + c, ISK_F32, sum, size > 0x1p126L ? (long double)HUGE_VAL : size * (m->taps * m->taps + 4), 16);
				}
			}
}

#define SIDES(p)                                                               \
	.images = p->images, .channels = p->channels,                              \
	.y = {p->y0, p->y1, p->y2}, .x = {p->x0, p->x1, p->x2},                    \
	.down = {p->height, p->out_height, (double)p->scale_h, p->coordinates},    \
	.along = {p->width, p->out_width, (double)p->scale_w, p->coordinates}

ISK_SHARED static void R(form_resize_linear)(struct isk_sink *s, const enum isk_type *types,
                                             struct isk_args_resize_linear *p, REAL (*oracle)(REAL d, REAL a))
{
	const struct R(image) m = {SIDES(p), .taps = 2};

	(void)types;
	if (!R(cannot_resize)(s, &p->result, &m, 0))
		R(put_interpolated)(s, p->y, p->x, &m, oracle);
}

ISK_SHARED static void R(form_resize_cubic)(struct isk_sink *s, const enum isk_type *types,
                                            struct isk_args_resize_cubic *p, REAL (*oracle)(REAL d, REAL a))
{
	const struct R(image) m = {SIDES(p), .taps = 4, .excludes = p->exclude_outside % 2, .a = (REAL)p->a};

	(void)types;
	if (!R(cannot_resize)(s, &p->result, &m, 0))
		R(put_interpolated)(s, p->y, p->x, &m, oracle);
}

/* The integer that a coordinate is rounded to. */
ISK_UNUSED static double R(oracle_resize_nearest)(double at, unsigned rounding)
{
	const double rounded[4] = {ceil(at - 0.5), floor(at + 0.5), floor(at), ceil(at)};

	return rounded[rounding];
}

ISK_SHARED static void R(form_resize_nearest)(struct isk_sink *s, const enum isk_type *types,
                                              struct isk_args_resize_nearest *p, double (*oracle)(double at, unsigned rounding))
{
	const struct R(image) m = {SIDES(p)};

	if (R(cannot_resize)(s, &p->result, &m, p->rounding))
		return;
	for (size_t n = 0; n < m.images && m.channels && m.along.out; n++)
		for (size_t i = 0; i < m.down.out; i++)
			for (size_t j = 0; j < m.along.out; j++) {
				const size_t r = R(edge)(oracle(R(coordinate)(&m.down, i), p->rounding), m.down.in);
				const size_t q = R(edge)(oracle(R(coordinate)(&m.along, j), p->rounding), m.along.in);

				for (size_t c = 0; c < m.channels; c++)
					s->put_bits(s, p->y, R(pixel)(m.y, n, i, j) + c, types[0],
					            isk_element_bits(types[0], p->x, R(pixel)(m.x, n, r, q) + c));
			}
}

#undef SIDES
