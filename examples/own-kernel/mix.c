/* SPDX-License-Identifier: MIT */
/* Calls kernels of libmy and of isakern: fades one signal into another, and computes the remaining power. */
#include <isakern.h>
#include <my.h>
#include <stdio.h>

enum { COUNT = 1000 };

/* The ISA of the variant that a call of my_mix_f32 reaches. */
static const char *bound(void)
{
	static struct isk_candidate found[32];
	int count;

	found[0].size = sizeof(found[0]);
	count = my_candidates("mix_f32", found, 32);
	for (int i = 0; i < count; i++)
		if (found[i].bound)
			return found[i].isa;
	return "nothing";
}

int main(void)
{
	static float ramp[COUNT], weight[COUNT], mixed[COUNT];

	isk_iota_f32(ramp, COUNT, -0.5F, 2.0F / COUNT);
	my_smoothstep_f32(weight, ramp, COUNT);
	my_mix_f32(mixed, ramp, weight, COUNT, -0.5F);
	printf("%.3f, by %s\n", (double)isk_sumsq_f32(mixed, COUNT), bound());
	return 0;
}
