/* SPDX-License-Identifier: MIT */
/* For the generated functions: option letters, constants of cblas.h, and the calls of xerbla. */
#ifndef ISK_BLAS_EXPORT_H
#define ISK_BLAS_EXPORT_H

#include "blas.h"
#include "xerbla.h"

enum { ROW_MAJOR = 101, COLUMN_MAJOR };

/* The number of an option letter, in either case; -1 if it is none. */
static inline int trans_of_letter(char letter)
{
	letter &= ~0x20;
	return letter == 'N' ? 0 : letter == 'T' ? TRANSPOSED : letter == 'C' ? ADJOINT : -1;
}

static inline int either_letter(char letter, char zero, char one)
{
	letter &= ~0x20;
	return letter == zero ? 0 : letter == one ? 1 : -1;
}

static inline int uplo_of_letter(char letter)
{
	return either_letter(letter, 'U', 'L');
}

static inline int side_of_letter(char letter)
{
	return either_letter(letter, 'L', 'R');
}

static inline int diag_of_letter(char letter)
{
	return either_letter(letter, 'N', 'U');
}

/* The same of the constants of cblas.h, which are consecutive for each option. */
static inline int trans_of_c(int constant)
{
	return constant == 111 ? 0 : constant == 112 ? TRANSPOSED : constant == 113 ? ADJOINT : -1;
}

static inline int either_constant(int constant, int zero)
{
	return constant == zero ? 0 : constant == zero + 1 ? 1 : -1;
}

static inline int uplo_of_c(int constant)
{
	return either_constant(constant, 121);
}

static inline int diag_of_c(int constant)
{
	return either_constant(constant, 131);
}

static inline int side_of_c(int constant)
{
	return either_constant(constant, 141);
}

/* The options of the transposed matrix. An invalid option stays one. */
static inline int other_of_trans(int trans)
{
	return trans < 0 ? trans : trans ^ TRANSPOSED;
}

static inline int other_of_uplo(int uplo)
{
	return uplo < 0 ? uplo : !uplo;
}

static inline int other_of_side(int side)
{
	return side < 0 ? side : !side;
}

/* N and C change places; T, which routines with this change refuse, becomes another refused value. */
static inline int adjoint_of(int trans)
{
	return trans < 0 ? trans : trans ^ ADJOINT;
}

static inline int64_t at_least_1(int64_t bound)
{
	return bound < 1 ? 1 : bound;
}

/* The position for C of the element that Fortran counts from 1; 0 if there is none. */
static inline size_t from_0(int64_t position)
{
	return position ? (size_t)position - 1 : 0;
}

#endif
