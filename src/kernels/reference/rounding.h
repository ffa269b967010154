/* SPDX-License-Identifier: MIT */
/*
 * The generated references.c includes this and defines a function for each kernel, which runs its form and rounds the
 * results once. The functions have the public names in libisakern-ref.so (ISK_REFERENCE_PUBLIC), where the forms are
 * another object, and are called isk_<kernel>__ref in the archive, where the forms are static functions of this
 * object, so that the archives of two libraries never define the same names.
 */
#ifndef ISK_ROUNDING_H
#define ISK_ROUNDING_H

#include <errno.h>

#include "args.h"
#include "elements.h"
#include "paste.h"
#include "results.h"

#ifdef ISK_REFERENCE_PUBLIC
#define ISK_FORM_OF(kernel, number) isk_forms[number]
#define ISK_REFERENCE(kernel)       __attribute__((visibility("default"))) ISK_PASTE2(ISK_PREFIX, _##kernel)
#define ISK_REFERENCE_OVERRIDE(kernel)                                         \
	extern __typeof(ISK_PASTE2(ISK_PREFIX, _##kernel)) isk_##kernel            \
	    __attribute__((alias(ISK_TEXT(ISK_PREFIX) "_" #kernel), visibility("default")));
#else
#include "forms.c"
#define ISK_FORM_OF(kernel, number) form_##kernel
#define ISK_REFERENCE(kernel)       ISK_PASTE4(ISK_PREFIX, _##kernel, __, ref)
#define ISK_REFERENCE_OVERRIDE(kernel)
#endif

static void put_rounded(struct isk_sink *s, void *y, size_t i, enum isk_type type, long double value,
                        long double scale, size_t underflows)
{
	(void)s;
	(void)scale;
	(void)underflows;
	isk_element_set(type, y, i, value);
}

static void put_bits(struct isk_sink *s, void *y, size_t i, enum isk_type type, uint64_t bits)
{
	(void)s;
	isk_element_set_bits(type, y, i, bits);
}

/*
 * Restores errno, because libm sets it and no kernel does. The pointer is volatile, because a copy of each form in its function
 * would double the time of compiling them.
 */
__attribute__((unused)) static void run_form(isk_form *form, union isk_args *args)
{
	isk_form *volatile once = form;
	const int kept = errno;
	struct isk_sink rounded = {put_rounded, put_bits};

	once(&rounded, args);
	errno = kept;
}

#endif
