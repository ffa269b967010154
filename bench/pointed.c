/* SPDX-License-Identifier: MIT */
/*
 * The two kernels whose calls are timed, in a library of their own in the form of -Ddispatch=pointer: entries
 * by pointer.h, and the bodies of the plain library. A bound call does nothing else.
 */
#include "ifunc.h"

#include "loops.h"

__attribute__((visibility("hidden"))) const char ISK_NAME(row__get_vec_length)[] = "", ISK_NAME(row__relu_f32)[] = "";

ISK_ENTRY(get_vec_length);
ISK_ENTRY(relu_f32);

extern __typeof(isk_get_vec_length) isk_get_vec_length__pointed;
extern __typeof(isk_relu_f32) isk_relu_f32__pointed;

__attribute__((visibility("hidden"))) void *isk_resolve(const struct isk_row *row)
{
	return (const char *)row == ISK_NAME(row__relu_f32) ? (void *)(uintptr_t)isk_relu_f32__pointed
	                                                    : (void *)(uintptr_t)isk_get_vec_length__pointed;
}
