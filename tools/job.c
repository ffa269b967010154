/* SPDX-License-Identifier: MIT */
#include "job.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "command.h"
#include "harness.h"

#define FN(k) ((__typeof(&isk_##k))fn)

/* The loop is part of each, so that one direct call a round is all that comes on top of the kernel. */
#define REPEAT(k, ...)                                                         \
	static void repeat_##k(function fn, const struct job *j, size_t times)     \
	{                                                                          \
		(void)j;                                                               \
		while (times--)                                                        \
			FN(k)(__VA_ARGS__);                                                \
	}

#define X(k, ...) REPEAT(k, j->y, j->x[0], j->n)
ISK_KERNELS_map(X)
ISK_KERNELS_cvt(X)
#undef X
#define X(k, ...) REPEAT(k, j->y, j->x[0], j->x[1], j->n)
ISK_KERNELS_zip(X)
#undef X
#define X(k, ...) REPEAT(k, j->y, j->x[0], j->n, j->scale, j->zero)
ISK_KERNELS_quantize(X)
ISK_KERNELS_dequantize(X)
#undef X
#define X(k, ...) REPEAT(k, j->x[0], j->n)
ISK_KERNELS_reduce(X)
ISK_KERNELS_index(X)
#undef X
#define X(k, ...) REPEAT(k, j->x[0], j->x[1], j->n)
ISK_KERNELS_reduce2(X)
#undef X
#define X(k, ...) REPEAT(k, j->y, j->x[0], j->n, j->cols, j->cols, j->cols)
ISK_KERNELS_softmax(X)
#undef X
#define X(k, ...) REPEAT(k, j->y, j->x[0], j->x[1], j->x[2], j->n, j->cols, j->cols, j->cols, j->scale)
ISK_KERNELS_norm(X)
#undef X
#define X(k, ...) REPEAT(k, j->y, j->x[0], j->n, j->cols, j->cols)
ISK_KERNELS_pool(X)
#undef X
#define X(k, ...) REPEAT(k, j->y, j->x[0], j->packed_bytes, j->depth, j->cols, j->cols, 0)
ISK_KERNELS_pack(X)
#undef X
#define X(k, ...) REPEAT(k, j->y, j->x[0], j->x[1], j->n, j->cols, j->depth, j->cols, j->depth, &j->post)
ISK_KERNELS_gemm(X)
#undef X
#define X(k, ...) REPEAT(k, j->y, j->x[0], j->n, j->cols, j->n, j->cols)
ISK_KERNELS_transpose(X)
#undef X
#define X(k, ...) REPEAT(k, j->y, j->x[0], 1, j->n, j->cols)
ISK_KERNELS_images(X)
#undef X
#define X(k, ...) REPEAT(k, j->y, j->x[0], j->x[1], j->n, j->cols, j->depth, j->cols, j->depth, j->cols, 0, NULL)
ISK_KERNELS_matmul(X)
#undef X
#define X(k, ...)                                                              \
	REPEAT(k, j->y, j->x[0], j->x[1], 1, j->n, j->cols, j->depth, j->cols, j->depth, j->cols, j->n *j->cols, \
	       j->n *j->depth, j->depth *j->cols, 0, NULL)
ISK_KERNELS_matmul_batch(X)
#undef X
#define X(k, ...) REPEAT(k, j->y, j->x[0], j->packed_bytes, &j->conv)
ISK_KERNELS_conv_pack(X)
#undef X
#define X(k, ...) REPEAT(k, j->y, j->x[0], j->x[1], &j->conv, &j->post)
ISK_KERNELS_conv(X)
#undef X
#define X(k) REPEAT(k)
ISK_KERNELS_query(X)
#undef X

repeat repeat_of(const char *kernel)
{
	static const struct {
		const char *name;
		repeat repeat;
	} all[] = {
#define X(k, shape, ...) {#k, repeat_##k},
		ISK_KERNELS(X)
#undef X
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (strcmp(all[i].name, kernel) == 0)
			return all[i].repeat;
	return NULL;
}

enum { ARRAYS = 4 };

/* Lines between the beginnings of arrays, modulo a page: loads that seem to alias stores are slow. */
#define STAGGER ((size_t)13 * 64)

static unsigned char *arrays[ARRAYS];
static size_t space;

static void reserve(size_t bytes)
{
	if (bytes <= space)
		return;
	for (size_t i = 0; i < ARRAYS; i++) {
		void *map = mmap(NULL, bytes + ARRAYS * STAGGER, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (map == MAP_FAILED)
			err(FAILED, "%zu bytes to work on", bytes);
		if (arrays[i])
			munmap(arrays[i] - i * STAGGER, space + ARRAYS * STAGGER);
		arrays[i] = (unsigned char *)map + i * STAGGER;
	}
	space = bytes;
}

/* Values as activations and weights are: in [-4, 4), or any small integer; the same every 64 Ki. */
static void fill(unsigned char *x, enum elem elem, size_t bytes)
{
	const size_t period = ((size_t)1 << 16) * elem_bytes(elem), first = bytes < period ? bytes : period;

	for (size_t i = 0; i < first / elem_bytes(elem); i++)
		elem_set(elem, x, i, elem_is_float(elem) ? random_in(-4, 4) : (double)random_below(128));
	for (size_t at = first; at < bytes; at += first)
		memcpy(x + at, x, bytes - at < first ? bytes - at : first);
}

/* Packs the second array into the third, in place of it, by whatever kernel packs that type. */
static void pack(struct job *job, const struct kernel *kernel)
{
	job->packed_bytes = isk_packed_size(kernel->type, job->depth, job->cols);
	if (job->packed_bytes > space)
		errx(FAILED, "%s: no room for the packed matrix", kernel->name);
#define X(k, T)                                                                \
	if (kernel->in2 == ELEM_##T)                                               \
		isk_##k(arrays[2], (const void *)arrays[1], job->packed_bytes, job->depth, job->cols, job->cols, 0);
	ISK_KERNELS_pack(X)
#undef X
	job->x[1] = arrays[2];
}

/* 3 by 3 with a padding of 1: what most time is spent in where there are convolutions. */
static void conv_prepare(struct job *job, const struct kernel *kernel, const char *shape)
{
	job->conv = (struct isk_conv){.size = sizeof(job->conv), .images = 1, .height = job->n, .width = job->n,
	                              .channels = job->cols, .out_channels = job->cols, .kernel_h = 3, .kernel_w = 3,
	                              .stride_h = 1, .stride_w = 1, .dilation_h = 1, .dilation_w = 1, .pad_top = 1,
	                              .pad_left = 1, .pad_bottom = 1, .pad_right = 1, .groups = job->depth};
	job->packed_bytes = isk_conv_packed_size(kernel->type, &job->conv);
	if (job->packed_bytes > space)
		errx(FAILED, "%s: no room for the packed weights", kernel->name);
	if (shape_is(shape, "conv_pack"))
		return;
#define X(k, T)                                                                \
	if (kernel->in2 == ELEM_##T)                                               \
		isk_##k(arrays[2], (const void *)arrays[1], job->packed_bytes, &job->conv);
	ISK_KERNELS_conv_pack(X)
#undef X
	job->x[1] = arrays[2];
}

void job_prepare(struct job *job, const struct kernel *kernel, const char *shape, const struct problem *p,
                 size_t bytes)
{
	static const struct kernel *filled;
	const int quantized = kernel->out == ELEM_s8 || kernel->out == ELEM_u8;
	const int inputs = shape_is(shape, "gemm") ? 2 : shape_is(shape, "pack") ? 1 : kernel->inputs;

	/* Any single array is smaller than the working set; a packed one has a header and whole panels. */
	reserve(bytes + 65536);
	*job = (struct job){.y = arrays[3], .x = {arrays[0], arrays[1], arrays[2]}, .n = p->n, .cols = p->cols,
	                    .depth = p->depth, .scale = shape_is(shape, "norm") ? 1e-5f : 0.0625f,
	                    .post = {.size = sizeof(job->post), .out_scale = quantized}};
	for (int i = 0; i < inputs && filled != kernel; i++)
		fill(arrays[i], i == 1 && (shape_is(shape, "gemm") || shape_is(shape, "conv")) ? kernel->in2 : kernel->in, bytes);
	filled = kernel;
	if (shape_is(shape, "pack"))
		job->packed_bytes = isk_packed_size(kernel->type, job->depth, job->cols);
	if (shape_is(shape, "gemm"))
		pack(job, kernel);
	if (shape_is(shape, "conv") || shape_is(shape, "conv_pack"))
		conv_prepare(job, kernel, shape);
}
