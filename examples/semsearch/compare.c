/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../clock.h"
#include "compare.h"
#include "isakern.h"

/* The types take turns, so that a disturbance affects all; the best time counts. */
#define ROUNDS 5

struct contender {
	struct model *model;
	float *vectors;
	double seconds;
};

static void embed(struct contender *one, const struct corpus *c, size_t threads)
{
	const double begin = clock_seconds();
	double seconds;

	free(one->vectors);
	one->vectors = corpus_embed(c, one->model, threads, 0);
	seconds = clock_seconds() - begin;
	one->seconds = one->seconds > 0 && one->seconds < seconds ? one->seconds : seconds;
}

/* The cosines of two vectors for each sentence, whose lengths are 1. */
static void print_cosines(const float *x, const float *y, size_t count)
{
	double sum = 0, worst = 1;

	for (size_t i = 0; i < count; i++) {
		const double cosine = (double)isk_cosine_f32(x + i * MODEL_DIM, y + i * MODEL_DIM, MODEL_DIM);

		sum += cosine;
		worst = cosine < worst ? cosine : worst;
	}
	printf("  %9.6f  %9.6f\n", sum / (double)count, worst);
}

void compare_weights(const struct corpus *c, const char *path, size_t threads)
{
	struct contender contender[WEIGHTS_TYPES] = {{.seconds = 0}};

	for (enum weights w = 0; w < WEIGHTS_TYPES; w++)
		contender[w].model = model_open(path, w);
	for (int round = 0; round < ROUNDS; round++)
		for (enum weights w = 0; w < WEIGHTS_TYPES; w++)
			embed(&contender[w], c, threads);
	printf("%-7s  %-14s  %11s  %s\n", "weights", "kernel", "sentences/s", "cosine with f32: mean, worst");
	for (enum weights w = 0; w < WEIGHTS_TYPES; w++) {
		printf("%-7s  %-14s  %11.1f", weights_names[w].name, weights_names[w].kernel,
		       (double)c->count / contender[w].seconds);
		print_cosines(contender[w].vectors, contender[WEIGHTS_F32].vectors, c->count);
	}
	for (enum weights w = 0; w < WEIGHTS_TYPES; w++) {
		model_close(contender[w].model);
		free(contender[w].vectors);
	}
}
