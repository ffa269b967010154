/* SPDX-License-Identifier: MIT */
/*
 * Kernels as data: the arguments of each, for programs that call kernels by name. The data
 * (isk_kernels) are generated from the tables; ordinary calls do not use them.
 */
#ifndef ISK_CALL_H
#define ISK_CALL_H

#include "isakern/roles.h"
#include "formats.h"

typedef void (*isk_function)(void);

/* The result of a call: the member of its type (f32 for 16-bit floats), or size, or status. */
union isk_result {
	float f32;
	double f64;
	int32_t s32;
	int64_t s64;
	size_t size;
	int status;
};

enum isk_returns { ISK_RETURNS_NOTHING, ISK_RETURNS_ELEMENT, ISK_RETURNS_SIZE, ISK_RETURNS_STATUS };

#define ISK_MOST_EXTENTS 6
/* Bytes of the arguments and the result of a call, the same for all libraries and their shapes. */
#define ISK_ARGS_BYTES   256

/* An argument, as its table row in shapes.tbl says. Fields name other arguments by their position. */
struct isk_argument {
	const char *name;
	enum isk_role role;
	size_t offset;    /* in the struct of arguments */
	enum isk_type type; /* type of elements, or of a value in the struct; 0: see variable */
	int variable;     /* the type's position in isk_kernel.types, from 1; a value of such a type is a double in the struct */
	int extents;      /* number of extents of an array */
	struct {
		int size, stride; /* stride: -1 if elements of this extent follow one another without a gap */
	} extent[ISK_MOST_EXTENTS]; /* outermost first */
	const char *measured; /* an extent that a struct determines: "image", "output", "weights" */
	const char *structure; /* the name of a struct: "isk_post" */
	int packed, null, inout;
	unsigned may_be;  /* inputs that this output may be, a bit each */
	int below;        /* from 1: the size that bounds its elements; the call returns ISK_ERR_INDEX if one is not below */
	int ascending;    /* from 1: the size up to which its elements ascend; otherwise the call returns ISK_ERR_INDEX */
	int limit;        /* a value of integers that must be less than this, or the call returns ISK_ERR_SHAPE; 0: any */
	int positive;     /* 1: a value that must be positive and finite */
	int within;       /* from 1, in isk_kernel.types: the type whose integers a value must be one of */
	int solved;       /* 1: a square matrix of equations; with a large diagonal, rounding errors do not grow */
	int any_order;    /* 1: its strides may have any order of size, and may be 0 */
	int turned, bit;  /* turned, from 1: the argument that, or whose bit, says that the array is stored transposed */
	int along;        /* from 1: the size whose every element adds 1 to this value */
};

struct isk_shape {
	const char *name;
	const struct isk_argument *arguments;
	int count;
	enum isk_returns returns;
	int variable; /* if an element is returned: the position of its type in isk_kernel.types, from 1 */
	int types; /* number of types in a kernel's name */
	int cuts;  /* number of the sizes along which a call may be cut into parts */
	int cut[2];
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

/* The type of the elements of an argument, or of a value. A value of a kernel for complex numbers is real. */
static inline enum isk_type isk_argument_type(const struct isk_kernel *k, const struct isk_argument *a)
{
	const enum isk_type type = a->variable ? k->types[a->variable - 1] : a->type;

	return a->role == ISK_VALUE ? isk_part_type(type) : type;
}

/* The type as which an element is returned: f32 for floats of fewer bits. */
static inline enum isk_type isk_by_value(enum isk_type type)
{
	return isk_element_is_float(type) && isk_element_width(type) < 32 ? ISK_F32 : type;
}

/* The type of the kernel's result; 0: it returns nothing. */
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

/* The address of an argument in the struct of arguments: of a pointer, a number of elements or a value. */
static inline void *isk_argument_at(union isk_args *args, const struct isk_argument *a)
{
	return (char *)args + a->offset;
}

static inline int isk_is_array(const struct isk_argument *a)
{
	return a->role == ISK_OUT || a->role == ISK_IN;
}

static inline const void *isk_pointer_of(union isk_args *args, const struct isk_argument *a)
{
	return *(const void *const *)isk_argument_at(args, a);
}

/* Whether the array is stored transposed: column by column, each with all rows. */
static inline int isk_argument_is_turned(const struct isk_kernel *k, union isk_args *args, const struct isk_argument *a)
{
	const int flags = a->turned ? *(const int *)isk_argument_at(args, &k->shape->arguments[a->turned - 1]) : 0;

	return (a->bit ? flags & a->bit : flags) != 0;
}

/*
 * The number of elements from the first to the last one of an array, in the extents from `level` on; SIZE_MAX if it
 * overflows. Rows are whole bytes, so that an odd number of elements that share bytes counts one more.
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
		if (i == last && isk_shares_byte(isk_argument_type(k, a)))
			span += span % 2;
	}
	return span;
}

#endif
