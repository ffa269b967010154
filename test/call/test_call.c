/* SPDX-License-Identifier: MIT */
/*
 * Kernels by name: a call gives the result of the kernel's thunk. Each bad status names the argument and
 * nothing is written. Questions about shapes are answered.
 */
#include <math.h>
#include <pthread.h>

#include "values.h"

static int tests, failures;

static void ok(int condition, const char *format, const char *name)
{
	char text[256];

	snprintf(text, sizeof(text), format, name);
	failures += !condition;
	printf("%sok %d - %s\n", condition ? "" : "not ", ++tests, text);
	if (!condition)
		printf("#   the last message was: %s\n", isk_call_message());
}

static double number_of(const struct isk_kernel *k, const union isk_args *args)
{
	const enum isk_type type = isk_result_type(k);

	return type ? isk_element_value(type, isk_element_bits(type, &args->result, 0)) : 0;
}

static int same_number(double a, double b)
{
	return memcmp(&a, &b, sizeof(a)) == 0 || (isnan(a) && isnan(b));
}

/* Whether a variant and a call by name leave the same arrays and result. */
static int is_same(const struct isk_kernel *k, struct sample *one, struct sample *other)
{
	struct isk_value values[SAMPLE_ARGUMENTS], result = {.kind = ISK_KIND_STRUCT};
	size_t count;
	int status;

	sample_make(k, one);
	sample_make(k, other);
	k->call(isk_bound(k->name), &one->args);
	count = sample_values(k, other, values);
	status = isk_call(k->name, values, count, &result);
	if (status || memcmp(one->memory, other->memory, sizeof(one->memory)) != 0)
		return 0;
	return same_number(number_of(k, &one->args), result.kind == ISK_KIND_REAL ? result.real : (double)result.integer);
}

static void every_kernel(void)
{
	struct sample *one = aligned_alloc(64, sizeof(*one)), *other = aligned_alloc(64, sizeof(*other));
	size_t wrong = 0;

	for (size_t i = 0; one && other && i < isk_kernels_count; i++)
		if (!is_same(&isk_kernels[i], one, other) && ++wrong <= 20)
			printf("#   %s: %s\n", isk_kernels[i].name, isk_call_message());
	ok(one && other && !wrong && isk_kernels_count > 1000, "every kernel by name does what its thunk does%s", "");
	free(one);
	free(other);
}

static float x[64], y[64];

#define ARRAY(p)    {.kind = ISK_KIND_ARRAY, .type = ISK_F32, .bytes = 40, .pointer = p}
#define INTEGER(n)  {.kind = ISK_KIND_INTEGER, .integer = n}
#define REAL(v)     {.kind = ISK_KIND_REAL, .real = v}

/* exp of 10 numbers with one fault: checks the status, the words of the message, and that nothing is written. */
static void refused(const char *kernel, struct isk_value *values, size_t count, int status, const char *says)
{
	const float before = y[0];
	const int got = isk_call(kernel, values, count, NULL);
	const int good = got == status && strstr(isk_call_message(), says) && !strchr(isk_call_message(), '\n')
	                 && same_number((double)before, (double)y[0]);

	ok(good, "refused: %s", says);
	if (!good)
		printf("#   got %d, wanted %d\n", got, status);
}

static void statuses(void)
{
	struct isk_value map[] = {ARRAY(y), ARRAY(x), INTEGER(10)}, good[3];
	struct isk_value add[] = {ARRAY(y), ARRAY(x), INTEGER(10), REAL(1)};
	struct isk_value rows[] = {ARRAY(y), ARRAY(x), INTEGER(2), INTEGER(4), INTEGER(4), INTEGER(4)};

	memcpy(good, map, sizeof(map));
	for (int i = 0; i < 64; i++)
		x[i] = 1;
	y[0] = -1;
	refused("nag_f32", map, 3, ISK_ERR_KERNEL, "'nag_f32' is no kernel");
	refused(NULL, map, 3, ISK_ERR_KERNEL, "'' is no kernel");
	refused("exp_f32", map, 2, ISK_CALL_COUNT, "exp_f32: 2 arguments are given; it has 3");
	refused("exp_f32", NULL, 3, ISK_CALL_COUNT, "exp_f32: 0 arguments are given; it has 3");
	map[1].kind = ISK_KIND_INTEGER;
	refused("exp_f32", map, 3, ISK_CALL_KIND, "argument 1, 'x', is an integer; it must be an array");
	map[1].kind = (enum isk_kind)99;
	refused("exp_f32", map, 3, ISK_CALL_KIND, "argument 1, 'x', is of no kind");
	memcpy(map, good, sizeof(map));
	map[0].type = ISK_BF16;
	refused("exp_f32", map, 3, ISK_CALL_TYPE, "argument 0, 'y', is of bf16; it must be of f32");
	map[0].type = (enum isk_type)77;
	refused("exp_f32", map, 3, ISK_CALL_TYPE, "argument 0, 'y', is of no type");
	memcpy(map, good, sizeof(map));
	map[2].integer = -1;
	refused("exp_f32", map, 3, ISK_CALL_RANGE, "argument 2, 'n', is -1; it may be from 0 to");
	map[2].integer = 11;
	refused("exp_f32", map, 3, ISK_CALL_SPACE, "argument 0, 'y', has 40 bytes; the sizes ask for 44");
	map[2].integer = INT64_MAX;
	refused("exp_f32", map, 3, ISK_CALL_SPACE, "argument 0, 'y', has 40 bytes");
	memcpy(map, good, sizeof(map));
	map[1].pointer = NULL;
	refused("exp_f32", map, 3, ISK_ERR_NULL, "argument 1, 'x', is NULL");
	map[1].pointer = &y[1];
	refused("exp_f32", map, 3, ISK_CALL_OVERLAP, "argument 0, 'y', overlaps 'x'; it may only be the very same array");
	map[1].pointer = y;
	ok(isk_call("exp_f32", map, 3, NULL) == 0, "in place%s", "");
	y[0] = -1;
	refused("cvt_f32_bf16", map, 3, ISK_CALL_TYPE, "argument 0, 'y', is of f32; it must be of bf16");
	refused("add_scalar_f32", map, 3, ISK_CALL_COUNT, "3 arguments are given; it has 4");
	add[3] = (struct isk_value)INTEGER(1);
	refused("add_scalar_f32", add, 4, ISK_CALL_KIND, "argument 3, 'alpha', is an integer; it must be a real number");
	rows[4].integer = 3;
	refused("softmax_f32", rows, 6, ISK_ERR_STRIDE, "argument 0, 'y', has rows that overlap");
	rows[4].integer = 6;
	rows[1].pointer = y;
	refused("softmax_f32", rows, 6, ISK_CALL_OVERLAP, "it may only be the very same array");
	rows[4].integer = rows[5].integer = 6;
	rows[3].integer = 3;
	rows[1].pointer = &y[3];
	ok(isk_call("softmax_f32", rows, 6, NULL) == 0, "rows side by side do not overlap%s", "");
	rows[1].pointer = &y[2];
	refused("softmax_f32", rows, 6, ISK_CALL_OVERLAP, "overlaps 'x'");
	map[0].pointer = map[1].pointer = NULL;
	map[2].integer = 0;
	ok(isk_call("exp_f32", map, 3, NULL) == 0, "no elements need no arrays%s", "");
}

/* Kernels with structs, packed matrices and statuses of their own. */
static void matrices(void)
{
	static const float a[4] = {1, 2, 3, 4};
	static unsigned char packed[256];
	struct isk_post post = {.size = sizeof(post)};
	struct isk_value b = {.kind = ISK_KIND_PACKED, .type = ISK_F32, .bytes = sizeof(packed), .pointer = packed};
	struct isk_value in = {.kind = ISK_KIND_ARRAY, .type = ISK_F32, .bytes = sizeof(a), .pointer = a};
	struct isk_value pack[] = {b, in, INTEGER(sizeof(packed)), INTEGER(2), INTEGER(2), INTEGER(2), INTEGER(0)};
	struct isk_value gemm[] = {ARRAY(y), in, b, INTEGER(2), INTEGER(2), INTEGER(2), INTEGER(2), INTEGER(2),
	                           {.kind = ISK_KIND_STRUCT, .bytes = sizeof(post), .pointer = &post}};
	struct isk_value result;

	y[0] = -1;
	refused("gemm_f32", gemm, 9, ISK_ERR_PACKED, "gemm_f32: not a packed matrix");
	pack[0].bytes = 64;
	refused("gemm_pack_f32", pack, 7, ISK_CALL_SPACE, "argument 0, 'packed', has 64 bytes; the sizes ask for 192");
	pack[0].bytes = sizeof(packed);
	pack[6].integer = 1ll << 40;
	refused("gemm_pack_f32", pack, 7, ISK_CALL_RANGE, "argument 6, 'transposed', is 1099511627776");
	pack[6].integer = 0;
	ok(isk_call("gemm_pack_f32", pack, 7, &result) == 0 && result.kind == ISK_KIND_INTEGER && !result.integer,
	   "packed%s", "");
	gemm[2].bytes = 100;
	refused("gemm_f32", gemm, 9, ISK_CALL_SPACE, "argument 2, 'packed', has 100 bytes; the sizes ask for 192");
	gemm[2].bytes = 8;
	refused("gemm_f32", gemm, 9, ISK_CALL_SPACE, "argument 2, 'packed', has 8 bytes");
	gemm[2].bytes = ISK_ANY_LENGTH;
	gemm[8].bytes = 24;
	refused("gemm_f32", gemm, 9, ISK_ERR_STRUCT, "argument 8, 'post', is of 24 bytes");
	gemm[8].bytes = 0;
	refused("gemm_f32", gemm, 9, ISK_ERR_STRUCT, "argument 8, 'post', is of 0 bytes");
	gemm[8].bytes = sizeof(post);
	gemm[6].integer = 1;
	refused("gemm_f32", gemm, 9, ISK_ERR_STRIDE, "argument 0, 'c', has rows that overlap");
	gemm[6].integer = 2;
	gemm[7].integer = 1;
	refused("gemm_f32", gemm, 9, ISK_ERR_STRIDE, "gemm_f32: a stride is smaller than its row");
	gemm[7].integer = 2;
	gemm[0].pointer = a;
	refused("gemm_f32", gemm, 9, ISK_CALL_OVERLAP, "argument 0, 'c', overlaps 'a'; it must not");
	gemm[0].pointer = y;
	gemm[8].pointer = NULL;
	ok(isk_call("gemm_f32", gemm, 9, NULL) == 0 && (int)y[0] == 7 && (int)y[3] == 22,
	   "a product without post-operations%s", "");
}

/* A convolution by one tap, 2 x 2 pixels of 2 channels into 1; the pixels of x are 3 elements apart, those of y 2. */
static void convolutions(void)
{
	static const float w[2] = {1, 1}, in[11] = {1, 2, 0, 3, 4, 0, 5, 6, 0, 7, 8};
	static float out[7];
	static unsigned char packed[256];
	const struct isk_conv conv = {
		.size = sizeof(conv), .images = 1, .height = 2, .width = 2, .channels = 2, .out_channels = 1, .kernel_h = 1,
		.kernel_w = 1, .stride_h = 1, .stride_w = 1, .dilation_h = 1, .dilation_w = 1, .groups = 1, .ldx = 3, .ldy = 2,
	};
	const struct isk_value of = {.kind = ISK_KIND_STRUCT, .bytes = sizeof(conv), .pointer = &conv};
	const struct isk_value b = {.kind = ISK_KIND_PACKED, .type = ISK_F32, .bytes = sizeof(packed), .pointer = packed};
	const struct isk_value weights = {.kind = ISK_KIND_ARRAY, .type = ISK_F32, .bytes = sizeof(w), .pointer = w};
	const struct isk_value image = {.kind = ISK_KIND_ARRAY, .type = ISK_F32, .bytes = sizeof(in), .pointer = in};
	const struct isk_value output = {.kind = ISK_KIND_ARRAY, .type = ISK_F32, .bytes = sizeof(out), .pointer = out};
	const struct isk_value pack[] = {b, weights, INTEGER(sizeof(packed)), of};
	struct isk_value call[] = {output, image, b, of, {.kind = ISK_KIND_STRUCT}};

	ok(isk_call("conv_pack_f32", pack, 4, NULL) == 0, "packed weights of a convolution%s", "");
	ok(isk_call("conv_f32", call, 5, NULL) == 0 && (int)out[0] == 3 && (int)out[6] == 15,
	   "a convolution of pixels that are apart%s", "");
	call[1].bytes -= sizeof(float);
	refused("conv_f32", call, 5, ISK_CALL_SPACE, "argument 1, 'x', has 40 bytes; the sizes ask for 44");
	call[1].bytes += sizeof(float);
	call[0].bytes -= sizeof(float);
	refused("conv_f32", call, 5, ISK_CALL_SPACE, "argument 0, 'y', has 24 bytes; the sizes ask for 28");
}

/* The stride between the rows of an output that has at least two rows of two elements; -1 if it has not. */
static int row_stride(const struct isk_argument *a, const struct isk_value *values)
{
	const int last = a->extents - 1, stride = last < 1 ? -1 : a->extent[last - 1].stride;

	if (a->role != ISK_OUT || a->packed || stride < 0)
		return -1;
	return values[a->extent[last].size].integer > 1 && values[a->extent[last - 1].size].integer > 1 ? stride : -1;
}

/* Each output of every kernel, with its rows one element too near each other. */
static void rows_that_overlap(void)
{
	struct sample *one = aligned_alloc(64, sizeof(*one)), *before = aligned_alloc(64, sizeof(*before));
	size_t wrong = 0, refusals = 0;

	for (size_t i = 0; one && before && i < isk_kernels_count; i++) {
		const struct isk_kernel *k = &isk_kernels[i];

		for (int j = 0; j < k->shape->count; j++) {
			struct isk_value values[SAMPLE_ARGUMENTS];
			const size_t count = (sample_make(k, one), sample_make(k, before), sample_values(k, one, values));
			const struct isk_argument *a = &k->shape->arguments[j];
			const int stride = count ? row_stride(a, values) : -1;

			if (stride < 0 || !values[j].pointer)
				continue;
			values[stride].integer = values[a->extent[a->extents - 1].size].integer - 1;
			refusals++;
			if ((isk_call(k->name, values, count, NULL) != ISK_ERR_STRIDE
			     || memcmp(one->memory, before->memory, sizeof(one->memory)) != 0)
			    && ++wrong <= 20)
				printf("#   %s is called with rows of '%s' that overlap\n", k->name, a->name);
		}
	}
	ok(one && before && !wrong && refusals > 200, "rows that overlap are refused for every output of every kernel%s", "");
	free(one);
	free(before);
}

static void questions(void)
{
	struct isk_signature s = {.size = sizeof(s)};
	struct isk_parameter p = {.size = sizeof(p)};

	ok(isk_signature("gemm_u8s8_f32", &s) == 0 && strcmp(s.shape, "gemm") == 0 && s.arguments == 9 && s.is_status
	   && s.result == ISK_S32, "the signature of %s", "gemm_u8s8_f32");
	ok(isk_signature("dot_bf16", &s) == 0 && s.result == ISK_F32 && !s.is_status, "the signature of %s", "dot_bf16");
	ok(isk_parameter("gemm_u8s8_f32", 1, &p) == 0 && p.role == ISK_IN && p.type == ISK_U8 && p.extents == 2
	   && p.extent[0].argument == 3 && p.extent[0].stride == 7 && p.extent[1].stride == -1,
	   "an argument of %s", "gemm_u8s8_f32");
	ok(isk_parameter("gemm_u8s8_f32", 8, &p) == 0 && p.kind == ISK_KIND_STRUCT && p.null
	   && strcmp(p.structure, "isk_post") == 0, "the struct of %s", "gemm_u8s8_f32");
	ok(isk_parameter("gemm_f32", 9, &p) == ISK_CALL_COUNT && isk_parameter("nag", 0, &p) == ISK_ERR_KERNEL
	   && isk_parameter("gemm_f32", 0, NULL) == ISK_ERR_NULL && isk_signature("gemm_f32", NULL) == ISK_ERR_NULL,
	   "what is not there is told%s", "");
	p.size = s.size = 8;
	ok(isk_parameter("gemm_f32", 0, &p) == ISK_ERR_STRUCT && isk_signature("gemm_f32", &s) == ISK_ERR_STRUCT,
	   "a struct of unknown size is told%s", "");
}

static void *in_a_thread(void *unused)
{
	float out[10];
	struct isk_value map[] = {ARRAY(out), ARRAY(x), INTEGER(10)};

	for (int i = 0; i < 10000; i++)
		if (isk_call(i % 2 ? "exp_f32" : "tanh_f32", map, 3, NULL) || *isk_call_message())
			return unused;
	return NULL;
}

static void threads(void)
{
	pthread_t all[4];
	void *wrong = NULL, *one;

	for (int i = 0; i < 4; i++)
		if (pthread_create(&all[i], NULL, in_a_thread, all))
			abort();
	for (int i = 0; i < 4; i++) {
		pthread_join(all[i], &one);
		wrong = one ? one : wrong;
	}
	ok(!wrong, "from many threads, each with a message of its own%s", "");
}

int main(void)
{
	every_kernel();
	statuses();
	matrices();
	convolutions();
	rows_that_overlap();
	questions();
	threads();
	printf("1..%d\n", tests);
	return failures != 0;
}
