/* SPDX-License-Identifier: MIT */
/*
 * From the name of a kernel to its number, and from the number to its columns in the
 * table and to its row. The data holds no pointers, because nothing here may need
 * relocation.
 */
#include "resolve.h"

#include "kernels.h"
#include "names.h"
#include "symbols.h"

/* The columns of a kernel, a zero after each. */
#define TEXT(kernel, shape, family, since, bits, error, baseline, summary)     \
	#kernel "\0" shape "\0" family "\0" since "\0" bits "\0" error "\0" baseline "\0" summary

static const struct texts {
#define X(kernel, ...) char text_##kernel[sizeof(TEXT(kernel, __VA_ARGS__))];
	ISK_KERNELS(X)
#undef X
} texts = {
#define X(...) TEXT(__VA_ARGS__),
	ISK_KERNELS(X)
#undef X
};

const char *isk_kernel_text(size_t i)
{
	static const uint32_t offsets[] = {
#define X(kernel, ...) offsetof(struct texts, text_##kernel),
		ISK_KERNELS(X)
#undef X
	};

	return (const char *)&texts + offsets[i];
}

int isk_kernel_number(const char *name)
{
	static const uint16_t by_name[] = {ISK_KERNELS_BY_NAME};
	size_t low = 0, high = ISK_KERNEL_COUNT;

	while (low < high) {
		const size_t middle = (low + high) / 2;
		const int order = isk_compare(name, isk_kernel_text(by_name[middle]));

		if (order == 0)
			return by_name[middle];
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return -1;
}

/* By number, the distance to the row. */
#define ROW(kernel)           ISK_TEXT(ISK_PREFIX) "_row__" #kernel
#define ROWS                  ISK_TEXT(ISK_OWN) "_rows"
#define DISTANCE(kernel, ...) ".long " ROW(kernel) " - .\n"
__asm__(ISK_HIDDEN(ROWS)
        ISK_BEGIN_TABLE(ROWS)
        ISK_KERNELS(DISTANCE)
        ISK_END(ROWS));
extern const int32_t isk_rows[ISK_KERNEL_COUNT] __attribute__((visibility("hidden")));

#ifdef ISK_STATIC
/*
 * A static program has only the rows of the kernels that it uses, and a question about all kernels must not link them all.
 * Therefore each row is defined here once more, weakly, as one that stands for none. These definitions have a section of
 * their own, because the assembler resolves references within a section itself.
 */
#define NO_ROW(kernel, ...)                                                    \
	".weak " ROW(kernel) "\n"                                                  \
	".hidden " ROW(kernel) "\n"                                                \
	ROW(kernel) ":\n"
#define NONE ISK_TEXT(ISK_OWN) "_no_row"
__asm__(ISK_HIDDEN(NONE)
        ISK_BEGIN_TABLE(NONE)
        ISK_KERNELS(NO_ROW)
        ".long 0\n"
        ISK_END(NONE));
extern const struct isk_row isk_no_row __attribute__((visibility("hidden")));
#endif

const struct isk_row *isk_row_of(size_t i)
{
	const struct isk_row *row = (const struct isk_row *)((const char *)&isk_rows[i] + isk_rows[i]);

#ifdef ISK_STATIC
	if (row == &isk_no_row)
		return NULL;
#endif
	return row;
}
