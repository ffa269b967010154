/* SPDX-License-Identifier: MIT */
/*
 * Arrays for which other tests are too small: so large that kernels write past the caches (loops_streamed.h), or that they
 * prefetch (ahead.h). A kernel of each form of such a call is compared, at every ISA, with the same variant called on parts;
 * a reduction with itself on arrays that begin with a cache line, which are read without prefetches. Outputs lie between
 * guard pages, begin and end at cache lines and inside them, and are in place if they may be; inputs end at a guard page.
 * With ISK_TEST_ONE_OF set, as under emulation, each kernel is tried at one ISA, and each ISA with some kernels.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "../by_name.h"
#include "../candidates.h"

#define PAGE ((size_t)4096)
/* The size of outputs: from 32 MiB on kernels stream them. */
#define ROOM (((size_t)32 << 20) + PAGE)
/* The size of inputs that are prefetched, from 4 MiB on, and elements more, so that none begins with a cache line. */
#define AHEAD ((size_t)5 << 20)
enum { MORE = 37 };
/* Elements of a part, and the period of inputs: neither is a multiple of the other. FEW: of a part without prefetches. */
enum { PART = 50022, FEW = 5003, PERIOD = 60013, MOST_INPUTS = 3, UNWRITTEN = 0xa5 };

static const char *const names[] = {
	"relu_f32", "relu_f16", "exp_f32", "add_f64", "fma_bf16", "add_scalar_f32", "axpb_f64", "clip_f32", "addcmul_f32",
	"cvt_f32_bf16", "cvt_bf16_f32", "cvt_f32_f16", "bit_not_b16", "add_s8", "select_b32", "masked_fill_f32", "dropout_f32",
};

static const char *const ahead[] = {
	"add_f64", "lerp_f32", "addcmul_f64", "clamp_f32", "eq_f64", "ne_f32", "lt_bf16", "ge_u8", "le_s64", "mask_xor",
	"sum_f64", "sum_f32", "sumsq_f32", "asum_f64", "nrm2_f64", "dot_f64", "dot_f32", "l2sq_f32", "cosine_f32", "l1_f32",
	"linf_f64", "max_f32", "max_f64", "min_f32", "argmax_f32", "argmin_f64", "max_s32", "min_s64", "argmin_s16", "argmax_u8",
	"xor_sum_s32", "sum_s64",
};

static unsigned char *y, *in_parts, *in[MOST_INPUTS], *end[MOST_INPUTS];
static int tests, failed;

/* Memory with an inaccessible page before and after it. */
static unsigned char *guarded(size_t bytes)
{
	unsigned char *p = mmap(NULL, bytes + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED || mprotect(p + PAGE, bytes, PROT_READ | PROT_WRITE))
		exit(99);
	return p + PAGE;
}

/* Numbers of middling size; some elements of masks are 0. */
static void draw(unsigned char *x, enum isk_type type, size_t n)
{
	const size_t bytes = isk_bytes_of(type, n), period = isk_bytes_of(type, PERIOD);
	static uint32_t state = 1;

	for (size_t i = 0; i < PERIOD; i++) {
		state = state * 1664525u + 1013904223u;
		isk_element_set(type, x, i, isk_element_is_float(type) ? (long double)(state >> 8) * 0x1p-20L - 8 : state >> 29);
	}
	for (size_t i = period; i < bytes; i += period)
		memcpy(x + i, x, bytes - i < period ? bytes - i : period);
}

static void set_value(union isk_args *args, const struct isk_argument *a, int value)
{
	void *at = isk_argument_at(args, a);

	if (a->variable)
		*(double *)at = value;
	else if (a->type == ISK_F32)
		*(float *)at = (float)value;
	else
		*(int32_t *)at = value;
}

/*
 * Calls the kernel for n elements from element i on, with results to out. If in place, out is also every
 * input that it may be.
 */
static union isk_result call(const struct isk_kernel *k, isk_function fn, unsigned char *out, size_t i, size_t n, int in_place)
{
	union isk_args args = {0};
	unsigned may_be = 0;
	int inputs = 0;

	for (int j = 0; j < k->shape->count; j++) {
		const struct isk_argument *a = &k->shape->arguments[j];
		void **p = isk_argument_at(&args, a);

		if (a->role == ISK_OUT) {
			*p = out;
			may_be = in_place ? a->may_be : 0;
		} else if (a->role == ISK_IN) {
			*p = may_be >> j & 1 ? out : in[inputs] + isk_bytes_of(isk_argument_type(k, a), i);
			inputs++;
		} else if (a->role == ISK_SIZE) {
			*(size_t *)(void *)p = n;
		} else {
			set_value(&args, a, 1 + 2 * j);
		}
	}
	k->call(fn, &args);
	return args.result;
}

static void ok(const struct isk_kernel *k, const char *isa, const char *what, int passed)
{
	printf("%sok %d - %s/%s: %s\n", passed ? "" : "not ", ++tests, k->name, isa, what);
	failed |= !passed;
}

/* Checks that the output has the bytes of the parts, and that nothing is written before or after it. */
static void check(const struct isk_kernel *k, const char *isa, const char *what, size_t before, size_t bytes)
{
	int same = memcmp(y + before, in_parts, bytes) == 0;

	for (size_t i = 0; i < before; i++)
		same &= y[i] == UNWRITTEN;
	for (size_t i = before + bytes; i < ROOM; i++)
		same &= y[i] == UNWRITTEN;
	ok(k, isa, what, same);
}

static void parts(const struct isk_kernel *k, isk_function fn, size_t width, size_t n, size_t part, int in_place)
{
	for (size_t i = 0; i < n; i += part)
		call(k, fn, in_parts + i * width, i, n - i < part ? n - i : part, in_place);
}

static void try(const struct isk_kernel *k, const char *isa, isk_function fn)
{
	const struct isk_argument *out = &k->shape->arguments[0];
	const enum isk_type type = isk_argument_type(k, out);
	const size_t width = isk_element_bytes(type), n = ROOM / width, fewer = n - 8;

	parts(k, fn, width, n, PART, 0);
	memset(y, UNWRITTEN, ROOM);
	call(k, fn, y, 0, n, 0);
	check(k, isa, "whole lines", 0, ROOM);
	memset(y, UNWRITTEN, ROOM);
	call(k, fn, y + 5 * width, 0, fewer, 0);
	check(k, isa, "begins and ends amid a line", 5 * width, fewer * width);
	if (out->may_be) {
		draw(y, type, n);
		memcpy(in_parts, y, ROOM);
		parts(k, fn, width, n, PART, 1);
		call(k, fn, y, 0, n, 1);
		check(k, isa, "in place", 0, ROOM);
	}
}

/* Draws inputs of n elements. */
static void draw_inputs(const struct isk_kernel *k, size_t n)
{
	int inputs = 0;

	for (int j = 0; j < k->shape->count; j++)
		if (k->shape->arguments[j].role == ISK_IN) {
			const enum isk_type type = isk_argument_type(k, &k->shape->arguments[j]);

			in[inputs] = end[inputs] - isk_bytes_of(type, n);
			draw(in[inputs++], type, n);
		}
}

static size_t width_of(const struct isk_kernel *k, int argument)
{
	return isk_element_bytes(isk_argument_type(k, &k->shape->arguments[argument]));
}

/* Compares an output of n elements, computed with prefetches, with that of parts, and a reduction with that of aligned arrays. */
static void try_ahead(const struct isk_kernel *k, const char *isa, isk_function fn, size_t n)
{
	unsigned char *const begin[] = {in[0], in[1]};
	union isk_result split, aligned;

	if (k->shape->arguments[0].role == ISK_OUT) {
		parts(k, fn, width_of(k, 0), n, FEW, 0);
		memset(y, UNWRITTEN, ROOM);
		call(k, fn, y + width_of(k, 0), 0, n, 0);
		check(k, isa, "prefetches", width_of(k, 0), n * width_of(k, 0));
		return;
	}
	split = call(k, fn, NULL, 0, n, 0);
	in[0] = memcpy(y, begin[0], n * width_of(k, 0));
	if (k->shape->arguments[1].role == ISK_IN)
		in[1] = memcpy(in_parts, begin[1], n * width_of(k, 1));
	aligned = call(k, fn, NULL, 0, n, 0);
	in[0] = begin[0];
	in[1] = begin[1];
	ok(k, isa, "prefetches", memcmp(&split, &aligned, sizeof(split)) == 0);
}

/* Tries every ISA; in a sample one of them, chosen by the kernel's number. */
static void try_all(const struct isk_kernel *k, size_t number, int is_ahead)
{
	const int sampled = getenv("ISK_TEST_ONE_OF") != NULL;
	const size_t n = is_ahead ? AHEAD / width_of(k, k->shape->arguments[0].role == ISK_OUT) + MORE : ROOM / width_of(k, 0);
	struct isk_candidate *candidates;
	const int count = candidates_of(isk_candidates, k->name, &candidates);
	int usable = 0;

	draw_inputs(k, n);
	for (int i = 0; i < count; i++)
		usable += candidates[i].state == ISK_USABLE;
	for (int i = 0, nth = 0; i < count; i++) {
		if (candidates[i].state != ISK_USABLE)
			continue;
		if (sampled && nth++ != (int)(number % (size_t)usable))
			continue;
		if (is_ahead)
			try_ahead(k, candidates[i].isa, (isk_function)candidates[i].fn, n);
		else
			try(k, candidates[i].isa, (isk_function)candidates[i].fn);
	}
	free(candidates);
}

static void try_names(const char *const *list, size_t count, int is_ahead)
{
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < isk_kernels_count; j++)
			if (strcmp(isk_kernels[j].name, list[i]) == 0)
				try_all(&isk_kernels[j], i, is_ahead);
}

int main(void)
{
	y = guarded(ROOM);
	in_parts = guarded(ROOM);
	for (int j = 0; j < MOST_INPUTS; j++)
		end[j] = guarded(2 * ROOM) + 2 * ROOM;
	try_names(names, sizeof(names) / sizeof(names[0]), 0);
	try_names(ahead, sizeof(ahead) / sizeof(ahead[0]), 1);
	printf("1..%d\n", tests);
	return failed || !tests;
}
