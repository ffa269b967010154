/* SPDX-License-Identifier: MIT */
/*
 * libisakern-trace: how often a program calls each kernel with which sizes, how much memory that moves and how long it
 * takes. The counters are static arrays, because kernels may be called before this library is initialised.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bytes.h"
#include "isakern/conv_types.h"
#include "preload.h"

const char isk_preload_name[] = ISK_PRELOAD_NAME;

struct counts {
	uint64_t calls, bytes, ns;
};

static struct counts counts[ISK_KERNEL_COUNT];

/*
 * Calls by kernel and sizes. Sizes with the same number of bits are counted together. Therefore a key has room for the
 * kernel and six sizes, an entry is found and made without a lock, and a program that calls with every n has few entries.
 */
enum { MOST_SIZES = 6, SIZE_BITS = 7, KERNEL_SHIFT = MOST_SIZES * SIZE_BITS, ENTRIES = 1 << 14 };

struct entry {
	uint64_t key, calls, ns;
};

static struct entry entries[ENTRIES];
static uint64_t without_entry;

static int lines;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void add(uint64_t *to, uint64_t n)
{
	__atomic_fetch_add(to, n, __ATOMIC_RELAXED);
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* The sizes of a call, with their names: those of the shape, and those in an isk_conv. */
struct sizes {
	const char *name[MOST_SIZES];
	size_t size[MOST_SIZES];
	int count;
};

static void put(struct sizes *s, const char *name, size_t size)
{
	if (s->count == MOST_SIZES)
		return;
	s->name[s->count] = name;
	s->size[s->count++] = size;
}

static struct sizes sizes_of(const struct isk_kernel *k, union isk_args *args)
{
	const struct isk_conv *conv = args ? isk_struct_of(k, args, "isk_conv") : NULL;
	const int known = conv && conv->size == sizeof(*conv);
	struct sizes s = {.count = 0};

	for (int i = 0; i < k->shape->count; i++) {
		const struct isk_argument *a = &k->shape->arguments[i];

		if (a->role == ISK_SIZE)
			put(&s, a->name, args ? *(const size_t *)isk_argument_at(args, a) : 0);
		if (a->role != ISK_STRUCT || strcmp(a->structure, "isk_conv") != 0)
			continue;
		put(&s, "images", known ? conv->images : 0);
		put(&s, "height", known ? conv->height : 0);
		put(&s, "width", known ? conv->width : 0);
		put(&s, "channels", known ? conv->channels : 0);
		put(&s, "out_channels", known ? conv->out_channels : 0);
	}
	return s;
}

/* The number of bits of n; 0 for 0. */
static unsigned bits_of(size_t n)
{
	return n ? 64 - (unsigned)__builtin_clzl(n) : 0;
}

static uint64_t key_of(size_t k, const struct sizes *s)
{
	uint64_t key = (uint64_t)(k + 1) << KERNEL_SHIFT;

	for (int i = 0; i < s->count; i++)
		key |= (uint64_t)bits_of(s->size[i]) << (i * SIZE_BITS);
	return key;
}

static size_t kernel_of(const struct entry *e)
{
	return (size_t)(e->key >> KERNEL_SHIFT) - 1;
}

static struct entry *entry_of(uint64_t key)
{
	size_t at = (size_t)(key * 0x9e3779b97f4a7c15u >> 50);

	for (int tried = 0; tried < 64; tried++, at = (at + 1) % ENTRIES) {
		uint64_t there = __atomic_load_n(&entries[at].key, __ATOMIC_RELAXED);

		if (!there && __atomic_compare_exchange_n(&entries[at].key, &there, key, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			return &entries[at];
		if (there == key)
			return &entries[at];
	}
	return NULL;
}

static uint64_t bytes_of(const struct isk_kernel *k, union isk_args *args)
{
	uint64_t sum = 0;

	for (int i = 0; i < k->shape->count; i++) {
		const struct isk_argument *a = &k->shape->arguments[i];

		if (isk_is_array(a) && isk_pointer_of(args, a))
			sum += isk_array_bytes(k, args, a) * (uint64_t)(1 + a->inout);
	}
	return sum;
}

static void tell_call(size_t k, const struct sizes *s, uint64_t bytes, uint64_t ns)
{
	char text[320] = "";
	size_t used = 0;

	for (int i = 0; i < s->count; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s %zu, ", s->name[i], s->size[i]);
	isk_tell("%s/%s: %s%llu bytes, %.3f us", isk_kernels[k].name, isk_origin_of(k, isk_next(k)).text, text,
	         (unsigned long long)bytes, (double)ns / 1000);
}

static void forget(void)
{
	memset(counts, 0, sizeof(counts));
	memset(entries, 0, sizeof(entries));
	without_entry = 0;
	isk_forget_lookups();
}

static void start(void)
{
	const char *const wish = isk_setting("ISAKERN_TRACE_LINES");

	lines = wish && strcmp(wish, "1") == 0;
	if (wish && strcmp(wish, "0") != 0 && !lines)
		isk_setting_is_wrong("ISAKERN_TRACE_LINES", wish, "0 or 1");
	/* A child forgets the calls before the fork, because its parent reports them. */
	pthread_atfork(NULL, NULL, forget);
}

void isk_interpose(size_t k, union isk_args *args)
{
	const struct isk_kernel *const kernel = &isk_kernels[k];
	const isk_function fn = isk_next(k);
	const struct sizes sizes = sizes_of(kernel, args);
	struct entry *const e = entry_of(key_of(k, &sizes));
	/* Counted before the call, because the kernel may overwrite a packed matrix. */
	const uint64_t bytes = bytes_of(kernel, args);
	uint64_t begin, ns;

	pthread_once(&once, start);
	begin = now();
	kernel->call(fn, args);
	ns = now() - begin;
	add(&counts[k].calls, 1);
	add(&counts[k].bytes, bytes);
	add(&counts[k].ns, ns);
	add(e ? &e->calls : &without_entry, 1);
	if (e)
		add(&e->ns, ns);
	if (lines)
		tell_call(k, &sizes, bytes, ns);
}

static int by_time(const void *a, const void *b)
{
	const struct counts *const x = &counts[*(const size_t *)a], *const y = &counts[*(const size_t *)b];

	return x->ns != y->ns ? (x->ns < y->ns ? 1 : -1) : x->calls != y->calls ? (x->calls < y->calls ? 1 : -1) : 0;
}

static int by_kernel_and_calls(const void *a, const void *b)
{
	const struct entry *const x = a, *const y = b;

	if (x->key >> KERNEL_SHIFT != y->key >> KERNEL_SHIFT)
		return x->key < y->key ? -1 : 1;
	return x->calls != y->calls ? (x->calls < y->calls ? 1 : -1) : x->key < y->key ? -1 : x->key > y->key;
}

/* The first entry of a kernel; in `sorted` its other entries follow. */
static const struct entry *first_entry(const struct entry *sorted, size_t k)
{
	for (size_t i = 0; i < ENTRIES; i++)
		if (sorted[i].key && kernel_of(&sorted[i]) == k)
			return &sorted[i];
	return NULL;
}

static int is_of(const struct entry *e, const struct entry *sorted, size_t k)
{
	return e && e < sorted + ENTRIES && e->key && kernel_of(e) == k;
}

/* The least and greatest size i of an entry. */
static void range_of(const struct entry *e, int i, size_t *low, size_t *high)
{
	const unsigned bits = e->key >> (i * SIZE_BITS) & ((1 << SIZE_BITS) - 1);

	*low = bits ? (size_t)1 << (bits - 1) : 0;
	*high = bits ? *low + (*low - 1) : 0;
}

static void print_entry(FILE *f, const struct entry *e)
{
	const struct sizes s = sizes_of(&isk_kernels[kernel_of(e)], NULL);

	fprintf(f, "   ");
	for (int i = 0; i < s.count; i++) {
		size_t low, high;

		range_of(e, i, &low, &high);
		fprintf(f, low == high ? " %s %zu" : " %s %zu-%zu", s.name[i], low, high);
	}
	fprintf(f, ": %llu calls, %.1f us\n", (unsigned long long)e->calls, (double)e->ns / 1000);
}

static void print_table(FILE *f, const size_t *order, size_t count, const struct entry *sorted)
{
	fprintf(f, "%s: process %ld (%s)\n", isk_preload_name, (long)getpid(), program_invocation_short_name);
	fprintf(f, "%-24s %-10s %12s %16s %14s %12s\n", "kernel", "variant", "calls", "bytes", "us", "ns a call");
	for (size_t i = 0; i < count; i++) {
		const struct counts *const c = &counts[order[i]];

		fprintf(f, "%-24s %-10s %12llu %16llu %14.1f %12.0f\n", isk_kernels[order[i]].name,
		        isk_origin_of(order[i], isk_next(order[i])).text, (unsigned long long)c->calls, (unsigned long long)c->bytes,
		        (double)c->ns / 1000, (double)c->ns / (double)c->calls);
		for (const struct entry *e = first_entry(sorted, order[i]); is_of(e, sorted, order[i]); e++)
			print_entry(f, e);
	}
	if (without_entry)
		fprintf(f, "%llu calls were of more sizes than there is room for\n", (unsigned long long)without_entry);
	for (size_t k = 0; k < ISK_KERNEL_COUNT; k++)
		if (isk_was_looked_up(k))
			fprintf(f, "looked up at run time: %s\n", isk_kernels[k].name);
}

static void print_json_entry(FILE *f, const struct entry *e)
{
	const struct sizes s = sizes_of(&isk_kernels[kernel_of(e)], NULL);

	fprintf(f, "{\"sizes\": {");
	for (int i = 0; i < s.count; i++) {
		size_t low, high;

		range_of(e, i, &low, &high);
		fprintf(f, "%s\"%s\": [%zu, %zu]", i ? ", " : "", s.name[i], low, high);
	}
	fprintf(f, "}, \"calls\": %llu, \"ns\": %llu}", (unsigned long long)e->calls, (unsigned long long)e->ns);
}

/* All quoted texts are names of C, except the file of a function that is not isakern's, whose quotes are replaced. */
static void print_json(FILE *f, const size_t *order, size_t count, const struct entry *sorted)
{
	const char *between = "";

	fprintf(f, "{\"process\": %ld, \"kernels\": [", (long)getpid());
	for (size_t i = 0; i < count; i++) {
		const struct counts *const c = &counts[order[i]];
		struct isk_origin origin = isk_origin_of(order[i], isk_next(order[i]));

		for (char *p = origin.text; *p; p++)
			if (*p == '"' || *p == '\\' || (unsigned char)*p < ' ')
				*p = '?';
		fprintf(f, "%s{\"kernel\": \"%s\", \"variant\": \"%s\", ", i ? ", " : "", isk_kernels[order[i]].name, origin.text);
		fprintf(f, "\"calls\": %llu, \"bytes\": %llu, \"ns\": %llu, \"shapes\": [", (unsigned long long)c->calls,
		        (unsigned long long)c->bytes, (unsigned long long)c->ns);
		for (const struct entry *first = first_entry(sorted, order[i]), *e = first; is_of(e, sorted, order[i]); e++) {
			fprintf(f, "%s", e == first ? "" : ", ");
			print_json_entry(f, e);
		}
		fprintf(f, "]}");
	}
	fprintf(f, "], \"calls_without_shape\": %llu, \"looked_up\": [", (unsigned long long)without_entry);
	for (size_t k = 0; k < ISK_KERNEL_COUNT; k++)
		if (isk_was_looked_up(k)) {
			fprintf(f, "%s\"%s\"", between, isk_kernels[k].name);
			between = ", ";
		}
	fprintf(f, "]}\n");
}

static int write_all(int to, const char *text, size_t length)
{
	while (length) {
		const ssize_t written = write(to, text, length);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return -1;
		text += written;
		length -= (size_t)written;
	}
	return 0;
}

/* Adds the report to the file in one piece, because several processes of a program may share it. */
static void deliver(const char *path, const char *text, size_t length)
{
	const int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : STDERR_FILENO;

	if (file < 0 || write_all(file, text, length)) {
		if (path) {
			isk_tell("ISAKERN_TRACE: cannot write '%s': %s; the report follows here", path, strerror(errno));
			write_all(STDERR_FILENO, text, length);
		}
	}
	if (path && file >= 0)
		close(file);
}

static int ends_in_json(const char *path)
{
	const size_t length = strlen(path);

	return length >= 5 && strcmp(path + length - 5, ".json") == 0;
}

__attribute__((destructor)) static void report(void)
{
	const char *const path = isk_setting("ISAKERN_TRACE");
	static size_t order[ISK_KERNEL_COUNT];
	static struct entry sorted[ENTRIES];
	size_t count = 0, length = 0;
	int asked = 0;
	char *text = NULL;
	FILE *f;

	for (size_t k = 0; k < ISK_KERNEL_COUNT; k++) {
		if (__atomic_load_n(&counts[k].calls, __ATOMIC_RELAXED))
			order[count++] = k;
		asked |= isk_was_looked_up(k);
	}
	if (!count && !asked)
		return;
	memcpy(sorted, entries, sizeof(sorted));
	qsort(order, count, sizeof(order[0]), by_time);
	qsort(sorted, ENTRIES, sizeof(sorted[0]), by_kernel_and_calls);
	f = open_memstream(&text, &length);
	if (!f) {
		isk_tell("no memory for the report");
		return;
	}
	(path && ends_in_json(path) ? print_json : print_table)(f, order, count, sorted);
	if (fclose(f) == 0)
		deliver(path, text, length);
	free(text);
}
