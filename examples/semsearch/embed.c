/* SPDX-License-Identifier: MIT */
/*
 * Threads that take batches of sentences, in their order, until none remain. A sentence gets the same bits in
 * any thread and any batch.
 */
#include <err.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "alloc.h"
#include "corpus.h"

/*
 * Tokens of a batch: enough rows for each weight that is read, and few enough to stay in the cache. 192 take
 * 1.05 times the time, 768 are no faster (8-bit weights, Zen 3).
 */
#define BATCH 384

struct job {
	const struct corpus *corpus;
	const struct model *model;
	float *out;
	const size_t *batch; /* batch[i]: its first sentence */
	size_t batches;
	atomic_size_t next;
	atomic_size_t done; /* sentences */
	int show;
};

/* The end of a batch of at most BATCH tokens, or of one sentence, from `first` on. */
static size_t batch_end(const struct corpus *c, size_t first)
{
	size_t end = first + 1;

	while (end < c->count && c->start[end + 1] - c->start[first] <= BATCH)
		end++;
	return end;
}

static void *work(void *argument)
{
	struct job *job = argument;
	const struct corpus *c = job->corpus;
	struct workspace *w = workspace_new(BATCH > MODEL_MAX_TOKENS ? BATCH : MODEL_MAX_TOKENS);
	size_t i;

	while ((i = atomic_fetch_add(&job->next, 1)) < job->batches) {
		const size_t first = job->batch[i], count = job->batch[i + 1] - first;
		size_t done;

		model_embed(job->model, w, job->out + first * MODEL_DIM, c->ids, c->start + first, count);
		done = atomic_fetch_add(&job->done, count) + count;
		if (job->show)
			fprintf(stderr, "\rembedding %zu of %zu ", done, c->count);
	}
	workspace_free(w);
	return NULL;
}

float *corpus_embed(const struct corpus *c, const struct model *m, size_t threads, int show)
{
	size_t *batch = alloc(c->count + 1, sizeof(*batch));
	struct job job = {.corpus = c, .model = m, .batch = batch, .show = show};
	pthread_t *thread;
	size_t started = 0;

	job.out = alloc(c->count * MODEL_DIM, sizeof(*job.out));
	for (batch[0] = 0; batch[job.batches] < c->count; job.batches++)
		batch[job.batches + 1] = batch_end(c, batch[job.batches]);
	thread = alloc(threads, sizeof(*thread));
	while (started + 1 < threads && started + 1 < job.batches &&
		   pthread_create(&thread[started], NULL, work, &job) == 0)
		started++;
	work(&job);
	while (started)
		pthread_join(thread[--started], NULL);
	if (show)
		fprintf(stderr, "\r\033[K");
	free(thread);
	free(batch);
	return job.out;
}
