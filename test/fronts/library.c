/* SPDX-License-Identifier: MIT */
/* Generic names and isk_under() with the library itself, uncapped and capped. */
#include <isakern_generic.h>
#ifdef WITH_SLEEF
#include <isakern/sleef_generic.h>
#endif

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failed;

static void check(int right, const char *what)
{
	if (!right) {
		printf("wrong: %s\n", what);
		failed = 1;
	}
}

static void values(void)
{
	const float x[4] = {0, 1, 2, 3};
	const double d[4] = {0, 1, 2, 3};
	const int32_t index[2] = {3, 0};
	float y[4], two[2] = {0};
	double z[4];

	isk_exp(y, x, 4);
	check(fabsf(y[2] - expf(2)) < 1e-5f, "exp of f32");
	check(isk_sum(x, 4) == 6 && isk_sum(d, 4) == 6, "sums");
	isk_cvt(z, x, 4);
	check(memcmp(z, d, sizeof(d)) == 0, "f32 to f64");
	check(isk_gather(two, x, index, 2, 4) == 0 && two[0] == 3 && two[1] == 0, "gather of 4 bytes");
#ifdef WITH_SLEEF
	isk_exp(z, d, 4);
	check(fabs(z[2] - exp(2)) < 1e-14, "exp of f64");
	isk_exp(y, x, 4);
	check(fabsf(y[2] - expf(2)) < 1e-5f, "exp of f32, beside that of f64");
#endif
}

/* isk_under() must return what isk_candidates() lists, if that variant may run. */
static void variants(int capped)
{
	struct isk_candidate c[32] = {{.size = sizeof(c[0])}};
	const int count = isk_candidates("dot_f32", c, 32);
	const float x[3] = {1, 2, 3};
	__typeof__(&isk_dot_f32) dot = NULL;
	int runs = 0;

	check(count > 1, "there are variants");
	for (int i = 0; i < count; i++) {
		dot = isk_under(c[i].isa, isk_dot_f32);
		if (dot) {
			check((void (*)(void))dot == c[i].fn, c[i].isa);
			check(dot(x, x, 3) == 14, "the value of a variant");
			runs++;
		} else {
			check(c[i].state != ISK_USABLE && c[i].state != ISK_DEMOTED, c[i].reason);
		}
	}
	check(isk_under(isk_isa_name(0), isk_dot_f32) != NULL, "the lowest is always there");
	check(capped ? runs == 1 : runs >= 1, "as many run as the cap leaves");
	check(!isk_under("avx1024", isk_dot_f32) && !isk_variant(NULL, "isk_dot_f32") && !isk_variant(isk_isa_name(0), NULL), "no such ISA");
	check(!isk_variant(isk_isa_name(0), "isk_dot_f99") && !isk_variant(isk_isa_name(0), "dot_f32"), "no such kernel");
}

int main(void)
{
	values();
	variants(getenv("ISAKERN_MAX_ISA") != NULL);
	return failed;
}
