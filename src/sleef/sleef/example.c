/* SPDX-License-Identifier: MIT */
#include <isakern/sleef.h>
#include <stdio.h>

int main(void)
{
	const double x[3] = {0, 1, 2}, b[3] = {10, 10, 0.5};
	double y[3], z[3];

	isk_exp_f64(y, x, 3);
	isk_pow_f64(z, x, b, 3);
	for (int i = 0; i < 3; i++)
		printf("e^%g = %.15g, %g^%g = %.15g\n", x[i], y[i], x[i], b[i], z[i]);
	return 0;
}

/*
 * prints
 *
 *     e^0 = 1, 0^10 = 0
 *     e^1 = 2.71828182845905, 1^10 = 1
 *     e^2 = 7.38905609893065, 2^0.5 = 1.4142135623731
 */
