/* SPDX-License-Identifier: MIT */
/*
 * Calls every kernel of the table on real data, by its public name, and prints what each is bound to. Results
 * are not checked here. The test is that the program ends properly on an emulator that stops at instructions
 * that its CPU lacks.
 *
 *     all_kernels             prints "bound KERNEL ISA" for each, then a count
 *     all_kernels ISA         calls the ISA's relu_f32 whether it is usable or not
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../by_name.h"
#include "../candidates.h"
#include "kernels.h"

/* Either one size is long and all others are short, or all are the same. */
static const size_t sizes[] = {0,  1,  2,  3,  4,  5,  7,   8,   9,   15,  16,  17,
                               31, 32, 33, 63, 64, 65, 127, 128, 129, 257, 1100};
enum { SIZES = sizeof(sizes) / sizeof(sizes[0]), SHORT = 5, ALIKE = 33 };
enum { ROOM = ALIKE * ALIKE * ALIKE, PACKED_ROOM = 1 << 20 };

static double in[2][ROOM], out[ROOM]; /* room for elements of any type */
static unsigned char packed[PACKED_ROOM];
static const int64_t indices[ROOM]; /* all 0: an index into any array that is not empty */
static size_t calls;

/* The public symbols, by the numbers of the kernels. */
#define X(kernel, ...) (isk_function)isk_##kernel,
static const isk_function functions[] = {ISK_KERNELS(X)};
#undef X

static void fill(void)
{
	static const float special[] = {0, -0.0f, 1, -1, 1e-41f, -1e-41f, 3e38f, -3e38f, 88, -88, 65504, 1e5f};
	float *const a = (float *)in[0], *const b = (float *)in[1];

	for (size_t i = 0; i < 2 * ROOM; i++) {
		a[i] = (float)(i % 97) / 8 - 6;
		b[i] = (float)(i * 7 % 113) / 16 - 3;
		if (i % 50 == 49)
			a[i] = i % 100 == 99 ? special[i / 100 % (sizeof(special) / sizeof(special[0]))]
			                     : (i % 300 == 149 ? NAN : INFINITY);
	}
}

static void fail(const struct isk_kernel *k, const char *why)
{
	printf("%s: %s\n", k->name, why);
	exit(1);
}

static int is_array(const struct isk_argument *a)
{
	return a->role == ISK_OUT || a->role == ISK_IN;
}

static size_t *size_at(const struct isk_kernel *k, union isk_args *args, int i)
{
	return isk_argument_at(args, &k->shape->arguments[i]);
}

/* Whether a size counts elements of an array. In a packing kernel another size counts the bytes of the output. */
static int is_extent(const struct isk_kernel *k, int size)
{
	for (int i = 0; i < k->shape->count; i++)
		for (int e = 0; e < k->shape->arguments[i].extents; e++)
			if (k->shape->arguments[i].extent[e].size == size)
				return 1;
	return 0;
}

static unsigned mode_of(const struct isk_kernel *k, union isk_args *args, const struct isk_argument *a)
{
	return a->turned ? *(const unsigned *)isk_argument_at(args, &k->shape->arguments[a->turned - 1]) : 0;
}

/* Rows and matrices follow each other without gaps. */
static void set_strides(const struct isk_kernel *k, union isk_args *args, const struct isk_argument *a)
{
	const unsigned mode = mode_of(k, args, a);
	const int turned = a->bit ? (mode & (unsigned)a->bit) != 0 : mode != 0;
	size_t span = 1;

	for (int e = a->extents; e-- > 0;) {
		/* The last two extents are swapped. */
		const int from = turned && e >= a->extents - 2 ? 2 * a->extents - 3 - e : e;

		if (a->extent[e].stride >= 0)
			*size_at(k, args, a->extent[e].stride) = span;
		span *= *size_at(k, args, a->extent[from].size);
		span = span ? span : 1;
	}
}

/* Sets all arguments except the sizes of arrays; each int gets mode. */
static void set_others(const struct isk_kernel *k, union isk_args *args, unsigned mode)
{
	int inputs = 0;

	for (int i = 0; i < k->shape->count; i++) {
		const struct isk_argument *a = &k->shape->arguments[i];

		if (is_array(a))
			*(const void **)isk_argument_at(args, a) = a->packed                 ? (const void *)packed
			                                           : a->role == ISK_OUT        ? (const void *)out
			                                           : a->below || a->ascending ? (const void *)indices
			                                                                       : in[inputs++ % 2];
		else if (a->role == ISK_SIZE && !is_extent(k, i))
			*size_at(k, args, i) = packed_of(k, ISK_OUT) ? PACKED_ROOM : 1;
		else if (a->role == ISK_VALUE && isk_element_is_float(a->type))
			isk_element_set(a->type, isk_argument_at(args, a), 0, 0.0625L);
		else if (a->role == ISK_VALUE)
			*(unsigned *)isk_argument_at(args, a) = a->type ? 3 : a->limit ? mode % (unsigned)a->limit : mode;
	}
	for (int i = 0; i < k->shape->count; i++)
		set_strides(k, args, &k->shape->arguments[i]);
}

static int has_room(const struct isk_kernel *k, union isk_args *args)
{
	for (int i = 0; i < k->shape->count; i++) {
		const struct isk_argument *a = &k->shape->arguments[i];

		if (is_array(a) && !a->packed && isk_argument_span(k, args, a, 0) > ROOM)
			return 0;
	}
	return 1;
}

static int run(const struct isk_kernel *k, union isk_args *args)
{
	calls++;
	k->call(functions[k - isk_kernels], args);
	return k->shape->returns == ISK_RETURNS_STATUS ? args->result.status : ISK_OK;
}

/* In an empty array, even 0 is not an index. */
static int has_indices(const struct isk_kernel *k)
{
	for (int i = 0; i < k->shape->count; i++)
		if (k->shape->arguments[i].below)
			return 1;
	return 0;
}

/* Some kernels refuse an input without elements, because their output has elements. */
static int has_empty_input(const struct isk_kernel *k, union isk_args *args)
{
	for (int i = 0; i < k->shape->count; i++) {
		const struct isk_argument *a = &k->shape->arguments[i];

		if (a->role == ISK_IN && is_array(a) && !a->packed && !isk_argument_span(k, args, a, 0))
			return 1;
	}
	return 0;
}

/* Some kernels take a part of a square matrix, and refuse one that has more rows than columns. */
static int has_sizes_that_differ(const struct isk_kernel *k, union isk_args *args)
{
	int first = -1;

	for (int i = 0; i < k->shape->count; i++) {
		if (k->shape->arguments[i].role != ISK_SIZE || !is_extent(k, i))
			continue;
		first = first < 0 ? i : first;
		if (*size_at(k, args, i) != *size_at(k, args, first))
			return 1;
	}
	return 0;
}

static void must(const struct isk_kernel *k, union isk_args *args)
{
	const int status = run(k, args);

	if (status && !(status == ISK_ERR_INDEX && has_indices(k))
	    && !(status == ISK_ERR_SHAPE && (has_empty_input(k, args) || has_sizes_that_differ(k, args))))
		fail(k, isk_strerror(status));
}

/* Depthwise, in two groups, and in one, with and without padding; 1 by 1. */
static const struct isk_conv convs[] = {
	{sizeof(convs[0]), 1, 9, 11, 20, 20, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 20, 0, 0},
	{sizeof(convs[0]), 1, 9, 11, 20, 20, 3, 3, 2, 2, 1, 1, 1, 1, 1, 1, 20, 0, 0},
	{sizeof(convs[0]), 2, 5, 9, 6, 12, 2, 5, 1, 2, 1, 2, 0, 3, 1, 3, 6, 0, 0},
	{sizeof(convs[0]), 2, 7, 9, 6, 34, 3, 2, 1, 2, 1, 1, 1, 0, 0, 1, 2, 7, 35},
	{sizeof(convs[0]), 1, 1, 30, 17, 33, 1, 3, 1, 1, 1, 2, 0, 2, 0, 0, 1, 0, 0},
	{sizeof(convs[0]), 1, 4, 5, 19, 18, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 0, 0},
};
enum { CONVS = sizeof(convs) / sizeof(convs[0]) };

/* Calls without post-operations, with each activation in turn, and more. An s32 C has no post-operations. */
static void with_posts(const struct isk_kernel *k, union isk_args *args, int may_be_refused)
{
	const struct isk_argument *c = &k->shape->arguments[0];
	const enum isk_type type = isk_argument_type(k, c);
	const int narrow = isk_element_bytes(type) == 1;
	static int turn;

	for (int more = 0; more <= (type != ISK_S32); more++) {
		struct isk_post post = {.size = sizeof(post), .out_scale = (float)narrow};

		set_pointer(k, args, "post", &post);
		if (more) {
			post.bias = in[1];
			/* Those of f64 end with leaky_relu. */
			post.act = (enum isk_activation)(turn++ % ((type == ISK_F64 ? ISK_ACT_LEAKY_RELU : ISK_ACT_SILU) + 1));
			post.act_a = -1;
			post.act_b = 1;
			if (c->extents) {
				post.scale = in[1];
				post.scales = 1;
				post.binary = ISK_BINARY_ADD;
				post.other = in[1];
				post.ldother = *size_at(k, args, c->extent[c->extents - 2].stride);
			}
		}
		if (may_be_refused)
			run(k, args);
		else
			must(k, args);
	}
	if (!narrow && !may_be_refused) {
		set_pointer(k, args, "post", NULL);
		must(k, args);
	}
}

/*
 * Calls with all sizes, with weights if the kernel takes any, and in place. groups: the weights have scales
 * of groups, which this kernel may refuse.
 */
static void call(const struct isk_kernel *k, union isk_args *args, int groups)
{
	static const struct isk_groups scales = {sizeof(scales), 32, (const float *)in[1], 1100};

	set_pointer(k, args, "groups", &scales);
	if (argument_of(k, "post"))
		with_posts(k, args, groups);
	else
		must(k, args);
}

/* Packs weights with scales for groups of k and without them. */
static void with_weights(const struct isk_kernel *k, union isk_args *args)
{
	const struct isk_argument *weights = packed_of(k, ISK_IN), *conv = argument_of(k, "conv");

	if (!packer_of(k, 0))
		fail(k, "no kernel packs its weights");
	for (int groups = 0; groups < 2; groups++) {
		const struct isk_kernel *packer = packer_of(k, groups);
		const struct isk_argument *to = packer ? packed_of(packer, ISK_OUT) : NULL;
		union isk_args own = {{0}};

		if (!packer)
			continue;
		for (int e = 0; e < to->extents; e++)
			*size_at(packer, &own, to->extent[e].size) = *size_at(k, args, weights->extent[e].size);
		if (conv)
			set_argument(packer, &own, "conv", isk_argument_at(args, conv));
		set_others(packer, &own, 0);
		call(packer, &own, 0);
		call(k, args, groups);
	}
}

static void call_with(const struct isk_kernel *k, union isk_args *args)
{
	unsigned modes = 1;

	for (int i = 0; i < k->shape->count; i++) {
		const struct isk_argument *a = &k->shape->arguments[i];

		if (a->turned && modes < 2 * (unsigned)(a->bit ? a->bit : 1))
			modes = 2 * (unsigned)(a->bit ? a->bit : 1);
	}
	for (unsigned mode = 0; mode < modes; mode++) {
		set_others(k, args, mode);
		if (!has_room(k, args))
			continue;
		if (packed_of(k, ISK_IN))
			with_weights(k, args);
		else
			call(k, args, 0);
	}
}

static void call_kernel(const struct isk_kernel *k)
{
	union isk_args args = {{0}};

	if (argument_of(k, "conv")) {
		for (int i = 0; i < CONVS; i++) {
			set_pointer(k, &args, "conv", &convs[i]);
			call_with(k, &args);
		}
		return;
	}
	/* way: the long size, each in turn; -1: all sizes are the same. */
	for (int way = -1; way < k->shape->count; way++) {
		if (way >= 0 && !(k->shape->arguments[way].role == ISK_SIZE && is_extent(k, way)))
			continue;
		for (int s = 0; s < SIZES && (way >= 0 || sizes[s] <= ALIKE); s++) {
			for (int i = 0; i < k->shape->count; i++)
				if (k->shape->arguments[i].role == ISK_SIZE)
					*size_at(k, &args, i) = way < 0 || i == way ? sizes[s] : SHORT;
			call_with(k, &args);
		}
	}
}

int main(int argc, char **argv)
{
	fill();
	if (argc > 1) {
		struct isk_candidate *c;

		for (int i = candidates_of(isk_candidates, "relu_f32", &c); i-- > 0;)
			if (strcmp(c[i].isa, argv[1]) == 0)
				((__typeof(isk_relu_f32) *)c[i].fn)((float *)out, (const float *)in[0], SIZES);
		free(c);
		return 0;
	}
	for (size_t i = 0; i < isk_kernels_count; i++) {
		const size_t before = calls;

		call_kernel(&isk_kernels[i]);
		printf("bound %s %s %s\n", isk_kernels[i].name, bound_isa(isk_candidates, isk_kernels[i].name),
		       calls > before ? "called" : "");
		fflush(stdout);
	}
	printf("level %s\nkernels=%zu calls=%zu\n", isk_isa_current(), isk_kernels_count, calls);
	return 0;
}
