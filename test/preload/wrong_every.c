/* SPDX-License-Identifier: MIT */
/*
 * Makes every kernel wrong, or the one that WRONG_KERNEL names: flips one bit of the first output, or of the
 * returned value if there is no output.
 */
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "elements.h"
#include "preload.h"

const char isk_preload_name[] = "wrong-every";

/* The uppermost bit of an exponent; in an integer, a bit that no rounding reaches. */
static uint64_t flipped(enum isk_type type)
{
	return isk_element_is_float(type) ? isk_sign_bit(type) >> 1 : isk_element_width(type) == 4 ? 4 : 0x40;
}

void isk_interpose(size_t k, union isk_args *args)
{
	const struct isk_kernel *const kernel = &isk_kernels[k];
	const struct isk_argument *const first = kernel->shape->arguments;
	const enum isk_type type = isk_result_type(kernel);
	const char *const only = getenv("WRONG_KERNEL");

	kernel->call(isk_next(k), args);
	if (only && strcmp(only, kernel->name) != 0)
		return;
	if (kernel->shape->count && first->role == ISK_OUT && *(void **)isk_argument_at(args, first)) {
		const enum isk_type of = isk_argument_type(kernel, first);
		void *const y = *(void **)isk_argument_at(args, first);

		isk_element_set_bits(of, y, 0, isk_element_bits(of, y, 0) ^ flipped(of));
	} else if (type) {
		isk_element_set_bits(type, &args->result, 0, isk_element_bits(type, &args->result, 0) ^ flipped(type));
	}
}
