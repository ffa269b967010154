/* SPDX-License-Identifier: MIT */
/*
 * The loop of numpy's reduce(): x[0] OP x[1] OP ... into one element. A call of the kernel for each element would take a
 * hundred times as long as the operation. If there is a kernel that reduces arrays (sum for add), it reduces the elements.
 * Otherwise they are joined as columns of a block, and the columns then by halves. The order depends on the number of elements
 * alone. Only operations that numpy allows to reorder are reduced so.
 */
#define NO_IMPORT_ARRAY
#define NO_IMPORT_UFUNC
#include "loops.h"

#define BLOCK_BYTES 4096

/* A reduction: its kernel, the bytes of an element, and the elements, which are step bytes apart. */
struct fold {
	const struct loop *loop;
	size_t item;
	const char *x;
	npy_intp step;
};

bool is_fold(const struct loop *l, char **args, const npy_intp *steps)
{
	return l->folds && args[0] == args[2] && steps[0] == 0 && steps[2] == 0;
}

static void join(const struct fold *f, char *out, const char *a, const char *b, const npy_intp n)
{
	const struct loop *l = f->loop;
	const struct isk_argument *arguments = l->kernel->shape->arguments;
	union isk_args call;

	*(void **)isk_argument_at(&call, &arguments[l->operand[0]]) = (void *)(uintptr_t)a;
	*(void **)isk_argument_at(&call, &arguments[l->operand[1]]) = (void *)(uintptr_t)b;
	*(void **)isk_argument_at(&call, &arguments[l->operand[2]]) = out;
	*(size_t *)isk_argument_at(&call, &arguments[l->batch]) = (size_t)n;
	l->kernel->call(l->fn, &call);
}

/* n elements of x from the first-th on, without gaps: in place, or copied to buffer. */
static const char *elements(const struct fold *f, const npy_intp first, const npy_intp n, char *buffer)
{
	const char *from = f->x + first * f->step;

	if (f->step == (npy_intp)f->item)
		return from;
	for (npy_intp i = 0; i < n; i++)
		memcpy(buffer + (size_t)i * f->item, from + i * f->step, f->item);
	return buffer;
}

/* Reduces the elements by the kernel of arrays. */
static void fold_whole(const struct fold *f, char *to, const npy_intp n)
{
	const struct loop *l = f->loop;
	const bool dense = f->step == (npy_intp)f->item;
	const bool strided = !dense && l->strided && f->step > 0 && f->step % (npy_intp)f->item == 0;
	const struct isk_kernel *const kernel = strided ? l->strided : l->whole;
	char *buffer = NULL, result[16];
	union isk_args call;

	if (!dense && !strided && !(buffer = PyMem_RawMalloc((size_t)n * f->item))) {
		no_memory();
		return;
	}
	for (int i = 0; i < kernel->shape->count; i++) {
		const struct isk_argument *a = &kernel->shape->arguments[i];

		if (a->role == ISK_IN)
			*(const void **)isk_argument_at(&call, a) = strided ? f->x : elements(f, 0, n, buffer);
		else
			*(size_t *)isk_argument_at(&call, a) = a->role == ISK_SIZE ? (size_t)n : (size_t)f->step / f->item;
	}
	kernel->call(strided ? l->strided_fn : l->whole_fn, &call);
	get_result(kernel, &call, result);
	join(f, to, to, result, 1);
	PyMem_RawFree(buffer);
}

/* Joins the elements as columns of a block, and the columns by halves. */
static void fold_block(const struct fold *f, char *to, const npy_intp n)
{
	const npy_intp most = (npy_intp)(BLOCK_BYTES / f->item);
	npy_intp width = n / 2 < most ? n / 2 : most, done = 2 * width;
	_Alignas(64) char sums[BLOCK_BYTES], first[BLOCK_BYTES] = {0}, second[BLOCK_BYTES] = {0};

	join(f, sums, elements(f, 0, width, first), elements(f, width, width, second), width);
	while (done < n) {
		const npy_intp count = n - done < width ? n - done : width;

		join(f, sums, sums, elements(f, done, count, first), count);
		done += count;
	}
	while (width > 1) {
		const npy_intp half = width / 2;

		join(f, sums, sums, sums + (size_t)half * f->item, half);
		if (width % 2)
			join(f, sums, sums, sums + (size_t)(width - 1) * f->item, 1);
		width = half;
	}
	join(f, to, to, sums, 1);
}

void fold(const struct loop *l, char **args, const npy_intp n, const npy_intp *steps)
{
	const struct fold f = {l, (size_t)l->item[1], args[1], steps[1]};

	if (n > 1 && l->whole)
		fold_whole(&f, args[0], n);
	else if (n > 1)
		fold_block(&f, args[0], n);
	else if (n)
		join(&f, args[0], args[0], args[1], 1);
}
