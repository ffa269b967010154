/* SPDX-License-Identifier: MIT */
#include "job.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "arrays.h"
#include "command.h"
#include "harness.h"

/* Between the beginnings of arrays, modulo a page: loads that seem to alias stores are slow. */
#define STAGGER ((size_t)13 * 64)
#define PAGE ((size_t)4096)

/* Mapped once, and anew where a problem takes more. */
static struct array {
	unsigned char *map;
	size_t bytes;
} *arrays;
static size_t mapped, taken;

static void *array(size_t bytes)
{
	const size_t offset = taken * STAGGER % PAGE;
	struct array *a;

	if (taken == mapped) {
		arrays = realloc(arrays, (mapped + 1) * sizeof(*arrays));
		if (!arrays)
			errx(FAILED, "out of memory");
		arrays[mapped++] = (struct array){NULL, 0};
	}
	a = &arrays[taken++];
	if (a->bytes < bytes + PAGE) {
		if (a->map)
			munmap(a->map, a->bytes);
		a->bytes = bytes + PAGE;
		a->map = mmap(NULL, a->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (a->map == MAP_FAILED)
			err(FAILED, "%zu bytes to work on", bytes);
	}
	return a->map + offset;
}

/* Values as activations and weights are: in [-4, 4), or any small integer; the same every 64 Ki. */
static void fill(unsigned char *x, enum isk_type type, size_t count)
{
	const size_t bytes = isk_element_bytes(type), period = (size_t)1 << 16, first = count < period ? count : period;

	for (size_t i = 0; i < first; i++)
		if (isk_element_is_float(type))
			isk_element_set(type, x, i, (long double)random_in(-4, 4));
		else
			isk_element_set_bits(type, x, i, random_below(128));
	for (size_t at = first; at < count; at += first)
		memcpy(x + at * bytes, x, (count - at < first ? count - at : first) * bytes);
}

static size_t size_at(struct job *job, int argument)
{
	return *(const size_t *)isk_argument_at(&job->args, &job->kernel->shape->arguments[argument]);
}

static size_t packed_bytes(struct job *job, const struct isk_argument *a)
{
	const enum isk_type type = isk_argument_type(job->kernel, a);
	size_t bytes;

	if (a->measured)
		bytes = isk_conv_packed_size(type, &job->conv);
	else if (job->groups.scale)
		bytes = isk_packed_groups_size(type, size_at(job, a->extent[0].size), size_at(job, a->extent[1].size),
		                               &job->groups);
	else
		bytes = isk_packed_size(type, size_at(job, a->extent[0].size), size_at(job, a->extent[1].size));
	if (!bytes)
		errx(FAILED, "%s: nothing of that size can be packed", job->kernel->name);
	return bytes;
}

/* What a kernel packs into; NULL: it packs nothing. */
static const struct isk_argument *packed_output(const struct isk_kernel *k)
{
	for (int i = 0; i < k->shape->count; i++)
		if (k->shape->arguments[i].role == ISK_OUT && k->shape->arguments[i].packed)
			return &k->shape->arguments[i];
	return NULL;
}

/* A scale for each 32 of k and each column of what is packed. */
static void scales_place(struct job *job)
{
	const struct isk_argument *out = packed_output(job->kernel);
	const size_t groups = (size_at(job, out->extent[0].size) + 31) / 32, n = size_at(job, out->extent[1].size);
	float *scale = array(groups * n * sizeof(*scale));

	fill((unsigned char *)scale, ISK_F32, groups * n);
	job->groups = (struct isk_groups){sizeof(job->groups), 32, scale, n};
}

static void struct_place(struct job *job, const struct isk_argument *a)
{
	const void **at = isk_argument_at(&job->args, a);

	if (strcmp(a->name, "conv") == 0) {
		*at = &job->conv;
	} else if (strcmp(a->name, "groups") == 0) {
		scales_place(job);
		*at = &job->groups;
	} else if (strcmp(a->name, "post") == 0 && quantized(job->kernel)) {
		job->post = (struct isk_post){.size = sizeof(job->post), .out_scale = 1};
		*at = &job->post;
	}
}

/* Indices into what has that many elements or rows, all over it. */
static void fill_indices(void *x, enum isk_type type, size_t count, size_t below)
{
	for (size_t i = 0; i < count && below; i++)
		isk_element_set_bits(type, x, i, random_below(below));
}

static void *packed(const struct job *job, const struct isk_argument *a);

/* Everything of a call but its sizes. */
static void arguments_place(struct job *job)
{
	const struct isk_shape *shape = job->kernel->shape;
	const struct isk_argument *out = packed_output(job->kernel);

	for (int i = 0; i < shape->count; i++)
		if (shape->arguments[i].role == ISK_STRUCT)
			struct_place(job, &shape->arguments[i]);
	for (int i = 0; i < shape->count; i++) {
		const struct isk_argument *a = &shape->arguments[i];
		const enum isk_type type = isk_argument_type(job->kernel, a);
		void *at = isk_argument_at(&job->args, a);

		if (a->role == ISK_VALUE && isk_element_is_float(a->type)) {
			isk_element_set(a->type, at, 0, 0.0625L);
		} else if (a->role == ISK_OUT && a->packed) {
			*(void **)at = array(packed_bytes(job, a));
		} else if (a->role == ISK_IN && a->packed) {
			*(void **)at = packed(job, a);
		} else if (a->role == ISK_OUT || a->role == ISK_IN) {
			const size_t count = elements_of(job->kernel, &job->args, &job->conv, a);

			*(void **)at = array(count * isk_element_bytes(type));
			for (size_t e = 0; a->ascending && e < count; e++)
				isk_element_set_bits(type, *(void **)at, e, (e + 1) * size_at(job, a->ascending - 1) / count);
			if (a->ascending)
				continue;
			if (a->below)
				fill_indices(*(void **)at, type, count, size_at(job, a->below - 1));
			else if (a->role == ISK_IN || a->inout)
				fill(*(void **)at, type, count);
		}
	}
	/* A size that is no extent is the room for what is packed. */
	for (int i = 0; i < shape->count && out; i++)
		if (shape->arguments[i].role == ISK_SIZE && !is_extent(shape, i))
			*(size_t *)isk_argument_at(&job->args, &shape->arguments[i]) = packed_bytes(job, out);
}

/* What the kernel that packs such an array makes of one. */
static void *packed(const struct job *job, const struct isk_argument *a)
{
	struct job packing = {.kernel = packer(job->kernel, a->measured ? "conv_pack" : "pack"), .conv = job->conv};
	union isk_args args = job->args;
	size_t extents[ISK_MOST_EXTENTS];

	for (int e = 0; e < a->extents; e++)
		extents[e] = *(const size_t *)isk_argument_at(&args, &job->kernel->shape->arguments[a->extent[e].size]);
	extents_set(packing.kernel, &packing.args, extents, a->extents);
	arguments_place(&packing);
	packing.kernel->call(asked.bound(packing.kernel->name), &packing.args);
	if (packing.args.result.status)
		errx(FAILED, "%s: %s", packing.kernel->name, isk_strerror(packing.args.result.status));
	return *(void **)isk_argument_at(&packing.args, packed_output(packing.kernel));
}

void job_prepare(struct job *job, const struct isk_kernel *kernel, const struct problem *p)
{
	*job = (struct job){.kernel = kernel, .args = p->args, .conv = p->conv};
	taken = 0;
	random_start(kernel->name);
	arguments_place(job);
}

void job_repeat(struct job *job, isk_function fn, size_t times)
{
	void (*const call)(isk_function fn, union isk_args *args) = job->kernel->call;

	while (times--)
		call(fn, &job->args);
}
