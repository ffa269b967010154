/* SPDX-License-Identifier: MIT */
#include "inputs.h"

#include "checksum.h"
#include "outputs.h"

#define BLOCK ((size_t)1 << 20)

int inputs_are_all(const struct isk_kernel *k)
{
	int counts[ISK_STRUCT + 1] = {0}, in = 0;

	for (int i = 0; i < k->shape->count; i++) {
		const struct isk_argument *a = &k->shape->arguments[i];

		counts[a->role]++;
		if (a->role == ISK_IN)
			in = i;
		if (a->inout || a->packed || a->extents > 1 || (a->extents && a->extent[0].stride >= 0))
			return 0;
	}
	return k->shape->count == 3 && counts[ISK_OUT] == 1 && counts[ISK_IN] == 1 && counts[ISK_SIZE] == 1
	       && isk_argument_type(k, &k->shape->arguments[in]) == ISK_F32 && k->shape->returns == ISK_RETURNS_NOTHING;
}

/* Makes NaNs canonical. T is a type that the compiler knows, because there are many elements. */
#define CANONICAL(T, y, limit, nan)                                                  \
	for (size_t i = 0; i < BLOCK; i++)                                               \
		((T *)(y))[i] = (((T *)(y))[i] & (((T)-1) >> 1)) > (T)(limit) ? (T)(nan) : ((T *)(y))[i]

static __attribute__((noinline)) void all_canonical(enum isk_type type, void *y)
{
	const uint64_t limit = greatest_but_nan(type), nan = canonical_nan(type);

	switch (isk_element_bytes(type)) {
	case 8:
		CANONICAL(uint64_t, y, limit, nan);
		break;
	case 4:
		CANONICAL(uint32_t, y, limit, nan);
		break;
	case 2:
		CANONICAL(uint16_t, y, limit, nan);
		break;
	default:
		CANONICAL(uint8_t, y, limit, nan);
	}
}

/* Sets up a call on a block of inputs, with results to y. Returns the type of the results. */
static enum isk_type call_of(const struct isk_kernel *k, union isk_args *args, uint32_t *x, uint64_t *y)
{
	enum isk_type type = ISK_F32;

	for (int i = 0; i < k->shape->count; i++) {
		const struct isk_argument *a = &k->shape->arguments[i];

		if (a->role == ISK_SIZE) {
			*(size_t *)isk_argument_at(args, a) = BLOCK;
		} else if (a->role == ISK_OUT) {
			type = isk_argument_type(k, a);
			*(void **)isk_argument_at(args, a) = y;
		} else {
			*(void **)isk_argument_at(args, a) = x;
		}
	}
	return type;
}

uint32_t inputs_range(const struct isk_kernel *k, isk_function fn, size_t range, uint64_t blocks[RANGE_BLOCKS])
{
	static uint32_t x[BLOCK];
	static uint64_t y[BLOCK];
	union isk_args args = {{0}};
	const enum isk_type type = call_of(k, &args, x, y);

	for (size_t block = 0; block < RANGE_BLOCKS; block++) {
		for (size_t i = 0; i < BLOCK; i++)
			x[i] = input_of_range(range) + input_of_block(block) + (uint32_t)i;
		k->call(fn, &args);
		if (isk_format_of(type).has_nan)
			all_canonical(type, y);
		blocks[block] = checksum_of(y, isk_bytes_of(type, BLOCK));
	}
	return (uint32_t)(checksum_of(blocks, RANGE_BLOCKS * sizeof(*blocks)) >> 32);
}
