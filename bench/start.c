/* SPDX-License-Identifier: MIT */
/*
 * A program that imports functions and ends, so that its start takes only the time of loading and binding.
 * Its exit status is the number of imports. Compiled without IMPORTS, or with it one of isakern, libm,
 * libsleef.
 */
#include <stddef.h>

#define isakern  1
#define libm     2
#define libsleef 3

#if IMPORTS == isakern
#include "isakern.h"
#include "kernels.h"
#define X(name, ...) (void (*)(void))isk_##name,
static void (*const volatile imports[])(void) = {ISK_KERNELS(X)};
#else
#if IMPORTS == libm
#define NAMES(X)                                                               \
	X(acos) X(acosh) X(asin) X(asinh) X(atan) X(atan2) X(atanh) X(cbrt) X(ceil) X(cos) X(cosh) X(erf) X(erfc) \
	X(exp) X(exp2) X(expm1) X(fdim) X(floor) X(fma) X(fmod) X(hypot) X(lgamma) X(log) X(log10) X(log1p) X(log2) \
	X(pow) X(rint) X(sin) X(sinh) X(tan) X(tanh)
#elif IMPORTS == libsleef
#define NAMES(X)                                                               \
	X(Sleef_acosf4_u10) X(Sleef_asinf4_u10) X(Sleef_atanf4_u10) X(Sleef_atan2f4_u10) X(Sleef_cbrtf4_u10) \
	X(Sleef_cosf4_u10) X(Sleef_coshf4_u10) X(Sleef_erff4_u10) X(Sleef_erfcf4_u15) X(Sleef_expf4_u10) \
	X(Sleef_exp2f4_u10) X(Sleef_exp10f4_u10) X(Sleef_expm1f4_u10) X(Sleef_fmodf4) X(Sleef_hypotf4_u05) \
	X(Sleef_lgammaf4_u10) X(Sleef_logf4_u10) X(Sleef_log10f4_u10) X(Sleef_log1pf4_u10) X(Sleef_log2f4_u10) \
	X(Sleef_powf4_u10) X(Sleef_rintf4) X(Sleef_sinf4_u10) X(Sleef_sinhf4_u10) X(Sleef_sqrtf4_u05) \
	X(Sleef_tanf4_u10) X(Sleef_tanhf4_u10) X(Sleef_tgammaf4_u10) X(Sleef_truncf4) X(Sleef_floorf4) \
	X(Sleef_ceilf4) X(Sleef_fmaf4)
#else
#define NAMES(X)
#endif
#define X(name) void name(void);
NAMES(X)
#undef X
#define X(name) name,
static void (*const volatile imports[])(void) = {NAMES(X) NULL};
#endif

int main(void)
{
	int count = 0;

	for (size_t i = 0; i < sizeof(imports) / sizeof(imports[0]); i++)
		count += imports[i] != NULL;
	return count;
}
