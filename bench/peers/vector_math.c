/* SPDX-License-Identifier: MIT */
/*
 * Functions of one vector, from glibc's libmvec with -DGLIBC or from SLEEF, whose bound is 1.0 ulp with
 * -DSLEEF_u10 and 3.5 ulp with -DSLEEF_u35, in the loops and formulas that their callers write. There is a
 * module for each vector size.
 */
#include <gnu/libc-version.h>
#include <immintrin.h>
#include <string.h>

#include "vectors.h"

#ifdef __AVX512F__
typedef __m512 vf;
#define LOAD              _mm512_loadu_ps
#define STORE             _mm512_storeu_ps
#define REGISTERS         " of zmm"
#define MVEC_NAME(f)      _ZGVeN16v_##f
#define SLEEF_NAME(f, by) Sleef_##f##16_##by##avx512f
#else
typedef __m256 vf;
#define LOAD              _mm256_loadu_ps
#define STORE             _mm256_storeu_ps
#define REGISTERS         " of ymm"
#define MVEC_NAME(f)      _ZGVdN8v_##f
#define SLEEF_NAME(f, by) Sleef_##f##8_##by##avx2
#endif

enum { LANES = sizeof(vf) / sizeof(float) };

/* Computes a function of all elements. The remaining elements fill a vector of their own. */
static inline __attribute__((always_inline)) void run(const struct vectors *v, vf function(vf x))
{
	const float *from = v->a;
	float *to = v->y, rest[LANES] = {0};
	size_t i = 0;

	for (; i + LANES <= v->cols; i += LANES)
		STORE(to + i, function(LOAD(from + i)));
	if (i < v->cols) {
		memcpy(rest, from + i, (v->cols - i) * sizeof(float));
		STORE(rest, function(LOAD(rest)));
		memcpy(to + i, rest, (v->cols - i) * sizeof(float));
	}
}

/* For each function F(name, the kernel of isakern, how, its value at x). */
#define MADE_OF_EXP(F, EXP)                                                                                  \
	F(sigmoid, sigmoid_f32, "by exp", 1 / (1 + EXP(-x)))                                                     \
	F(silu, silu_f32, "by exp", x / (1 + EXP(-x)))
#define MADE_OF_ERF(F, ERF) F(gelu, gelu_f32, "by erf", x * 0.5f * (1 + ERF(x * 0.70710678f)))
#define MADE_OF_TANH(F, TANH)                                                                                \
	F(gelu_tanh, gelu_tanh_f32, "by tanh", x * 0.5f * (1 + TANH(0.79788456f * (x + 0.044715f * x * x * x))))

#ifdef GLIBC
vf MVEC_NAME(expf)(vf x);
vf MVEC_NAME(logf)(vf x);
vf MVEC_NAME(tanhf)(vf x);
vf MVEC_NAME(erff)(vf x);
vf MVEC_NAME(sinf)(vf x);
vf MVEC_NAME(cosf)(vf x);
#define MAP(F, name) F(name, name##_f32, #name, MVEC_NAME(name##f)(x))
#define FUNCTIONS(F)                                                                                         \
	MAP(F, exp) MAP(F, log) MAP(F, tanh) MAP(F, sin) MAP(F, cos)                                             \
	MADE_OF_EXP(F, MVEC_NAME(expf)) MADE_OF_ERF(F, MVEC_NAME(erff)) MADE_OF_TANH(F, MVEC_NAME(tanhf))
#else
#include <sleef.h>
#define NAME_(f, by) SLEEF_NAME(f, by)
#define NAME(f)      NAME_(f, BOUND)
#define MAP(F, name) F(name, name##_f32, #name, NAME(name##f)(x))
#endif

/* The functions with 1.0 ulp are also compared with correctly rounded ones, because no other peer promises as much. */
#ifdef SLEEF_u10
#define CR(F, name) F(cr_##name, cr_##name##_f32, #name, NAME(name##f)(x))
#define FUNCTIONS(F)                                                                                         \
	MAP(F, exp) MAP(F, log) MAP(F, tanh) MAP(F, sin) MAP(F, cos)                                             \
	MADE_OF_EXP(F, NAME(expf)) MADE_OF_ERF(F, NAME(erff)) MADE_OF_TANH(F, NAME(tanhf))                       \
	CR(F, exp) CR(F, log) CR(F, tanh) CR(F, expm1) CR(F, erf) CR(F, cbrt) CR(F, atan) CR(F, sin) CR(F, cos)
#endif
#ifdef SLEEF_u35
#define FUNCTIONS(F)                                                                                         \
	MAP(F, log) MAP(F, tanh) MAP(F, sin) MAP(F, cos) MADE_OF_TANH(F, NAME(tanhf))
#endif

#define DEFINE(name, kernel, how, value)                                                                     \
	static inline __attribute__((always_inline)) vf name##_of(vf x)                                          \
	{                                                                                                        \
		return value;                                                                                        \
	}                                                                                                        \
                                                                                                             \
	static void run_##name(void *vectors)                                                                    \
	{                                                                                                        \
		run(vectors, name##_of);                                                                             \
	}
FUNCTIONS(DEFINE)

/* Once only, because memcpy chooses its registers itself. */
#if defined(GLIBC) && !defined(__AVX512F__)
static void run_memcpy(void *vectors)
{
	const struct vectors *v = vectors;

	memcpy(v->y, v->a, v->cols * sizeof(float));
}
#endif

const struct way module_ways[] = {
#define ENTRY(name, kernel, how, value) {#kernel, how REGISTERS, run_##name},
	FUNCTIONS(ENTRY)
#if defined(GLIBC) && !defined(__AVX512F__)
	{"copy_b32", "memcpy", run_memcpy},
#endif
	{0},
};

#ifdef GLIBC
const char *module_version(void)
{
	return gnu_get_libc_version();
}
#else
#define TEXT_(x) #x
#define TEXT(x)  TEXT_(x)

const char *module_version(void)
{
	return TEXT(SLEEF_VERSION_MAJOR) "." TEXT(SLEEF_VERSION_MINOR) "." TEXT(SLEEF_VERSION_PATCHLEVEL);
}
#endif
