/* SPDX-License-Identifier: MIT */
/* From the generated table to what the drivers work on. */
#include "kernels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

/* For each kernel: how it is called, and its oracle behind one type for all of its shape. */
#define FN(k) ((__typeof(&isk_##k))fn)

#define X(k, T)                                                                \
	static void call_##k(function fn, struct args *a)                          \
	{                                                                          \
		FN(k)(a->y, a->x[0], a->n);                                            \
	}
ISK_KERNELS_map(X)
#undef X

#define X(k, T)                                                                \
	static void call_##k(function fn, struct args *a)                          \
	{                                                                          \
		FN(k)(a->y, a->x[0], a->x[1], a->n);                                   \
	}
ISK_KERNELS_zip(X)
#undef X

#define X(k, F, T)                                                             \
	static void call_##k(function fn, struct args *a)                          \
	{                                                                          \
		FN(k)(a->y, a->x[0], a->n);                                            \
	}                                                                          \
	static void convert_##k(void *y, const void *x, size_t n, float scale, int32_t zero) \
	{                                                                          \
		(void)scale;                                                           \
		(void)zero;                                                            \
		for (size_t i = 0; i < n; i++)                                         \
			((ISK_C_##T *)y)[i] = isk_oracle_##k(((const ISK_C_##F *)x)[i]);   \
	}
ISK_KERNELS_cvt(X)
#undef X

#define X(k, F, T)                                                             \
	static void call_##k(function fn, struct args *a)                          \
	{                                                                          \
		FN(k)(a->y, a->x[0], a->n, a->scale, a->zero);                         \
	}                                                                          \
	static void convert_##k(void *y, const void *x, size_t n, float scale, int32_t zero) \
	{                                                                          \
		for (size_t i = 0; i < n; i++)                                         \
			((ISK_C_##T *)y)[i] = isk_oracle_##k(((const ISK_C_##F *)x)[i], scale, zero); \
	}
ISK_KERNELS_quantize(X)
ISK_KERNELS_dequantize(X)
#undef X

#define X(k, T)                                                                \
	static void call_##k(function fn, struct args *a)                          \
	{                                                                          \
		const ISK_C_##T y = FN(k)(a->x[0], a->n);                              \
                                                                               \
		a->result = elem_bits(ELEM_##T, &y, 0);                                \
	}                                                                          \
	static double reduce_##k(const struct args *a, double *scale)              \
	{                                                                          \
		return isk_oracle_##k(a->x[0], a->n, scale);                           \
	}
ISK_KERNELS_reduce(X)
#undef X

#define X(k, T)                                                                \
	static void call_##k(function fn, struct args *a)                          \
	{                                                                          \
		const ISK_C_##T y = FN(k)(a->x[0], a->x[1], a->n);                     \
                                                                               \
		a->result = elem_bits(ELEM_##T, &y, 0);                                \
	}                                                                          \
	static double reduce_##k(const struct args *a, double *scale)              \
	{                                                                          \
		return isk_oracle_##k(a->x[0], a->x[1], a->n, scale);                  \
	}
ISK_KERNELS_reduce2(X)
#undef X

#define X(k, T)                                                                \
	static void call_##k(function fn, struct args *a)                          \
	{                                                                          \
		a->result = FN(k)(a->x[0], a->n);                                      \
	}                                                                          \
	static double reduce_##k(const struct args *a, double *scale)              \
	{                                                                          \
		*scale = 0;                                                            \
		return (double)isk_oracle_##k(a->x[0], a->n);                          \
	}
ISK_KERNELS_index(X)
#undef X

#define X(k, T)                                                                \
	static void call_##k(function fn, struct args *a)                          \
	{                                                                          \
		FN(k)(a->y, a->x[0], a->n, a->cols, a->ldy, a->ldx);                   \
	}                                                                          \
	static void row_##k(const struct args *a, size_t row, double *exact, double *scale) \
	{                                                                          \
		const ISK_C_##T *x = (const ISK_C_##T *)a->x[0] + row * a->ldx;        \
		const struct isk_row_stats stats = isk_oracle_row_##k(x, a->cols);     \
                                                                               \
		for (size_t i = 0; i < a->cols; i++)                                   \
			exact[i] = isk_oracle_##k(&stats, elem_value(ELEM_##T, elem_bits(ELEM_##T, x, i)), \
			                          &scale[i]);                              \
	}
ISK_KERNELS_softmax(X)
#undef X

#define X(k, T)                                                                \
	static void call_##k(function fn, struct args *a)                          \
	{                                                                          \
		FN(k)(a->y, a->x[0], a->x[1], a->x[2], a->n, a->cols, a->ldy, a->ldx, a->scale); \
	}                                                                          \
	static double value_##k(const void *x, size_t i)                           \
	{                                                                          \
		return elem_value(ELEM_##T, elem_bits(ELEM_##T, x, i));                \
	}                                                                          \
	static void row_##k(const struct args *a, size_t row, double *exact, double *scale) \
	{                                                                          \
		const ISK_C_##T *x = (const ISK_C_##T *)a->x[0] + row * a->ldx;        \
		const struct isk_row_stats stats = isk_oracle_row_##k(x, a->cols, (double)a->scale); \
                                                                               \
		for (size_t i = 0; i < a->cols; i++)                                   \
			exact[i] = isk_oracle_##k(&stats, value_##k(x, i), a->x[1] ? value_##k(a->x[1], i) : 1, \
			                          a->x[2] ? value_##k(a->x[2], i) : 0, &scale[i]); \
	}
ISK_KERNELS_norm(X)
#undef X

#define X(k, T)                                                                \
	static void call_##k(function fn, struct args *a)                          \
	{                                                                          \
		FN(k)(a->y, a->x[0], a->n, a->cols, a->ldx);                           \
	}                                                                          \
	static void row_##k(const struct args *a, size_t row, double *exact, double *scale) \
	{                                                                          \
		(void)row;                                                             \
		for (size_t i = 0; i < a->cols; i++)                                   \
			exact[i] = isk_oracle_##k((const ISK_C_##T *)a->x[0] + i, a->n, a->ldx, &scale[i]); \
	}
ISK_KERNELS_pool(X)
#undef X

#define X(k, T)                                                                \
	static int pack_##k(void *packed, const void *b, size_t bytes, size_t depth, size_t n, size_t ldb, \
	                    int transposed)                                        \
	{                                                                          \
		return isk_oracle_##k(packed, b, bytes, depth, n, ldb, transposed);    \
	}
ISK_KERNELS_pack(X)
#undef X

#define X(k, A, B, C)                                                          \
	static double gemm_##k(const void *a, const struct isk_column *b, size_t depth, size_t row, size_t col, \
	                       const struct isk_post *post, double *scale)         \
	{                                                                          \
		return isk_oracle_##k(a, b, depth, row, col, post, scale);             \
	}                                                                          \
	static int check_##k(const void *c, const void *a, const void *packed, size_t m, size_t n, size_t depth, \
	                     size_t ldc, size_t lda, const struct isk_post *post)  \
	{                                                                          \
		return isk_oracle_check_##k((void *)(uintptr_t)c, a, packed, m, n, depth, ldc, lda, post); \
	}
ISK_KERNELS_gemm(X)
#undef X

#define X(k, T)                                                                \
	static void call_##k(function fn, struct args *a)                          \
	{                                                                          \
		FN(k)(a->y, a->x[0], a->n, a->cols, a->ldy, a->ldx);                   \
	}
ISK_KERNELS_transpose(X)
#undef X

#define X(k, T)                                                                \
	static void call_##k(function fn, struct args *a)                          \
	{                                                                          \
		FN(k)(a->y, a->x[0], a->n, a->cols, a->ldx);                           \
	}
ISK_KERNELS_images(X)
#undef X

#define X(k, T)                                                                \
	static double matmul_##k(const void *a, size_t step_a, const void *b, size_t step_b, size_t depth, \
	                         size_t row, size_t col, const struct isk_post *post, double *scale) \
	{                                                                          \
		return isk_oracle_##k(a, step_a, b, step_b, depth, row, col, post, scale); \
	}
ISK_KERNELS_matmul(X)
ISK_KERNELS_matmul_batch(X)
#undef X
#define X(k, T)                                                                \
	static int multiply_##k(function fn, const struct product *p)              \
	{                                                                          \
		return (fn ? FN(k) : isk_oracle_check_##k)(p->c, p->a, p->b, p->m, p->n, p->depth, p->ldc, p->lda, \
		                                           p->ldb, p->transposed, p->post); \
	}
ISK_KERNELS_matmul(X)
#undef X
#define X(k, T)                                                                \
	static int multiply_##k(function fn, const struct product *p)              \
	{                                                                          \
		return (fn ? FN(k) : isk_oracle_check_##k)(p->c, p->a, p->b, p->batch, p->m, p->n, p->depth, p->ldc, \
		                                           p->lda, p->ldb, p->stride_c, p->stride_a, p->stride_b, \
		                                           p->transposed, p->post);    \
	}
ISK_KERNELS_matmul_batch(X)
#undef X

#define X(k, T)                                                                \
	static int conv_pack_##k(function fn, void *packed, const void *w, size_t bytes, \
	                         const struct isk_conv *conv)                      \
	{                                                                          \
		return (fn ? FN(k) : isk_oracle_##k)(packed, w, bytes, conv);          \
	}
ISK_KERNELS_conv_pack(X)
#undef X

#define X(k, A, B, C)                                                          \
	static double conv_##k(const void *x, const void *w, const struct isk_conv *conv, size_t pixel, \
	                       size_t o, const struct isk_post *post, double *scale)         \
	{                                                                          \
		return isk_oracle_##k(x, &(const struct isk_weights){.oihw = w}, conv, pixel, o, post, scale); \
	}                                                                          \
	static int convolve_##k(function fn, void *y, const void *x, const void *packed, \
	                        const struct isk_conv *conv, const struct isk_post *post) \
	{                                                                          \
		return (fn ? FN(k) : isk_oracle_check_##k)(y, x, packed, conv, post);  \
	}
ISK_KERNELS_conv(X)
#undef X

#define X(k)                                                                   \
	static void call_##k(function fn, struct args *a)                          \
	{                                                                          \
		a->result = FN(k)();                                                   \
	}
ISK_KERNELS_query(X)
#undef X

#define ISK_TYPE_f32  ISK_F32
#define ISK_TYPE_bf16 ISK_BF16
#define ISK_TYPE_f16  ISK_F16
#define ISK_TYPE_s8   ISK_S8

static const struct kernel kernels[] = {
#define X(k, T) {.name = #k, .drive = drive_elementwise, .in = ELEM_##T, .out = ELEM_##T, .inputs = 1, \
	             .call = call_##k, .map = isk_oracle_##k},
	ISK_KERNELS_map(X)
#undef X
#define X(k, T) {.name = #k, .drive = drive_elementwise, .in = ELEM_##T, .out = ELEM_##T, .inputs = 2, \
	             .call = call_##k, .zip = isk_oracle_##k},
	ISK_KERNELS_zip(X)
#undef X
#define X(k, F, T) {.name = #k, .drive = drive_elementwise, .in = ELEM_##F, .out = ELEM_##T, .inputs = 1, \
	                .call = call_##k, .convert = convert_##k, .exact_nan = 1},
	ISK_KERNELS_cvt(X)
	ISK_KERNELS_quantize(X)
	ISK_KERNELS_dequantize(X)
#undef X
#define X(k, T) {.name = #k, .drive = drive_reduce, .in = ELEM_##T, .out = ELEM_##T, .inputs = 1, \
	             .call = call_##k, .reduce = reduce_##k},
	ISK_KERNELS_reduce(X)
#undef X
#define X(k, T) {.name = #k, .drive = drive_reduce, .in = ELEM_##T, .out = ELEM_##T, .inputs = 2, \
	             .call = call_##k, .reduce = reduce_##k},
	ISK_KERNELS_reduce2(X)
#undef X
#define X(k, T) {.name = #k, .drive = drive_reduce, .in = ELEM_##T, .out = ELEM_size, .inputs = 1, \
	             .call = call_##k, .reduce = reduce_##k},
	ISK_KERNELS_index(X)
#undef X
#define X(k, T) {.name = #k, .drive = drive_rows, .in = ELEM_##T, .out = ELEM_##T, .inputs = 1, \
	             .call = call_##k, .row = row_##k},
	ISK_KERNELS_softmax(X)
#undef X
#define X(k, T) {.name = #k, .drive = drive_rows, .in = ELEM_##T, .out = ELEM_##T, .inputs = 3, \
	             .call = call_##k, .row = row_##k},
	ISK_KERNELS_norm(X)
#undef X
#define X(k, T) {.name = #k, .drive = drive_pool, .in = ELEM_##T, .out = ELEM_##T, .inputs = 1, \
	             .call = call_##k, .row = row_##k},
	ISK_KERNELS_pool(X)
#undef X
#define X(k, T) {.name = #k, .drive = drive_pack, .in = ELEM_##T, .pack = pack_##k, .type = ISK_TYPE_##T},
	ISK_KERNELS_pack(X)
#undef X
#define X(k, A, B, C) {.name = #k, .drive = drive_gemm, .in = ELEM_##A, .in2 = ELEM_##B, .out = ELEM_##C, \
	                   .gemm = gemm_##k, .check = check_##k, .type = ISK_TYPE_##B},
	ISK_KERNELS_gemm(X)
#undef X
#define X(k, T) {.name = #k, .drive = drive_transpose, .in = ELEM_##T, .out = ELEM_##T, .inputs = 1, \
	             .call = call_##k, .from = isk_oracle_##k},
	ISK_KERNELS_transpose(X)
#undef X
#define X(k, T) {.name = #k, .drive = drive_images, .in = ELEM_##T, .out = ELEM_##T, .inputs = 1, \
	             .call = call_##k, .from = isk_oracle_##k},
	ISK_KERNELS_images(X)
#undef X
#define X(k, T) {.name = #k, .drive = drive_matmul, .in = ELEM_##T, .in2 = ELEM_##T, .out = ELEM_##T, \
	             .inputs = 2, .matmul = matmul_##k, .multiply = multiply_##k},
	ISK_KERNELS_matmul(X)
#undef X
#define X(k, T) {.name = #k, .drive = drive_matmul_batch, .in = ELEM_##T, .in2 = ELEM_##T, .out = ELEM_##T, \
	             .inputs = 2, .matmul = matmul_##k, .multiply = multiply_##k},
	ISK_KERNELS_matmul_batch(X)
#undef X
#define X(k, T) {.name = #k, .drive = drive_conv_pack, .in = ELEM_##T, .inputs = 1, \
	             .conv_pack = conv_pack_##k, .type = ISK_TYPE_##T},
	ISK_KERNELS_conv_pack(X)
#undef X
#define X(k, A, B, C) {.name = #k, .drive = drive_conv, .in = ELEM_##A, .in2 = ELEM_##B, .out = ELEM_##C, \
	                   .inputs = 2, .conv = conv_##k, .convolve = convolve_##k, \
	                   .type = ISK_TYPE_##B},
	ISK_KERNELS_conv(X)
#undef X
#define X(k) {.name = #k, .drive = drive_query, .call = call_##k},
	ISK_KERNELS_query(X)
#undef X
};

const struct kernel *kernel_find(const char *name)
{
	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++)
		if (strcmp(kernels[i].name, name) == 0)
			return &kernels[i];
	return NULL;
}

/* AMX needs a permission that the library does not ask for where AMX is capped or disabled. */
int candidate_runs(const struct isk_candidate *c)
{
	if (!c->fn)
		return 0;
	if (c->state == ISK_CAPPED || c->state == ISK_DISABLED)
		return strcmp(c->isa, "amx") != 0;
	return c->state == ISK_USABLE || c->state == ISK_DEMOTED || c->state == ISK_PINNED;
}

/* Whether any kernel has a variant of this ISA that runs here. */
static int isa_runs(const char *isa)
{
	struct isk_candidate candidates[MOST_ISAS];
	struct isk_kernel_info info;

	for (size_t i = 0; isk_kernel_info(i, &info) == ISK_OK; i++) {
		const int listed = isk_candidates(info.name, candidates, MOST_ISAS);

		for (int j = 0; j < listed; j++)
			if (strcmp(candidates[j].isa, isa) == 0 && candidate_runs(&candidates[j]))
				return 1;
	}
	return 0;
}

/* All else that the compiler may emit for AMX's row must be there: the row it is made from. */
static int can_be_emulated(const struct isk_candidate *c)
{
	static int rest_runs = -1;
	const char *wish = getenv("ISK_TEST_AMX");

	if (!c->fn || strcmp(c->isa, "amx") != 0 || (wish && strcmp(wish, "off") == 0))
		return 0;
	if (rest_runs < 0)
		rest_runs = isa_runs("avx512_bf16");
	return rest_runs && (c->state == ISK_NO_CPU || c->state == ISK_NO_OS || c->state == ISK_NO_PERMISSION);
}

size_t variants_all(struct variant **variants, enum amx amx)
{
	struct isk_candidate candidates[MOST_ISAS];
	struct variant *all = calloc(isk_kernel_count() * MOST_ISAS, sizeof(*all));
	size_t count = 0;

	if (!all)
		abort();
	for (size_t i = 0; i < isk_kernel_count(); i++) {
		struct isk_kernel_info info;
		function twin = NULL;
		int listed;

		isk_kernel_info(i, &info);
		listed = isk_candidates(info.name, candidates, MOST_ISAS);
		for (int j = 0; j < listed; j++) {
			const struct isk_candidate *c = &candidates[j];
			const int baseline = strcmp(c->isa, "baseline") == 0;
			const char *error = baseline ? info.error_baseline : info.error;
			struct variant *v = &all[count++];

			*v = (struct variant){.kernel = kernel_find(info.name), .info = info, .isa = c->isa};
			snprintf(v->id, sizeof(v->id), "%s/%s", info.name, c->isa);
			snprintf(v->reason, sizeof(v->reason), "%s", c->reason);
			v->exact = strcmp(error, "exact") == 0;
			v->bound = v->exact ? 0 : strtod(error, NULL);
			v->emulated = amx == AMX_EMULATED && can_be_emulated(c);
			if (!candidate_runs(c) && !v->emulated)
				continue;
			v->fn = c->fn;
			if (baseline)
				continue;
			if (!twin)
				twin = c->fn;
			if (strcmp(info.bits, "same-amx") == 0 && strcmp(c->isa, "amx") == 0)
				v->other = twin;
			else if (strcmp(info.bits, "bound") != 0)
				v->twin = twin;
		}
	}
	*variants = all;
	return count;
}

void variant_call(struct variant *v, function fn, struct args *args)
{
	v->calls++;
	machine_enter();
	v->kernel->call(fn, args);
	machine_leave();
}

/*
 * Whether the error is allowed. ISK_TEST_MEASURE in the environment lets every
 * finite error pass: for who writes a kernel and wants to see what its bound is.
 */
static int allowed(double error, double bound)
{
	static int measure = -1;

	if (measure < 0)
		measure = getenv("ISK_TEST_MEASURE") != NULL;
	return error <= bound || (measure && error < 1e9);
}

static void remember(struct variant *v, double error, uint64_t at0, uint64_t at1)
{
	if (error > v->worst) {
		v->worst = error;
		v->worst_at[0] = at0;
		v->worst_at[1] = at1;
	}
}

struct text place(const struct variant *v, uint64_t at0, uint64_t at1)
{
	const struct kernel *k = v->kernel;
	const unsigned long long first = at0, second = at1;
	struct text text;

	if (k->map || k->convert)
		snprintf(text.s, sizeof(text.s), "x = %.50s", elem_text(k->in, at0).s);
	else if (k->zip)
		snprintf(text.s, sizeof(text.s), "a = %.50s, b = %.50s", elem_text(k->in, at0).s,
		         elem_text(k->in, at1).s);
	else if (k->reduce)
		snprintf(text.s, sizeof(text.s), "n = %llu", first);
	else if (k->convolve)
		snprintf(text.s, sizeof(text.s), "pixel %llu, output channel %llu", first, second);
	else if (k->drive == drive_images)
		snprintf(text.s, sizeof(text.s), "image %llu, element %llu", first, second);
	else
		snprintf(text.s, sizeof(text.s), "row %llu, column %llu", first, second);
	return text;
}

/* Of an output that is as it was before the call. */
static const char *unwritten(const struct variant *v, uint64_t bits)
{
	const size_t bytes = elem_bytes(v->kernel->out);

	if (!is_unwritten(bits, bytes))
		return "";
	/* Any byte may be a result as well. */
	return bytes > 1 ? ", not written" : ", perhaps not written";
}

void check_bits(const struct variant *v, uint64_t bits, uint64_t wanted, const char *what, uint64_t at0,
                uint64_t at1)
{
	const enum elem elem = v->kernel->out;

	if (v->kernel->exact_nan ? bits != wanted : !elem_same(elem, bits, wanted))
		wrong("at %s: got %s%s, wanted %s, %s", place(v, at0, at1).s, elem_text(elem, bits).s,
		      unwritten(v, bits), elem_text(elem, wanted).s, what);
}

static void wrong_value(const struct variant *v, uint64_t bits, double exact, double error, const char *unit,
                        uint64_t at0, uint64_t at1)
{
	wrong("at %s: got %s%s, wanted %.17g within %g %s; error %.4g %s", place(v, at0, at1).s,
	      elem_text(v->kernel->out, bits).s, unwritten(v, bits), exact, v->bound, unit, error, unit);
}

void check_ulps(struct variant *v, uint64_t bits, double exact, uint64_t at0, uint64_t at1)
{
	const enum elem elem = v->kernel->out;
	const double error = elem_is_float(elem) ? elem_ulps(elem, bits, exact)
	                                         : fabs(elem_value(elem, bits) - exact);

	v->checks++;
	if (!allowed(error, v->bound))
		wrong_value(v, bits, exact, error, "ulp", at0, at1);
	remember(v, error, at0, at1);
}

void check_error(struct variant *v, uint64_t bits, double exact, double error, double scale, double slack,
                 uint64_t at0, uint64_t at1)
{
	const double unit = 0x1p-24 * scale;

	v->checks++;
	if (!(error <= slack) && !allowed((error - slack) / unit, v->bound))
		wrong_value(v, bits, exact, error / unit, "units", at0, at1);
	if (error > slack)
		remember(v, (error - slack) / unit, at0, at1);
}

void check_scaled(struct variant *v, uint64_t bits, double exact, double scale, double slack, uint64_t at0,
                  uint64_t at1)
{
	const double got = elem_value(v->kernel->out, bits);

	check_error(v, bits, exact, isnan(got) && isnan(exact) ? 0 : got == exact ? 0 : fabs(got - exact), scale,
	            slack, at0, at1);
}

int has_amx_order(const struct variant *v)
{
	return v->other != NULL;
}

uint64_t without_denormal(uint64_t bits)
{
	return bits & 0x7f80 ? bits : bits & 0x8000;
}

void check_same(const struct variant *v, uint64_t bits, uint64_t twin, uint64_t at0, uint64_t at1)
{
	check_bits(v, bits, twin, "the bits of the lowest ISA with the same promise", at0, at1);
}

#define X(isa, lanes, built) {#isa, lanes},
static const struct {
	const char *isa;
	uint64_t lanes;
} isas[] = {ISK_ISAS(X)};
#undef X

/* A query tells the lanes of its variant: those of its row in the table. */
void drive_query(struct variant *v)
{
	struct args args = {0};

	variant_call(v, v->fn, &args);
	for (size_t i = 0; i < sizeof(isas) / sizeof(isas[0]); i++)
		if (strcmp(isas[i].isa, v->isa) == 0 && isas[i].lanes != args.result)
			wrong("got %llu lanes, wanted the %llu of the table", (unsigned long long)args.result,
			      (unsigned long long)isas[i].lanes);
	v->checks++;
}
