/* SPDX-License-Identifier: MIT */
/*
 *     hidden = relu(x W1 + b1)        128 images by 784, by 256
 *     p = softmax(hidden W2 + b2)     by 10
 *
 * and back. The gradient of the loss by the sums of the second layer is p, minus 1 at the right digit;
 * products with transposed matrices lead from there to the other gradients.
 */
#include <err.h>
#include <stdlib.h>

#include "isakern.h"
#include "network.h"

enum { HIDDEN = 256, W1 = 0, B1, W2, B2 };

struct dense {
	float hidden[MOST_BATCH * HIDDEN], back[MOST_BATCH * HIDDEN];
};

static void forward(struct network *n, size_t count, int learns)
{
	const struct part *part = n->parts.part;
	struct dense *d = n->state;
	const struct isk_post first = {.size = sizeof(first), .bias = part[B1].weights, .act = ISK_ACT_RELU};
	const struct isk_post second = {.size = sizeof(second), .bias = part[B2].weights};

	(void)learns;
	must(KERNEL(matmul_f32)(d->hidden, n->x, part[W1].weights, count, HIDDEN, PIXELS, HIDDEN, PIXELS, HIDDEN, 0, &first));
	must(KERNEL(matmul_f32)(n->p, d->hidden, part[W2].weights, count, DIGITS, HIDDEN, DIGITS, HIDDEN, DIGITS, 0, &second));
	isk_softmax_f32(n->p, n->p, count, DIGITS, DIGITS, DIGITS);
}

static void backward(struct network *n, size_t count)
{
	const struct part *part = n->parts.part;
	struct dense *d = n->state;
	const float scale = 1.0f / (float)count;
	const struct isk_post mean = {.size = sizeof(mean), .scale = &scale, .scales = 1};

	must(KERNEL(matmul_f32)(part[W2].gradient, d->hidden, n->p, HIDDEN, DIGITS, count, DIGITS, HIDDEN, DIGITS,
	                        ISK_TRANSPOSED_A, &mean));
	isk_meanpool_f32(part[B2].gradient, n->p, count, DIGITS, DIGITS);
	must(KERNEL(matmul_f32)(d->back, n->p, part[W2].weights, count, HIDDEN, DIGITS, HIDDEN, DIGITS, DIGITS, ISK_TRANSPOSED_B,
	                        NULL));
	/* Units that relu made 0 do not affect the loss; the sign of the others is 1. */
	isk_sign_f32(d->hidden, d->hidden, count * HIDDEN);
	isk_mul_f32(d->back, d->back, d->hidden, count * HIDDEN);
	must(KERNEL(matmul_f32)(part[W1].gradient, n->x, d->back, PIXELS, HIDDEN, count, HIDDEN, PIXELS, HIDDEN, ISK_TRANSPOSED_A,
	                        &mean));
	isk_meanpool_f32(part[B1].gradient, d->back, count, HIDDEN, HIDDEN);
}

void dense_init(struct network *n, uint64_t seed)
{
	*n = (struct network){.x = zeros(MOST_BATCH * PIXELS), .p = zeros(MOST_BATCH * DIGITS), .forward = forward,
	                      .backward = backward, .free = free};
	if (posix_memalign(&n->state, 64, sizeof(struct dense)) != 0)
		errx(1, "out of memory");
	parts_draw(&n->parts, PIXELS, HIDDEN, &seed);
	parts_add(&n->parts, HIDDEN, 0);
	parts_draw(&n->parts, HIDDEN, DIGITS, &seed);
	parts_add(&n->parts, DIGITS, 0);
}
