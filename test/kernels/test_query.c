/* SPDX-License-Identifier: MIT */
/* The answers of the query family's ordinary functions about every type, and about numbers that are no type. */
#include <stdio.h>

#include "isakern.h"

static int tests, failed;

static void check(const char *what, int number, size_t got, size_t wanted)
{
	failed += got != wanted;
	printf("%sok %d - %s of type %d: %zu\n", got == wanted ? "" : "not ", ++tests, what, number, got);
	if (got != wanted)
		printf("# wanted %zu\n", wanted);
}

int main(void)
{
	/* All types, with their sizes in C. */
	static const struct {
		enum isk_type type;
		size_t bytes;
	} types[] = {{ISK_F32, sizeof(float)},
	             {ISK_F64, sizeof(double)},
	             {ISK_BF16, sizeof(isk_bf16)},
	             {ISK_F16, sizeof(isk_f16)},
	             {ISK_E4M3, sizeof(isk_e4m3)},
	             {ISK_E5M2, sizeof(isk_e5m2)},
	             {ISK_S8, sizeof(int8_t)},
	             {ISK_U8, sizeof(uint8_t)},
	             {ISK_S32, sizeof(int32_t)},
	             {ISK_S64, sizeof(int64_t)},
	             {ISK_B8, 1},
	             {ISK_B64, 8},
	             {ISK_CF32, 2 * sizeof(float)},
	             {ISK_CF64, 2 * sizeof(double)}};
	static const int unknown[] = {-1, 0, 1000};
	const size_t vector = 4 * isk_get_vec_length();

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		check("bytes", (int)types[i].type, isk_type_size(types[i].type), types[i].bytes);
		check("lanes", (int)types[i].type, isk_vec_length(types[i].type), vector / types[i].bytes);
	}
	check("bytes", ISK_S4, isk_type_size(ISK_S4), 1);
	check("lanes", ISK_S4, isk_vec_length(ISK_S4), 2 * vector);
	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++) {
		check("bytes", unknown[i], isk_type_size((enum isk_type)unknown[i]), 0);
		check("lanes", unknown[i], isk_vec_length((enum isk_type)unknown[i]), 0);
	}
	printf("1..%d\n", tests);
	return failed != 0;
}
