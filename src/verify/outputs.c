/* SPDX-License-Identifier: MIT */
#include "outputs.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "checksum.h"
#include "status.h"

struct walk {
	struct job *job;
	const struct isk_argument *a;
	each_element *each;
	void *to;
	const void *x;
	enum isk_type type; /* of the numbers, `parts` of which are an element */
	size_t parts, number;
};

static void pixels_walk(struct walk *w, size_t channels, size_t ld)
{
	const size_t count = elements_of(w->job->kernel, &w->job->args, &w->job->conv, w->a);

	for (size_t at = 0; channels && at < count; at += ld)
		for (size_t i = 0; i < channels; i++)
			w->each(w->to, w->type, w->number++, isk_element_bits(w->type, w->x, at + i));
}

/* Walks the extents from number `level` on, beginning with element `at`. */
static void extents_walk(struct walk *w, int level, size_t at)
{
	union isk_args *args = &w->job->args;
	const int last = w->a->extents - 1, turned = isk_argument_is_turned(w->job->kernel, args, w->a);
	/* The constant is for gcc, which at -O3 compiles the levels into one another and must know where they end. */
	const int is_last = level == last || level == ISK_MOST_EXTENTS - 1;
	const int sized = turned && level >= last - 1 ? 2 * last - 1 - level : level, stride = w->a->extent[level].stride;
	const size_t size = job_size(w->job, w->a->extent[sized].size);
	const size_t step = stride >= 0 ? job_size(w->job, stride)
	                    : is_last   ? 1
	                                : isk_argument_span(w->job->kernel, args, w->a, level + 1);

	for (size_t i = 0; i < size; i++, at += step)
		if (is_last)
			for (size_t part = 0; part < w->parts; part++)
				w->each(w->to, w->type, w->number++, isk_element_bits(w->type, w->x, w->parts * at + part));
		else
			extents_walk(w, level + 1, at);
}

void elements_each(struct job *job, const struct isk_argument *a, each_element *each, void *to)
{
	const struct isk_conv *c = &job->conv;
	const enum isk_type type = isk_argument_type(job->kernel, a);
	struct walk w = {job, a, each, to, *(void **)isk_argument_at(&job->args, a), isk_part_type(type), isk_parts(type), 0};

	if (!w.x)
		return;
	if (a->packed && a->role == ISK_OUT)
		for (const size_t bytes = job_packed_bytes(job); w.number < bytes; w.number++)
			each(to, ISK_U8, w.number, ((const unsigned char *)w.x)[w.number]);
	else if (a->measured && strcmp(a->measured, "output") == 0)
		pixels_walk(&w, c->out_channels, c->ldy ? c->ldy : c->out_channels);
	else if (a->measured && strcmp(a->measured, "image") == 0)
		pixels_walk(&w, c->channels, c->ldx ? c->ldx : c->channels);
	else if (a->measured)
		pixels_walk(&w, 1, 1);
	else
		extents_walk(&w, 0, 0);
}

uint64_t canonical(enum isk_type type, uint64_t bits)
{
	const int is_nan = isk_element_is_float(type) && (bits & (isk_sign_bit(type) - 1)) > greatest_but_nan(type);

	return is_nan ? canonical_nan(type) : bits;
}

struct bytes {
	unsigned char *at;
	size_t count, room;
};

static void put(void *to, enum isk_type type, size_t number, uint64_t bits)
{
	struct bytes *b = to;
	const size_t bytes = isk_element_bytes(type);

	(void)number;
	if (b->count + sizeof(bits) > b->room) {
		b->room = 2 * b->room + 4096;
		b->at = realloc(b->at, b->room);
		if (!b->at)
			errx(FAILED, "out of memory");
	}
	bits = canonical(type, bits);
	memcpy(b->at + b->count, &bits, bytes);
	b->count += bytes;
}

uint64_t results_checksum(struct job *job)
{
	static struct bytes bytes;
	const struct isk_shape *shape = job->kernel->shape;
	const enum isk_type returned = isk_result_type(job->kernel);

	bytes.count = 0;
	for (int i = 0; i < shape->count; i++)
		if (shape->arguments[i].role == ISK_OUT)
			elements_each(job, &shape->arguments[i], put, &bytes);
	if (returned)
		put(&bytes, returned, 0, isk_element_bits(returned, &job->args.result, 0));
	return checksum_of(bytes.at, bytes.count);
}

uint64_t fingerprint_of(const struct isk_kernel *k, isk_function fn, each_case *each, void *to)
{
	const size_t count = cases_of(k);
	uint64_t *checksums = calloc(count + 1, sizeof(*checksums)), whole;
	size_t known = 0;
	struct job job;

	if (!checksums)
		errx(FAILED, "out of memory");
	for (size_t i = 0; i < count; i++) {
		if (!case_place(&job, k, i))
			continue;
		job_repeat(&job, fn, 1);
		checksums[known] = results_checksum(&job);
		if (each)
			each(to, &job, i, checksums[known]);
		known++;
	}
	whole = checksum_of(checksums, known * sizeof(*checksums));
	free(checksums);
	return whole;
}
