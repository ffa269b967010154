/* SPDX-License-Identifier: MIT */
/* The notes of stubs about a call, and the expected ones. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The element type of 8-byte elements that are only moved. */
struct eight {
	int32_t half[2];
};

static unsigned char memory[64 * 64];
static const char *name_called = "nothing";
static uint64_t noted[64];
static int notes, wrong, looked_at;
/* The result of every stub: 0, the status of success. */
static const int returned = 0;

static void *at(int place)
{
	return memory + 64 * place;
}

static void called(const char *name)
{
	name_called = name;
	notes = 0;
}

static void got(uint64_t argument)
{
	noted[notes++] = argument;
}

/* Whether the call reached the kernel `name` with these arguments. An empty name means that nothing may be called. */
static void expect(const char *call, const char *name, int count, ...)
{
	va_list list;
	int equal = strcmp(name, name_called) == 0 && count == notes;

	va_start(list, count);
	for (int i = 0; i < count; i++)
		equal &= va_arg(list, uint64_t) == noted[i];
	va_end(list);
	looked_at++;
	if (!equal && wrong++ < 20)
		printf("%s: not %s, but %s with %d arguments or others\n", call, name, name_called, notes);
	called("nothing");
}
