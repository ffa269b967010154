/* SPDX-License-Identifier: MIT */
/*
 * Every isk_parallel_ form against the single call: the same status and the same bytes in and around C, for
 * any number of threads, on random products large enough to be split. Also calls that must be refused.
 *
 *     test_parallel           all that, as TAP
 *     test_parallel ISA       fewer calls, if that is the ISA that the environment leaves in force
 *     test_parallel few       a few calls each, for ThreadSanitizer
 *     test_parallel race      a call that breaks the contract, which ThreadSanitizer must find:
 *                             `other` is C one and a half rows on, where another thread writes
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>

#include "../by_name.h"
#include "isakern_omp.h"

/* With references in place of kernels (tsan.py) there are no ISAs. */
#ifdef ISK_REFERENCE_PUBLIC
#define isk_isa_current() "none"
#endif

enum { MOST = 1 << 22, MARGIN = 64 }; /* elements of up to 8 bytes */

static uint64_t state;

static uint64_t bits(void)
{
	uint64_t z = state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static size_t below(size_t n)
{
	return (size_t)(((unsigned __int128)bits() * n) >> 64);
}

/* A number between low and high; small ones are as frequent as large ones. */
static size_t scattered(size_t low, size_t high)
{
	size_t top = high;

	while (top > 2 * low && below(3))
		top /= 2;
	return low + below(top - low + 1);
}

/* Numbers of sizes around 1; any integers. */
static void fill(void *x, enum isk_type type, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const uint64_t r = bits();

		if (type == ISK_F32)
			((float *)x)[i] = (float)((double)(r >> 40) * 0x1p-23 - 1);
		else if (type == ISK_F64)
			((double *)x)[i] = (double)(r >> 11) * 0x1p-52 - 1;
		else if (type == ISK_BF16)
			((uint16_t *)x)[i] = (uint16_t)((r & 0x807f) | 0x3f00);
		else if (type == ISK_F16)
			((uint16_t *)x)[i] = (uint16_t)((r & 0x83ff) | 0x3800);
		else if (type == ISK_S32)
			((int32_t *)x)[i] = (int32_t)r;
		else
			((uint8_t *)x)[i] = (uint8_t)r;
	}
}

/* The arguments of a call of a kernel, whatever its shape. */
struct call {
	const struct isk_kernel *kernel;
	enum isk_type ta, tb, tc;
	void *c;
	const void *a, *b;
	size_t batch, m, n, k, ldc, lda, ldb, stride_c, stride_a, stride_b;
	unsigned transposed;
	const struct isk_post *post;
	const struct isk_conv *conv;
};

/* A call with the types of the kernel, also those that its name leaves out. */
static struct call call_of(const struct isk_kernel *k)
{
	const enum isk_type *t = k->types;
	const int one = k->shape->types == 1;

	return (struct call){.kernel = k, .ta = t[0], .tb = one ? t[0] : t[1], .tc = one ? t[0] : t[2], .batch = 1};
}

/* Calls fn: the kernel, or its parallel form. */
static int run(isk_function fn, const struct call *c)
{
	const struct {
		const char *name;
		const void *value;
	} values[] = {
		{"c", &c->c}, {"y", &c->c}, {"a", &c->a}, {"x", &c->a}, {"b", &c->b}, {"packed", &c->b},
		{"batch", &c->batch}, {"m", &c->m}, {"n", &c->n}, {"k", &c->k}, {"ldc", &c->ldc}, {"lda", &c->lda},
		{"ldb", &c->ldb}, {"stride_c", &c->stride_c}, {"stride_a", &c->stride_a}, {"stride_b", &c->stride_b},
		{"transposed", &c->transposed}, {"post", &c->post}, {"conv", &c->conv},
	};
	union isk_args args = {{0}};

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		set_argument(c->kernel, &args, values[i].name, values[i].value);
	c->kernel->call(fn, &args);
	return args.result.status;
}

static unsigned char *room[6];
static float *scales, *bias;
static double *wide_scales, *wide_bias; /* of a C of f64 */
static int32_t *zeros;

static struct isk_post random_post(const struct call *c, int packed)
{
	struct isk_post post = {.size = sizeof(post)};
	const int integers = c->ta == ISK_S8 || c->ta == ISK_U8, wide = c->tc == ISK_F64;

	if (integers) {
		if (below(2) && !c->conv)
			post.row_zero = zeros;
		else
			post.a_zero = (int32_t)below(100) + (c->ta == ISK_U8 ? 0 : -50);
		post.b_zero = zeros;
		post.b_zeros = (size_t[]){0, 1, c->n}[below(3)];
	}
	if (packed)
		post.first_column = 16 * below(3);
	if (c->tc == ISK_S32)
		return post;
	post.scale = wide ? (const void *)wide_scales : scales;
	post.scales = (size_t[]){0, 1, c->n}[below(3)];
	post.row_scale = below(2) && !c->conv ? post.scale : NULL;
	post.bias = !below(2) ? NULL : wide ? (const void *)wide_bias : bias;
	/* Those of f64 end with leaky_relu. */
	post.act = (enum isk_activation)below((wide ? ISK_ACT_LEAKY_RELU : ISK_ACT_SILU) + 1);
	post.act_a = -0.5;
	post.act_b = 0.75;
	post.binary = below(2) ? ISK_BINARY_NONE : (enum isk_binary)below(ISK_BINARY_AXPY + 1);
	post.other_scale = 0.5;
	if (isk_element_bytes(c->tc) == 1) {
		post.out_scale = 0.05f;
		post.out_zero = 3;
	}
	return post;
}

static char message[256];
static size_t calls, accepted;
static int most_threads;

/* A call inside isk_with_threads(). */
struct inside {
	isk_function parallel;
	struct call *c;
	int status;
};

static void run_inside(void *data)
{
	struct inside *i = data;

	i->status = run(i->parallel, i->c);
}

/* Half of the calls find threads that wait for them. */
static int run_on_threads(isk_function parallel, struct call *c)
{
	struct inside inside = {parallel, c, 0};

	if (below(2))
		return run(parallel, c);
	isk_with_threads(run_inside, &inside);
	return inside.status;
}

/* Makes the call by both forms, and compares `elements` elements of C and the bytes around it. */
static int same(struct call *c, size_t elements)
{
	static const int threads[] = {1, 2, 3, 5, 8};
	const isk_function single = function_of("isk_", c->kernel), parallel = function_of("isk_parallel_", c->kernel);
	const size_t size = (elements + 2 * MARGIN) * isk_element_bytes(c->tc);
	unsigned char *before = room[3], *want = room[4], *got = room[5];
	struct isk_post post;
	const int whole = c->post && c->post->size == sizeof(post); /* a shortened post must not be read beyond its size */
	const int has_c = c->c != NULL, in_place = whole && c->post->binary && c->post->other == c->c;
	int status, one;

	fill(before, c->tc, elements + 2 * MARGIN);
	memcpy(want, before, size);
	if (whole) {
		post = *c->post;
		c->post = &post;
	}
	c->c = has_c ? want + MARGIN * isk_element_bytes(c->tc) : NULL;
	if (in_place)
		post.other = c->c;
	one = run(single, c);
	accepted += one == ISK_OK;
	for (size_t t = 0; t < sizeof(threads) / sizeof(threads[0]) && threads[t] <= most_threads; t++) {
		memcpy(got, before, size);
		c->c = has_c ? got + MARGIN * isk_element_bytes(c->tc) : NULL;
		if (in_place)
			post.other = c->c;
		omp_set_num_threads(threads[t]);
		status = run_on_threads(parallel, c);
		calls++;
		if (status == one && memcmp(got, want, size) == 0
		    && (one == ISK_OK || memcmp(got, before, size) == 0))
			continue;
		snprintf(message, sizeof(message),
		         "%s, %d threads: batch %zu m %zu n %zu k %zu, transposed %u, status %d, single %d%s", c->kernel->name,
		         threads[t], c->batch, c->m, c->n, c->k, c->transposed, status, one,
		         status == one ? ", other bytes" : "");
		return 0;
	}
	return 1;
}

/* A product of some million multiply-adds whose matrices fit. */
static void random_sizes(struct call *c, size_t work)
{
	size_t most;

	c->m = scattered(1, 1500);
	c->n = scattered(1, 1500);
	most = MOST / 2 / ((c->m > c->n ? c->m : c->n) + 64);
	c->k = work / (c->m * c->n) + 1;
	c->k = c->k < most ? c->k : most;
}

static size_t random_work(void)
{
	return most_threads > 2 ? (size_t)1 << (20 + below(4)) : (size_t)1 << 20;
}

/* Packs weights of this call with this many columns from room 2 into room 1. groups: k in a group of scales, or 0. */
static int pack(const struct call *c, size_t columns, size_t groups)
{
	const struct isk_kernel *packer = packer_of(c->kernel, groups != 0);
	const struct isk_groups scaled = {sizeof(scaled), groups, scales, columns + below(3)};
	union isk_args args = {{0}};

	if (!packer) {
		snprintf(message, sizeof(message), "%s: no kernel packs its weights", c->kernel->name);
		return 0;
	}
	set_pointer(packer, &args, "packed", room[1]);
	set_pointer(packer, &args, "b", room[2]);
	set_pointer(packer, &args, "w", room[2]);
	set_size(packer, &args, "bytes", 8 * MOST);
	set_size(packer, &args, "k", c->k);
	set_size(packer, &args, "n", columns);
	set_size(packer, &args, "ldb", columns);
	set_pointer(packer, &args, "conv", c->conv);
	set_pointer(packer, &args, "groups", &scaled);
	packer->call(function_of("isk_", packer), &args);
	if (args.result.status)
		snprintf(message, sizeof(message), "%s: %s gives %d", c->kernel->name, packer->name, args.result.status);
	return !args.result.status;
}

/* A post that says it has 8 bytes and ends where readable memory ends. */
static const struct isk_post *short_post(void)
{
	static unsigned char *page;
	const size_t size = sizeof(size);

	if (!page) {
		page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (page == MAP_FAILED || mprotect(page + 4096, 4096, PROT_NONE))
			exit(99);
		memcpy(page + 4096 - sizeof(size), &size, sizeof(size));
	}
	return (const struct isk_post *)(const void *)(page + 4096 - sizeof(size));
}

/*
 * Spoils one thing of a good call, numbered by i, so that it must be refused. Returns 0 if there are no more.
 * From UNPACKED on the faults concern a B that is not packed.
 */
enum { UNPACKED = 23 };

static int spoil(int i, struct call *c, struct isk_post *post)
{
	const size_t rows = c->transposed & ISK_TRANSPOSED_A ? c->k : c->m;
	const size_t row = c->transposed & ISK_TRANSPOSED_A ? c->m : c->k;
	const size_t row_b = c->transposed & ISK_TRANSPOSED_B ? c->k : c->n;

	c->post = post;
	switch (i) {
	case 0: c->lda = 0; break;
	case 1: c->ldc = c->n - 1; break;
	case 2: c->c = NULL; break;
	case 3: c->a = NULL; break;
	case 4: c->b = NULL; break;
	case 5: post->size = 8; break;
	case 6: post->first_column = 8; break;
	case 7: post->first_column = (size_t)1 << 40; break;
	case 8: post->scales = 3; break;
	case 9: post->b_zeros = 2; break;
	case 10: post->binary = ISK_BINARY_ADD; post->other = NULL; break;
	case 11: post->binary = ISK_BINARY_ADD; post->other = room[2]; post->ldother = c->n - 1; break;
	case 12: post->act = (enum isk_activation)99; break;
	case 13: post->scales = 1; post->scale = NULL; break;
	case 14: post->scales = c->n; post->scale = NULL; break;
	case 15: post->b_zeros = c->n; post->b_zero = NULL; break;
	case 16: c->lda = SIZE_MAX / rows + 1; break; /* the rows of one thread's share could still be counted */
	case 17: c->ldc = SIZE_MAX / c->m + 1; break;
	case 18: post->binary = ISK_BINARY_ADD; post->other = room[2]; post->ldother = SIZE_MAX / c->m + 1; break;
	case 19: c->n += 4096; c->ldc = c->n; break;
	case 20: c->post = short_post(); break;
	case 21: c->lda = row - 1; break;
	case 22: c->lda = row / 2; break;
	case 23: c->ldb = 0; break;
	case 24: c->stride_c = 1; break;
	case 25: c->ldb = row_b - 1; break;
	case 26: c->ldb = row_b / 2; break;
	default: return 0;
	}
	return 1;
}

static int refusals(const struct call *good, size_t elements, int packed)
{
	for (int i = 0;; i++) {
		struct call c = *good;
		struct isk_post post = {.size = sizeof(post)};

		if (isk_element_bytes(c.tc) == 1)
			post.out_scale = 0.5f;
		if (!spoil(i, &c, &post))
			return 1;
		/* Faults that do not apply to this call are no errors, and the arrays that they need are missing. */
		if ((!packed && i == 19) || (packed && i >= UNPACKED) || (c.batch == 1 && i == 24))
			continue;
		if (!same(&c, elements))
			return 0;
	}
}

static int gemm(const struct isk_kernel *kernel, int rounds)
{
	for (int i = 0; i < rounds; i++) {
		struct call c = call_of(kernel);
		struct isk_post post;
		size_t columns;

		c.c = room[4];
		c.a = room[0];
		c.b = room[1];
		random_sizes(&c, random_work());
		c.lda = c.k + below(5);
		c.ldc = c.n + below(5);
		post = random_post(&c, 1);
		columns = post.first_column + c.n + below(20);
		fill(room[0], c.ta, c.m * c.lda);
		fill(room[2], c.tb, c.k * columns);
		/* Only kernels that multiply floats by integers take scales for groups. */
		if (!pack(&c, columns, c.ta == ISK_F32 && c.tb == ISK_S8 && below(2) ? (size_t)32 << below(3) : 0))
			return 0;
		fill(room[2], c.tc, c.m * c.ldc);
		post.other = below(2) ? room[2] : room[4];
		post.ldother = c.ldc;
		c.post = below(4) || isk_element_bytes(c.tc) == 1 ? &post : NULL;
		if (!same(&c, c.m * c.ldc) || (i < 5 && !refusals(&c, c.m * c.ldc, 1)))
			return 0;
	}
	return 1;
}

static int matmul(const struct isk_kernel *kernel, int rounds)
{
	const int batched = argument_of(kernel, "batch") != NULL;

	for (int i = 0; i < rounds; i++) {
		struct call c = call_of(kernel);
		struct isk_post post;
		size_t elements;
		int side_by_side;

		c.c = room[4];
		c.a = room[0];
		c.b = room[1];
		if (batched)
			c.batch = scattered(1, 40);
		random_sizes(&c, random_work() / c.batch + 1);
		while (c.batch * (c.m + 5) * (c.n + 5) > MOST || c.batch * (c.m + c.n + 5) * (c.k + 5) > MOST)
			c.batch = c.batch / 2 + (c.batch == 1);
		c.transposed = (unsigned)below(4);
		c.lda = (c.transposed & ISK_TRANSPOSED_A ? c.m : c.k) + below(5);
		c.ldb = (c.transposed & ISK_TRANSPOSED_B ? c.k : c.n) + below(5);
		side_by_side = batched && below(2);
		c.ldc = side_by_side ? c.batch * c.n + below(5) : c.n + below(5);
		c.stride_c = side_by_side ? c.n : c.m * c.ldc + below(5);
		c.stride_a = below(4) ? (c.transposed & ISK_TRANSPOSED_A ? c.k : c.m) * c.lda : 0;
		c.stride_b = below(4) ? (c.transposed & ISK_TRANSPOSED_B ? c.n : c.k) * c.ldb : 0;
		elements = (c.batch - 1) * c.stride_c + c.m * c.ldc;
		post = random_post(&c, 0);
		fill(room[0], c.ta, c.batch * (c.m + 5) * (c.k + 5));
		fill(room[1], c.tb, c.batch * (c.n + 5) * (c.k + 5));
		fill(room[2], c.tc, elements);
		post.other = below(2) ? room[2] : room[4];
		post.ldother = c.ldc;
		c.post = below(4) ? &post : NULL;
		if (!same(&c, elements) || (i < 5 && !refusals(&c, elements, 0)))
			return 0;
	}
	return 1;
}

static struct isk_conv random_conv(void)
{
	const size_t taps[] = {1, 3, 3, 5, 7}, groups = below(3) ? 1 : 1 + below(4), each = scattered(1, 32);
	const int depthwise = below(4) == 0, flat = below(4) == 0;
	struct isk_conv conv = {.size = sizeof(conv), .images = scattered(1, 6),
	                        .height = flat ? 1 : 4 + below(40), .width = flat ? scattered(20, 2000) : 4 + below(40)};

	conv.groups = depthwise ? 8 + below(60) : groups;
	conv.channels = depthwise ? conv.groups : groups * each;
	conv.out_channels = depthwise ? conv.groups * (1 + below(2)) : groups * scattered(1, 64);
	conv.kernel_h = flat ? 1 : taps[below(5)];
	conv.kernel_w = taps[below(5)];
	conv.stride_h = 1 + below(3);
	conv.stride_w = 1 + below(3);
	conv.dilation_h = 1 + below(2);
	conv.dilation_w = 1 + below(2);
	/* Now and then more padding than the kernel spans, or one row of y from several of x. */
	conv.pad_top = flat ? 0 : below(conv.kernel_h == 1 ? 30 : 5);
	conv.pad_bottom = flat ? 0 : below(5);
	conv.pad_left = below(5);
	conv.pad_right = below(5);
	if (below(6) == 0) {
		conv.height = conv.kernel_h = 3;
		conv.dilation_h = 1;
		conv.pad_top = conv.pad_bottom = 0;
		conv.width = scattered(20, 2000);
	}
	if (below(2)) {
		conv.ldx = conv.channels + below(5);
		conv.ldy = conv.out_channels + below(5);
	}
	return conv;
}

/* Convolutions, and their transposes, of which y is the image. */
static int conv(const struct isk_kernel *kernel, int rounds)
{
	const int turned = strcmp(argument_of(kernel, "y")->measured, "image") == 0;

	for (int i = 0; i < rounds;) {
		struct isk_conv conv = random_conv();
		struct call c = call_of(kernel);
		const size_t ldx = conv.ldx ? conv.ldx : conv.channels, ldy = conv.ldy ? conv.ldy : conv.out_channels;
		const size_t taps = conv.kernel_h * conv.kernel_w;
		const size_t weights = conv.out_channels * (conv.channels / conv.groups) * taps;
		struct isk_post post;
		size_t height, width, elements, image, output;

		if (isk_conv_output(&conv, &height, &width))
			continue;
		image = conv.images * conv.height * conv.width * ldx;
		output = conv.images * height * width * ldy;
		if (image > MOST / 2 || output > MOST / 2 || conv.images * height * width * weights < (size_t)1 << 20)
			continue;
		elements = turned ? image : output;
		c.c = room[4];
		c.a = room[0];
		c.b = room[1];
		c.conv = &conv;
		c.batch = conv.images;
		c.n = turned ? conv.channels : conv.out_channels;
		c.m = turned ? conv.height : height;
		c.k = turned ? conv.width : width;
		post = random_post(&c, 0);
		fill(room[0], c.ta, turned ? output : image);
		fill(room[2], c.tb, weights);
		if (!pack(&c, c.n, 0))
			return 0;
		fill(room[2], c.tc, elements);
		post.other = below(2) ? room[2] : room[4];
		post.ldother = turned ? ldx : ldy;
		c.post = below(4) || isk_element_bytes(c.tc) == 1 ? &post : NULL;
		if (!same(&c, elements))
			return 0;
		for (int bad = 0; bad < 9; bad++) {
			struct isk_conv other = conv;
			struct call d = c;

			d.conv = bad == 0 ? NULL : &other;
			other.size += bad == 1;
			other.groups = bad == 2 ? 0 : other.groups;
			other.ldx = bad == 3 && conv.channels > 1 ? 1 : other.ldx;
			other.kernel_w += bad == 4;
			d.a = bad == 5 ? NULL : d.a;
			d.c = bad == 6 ? NULL : d.c;
			other.ldy = bad == 7 ? SIZE_MAX : other.ldy;
			d.post = bad == 8 ? short_post() : d.post;
			if (i < 3 && !same(&d, elements))
				return 0;
		}
		i++;
	}
	return 1;
}

/* Tests the kernel by its shape. */
static int test(const struct isk_kernel *kernel, int rounds)
{
	if (argument_of(kernel, "conv"))
		return conv(kernel, rounds);
	return packed_of(kernel, ISK_IN) ? gemm(kernel, rounds) : matmul(kernel, rounds);
}

static int race(void)
{
	enum { SIDE = 128 };
	const size_t bytes = isk_packed_size(ISK_F32, SIDE, SIDE);
	const struct isk_post post = {.size = sizeof(post), .binary = ISK_BINARY_ADD,
	                              .other = room[4] + (SIDE + SIDE / 2) * sizeof(float), .ldother = SIDE};

	fill(room[0], ISK_F32, SIDE * SIDE);
	fill(room[4], ISK_F32, SIDE * SIDE + 2 * SIDE);
	isk_gemm_pack_f32(room[1], (const float *)(const void *)room[0], bytes, SIDE, SIDE, SIDE, 0);
	omp_set_num_threads(2);
	return isk_parallel_gemm_f32((float *)(void *)room[4], (const float *)(const void *)room[0], room[1],
	                             SIDE, SIDE, SIDE, SIDE, SIDE, &post);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	const int few = strcmp(what, "few") == 0, race_alone = strcmp(what, "race") == 0;
	const int one_isa = *what && !few && !race_alone, rounds = few ? 1 : one_isa ? 6 : 40;
	const char *given = getenv("ISK_TEST_SEED");
	int tests = 0, failed = 0;

	if (one_isa && strcmp(isk_isa_current(), what) != 0) {
		printf("1..0 # SKIP this machine or build has no %s: the cap binds to %s\n", what,
		       isk_isa_current());
		return 0;
	}
	for (int i = 0; i < 6; i++)
		if (!(room[i] = aligned_alloc(64, 8 * (MOST + 4 * MARGIN))))
			return 99;
	scales = malloc(MOST * sizeof(*scales));
	bias = malloc(MOST * sizeof(*bias));
	wide_scales = malloc(MOST * sizeof(*wide_scales));
	wide_bias = malloc(MOST * sizeof(*wide_bias));
	zeros = malloc(MOST * sizeof(*zeros));
	if (!scales || !bias || !wide_scales || !wide_bias || !zeros)
		return 99;
	if (given)
		state = strtoull(given, NULL, 0);
	else if (getrandom(&state, 4, 0) != 4)
		state = 1;
	printf("# seed: ISK_TEST_SEED=%llu\n", (unsigned long long)state);
	fill(scales, ISK_F32, MOST);
	fill(bias, ISK_F32, MOST);
	fill(wide_scales, ISK_F64, MOST);
	fill(wide_bias, ISK_F64, MOST);
	for (size_t i = 0; i < MOST; i++)
		zeros[i] = (int32_t)below(100) - 50;
	if (race_alone)
		return race();
	most_threads = few ? 2 : 8;
	for (size_t i = 0; i < isk_kernels_count; i++) {
		const struct isk_kernel *kernel = &isk_kernels[i];
		int good;

		if (!written_form(kernel))
			continue;
		calls = accepted = 0;
		good = test(kernel, rounds);
		/* Otherwise refusals alone would pass. */
		if (good && !accepted)
			snprintf(message, sizeof(message), "%s: every call is refused", kernel->name);
		good = good && accepted;
		failed += !good;
		printf("%sok %d - %s: %zu calls on up to %d threads like the single ones\n", good ? "" : "not ",
		       ++tests, kernel->name, calls, most_threads);
		if (!good)
			printf("# %s\n", message);
		fflush(stdout);
	}
	printf("1..%d\n", tests);
	return failed || !tests;
}
