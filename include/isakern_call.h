/* SPDX-License-Identifier: MIT */
/*
 * libisakern-call: kernels by their names, with arguments that are checked.
 *
 * For callers that do not know at compile time what they will call: scripts, remote
 * calls, fuzzers, bindings of other languages. A call goes to what the process has
 * bound to the public symbol, be that isakern's or what LD_PRELOAD put in front of it.
 *
 * Arguments come in the order of the kernel's prototype. What a kernel's shape
 * promises nothing for is refused before anything is called: see the statuses
 * below. Not checked are what a struct points to (isk_post.other and the like),
 * alignment, and the contents of arrays; and arrays whose length is not given.
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

/* What a struct isk_value holds. */
enum isk_kind {
	ISK_KIND_ARRAY,   /* pointer, type, bytes */
	ISK_KIND_PACKED,  /* likewise, a packed matrix */
	ISK_KIND_STRUCT,  /* pointer, bytes: those of its size field */
	ISK_KIND_INTEGER, /* integer: for sizes, strides and values of integer types */
	ISK_KIND_REAL,    /* real: for values of float types, to which it is rounded */
};

/* The length of an array that is not known; it is then not checked. */
#define ISK_ANY_LENGTH ((size_t)-1)

/* An argument, or a result. A pointer may be NULL where the shape says so, and where its array has no elements. */
struct isk_value {
	enum isk_kind kind;
	enum isk_type type; /* of the elements; of a result that of its number, 0 where nothing is returned */
	size_t bytes;       /* from pointer on, or ISK_ANY_LENGTH */
	union {
		const void *pointer; /* of an output too, which is written */
		int64_t integer;
		double real;
	};
};

/* Why a call is refused, beside ISK_ERR_KERNEL (no such kernel in this process), ISK_ERR_NULL, ISK_ERR_STRIDE (rows of
 * an output would overlap) and ISK_ERR_STRUCT (bytes is not what the struct says is its size). */
enum isk_call_status {
	ISK_CALL_COUNT = -64,   /* another number of arguments */
	ISK_CALL_KIND = -65,    /* an argument of another kind */
	ISK_CALL_TYPE = -66,    /* an array of another element type */
	ISK_CALL_RANGE = -67,   /* an integer that its type does not hold; int and unsigned values are from 0 to 2^31 - 1,
	                           integers of a type that the name of the kernel has from -2^53 to 2^53 - 1 at most */
	ISK_CALL_SPACE = -68,   /* an array shorter than the sizes say */
	ISK_CALL_OVERLAP = -69, /* an output that shares memory with another array, and may not */
};

/*
 * Calls a kernel: "exp_f32", the symbol without isk_. Returns 0, or one of the
 * statuses above with nothing called, or the negative status that the kernel itself
 * returned. What it returned otherwise is in *result, which may be NULL: REAL
 * for floats, INTEGER for integers, positions and statuses.
 */
int isk_call(const char *kernel, const struct isk_value *args, size_t count, struct isk_value *result);

/* One line on the last call in this thread that did not return 0, which names the kernel and the argument; "" before. */
const char *isk_call_message(void);

/* The structs below are handed over with size filled in, as in isakern/library.h. */
struct isk_signature {
	size_t size;           /* sizeof(struct isk_signature) */
	const char *shape;     /* "map" */
	size_t arguments;
	enum isk_type result;  /* 0: nothing is returned */
	int is_status;         /* the result is 0 or a negative isk_status */
};

#define ISK_PARAMETER_EXTENTS 4

struct isk_parameter {
	size_t size;           /* sizeof(struct isk_parameter) */
	const char *name;      /* "x" */
	enum isk_role role;
	enum isk_kind kind;    /* what isk_call() wants */
	enum isk_type type;    /* of elements or of a value; 0: size_t, int or unsigned, or a struct */
	const char *structure; /* "isk_post"; NULL for all else */
	int packed;            /* a packed matrix */
	int null;              /* may be NULL */
	int inout;             /* read before it is written */
	unsigned may_be;       /* arguments that this output may be, a bit each */
	const char *measured;  /* "image", "output", "weights": as many elements as a struct isk_conv says; else NULL */
	int extents;           /* of an array, outermost first: */
	struct {
		int argument;      /* the number of the argument that says how many */
		int stride;        /* and of that which says how far apart they are; -1: side by side */
	} extent[ISK_PARAMETER_EXTENTS];
};

/* 0, or ISK_ERR_KERNEL, ISK_ERR_NULL, ISK_ERR_STRUCT; ISK_CALL_COUNT where there is no argument i. */
int isk_signature(const char *kernel, struct isk_signature *signature);
int isk_parameter(const char *kernel, size_t i, struct isk_parameter *parameter);

#ifdef __cplusplus
}
#endif

#endif
