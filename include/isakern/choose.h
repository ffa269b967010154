/* SPDX-License-Identifier: MIT */
/*
 * What generic names are made of: isakern_generic.h. A call is told by its arrays, as the parameters of a function type.
 * Of these const does not count on top, and it is given back where an array is read: so the elements of both kinds of
 * input are one type, and an output that is const is none.
 */
#ifndef ISAKERN_CHOOSE_H
#define ISAKERN_CHOOSE_H

#include <isakern/types.h>

#define ISK_OUT(array) __typeof__(*(array)) *
#define ISK_IN(array) const __typeof__(*(array)) *
/* Of elements that are only moved, how many bytes they have. There are no arrays of void, of which GNU C knows a size. */
#define ISK_BITS(array) char (*)[sizeof(__typeof__(*(array))[1])]

/* The kernels that a library beside another one has for an operation: what ISK_ALSO_operation is, behind its 0. */
#define ISK_ALSO(operation) ISK_BEHIND_(ISK_ALSO_##operation, )
#define ISK_BEHIND_(...) ISK_BEHIND(__VA_ARGS__)
#define ISK_BEHIND(first, ...) __VA_ARGS__

#endif
