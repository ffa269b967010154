/* SPDX-License-Identifier: MIT */
/* The oracles of pools: first those of columns, then those of images. */
ISK_SHARED static REAL R(pool_sum)(struct isk_array x, size_t rows, REAL divisor, REAL *scale)
{
	long double sum = 0, size = 0;

	for (size_t r = 0; r < rows; r++) {
		sum += (long double)AT(x, r);
		size += isfinite(AT(x, r)) ? fabsl((long double)AT(x, r)) : 0;
	}
	*scale = (REAL)(size / (long double)divisor) * R(depth)(rows);
	return (REAL)(sum / (long double)divisor);
}

POOL(sumpool)
{
	return R(pool_sum)(x, rows, 1, scale);
}

POOL(meanpool)
{
	return R(pool_sum)(x, rows, (REAL)rows, scale);
}

POOL(sqrtpool)
{
	return R(pool_sum)(x, rows, sqrt((REAL)rows), scale);
}

POOL(maxpool)
{
	REAL most = -(REAL)INFINITY;

	for (size_t r = 0; r < rows && !isnan(most); r++)
		if (isnan(AT(x, r)) || AT(x, r) > most || (!signbit(AT(x, r)) && AT(x, r) >= most))
			most = AT(x, r);
	*scale = ISK_ULP;
	return most;
}

/* The windows of one axis of an image. The axis begins at -pad, unless the windows are adaptive, which have no padding. */
struct R(axis) {
	size_t in, out;
	int is_adaptive;
	unsigned kernel, stride, pad;
	unsigned include_pad; /* odd: positions in the padding count */
};

/* A window of an axis of x: its terms, which are its positions in the image, and the number of positions that count. */
struct R(window) {
	size_t first, end;
	REAL counted;
};

static struct R(window) R(adaptive_window)(const struct R(axis) *a, size_t i)
{
	const size_t first = (size_t)floorl((long double)i * (long double)a->in / (long double)a->out);
	const size_t end = (size_t)ceill((long double)(i + 1) * (long double)a->in / (long double)a->out);

	return (struct R(window)){first, end, (REAL)(end - first)};
}

static struct R(window) R(window)(const struct R(axis) *a, size_t i)
{
	struct R(window) w = {0, 0, 0};

	if (a->is_adaptive)
		return R(adaptive_window)(a, i);
	for (unsigned k = 0; k < a->kernel; k++) {
		const long at = (long)(i * a->stride + k) - (long)a->pad;
		const int inside = at >= 0 && at < (long)a->in;

		if (inside && w.first == w.end)
			w.first = w.end = (size_t)at;
		w.end += inside;
		w.counted += inside || (a->include_pad % 2 && at < (long)(a->in + a->pad));
	}
	return w;
}

/* Whether window i may have position `at` among its terms. Says without loops that most windows do not. */
static int R(may_contain)(const struct R(axis) *a, size_t i, size_t at)
{
	return a->is_adaptive ? i * a->in < (at + 1) * a->out && (i + 1) * a->in > at * a->out
	                      : at + a->pad >= i * a->stride && at + a->pad < i * a->stride + a->kernel;
}

/* Window i if position `at` is one of its terms, else a window without terms. */
static struct R(window) R(window_of)(const struct R(axis) *a, size_t i, size_t at)
{
	const struct R(window) none = {0, 0, 0}, w = R(may_contain)(a, i, at) ? R(window)(a, i) : none;

	return at >= w.first && at < w.end ? w : none;
}

/* The images of a pool: x with the axes `in`, y with the axes `out`. */
struct R(pool) {
	size_t images, channels;
	struct R(axis) h, w;
	int is_nhwc; /* channels are innermost */
	int is_maximum;
};

/* The index of the first element of channel c in image n, if images have `pixels` pixels. */
static size_t R(channel)(const struct R(pool) *p, size_t n, size_t c, size_t pixels)
{
	return n * p->channels * pixels + c * (p->is_nhwc ? 1 : pixels);
}

/* Puts the average or the maximum of window (i, j) of one channel x. */
static void R(give_window)(struct isk_sink *s, void *y, size_t at, const struct R(pool) *p, struct isk_array x, size_t i,
                           size_t j)
{
	const struct R(window) h = R(window)(&p->h, i), w = R(window)(&p->w, j);
	const size_t terms = (h.end - h.first) * (w.end - w.first);
	long double sum = 0, size = 0, most = -(long double)INFINITY;

	for (size_t k = h.first; k < h.end; k++)
		for (size_t l = w.first; l < w.end; l++) {
			const long double term = (long double)AT(x, k * p->w.in + l);

			sum += term;
			size += isfinite(term) ? fabsl(term) : 0;
			most = isnan(term) || term > most ? term : most;
		}
	/* The contract promises nothing if a sum may overflow. */
	if (size > 0x1p126L)
		size = (long double)HUGE_VAL;
	sum /= (long double)(h.counted * w.counted);
	size *= ((long double)terms + 2) / (long double)(h.counted * w.counted);
	s->put(s, y, at, x.type, p->is_maximum ? most : sum, p->is_maximum ? 0 : size, terms + 2);
}

static void R(give_windows)(struct isk_sink *s, enum isk_type type, const struct R(pool) *p, void *y, const void *x)
{
	const size_t step = p->is_nhwc ? p->channels : 1, all = p->h.out * p->w.out;

	for (size_t n = 0; p->channels && p->h.out && p->w.out && n < p->images; n++)
		for (size_t c = 0; c < p->channels; c++) {
			const size_t from = R(channel)(p, n, c, p->h.in * p->w.in), to = R(channel)(p, n, c, all);
			const struct isk_array image = {(const char *)x + from * isk_element_bytes(type), type, step};

			for (size_t i = 0; i < p->h.out; i++)
				for (size_t j = 0; j < p->w.out; j++)
					R(give_window)(s, y, to + (i * p->w.out + j) * step, p, image, i, j);
		}
}

/* Whether pixel (i, j) is the maximum of a window by PyTorch's rule: the last NaN, else the first of the largest. */
static int R(is_maximum)(struct isk_array x, size_t width, struct R(window) h, struct R(window) w, size_t i, size_t j)
{
	const REAL own = AT(x, i * width + j);

	for (size_t k = h.first; k < h.end; k++)
		for (size_t l = w.first; l < w.end; l++) {
			const REAL other = AT(x, k * width + l);
			const int before = k < i || (k == i && l < j);

			if (k == i && l == j)
				continue;
			if (isnan(own) ? !before && isnan(other) : isnan(other) || other > own || (before && other >= own))
				return 0;
		}
	return 1;
}

/*
 * Puts the gradient of pixel (row, column) of one channel. Only maxima need x. For maxima, each sum is rounded to the type, so
 * that the result is exact.
 */
static void R(give_gradient)(struct isk_sink *s, void *dx, size_t at, const struct R(pool) *p, struct isk_array dy,
                             struct isk_array x, size_t row, size_t column)
{
	long double sum = 0, size = 0;
	size_t terms = 0;

	for (size_t i = 0; i < p->h.out; i++) {
		const struct R(window) h = R(window_of)(&p->h, i, row);

		for (size_t j = 0; h.end && j < p->w.out; j++) {
			const struct R(window) w = R(window_of)(&p->w, j, column);
			long double term = (long double)AT(dy, i * p->w.out + j);

			if (!w.end || (p->is_maximum && !R(is_maximum)(x, p->w.in, h, w, row, column)))
				continue;
			if (p->is_maximum) {
				sum = (long double)isk_element_value(dy.type, isk_element_round(dy.type, sum + term));
			} else {
				term /= (long double)(h.counted * w.counted);
				sum += term;
				size += isfinite(term) ? fabsl(term) : 0;
				terms++;
			}
		}
	}
	size = size > 0x1p126L ? (long double)HUGE_VAL : size * ((long double)terms + 2);
	s->put(s, dx, at, dy.type, sum, p->is_maximum ? ISK_ULP : size, terms + 2);
}

static void R(give_gradients)(struct isk_sink *s, enum isk_type type, const struct R(pool) *p, void *dx, const void *dy,
                              const void *x)
{
	const size_t bytes = isk_element_bytes(type), step = p->is_nhwc ? p->channels : 1, pixels = p->h.in * p->w.in;

	for (size_t n = 0; p->channels && p->h.in && p->w.in && n < p->images; n++)
		for (size_t c = 0; c < p->channels; c++) {
			const size_t to = R(channel)(p, n, c, pixels), from = R(channel)(p, n, c, p->h.out * p->w.out);
			const struct isk_array gradients = {(const char *)dy + from * bytes, type, step};
			const struct isk_array image = {p->is_maximum ? (const char *)x + to * bytes : NULL, type, step};

			for (size_t i = 0; i < p->h.in; i++)
				for (size_t j = 0; j < p->w.in; j++)
					R(give_gradient)(s, dx, to + (i * p->w.in + j) * step, p, gradients, image, i, j);
		}
}

/* The oracle of a pool of images, or of its gradient, says whether it is one of maxima. */
#define POOL_2D(op, is_maximum)                                                \
	ISK_UNUSED static int R(oracle_##op)(void)                                 \
	{                                                                          \
		return is_maximum;                                                     \
	}
POOL_2D(adaptive_avgpool_nhwc, 0)
POOL_2D(adaptive_avgpool_nchw, 0)
POOL_2D(avgpool_2d_nhwc, 0)
POOL_2D(avgpool_2d_nchw, 0)
POOL_2D(maxpool_2d_nhwc, 1)
POOL_2D(maxpool_2d_nchw, 1)
POOL_2D(adaptive_avgpool_backward_nhwc, 0)
POOL_2D(adaptive_avgpool_backward_nchw, 0)
POOL_2D(avgpool_2d_backward_nhwc, 0)
POOL_2D(avgpool_2d_backward_nchw, 0)
POOL_2D(maxpool_2d_backward_nhwc, 1)
POOL_2D(maxpool_2d_backward_nchw, 1)

/* The axes of a pool, from its arguments a. */
#define ISK_ADAPTIVE                                                           \
	.h = {.in = a->height, .out = a->out_height, .is_adaptive = 1},            \
	.w = {.in = a->width, .out = a->out_width, .is_adaptive = 1}
#define ISK_WINDOWS(include)                                                   \
	.h = {a->height, a->out_height, 0, a->kernel_h, a->stride_h, a->pad_h, include}, \
	.w = {a->width, a->out_width, 0, a->kernel_w, a->stride_w, a->pad_w, include}

#define ISK_FORM_OF_POOL(shape, nhwc, ...)                                     \
	ISK_SHARED static void R(form_##shape)(struct isk_sink *s, const enum isk_type *types, \
	                                       struct isk_args_##shape *a, int (*oracle)(void)) \
	{                                                                          \
		const struct R(pool) p = {a->images, a->channels, .is_nhwc = nhwc, .is_maximum = oracle(), __VA_ARGS__}; \
                                                                               \
		R(give_windows)(s, types[0], &p, a->y, a->x);                          \
	}
ISK_FORM_OF_POOL(adaptive_nhwc, 1, ISK_ADAPTIVE)
ISK_FORM_OF_POOL(adaptive_nchw, 0, ISK_ADAPTIVE)
ISK_FORM_OF_POOL(average_nhwc, 1, ISK_WINDOWS(a->include_pad))
ISK_FORM_OF_POOL(average_nchw, 0, ISK_WINDOWS(a->include_pad))
ISK_FORM_OF_POOL(maximum_nhwc, 1, ISK_WINDOWS(0))
ISK_FORM_OF_POOL(maximum_nchw, 0, ISK_WINDOWS(0))

#define ISK_FORM_OF_GRADIENT(shape, x_, nhwc, ...)                             \
	ISK_SHARED static void R(form_##shape)(struct isk_sink *s, const enum isk_type *types, \
	                                       struct isk_args_##shape *a, int (*oracle)(void)) \
	{                                                                          \
		const struct R(pool) p = {a->images, a->channels, .is_nhwc = nhwc, .is_maximum = oracle(), __VA_ARGS__}; \
                                                                               \
		R(give_gradients)(s, types[0], &p, a->dx, a->dy, x_);                  \
	}
ISK_FORM_OF_GRADIENT(d_adaptive_nhwc, NULL, 1, ISK_ADAPTIVE)
ISK_FORM_OF_GRADIENT(d_adaptive_nchw, NULL, 0, ISK_ADAPTIVE)
ISK_FORM_OF_GRADIENT(d_average_nhwc, NULL, 1, ISK_WINDOWS(a->include_pad))
ISK_FORM_OF_GRADIENT(d_average_nchw, NULL, 0, ISK_WINDOWS(a->include_pad))
ISK_FORM_OF_GRADIENT(d_maximum_nhwc, a->x, 1, ISK_WINDOWS(0))
ISK_FORM_OF_GRADIENT(d_maximum_nchw, a->x, 0, ISK_WINDOWS(0))
#undef ISK_ADAPTIVE
#undef ISK_WINDOWS
#undef ISK_FORM_OF_POOL
#undef ISK_FORM_OF_GRADIENT
#undef POOL_2D
