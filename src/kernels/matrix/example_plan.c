/* SPDX-License-Identifier: MIT */
/* Many products of the same small sizes: the function for them is chosen once. */
#include <isakern.h>
#include <stdio.h>

enum { PRODUCTS = 1000 };

int main(void)
{
	const float a[2][2] = {{1, 2}, {3, 4}}, b[2][2] = {{0, 1}, {2, 0}};
	struct isk_matmul_plan plan = {.size = sizeof(plan), .kernel = "matmul_f32", .m = 2, .n = 2, .k = 2, .ldc = 2, .lda = 2, .ldb = 2};
	static float c[PRODUCTS][2][2];
	const int status = isk_matmul_plan(&plan);

	if (status != ISK_OK) {
		fprintf(stderr, "%s\n", isk_strerror(status));
		return 1;
	}
	for (int i = 0; i < PRODUCTS; i++)
		plan.multiply(&plan, c[i][0], a[0], b[0]);
	printf("%s: %s\n", plan.way, plan.reason);
	printf("%g %g, %g %g\n", (double)c[0][0][0], (double)c[0][0][1], (double)c[0][1][0], (double)c[0][1][1]);
	return 0;
}

/*
 * prints
 *
 *     tile: C is one tile, A and B are read in place
 *     4 1, 8 3
 */
