/* SPDX-License-Identifier: MIT */
/*
 * The matrix kernels on the threads of OpenMP. Each thread calls the kernel for its
 * share, which is itself a product or a convolution with other pointers and sizes.
 * Each element of C is computed independently of the others, so the split changes no
 * bit.
 *
 * If the whole call is refused, nothing may be written. Shares have fewer rows and
 * columns, so the kernel could accept them although it refuses the whole. Therefore
 * everything that depends on sizes is checked first for the whole: by a product of no
 * rows, which computes nothing, and, for the conditions on rows, by code here. In case
 * of doubt the kernel gets the whole at once. A NULL pointer is NULL for every share.
 */
#include "isakern_omp.h"

#include "args.h"
#include "crew.h"
#include "elements.h"
#include "grid.h"

static int overflows(size_t a, size_t b, size_t c)
{
	size_t product;

	/* No element takes more than 8 bytes. */
	return __builtin_mul_overflow(a, b, &product) || __builtin_mul_overflow(product, c, &product)
	       || __builtin_mul_overflow(product, (size_t)8, &product);
}

/* p advanced by `elements`; NULL stays NULL. */
static const void *later(const void *p, size_t elements, size_t bytes)
{
	return p ? (const char *)p + elements * bytes : NULL;
}

/* A kernel, called with the arguments of its shape. */
typedef void call_kernel(union isk_args *args);

/* The matrix products: gemm, matmul and matmul_batch. */
struct product {
	void *c;
	const void *a, *b; /* the matrices; b is packed if bytes_b is 0 */
	size_t batch, m, n, k, ldc, lda, ldb, stride_c, stride_a, stride_b;
	unsigned transposed;
	const struct isk_post *post;
	int (*run)(const struct product *part);
	call_kernel *call;
	size_t bytes_c, bytes_a, bytes_b; /* the bytes of an element of each matrix; bytes_b is 0 if b is packed */
};

static struct isk_sizes sizes_of(const struct product *p)
{
	return (struct isk_sizes){p->batch, p->m, p->n, p->k};
}

static int call_product_part(const struct product *p, struct range batch, struct range rows, struct range cols)
{
	const size_t sum_bytes = p->bytes_c == sizeof(double) ? sizeof(double) : sizeof(float);
	struct product part = *p;
	struct isk_post post;

	if (!batch.count || !rows.count || !cols.count)
		return ISK_OK;
	part.batch = batch.count;
	part.m = rows.count;
	part.n = cols.count;
	part.c = (void *)(uintptr_t)later(p->c, batch.at * p->stride_c + rows.at * p->ldc + cols.at, p->bytes_c);
	part.a = later(p->a, batch.at * p->stride_a + rows.at * (p->transposed & ISK_TRANSPOSED_A ? 1 : p->lda),
	               p->bytes_a);
	part.b = later(p->b, batch.at * p->stride_b + cols.at * (p->transposed & ISK_TRANSPOSED_B ? p->ldb : 1),
	               p->bytes_b);
	if (p->post || (cols.at && !p->bytes_b)) {
		post = p->post ? *p->post : (struct isk_post){.size = sizeof(post)};
		if (!p->bytes_b)
			post.first_column += cols.at;
		if (post.b_zeros > 1) {
			post.b_zero = later(post.b_zero, cols.at, sizeof(*post.b_zero));
			post.b_zeros = cols.count;
		}
		if (post.scales > 1) {
			post.scale = later(post.scale, cols.at, sum_bytes);
			post.scales = cols.count;
		}
		post.bias = later(post.bias, cols.at, sum_bytes);
		post.row_scale = later(post.row_scale, rows.at, sum_bytes);
		post.row_zero = later(post.row_zero, rows.at, sizeof(*post.row_zero));
		post.other = later(post.other, batch.at * p->stride_c + rows.at * post.ldother + cols.at, p->bytes_c);
		part.post = &post;
	}
	return part.run(&part);
}

/* Whether the matrices of C do not overlap: they lie one below the other, or side by side in the same rows. */
static int are_apart(const struct product *p)
{
	return p->batch == 1 || p->stride_c / p->m >= p->ldc
	       || (p->stride_c >= p->n && p->ldc / p->batch >= p->stride_c);
}

struct product_shares {
	const struct product *p;
	struct isk_grid grid;
};

static int product_share(const void *data, size_t i)
{
	const struct product_shares *s = data;
	const struct product *p = s->p;
	const struct isk_grid grid = s->grid;

	return call_product_part(p, share(p->batch, 1, i / (grid.rows * grid.cols), grid.batch),
	                         share(p->m, 1, i / grid.cols % grid.rows, grid.rows),
	                         share(p->n, ISK_COLUMNS, i % grid.cols, grid.cols));
}

static int parallel_product(const struct product *p)
{
	const size_t threads = isk_shares_for(isk_work_of(sizes_of(p)), ISK_STEPS_A_THREAD);
	struct product nothing = *p;
	struct isk_grid grid;

	nothing.m = 0;
	if (threads == 1 || !p->m || !p->n || (p->post && p->post->size != sizeof(*p->post))
	    || (p->transposed & ISK_TRANSPOSED_A && p->lda < p->m) || overflows(p->batch, p->m, p->ldc)
	    || overflows(p->batch, p->transposed & ISK_TRANSPOSED_A ? p->k : p->m, p->lda)
	    || overflows(1, p->transposed & ISK_TRANSPOSED_B ? p->n : p->k, p->ldb)
	    || overflows(p->batch, p->stride_a, 1) || overflows(p->batch, p->stride_b, 1)
	    || overflows(p->batch, p->stride_c, 1) || (p->post && overflows(p->batch, p->m, p->post->ldother))
	    || !are_apart(p) || nothing.run(&nothing))
		return p->run(p);
	grid = isk_best_grid(sizes_of(p), threads);
	return isk_share_out(grid.batch * grid.rows * grid.cols, threads, product_share, &(struct product_shares){p, grid});
}

static int run_gemm(const struct product *p)
{
	union isk_args args = {.gemm = {
		.c = p->c, .a = p->a, .packed = p->b, .m = p->m, .n = p->n, .k = p->k, .ldc = p->ldc, .lda = p->lda,
		.post = p->post,
	}};

	p->call(&args);
	return args.result.status;
}

static int parallel_gemm(const struct isk_args_gemm *g, const enum isk_type *types, call_kernel *call)
{
	return parallel_product(&(struct product){
		.c = g->c, .a = g->a, .b = g->packed, .batch = 1, .m = g->m, .n = g->n, .k = g->k, .ldc = g->ldc,
		.lda = g->lda, .post = g->post, .run = run_gemm, .call = call,
		.bytes_c = isk_element_bytes(types[2]), .bytes_a = isk_element_bytes(types[0]),
	});
}

static int run_matmul(const struct product *p)
{
	union isk_args args = {.matmul = {
		.c = p->c, .a = p->a, .b = p->b, .m = p->m, .n = p->n, .k = p->k, .ldc = p->ldc, .lda = p->lda,
		.ldb = p->ldb, .transposed = p->transposed, .post = p->post,
	}};

	p->call(&args);
	return args.result.status;
}

static int parallel_matmul(const struct isk_args_matmul *g, const enum isk_type *types, call_kernel *call)
{
	const size_t bytes = isk_element_bytes(types[0]);

	return parallel_product(&(struct product){
		.c = g->c, .a = g->a, .b = g->b, .batch = 1, .m = g->m, .n = g->n, .k = g->k, .ldc = g->ldc,
		.lda = g->lda, .ldb = g->ldb, .transposed = g->transposed, .post = g->post, .run = run_matmul, .call = call,
		.bytes_c = bytes, .bytes_a = bytes, .bytes_b = bytes,
	});
}

static int run_matmul_batch(const struct product *p)
{
	union isk_args args = {.matmul_batch = {
		.c = p->c, .a = p->a, .b = p->b, .batch = p->batch, .m = p->m, .n = p->n, .k = p->k, .ldc = p->ldc,
		.lda = p->lda, .ldb = p->ldb, .stride_c = p->stride_c, .stride_a = p->stride_a, .stride_b = p->stride_b,
		.transposed = p->transposed, .post = p->post,
	}};

	p->call(&args);
	return args.result.status;
}

static int parallel_matmul_batch(const struct isk_args_matmul_batch *g, const enum isk_type *types, call_kernel *call)
{
	const size_t bytes = isk_element_bytes(types[0]);

	return parallel_product(&(struct product){
		.c = g->c, .a = g->a, .b = g->b, .batch = g->batch, .m = g->m, .n = g->n, .k = g->k, .ldc = g->ldc,
		.lda = g->lda, .ldb = g->ldb, .stride_c = g->stride_c, .stride_a = g->stride_a, .stride_b = g->stride_b,
		.transposed = g->transposed, .post = g->post, .run = run_matmul_batch, .call = call,
		.bytes_c = bytes, .bytes_a = bytes, .bytes_b = bytes,
	});
}

/* Convolutions, split by images and by rows of y, or by columns if y is one row. */
struct convolution {
	void *y;
	const void *x, *packed;
	const struct isk_conv *conv;
	const struct isk_post *post;
	call_kernel *call;
	size_t bytes_y, bytes_x;
};

/* How the work is split: into shares of images or, for each image, of rows or columns of y. */
struct conv_cut {
	size_t height, width;   /* the sizes of y */
	int flat;               /* 1: each image is split by columns, because y is one row; 0: by rows */
	size_t images, outputs; /* the number of shares of images, and of rows or columns */
};

/* One direction of an image. */
struct axis {
	size_t size, kernel, stride, dilation, before, after; /* before and after are the padding at both ends */
};

static struct axis axis_of(const struct isk_conv *conv, int flat)
{
	return flat ? (struct axis){conv->width, conv->kernel_w, conv->stride_w, conv->dilation_w, conv->pad_left,
	                            conv->pad_right}
	            : (struct axis){conv->height, conv->kernel_h, conv->stride_h, conv->dilation_h, conv->pad_top,
	                            conv->pad_bottom};
}

static size_t reach_of(const struct axis *axis)
{
	return (axis->kernel - 1) * axis->dilation + 1;
}

/*
 * The section of the axis that the given outputs read, and their padding; *at is where
 * it begins. can_cut() makes sure that no window lies in the padding alone.
 */
static struct axis window(const struct axis *whole, struct range outputs, size_t *at)
{
	const size_t low = outputs.at * whole->stride, end = whole->before + whole->size; /* with the padding */
	const size_t high = (outputs.at + outputs.count - 1) * whole->stride + reach_of(whole);
	struct axis part = *whole;

	*at = low < whole->before ? 0 : low - whole->before;
	part.before = low < whole->before ? whole->before - low : 0;
	part.after = high > end ? high - end : 0;
	part.size = high - low - part.before - part.after;
	return part;
}

static int can_cut(const struct axis *axis)
{
	return axis->before < reach_of(axis) && axis->after < reach_of(axis);
}

static int run_conv(const struct convolution *c)
{
	union isk_args args = {.conv = {.y = c->y, .x = c->x, .packed = c->packed, .conv = c->conv, .post = c->post}};

	c->call(&args);
	return args.result.status;
}

/* A share is several whole images, or some rows or columns of one. */
static int call_conv_part(const struct convolution *c, const struct conv_cut *cut, struct range images,
                          struct range outputs)
{
	const struct axis axis = axis_of(c->conv, cut->flat);
	struct convolution part = *c;
	struct isk_conv conv = *c->conv;
	struct isk_post post;
	size_t x = images.at * conv.height * conv.width, y = images.at * cut->height * cut->width, at;

	if (!images.count || !outputs.count)
		return ISK_OK;
	conv.images = images.count;
	if (cut->outputs > 1) {
		const struct axis seen = window(&axis, outputs, &at);

		x += at * (cut->flat ? 1 : conv.width);
		y += outputs.at * (cut->flat ? 1 : cut->width);
		*(cut->flat ? &conv.width : &conv.height) = seen.size;
		*(cut->flat ? &conv.pad_left : &conv.pad_top) = seen.before;
		*(cut->flat ? &conv.pad_right : &conv.pad_bottom) = seen.after;
	}
	part.conv = &conv;
	part.x = later(c->x, x * (conv.ldx ? conv.ldx : conv.channels), c->bytes_x);
	part.y = (void *)(uintptr_t)later(c->y, y * (conv.ldy ? conv.ldy : conv.out_channels), c->bytes_y);
	if (c->post) {
		post = *c->post;
		post.other = later(post.other, y * post.ldother, c->bytes_y);
		part.post = &post;
	}
	return run_conv(&part);
}

/* Sets *cut and returns the number of threads; 1: the work is not split. */
static size_t cut_of(const struct convolution *c, struct conv_cut *cut)
{
	const struct isk_conv *conv = c->conv;
	struct axis axis;
	size_t threads, outputs;

	if (!conv || isk_conv_output(conv, &cut->height, &cut->width) || !cut->height || !cut->width)
		return 1;
	threads = isk_shares_for((double)conv->images * (double)cut->height * (double)cut->width
	                      * (double)conv->out_channels * (double)(conv->channels / conv->groups)
	                      * (double)conv->kernel_h * (double)conv->kernel_w, ISK_STEPS_A_THREAD);
	cut->images = threads < conv->images ? threads : conv->images;
	cut->outputs = 1;
	cut->flat = cut->height == 1 && conv->height == 1 && conv->kernel_h == 1;
	outputs = cut->flat ? cut->width : cut->height;
	axis = axis_of(conv, cut->flat);
	/* If there are many images, a split by images alone is even enough. */
	if (conv->images % threads && conv->images < 4 * threads && can_cut(&axis)) {
		cut->images = conv->images;
		cut->outputs = threads < outputs ? threads : outputs;
	}
	return threads;
}

struct conv_shares {
	const struct convolution *c;
	const struct conv_cut *cut;
};

static int conv_share(const void *data, size_t i)
{
	const struct conv_shares *s = data;
	const struct conv_cut *cut = s->cut;

	return call_conv_part(s->c, cut, share(s->c->conv->images, 1, i / cut->outputs, cut->images),
	                      share(cut->flat ? cut->width : cut->height, 1, i % cut->outputs, cut->outputs));
}

static int parallel_convolution(const struct convolution *c)
{
	const struct isk_conv *conv = c->conv;
	struct conv_cut cut;
	const size_t threads = cut_of(c, &cut);
	size_t in, out;

	if (threads == 1 || (c->post && c->post->size != sizeof(*c->post)))
		return run_conv(c);
	in = conv->images * conv->height * conv->width;
	out = conv->images * cut.height * cut.width;
	if (overflows(in, conv->channels, 1) || overflows(in, conv->ldx, 1)
	    || overflows(out, conv->out_channels, 1) || overflows(out, conv->ldy, 1)
	    || (c->post && overflows(out, c->post->ldother, 1)))
		return run_conv(c);
	return isk_share_out(cut.images * cut.outputs, threads, conv_share, &(struct conv_shares){c, &cut});
}

static int parallel_conv(const struct isk_args_conv *c, const enum isk_type *types, call_kernel *call)
{
	return parallel_convolution(&(struct convolution){
		.y = c->y, .x = c->x, .packed = c->packed, .conv = c->conv, .post = c->post, .call = call,
		.bytes_y = isk_element_bytes(types[2]), .bytes_x = isk_element_bytes(types[0]),
	});
}

/* The transpose of a convolution, split by images and by rows of y, which is the image. */
static int run_transpose(const struct convolution *c)
{
	union isk_args args = {.conv_transpose = {.y = c->y, .x = c->x, .packed = c->packed, .conv = c->conv, .post = c->post}};

	c->call(&args);
	return args.result.status;
}

/*
 * The rows of y get taps from the rows of x that begin at *at. The convolution of the part has these rows as its image and
 * output: its padding before is the distance from the first row that x's first one gives to the first one of y.
 */
static void rows_of_part(struct isk_conv *conv, struct range rows, size_t x_rows, size_t *at)
{
	const size_t reach = (conv->kernel_h - 1) * conv->dilation_h, first = rows.at + conv->pad_top, last = first + rows.count - 1;
	const size_t end = last / conv->stride_h < x_rows ? last / conv->stride_h + 1 : x_rows;
	size_t low = first > reach ? (first - reach + conv->stride_h - 1) / conv->stride_h : 0, need;

	/* At least one row, and one that begins no later than these rows of y, even if its taps do not reach them. */
	low = low < first / conv->stride_h ? low : first / conv->stride_h;
	low = low < end ? low : end - 1;
	need = (end - low - 1) * conv->stride_h + reach;
	conv->height = rows.count;
	conv->pad_top = first - low * conv->stride_h;
	conv->pad_bottom = need > conv->pad_top + rows.count - 1 ? need - (conv->pad_top + rows.count - 1) : 0;
	*at = low;
}

static int call_transpose_part(const struct convolution *c, size_t x_rows, size_t x_width, struct range images, struct range rows)
{
	struct convolution part = *c;
	struct isk_conv conv = *c->conv;
	size_t x = images.at * x_rows, y = images.at * conv.height + rows.at, at = 0;
	struct isk_post post;

	if (!images.count || !rows.count)
		return ISK_OK;
	conv.images = images.count;
	if (rows.count < conv.height)
		rows_of_part(&conv, rows, x_rows, &at);
	part.conv = &conv;
	part.x = later(c->x, (x + at) * x_width * (conv.ldy ? conv.ldy : conv.out_channels), c->bytes_x);
	part.y = (void *)(uintptr_t)later(c->y, y * conv.width * (conv.ldx ? conv.ldx : conv.channels), c->bytes_y);
	if (c->post) {
		post = *c->post;
		post.other = later(post.other, y * conv.width * post.ldother, c->bytes_y);
		part.post = &post;
	}
	return run_transpose(&part);
}

struct transpose_shares {
	const struct convolution *c;
	size_t x_rows, x_width, cuts;
};

static int transpose_share(const void *data, size_t i)
{
	const struct transpose_shares *s = data;

	return call_transpose_part(s->c, s->x_rows, s->x_width, (struct range){i / s->cuts, 1},
	                           share(s->c->conv->height, 1, i % s->cuts, s->cuts));
}

static int parallel_conv_transpose(const struct isk_args_conv_transpose *a, const enum isk_type *types, call_kernel *call)
{
	const struct convolution c = {
		.y = a->y, .x = a->x, .packed = a->packed, .conv = a->conv, .post = a->post, .call = call,
		.bytes_y = isk_element_bytes(types[2]), .bytes_x = isk_element_bytes(types[0]),
	};
	const struct isk_conv *conv = a->conv;
	size_t height, width, threads, cuts, pixels;

	if (!conv || isk_conv_output(conv, &height, &width) || !height || !width || (c.post && c.post->size != sizeof(*c.post)))
		return run_transpose(&c);
	threads = isk_shares_for((double)conv->images * (double)height * (double)width * (double)conv->out_channels
	                      * (double)(conv->channels / conv->groups) * (double)conv->kernel_h * (double)conv->kernel_w,
	                      ISK_STEPS_A_THREAD);
	pixels = conv->images * conv->height * conv->width;
	if (threads == 1 || overflows(conv->images * height * width, conv->out_channels, 1)
	    || overflows(conv->images * height * width, conv->ldy, 1) || overflows(pixels, conv->channels, 1)
	    || overflows(pixels, conv->ldx, 1) || (c.post && overflows(pixels, c.post->ldother, 1)))
		return run_transpose(&c);
	cuts = conv->images % threads && conv->images < 4 * threads ? threads : 1;
	cuts = cuts < conv->height ? cuts : conv->height;
	return isk_share_out(conv->images * cuts, threads, transpose_share, &(struct transpose_shares){&c, height, width, cuts});
}

/* Whether a product is so small that one thread computes it, asked before anything else because that takes 30 ns. */
static int is_small_matmul_batch(size_t batch, size_t m, size_t n, size_t k)
{
	const size_t most = 1 << 10; /* below it no product overflows */

	return (batch | m | n | k) < most && batch * k * (m * n + ISK_COST_A * m + ISK_COST_B * n) < 2 * ISK_STEPS_A_THREAD;
}

static int is_small_matmul(size_t m, size_t n, size_t k)
{
	return is_small_matmul_batch(1, m, n, k);
}

static int is_small_gemm(size_t m, size_t n, size_t k)
{
	return is_small_matmul_batch(1, m, n, k);
}

/* The sizes of a convolution are in a struct, which is checked with it. */
static int is_small_conv(void)
{
	return 0;
}

static int is_small_conv_transpose(void)
{
	return 0;
}

/* isk_parallel_K for each product and convolution K */
#include "parallel_calls.h"
