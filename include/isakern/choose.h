/* SPDX-License-Identifier: MIT */
/*
 * Parts of the generic names of isakern_generic.h. A name selects its kernel by a function type whose parameters are the
 * arrays of the call. ISK_IN makes the elements of an input const, whether they were const or not, so both kinds of input
 * match. ISK_OUT keeps const, so a const array matches no output.
 */
#ifndef ISAKERN_CHOOSE_H
#define ISAKERN_CHOOSE_H

#include <isakern/types.h>

#define ISK_OUT(array) __typeof__(*(array)) *
#define ISK_IN(array) const __typeof__(*(array)) *
/*
 * Elements that are only moved are matched by their size in bytes. An output adds void *, or const void * if it is const.
 * An array of its element type is formed, because void * must not match: GNU C gives void a size, but has no array of void.
 */
#define ISK_BITS_IN(array) char (*)[sizeof(__typeof__(*(array))[1])]
#define ISK_BITS_OUT(array) __typeof__(1 ? (array) : (void *)1), ISK_BITS_IN(array)

/*
 * The kernels that a library beside another one adds to an operation: the arguments of ISK_ALSO_prefix_operation
 * after its first one, which is 0.
 */
#define ISK_ALSO(cases) ISK_BEHIND(cases, )
#define ISK_BEHIND(first, ...) __VA_ARGS__

#endif
