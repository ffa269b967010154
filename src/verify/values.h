/* SPDX-License-Identifier: MIT */
/* Questions of tests about elements, beside elements.h: errors, texts, and the values worth trying. */
#ifndef VALUES_H
#define VALUES_H

#include "errors.h"

/* The number of the type's values; 0 if they are too many to try in every run. */
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
	KIND_HUNDRED,   /* [-110, 110); for f64 [-750, 750) */
	KIND_THRESHOLD, /* a few ulp from a point where some function changes its formula */
	KIND_TINY,      /* denormals and their neighbours */
	KIND_SPECIAL,
	KINDS
};

/* Random bits of an element. Integers have no kinds, and get any bits. */
uint64_t random_element(enum isk_type type, enum kind kind);
float random_f32(enum kind kind);

/* Any 64 bits: small numbers, any, and numbers so near a multiple of 2^32, or 0, that a sum carries past it. */
int64_t random_whole(void);
/* A random gap between the end of a row and the next; even if elements share bytes, because rows begin on a byte. */
size_t random_gap(enum isk_type type);

#endif
