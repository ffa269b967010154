/* SPDX-License-Identifier: MIT */
/*
 * Kernels as data: what a call of each takes, for whoever calls them by name. It
 * is generated from the tables (isk_kernels); nothing here is on the way of a call.
 */
#ifndef ISK_CALL_H
#define ISK_CALL_H

#include "isakern/roles.h"
#include "isakern/types.h"

typedef void (*isk_function)(void);

/* What a call returns: the member is that of the type (of 16-bit floats f32), or size, or status. */
union isk_result {
	float f32;
	double f64;
	int32_t s32;
	int64_t s64;
	size_t size;
	int status;
};

enum isk_returns { ISK_RETURNS_NOTHING, ISK_RETURNS_ELEMENT, ISK_RETURNS_SIZE, ISK_RETURNS_STATUS };

#define ISK_MOST_EXTENTS 4
/* Of a call, with what it returns: the same for all libraries, whatever shapes of their own they have. */
#define ISK_ARGS_BYTES   256

/* An argument, as its row in shapes.tbl says. Other arguments are meant by their position. */
struct isk_argument {
	const char *name;
	enum isk_role role;
	size_t offset;    /* in the struct of arguments */
	enum isk_type type; /* of elements, or of a value in the struct; 0: that of a variable, */
	int variable;     /* counted from 1, in isk_kernel.types; a value of one is a double in the struct */
	int extents;      /* of an array, outermost first */
	struct {
		int size, stride; /* stride: -1 where there is none between elements of this extent and the next */
	} extent[ISK_MOST_EXTENTS];
	const char *measured; /* an extent that a struct knows: "image", "output", "weights" */
	const char *structure; /* what a struct is: "isk_post" */
	int packed, null, inout;
	unsigned may_be;  /* inputs that this output may be, a bit each */
	int below;        /* counted from 1: the size that its elements are less than, else the call returns ISK_ERR_INDEX */
	int ascending;    /* counted from 1: the size that its elements ascend to, else likewise */
	int positive;     /* a value that must be positive and finite */
	int within;       /* counted from 1, in isk_kernel.types: the integers that a value must be one of */
	int turned, bit;  /* counted from 1: the argument that says that the array is stored the other way round */
};

struct isk_shape {
	const char *name;
	const struct isk_argument *arguments;
	int count;
	enum isk_returns returns;
	int variable; /* an element is returned: its type, counted from 1, in isk_kernel.types */
	int types; /* in a kernel's name */
};

union isk_args;

struct isk_kernel {
	const char *name, *op;
	const struct isk_shape *shape;
	enum isk_type types[3];
	void (*call)(isk_function fn, union isk_args *args);
};

extern const struct isk_kernel isk_kernels[];
extern const size_t isk_kernels_count;

/* The type of the elements of an argument, or of a value. */
static inline enum isk_type isk_argument_type(const struct isk_kernel *k, const struct isk_argument *a)
{
	return a->variable ? k->types[a->variable - 1] : a->type;
}

/* What an element is returned as: 16-bit floats are f32 then. */
static inline enum isk_type isk_by_value(enum isk_type type)
{
	return type == ISK_BF16 || type == ISK_F16 ? ISK_F32 : type;
}

/* The type of what the kernel returns; 0: nothing. */
static inline enum isk_type isk_result_type(const struct isk_kernel *k)
{
	switch (k->shape->returns) {
	case ISK_RETURNS_ELEMENT:
		return isk_by_value(k->types[k->shape->variable - 1]);
	case ISK_RETURNS_SIZE:
		return ISK_S64;
	case ISK_RETURNS_STATUS:
		return ISK_S32;
	default:
		return 0;
	}
}

/* Where an argument is in a struct of them: a pointer, a number of elements, a value. */
static inline void *isk_argument_at(union isk_args *args, const struct isk_argument *a)
{
	return (char *)args + a->offset;
}

/* Whether it is stored the other way round: as so many columns, each with all rows. */
static inline int isk_argument_is_turned(const struct isk_kernel *k, union isk_args *args, const struct isk_argument *a)
{
	const int flags = a->turned ? *(const int *)isk_argument_at(args, &k->shape->arguments[a->turned - 1]) : 0;

	return (a->bit ? flags & a->bit : flags) != 0;
}

/*
 * Elements from the first to the last one of an array, from extent number level on; SIZE_MAX where they cannot be
 * counted. Rows of s4 are whole bytes: where their elements are odd in number there is half a byte behind them.
 */
static inline size_t isk_argument_span(const struct isk_kernel *k, union isk_args *args, const struct isk_argument *a,
                                       int level)
{
	const int last = a->extents - 1, turned = isk_argument_is_turned(k, args, a);
	size_t span = 1, more;

	for (int i = last; i >= level; i--) {
		const int stride = a->extent[i].stride, sized = turned && i >= last - 1 ? 2 * last - 1 - i : i;
		const size_t size = *(const size_t *)isk_argument_at(args, &k->shape->arguments[a->extent[sized].size]);

		if (!size)
			return 0;
		more = stride < 0 ? span : *(const size_t *)isk_argument_at(args, &k->shape->arguments[stride]);
		if (__builtin_mul_overflow(size - 1, more, &more) || __builtin_add_overflow(span, more, &span))
			return SIZE_MAX;
		if (i == last && isk_argument_type(k, a) == ISK_S4)
			span += span % 2;
	}
	return span;
}

#endif
