/* SPDX-License-Identifier: MIT */
/* Makes a plan, which reads the file in ISAKERN_PROFILE, twice. */
#include <isakern.h>
#include <stdio.h>

int main(void)
{
	for (int i = 0; i < 2; i++) {
		struct isk_matmul_plan plan = {.size = sizeof(plan), .kernel = "matmul_f32", .m = 4, .n = 4, .k = 4, .ldc = 4, .lda = 4, .ldb = 4};

		if (isk_matmul_plan(&plan))
			return 1;
		printf("way%d=%s\n", i, plan.way);
	}
	return 0;
}
