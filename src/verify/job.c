/* SPDX-License-Identifier: MIT */
#include "job.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "arrays.h"
#include "asked.h"
#include "harness.h"
#include "status.h"

/* Bytes between the beginnings of arrays, modulo a page, because loads that seem to alias stores are slow. */
#define STAGGER ((size_t)13 * 64)
#define PAGE ((size_t)4096)
/* Room for STAGGER and for an array's offset. */
#define MARGIN (2 * PAGE)

/* Mapped once, and again if a problem needs more. */
static struct array {
	unsigned char *map;
	size_t bytes;
} *arrays;
static size_t mapped, taken;

void *job_array(struct job *job, size_t bytes, size_t multiple)
{
	const size_t offset = taken * STAGGER % PAGE + job->values->offset(multiple);
	struct array *a;

	if (taken == mapped) {
		arrays = realloc(arrays, (mapped + 1) * sizeof(*arrays));
		if (!arrays)
			errx(FAILED, "out of memory");
		arrays[mapped++] = (struct array){NULL, 0};
	}
	a = &arrays[taken++];
	if (a->bytes < bytes + MARGIN) {
		if (a->map)
			munmap(a->map, a->bytes);
		a->bytes = bytes + MARGIN;
		a->map = mmap(NULL, a->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (a->map == MAP_FAILED)
			err(FAILED, "%zu bytes to work on", bytes);
	}
	return a->map + offset;
}

/* Values like activations and weights: in [-4, 4), or any small integer. They repeat every 64 Ki elements. */
static void fill(unsigned char *x, enum isk_type type, size_t count)
{
	const size_t bytes = isk_element_bytes(type), period = (size_t)1 << 16, first = count < period ? count : period;

	if (isk_element_is_float(type))
		fill_floats(type, x, first, 4);
	else
		for (size_t i = 0; i < first; i++)
			isk_element_set_bits(type, x, i, random_below(128));
	for (size_t at = first; at < count; at += first)
		memcpy(x + at * bytes, x, (count - at < first ? count - at : first) * bytes);
}

size_t job_size(struct job *job, int argument)
{
	return *(const size_t *)isk_argument_at(&job->args, &job->kernel->shape->arguments[argument]);
}

static void timed_elements(struct job *job, const struct isk_argument *a, void *x, size_t count)
{
	const enum isk_type type = isk_argument_type(job->kernel, a);
	const size_t below = a->below ? job_size(job, a->below - 1) : 0;

	if (a->ascending)
		for (size_t e = 0; e < count; e++)
			isk_element_set_bits(type, x, e, (e + 1) * job_size(job, a->ascending - 1) / count);
	else if (a->below) /* indices spread over the whole array that they point into */
		for (size_t e = 0; e < count && below; e++)
			isk_element_set_bits(type, x, e, random_below(below));
	else if (a->role == ISK_IN || a->inout)
		fill(x, isk_part_type(type), isk_parts(type) * count);
}

static int timed_post(struct job *job)
{
	job->post.out_scale = 1;
	return quantized(job->kernel);
}

static size_t timed_offset(size_t multiple)
{
	(void)multiple;
	return 0;
}

static const struct job_values timed = {timed_elements, timed_post, timed_offset};

/* The output that a kernel packs into; NULL: it packs nothing. */
static const struct isk_argument *packed_output(const struct isk_kernel *k)
{
	for (int i = 0; i < k->shape->count; i++)
		if (k->shape->arguments[i].role == ISK_OUT && k->shape->arguments[i].packed)
			return &k->shape->arguments[i];
	return NULL;
}

/* Whether packed weights are those of the transpose of a convolution. */
static int is_transposed(const struct isk_argument *a)
{
	return a->measured && strcmp(a->measured, "transposed") == 0;
}

size_t job_packed_bytes(struct job *job)
{
	const struct isk_argument *a = packed_output(job->kernel);
	const enum isk_type type = isk_argument_type(job->kernel, a);
	size_t bytes;

	if (is_transposed(a))
		bytes = isk_conv_transpose_packed_size(type, &job->conv);
	else if (a->measured)
		bytes = isk_conv_packed_size(type, &job->conv);
	else if (job->groups.scale)
		bytes = isk_packed_groups_size(type, job_size(job, a->extent[0].size), job_size(job, a->extent[1].size),
		                               &job->groups);
	else
		bytes = isk_packed_size(type, job_size(job, a->extent[0].size), job_size(job, a->extent[1].size));
	if (!bytes)
		errx(FAILED, "%s: nothing of that size can be packed", job->kernel->name);
	return bytes;
}

/* Places a scale for each group of k and each column of a packed matrix. */
static void scales_place(struct job *job)
{
	static const struct isk_argument of_f32 = {.name = "scale", .role = ISK_IN, .type = ISK_F32};
	const struct isk_argument *out = packed_output(job->kernel);
	const size_t group = job->group ? job->group : 32, n = job_size(job, out->extent[1].size);
	const size_t count = (job_size(job, out->extent[0].size) + group - 1) / group * n;
	float *scale = job_array(job, count * sizeof(*scale), sizeof(*scale));

	job->values->elements(job, &of_f32, scale, count);
	job->groups = (struct isk_groups){sizeof(job->groups), group, scale, n};
}

static void struct_place(struct job *job, const struct isk_argument *a)
{
	const void **at = isk_argument_at(&job->args, a);

	if (strcmp(a->name, "conv") == 0) {
		*at = &job->conv;
	} else if (strcmp(a->name, "groups") == 0) {
		scales_place(job);
		*at = &job->groups;
	} else if (strcmp(a->name, "post") == 0) {
		job->post = (struct isk_post){.size = sizeof(job->post)};
		if (job->values->post(job))
			*at = &job->post;
	}
}

static void *packed(struct job *job, const struct isk_argument *a);

static void array_place(struct job *job, const struct isk_argument *a)
{
	const enum isk_type type = isk_argument_type(job->kernel, a);
	size_t count;
	void *x;

	if (job->null >> (a - job->kernel->shape->arguments) & 1)
		return;
	if (a->packed && a->role == ISK_IN) {
		x = packed(job, a);
	} else {
		count = a->packed ? job_packed_bytes(job) : elements_of(job->kernel, &job->args, &job->conv, a);
		x = a->packed ? job_array(job, count, 1) : job_array(job, isk_bytes_of(type, count), isk_element_bytes(type));
		job->values->elements(job, a, x, count);
	}
	*(void **)isk_argument_at(&job->args, a) = x;
}

void job_place(struct job *job)
{
	const struct isk_shape *shape = job->kernel->shape;
	const struct isk_argument *out = packed_output(job->kernel);

	for (int i = 0; i < shape->count; i++)
		if (shape->arguments[i].role == ISK_STRUCT && !shape->arguments[i].null)
			struct_place(job, &shape->arguments[i]);
	for (int i = 0; i < shape->count; i++)
		if (shape->arguments[i].role == ISK_OUT || shape->arguments[i].role == ISK_IN)
			array_place(job, &shape->arguments[i]);
	if (job->in_place)
		*(void **)isk_argument_at(&job->args, &shape->arguments[0]) =
			*(void **)isk_argument_at(&job->args, job->in_place);
	for (int i = 0; i < shape->count; i++)
		if (shape->arguments[i].role == ISK_STRUCT && shape->arguments[i].null)
			struct_place(job, &shape->arguments[i]);
	/* A size that is not an extent is the room for the packed matrix. */
	for (int i = 0; i < shape->count && out; i++)
		if (shape->arguments[i].role == ISK_SIZE && !is_extent(shape, i))
			*(size_t *)isk_argument_at(&job->args, &shape->arguments[i]) = job_packed_bytes(job);
}

/* Calls the kernel that packs such an array, and returns the packed one. */
static void *packed(struct job *job, const struct isk_argument *a)
{
	const char *shape = is_transposed(a) ? "transposed_pack" : a->measured ? "conv_pack" : job->group ? "pack_groups" : "pack";
	struct job packing = {.kernel = packer(job->kernel, shape), .conv = job->conv, .values = job->values};
	size_t extents[ISK_MOST_EXTENTS];

	packing.group = job->group;
	for (int e = 0; e < a->extents; e++)
		extents[e] = job_size(job, a->extent[e].size);
	extents_set(packing.kernel, &packing.args, extents, a->extents);
	job_place(&packing);
	packing.kernel->call(asked.bound(packing.kernel->name), &packing.args);
	if (packing.args.result.status)
		errx(FAILED, "%s: %s", packing.kernel->name, isk_strerror(packing.args.result.status));
	return *(void **)isk_argument_at(&packing.args, packed_output(packing.kernel));
}

void job_begin(const char *name)
{
	taken = 0;
	random_start(name);
}

void job_prepare(struct job *job, const struct isk_kernel *kernel, const struct problem *p)
{
	*job = (struct job){.kernel = kernel, .args = p->args, .conv = p->conv, .values = &timed};
	for (int i = 0; i < kernel->shape->count; i++) {
		const struct isk_argument *a = &kernel->shape->arguments[i];

		if (a->role == ISK_VALUE && isk_element_is_float(a->type))
			isk_element_set(a->type, isk_argument_at(&job->args, a), 0, 0.0625L);
	}
	job_begin(kernel->name);
	job_place(job);
}

void job_repeat(struct job *job, isk_function fn, size_t times)
{
	void (*const call)(isk_function fn, union isk_args *args) = job->kernel->call;

	while (times--)
		call(fn, &job->args);
}
