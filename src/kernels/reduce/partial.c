/* SPDX-License-Identifier: MIT */
/* Sums in parts: reads the names of kernels, and calls the variants of the highest ISA. sum_lines.c computes. */
#include "partial.h"

#include <string.h>

#include "formats.h"
#include "isas.h"
#include "names.h"
#include "parts.h"
#include "resolve.h"

/* An operation: its name without _strided, the reduction that has its lines, and the number of arrays that it takes. */
struct operation {
	char name[8];
	enum part part;
	int arrays, is_mean;
};
static const struct operation operations[] = {
	{"sum", P_SUM, 1, 0}, {"mean", P_SUM, 1, 1},  {"asum", P_SIZE, 1, 0}, {"sumsq", P_SCALED, 1, 0},
	{"dot", P_DOT, 2, 0}, {"l2sq", P_L2SQ, 2, 0}, {"l1", P_L1, 2, 0},     {"cosine", P_COSINE, 2, 0},
};
static const struct {
	char name[8];
	enum isk_type type;
} types[] = {{"f32", ISK_F32}, {"f64", ISK_F64}, {"bf16", ISK_BF16}, {"f16", ISK_F16}};

/* The parts of a kernel's name. type is 0 if the kernel has no partial sums. */
struct named {
	const struct operation *operation;
	enum isk_type type;
	int is_strided;
};

static struct named named(const char *kernel)
{
	struct named k = {0};
	size_t length = 0;

	for (size_t i = 0; kernel && i < sizeof(operations) / sizeof(operations[0]) && !k.operation; i++) {
		length = strlen(operations[i].name);
		if (!strncmp(kernel, operations[i].name, length) && kernel[length] == '_')
			k.operation = &operations[i];
	}
	if (!k.operation)
		return k;
	kernel += length + 1;
	if (k.operation->arrays == 1 && !strncmp(kernel, "strided_", 8)) {
		k.is_strided = 1;
		kernel += 8;
	}
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (!strcmp(kernel, types[i].name))
			k.type = types[i].type;
	return k;
}

/* The function of an ISA's source and a type. ISAs without a variant of their own have that of a lower one. */
#define LOOK_UP(type, isa) ISK_PASTE4(ISK_PREFIX, _partial_##type, __, ISK_PASTE2(ISK_PART_sum_lines_, isa))
#define X(isa, ...)                                                            \
	extern __attribute__((visibility("hidden"))) isk_partial_look_up LOOK_UP(f32, isa), LOOK_UP(f64, isa), \
		LOOK_UP(bf16, isa), LOOK_UP(f16, isa);
ISK_ISAS(X)
#undef X

static struct isk_partial_functions functions_of(enum isk_isa isa, enum isk_type type)
{
	switch (isa) {
#define X(isa, ...)                                                            \
	case ISK_ISA_##isa:                                                        \
		return type == ISK_F32    ? LOOK_UP(f32, isa)()                        \
		       : type == ISK_F64  ? LOOK_UP(f64, isa)()                        \
		       : type == ISK_BF16 ? LOOK_UP(bf16, isa)()                       \
		                          : LOOK_UP(f16, isa)();
		ISK_ISAS(X)
#undef X
	default:
		return (struct isk_partial_functions){0};
	}
}

ISK_API int isk_partial_sums(struct isk_partial *parts, const char *kernel, const void *a, const void *b, size_t n,
                             size_t incx, size_t length)
{
	const struct named k = named(kernel);
	const int has_two = k.operation && k.operation->arrays == 2;
	struct isk_partial_functions functions;

	if (!kernel || (n && (!parts || !a || (has_two && !b))))
		return ISK_ERR_NULL;
	if (!k.type)
		return ISK_ERR_KERNEL;
	if (length < ISK_LEAST_LENGTH || length & (length - 1))
		return ISK_ERR_SIZE;
	if (incx != 1 && !k.is_strided)
		return ISK_ERR_STRIDE;
	functions = functions_of(isk_level(), k.type);
	for (size_t at = 0; at < n; at += length, parts++) {
		const size_t bytes = at * incx * isk_element_bytes(k.type);

		functions.lines(parts, k.operation->part, (const char *)a + bytes, has_two ? (const char *)b + bytes : NULL,
		                n - at < length ? n - at : length, incx);
	}
	return ISK_OK;
}

ISK_API int isk_partial_result(double *result, const char *kernel, const struct isk_partial *parts, size_t count, size_t n)
{
	const struct named k = named(kernel);

	if (!result || !kernel || (count && !parts))
		return ISK_ERR_NULL;
	if (!k.type)
		return ISK_ERR_KERNEL;
	*result = functions_of(isk_level(), k.type).result(k.operation->part, parts, count, k.operation->is_mean ? n : 1);
	return ISK_OK;
}
