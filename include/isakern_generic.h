/* SPDX-License-Identifier: MIT */
/*
 * Kernels by the types of their arrays, in C11.
 *
 *      float x[4], y[4];
 *      isk_exp(y, x, 4);               isk_exp_f32(y, x, 4)
 *
 * isk_OPERATION takes the arguments of isk_OPERATION_TYPE, and is it: the macro is the name of the kernel that has arrays
 * of these types, and costs nothing. What holds for that kernel holds for the call. All arrays count, but for those that
 * may be NULL and packed matrices. A call that no kernel fits does not compile.
 *
 * Only what C can tell apart is chosen. bf16 and f16 are both uint16_t, and e4m3, e5m2 and s4 uint8_t: kernels of these
 * are called by their full names, and so are kernels of u8 in operations that have one of e4m3, e5m2 or s4 that would look
 * the same. Elsewhere uint8_t is u8. Kernels of b8 to b64, which only move elements, are chosen by the size of an element,
 * whatever its type: isk_gather() takes arrays of bf16 and of structs of 8 bytes. A packed matrix is taken for one of the
 * type of A; one of another type is refused as ever, with ISK_ERR_TYPE.
 *
 * These are macros: an argument with a comma that is not inside of parentheses, such as (float[]){1, 2}, needs
 * parentheses around it. Of an argument that may not be NULL, a plain NULL has no type. Arguments are evaluated once, if
 * their types have no variable length.
 *
 * isakern/sleef_generic.h, included too, adds the functions of f64 of libisakern-sleef to the same names.
 */
#ifndef ISAKERN_GENERIC_H
#define ISAKERN_GENERIC_H

#include <isakern.h>

#include <isakern/under.h>

#include <isakern/generic.h>

#endif
