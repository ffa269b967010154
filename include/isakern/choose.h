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
/*
 * Of elements that are only moved, how many bytes they have; of an output also void *, const if that is. There are no
 * arrays of void, of which GNU C knows a size.
 */
#define ISK_BITS_IN(array) char (*)[sizeof(__typeof__(*(array))[1])]
#define ISK_BITS_OUT(array) __typeof__(1 ? (array) : (void *)1), ISK_BITS_IN(array)

/*
 * The kernels that a library beside another one has for an operation: what ISK_ALSO_prefix_operation
 * is, behind its 0.
 */
#define ISK_ALSO(cases) ISK_BEHIND(cases, )
#define ISK_BEHIND(first, ...) __VA_ARGS__

#endif
