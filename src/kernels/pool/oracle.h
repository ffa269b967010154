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

/* A window of an axis of x: its terms, and the number of positions that count. The axis begins at -pad. */
struct R(window) {
	size_t first, end;
	REAL counted;
};

/* Window i. Its terms are its positions in the image; positions in the padding count if include_pad is 1. */
static struct R(window) R(window)(size_t in, unsigned kernel, unsigned stride, unsigned pad, unsigned include_pad, size_t i)
{
	struct R(window) w = {0, 0, 0};

	for (unsigned k = 0; k < kernel; k++) {
		const long at = (long)(i * stride + k) - (long)pad;
		const int inside = at >= 0 && at < (long)in;

		if (inside && w.first == w.end)
			w.first = w.end = (size_t)at;
		w.end += inside;
		w.counted += inside || (include_pad % 2 && at < (long)(in + pad));
	}
	return w;
}

static struct R(window) R(adaptive)(size_t in, size_t out, size_t i)
{
	const size_t first = (size_t)floorl((long double)i * (long double)in / (long double)out);
	const size_t end = (size_t)ceill((long double)(i + 1) * (long double)in / (long double)out);

	return (struct R(window)){first, end, (REAL)(end - first)};
}

/* Puts the average or the maximum of one window. */
static void R(give_window)(struct isk_sink *s, void *y, size_t at, enum isk_type type, struct isk_array x, size_t width,
                           struct R(window) h, struct R(window) w, int maximum)
{
	const size_t terms = (h.end - h.first) * (w.end - w.first);
	long double sum = 0, size = 0, most = -(long double)INFINITY;

	for (size_t i = h.first; i < h.end; i++)
		for (size_t j = w.first; j < w.end; j++) {
			const long double term = (long double)AT(x, i * width + j);

			sum += term;
			size += isfinite(term) ? fabsl(term) : 0;
			most = isnan(term) || term > most ? term : most;
		}
	/* The contract promises nothing if a sum may overflow. */
	if (size > 0x1p126L)
		size = (long double)HUGE_VAL;
	sum /= (long double)(h.counted * w.counted);
	size *= ((long double)terms + 2) / (long double)(h.counted * w.counted);
	s->put(s, y, at, type, maximum ? most : sum, maximum ? 0 : size, terms + 2);
}

#define WINDOWS(op, maximum)                                                   \
	ISK_UNUSED static int R(oracle_##op)(void)                                 \
	{                                                                          \
		return maximum;                                                        \
	}
WINDOWS(adaptive_avgpool_nhwc, 0)
WINDOWS(adaptive_avgpool_nchw, 0)
WINDOWS(avgpool_2d_nhwc, 0)
WINDOWS(avgpool_2d_nchw, 0)
WINDOWS(maxpool_2d_nhwc, 1)
WINDOWS(maxpool_2d_nchw, 1)

/* Each output pixel of each channel. is_nhwc: channels are innermost. */
#define ISK_FORM_OF_WINDOWS(shape, is_nhwc, h_window, w_window)                \
	ISK_SHARED static void R(form_##shape)(struct isk_sink *s, const enum isk_type *types, \
	                                       struct isk_args_##shape *a, int (*oracle)(void)) \
	{                                                                          \
		const size_t pixels = a->height * a->width, bytes = isk_element_bytes(types[0]), step = is_nhwc ? a->channels : 1; \
                                                                               \
		for (size_t n = 0; a->channels && a->out_height && a->out_width && n < a->images; n++) \
			for (size_t c = 0; c < a->channels; c++)                           \
				for (size_t i = 0; i < a->out_height; i++)                     \
					for (size_t j = 0; j < a->out_width; j++) {                \
						const size_t pixel = i * a->out_width + j, all = a->out_height * a->out_width; \
						const size_t from = n * a->channels * pixels + c * (is_nhwc ? 1 : pixels); \
						const size_t at = n * a->channels * all + (is_nhwc ? pixel * a->channels + c : c * all + pixel); \
                                                                               \
						R(give_window)(s, a->y, at, types[0],                  \
						               (struct isk_array){(const char *)a->x + from * bytes, types[0], step}, \
						               a->width, h_window, w_window, oracle()); \
					}                                                          \
	}
ISK_FORM_OF_WINDOWS(adaptive_nhwc, 1, R(adaptive)(a->height, a->out_height, i), R(adaptive)(a->width, a->out_width, j))
ISK_FORM_OF_WINDOWS(adaptive_nchw, 0, R(adaptive)(a->height, a->out_height, i), R(adaptive)(a->width, a->out_width, j))
ISK_FORM_OF_WINDOWS(average_nhwc, 1, R(window)(a->height, a->kernel_h, a->stride_h, a->pad_h, a->include_pad, i),
                    R(window)(a->width, a->kernel_w, a->stride_w, a->pad_w, a->include_pad, j))
ISK_FORM_OF_WINDOWS(average_nchw, 0, R(window)(a->height, a->kernel_h, a->stride_h, a->pad_h, a->include_pad, i),
                    R(window)(a->width, a->kernel_w, a->stride_w, a->pad_w, a->include_pad, j))
ISK_FORM_OF_WINDOWS(maximum_nhwc, 1, R(window)(a->height, a->kernel_h, a->stride_h, a->pad_h, 0, i),
                    R(window)(a->width, a->kernel_w, a->stride_w, a->pad_w, 0, j))
ISK_FORM_OF_WINDOWS(maximum_nchw, 0, R(window)(a->height, a->kernel_h, a->stride_h, a->pad_h, 0, i),
                    R(window)(a->width, a->kernel_w, a->stride_w, a->pad_w, 0, j))

#define GRADIENTS(op)                                                          \
	ISK_UNUSED static int R(oracle_##op)(void)                                 \
	{                                                                          \
		return 0;                                                              \
	}
GRADIENTS(adaptive_avgpool_backward_nhwc)
GRADIENTS(adaptive_avgpool_backward_nchw)
GRADIENTS(avgpool_2d_backward_nhwc)
GRADIENTS(avgpool_2d_backward_nchw)
GRADIENTS(maxpool_2d_backward_nhwc)
GRADIENTS(maxpool_2d_backward_nchw)
#undef GRADIENTS

/* Window i if position `at` is in it, else an empty window. */
static struct R(window) R(window_of)(size_t in, unsigned kernel, unsigned stride, unsigned pad, unsigned include_pad,
                                     size_t i, size_t at)
{
	if (at + pad < i * stride || at + pad >= i * stride + kernel)
		return (struct R(window)){0, 0, 0};
	return R(window)(in, kernel, stride, pad, include_pad, i);
}

static struct R(window) R(adaptive_of)(size_t in, size_t out, size_t i, size_t at)
{
	if (i * in >= (at + 1) * out || (i + 1) * in <= at * out)
		return (struct R(window)){0, 0, 0};
	return R(adaptive)(in, out, i);
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
 * The gradient of each pixel of a channel, for windows of averages or, if is_maxima, of maxima. Only maxima need x. For
 * maxima, each sum is rounded to the type, so that the result is exact.
 */
#define ISK_FORM_OF_GRADIENTS(shape, is_nhwc, x_, is_maxima, h_window, w_window) \
	ISK_SHARED static void R(form_##shape)(struct isk_sink *s, const enum isk_type *types, \
	                                       struct isk_args_##shape *a, int (*oracle)(void)) \
	{                                                                          \
		const size_t pixels = a->height * a->width, all = a->out_height * a->out_width; \
		const size_t bytes = isk_element_bytes(types[0]), step = is_nhwc ? a->channels : 1; \
                                                                               \
		(void)oracle;                                                          \
		for (size_t n = 0; a->channels && pixels && n < a->images; n++)        \
			for (size_t c = 0; c < a->channels; c++) {                         \
				const size_t image = n * a->channels * pixels + c * (is_nhwc ? 1 : pixels); \
				const size_t cells = n * a->channels * all + c * (is_nhwc ? 1 : all); \
				const struct isk_array dy = {(const char *)a->dy + cells * bytes, types[0], step}; \
				const struct isk_array x = {(const char *)x_ + image * bytes, types[0], step}; \
                                                                               \
				for (size_t row = 0; row < a->height; row++)                   \
					for (size_t column = 0; column < a->width; column++) {     \
						long double sum = 0, size = 0;                         \
						size_t terms = 0;                                      \
                                                                               \
						for (size_t i = 0; i < a->out_height; i++) {           \
							const struct R(window) h = h_window;               \
                                                                               \
							for (size_t j = 0; row >= h.first && row < h.end && j < a->out_width; j++) { \
								const struct R(window) w = w_window;           \
								long double term = (long double)AT(dy, i * a->out_width + j); \
                                                                               \
								if (column < w.first || column >= w.end)       \
									continue;                                  \
								if (is_maxima) {                               \
									if (!R(is_maximum)(x, a->width, h, w, row, column)) \
										continue;                              \
									sum = (long double)isk_element_value(      \
										types[0], isk_element_round(types[0], sum + term)); \
								} else {                                       \
									term /= (long double)(h.counted * w.counted); \
									sum += term;                               \
									size += isfinite(term) ? fabsl(term) : 0;  \
									terms++;                                   \
								}                                              \
							}                                                  \
						}                                                      \
						size = size > 0x1p126L ? (long double)HUGE_VAL : size * ((long double)terms + 2); \
						s->put(s, a->dx, image + (row * a->width + column) * step, types[0], sum, \
						       is_maxima ? ISK_ULP : size, terms + 2);         \
					}                                                          \
			}                                                                  \
	}
#define ISK_WINDOW_h(include_pad) R(window_of)(a->height, a->kernel_h, a->stride_h, a->pad_h, include_pad, i, row)
#define ISK_WINDOW_w(include_pad) R(window_of)(a->width, a->kernel_w, a->stride_w, a->pad_w, include_pad, j, column)
ISK_FORM_OF_GRADIENTS(d_adaptive_nhwc, 1, a->dy, 0, R(adaptive_of)(a->height, a->out_height, i, row),
                      R(adaptive_of)(a->width, a->out_width, j, column))
ISK_FORM_OF_GRADIENTS(d_adaptive_nchw, 0, a->dy, 0, R(adaptive_of)(a->height, a->out_height, i, row),
                      R(adaptive_of)(a->width, a->out_width, j, column))
ISK_FORM_OF_GRADIENTS(d_average_nhwc, 1, a->dy, 0, ISK_WINDOW_h(a->include_pad), ISK_WINDOW_w(a->include_pad))
ISK_FORM_OF_GRADIENTS(d_average_nchw, 0, a->dy, 0, ISK_WINDOW_h(a->include_pad), ISK_WINDOW_w(a->include_pad))
ISK_FORM_OF_GRADIENTS(d_maximum_nhwc, 1, a->x, 1, ISK_WINDOW_h(0), ISK_WINDOW_w(0))
ISK_FORM_OF_GRADIENTS(d_maximum_nchw, 0, a->x, 1, ISK_WINDOW_h(0), ISK_WINDOW_w(0))
#undef ISK_WINDOW_h
#undef ISK_WINDOW_w
