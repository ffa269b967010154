/* SPDX-License-Identifier: MIT */
/* What tests of words stand on: values, memory with an end that must not be crossed, and lines of TAP. */
#ifndef WORDS_H
#define WORDS_H

#include <stddef.h>
#include <stdint.h>

/* Tests every word of the vocabulary that it is compiled with. */
void test_words(void);

/* A test of its own, named NAME, from here to the next one or to tests_end(), which returns how many failed. */
void test_begin(const char *name);
int tests_end(void);
/* Fails unless got is want, one element of what a word gave; at says which. */
void same_bits(uint64_t got, uint64_t want, size_t at);
/* The same of floats, where all NaNs are one. */
void same_f32(float got, float want, size_t at);
void same_f64(double got, double want, size_t at);
void same_bytes(const void *got, const void *want, size_t bytes);

/* Random bits, and floats and integers among which those that words have trouble with come up often. */
uint64_t any_bits(void);
float any_f32(void);
double any_f64(void);
int32_t any_s32(void);
/* Uniform in [low, high). */
double any_in(double low, double high);

/* Bytes that end where nothing may be read or written, or begin there; with noise in and around them. */
enum edge { AT_START, AT_END };
void *memory_put(enum edge edge, const void *data, size_t bytes);
/* What is there, to be written to: as many bytes as were put, and the noise before and behind them as it was. */
void memory_expect(const void *want, size_t bytes);

#endif
