/* SPDX-License-Identifier: MIT */
/* by_pi.h for arguments from 2^26 on. */
#include "by_pi.h"
#include "over_pi.h"

/* d = m 2^k with an m of 24 bits. Modulo 2, d / pi is m times (2^k / pi modulo 2), which a table has. */
struct by_pi ISK_PART(by_pi, by_pi_of_large)(vd d, double half, double round)
{
	const vul exponent = (vul)d >> 52;
	const vd m = (vd)(((vl)d & (int64_t)0x000fffffffffffff) | (int64_t)(1023 + 23) << 52);
	vd one = {0}, two = {0}, three = {0}, first, second, sum;

	for (int i = 0; i < VD; i++) {
		const uint64_t k = exponent[i] - (1023 + 23);
		const double *of = over_pi[k < sizeof(over_pi) / sizeof(*over_pi) ? k : 0];

		one[i] = of[0];
		two[i] = of[1];
		three[i] = of[2];
	}
	first = m * one;
	second = m * two;
	sum = first + second - half + round;
	return (struct by_pi){(first - (sum - round + half) + second + m * three) * 0x1.921fb54442d18p+1, sum};
}
