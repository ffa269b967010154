/* SPDX-License-Identifier: MIT */
/* The base of these tests: values, memory whose end must not be crossed, and output in TAP. */
#ifndef WORDS_H
#define WORDS_H

#include <stddef.h>
#include <stdint.h>

/* Tests every function of the vocabulary for which it is compiled. */
void test_words(void);

/* Begins a test named NAME, which lasts until the next one or until tests_end(), which returns how many failed. */
void test_begin(const char *name);
int tests_end(void);
/* Fails unless got is want. `at` is the index of the element. */
void same_bits(uint64_t got, uint64_t want, size_t at);
/* The same for floats, where all NaNs are equal. */
void same_f32(float got, float want, size_t at);
void same_f64(double got, double want, size_t at);
void same_bytes(const void *got, const void *want, size_t bytes);

/* Random bits, floats and integers; difficult values come up often. */
uint64_t any_bits(void);
float any_f32(void);
double any_f64(void);
int32_t any_s32(void);
/* Uniform in [low, high). */
double any_in(double low, double high);

/* Puts bytes that end where no access is allowed, or begin there, with noise in and around them. */
enum edge { AT_START, AT_END };
void *memory_put(enum edge edge, const void *data, size_t bytes);
/* Fails unless the bytes that were put are now `want`, and the noise before and after them is unchanged. */
void memory_expect(const void *want, size_t bytes);

#endif
