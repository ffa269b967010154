/* SPDX-License-Identifier: MIT */
/*
 * A wrong argument, as in reference BLAS: a line on standard error, and the end of the program. Each
 * function whose name a program knows may be replaced by the program's own, because calls go by the dynamic symbol.
 */
#include "xerbla.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Reference CBLAS calls the routine on the transposes for a row-major matrix, and cblas_xerbla() turns the position back if
 * RowMajorStrg is not 0. A program's own cblas_xerbla() may do the same, so both variables are public. CBLAS_CallFromC is 0
 * always, because functions of CBLAS do not call those of Fortran.
 */
EXPORT extern int RowMajorStrg, CBLAS_CallFromC;
int RowMajorStrg, CBLAS_CallFromC;

EXPORT int32_t lsame_(const char *a, const char *b);
EXPORT int32_t lsame_64_(const char *a, const char *b);
EXPORT void xerbla_array_(const char *routine, const int32_t *length, const int32_t *position);
EXPORT void xerbla_array_64_(const char *routine, const int64_t *length, const int64_t *position);

/* Positions in C that change places in the call on the transposes. */
static const struct {
	char routine[16];
	int pairs[2][2];
} swapped[] = {
#include "row_major.h"
};

static int position_by_rows(const char *routine, int position)
{
	for (size_t i = 0; i < sizeof(swapped) / sizeof(swapped[0]); i++)
		for (int side = 0; side < 4 && !strcmp(swapped[i].routine, routine); side++)
			if (swapped[i].pairs[side / 2][side % 2] == position)
				return swapped[i].pairs[side / 2][!(side % 2)];
	return position;
}

static _Noreturn void end(const char *routine, size_t length, int64_t position)
{
	fprintf(stderr, " ** On entry to %.*s parameter number %2lld had an illegal value\n", (int)length, routine,
	        (long long)position);
	exit(1);
}

void xerbla_(const char *routine, const int32_t *position, size_t length)
{
	end(routine, length, *position);
}

void xerbla_64_(const char *routine, const int64_t *position, size_t length)
{
	end(routine, length, *position);
}

/* xerbla_() for a name in an array of characters, whose length is an argument. */
void xerbla_array_(const char *routine, const int32_t *length, const int32_t *position)
{
	xerbla_(routine, position, (size_t)*length);
}

void xerbla_array_64_(const char *routine, const int64_t *length, const int64_t *position)
{
	xerbla_64_(routine, position, (size_t)*length);
}

static _Noreturn void end_c(int64_t position, const char *routine, const char *form, va_list arguments)
{
	if (RowMajorStrg)
		position = position_by_rows(routine, (int)position);
	if (position)
		fprintf(stderr, "Parameter %lld to routine %s was incorrect\n", (long long)position, routine);
	vfprintf(stderr, form, arguments);
	exit(1);
}

void cblas_xerbla(int position, const char *routine, const char *form, ...)
{
	va_list arguments;

	va_start(arguments, form);
	end_c(position, routine, form, arguments);
}

void cblas_xerbla64_(int64_t position, const char *routine, const char *form, ...)
{
	va_list arguments;

	va_start(arguments, form);
	end_c(position, routine, form, arguments);
}

/* Whether two letters are the same, in either case. */
int32_t lsame_(const char *a, const char *b)
{
	const int x = *a | 0x20, y = *b | 0x20;

	return *a == *b || (x == y && x >= 'a' && x <= 'z');
}

int32_t lsame_64_(const char *a, const char *b)
{
	return lsame_(a, b);
}

void refuse_32(const char *routine, int position)
{
	const int32_t info = position;

	if (info)
		xerbla_(routine, &info, strlen(routine));
}

void refuse_64(const char *routine, int position)
{
	const int64_t info = position;

	if (info)
		xerbla_64_(routine, &info, strlen(routine));
}

/* In C the order of the matrix comes first, so that positions are one more. */
void refuse_c_32(const char *routine, int row, int position)
{
	if (position) {
		RowMajorStrg = row;
		cblas_xerbla(position + 1, routine, "%s", "");
	}
}

void refuse_c_64(const char *routine, int row, int position)
{
	if (position) {
		RowMajorStrg = row;
		cblas_xerbla64_(position + 1, routine, "%s", "");
	}
}

void refuse_order_32(const char *routine)
{
	RowMajorStrg = 0;
	cblas_xerbla(1, routine, "%s", "Illegal Order setting\n");
}

void refuse_order_64(const char *routine)
{
	RowMajorStrg = 0;
	cblas_xerbla64_(1, routine, "%s", "Illegal Order setting\n");
}

void blas_no_memory(void)
{
	fprintf(stderr, "libisakern-blas3: no memory for a buffer\n");
	abort();
}
