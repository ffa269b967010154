/* SPDX-License-Identifier: MIT */
#include "arguments.h"

#include <stdlib.h>
#include <string.h>

struct arguments arguments_of(const struct isk_kernel *k)
{
	struct arguments all = {.kernel = k};

	for (int i = 0; i < k->shape->count; i++)
		switch (argument(k, i)->role) {
		case ISK_OUT:
			all.outs[all.out_count++] = i;
			break;
		case ISK_IN:
			all.ins[all.in_count++] = i;
			break;
		case ISK_SIZE:
			all.sizes[all.size_count++] = i;
			break;
		case ISK_STRIDE:
			all.strides[all.stride_count++] = i;
			break;
		case ISK_VALUE:
			all.values[all.value_count++] = i;
			break;
		case ISK_STRUCT:
			wrong("shape '%s' has a struct, and no driver of its own", k->shape->name);
		}
	if (all.out_count + all.in_count > SLOTS)
		wrong("shape '%s' has more than %d arrays", k->shape->name, SLOTS);
	return all;
}

void **pointer_at(const struct isk_kernel *k, union isk_args *args, int i)
{
	return isk_argument_at(args, argument(k, i));
}

size_t *size_at(const struct isk_kernel *k, union isk_args *args, int i)
{
	return isk_argument_at(args, argument(k, i));
}

size_t argument_span(const struct isk_kernel *k, union isk_args *args, int i, int level)
{
	return argument_parts(k, i) * isk_argument_span(k, args, argument(k, i), level);
}

size_t argument_step(const struct isk_kernel *k, union isk_args *args, int i)
{
	const struct isk_argument *a = argument(k, i);

	return a->extent[0].stride < 0 ? SIZE_MAX : argument_parts(k, i) * *size_at(k, args, a->extent[0].stride);
}

size_t argument_bytes(const struct isk_kernel *k, union isk_args *args, int i)
{
	return isk_bytes_of(argument_type(k, i), argument_span(k, args, i, 0));
}

int is_element(const struct isk_kernel *k, union isk_args *args, int i, size_t e)
{
	const struct isk_argument *a = argument(k, i);

	for (int level = 0; level < a->extents && a->extent[level].stride >= 0; level++) {
		const size_t step = argument_parts(k, i) * *size_at(k, args, a->extent[level].stride);

		if (e % step >= argument_span(k, args, i, level + 1))
			return 0;
		e %= step;
	}
	return 1;
}

/* Tells the harness the rows that the call may write. */
static void expect(const struct isk_kernel *k, union isk_args *args, int i, enum slot slot)
{
	const struct isk_argument *a = argument(k, i);
	const enum isk_type type = argument_type(k, i);
	const size_t step = argument_step(k, args, i);
	const size_t all = argument_bytes(k, args, i);

	if (step == SIZE_MAX || !all)
		slot_expect_rows(slot, 1, all, all);
	else
		slot_expect_rows(slot, *size_at(k, args, a->extent[0].size), isk_bytes_of(type, argument_span(k, args, i, 1)),
		                 isk_bytes_of(type, step));
}

/* The slot of an array. Slots are numbered like the outputs and inputs among the arguments. */
static enum slot slot_of(const struct isk_kernel *k, int i)
{
	int slot = 0;

	for (int j = 0; j < i; j++)
		slot += argument(k, j)->role == ISK_OUT || argument(k, j)->role == ISK_IN;
	return (enum slot)slot;
}

void argument_put(const struct isk_kernel *k, union isk_args *args, int i, struct spot spot, const void *data)
{
	const enum slot slot = slot_of(k, i);

	slot_name(slot, argument(k, i)->name);
	*pointer_at(k, args, i) = slot_put(slot, spot.edge, spot.offset, data, argument_bytes(k, args, i));
	if (argument(k, i)->role == ISK_OUT)
		expect(k, args, i, slot);
}

void argument_in_place(const struct isk_kernel *k, union isk_args *args, int i, int j)
{
	*pointer_at(k, args, i) = *pointer_at(k, args, j);
	expect(k, args, i, slot_of(k, j));
}

uint64_t result_bits(const struct isk_kernel *k, const union isk_args *args)
{
	return isk_element_bits(isk_result_type(k), &args->result, 0);
}

/* A sink that keeps the results that the oracle gives it. */
struct keeper {
	struct isk_sink sink;
	const struct isk_kernel *kernel;
	union isk_args *args;
	struct answers *answers;
};

static struct exact *entry(struct isk_sink *s, const void *y, size_t i)
{
	const struct keeper *k = (const struct keeper *)s;

	if (y == &k->args->result)
		return &k->answers->result;
	for (int j = 0; j < k->kernel->shape->count; j++)
		if (k->answers->of[j] && y == *pointer_at(k->kernel, k->args, j))
			return &k->answers->of[j][i];
	abort();
}

static void keep(struct isk_sink *s, void *y, size_t i, enum isk_type type, long double value, long double scale,
                 size_t underflows)
{
	(void)type;
	*entry(s, y, i) = (struct exact){VALUE, 0, value, scale, underflows};
}

static void keep_bits(struct isk_sink *s, void *y, size_t i, enum isk_type type, uint64_t bits)
{
	*entry(s, y, i) = (struct exact){.given = BITS, .bits = bits};
	/* A row that ends in the middle of a byte: the other half of that byte must be 0. */
	if (isk_shares_byte(type) && i % 2 == 0)
		*entry(s, y, i + 1) = (struct exact){.given = BITS};
}

struct answers answers_of(const struct variant *v, union isk_args *args)
{
	const struct isk_kernel *k = v->kernel;
	struct answers answers = {{NULL}, {.given = NOT_GIVEN}};
	struct keeper keeper = {{keep, keep_bits}, k, args, &answers};

	for (int i = 0; i < k->shape->count; i++)
		if (argument(k, i)->role == ISK_OUT && !(answers.of[i] = calloc(argument_span(k, args, i, 0) + 1,
		                                                                  sizeof(struct exact))))
			abort();
	v->form(&keeper.sink, args);
	return answers;
}

void answers_free(struct answers *answers)
{
	for (int i = 0; i < MOST_ARGUMENTS; i++)
		free(answers->of[i]);
}
