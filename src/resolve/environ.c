/* SPDX-License-Identifier: MIT */
/*
 * The place of the environment depends on how early a resolver runs:
 *
 * 1. environ, once libc is initialised: lazy binding, dlopen, static programs.
 * 2. The stack as Linux left it, from ld.so's __libc_stack_end: start-up
 *    relocation, when libc's environ is still NULL.
 * 3. /proc/self/environ, when this library is not relocated itself (a circular
 *    dependency, some preload orders) and both addresses above read as 0.
 * 4. None of these: then no variable counts as set.
 */
#include "environ.h"

#include <fcntl.h>
#include <stddef.h>
#include <sys/prctl.h>

#include "resolve.h"
#include "syscall.h"
#include "variables.h"

extern char **environ __attribute__((weak));
extern void *__libc_stack_end __attribute__((weak));

static const char variables[ISK_VARIABLES][40] = {
	[ISK_MAX_ISA] = "ISAKERN_MAX_ISA=",
	[ISK_DISABLE] = "ISAKERN_DISABLE=",
	[ISK_BIND] = ISK_BIND_VARIABLE "=",
	[ISK_VERBOSE] = "ISAKERN_VERBOSE=",
};

void isk_reader_open(struct isk_reader *r, uint64_t value, int file)
{
	r->next = value;
	r->left = r->at = r->ended = 0;
	r->file = file ? (int)isk_syscall(SYS_openat, AT_FDCWD, (long)"/proc/self/environ",
	                                  O_RDONLY | O_CLOEXEC, 0, 0)
	               : -1;
	if (file && r->file < 0)
		r->next = (uint64_t)(uintptr_t)"";
}

static char next_byte(struct isk_reader *r)
{
	if (r->file < 0) {
		const char c = *(const char *)(uintptr_t)r->next;

		r->next += c != 0;
		return c;
	}
	if (r->at == r->left) {
		r->at = 0;
		r->left = (int)isk_syscall(SYS_pread64, r->file, (long)r->window, sizeof(r->window),
		                           (long)r->next, 0);
		if (r->left <= 0) {
			r->left = 0;
			return 0;
		}
		r->next += (uint64_t)r->left;
	}
	return r->window[r->at++];
}

/* In the file the next variable follows at once, so the end of this one must be remembered. */
char isk_reader_next(struct isk_reader *r)
{
	const char c = r->ended ? 0 : next_byte(r);

	r->ended = c == 0;
	return c;
}

void isk_reader_close(struct isk_reader *r)
{
	if (r->file >= 0)
		isk_syscall(SYS_close, r->file, 0, 0, 0, 0);
}

/* The offset of the value if the entry is this variable, else 0. */
static size_t match(const char *entry, const char *variable)
{
	size_t i = 0;

	while (variable[i] && entry[i] == variable[i])
		i++;
	return variable[i] ? 0 : i;
}

static void scan(struct isk_environ *e, char **entries)
{
	for (; *entries; entries++)
		for (int v = 0; v < ISK_VARIABLES; v++) {
			const size_t begin = match(*entries, variables[v]);

			/* The first of several entries counts, as in getenv(). */
			if (begin && (*entries)[begin] && !e->value[v])
				e->value[v] = (uint64_t)(uintptr_t)(*entries + begin);
		}
}

static void scan_file(struct isk_environ *e)
{
	struct isk_reader r;
	uint64_t offset = 0;
	char entry[sizeof(variables[0])];

	isk_reader_open(&r, 0, 1);
	if (r.file < 0)
		return;
	do {
		const uint64_t begin = offset;
		size_t length = 0;
		char c;

		for (; (c = next_byte(&r)); offset++)
			if (length < sizeof(entry) - 1)
				entry[length++] = c;
		entry[length] = 0;
		for (int v = 0; v < ISK_VARIABLES; v++) {
			const size_t value = match(entry, variables[v]);

			if (value && entry[value] && !e->value[v])
				e->value[v] = begin + value;
		}
		offset++;
	} while (r.left);
	isk_reader_close(&r);
	e->file = 1;
}

/* envp, if the stack looks as Linux leaves it: argc, argv, NULL, envp. */
static char **stack_environ(void)
{
	uintptr_t *stack = __libc_stack_end;
	const uintptr_t argc = *stack;

	if (argc == 0 || argc > 1 << 24 || stack[1 + argc] != 0)
		return NULL;
	return (char **)(stack + 1 + argc + 1);
}

enum { PAIRS = 64, AUX_PAGE_SIZE = 6, AUX_SECURE = 23 };

/*
 * The value of AT_SECURE in an auxiliary vector: 0, 1, or -1 if it has none. Without a size of pages the memory is no
 * such vector, or is read out of step: then the answer is -1 too.
 */
static long secure_of(const uint64_t *auxv)
{
	uint64_t secure = 2, page = 0;

	for (size_t i = 0; i < PAIRS && auxv[2 * i]; i++) {
		if (auxv[2 * i] == AUX_SECURE)
			secure = auxv[2 * i + 1];
		if (auxv[2 * i] == AUX_PAGE_SIZE)
			page = auxv[2 * i + 1];
	}
	return page >= 4096 && secure <= 1 ? (long)secure : -1;
}

/*
 * The auxiliary vector on the stack, behind the environment: no system call, so that a process whose seccomp filter kills
 * for one may bind. unsetenv() leaves more than one NULL at the end of the environment.
 */
static long secure_from_stack(void)
{
	char **entries = &__libc_stack_end && __libc_stack_end ? stack_environ() : NULL;

	if (!entries)
		return -1;
	while (*entries)
		entries++;
	while (!*entries)
		entries++;
	return secure_of((const uint64_t *)entries);
}

/* AT_SECURE of the auxiliary vector that Linux keeps: 0 or 1, or -1 if it cannot be read. */
static long secure_from_auxv(void)
{
	uint64_t auxv[PAIRS * 2];
	volatile uint64_t *clear = auxv;
	long length;

	/* valgrind 3.19 does not know that PR_GET_AUXV writes. */
	for (size_t i = 0; i < PAIRS * 2; i++)
		clear[i] = 0;
	length = isk_syscall(SYS_prctl, 0x41555856 /* PR_GET_AUXV, Linux 6.4 */, (long)auxv,
	                     sizeof(auxv), 0, 0);
	if (length < 0) {
		const long fd = isk_syscall(SYS_openat, AT_FDCWD, (long)"/proc/self/auxv",
		                            O_RDONLY | O_CLOEXEC, 0, 0);

		if (fd < 0)
			return -1;
		length = isk_syscall(SYS_read, fd, (long)auxv, sizeof(auxv), 0, 0);
		isk_syscall(SYS_close, fd, 0, 0, 0, 0);
	}
	return secure_of(auxv);
}

/* Whether this is a process with set-user-id, set-group-id or file capabilities, whose environment is a stranger's. */
static int secure(void)
{
	long answer = secure_from_stack();

	if (answer < 0)
		answer = secure_from_auxv();
	if (answer >= 0)
		return answer != 0;
	/* An old Linux hides auxv only from processes that are not dumpable, so ask that
	 * too: with file capabilities the user ids alone would look harmless. */
	return isk_syscall(SYS_getuid, 0, 0, 0, 0, 0) != isk_syscall(SYS_geteuid, 0, 0, 0, 0, 0)
	    || isk_syscall(SYS_getgid, 0, 0, 0, 0, 0) != isk_syscall(SYS_getegid, 0, 0, 0, 0, 0)
	    || isk_syscall(SYS_prctl, PR_GET_DUMPABLE, 0, 0, 0, 0) != 1;
}

void isk_environ_find(struct isk_environ *e)
{
	char **entries = NULL;
	int any = 0;

	e->file = 0;
	for (int v = 0; v < ISK_VARIABLES; v++)
		e->value[v] = 0;
	if (&environ && environ)
		entries = environ;
	else if (&__libc_stack_end && __libc_stack_end)
		entries = stack_environ();
	if (entries)
		scan(e, entries);
	else
		scan_file(e);
	for (int v = 0; v < ISK_VARIABLES; v++)
		any |= e->value[v] != 0;
	if (any && secure())
		for (int v = 0; v < ISK_VARIABLES; v++)
			e->value[v] = 0;
}
