/* SPDX-License-Identifier: MIT */
/* What tests ask about elements beside elements.h: errors, texts, and the values that are worth trying. */
#ifndef VALUES_H
#define VALUES_H

#include "errors.h"

/* How many values the type has, or 0 if that is more than can be tried on every run. */
size_t element_values(enum isk_type type);
/* A value and its bits, for people: "1.5 (0x3fc00000)". */
struct text {
	char s[280];
};
struct text element_text(enum isk_type type, uint64_t bits);
float f32_of(uint32_t bits);
uint32_t bits_of(float x);

/* Zeros, infinities, NaNs, denormals, limits of formats, thresholds of functions: as bits of the type. */
size_t special_count(enum isk_type type);
uint64_t special(enum isk_type type, size_t i);

enum kind {
	KIND_BITS,      /* any bits */
	KIND_UNIT,      /* [-1, 1) */
	KIND_TEN,       /* [-10, 10) */
	KIND_HUNDRED,   /* [-110, 110), of f64 [-750, 750) */
	KIND_THRESHOLD, /* a few ulp from where some function changes its way */
	KIND_TINY,      /* denormals and their neighbours */
	KIND_SPECIAL,
	KINDS
};

/* The bits of an element; of an integer, which has no kinds, any. */
uint64_t random_element(enum isk_type type, enum kind kind);
float random_f32(enum kind kind);

/* Any of 64 bits: small ones, any, and such near a multiple of 2^32, or 0, that a sum carries beyond. */
int64_t random_whole(void);
/* Elements from the end of a row to the next, which of s4 begins with a byte. */
size_t random_gap(enum isk_type type);

#endif
