/* SPDX-License-Identifier: MIT */
/*
 * libisakern-call: kernels by their names, with arguments that are checked.
 *
 * For callers that do not know at compile time which kernel they will call: scripts,
 * remote calls, fuzzers, bindings of other languages. A call goes to the function that
 * the process has bound to the public symbol, which is isakern's unless LD_PRELOAD put
 * another one in front of it.
 *
 * Arguments come in the order of the kernel's prototype. Arguments for which the
 * kernel's shape promises nothing are refused before anything is called: see the
 * statuses below. Four things are not checked: the arrays that a struct points to
 * (isk_post.other and the like), alignment, the contents of arrays, and arrays whose
 * length is not given.
 *
 * All functions may be called from any number of threads at once.
 */
#ifndef ISAKERN_CALL_H
#define ISAKERN_CALL_H

#include <isakern/roles.h>
#include <isakern/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The kind of a struct isk_value, and the fields that the kind uses. */
enum isk_kind {
	ISK_KIND_ARRAY,   /* an array: pointer, type, bytes */
	ISK_KIND_PACKED,  /* a packed matrix: pointer, type, bytes */
	ISK_KIND_STRUCT,  /* a struct: pointer, and bytes, which must equal its size field */
	ISK_KIND_INTEGER, /* a size, a stride or a value of an integer type: integer */
	ISK_KIND_REAL,    /* a value of a float type, to which it is rounded: real */
};

/* The value of bytes for an array of unknown length, which is then not checked. */
#define ISK_ANY_LENGTH ((size_t)-1)

/* An argument, or a result. A pointer may be NULL if the shape says so, or if its array has no elements. */
struct isk_value {
	enum isk_kind kind;
	enum isk_type type; /* the element type of an array, or the type of a result (0: nothing is returned) */
	size_t bytes;       /* the bytes that may be used from pointer on, or ISK_ANY_LENGTH */
	__extension__ union { /* without a name, which C99 does not have */
		const void *pointer; /* the array or struct; an output is written although this points to const */
		int64_t integer;
		double real;
	};
};

/* Why a call is refused, beside ISK_ERR_KERNEL (no such kernel in this process), ISK_ERR_NULL, ISK_ERR_STRIDE (rows of
 * an output would overlap) and ISK_ERR_STRUCT (bytes differs from the size field of the struct). */
enum isk_call_status {
	ISK_CALL_COUNT = -64,   /* the number of arguments is not the kernel's */
	ISK_CALL_KIND = -65,    /* an argument has another kind than the kernel's */
	ISK_CALL_TYPE = -66,    /* an array has another element type than the kernel's */
	ISK_CALL_RANGE = -67,   /* an integer does not fit its parameter: int and unsigned values are from 0 to 2^31 - 1, integers
	                           of a type that the name of the kernel has from -2^53 to 2^53 - 1 at most */
	ISK_CALL_SPACE = -68,   /* an array is shorter than the sizes say */
	ISK_CALL_OVERLAP = -69, /* an output shares memory with another array in a way that is not allowed */
};

/*
 * Calls a kernel by the name of its symbol without isk_: "exp_f32". Returns 0, or
 * one of the statuses above if nothing was called, or the negative status that the
 * kernel itself returned. *result becomes the value that the kernel returned: REAL
 * for floats, INTEGER for integers, positions and statuses. result may be NULL.
 */
int isk_call(const char *kernel, const struct isk_value *args, size_t count, struct isk_value *result);

/* One line on the last call in this thread that failed. It names the kernel and the argument; "" if none failed. */
const char *isk_call_message(void);

/* The caller sets the field size of the structs below, as in isakern/library.h. */
struct isk_signature {
	size_t size;           /* sizeof(struct isk_signature) */
	const char *shape;     /* the form of the arguments: "map" */
	size_t arguments;      /* the number of arguments */
	enum isk_type result;  /* the type that the kernel returns; 0: it returns nothing */
	int is_status;         /* 1: the result is 0 or a negative isk_status; else 0 */
};

#define ISK_PARAMETER_EXTENTS 8

struct isk_parameter {
	size_t size;           /* sizeof(struct isk_parameter) */
	const char *name;      /* its name in the prototype: "x" */
	enum isk_role role;
	enum isk_kind kind;    /* the kind of the argument that isk_call() takes */
	enum isk_type type;    /* of its elements or its value; 0: size_t, int or unsigned, or a struct */
	const char *structure; /* the struct, "isk_post"; NULL if it is none */
	int packed;            /* 1: it is a packed matrix */
	int null;              /* 1: it may be NULL */
	int inout;             /* 1: it is read before it is written */
	unsigned may_be;       /* the arguments that this output may be the same array as: bit i for argument i */
	const char *measured;  /* "image", "output" or "weights": a struct isk_conv says how long it is; else NULL */
	int extents;           /* how many of extent[] an array has, outermost first */
	struct {
		int argument;      /* the number of the argument that is the length of this extent */
		int stride;        /* the number of the argument that is the distance between two items; -1: they adjoin */
	} extent[ISK_PARAMETER_EXTENTS];
};

/* Both return 0, ISK_ERR_KERNEL, ISK_ERR_NULL or ISK_ERR_STRUCT; isk_parameter() returns ISK_CALL_COUNT if there is no
 * argument i. */
#ifdef __cplusplus
/* g++ -Wshadow warns because functions have the names of structs. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
int isk_signature(const char *kernel, struct isk_signature *signature);
int isk_parameter(const char *kernel, size_t i, struct isk_parameter *parameter);
#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif

#ifdef __cplusplus
}
#endif

#endif
