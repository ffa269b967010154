/* SPDX-License-Identifier: MIT */
/* The definition of each operation, one line each. */
#include "activation_oracles.h"

MAP(exp, exp(x))
MAP(exp2, exp2(x))
MAP(exp10, pow(10, x))
MAP(expm1, expm1(x))
MAP(log, log(x))
MAP(log2, log2(x))
MAP(log10, log10(x))
MAP(log1p, log1p(x))
MAP(cbrt, cbrt(x))
MAP(sigmoid, 1 / (1 + exp(-x)))
/* glibc's powl() treats exponents of -2^63 and below as positive if the base is infinite. Powers with exponents that large
 * are exact in f64, so pow() serves. */
ZIP(pow, fabs(b) < (REAL)0x1p62 ? pow(a, b) : (REAL)pow((double)a, (double)b))
MAP(sin, sin(x))
MAP(cos, cos(x))
MAP(tan, tan(x))
MAP(sinpi, isinf(x)            ? x - x
           : x == nearbyint(x) ? copysign((REAL)0, x)
                               : copysign((REAL)1, x) * R(sine_of_pi)(x))
MAP(cospi, isinf(x)                                         ? x - x
           : fabs(x) >= (REAL)0x1p60                        ? 1
           : 2 * x == nearbyint(2 * x) && x != nearbyint(x) ? 0
                                                            : R(sine_of_pi)(fabs(x) + (REAL)0.5))
MAP(asin, asin(x))
MAP(acos, acos(x))
MAP(atan, atan(x))
ZIP(atan2, atan2(a, b))
ZIP(hypot, hypot(a, b))
ZIP(fmod, fmod(a, b))
ZIP(remainder, remainder(a, b))
MAP(sinh, sinh(x))
MAP(cosh, cosh(x))
MAP(tanh, tanh(x))
MAP(asinh, asinh(x))
MAP(acosh, acosh(x))
MAP(atanh, atanh(x))
MAP(erf, erf(x))
MAP(erfc, erfc(x))

#include "special_oracle.h"

MAP(lgamma, R(log_gamma)(x))
MAP(erfinv, R(inverse_of_erf)(x))
