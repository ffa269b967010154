/* SPDX-License-Identifier: MIT */
/*
 * Asking the library. These are ordinary functions, called when libc stands;
 * they go through the very functions that the resolvers go through, so that an
 * answer never differs from what a call does.
 */
#include <string.h>

#include "explain.h"
#include "isakern.h"
#include "names.h"
#include "resolve.h"

#define TEXT2(x) #x
#define TEXT(x)  TEXT2(x)

ISK_API const char *isk_version(void)
{
	return TEXT(ISK_VERSION_MAJOR) "." TEXT(ISK_VERSION_MINOR) "." TEXT(ISK_VERSION_PATCH);
}

static const char *highest(uint32_t isas)
{
	return isk_isa_names[31 - __builtin_clz(isas)];
}

ISK_API const char *isk_isa_current(void)
{
	uint32_t allowed = ISK_WORD_ALLOWED(isk_look());

	/* What a kernel with an AMX variant would find out. */
	if (allowed >> ISK_ISA_amx == 1 && isk_ask_amx() & ISK_WORD_AMX_NO)
		allowed &= ~ISK_BIT(amx);
	return highest(allowed);
}

ISK_API const char *isk_isa_cpu(void)
{
	struct isk_features features;

	isk_detect(&features);
	return highest(isk_isa_set(&features.active));
}

ISK_API const char *isk_isa_binary(void)
{
	return highest(ISK_BUILT);
}

ISK_API size_t isk_isa_count(void)
{
	return ISK_ISA_COUNT;
}

ISK_API const char *isk_isa_name(size_t i)
{
	return i < ISK_ISA_COUNT ? isk_isa_names[i] : NULL;
}

ISK_API size_t isk_kernel_count(void)
{
	return ISK_KERNEL_COUNT;
}

static const char *next(const char *text)
{
	return text + strlen(text) + 1;
}

ISK_API int isk_kernel_info(size_t i, struct isk_kernel_info *info)
{
	if (i >= ISK_KERNEL_COUNT)
		return ISK_ERR_KERNEL;
	info->name = isk_kernel_text(i);
	info->shape = next(info->name);
	info->bits = next(info->shape);
	info->error = next(info->bits);
	info->error_baseline = next(info->error);
	info->summary = next(info->error_baseline);
	return ISK_OK;
}

/* The ISAs the table lists for kernel i: what is known even where its row is not linked. */
static uint32_t listed(size_t i)
{
	static const uint32_t isas[] = {ISK_KERNEL_ISAS};

	return isas[i];
}

static int number_of(const char *kernel)
{
	return kernel ? isk_kernel_number(kernel) : -1;
}

static void describe(struct isk_candidate *c, enum isk_isa isa, const struct isk_row *row,
                     struct isk_choice choice)
{
	struct isk_line line = {0};

	*c = (struct isk_candidate){.isa = isk_isa_names[isa], .state = ISK_NOT_LINKED};
	if (row) {
		c->state = isk_state(row, isa, choice);
		c->bound = choice.isa == isa;
		c->fn = (void (*)(void))(uintptr_t)isk_at(row, row->variant[isa]);
		if (c->bound)
			isk_explain_choice(&line, row, choice);
	}
	if (!c->bound)
		isk_explain(&line, row, isa, c->state);
	/* Left with its terminating zero: *c was cleared. */
	memcpy(c->reason, line.text,
	       line.length < sizeof(c->reason) ? line.length : sizeof(c->reason) - 1);
}

ISK_API int isk_candidates(const char *kernel, struct isk_candidate *out, size_t max)
{
	const int number = number_of(kernel);
	struct isk_choice choice = {0};
	const struct isk_row *row;
	int count = 0;

	if (number < 0)
		return ISK_ERR_KERNEL;
	row = isk_row((size_t)number);
	if (row)
		choice = isk_choose(row);
	for (int isa = 0; isa < ISK_ISA_COUNT; isa++) {
		if (!(listed((size_t)number) >> isa & 1))
			continue;
		if ((size_t)count < max)
			describe(&out[count], (enum isk_isa)isa, row, choice);
		count++;
	}
	return count;
}

static const struct isk_row *row_of(const char *kernel)
{
	const int number = number_of(kernel);

	return number < 0 ? NULL : isk_row((size_t)number);
}

ISK_API void (*isk_bound(const char *kernel))(void)
{
	const struct isk_row *row = row_of(kernel);

	return row ? (void (*)(void))(uintptr_t)isk_at(row, row->variant[isk_choose(row).isa]) : NULL;
}

ISK_API void (*isk_reference(const char *kernel))(void)
{
	const struct isk_row *row = row_of(kernel);

	return row ? (void (*)(void))(uintptr_t)isk_at(row, row->reference) : NULL;
}
