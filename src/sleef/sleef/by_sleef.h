/* SPDX-License-Identifier: MIT */
/*
 * SLEEF in its deterministic form: the finz functions, which use FMA, give the same
 * bits in 2, 4 and 8 lanes; baseline uses the cinz ones. Each is called by the name
 * for its ISA, because SLEEF's names without an ISA choose by themselves, and would
 * ignore the choice of this library.
 */
#ifndef ISK_BY_SLEEF_H
#define ISK_BY_SLEEF_H

#include "loops.h"

#include <sleef.h>

/*
 * SLEEF(exp, u10)(x). Its names hold the error that SLEEF promises, in tenths of an ulp. The result must not be an operand
 * itself, because on SVE it has a type without operators.
 */
#define SLEEF(f, error) ISK_SLEEF(f, error)

#endif
