/* SPDX-License-Identifier: MIT */
/* Element types, errors, and the values that are worth trying. */
#ifndef NUMBERS_H
#define NUMBERS_H

#include <stddef.h>
#include <stdint.h>

enum elem {
	ELEM_f32, ELEM_bf16, ELEM_f16, ELEM_s8, ELEM_u8, ELEM_s32, ELEM_size,
	ELEM_b8, ELEM_b16, ELEM_b32, ELEM_b64,
};

size_t elem_bytes(enum elem elem);
int elem_is_float(enum elem elem);
/* How many values the type has, or 0 if that is more than can be tried on every run. */
size_t elem_values(enum elem elem);
uint64_t elem_bits(enum elem elem, const void *x, size_t i);
void elem_set_bits(enum elem elem, void *x, size_t i, uint64_t bits);
double elem_value(enum elem elem, uint64_t bits);
/* A value and its bits, for people: "1.5 (0x3fc00000)". */
struct text {
	char s[128];
};
struct text elem_text(enum elem elem, uint64_t bits);
/* The value rounded to the type. */
void elem_set(enum elem elem, void *x, size_t i, double value);
int elem_is_nan(enum elem elem, uint64_t bits);
/* Whether two results are equal bits; any NaN equals any other. */
int elem_same(enum elem elem, uint64_t a, uint64_t b);

/*
 * The error of a result in ulp of the exact one; infinite if the one is a NaN
 * and the other is not, or if the result has the wrong sign. An infinite result
 * stands for the first power of two that the type cannot hold, or more.
 */
double elem_ulps(enum elem elem, uint64_t bits, double exact);
/* The least number above 0 of the type. */
double elem_least(enum elem elem);

float f32_of(uint32_t bits);
uint32_t bits_of(float x);

/* Zeros, infinities, NaNs, denormals, limits of formats, thresholds of functions. */
extern const uint32_t specials[];
extern const size_t special_count;

enum kind {
	KIND_BITS,      /* any f32 */
	KIND_UNIT,      /* [-1, 1) */
	KIND_TEN,       /* [-10, 10) */
	KIND_HUNDRED,   /* [-110, 110) */
	KIND_THRESHOLD, /* a few ulp from where some function changes its way */
	KIND_TINY,      /* denormals and their neighbours */
	KIND_SPECIAL,
	KINDS
};

float random_f32(enum kind kind);

#endif
