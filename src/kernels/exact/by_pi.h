/* SPDX-License-Identifier: MIT */
/*
 * The reduction r = d - n pi of an argument of any size. Constants: derive/sine.sollya.
 *
 * round is VD_ROUND for integers n, VD_ROUND / 2 for multiples of 1/2. If half is not 0, n
 * is an integer plus half: half is subtracted before rounding and added afterwards. The
 * lowest bit of the sum is that of n, in units of 1 or 1/2 as round says.
 */
#ifndef ISK_BY_PI_H
#define ISK_BY_PI_H

#include "part.h"
#include "wide.h"

struct by_pi {
	vd r, sum;
};

/* For d below 2^26, so that n has 26 bits. The difference of d and the first product is exact. */
ISK_INLINE struct by_pi by_pi_of_small(vd d, const double half, const double round)
{
	const vd sum = d * 0x1.45f306dc9c883p-2 - half + round, n = sum - round + half;
#if ISK_FMA
	const vd r = vd_fma(n, vd_set1(-0x1.1a62633145c07p-53), vd_fma(n, vd_set1(-0x1.921fb54442d18p+1), d));
#else
	const vd r = d - n * 0x1.921fb58p+1 - n * -0x1.dde974p-26 - n * 0x1.1a62633145c07p-53;
#endif

	return (struct by_pi){r, sum};
}

/* The reduction for d from 2^26 on. */
ISK_EXTERN struct by_pi ISK_PART(by_pi, by_pi_of_large)(vd d, double half, double round);

#endif
