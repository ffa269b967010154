/* SPDX-License-Identifier: MIT */
/* Finds the functions behind a preloaded library. */
#include "preload.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void *dlsym_function(void *handle, const char *name);

/*
 * FIRST_GLIBC is the first version of glibc for the architecture. GO_WHERE(finds) is the body of dlsym(): it calls `finds`
 * with its own arguments, and jumps with them to the function that `finds` returns.
 */
#ifdef __aarch64__
#define FIRST_GLIBC "GLIBC_2.17"
#define GO_WHERE(finds)                                                        \
	"	hint #34\n" /* bti c */                                                \
	"	stp x29, x30, [sp, #-32]!\n"                                           \
	"	stp x0, x1, [sp, #16]\n"                                               \
	"	bl " finds "\n"                                                        \
	"	mov x16, x0\n"                                                         \
	"	ldp x0, x1, [sp, #16]\n"                                               \
	"	ldp x29, x30, [sp], #32\n"                                             \
	"	br x16\n"
#else
#define FIRST_GLIBC "GLIBC_2.2.5"
#define GO_WHERE(finds)                                                        \
	"	endbr64\n"                                                             \
	"	push %rdi\n"                                                           \
	"	push %rsi\n"                                                           \
	"	sub $8, %rsp\n"                                                        \
	"	call " finds "\n"                                                      \
	"	add $8, %rsp\n"                                                        \
	"	pop %rsi\n"                                                            \
	"	pop %rdi\n"                                                            \
	"	jmp *%rax\n"
#endif

static unsigned char looked_up[ISK_KERNEL_COUNT];

void isk_tell(const char *format, ...)
{
	char line[1024];
	int used = snprintf(line, sizeof(line), "%s: ", isk_preload_name);
	va_list list;

	va_start(list, format);
	used += vsnprintf(line + used, sizeof(line) - (size_t)used - 1, format, list);
	va_end(list);
	if ((size_t)used > sizeof(line) - 2)
		used = sizeof(line) - 2;
	line[used] = '\n';
	/* If the write fails, nobody reads standard error. */
	if (write(STDERR_FILENO, line, (size_t)used + 1) < 0)
		return;
}

const char *isk_setting(const char *name)
{
	const char *const value = secure_getenv(name);

	return value && *value ? value : NULL;
}

void isk_setting_is_wrong(const char *name, const char *value, const char *allowed)
{
	isk_tell("%s: '%s' ignored; it may be %s", name, value, allowed);
}

/* glibc's dlsym(), because the name stands for the one below. Every glibc has its own under the first version too. */
static dlsym_function *real_dlsym(void)
{
	static dlsym_function *known;
	dlsym_function *fn = __atomic_load_n(&known, __ATOMIC_RELAXED);

	if (!fn) {
		*(void **)&fn = dlvsym(RTLD_NEXT, "dlsym", FIRST_GLIBC);
		if (!fn)
			abort();
		__atomic_store_n(&known, fn, __ATOMIC_RELAXED);
	}
	return fn;
}

isk_function isk_next(size_t k)
{
	static isk_function known[ISK_KERNEL_COUNT];
	isk_function fn = __atomic_load_n(&known[k], __ATOMIC_RELAXED);
	char symbol[96];

	if (fn)
		return fn;
	snprintf(symbol, sizeof(symbol), "isk_%s", isk_kernels[k].name);
	*(void **)&fn = real_dlsym()(RTLD_NEXT, symbol);
	if (!fn) {
		isk_tell("%s is called, and no library behind this one has it", symbol);
		abort();
	}
	__atomic_store_n(&known[k], fn, __ATOMIC_RELAXED);
	return fn;
}

int isk_was_looked_up(size_t k)
{
	return __atomic_load_n(&looked_up[k], __ATOMIC_RELAXED);
}

void isk_forget_lookups(void)
{
	memset(looked_up, 0, sizeof(looked_up));
}

/* The number of the kernel with this symbol, or -1. */
static int number_of(const char *symbol)
{
	const int number = strncmp(symbol, "isk_", 4) == 0 ? isk_kernel_find(symbol + 4) : -1;

	if (number >= 0 && (number >= ISK_KERNEL_COUNT || strcmp(isk_kernels[number].name, symbol + 4) != 0))
		return -1;
	return number;
}

/* dlsym() for a kernel. If the real one finds the function that this library would call, the program gets ours instead. */
static void *find_kernel(void *handle, const char *symbol)
{
	void *const found = real_dlsym()(handle, symbol);
	const int k = number_of(symbol);
	const isk_function instead = isk_interposers[k];

	const isk_function next = found ? isk_next((size_t)k) : NULL;

	/* Other functions stay, for example a reference. */
	if (!found || (found != *(void *const *)&next && found != *(void *const *)&instead))
		return found;
	__atomic_store_n(&looked_up[k], 1, __ATOMIC_RELAXED);
	return *(void *const *)&instead;
}

/* The function that answers this call of dlsym(). */
__attribute__((used, visibility("hidden"))) dlsym_function *isk_dlsym_for(void *handle, const char *symbol);
dlsym_function *isk_dlsym_for(void *handle, const char *symbol)
{
	return handle != RTLD_NEXT && symbol && number_of(symbol) >= 0 ? find_kernel : real_dlsym();
}

/*
 * The meaning of RTLD_NEXT and RTLD_DEFAULT depends on the caller. So this code jumps to the real dlsym(), as if the
 * program had called that one.
 */
__asm__(".text\n"
        ".globl dlsym\n"
        ".type dlsym, %function\n"
        "dlsym:\n" GO_WHERE("isk_dlsym_for")
        ".size dlsym, .-dlsym\n");

struct isk_origin isk_origin_of(size_t k, isk_function fn)
{
	struct isk_candidate candidates[32] = {{.size = sizeof(candidates[0])}};
	const int count = isk_candidates(isk_kernels[k].name, candidates, sizeof(candidates) / sizeof(candidates[0]));
	const isk_function bound = isk_bound(isk_kernels[k].name);
	struct isk_origin origin = {"an unknown place"};
	Dl_info info, own;

	/* Without indirect functions, fn is isakern's entry (pointer.h), and the variant is behind it. */
	if (dladdr(*(void *const *)&fn, &info) && dladdr(*(void *const *)&bound, &own) && info.dli_fbase == own.dli_fbase)
		fn = bound;
	for (int i = 0; i < count; i++)
		if (candidates[i].fn == fn) {
			snprintf(origin.text, sizeof(origin.text), "%s", candidates[i].isa);
			return origin;
		}
	if (dladdr(*(void *const *)&fn, &info) && info.dli_fname)
		snprintf(origin.text, sizeof(origin.text), "%.63s", strrchr(info.dli_fname, '/') ? strrchr(info.dli_fname, '/') + 1
		                                                                                 : info.dli_fname);
	return origin;
}
