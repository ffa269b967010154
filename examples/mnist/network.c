/* SPDX-License-Identifier: MIT */
/*
 *     hidden = relu(x W1 + b1)        128 images by 784, by 256
 *     p = softmax(hidden W2 + b2)     by 10
 *
 * and back. The gradient of the loss by the sums of the second layer is p, minus 1 at the right digit;
 * products with transposed matrices lead from there to the other gradients. All arithmetic on arrays is done
 * by isakern's kernels.
 */
#include "network.h"

#include <err.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "isakern.h"

enum { HIDDEN = 256, W1 = 0, B1, W2, B2, PARTS };

static const size_t sizes[PARTS] = {PIXELS * HIDDEN, HIDDEN, HIDDEN * DIGITS, DIGITS};

/* Weights, their gradients, and Adam's averages of these. */
struct part {
	float *weights, *gradient, *mean, *square;
};

struct network {
	struct part parts[PARTS];
	double beta1_power, beta2_power; /* powers of beta1 and beta2 by the number of steps */
	float x[MOST_BATCH * PIXELS], hidden[MOST_BATCH * HIDDEN], p[MOST_BATCH * DIGITS], back[MOST_BATCH * HIDDEN];
};

static const float beta1 = 0.9f, beta2 = 0.999f, epsilon = 1e-8f;

uint64_t draw(uint64_t *seed)
{
	uint64_t z = *seed += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static float *zeros(size_t count)
{
	float *x;

	if (posix_memalign((void **)&x, 64, count * sizeof(*x)) != 0)
		errx(1, "out of memory");
	return memset(x, 0, count * sizeof(*x));
}

/* Draws from a uniform distribution whose width keeps sums of inputs from growing or fading from layer to layer. */
static void draw_weights(float *w, size_t in, size_t out, uint64_t *seed)
{
	const float width = sqrtf(6.0f / (float)in);

	for (size_t i = 0; i < in * out; i++)
		w[i] = ((float)(draw(seed) >> 40) * 0x1p-23f - 1) * width;
}

struct network *network_new(uint64_t seed)
{
	struct network *n;

	if (posix_memalign((void **)&n, 64, sizeof(*n)) != 0)
		errx(1, "out of memory");
	n->beta1_power = n->beta2_power = 1;
	for (int i = 0; i < PARTS; i++)
		n->parts[i] = (struct part){zeros(sizes[i]), zeros(sizes[i]), zeros(sizes[i]), zeros(sizes[i])};
	draw_weights(n->parts[W1].weights, PIXELS, HIDDEN, &seed);
	draw_weights(n->parts[W2].weights, HIDDEN, DIGITS, &seed);
	return n;
}

void network_free(struct network *n)
{
	for (int i = 0; i < PARTS; i++) {
		free(n->parts[i].weights);
		free(n->parts[i].gradient);
		free(n->parts[i].mean);
		free(n->parts[i].square);
	}
	free(n);
}

/* isakern's statuses report errors of the program, not of its user. */
static void must(int status)
{
	if (status)
		errx(3, "isakern: %s", isk_strerror(status));
}

/* From x to p, for count images. */
static void forward(struct network *n, size_t count)
{
	const struct isk_post first = {.size = sizeof(first), .bias = n->parts[B1].weights, .act = ISK_ACT_RELU};
	const struct isk_post second = {.size = sizeof(second), .bias = n->parts[B2].weights};

	must(isk_matmul_f32(n->hidden, n->x, n->parts[W1].weights, count, HIDDEN, PIXELS, HIDDEN, PIXELS, HIDDEN, 0, &first));
	must(isk_matmul_f32(n->p, n->hidden, n->parts[W2].weights, count, DIGITS, HIDDEN, DIGITS, HIDDEN, DIGITS, 0, &second));
	isk_softmax_f32(n->p, n->p, count, DIGITS, DIGITS, DIGITS);
}

/* From p minus the right answer to the gradients of the mean loss. */
static void backward(struct network *n, size_t count)
{
	const float scale = 1.0f / (float)count;
	const struct isk_post mean = {.size = sizeof(mean), .scale = &scale, .scales = 1};

	must(isk_matmul_f32(n->parts[W2].gradient, n->hidden, n->p, HIDDEN, DIGITS, count, DIGITS, HIDDEN, DIGITS,
	                    ISK_TRANSPOSED_A, &mean));
	isk_meanpool_f32(n->parts[B2].gradient, n->p, count, DIGITS, DIGITS);
	must(isk_matmul_f32(n->back, n->p, n->parts[W2].weights, count, HIDDEN, DIGITS, HIDDEN, DIGITS, DIGITS,
	                    ISK_TRANSPOSED_B, NULL));
	/* Units that relu made 0 do not affect the loss; the sign of the others is 1. */
	isk_sign_f32(n->hidden, n->hidden, count * HIDDEN);
	isk_mul_f32(n->back, n->back, n->hidden, count * HIDDEN);
	must(isk_matmul_f32(n->parts[W1].gradient, n->x, n->back, PIXELS, HIDDEN, count, HIDDEN, PIXELS, HIDDEN,
	                    ISK_TRANSPOSED_A, &mean));
	isk_meanpool_f32(n->parts[B1].gradient, n->back, count, HIDDEN, HIDDEN);
}

static void step(struct network *n, float rate)
{
	n->beta1_power *= (double)beta1;
	n->beta2_power *= (double)beta2;
	for (int i = 0; i < PARTS; i++) {
		const struct part *p = &n->parts[i];

		isk_adam_f32(p->weights, p->mean, p->square, NULL, p->gradient, sizes[i], rate, beta1, beta2, epsilon, 0,
		             (float)(1 / (1 - n->beta1_power)), (float)(1 / (1 - n->beta2_power)));
	}
}

double network_learn(struct network *n, const struct digits *d, const uint32_t *numbers, size_t count, float rate)
{
	double loss = 0;

	for (size_t i = 0; i < count; i++)
		isk_dequantize_u8_f32(n->x + i * PIXELS, d->pixels + numbers[i] * (size_t)PIXELS, PIXELS, 1.0f / 255, 0);
	forward(n, count);
	for (size_t i = 0; i < count; i++) {
		float *right = &n->p[i * DIGITS + d->labels[numbers[i]]];

		loss -= log((double)fmaxf(*right, 0x1p-126f));
		*right -= 1;
	}
	backward(n, count);
	step(n, rate);
	return loss / (double)count;
}

size_t network_right(struct network *n, const struct digits *d)
{
	size_t right = 0;

	for (size_t first = 0; first < d->count; first += MOST_BATCH) {
		const size_t count = d->count - first < MOST_BATCH ? d->count - first : MOST_BATCH;

		isk_dequantize_u8_f32(n->x, d->pixels + first * PIXELS, count * PIXELS, 1.0f / 255, 0);
		forward(n, count);
		for (size_t i = 0; i < count; i++)
			right += isk_argmax_f32(n->p + i * DIGITS, DIGITS) == d->labels[first + i];
	}
	return right;
}

/* FNV-1a of 64 bits. */
uint64_t network_checksum(const struct network *n)
{
	uint64_t sum = 0xcbf29ce484222325;

	for (int i = 0; i < PARTS; i++)
		for (size_t byte = 0; byte < sizes[i] * sizeof(float); byte++)
			sum = (sum ^ ((const unsigned char *)n->parts[i].weights)[byte]) * 0x100000001b3;
	return sum;
}
