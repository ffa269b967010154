/* SPDX-License-Identifier: MIT */
/* A small valid call of any kernel, made from the table's description of its arguments. */
#ifndef SAMPLES_H
#define SAMPLES_H

#include <stdlib.h>

#include "../by_name.h"
#include "isakern.h"

enum { SAMPLE = 6, SAMPLE_BYTES = 1 << 14, SAMPLE_ARGUMENTS = 32 };

struct sample {
	union isk_args args;
	_Alignas(64) unsigned char memory[SAMPLE_ARGUMENTS][SAMPLE_BYTES];
};

/* The value of all sizes of a kernel. It is 2 if an array has more than four extents, because SAMPLE^5 elements do not fit. */
static inline size_t sample_size(const struct isk_kernel *k)
{
	for (int i = 0; i < k->shape->count; i++)
		if (k->shape->arguments[i].extents > 4)
			return 2;
	return SAMPLE;
}

static const float sample_scales[4 * SAMPLE] = {1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6};
static const struct isk_groups sample_groups = {sizeof(sample_groups), 32, sample_scales, SAMPLE};
static const struct isk_conv sample_conv = {
	.size = sizeof(sample_conv), .images = 2, .height = SAMPLE, .width = SAMPLE, .channels = SAMPLE,
	.out_channels = SAMPLE, .kernel_h = 3, .kernel_w = 3, .stride_h = 1, .stride_w = 1, .dilation_h = 1, .dilation_w = 1,
	.groups = 1,
};
static const struct isk_post sample_post = {.size = sizeof(sample_post), .out_scale = 0.5f};

static inline void sample_value(const struct isk_kernel *k, union isk_args *args, const struct isk_argument *a)
{
	const double real = 0.5;
	const float single = 0.5f;
	const int64_t whole = 1;
	const int flag = strncmp(a->name, "pad_", 4) != 0;

	if (a->type == ISK_F64)
		set_argument(k, args, a->name, isk_element_is_float(isk_argument_type(k, a)) ? (const void *)&real : &(double){1});
	else if (a->type == ISK_F32)
		set_argument(k, args, a->name, &single);
	else
		set_argument(k, args, a->name, a->type ? (const void *)&whole : &flag);
}

static inline void sample_fill(const struct isk_kernel *k, const struct isk_argument *a, void *x)
{
	const enum isk_type type = isk_part_type(isk_argument_type(k, a));
	const size_t count = SAMPLE_BYTES / (isk_element_bytes(type) ? isk_element_bytes(type) : 1);

	for (size_t i = 0; i < count; i++)
		if (isk_element_is_float(type))
			isk_element_set(type, x, i, (long double)((double)(i * 7 % 31 + 1) / 32));
		else
			isk_element_set_bits(type, x, i, a->ascending ? (i < SAMPLE ? i : SAMPLE) : i % 3);
}

/* Weights, packed by the packing kernel of their type. */
static inline void sample_pack(const struct isk_kernel *k, void *packed)
{
	const struct isk_kernel *packer = packer_of(k, 0);
	static unsigned char weights[SAMPLE_BYTES];
	union isk_args args = {{0}};

	sample_fill(packer, argument_of(packer, "b") ? argument_of(packer, "b") : argument_of(packer, "w"), weights);
	set_pointer(packer, &args, "packed", packed);
	set_pointer(packer, &args, "b", weights);
	set_pointer(packer, &args, "w", weights);
	set_pointer(packer, &args, "conv", &sample_conv);
	set_size(packer, &args, "bytes", SAMPLE_BYTES);
	set_size(packer, &args, "k", SAMPLE);
	set_size(packer, &args, "n", SAMPLE);
	set_size(packer, &args, "ldb", SAMPLE);
	packer->call(isk_bound(packer->name), &args);
	if (args.result.status)
		abort();
}

/* Outputs are poisoned, except those that are read. Quantized results need an output scale. */
static inline void sample_make(const struct isk_kernel *k, struct sample *s)
{
	const int quantized = k->types[2] == ISK_U8 || k->types[2] == ISK_S8;

	memset(s, 0xa5, sizeof(*s));
	memset(&s->args, 0, sizeof(s->args));
	for (int i = 0; i < k->shape->count; i++) {
		const struct isk_argument *a = &k->shape->arguments[i];

		if (a->role == ISK_SIZE)
			set_size(k, &s->args, a->name,
			         strcmp(a->name, "bytes") == 0 ? SAMPLE_BYTES : strcmp(a->name, "pairs") == 0 ? SAMPLE / 2 : sample_size(k));
		else if (a->role == ISK_VALUE)
			sample_value(k, &s->args, a);
		else if (a->role == ISK_STRUCT && strcmp(a->structure, "isk_post") != 0)
			set_pointer(k, &s->args, a->name,
			            strcmp(a->structure, "isk_conv") == 0 ? (const void *)&sample_conv : &sample_groups);
		else if (a->role == ISK_STRUCT)
			set_pointer(k, &s->args, a->name, quantized ? &sample_post : NULL);
		if (a->role != ISK_OUT && a->role != ISK_IN)
			continue;
		*(void **)isk_argument_at(&s->args, a) = s->memory[i];
		if (a->packed && a->role == ISK_IN)
			sample_pack(k, s->memory[i]);
		else if (!a->packed && (a->role == ISK_IN || a->inout))
			sample_fill(k, a, s->memory[i]);
	}
	for (int i = 0; i < k->shape->count; i++) {
		const struct isk_argument *a = &k->shape->arguments[i];

		for (int e = a->extents - 1; e >= 0; e--)
			if (a->extent[e].stride >= 0)
				set_size(k, &s->args, k->shape->arguments[a->extent[e].stride].name,
				         isk_argument_span(k, &s->args, a, e + 1) + 2);
	}
}

#endif
