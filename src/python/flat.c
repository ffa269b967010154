/* SPDX-License-Identifier: MIT */
/*
 * The shortest ways from numpy's loop to a kernel: arrays without gaps, single elements that stand for arrays of equal ones, and
 * inputs with gaps. Half of the time of a call for few elements would otherwise go into finding out that there are no gaps, and
 * numpy's where= makes a call for each run of chosen elements.
 */
#define NO_IMPORT_ARRAY
#define NO_IMPORT_UFUNC
#include "loops.h"

#include <math.h>
#include <string.h>

/*
 * Inputs are repeated or copied in pieces of this many bytes, a single one in pieces of twice as many, and the kernel is called
 * for as many elements. For larger pieces loads from memory wait for the work on the piece before, smaller ones take more calls.
 * A single constant of 8 bytes stays at the smaller size: div(x, 3) of 10^6 f64 .92 of numpy's speed, with twice as many bytes
 * .77; add(x, 3) of int32 .86 and .95 (Zen 5).
 */
#define PIECE_BYTES 4096
#define MOST_COPIES 3

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
static bool apart(const struct loop *l, char **args, const npy_intp *steps, const int in, const npy_intp n)
{
	const int out = l->operands - 1;
	const npy_intp reach = n > 1 ? (n - 1) * steps[in] : 0;
	const char *const low = args[in] + (reach < 0 ? reach : 0), *const high = args[in] + (reach > 0 ? reach : 0) + l->item[in];

	if (args[in] == args[out] && reach == (n - 1) * l->item[in])
		return l->may_be[in];
	return high <= args[out] || args[out] + n * l->item[out] <= low;
}

typedef char piece __attribute__((vector_size(16)));

/* Fills the bytes of n elements, and less than 16 more, with one element. */
static void repeat(char *to, const char *from, const npy_intp n, const size_t item)
{
	const size_t bytes = (size_t)n * item;
	piece p;

	for (size_t i = 0; i < sizeof(p); i += item)
		memcpy((char *)&p + i, from, item);
	for (size_t i = 0; i < bytes; i += sizeof(p))
		memcpy(to + i, &p, sizeof(p));
}

/*
 * Calls the kernel, for which `call` has the values, for one piece after another. Inputs whose bit is set in `copied` are
 * copied to a buffer, or, if they are one element each, repeated there.
 */
static __attribute__((noinline)) void run_pieces(const struct loop *l, union isk_args *call, char **args, const npy_intp n,
                                                 const npy_intp *steps, const unsigned copied)
{
	const struct isk_argument *arguments = l->kernel->shape->arguments;
	_Alignas(64) char buffer[MOST_COPIES * PIECE_BYTES];
	npy_intp most = n, bytes = PIECE_BYTES;

	for (int i = 0; i < l->operands; i++) {
		if (copied == 1u << i && (steps[i] || l->item[i] < 8))
			bytes = 2 * PIECE_BYTES;
		if (copied & 1u << i && most > bytes / l->item[i])
			most = bytes / l->item[i];
	}
	for (npy_intp done = 0, now; done < n; done += now) {
		char *next = buffer;

		now = n - done < most ? n - done : most;
		for (int i = 0; i < l->operands; i++) {
			char *at = args[i] + done * steps[i];

			if (!l->item[i])
				continue;
			if (copied & 1u << i) {
				if (steps[i])
					copy_elements(next, l->item[i], at, steps[i], now, (size_t)l->item[i]);
				else if (!done)
					repeat(next, at, most, (size_t)l->item[i]);
				at = next;
				next += bytes;
			}
			*(void **)isk_argument_at(call, &arguments[l->operand[i]]) = at;
		}
		*(size_t *)isk_argument_at(call, &arguments[l->batch]) = (size_t)now;
		l->kernel->call(l->fn, call);
	}
}

/* Calls the kernel that takes one input, args[value], as a value. False: nothing is done, because the value is NaN, whose sign counts. */
static bool run_valued(const struct loop *l, char **args, const int value, const npy_intp n)
{
	const struct isk_shape *shape = l->valued->shape;
	union isk_args call;
	double *number = NULL;

	for (int i = 0; i < shape->count; i++) {
		const struct isk_argument *a = &shape->arguments[i];

		if (a->role == ISK_VALUE) {
			set_value(l->valued, &call, a, args[value]);
			number = isk_argument_at(&call, a);
		} else if (a->role == ISK_SIZE)
			*(size_t *)isk_argument_at(&call, a) = (size_t)n;
		else
			*(void **)isk_argument_at(&call, a) = args[a->role == ISK_OUT ? 2 : 1 - value];
	}
	if (l->negates && isnan(*number))
		return false;
	if (l->negates)
		*number = -*number;
	l->valued->call(l->valued_fn, &call);
	return true;
}

/*
 * Whether numpy's loop takes less time than pieces: it keeps a constant behind numbers in a register, and divides integers by its
 * inverse; and it reads floats of 8 bytes in place if there are gaps between them (abs(x[::2]) of 1000 to 10^5 f64: .82 to .94 of the
 * time, Zen 5). The integers 0 and -1 are the kernel's, because numpy warns of quotients by them.
 */
static bool suits_numpy(const struct loop *l, char **args, const unsigned copied, const unsigned constants)
{
	const npy_int64 zero = 0, minus_one = -1;
	const size_t item = (size_t)l->item[0];

	if (!l->numpys)
		return false;
	if (l->operands == 2)
		return !constants && item == 8;
	return copied == 2 && constants == 2 && memcmp(args[1], &zero, item) && memcmp(args[1], &minus_one, item);
}

bool run_flat(const struct loop *l, char **args, const npy_intp n, const npy_intp *steps)
{
	const struct isk_argument *arguments = l->kernel->shape->arguments;
	unsigned constants = 0, copied = 0, count = 0;
	union isk_args call;

	for (int i = 0; i < l->operands; i++) {
		const struct isk_argument *a = &arguments[l->operand[i]];
		const bool is_input = i < l->operands - 1, is_dense = n <= 1 || steps[i] == l->item[i];

		if (!is_dense && (!is_input || !l->item[i] || l->item[i] > (npy_intp)sizeof(piece) / (steps[i] ? 2 : 1)))
			return false;
		if (!l->item[i])
			set_value(l->kernel, &call, a, args[i]);
		else if (is_input && (is_dense || steps[i]) && !apart(l, args, steps, i, n))
			return false;
		else if (is_dense)
			*(void **)isk_argument_at(&call, a) = args[i];
		else if (++count > MOST_COPIES)
			return false;
		else
			copied |= 1u << i;
		if (!is_dense && !steps[i])
			constants |= 1u << i;
	}
	if (l->valued && copied == constants && (constants == 2 || (constants == 1 && l->commutes)) &&
	    run_valued(l, args, (int)constants - 1, n))
		return true;
	if (copied && suits_numpy(l, args, copied, constants)) {
		l->numpys(args, &n, steps, l->numpys_data);
		return true;
	}
	if (copied) {
		run_pieces(l, &call, args, n, steps, copied);
		return true;
	}
	*(size_t *)isk_argument_at(&call, &arguments[l->batch]) = (size_t)n;
	l->kernel->call(l->fn, &call);
	return true;
}
