/* SPDX-License-Identifier: MIT */
/*
 * libisakern-check: compares the results of kernels in a program with their oracles, within the bounds of their rows. The
 * oracle reads the inputs after the call, so inputs that the call may overwrite are copied before it.
 */
#include <errno.h>
#include <fenv.h>
#include <fnmatch.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bytes.h"
#include "errors.h"
#include "isakern/conv_types.h"
#include "preload.h"
#include "results.h"

const char isk_preload_name[] = ISK_PRELOAD_NAME;

/* EXIT_STATUS replaces the program's exit status if a result was wrong. */
enum { EXIT_STATUS = 99, MOST_ARGUMENTS = 32 };

/* Shared with children, because a wrong result in a child counts in its parent too. */
static struct totals {
	uint64_t wrong;
} *shared, own;

static uint64_t calls[ISK_KERNEL_COUNT], called, checked, unchecked;
static unsigned char is_left_out[ISK_KERNEL_COUNT];
static uint64_t rate = 1;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Set during a check. Calls that the oracle makes, for example through an allocator that uses kernels, are not checked. */
static _Thread_local int busy;

static uint64_t add(uint64_t *to, uint64_t n)
{
	return __atomic_fetch_add(to, n, __ATOMIC_RELAXED);
}

static int matches(const char *pattern)
{
	int count = 0;

	for (size_t k = 0; k < ISK_KERNEL_COUNT; k++)
		if (fnmatch(pattern, isk_kernels[k].name, 0) == 0) {
			is_left_out[k] = 0;
			count++;
		}
	return count;
}

/* Chooses kernels by patterns. A pattern that matches no kernel is told. If none matches, all kernels are checked. */
static void choose(const char *patterns)
{
	char *const text = strdup(patterns);
	char *rest = text, *pattern;
	int count = 0;

	memset(is_left_out, 1, sizeof(is_left_out));
	while (text && (pattern = strsep(&rest, ",")) != NULL) {
		const int found = matches(pattern);

		if (!found)
			isk_setting_is_wrong("ISAKERN_CHECK_KERNELS", pattern, "names of kernels, with * and ?, and commas between");
		count += found;
	}
	if (!count)
		memset(is_left_out, 0, sizeof(is_left_out));
	free(text);
}

static void forget(void)
{
	memset(calls, 0, sizeof(calls));
	called = checked = unchecked = 0;
}

static void start(void)
{
	const char *const patterns = isk_setting("ISAKERN_CHECK_KERNELS"), *const wish = isk_setting("ISAKERN_CHECK_RATE");
	char *end;
	unsigned long long n;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		shared = &own;
	pthread_atfork(NULL, NULL, forget);
	if (patterns)
		choose(patterns);
	if (!wish)
		return;
	errno = 0;
	n = strtoull(wish, &end, 10);
	if (*wish < '0' || *wish > '9' || *end || errno || !n)
		isk_setting_is_wrong("ISAKERN_CHECK_RATE", wish, "a number N from 1 on: one of N calls is checked");
	else
		rate = n;
}

/* A call that is being checked. */
struct call {
	struct isk_sink sink; /* must be first, because the oracle gets a pointer to it alone */
	size_t number;        /* the number of the kernel */
	const struct isk_kernel *kernel;
	union isk_args *args;  /* the arguments of the program, with the results after the call */
	union isk_args before; /* the arguments for the oracle, with copies of overwritten inputs */
	void *copies[MOST_ARGUMENTS], *other; /* copies of inputs and of isk_post.other; packed outputs of the oracle */
	struct isk_post post;     /* the program's isk_post, with `other` replaced by its copy */
	int only;                 /* 1: only one result is right */
	double bound;             /* the error bound of the variant */
	int has_result;           /* 1: the oracle has given the returned value to the sink */
	uint64_t elements, wrong; /* the numbers of compared and of wrong elements */
	int before_errno, after_errno;    /* errno before and after the call of the kernel */
	const struct isk_argument *first; /* the argument with the first wrong element; NULL: see place */
	const char *place;        /* the name of the first wrong value if it is in no argument */
	size_t index;             /* the index of that element */
	char what[320];           /* the text that describes that element */
};

static void note(struct call *c, const struct isk_argument *a, size_t index, enum isk_type type, uint64_t got,
                 const struct exact *exact, double error)
{
	const int digits = type == ISK_F64 ? 17 : 9;
	const uint64_t wanted = exact_is_bits(exact, c->only) ? exact_bits(type, exact) : 0;

	if (c->wrong++)
		return;
	c->first = a;
	c->index = index;
	if (exact_is_bits(exact, c->only))
		snprintf(c->what, sizeof(c->what), "got %.*g (%#llx), wanted %.*g (%#llx), the only result allowed", digits,
		         isk_element_value(type, got), (unsigned long long)got, digits, isk_element_value(type, wanted),
		         (unsigned long long)wanted);
	else
		snprintf(c->what, sizeof(c->what), "got %.*g (%#llx), wanted %.20Lg within %g %s; error %.4g", digits,
		         isk_element_value(type, got), (unsigned long long)got, exact->value, c->bound,
		         exact->scale < 0 ? "ulp" : "units of the shape", error);
}

/* Compares an element with the oracle's. */
static void compare(struct isk_sink *s, const void *y, size_t i, enum isk_type type, const struct exact *exact)
{
	struct call *const c = (struct call *)s;
	const struct isk_argument *a = NULL;
	const void *at = &c->args->result;
	uint64_t bits;
	double error;

	c->has_result |= y == &c->before.result;
	for (int j = 0; y != &c->before.result && j < c->kernel->shape->count; j++)
		if (c->kernel->shape->arguments[j].role == ISK_OUT
		    && isk_pointer_of(&c->before, &c->kernel->shape->arguments[j]) == y)
			a = &c->kernel->shape->arguments[j];
	if (a)
		at = isk_pointer_of(c->args, a);
	bits = isk_element_bits(type, at, i);
	error = exact_error(type, bits, exact, c->only);
	c->elements++;
	if (!(error <= c->bound))
		note(c, a, i, type, bits, exact, error);
}

static void put(struct isk_sink *s, void *y, size_t i, enum isk_type type, long double value, long double scale,
                size_t underflows)
{
	compare(s, y, i, type, &(struct exact){VALUE, 0, value, scale, underflows});
}

static void put_bits(struct isk_sink *s, void *y, size_t i, enum isk_type type, uint64_t bits)
{
	compare(s, y, i, type, &(struct exact){.given = BITS, .bits = bits});
}

static const struct isk_argument *argument(const struct call *c, int i)
{
	return &c->kernel->shape->arguments[i];
}

/* Whether the call may change these bytes, because they lie in one of its outputs. */
static int may_change(struct call *c, const void *p, size_t bytes)
{
	for (int i = 0; i < c->kernel->shape->count; i++) {
		const struct isk_argument *a = argument(c, i);
		const uintptr_t y = a->role == ISK_OUT ? (uintptr_t)isk_pointer_of(c->args, a) : 0, x = (uintptr_t)p;

		if (y && x < y + isk_array_bytes(c->kernel, c->args, a) && y < x + bytes)
			return 1;
	}
	return 0;
}

/* Whether the shape lets an output be this input. Others are not copied, because a refused call may give any sizes. */
static int may_be_output(const struct isk_shape *shape, int input)
{
	unsigned all = 0;

	for (int i = 0; i < shape->count; i++)
		all |= shape->arguments[i].may_be;
	return all >> input & 1;
}

static void *copy_of(const void *p, size_t bytes)
{
	void *const copy = malloc(bytes ? bytes : 1);

	return copy ? memcpy(copy, p, bytes) : NULL;
}

/* Copies the other operand of an isk_post if it may be C itself. It has the extents of the output and the stride ldother. */
static int keep_other(struct call *c, const struct isk_argument *post, const struct isk_argument *y)
{
	const struct isk_post *const given = isk_pointer_of(c->args, post);
	const struct isk_conv *const conv = isk_struct_of(c->kernel, c->args, "isk_conv");
	union isk_args with = *c->args;
	struct isk_conv like;
	size_t bytes;

	if (!given || given->size != sizeof(*given) || !given->binary || !given->other)
		return 1;
	c->post = *given;
	if (conv && conv->size == sizeof(*conv)) {
		like = *conv;
		like.ldy = given->ldother;
		for (int i = 0; i < c->kernel->shape->count; i++)
			if (isk_pointer_of(&with, argument(c, i)) == conv)
				*(const void **)isk_argument_at(&with, argument(c, i)) = &like;
	} else if (y->extents >= 2 && y->extent[y->extents - 2].stride >= 0) {
		*(size_t *)isk_argument_at(&with, argument(c, y->extent[y->extents - 2].stride)) = given->ldother;
	}
	bytes = isk_array_bytes(c->kernel, &with, y);
	if (bytes == SIZE_MAX || !may_change(c, given->other, bytes))
		return 1;
	c->other = copy_of(given->other, bytes);
	c->post.other = c->other;
	*(const void **)isk_argument_at(&c->before, post) = &c->post;
	return c->other != NULL;
}

/* Copies the inputs that the call may overwrite. Returns 0 if there is no memory for that. */
static int keep(struct call *c)
{
	c->before = *c->args;
	for (int i = 0; i < c->kernel->shape->count; i++) {
		const struct isk_argument *a = argument(c, i);
		const void *const p = isk_is_array(a) ? isk_pointer_of(c->args, a) : NULL;
		const size_t bytes = p ? isk_array_bytes(c->kernel, c->args, a) : 0;

		if (a->role == ISK_STRUCT && strcmp(a->structure, "isk_post") == 0 && !keep_other(c, a, argument(c, 0)))
			return 0;
		/* If the bytes cannot be counted, the kernel refuses the call or touches nothing. */
		if (!p || bytes == SIZE_MAX)
			continue;
		/* The oracle of a packing kernel writes a matrix of its own. */
		if (a->role == ISK_OUT && a->packed)
			c->copies[i] = calloc(1, bytes ? bytes : 1);
		else if (a->inout || (may_be_output(c->kernel->shape, i) && may_change(c, p, bytes)))
			c->copies[i] = copy_of(p, bytes);
		else
			continue;
		if (!c->copies[i])
			return 0;
		*(const void **)isk_argument_at(&c->before, a) = c->copies[i];
	}
	return 1;
}

static void compare_packed(struct call *c)
{
	for (int i = 0; i < c->kernel->shape->count && c->before.result.status == ISK_OK; i++) {
		const struct isk_argument *a = argument(c, i);
		const size_t bytes = a->role == ISK_OUT && a->packed ? isk_array_bytes(c->kernel, c->args, a) : 0;
		const unsigned char *const got = bytes ? isk_pointer_of(c->args, a) : NULL, *const wanted = c->copies[i];

		for (size_t b = 0; b < bytes; b++)
			if (got[b] != wanted[b] && !c->wrong++) {
				c->first = a;
				c->index = b;
				snprintf(c->what, sizeof(c->what), "got byte %#x, wanted %#x", got[b], wanted[b]);
			}
		c->elements += bytes;
	}
}

/* Compares the status, which the oracle does not give to the sink as it does other results. */
static void compare_status(struct call *c)
{
	if (c->kernel->shape->returns != ISK_RETURNS_STATUS || c->has_result)
		return;
	c->elements++;
	if (c->before.result.status != c->args->result.status && !c->wrong++)
		snprintf(c->what, sizeof(c->what), "got status %d, wanted %d", c->args->result.status, c->before.result.status);
}

/* No kernel may change errno. */
static void compare_errno(struct call *c)
{
	if (c->before_errno == c->after_errno)
		return;
	c->elements++;
	if (c->wrong++)
		return;
	c->place = "errno";
	snprintf(c->what, sizeof(c->what), "got %d, wanted %d, which it was before the call", c->after_errno, c->before_errno);
}

static void set_bound(struct call *c, const char *variant)
{
	struct isk_kernel_info info = {.size = sizeof(info)};
	const char *error;

	isk_kernel_info(c->number, &info);
	error = strcmp(variant, "baseline") == 0 ? info.error_baseline : info.error;
	c->only = strcmp(error, "exact") == 0;
	c->bound = c->only ? 0 : strtod(error, NULL);
}

static void tell(const struct call *c, const char *variant)
{
	char place[64];

	if (c->first)
		snprintf(place, sizeof(place), "%s[%zu]", c->first->name, c->index);
	else
		snprintf(place, sizeof(place), "%s", c->place);
	isk_tell("%s/%s: %s: %s; %llu of %llu wrong", c->kernel->name, variant, place, c->what, (unsigned long long)c->wrong,
	         (unsigned long long)c->elements);
}

/* The oracles use libm, so the caller keeps errno and the floating-point state, as the kernel has left them. */
static void check(struct call *c, isk_function fn)
{
	const struct isk_origin variant = isk_origin_of(c->number, fn);

	set_bound(c, variant.text);
	isk_forms[c->number](&c->sink, &c->before);
	compare_status(c);
	compare_packed(c);
	compare_errno(c);
	add(&checked, 1);
	if (!c->wrong)
		return;
	add(&shared->wrong, 1);
	tell(c, variant.text);
}

static void call_and_check(size_t k, isk_function fn, union isk_args *args)
{
	struct call c = {
		.sink = {put, put_bits}, .number = k, .kernel = &isk_kernels[k], .args = args, .before_errno = errno,
		.place = "what it returned",
	};
	fenv_t state;
	int copied;

	copied = keep(&c);
	errno = c.before_errno;
	c.kernel->call(fn, args);
	c.after_errno = errno;
	fegetenv(&state);
	fesetenv(FE_DFL_ENV);
	if (copied)
		check(&c, fn);
	else
		add(&unchecked, 1);
	for (int i = 0; i < MOST_ARGUMENTS; i++)
		free(c.copies[i]);
	free(c.other);
	fesetenv(&state);
	errno = c.after_errno;
}

void isk_interpose(size_t k, union isk_args *args)
{
	const isk_function fn = isk_next(k);

	pthread_once(&once, start);
	if (busy) {
		isk_kernels[k].call(fn, args);
		return;
	}
	add(&called, 1);
	/* A kernel without arguments returns a property of its variant, so it is not checked. */
	if (is_left_out[k] || !isk_kernels[k].shape->count || add(&calls[k], 1) % rate) {
		isk_kernels[k].call(fn, args);
		return;
	}
	busy = 1;
	call_and_check(k, fn, args);
	busy = 0;
}

/* Starts before there are children, because they share the totals. A kernel may be called even earlier. */
__attribute__((constructor)) static void begin(void)
{
	pthread_once(&once, start);
}

__attribute__((destructor)) static void report(void)
{
	const uint64_t wrong = shared ? __atomic_load_n(&shared->wrong, __ATOMIC_RELAXED) : 0;

	char status[32] = "";

	if (wrong)
		snprintf(status, sizeof(status), "; exit status %d", EXIT_STATUS);
	if (called || wrong)
		isk_tell("%llu calls, %llu checked, %llu wrong%s", (unsigned long long)called, (unsigned long long)checked,
		         (unsigned long long)wrong, status);
	if (unchecked)
		isk_tell("%llu calls were not checked: no memory to copy their inputs", (unsigned long long)unchecked);
	if (!wrong)
		return;
	fflush(NULL);
	_exit(EXIT_STATUS);
}
