/* SPDX-License-Identifier: MIT */
/* The steps of learning, and the losses, of both networks. isakern's kernels do all arithmetic on arrays. */
#include "network.h"

#include <err.h>
#include <math.h>
#include <stdlib.h>

#include "isakern.h"

int many_threads;

/* Images in a call when nothing is learnt. */
enum { TESTED = 128 };

void must(int status)
{
	if (status)
		errx(3, "isakern: %s", isk_strerror(status));
}

double network_learn(struct network *n, const struct digits *d, const uint32_t *numbers, size_t count, float rate)
{
	double loss = 0;

	for (size_t i = 0; i < count; i++)
		isk_dequantize_u8_f32(n->x + i * PIXELS, d->pixels + numbers[i] * (size_t)PIXELS, PIXELS, 1.0f / 255, 0);
	n->forward(n, count, 1);
	for (size_t i = 0; i < count; i++) {
		float *right = &n->p[i * DIGITS + d->labels[numbers[i]]];

		loss -= log((double)fmaxf(*right, 0x1p-126f));
		*right -= 1;
	}
	n->backward(n, count);
	parts_step(&n->parts, rate);
	return loss / (double)count;
}

size_t network_right(struct network *n, const struct digits *d)
{
	size_t right = 0;

	for (size_t first = 0; first < d->count; first += TESTED) {
		const size_t count = d->count - first < TESTED ? d->count - first : TESTED;

		isk_dequantize_u8_f32(n->x, d->pixels + first * PIXELS, count * PIXELS, 1.0f / 255, 0);
		n->forward(n, count, 0);
		for (size_t i = 0; i < count; i++)
			right += isk_argmax_f32(n->p + i * DIGITS, DIGITS) == d->labels[first + i];
	}
	return right;
}

uint64_t checksum_of(const void *bytes, size_t size, uint64_t sum)
{
	for (size_t i = 0; i < size; i++)
		sum = (sum ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3;
	return sum;
}

uint64_t network_checksum(const struct network *n)
{
	uint64_t sum = 0xcbf29ce484222325;

	for (int i = 0; i < n->parts.count; i++)
		sum = checksum_of(n->parts.part[i].weights, n->parts.part[i].size * sizeof(float), sum);
	return n->checksum ? n->checksum(n, sum) : sum;
}

void network_free(struct network *n)
{
	parts_free(&n->parts);
	n->free(n->state);
	free(n->x);
	free(n->p);
}
