/* SPDX-License-Identifier: MIT */
/*
 * The shortest ways from numpy's loop to a kernel: arrays without gaps, and single elements that stand for arrays of equal
 * ones. Half of the time of a call for few elements would otherwise go into finding out that there are no gaps, and numpy's
 * where= makes a call for each run of chosen elements.
 */
#define NO_IMPORT_ARRAY
#define NO_IMPORT_UFUNC
#include "loops.h"

#include <string.h>

/*
 * A constant is repeated in this many bytes, and the kernel called for as many elements. More bytes take longer to fill than
 * the work on a row of a thousand elements, fewer take more calls.
 */
#define CONSTANT_BYTES 8192
#define MOST_CONSTANTS 2

void describe_loop(struct loop *l)
{
	const struct isk_shape *shape = l->kernel->shape;

	l->is_flat = l->batch != NO_BATCH && !l->cores && shape->count == l->operands + 1;
	for (int i = 0; i < l->operands && l->is_flat; i++) {
		const struct isk_argument *a = l->operand[i] == RESULT ? NULL : &shape->arguments[l->operand[i]];

		l->is_flat = a && (a->role == ISK_VALUE || (a->extents == 1 && a->extent[0].size == l->batch)) &&
		             (a->role == ISK_OUT) == (i == l->operands - 1);
		if (l->is_flat && a->role != ISK_VALUE)
			l->item[i] = (npy_intp)isk_element_bytes(isk_argument_type(l->kernel, a));
	}
	for (int i = 0; i < l->operands && l->is_flat; i++)
		l->may_be[i] = l->item[i] == l->item[l->operands - 1] &&
		               shape->arguments[l->operand[l->operands - 1]].may_be & 1u << l->operand[i];
}

/* Whether an input may be read while the output is written: it is the output, as the shape allows, or lies elsewhere. */
static bool apart(const struct loop *l, char **args, const int in, const npy_intp n)
{
	const int out = l->operands - 1;

	if (args[in] == args[out])
		return l->may_be[in];
	return args[in] + n * l->item[in] <= args[out] || args[out] + n * l->item[out] <= args[in];
}

typedef char piece __attribute__((vector_size(16)));

/* Fills CONSTANT_BYTES, or those of n elements and less than a piece more, with one element. */
static void repeat(char *to, const char *from, const npy_intp n, const size_t item)
{
	const size_t bytes = (size_t)n * item;
	piece p;

	for (size_t i = 0; i < sizeof(p); i += item)
		memcpy((char *)&p + i, from, item);
	for (size_t i = 0; i < bytes; i += sizeof(p))
		memcpy(to + i, &p, sizeof(p));
}

/* Calls the kernel, for which `call` has the values, with inputs of which each is one element: those whose bit is set. */
static __attribute__((noinline)) void run_constants(const struct loop *l, union isk_args *call, char **args, const npy_intp n,
                                                    const unsigned constants)
{
	const struct isk_argument *arguments = l->kernel->shape->arguments;
	_Alignas(64) char buffer[MOST_CONSTANTS][CONSTANT_BYTES];
	npy_intp most = n;
	int used = 0;

	for (int i = 0; i < l->operands; i++) {
		if (constants & 1u << i && most > (npy_intp)CONSTANT_BYTES / l->item[i])
			most = (npy_intp)CONSTANT_BYTES / l->item[i];
	}
	for (int i = 0; i < l->operands; i++) {
		if (constants & 1u << i) {
			repeat(buffer[used], args[i], most, (size_t)l->item[i]);
			*(void **)isk_argument_at(call, &arguments[l->operand[i]]) = buffer[used++];
		}
	}
	for (npy_intp done = 0, now; done < n; done += now) {
		now = n - done < most ? n - done : most;
		for (int i = 0; i < l->operands; i++) {
			if (l->item[i] && !(constants & 1u << i))
				*(void **)isk_argument_at(call, &arguments[l->operand[i]]) = args[i] + done * l->item[i];
		}
		*(size_t *)isk_argument_at(call, &arguments[l->batch]) = (size_t)now;
		l->kernel->call(l->fn, call);
	}
}

/* Calls the kernel that takes one input, args[value], as a value. */
static void run_valued(const struct loop *l, char **args, const int value, const npy_intp n)
{
	const struct isk_shape *shape = l->valued->shape;
	union isk_args call;

	for (int i = 0; i < shape->count; i++) {
		const struct isk_argument *a = &shape->arguments[i];

		if (a->role == ISK_VALUE)
			set_value(l->valued, &call, a, args[value]);
		else if (a->role == ISK_SIZE)
			*(size_t *)isk_argument_at(&call, a) = (size_t)n;
		else
			*(void **)isk_argument_at(&call, a) = args[a->role == ISK_OUT ? 2 : 1 - value];
	}
	l->valued->call(l->valued_fn, &call);
}

bool run_flat(const struct loop *l, char **args, const npy_intp n, const npy_intp *steps)
{
	const struct isk_argument *arguments = l->kernel->shape->arguments;
	unsigned constants = 0, count = 0;
	union isk_args call;

	for (int i = 0; i < l->operands; i++) {
		const struct isk_argument *a = &arguments[l->operand[i]];
		const bool is_input = i < l->operands - 1;

		if (n > 1 && steps[i] != l->item[i]) {
			if (steps[i] || !is_input || ++count > MOST_CONSTANTS || l->item[i] > (npy_intp)sizeof(piece))
				return false;
			constants |= 1u << i;
			continue;
		}
		if (!l->item[i]) {
			set_value(l->kernel, &call, a, args[i]);
			continue;
		}
		if (is_input && !apart(l, args, i, n))
			return false;
		*(void **)isk_argument_at(&call, a) = args[i];
	}
	if (l->valued && (constants == 2 || (constants == 1 && l->commutes))) {
		run_valued(l, args, (int)constants - 1, n);
		return true;
	}
	if (constants) {
		run_constants(l, &call, args, n, constants);
		return true;
	}
	*(size_t *)isk_argument_at(&call, &arguments[l->batch]) = (size_t)n;
	l->kernel->call(l->fn, &call);
	return true;
}
