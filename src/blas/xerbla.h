/* SPDX-License-Identifier: MIT */
/*
 * Wrong arguments. The functions below do nothing if position is 0. Otherwise they call xerbla_() or cblas_xerbla(), or
 * those for integers of 64 bits, which the program may have replaced; if it returns, so does the routine, which has done
 * nothing.
 */
#ifndef ISK_BLAS_XERBLA_H
#define ISK_BLAS_XERBLA_H

#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT void xerbla_(const char *routine, const int32_t *position, size_t length);
EXPORT void xerbla_64_(const char *routine, const int64_t *position, size_t length);
EXPORT void cblas_xerbla(int position, const char *routine, const char *form, ...);
EXPORT void cblas_xerbla64_(int64_t position, const char *routine, const char *form, ...);

/* routine: its name in capitals, filled up to 6 characters. */
void refuse_32(const char *routine, int position);
void refuse_64(const char *routine, int position);

/* position: in Fortran's order of arguments, of the call on the transposes if row is not 0. */
void refuse_c_32(const char *routine, int row, int position);
void refuse_c_64(const char *routine, int row, int position);

/* The first argument of a function of CBLAS is neither CblasRowMajor nor CblasColMajor. */
void refuse_order_32(const char *routine);
void refuse_order_64(const char *routine);

/* A buffer cannot be had: says so and ends the program, because no routine of the BLAS can return an error. */
_Noreturn void blas_no_memory(void);

#endif
