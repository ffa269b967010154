/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>

#include "state.h"

#define PAGE   ((size_t)4096)
#define MARGIN ((size_t)256)

/* All ones is a NaN in every floating-point type; 0xa5 is unlike any likely result. */
#define POISON_IN  0xff
#define POISON_OUT 0xa5

static void no_memory(void)
{
	perror("no memory for the tests");
	exit(99);
}

void *shared_memory(size_t bytes)
{
	void *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (map == MAP_FAILED)
		no_memory();
	return map;
}

struct said {
	char trying[512], found[512];
};

static struct said *said(void)
{
	static struct said *shared;

	if (!shared)
		shared = shared_memory(sizeof(*shared));
	return shared;
}

void trying(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(said()->trying, sizeof(said()->trying), format, args);
	va_end(args);
}

const char *tried(void)
{
	return said()->trying;
}

void finding(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(said()->found, sizeof(said()->found), format, args);
	va_end(args);
}

const char *found(void)
{
	return said()->found;
}

void wrong(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(said()->found, sizeof(said()->found), format, args);
	va_end(args);
	exit(EXIT_FAILURE);
}

struct area {
	unsigned char *room;  /* SLOT_BYTES between two guard pages */
	unsigned char *at;    /* the array, NULL if there is none */
	unsigned char *saved; /* the bytes from low to high before the call */
	size_t bytes, rows, row_bytes, stride;
	const char *name;
};

static struct area areas[SLOTS];

static void reserve(struct area *area)
{
	unsigned char *map =
		mmap(NULL, SLOT_BYTES + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	area->saved = malloc(SLOT_BYTES);
	if (map == MAP_FAILED || !area->saved || mprotect(map + PAGE, SLOT_BYTES, PROT_READ | PROT_WRITE))
		no_memory();
	area->room = map + PAGE;
}

static unsigned char *low_of(const struct area *area)
{
	const size_t before = (size_t)(area->at - area->room);

	return area->at - (before < MARGIN ? before : MARGIN);
}

static unsigned char *high_of(const struct area *area)
{
	unsigned char *end = area->at + area->bytes;
	const size_t after = (size_t)(area->room + SLOT_BYTES - end);

	return end + (after < MARGIN ? after : MARGIN);
}

void *slot_put(enum slot slot, enum edge edge, size_t offset, const void *data, size_t bytes)
{
	struct area *area = &areas[slot];
	unsigned char *low, *high;

	if (!area->room)
		reserve(area);
	if (bytes + offset > SLOT_BYTES)
		wrong("the test asks for an array of %zu bytes", bytes);
	*area = (struct area){.room = area->room, .saved = area->saved, .bytes = bytes, .name = area->name};
	area->at = edge == LOW ? area->room + offset : area->room + SLOT_BYTES - bytes - offset;
	low = low_of(area);
	high = high_of(area);
	memset(low, data ? POISON_IN : POISON_OUT, (size_t)(high - low));
	if (data && bytes)
		memcpy(area->at, data, bytes);
	memcpy(area->saved, low, (size_t)(high - low));
	return area->at;
}

void slot_name(enum slot slot, const char *name)
{
	areas[slot].name = name;
}

void slot_expect_rows(enum slot slot, size_t rows, size_t row_bytes, size_t stride)
{
	areas[slot].rows = rows;
	areas[slot].row_bytes = row_bytes;
	areas[slot].stride = stride;
}

void mark_unwritten(void *y, size_t bytes)
{
	memset(y, POISON_OUT, bytes);
}

int is_unwritten(uint64_t bits, size_t bytes)
{
	unsigned char poison[sizeof(bits)];

	mark_unwritten(poison, sizeof(poison));
	return memcmp(&bits, poison, bytes) == 0;
}

static void must_be_unchanged(const struct area *area, const char *what, const unsigned char *from,
                              const unsigned char *to)
{
	const unsigned char *saved = area->saved + (from - low_of(area)), *end = area->at + area->bytes;

	if (from >= to || memcmp(from, saved, (size_t)(to - from)) == 0)
		return;
	for (; *from == *saved; saved++)
		from++;
	if (from < area->at)
		wrong("%s is written to %td bytes before its beginning", what, area->at - from);
	if (from >= end)
		wrong("%s is written to %td bytes after its end", what, from - end);
	if (area->rows > 1 && area->stride)
		wrong("%s is written to between its rows: byte %zu of row %zu, which has %zu bytes", what,
		      (size_t)(from - area->at) % area->stride, (size_t)(from - area->at) / area->stride,
		      area->row_bytes);
	wrong("%s is changed: byte %td of %zu, wanted %#x, got %#x", what, from - area->at, area->bytes, *saved,
	      *from);
}

static void check_area(struct area *area, const char *what)
{
	const unsigned char *from = low_of(area);

	for (size_t r = 0; r < area->rows; r++) {
		must_be_unchanged(area, what, from, area->at + r * area->stride);
		from = area->at + r * area->stride + area->row_bytes;
	}
	must_be_unchanged(area, what, from, high_of(area));
	area->at = NULL;
}

void slots_check(void)
{
	static const char *const names[SLOTS] = {"output", "input 1", "input 2", "input 3",
	                                       "input 4", "input 5", "input 6", "input 7", "input 8"};

	for (int slot = 0; slot < SLOTS; slot++)
		if (areas[slot].at)
			check_area(&areas[slot], areas[slot].name ? areas[slot].name : names[slot]);
}

void tried_all(void)
{
	memset(said(), 0, sizeof(struct said));
	for (int slot = 0; slot < SLOTS; slot++)
		areas[slot].at = NULL;
}

/* splitmix64, for which any seed is good. */
static uint64_t state;

static uint64_t hash(const char *text)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * 0x100000001b3u;
	return h;
}

uint64_t test_seed(void)
{
	static uint64_t seed;
	const char *given = getenv("ISK_TEST_SEED");

	if (seed == 0) {
		if (given)
			return seed = strtoull(given, NULL, 0);
		if (getrandom(&seed, sizeof(seed), 0) != sizeof(seed))
			seed = 1;
		else
			seed >>= 32;
		printf("# seed: ISK_TEST_SEED=%llu\n", (unsigned long long)seed);
		fflush(stdout);
	}
	return seed;
}

void random_begin(uint64_t seed)
{
	state = seed;
}

void random_start(const char *name)
{
	random_begin(test_seed() ^ hash(name));
}

#define STEP 0x9e3779b97f4a7c15u

uint64_t random_peek(void)
{
	uint64_t z = state + STEP;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

uint64_t random_bits(void)
{
	const uint64_t bits = random_peek();

	state += STEP;
	return bits;
}

size_t random_below(size_t n)
{
	return (size_t)(((unsigned __int128)random_bits() * n) >> 64);
}

double random_in(double low, double high)
{
	return low + (high - low) * ((double)(random_bits() >> 11) * 0x1p-53);
}

static struct state before;
static uintptr_t deepest_call;
static const int no_errno = 4242;

void machine_enter(void)
{
	const uintptr_t here = (uintptr_t)__builtin_frame_address(0);

	deepest_call = here < deepest_call ? here : deepest_call;
	before = state_now();
	errno = no_errno;
}

void machine_leave(void)
{
	const int number = errno;
	const struct state after = state_now();

	state_compare(&before, &after);
	if (number != no_errno)
		wrong("errno is set to %d", number);
}

/* Kernels that call kernels may take twice the allowed stack. */
#define PAINTED (4 * STACK_MOST)
#define PAINT   0x5a

static uintptr_t painted_from;

/* This frame is the paint: it stays when the function returns. */
__attribute__((noinline)) void stack_watch(void)
{
	unsigned char paint[PAINTED];

	memset(paint, PAINT, sizeof(paint));
	painted_from = (uintptr_t)paint;
	__asm__ volatile("" : : "r"(paint) : "memory");
	deepest_call = UINTPTR_MAX;
}

size_t stack_taken(void)
{
	uintptr_t at = painted_from;

	while (at < deepest_call && *(const volatile unsigned char *)at == PAINT)
		at++;
	return deepest_call - at;
}
