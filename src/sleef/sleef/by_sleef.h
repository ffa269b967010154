/* SPDX-License-Identifier: MIT */
/*
 * SLEEF in its deterministic form: the finz functions, which use FMA, give the same
 * bits in 2 lanes, in 4 and in 8; baseline has the cinz ones. Each is called under the
 * name of its ISA: SLEEF's names without one choose for themselves, and would ignore
 * what this library was told to use.
 */
#ifndef ISK_BY_SLEEF_H
#define ISK_BY_SLEEF_H

#include "loops.h"

#include <sleef.h>

/*
 * SLEEF(exp, u10)(x): the error that SLEEF promises, in tenths of an ulp, is in its names. It is no operand: SVE's are of
 * a type that has no operators.
 */
#define SLEEF(f, error) ISK_SLEEF(f, error)

/* For f(x) = x + O(x^3): SLEEF is 1 ulp off where f(x) is x, and takes the smallest numbers for 0. */
ISK_INLINE vd unless_small(vd x, vd y)
{
	return vd_sel(vd_lt(v_abs(x), vd_set1(0x1p-28)), x, y);
}

#endif
