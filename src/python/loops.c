/* SPDX-License-Identifier: MIT */
/*
 * From numpy's strides to the arguments of a kernel. Arrays that lie as the kernel
 * needs them are passed in place, all elements in one call. Others are copied through
 * buffers, some KiB at a time. A turn is one step of numpy's loop.
 */
#define NO_IMPORT_ARRAY
#define NO_IMPORT_UFUNC
#include "loops.h"

#include <fenv.h>
#include <string.h>

#include "formats.h"

#ifdef __SSE__
#include <xmmintrin.h>
#endif

#define BUFFER_BYTES 8192
/* Rows of this many bytes or more are passed one a call, because copying them to batch several does not pay. */
#define LONG_ROW 2048
#define MOST_DIMENSIONS (ISK_MOST_EXTENTS + 1)

struct operand {
	const struct isk_argument *argument; /* the kernel's argument; NULL: the result */
	char *base;           /* the first element of the first turn */
	npy_intp step;        /* the bytes from one turn of the loop to the next */
	size_t item;          /* the bytes of an element */
	bool output, batched; /* output: the kernel writes it; batched: its outermost extent is the batch */
	bool suits;           /* the kernel can take the elements of one turn in place */
	bool direct;          /* the kernel gets the array in place, not a buffer */
	int extents;          /* the number of extents except that of the batch */
	npy_intp size[MOST_DIMENSIONS], stride[MOST_DIMENSIONS]; /* those of the batch, then those of the extents */
	size_t bytes;         /* the bytes of the elements of one turn */
	size_t reach;         /* the bytes from the first element of a turn to the end of the last one */
	size_t offset;        /* the offset of its buffer among all buffers */
};

static bool is_array(const struct operand *o)
{
	return o->argument && o->argument->role != ISK_VALUE;
}

typedef int32_t words __attribute__((vector_size(16), aligned(1), may_alias));
typedef int64_t pairs __attribute__((vector_size(16), aligned(1), may_alias));

/* Copies every other element of 4 or 8 bytes, but for the last few, and returns how many it copied. */
static npy_intp copy_every_other(char *to, const char *from, const npy_intp n, const size_t item)
{
	const npy_intp lanes = (npy_intp)(16 / item);
	npy_intp i = 0;

#pragma GCC unroll 4
	for (; n - i > lanes; i += lanes, to += 16, from += 32) {
		if (item == 4)
			*(words *)to = __builtin_shufflevector(*(const words *)from, *(const words *)(from + 16), 0, 2, 4, 6);
		else
			*(pairs *)to = __builtin_shufflevector(*(const pairs *)from, *(const pairs *)(from + 16), 0, 2);
	}
	return i;
}

#define COPY(type) \
	case sizeof(type): \
		for (; i < n; i++, to += to_step, from += from_step)                   \
			*(type *)to = *(const type *)from; \
		return true

bool copy_elements(char *to, const npy_intp to_step, const char *from, const npy_intp from_step, const npy_intp n, const size_t item)
{
	npy_intp i = 0;

	if (to_step == (npy_intp)item && from_step == 2 * to_step && (item == 4 || item == 8))
		i = item == 4 ? copy_every_other(to, from, n, 4) : copy_every_other(to, from, n, 8);
	to += i * to_step;
	from += i * from_step;
	switch (item) {
		COPY(uint8_t);
		COPY(uint16_t);
		COPY(uint32_t);
		COPY(uint64_t);
	}
	return false;
}
#undef COPY

/* Copies elements of some dimensions, outermost first, between places with different strides. */
static void copy(char *to, const npy_intp *to_stride, const char *from, const npy_intp *from_stride,
                 const npy_intp *size, const int dimensions, const size_t item)
{
	if (!dimensions) {
		memcpy(to, from, item);
		return;
	}
	if (dimensions == 1 && copy_elements(to, *to_stride, from, *from_stride, *size, item))
		return;
	for (npy_intp i = 0; i < *size; i++, to += *to_stride, from += *from_stride)
		copy(to, to_stride + 1, from, from_stride + 1, size + 1, dimensions - 1, item);
}

/* Copies some turns of an array to its buffer or, if out is true, back. */
static void copy_turns(const struct operand *o, char *base, char *buffer, const npy_intp turns, const bool out)
{
	npy_intp size[MOST_DIMENSIONS], dense[MOST_DIMENSIONS], stride[MOST_DIMENSIONS];
	const int dimensions = o->extents + 1;
	npy_intp width = (npy_intp)o->item;

	memcpy(size, o->size, sizeof(size));
	memcpy(stride, o->stride, sizeof(stride));
	size[0] = o->batched ? turns : 1;
	for (int i = dimensions; i-- > 0; width *= size[i])
		dense[i] = width;
	if (out)
		copy(base, stride, buffer, dense, size, dimensions, o->item);
	else
		copy(buffer, dense, base, stride, size, dimensions, o->item);
}

static int core_of(const struct loop *l, const int size)
{
	for (int i = 0; i < l->cores; i++) {
		if (l->core[i] == size)
			return i;
	}
	return -1;
}

/* The number of extents in a shape that use a stride. */
static int stride_uses(const struct isk_shape *s, const int stride)
{
	int uses = 0;

	for (int i = 0; i < s->count; i++) {
		for (int j = 0; j < s->arguments[i].extents; j++)
			uses += s->arguments[i].extent[j].stride == stride;
	}
	return uses;
}

/* The number of the argument that is the stride of a dimension (0: the batch), or -1. */
static int extent_stride(const struct operand *o, const int dimension)
{
	return o->argument->extent[o->argument->extents - 1 - (o->extents - dimension)].stride;
}

/* Whether a kernel can be told the stride of a dimension, whose items are `width` bytes wide. */
static bool stride_suits(const struct operand *o, const int dimension, const struct isk_shape *shape,
                         const size_t width)
{
	const npy_intp bytes = o->stride[dimension];
	const int stride = extent_stride(o, dimension);

	if (stride >= 0 && stride_uses(shape, stride) == 1)
		return bytes >= (npy_intp)width && (size_t)bytes % o->item == 0;
	return bytes == (npy_intp)width;
}

/* Fills in an operand and returns the number of its core strides. */
static int look_at(struct operand *o, const struct loop *l, const npy_intp *dimensions, const npy_intp *core_steps)
{
	const struct isk_kernel *k = l->kernel;
	const struct isk_argument *a = o->argument;
	int cores = 0;
	size_t width;

	if (!is_array(o))
		return 0;
	o->item = isk_element_bytes(isk_argument_type(k, a));
	o->batched = a->extents && l->batch != NO_BATCH && a->extent[0].size == l->batch;
	o->size[0] = dimensions[0];
	o->stride[0] = o->step;
	for (int i = o->batched; i < a->extents; i++) {
		o->extents++;
		o->size[o->extents] = dimensions[1 + core_of(l, a->extent[i].size)];
		o->stride[o->extents] = core_steps[cores++];
	}
	o->suits = true;
	width = o->item;
	for (int i = o->extents; i > 0; i--) {
		if (o->size[i] > 1) {
			o->suits = o->suits && stride_suits(o, i, k->shape, width);
			width = o->suits ? (size_t)o->stride[i] : width;
		}
		width *= (size_t)o->size[i];
	}
	o->bytes = o->item;
	for (int i = 1; i <= o->extents; i++)
		o->bytes *= (size_t)o->size[i];
	o->reach = width;
	return cores;
}

/* Whether one call can take all turns of an operand in place. */
static bool in_step(const struct operand *o, const struct isk_shape *shape)
{
	return o->batched ? stride_suits(o, 0, shape, o->reach) : o->step == 0;
}

/* Sets the arguments that are strides of an operand: those of the array or of the buffer. */
static void set_strides(const struct operand *o, union isk_args *args, const struct isk_shape *shape,
                        const bool one_turn)
{
	size_t width = o->item;

	for (int i = o->extents; i >= !o->batched; i--) {
		const int stride = extent_stride(o, i);

		if (o->direct && o->size[i] > 1 && (i > 0 || !one_turn))
			width = (size_t)o->stride[i];
		if (stride >= 0)
			*(size_t *)isk_argument_at(args, &shape->arguments[stride]) = width / o->item;
		width *= (size_t)o->size[i];
	}
}

static void span(const struct operand *o, const char **low, const char **high)
{
	*low = o->base;
	*high = o->base + o->item;
	for (int i = 0; i <= o->extents; i++) {
		const npy_intp reach = (o->size[i] - 1) * o->stride[i];

		*(reach < 0 ? low : high) += reach;
	}
}

/* Whether an output overlaps an input in a way that the kernel does not allow. */
static bool clashes(const struct operand *out, const struct operand *in, const struct isk_shape *shape)
{
	const char *low, *high, *from, *to;

	span(out, &low, &high);
	span(in, &from, &to);
	if (high <= from || to <= low)
		return false;
	if (out->base != in->base || out->item != in->item || out->extents != in->extents ||
	    !(out->argument->may_be & 1u << (in->argument - shape->arguments)))
		return true;
	for (int i = 0; i <= out->extents; i++) {
		/* For reduce(), numpy passes the same output for all turns. */
		if (out->stride[i] != in->stride[i] || (!out->stride[i] && out->size[i] > 1))
			return true;
	}
	return false;
}

/* The number of turns, from turn `from` on and at most `most`, that have the same values. */
static npy_intp same_values(const struct operand *o, const int count, const npy_intp from, npy_intp most)
{
	for (int i = 0; i < count; i++) {
		npy_intp n = 1;

		if (!o[i].argument || is_array(&o[i]) || !o[i].step)
			continue;
		while (n < most && !memcmp(o[i].base + from * o[i].step, o[i].base + (from + n) * o[i].step, o[i].item))
			n++;
		most = n;
	}
	return most;
}

/* Returns the most turns that one call may have, and decides which operands need no buffer for it. */
static npy_intp plan(struct operand *o, const struct loop *l, const npy_intp turns)
{
	const struct isk_shape *shape = l->kernel->shape;
	npy_intp most = l->batch == NO_BATCH || turns <= 1 ? 1 : turns;
	size_t widest = 1;
	bool all = true;

	for (int i = 0; i < l->operands; i++) {
		if (!is_array(&o[i]))
			continue;
		o[i].direct = o[i].suits;
		widest = o[i].bytes > widest ? o[i].bytes : widest;
		if (!in_step(&o[i], shape) && (!o[i].batched || (o[i].suits && o[i].bytes >= LONG_ROW)))
			most = 1;
	}
	for (int i = 0; i < l->operands; i++) {
		for (int j = 0; is_array(&o[i]) && o[i].output && j < l->operands; j++) {
			if (is_array(&o[j]) && !o[j].output && clashes(&o[i], &o[j], shape)) {
				most = 1;
				o[j].direct = false;
			}
		}
	}
	if (most == 1)
		return 1;
	for (int i = 0; i < l->operands; i++) {
		if (is_array(&o[i]))
			all = (o[i].direct = o[i].suits && in_step(&o[i], shape)) && all;
	}
	if (!all) {
		const npy_intp fit = (npy_intp)(BUFFER_BYTES / widest);

		most = fit < 1 ? 1 : fit < most ? fit : most;
	}
	return most;
}

/* Assigns offsets to the operands that need a buffer, and returns the bytes of all buffers. */
static size_t buffers(struct operand *o, const int count, const npy_intp turns)
{
	size_t bytes = 0;

	for (int i = 0; i < count; i++) {
		if (is_array(&o[i]) && !o[i].direct) {
			o[i].offset = bytes;
			bytes += (o[i].bytes * (size_t)(o[i].batched ? turns : 1) + 63) & ~(size_t)63;
		}
	}
	return bytes;
}

static void call_turns(const struct loop *l, struct operand *o, union isk_args *args, char *buffer,
                       const npy_intp first, const npy_intp turns)
{
	const struct isk_kernel *k = l->kernel;

	if (l->batch != NO_BATCH)
		*(size_t *)isk_argument_at(args, &k->shape->arguments[l->batch]) = (size_t)turns;
	for (int i = 0; i < l->operands; i++) {
		char *at = o[i].base + first * o[i].step;

		if (!o[i].argument)
			continue;
		if (!is_array(&o[i])) {
			set_value(k, args, o[i].argument, at);
			continue;
		}
		if (!o[i].direct && !o[i].output)
			copy_turns(&o[i], at, buffer + o[i].offset, turns, false);
		*(void **)isk_argument_at(args, o[i].argument) = o[i].direct ? at : buffer + o[i].offset;
	}
	k->call(l->fn, args);
	for (int i = 0; i < l->operands; i++) {
		char *at = o[i].base + first * o[i].step;

		if (!o[i].argument)
			get_result(k, args, at);
		else if (o[i].output && !o[i].direct)
			copy_turns(&o[i], at, buffer + o[i].offset, turns, true);
	}
}

/*
 * Clears the exception flags that numpy looks at, so that it does not warn: kernels do not promise that flags are right.
 * Nearly every kernel raises FE_INEXACT too, and to clear it would take longer than the work on a short array.
 */
static void clear_flags(void)
{
	const unsigned watched = FE_DIVBYZERO | FE_OVERFLOW | FE_UNDERFLOW | FE_INVALID;
#ifdef __SSE__
	/* <fenv.h> looks at the flags of the x87 too, which no kernel raises. That takes as long as to add 300 numbers. */
	const unsigned state = _mm_getcsr();

	if (state & watched)
		_mm_setcsr(state & ~watched);
#else
	if (fetestexcept((int)watched))
		feclearexcept((int)watched);
#endif
}

void no_memory(void)
{
	NPY_ALLOW_C_API_DEF

	NPY_ALLOW_C_API;
	PyErr_NoMemory();
	NPY_DISABLE_C_API;
}

static void run_any(const struct loop *l, char **args, const npy_intp *dimensions, const npy_intp *steps)
{
	const struct isk_shape *shape = l->kernel->shape;
	const npy_intp turns = dimensions[0], *core_steps = steps + l->operands;
	struct operand o[MOST_ARGUMENTS];
	union isk_args call;
	char *buffer = NULL;
	npy_intp most;
	size_t bytes;

	memset(&call, 0, sizeof(call));
	for (int i = 0; i < l->cores; i++)
		*(size_t *)isk_argument_at(&call, &shape->arguments[l->core[i]]) = (size_t)dimensions[1 + i];
	for (int i = 0; i < l->operands; i++) {
		const struct isk_argument *a = l->operand[i] == RESULT ? NULL : &shape->arguments[l->operand[i]];

		/* Not by an initializer, because clearing the other fields takes longer than the work on a short array. */
		o[i].argument = a;
		o[i].base = args[i];
		o[i].step = steps[i];
		o[i].output = !a || a->role == ISK_OUT;
		o[i].extents = 0;
		if (a && a->role == ISK_VALUE)
			o[i].item = value_bytes(l->kernel, a);
		core_steps += look_at(&o[i], l, dimensions, core_steps);
	}
	most = plan(o, l, turns);
	for (int i = 0; i < l->operands; i++) {
		if (is_array(&o[i]))
			set_strides(&o[i], &call, shape, most == 1);
	}
	bytes = buffers(o, l->operands, most);
	if (bytes && !(buffer = PyMem_RawMalloc(bytes))) {
		no_memory();
		return;
	}
	for (npy_intp i = 0, n; i < turns; i += n) {
		n = same_values(o, l->operands, i, turns - i < most ? turns - i : most);
		call_turns(l, o, &call, buffer, i, n);
	}
	PyMem_RawFree(buffer);
}

/* Whether the elements of a reduction are a stride apart for which there is a kernel. */
static bool has_gaps(const struct loop *l, const npy_intp *steps)
{
	const struct isk_argument *x = &l->kernel->shape->arguments[l->operand[0]];

	return l->strided && l->cores == 1 && steps[l->operands] != (npy_intp)isk_element_bytes(isk_argument_type(l->kernel, x));
}

/* A kernel of elements a stride apart has the arguments of the one of adjacent ones, and the stride. */
static void run_strided(const struct loop *l, char **args, const npy_intp *dimensions, const npy_intp *steps)
{
	struct loop strided = *l;

	strided.kernel = l->strided;
	strided.fn = l->strided_fn;
	run_any(&strided, args, dimensions, steps);
}

void run_loop(char **args, const npy_intp *dimensions, const npy_intp *steps, void *loop)
{
	const struct loop *l = loop;

	if (is_fold(l, args, steps))
		fold(l, args, *dimensions, steps);
	else if (has_gaps(l, steps))
		run_strided(l, args, dimensions, steps);
	else if (!(l->is_flat && run_flat(l, args, *dimensions, steps)) &&
	         !(l->reduces_vectors && run_vectors(l, args, dimensions, steps)))
		run_any(l, args, dimensions, steps);
	clear_flags();
}
