/* SPDX-License-Identifier: MIT */
/*
 * Kernels by the types of their arrays, in C11.
 *
 *      float x[4], y[4];
 *      isk_exp(y, x, 4);               isk_exp_f32(y, x, 4)
 *
 * isk_OPERATION takes the arguments of isk_OPERATION_TYPE. The macro becomes the name of the kernel that has arrays of
 * these types, so it costs nothing, and the contract of that kernel holds for the call. All arrays decide, except those
 * that may be NULL and packed matrices. A call that matches no kernel does not compile.
 *
 * A macro can choose only between types that differ in C. bf16 and f16 are both uint16_t, and smaller floats and s4 are all
 * uint8_t, so call their kernels by full names. Do so for kernels of u8 too, if their operation has a kernel of a smaller
 * float or of s4 that takes the same C types. In all other operations uint8_t is u8. Kernels of b8 to b64, which only move elements,
 * are chosen by the size of an element, whatever its type: isk_gather() takes arrays of bf16 and of structs of 8 bytes. A
 * packed matrix is assumed to have the type of A; the kernel refuses another one with ISK_ERR_TYPE.
 *
 * These are macros, so an argument with a comma outside parentheses, such as (float[]){1, 2}, needs parentheses around it.
 * A plain NULL has no type, so it cannot stand for an argument that decides. Arguments are evaluated once, unless their
 * types have variable length.
 *
 * Include isakern/sleef_generic.h too to add the f64 functions of libisakern-sleef to the same names.
 */
#ifndef ISAKERN_GENERIC_H
#define ISAKERN_GENERIC_H

#include <isakern.h>

#include <isakern/under.h>

#include <isakern/generic.h>

#endif
