/* SPDX-License-Identifier: MIT */
/*
 * Functions of one vector, of SLEEF or, with -DMVEC, of glibc's libmvec, in the
 * loops and formulas that their callers write. A module for each size of vectors.
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

/* The rest of an array is a vector of its own. */
#define LOOP(name, value)                                                                                    \
	static void name(void *vectors)                                                                          \
	{                                                                                                        \
		const struct vectors *v = vectors;                                                                   \
		const float *from = v->a;                                                                            \
		float *to = v->y, rest[LANES] = {0};                                                                 \
		size_t i = 0;                                                                                        \
                                                                                                             \
		for (; i + LANES <= v->cols; i += LANES) {                                                           \
			const vf x = LOAD(from + i);                                                                     \
                                                                                                             \
			STORE(to + i, value);                                                                            \
		}                                                                                                    \
		if (i < v->cols) {                                                                                   \
			vf x;                                                                                            \
                                                                                                             \
			memcpy(rest, from + i, (v->cols - i) * sizeof(float));                                           \
			x = LOAD(rest);                                                                                  \
			STORE(rest, value);                                                                              \
			memcpy(to + i, rest, (v->cols - i) * sizeof(float));                                             \
		}                                                                                                    \
	}

#ifdef MVEC
vf MVEC_NAME(expf)(vf x);
vf MVEC_NAME(tanhf)(vf x);
vf MVEC_NAME(erff)(vf x);
vf MVEC_NAME(sinf)(vf x);
vf MVEC_NAME(cosf)(vf x);
#define EXP  MVEC_NAME(expf)
#define TANH MVEC_NAME(tanhf)
#define ERF  MVEC_NAME(erff)
#define SIN  MVEC_NAME(sinf)
#define COS  MVEC_NAME(cosf)
#define BY   ""
#else
#include <sleef.h>
#define EXP  SLEEF_NAME(expf, u10)
#define TANH SLEEF_NAME(tanhf, u10)
#define ERF  SLEEF_NAME(erff, u10)
#define SIN  SLEEF_NAME(sinf, u10)
#define COS  SLEEF_NAME(cosf, u10)
#define BY   " u10"
#endif

LOOP(run_exp, EXP(x))
LOOP(run_tanh, TANH(x))
LOOP(run_sin, SIN(x))
LOOP(run_cos, COS(x))
LOOP(run_sigmoid, 1 / (1 + EXP(-x)))
LOOP(run_silu, x / (1 + EXP(-x)))
LOOP(run_gelu, x * 0.5f * (1 + ERF(x * 0.70710678f)))
LOOP(run_gelu_tanh, x * 0.5f * (1 + TANH(0.79788456f * (x + 0.044715f * x * x * x))))
#ifndef MVEC
LOOP(run_tanh_u35, SLEEF_NAME(tanhf, u35)(x))
LOOP(run_sin_u35, SLEEF_NAME(sinf, u35)(x))
LOOP(run_cos_u35, SLEEF_NAME(cosf, u35)(x))
#endif

const struct way module_ways[] = {
	{"exp_f32", "exp" BY REGISTERS, run_exp},
	{"tanh_f32", "tanh" BY REGISTERS, run_tanh},
	{"sin_f32", "sin" BY REGISTERS, run_sin},
	{"cos_f32", "cos" BY REGISTERS, run_cos},
	{"sigmoid_f32", "by exp" BY REGISTERS, run_sigmoid},
	{"silu_f32", "by exp" BY REGISTERS, run_silu},
	{"gelu_f32", "by erf" BY REGISTERS, run_gelu},
	{"gelu_tanh_f32", "by tanh" BY REGISTERS, run_gelu_tanh},
#ifndef MVEC
	{"tanh_f32", "tanh u35" REGISTERS, run_tanh_u35},
	{"sin_f32", "sin u35" REGISTERS, run_sin_u35},
	{"cos_f32", "cos u35" REGISTERS, run_cos_u35},
#endif
	{0},
};

#ifdef MVEC
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
