/* SPDX-License-Identifier: MIT */
/*
 * Questions to the library. These are ordinary functions, called when libc is
 * initialised. They use the same functions as the resolvers, so that their answers
 * agree with the variants that calls reach.
 */
#include <dlfcn.h>
#include <limits.h>
#include <string.h>

#include "explain.h"
#include "isakern/library.h"
#include "kernels.h"
#include "names.h"
#include "resolve.h"
#include "say.h"

ISK_API const char *isk_version(void)
{
	return ISK_TEXT(ISK_VERSION_MAJOR) "." ISK_TEXT(ISK_VERSION_MINOR) "." ISK_TEXT(ISK_VERSION_PATCH);
}

/* An array of arrays, because pointers would need relocation. */
static const char sentences[][64] = {
	[-ISK_OK] = "success",
	[-ISK_ERR_NULL] = "a pointer is NULL that must not be",
	[-ISK_ERR_SIZE] = "the product of the sizes overflows",
	[-ISK_ERR_STRIDE] = "a stride is smaller than its row",
	[-ISK_ERR_SPACE] = "the buffer for the packed matrix is too small",
	[-ISK_ERR_PACKED] = "not a packed matrix or accumulator, or damaged",
	[-ISK_ERR_VERSION] = "packed or saved by a newer isakern",
	[-ISK_ERR_TYPE] = "packed or saved for another element type",
	[-ISK_ERR_SHAPE] = "sizes do not fit: another k, too few columns, or no pixels",
	[-ISK_ERR_POST] = "a post-operation does not exist or does not apply",
	[-ISK_ERR_KERNEL] = "no kernel of that name",
	[-ISK_ERR_INDEX] = "an index is out of range",
	[-ISK_ERR_STRUCT] = "a struct has a size or a value that this isakern has not",
	[-ISK_ERR_CONV] = "no such convolution: a size that is 0, or groups",
};

ISK_API const char *isk_strerror(int status)
{
	const int count = sizeof(sentences) / sizeof(sentences[0]);

	return status <= 0 && status > -count ? sentences[-status] : "unknown status";
}

static const char *highest(uint32_t isas)
{
	return isk_isa_names[31 - __builtin_clz(isas)];
}

enum isk_isa isk_level(void)
{
	uint32_t allowed = ISK_WORD_ALLOWED(isk_look());

	/* A kernel with a variant at that ISA would ask the OS, so ask here too. */
	if (ISK_ASKED >> (31 - __builtin_clz(allowed)) & 1 && isk_ask() & ISK_WORD_REFUSED)
		allowed &= ~ISK_ASKED;
	return (enum isk_isa)(31 - __builtin_clz(allowed));
}

ISK_API const char *isk_isa_current(void)
{
	return isk_isa_names[isk_level()];
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

/*
 * Copies as much of an answer as fits the caller's struct. The caller has set the
 * field size to the size that it was compiled with, which is at least `least`, the
 * size of the first version of that struct. The field size itself stays.
 */
static int give(void *to, const void *answer, size_t size, size_t least)
{
	size_t room;

	memcpy(&room, to, sizeof(room));
	if (room < least)
		return ISK_ERR_STRUCT;
	memcpy((char *)to + sizeof(room), (const char *)answer + sizeof(room),
	       (room < size ? room : size) - sizeof(room));
	return ISK_OK;
}

static const char *next(const char *text)
{
	return text + strlen(text) + 1;
}

ISK_API int isk_kernel_info(size_t i, struct isk_kernel_info *info)
{
	struct isk_kernel_info all;

	if (!info)
		return ISK_ERR_NULL;
	if (i >= ISK_KERNEL_COUNT)
		return ISK_ERR_KERNEL;
	all.name = isk_kernel_text(i);
	all.shape = next(all.name);
	all.family = next(all.shape);
	all.since = next(all.family);
	all.bits = next(all.since);
	all.error = next(all.bits);
	all.error_baseline = next(all.error);
	all.summary = next(all.error_baseline);
	return give(info, &all, sizeof(all), sizeof(all));
}

/* The ISAs that the table lists for kernel i. They are known even if its row is not linked. */
static uint32_t listed(size_t i)
{
	static const uint32_t isas[] = {ISK_KERNEL_ISAS};

	return isas[i];
}

/* The answer of isk_kernel_find(). The library does not call its own public names, because others may replace them. */
static int number_of(const char *kernel)
{
	const int number = kernel ? isk_kernel_number(kernel) : -1;

	return number < 0 ? ISK_ERR_KERNEL : number;
}

ISK_API int isk_kernel_find(const char *kernel)
{
	return number_of(kernel);
}

static void describe(struct isk_candidate *c, enum isk_isa isa, const struct isk_row *row,
                     struct isk_choice choice)
{
	struct isk_line line = {0};

	*c = (struct isk_candidate){.isa = isk_isa_names[isa], .state = ISK_NOT_LINKED};
	if (row) {
		c->state = isk_state_of(row, isa, choice);
		c->bound = choice.isa == isa;
		c->fn = (void (*)(void))(uintptr_t)isk_at(row, row->variant[isa]);
		if (c->bound)
			isk_explain_choice(&line, row, choice);
	}
	if (!c->bound)
		isk_explain(&line, row, isa, c->state);
	/* A zero terminates it, because *c was cleared. */
	memcpy(c->reason, line.text,
	       line.length < sizeof(c->reason) ? line.length : sizeof(c->reason) - 1);
}

ISK_API int isk_candidates(const char *kernel, struct isk_candidate *out, size_t max)
{
	const int number = number_of(kernel);
	struct isk_choice choice = {0};
	const struct isk_row *row;
	const size_t step = max && out ? out->size : 0;
	int count = 0;

	if (number < 0)
		return number;
	if (max && !out)
		return ISK_ERR_NULL;
	row = isk_row_of((size_t)number);
	if (row)
		choice = isk_choose(row);
	for (int isa = 0; isa < ISK_ISA_COUNT; isa++) {
		struct isk_candidate c;

		if (!(listed((size_t)number) >> isa & 1))
			continue;
		if ((size_t)count < max) {
			char *const to = (char *)out + (size_t)count * step;

			describe(&c, (enum isk_isa)isa, row, choice);
			memcpy(to, &step, sizeof(step));
			if (give(to, &c, sizeof(c), sizeof(c)))
				return ISK_ERR_STRUCT;
		}
		count++;
	}
	return count;
}

static const struct isk_row *row_of(const char *kernel)
{
	const int number = number_of(kernel);

	return number < 0 ? NULL : isk_row_of((size_t)number);
}

ISK_API void (*isk_bound(const char *kernel))(void)
{
	const struct isk_row *row = row_of(kernel);

	return row ? (void (*)(void))(uintptr_t)isk_at(row, row->variant[isk_choose(row).isa]) : NULL;
}

#ifndef ISK_STATIC
/*
 * References call libm, which takes longer to load than this library. So the shared library holds none and loads
 * ISK_REFERENCES, the library for LD_PRELOAD, from its own folder. That library stays loaded, because nobody tells when a
 * reference is no longer used.
 */
static void *references(void)
{
#ifdef __GLIBC__
	return dlopen("$ORIGIN/" ISK_REFERENCES, RTLD_NOW);
#else
	/* musl knows $ORIGIN only in RPATH. dli_fname may be relative to the folder in which the program started. */
	char path[PATH_MAX];
	Dl_info here;
	size_t folder;

	if (!dladdr(sentences, &here))
		return NULL;
	folder = strlen(here.dli_fname);
	while (folder && here.dli_fname[folder - 1] != '/')
		folder--;
	if (folder + sizeof(ISK_REFERENCES) > sizeof(path))
		return NULL;
	memcpy(path, here.dli_fname, folder);
	memcpy(path + folder, ISK_REFERENCES, sizeof(ISK_REFERENCES));
	return dlopen(path, RTLD_NOW);
#endif
}
#endif

ISK_API void (*isk_reference(const char *kernel))(void)
{
	const struct isk_row *row = row_of(kernel);

	if (!row)
		return NULL;
#ifdef ISK_STATIC
	return (void (*)(void))(uintptr_t)isk_at(row, row->reference);
#else
	struct isk_line name = {0};
	void *const library = references();

	isk_line_add(&name, ISK_TEXT(ISK_PREFIX) "_");
	isk_line_add(&name, kernel);
	return library ? (void (*)(void))(uintptr_t)dlsym(library, name.text) : NULL;
#endif
}
