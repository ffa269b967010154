/* SPDX-License-Identifier: MIT */
/*
 *     28 x 28 x 1   3 x 3 convolution, batch normalisation, relu, maximum of 2 x 2    14 x 14 x 16
 *     14 x 14 x 16  the same                                                          7 x 7 x 32
 *     p = softmax(all 1568 W + b)                                                     10
 *
 * and back. A convolution is a product of patches by weights. Its gradient by the weights is a product of the transposed
 * patches; its gradient by the image is a product by the transposed weights, whose patches are added to the image.
 */
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "isakern.h"
#include "network.h"

enum { TAPS = 9, BLOCKS = 2, LAST = 7 * 7 * 32, W = 0, SCALE, SHIFT, PER_BLOCK, W_OUT = BLOCKS * PER_BLOCK, B_OUT };

static const struct shape {
	size_t side, in, out;
} shapes[BLOCKS] = {{28, 1, 16}, {14, 16, 32}};

/* Arrays of one block: rows are pixels. */
struct block {
	float *patches, *sums, *units, *pooled;    /* forwards: each from the one before */
	float *pooled_back, *back, *patches_back;  /* gradients */
	float *mean, *variance, *rstd;             /* of the batch or, if nothing is learnt, of all batches */
	float *running_mean, *running_variance;    /* averages over batches */
};

struct convolutional {
	struct block block[BLOCKS];
};

static const float epsilon = 1e-5f, forgets = 0.1f;

static size_t pixels_of(const struct shape *s, size_t count)
{
	return count * s->side * s->side;
}

/* The scale and shift that normalise: by the batch, whose statistics then join the averages, or by these. */
static void normalise(const struct block *b, const struct shape *s, const struct part *part, size_t rows, int learns)
{
	float scale[64], shift[64];

	if (learns) {
		isk_meanvar_cols_f32(b->mean, b->variance, b->sums, rows, s->out, s->out);
		isk_axpby_f32(b->running_mean, b->mean, s->out, forgets, 1 - forgets);
		isk_axpby_f32(b->running_variance, b->variance, s->out, forgets, 1 - forgets);
	}
	isk_add_scalar_f32(b->rstd, learns ? b->variance : b->running_variance, s->out, epsilon);
	isk_rsqrt_f32(b->rstd, b->rstd, s->out);
	isk_mul_f32(scale, b->rstd, part[SCALE].weights, s->out);
	isk_mul_f32(shift, learns ? b->mean : b->running_mean, scale, s->out);
	isk_sub_f32(shift, part[SHIFT].weights, shift, s->out);
	KERNEL(batchnorm_nhwc_f32)(b->units, b->sums, scale, shift, rows, s->out, s->out, s->out);
	KERNEL(relu_f32)(b->units, b->units, rows * s->out);
}

static void block_forward(const struct block *b, const struct shape *s, const struct part *part, const float *x, size_t count,
                          int learns)
{
	const size_t rows = pixels_of(s, count), k = TAPS * s->in;

	KERNEL(unfold_b32)(b->patches, x, count, s->in, s->side, s->side, s->side, s->side, 3, 3, 1, 1, 1, 1, 1, 1);
	must(KERNEL(matmul_f32)(b->sums, b->patches, part[W].weights, rows, s->out, k, s->out, k, s->out, 0, NULL));
	normalise(b, s, part, rows, learns);
	KERNEL(maxpool_2d_nhwc_f32)(b->pooled, b->units, count, s->out, s->side / 2, s->side / 2, s->side, s->side, 2, 2, 2, 2, 0, 0);
}

/* From pooled_back to the gradients of the block's parts and, if x_back is not NULL, of its input. */
static void block_backward(const struct block *b, const struct shape *s, const struct part *part, float *x_back, size_t count)
{
	const size_t rows = pixels_of(s, count), k = TAPS * s->in;

	KERNEL(maxpool_2d_backward_nhwc_f32)(b->back, b->pooled_back, b->units, count, s->out, s->side / 2, s->side / 2, s->side,
	                                     s->side, 2, 2, 2, 2, 0, 0);
	/* Units that relu made 0 do not affect the loss; the sign of the others is 1. */
	KERNEL(sign_f32)(b->units, b->units, rows * s->out);
	KERNEL(mul_f32)(b->back, b->back, b->units, rows * s->out);
	isk_batchnorm_backward_weight_f32(part[SCALE].gradient, part[SHIFT].gradient, b->back, b->sums, b->mean, b->rstd, rows,
	                                  s->out, s->out, s->out);
	isk_batchnorm_backward_f32(b->back, b->back, b->sums, part[SCALE].weights, b->mean, b->rstd, part[SCALE].gradient,
	                           part[SHIFT].gradient, rows, s->out, s->out, s->out, s->out);
	must(KERNEL(matmul_f32)(part[W].gradient, b->patches, b->back, k, s->out, rows, s->out, k, s->out, ISK_TRANSPOSED_A, NULL));
	if (!x_back)
		return;
	must(KERNEL(matmul_f32)(b->patches_back, b->back, part[W].weights, rows, k, s->out, k, s->out, s->out, ISK_TRANSPOSED_B,
	                        NULL));
	KERNEL(fold_f32)(x_back, b->patches_back, count, s->in, s->side, s->side, s->side, s->side, 3, 3, 1, 1, 1, 1, 1, 1);
}

static void forward(struct network *n, size_t count, int learns)
{
	const struct convolutional *c = n->state;
	const struct part *part = n->parts.part;
	const struct isk_post post = {.size = sizeof(post), .bias = part[B_OUT].weights};
	const float *x = n->x;

	for (int i = 0; i < BLOCKS; i++) {
		block_forward(&c->block[i], &shapes[i], part + i * PER_BLOCK, x, count, learns);
		x = c->block[i].pooled;
	}
	must(KERNEL(matmul_f32)(n->p, x, part[W_OUT].weights, count, DIGITS, LAST, DIGITS, LAST, DIGITS, 0, &post));
	isk_softmax_f32(n->p, n->p, count, DIGITS, DIGITS, DIGITS);
}

static void backward(struct network *n, size_t count)
{
	const struct convolutional *c = n->state;
	const struct part *part = n->parts.part;
	const struct block *last = &c->block[BLOCKS - 1];

	isk_scale_f32(n->p, n->p, count * DIGITS, 1 / (float)count);
	must(KERNEL(matmul_f32)(part[W_OUT].gradient, last->pooled, n->p, LAST, DIGITS, count, DIGITS, LAST, DIGITS,
	                        ISK_TRANSPOSED_A, NULL));
	isk_sumpool_f32(part[B_OUT].gradient, n->p, count, DIGITS, DIGITS);
	must(KERNEL(matmul_f32)(last->pooled_back, n->p, part[W_OUT].weights, count, LAST, DIGITS, LAST, DIGITS, DIGITS,
	                        ISK_TRANSPOSED_B, NULL));
	for (int i = BLOCKS - 1; i >= 0; i--)
		block_backward(&c->block[i], &shapes[i], part + i * PER_BLOCK, i ? c->block[i - 1].pooled_back : NULL, count);
}

static uint64_t checksum(const struct network *n, uint64_t sum)
{
	const struct convolutional *c = n->state;

	for (int i = 0; i < BLOCKS; i++) {
		sum = checksum_of(c->block[i].running_mean, shapes[i].out * sizeof(float), sum);
		sum = checksum_of(c->block[i].running_variance, shapes[i].out * sizeof(float), sum);
	}
	return sum;
}

/* The arrays of a block, in their order. */
static void block_sizes(const struct shape *s, size_t *size)
{
	const size_t rows = pixels_of(s, MOST_BATCH), k = TAPS * s->in;
	const size_t all[] = {rows * k, rows * s->out, rows * s->out, rows / 4 * s->out, rows / 4 * s->out, rows * s->out,
	                      s->in > 1 ? rows * k : 1, s->out, s->out, s->out, s->out, s->out};

	memcpy(size, all, sizeof(all));
}

enum { ARRAYS = sizeof(struct block) / sizeof(float *) };

static void free_state(void *state)
{
	float **arrays = state;

	for (int i = 0; i < BLOCKS * ARRAYS; i++)
		free(arrays[i]);
	free(state);
}

void convolutional_init(struct network *n, uint64_t seed)
{
	float **arrays = calloc(BLOCKS * ARRAYS, sizeof(*arrays));

	if (!arrays)
		errx(1, "out of memory");
	*n = (struct network){.x = zeros(MOST_BATCH * PIXELS), .p = zeros(MOST_BATCH * DIGITS), .state = arrays,
	                      .forward = forward, .backward = backward, .checksum = checksum, .free = free_state};
	for (int i = 0; i < BLOCKS; i++) {
		const struct shape *s = &shapes[i];
		size_t size[ARRAYS];

		block_sizes(s, size);
		for (int a = 0; a < ARRAYS; a++)
			arrays[i * ARRAYS + a] = zeros(size[a]);
		parts_draw(&n->parts, TAPS * s->in, s->out, &seed);
		parts_add(&n->parts, s->out, 1);
		parts_add(&n->parts, s->out, 0);
	}
	parts_draw(&n->parts, LAST, DIGITS, &seed);
	parts_add(&n->parts, DIGITS, 0);
}
