/* SPDX-License-Identifier: MIT */
#include "parts.h"

#include <err.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "isakern.h"

static const float beta1 = 0.9f, beta2 = 0.999f, epsilon = 1e-8f;

uint64_t draw(uint64_t *seed)
{
	uint64_t z = *seed += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

float *zeros(size_t count)
{
	float *x;

	if (posix_memalign((void **)&x, 64, count * sizeof(*x)) != 0)
		errx(1, "out of memory");
	return memset(x, 0, count * sizeof(*x));
}

struct part *parts_add(struct parts *p, size_t size, float first)
{
	struct part *part = &p->part[p->count++];

	if (p->count == 1)
		p->beta1_power = p->beta2_power = 1;
	*part = (struct part){size, zeros(size), zeros(size), zeros(size), zeros(size)};
	isk_fill_f32(part->weights, size, first);
	return part;
}

struct part *parts_draw(struct parts *p, size_t in, size_t out, uint64_t *seed)
{
	struct part *part = parts_add(p, in * out, 0);
	const float width = sqrtf(6.0f / (float)in);

	for (size_t i = 0; i < in * out; i++)
		part->weights[i] = ((float)(draw(seed) >> 40) * 0x1p-23f - 1) * width;
	return part;
}

void parts_step(struct parts *p, float rate)
{
	p->beta1_power *= (double)beta1;
	p->beta2_power *= (double)beta2;
	for (int i = 0; i < p->count; i++) {
		const struct part *part = &p->part[i];

		isk_adam_f32(part->weights, part->mean, part->square, NULL, part->gradient, part->size, rate, beta1, beta2, epsilon, 0,
		             (float)(1 / (1 - p->beta1_power)), (float)(1 / (1 - p->beta2_power)));
	}
}

void parts_free(struct parts *p)
{
	for (int i = 0; i < p->count; i++) {
		free(p->part[i].weights);
		free(p->part[i].gradient);
		free(p->part[i].mean);
		free(p->part[i].square);
	}
}
