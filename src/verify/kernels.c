/* SPDX-License-Identifier: MIT */
/* Makes variants, as the drivers see them, from the tables. */
#include "kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "alone.h"
#include "asked.h"
#include "harness.h"
#include "isas.h"

const struct driver drivers[] = {
	{"query", drive_query, place_in_rows, 0},
	{"pack", drive_pack, place_in_rows, 0},
	{"pack_groups", drive_pack, place_in_rows, 0},
	{"gemm", drive_gemm, place_in_rows, 1},
	{"matmul", drive_matmul, place_in_rows, 1},
	{"matmul_batch", drive_matmul_batch, place_in_rows, 1},
	{"conv_pack", drive_conv_pack, place_in_rows, 0},
	{"conv", drive_conv, place_in_image, 1},
	{"transposed_pack", drive_conv_transpose_pack, place_in_rows, 0},
	{"conv_transpose", drive_conv_transpose, place_in_image, 1},
	{NULL, drive_any, place_in_any, 1},
	{NULL, drive_elementwise, place_of_inputs, 1},
};

/* Whether each element of y depends only on the inputs at its own index, all of one type. */
static int is_elementwise(const struct isk_shape *shape)
{
	const struct isk_argument *input = NULL;
	int outputs = 0;

	for (int i = 0; i < shape->count; i++) {
		const struct isk_argument *a = &shape->arguments[i];

		if (a->role == ISK_STRUCT || a->role == ISK_STRIDE || (a->extents && a->extents != 1) || a->null || a->inout)
			return 0;
		if (a->extents && a->extent[0].size != shape->arguments[0].extent[0].size)
			return 0;
		if (a->role == ISK_IN && input && (a->type != input->type || a->variable != input->variable))
			return 0;
		if (a->role == ISK_IN)
			input = a;
		outputs += a->role == ISK_OUT;
	}
	return outputs == 1 && input && shape->returns == ISK_RETURNS_NOTHING;
}

static const struct driver *driver_of(const struct isk_shape *shape)
{
	const struct driver *d = drivers;

	while (d->shape && strcmp(d->shape, shape->name) != 0)
		d++;
	if (d->shape)
		return d;
	/* Values drawn at random do not do for structs. */
	for (int i = 0; i < shape->count; i++)
		if (shape->arguments[i].role == ISK_STRUCT)
			return NULL;
	return is_elementwise(shape) ? d + 1 : d;
}

void variant_of(struct variant *v, const char *kernel)
{
	const int number = asked.kernel_find(kernel);

	v->info.size = sizeof(v->info);
	if (number < 0 || asked.kernel_info((size_t)number, &v->info))
		abort();
	/* The library may be another build than the one that this program was made with. */
	if ((size_t)number >= asked.described->count || strcmp(asked.described->kernels[number].name, kernel) != 0)
		return;
	v->kernel = &asked.described->kernels[number];
	v->form = asked.described->forms[number];
	v->driver = driver_of(v->kernel->shape);
}

static void set_bound(struct variant *v, const char *error)
{
	v->exact = strcmp(error, "exact") == 0;
	v->bound = v->exact ? 0 : strtod(error, NULL);
}

/* Of this number of calls on many elements, one is made, because they take most of the time; 0: all are made. */
static size_t one_of_calls(void)
{
	const char *many = getenv("ISK_TEST_MANY");

	return getenv("ISK_TEST_SLOW") ? 0 : many ? strtoul(many, NULL, 10) : 6;
}

struct variant reference_of(const char *kernel)
{
	struct variant v = {.isa = "reference", .fn = asked.reference(kernel), .reason = "no references beside the library",
	                    .one_of = one_of_calls()};

	variant_of(&v, kernel);
	snprintf(v.id, sizeof(v.id), "%s/%s", kernel, v.isa);
	set_bound(&v, v.info.error);
	return v;
}

size_t candidates_of(const char *kernel, struct isk_candidate **candidates)
{
	const size_t count = asked.isa_count();

	*candidates = calloc(count, sizeof(**candidates));
	if (!*candidates)
		abort();
	(*candidates)->size = sizeof(**candidates);
	return (size_t)asked.candidates(kernel, *candidates, count);
}

/* If AMX is capped or disabled, the library has not asked the kernel for its permission. */
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
	struct isk_candidate *candidates;
	int runs = 0;

	for (size_t i = 0; i < asked.described->count && !runs; i++) {
		const size_t listed = candidates_of(asked.described->kernels[i].name, &candidates);

		for (size_t j = 0; j < listed; j++)
			runs |= strcmp(candidates[j].isa, isa) == 0 && candidate_runs(&candidates[j]);
		free(candidates);
	}
	return runs;
}

/*
 * Whether the instructions that this candidate adds to avx512_bf16 can be emulated. The CPU must have the features of
 * avx512_bf16, because the compiler may use them as well.
 */
static int can_be_emulated(const struct isk_candidate *c)
{
	static int rest_runs = -1;
	const char *wish = getenv("ISK_TEST_EMULATOR");

	if (!c->fn || (strcmp(c->isa, "amx") != 0 && strcmp(c->isa, "avx512_fp16") != 0) || (wish && strcmp(wish, "off") == 0))
		return 0;
	if (rest_runs < 0)
		rest_runs = isa_runs("avx512_bf16");
	return rest_runs && (c->state == ISK_NO_CPU || c->state == ISK_NO_OS || c->state == ISK_NO_PERMISSION);
}

size_t variants_all(struct variant **variants, enum missing missing)
{
	struct variant *all = calloc(asked.kernel_count() * asked.isa_count() + 1, sizeof(*all));
	size_t count = 0;

	if (!all)
		abort();
	for (size_t i = 0; i < asked.kernel_count(); i++) {
		struct isk_kernel_info info = {.size = sizeof(info)};
		struct isk_candidate *candidates;
		isk_function twin = NULL;
		size_t listed;

		asked.kernel_info(i, &info);
		listed = candidates_of(info.name, &candidates);
		for (size_t j = 0; j < listed; j++) {
			const struct isk_candidate *c = &candidates[j];
			const int baseline = strcmp(c->isa, "baseline") == 0;
			struct variant *v = &all[count++];

			*v = (struct variant){.isa = c->isa, .one_of = one_of_calls()};
			variant_of(v, info.name);
			snprintf(v->id, sizeof(v->id), "%s/%s", info.name, c->isa);
			snprintf(v->reason, sizeof(v->reason), "%s", c->reason);
			set_bound(v, baseline ? info.error_baseline : info.error);
			v->emulated = missing == EMULATED && can_be_emulated(c);
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
		free(candidates);
	}
	*variants = all;
	return count;
}

int is_reference(const struct variant *v)
{
	return strcmp(v->isa, "reference") == 0;
}

void variant_link(struct variant **last, struct variant *v)
{
	if (!v->fn || !v->driver || !v->driver->together || v->emulated || strcmp(v->isa, "amx") == 0)
		return;
	if (*last && (*last)->kernel == v->kernel)
		(*last)->next = v;
	*last = v;
}

void each_alone(struct variant *v, void (*test)(struct variant *v))
{
	const uint64_t seed = random_bits(), after = random_bits();

	for (struct variant *each = v, *next; each; each = next) {
		next = each->next;
		each->next = NULL;
		random_begin(seed);
		test(each);
		each->next = next;
	}
	random_begin(after);
}

int has_twin(const struct variant *v)
{
	return v->twin && v->twin != v->fn;
}

int promises_bits(const struct variant *v)
{
	return v->twin || has_amx_order(v);
}

const struct variant *first_promising(const struct variant *v)
{
	while (v && !promises_bits(v))
		v = v->next;
	return v;
}

size_t step_to_next(size_t parts)
{
	return 1 + random_below(parts + 1);
}

void spare(struct variant *v)
{
	for (; v; v = v->next)
		v->is_spared = is_reference(v) && v->one_of && random_peek() % 16;
}

struct variant *taking_part(struct variant *v)
{
	while (v && v->is_spared)
		v = v->next;
	return v;
}

/* Ends the test after ISK_TEST_SECONDS of work under emulation, as passed, because its calls so far were right. */
static void end_if_late(void)
{
	static double most = -1;
	struct timespec worked;

	if (most < 0)
		most = getenv("ISK_TEST_SECONDS") ? strtod(getenv("ISK_TEST_SECONDS"), NULL) : 0;
	if (most == 0)
		return;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &worked);
	if ((double)worked.tv_sec + (double)worked.tv_nsec * 1e-9 >= most)
		alone_cut();
}

void variant_call(struct variant *v, isk_function fn, union isk_args *args)
{
	end_if_late();
	v->calls++;
	v->is_calling = 1;
	machine_enter();
	v->kernel->call(fn, args);
	machine_leave();
	v->is_calling = 0;
}

int has_amx_order(const struct variant *v)
{
	return v->other != NULL;
}

uint64_t without_denormal(uint64_t bits)
{
	return bits & 0x7f80 ? bits : bits & 0x8000;
}

#define X(isa, lanes, ...) {#isa, lanes},
static const struct {
	const char *isa;
	uint64_t lanes;
} isas[] = {ISK_ISAS(X)};
#undef X

/* A query returns the lanes of its variant, which its row in the table gives. */
void drive_query(struct variant *v)
{
	union isk_args args = {{0}};

	variant_call(v, v->fn, &args);
	for (size_t i = 0; i < sizeof(isas) / sizeof(isas[0]); i++)
		if (strcmp(isas[i].isa, v->isa) == 0 && isas[i].lanes != args.result.size)
			wrong("got %zu lanes, wanted the %llu of the table", args.result.size,
			      (unsigned long long)isas[i].lanes);
	v->checks++;
}
