/* SPDX-License-Identifier: MIT */
/*
 * With a table of 32 ISAs, prints which variant a call of a kernel reaches, and the library's answers about
 * it. Every variant returns the number of its ISA.
 */
#include <stdio.h>

#include "isakern/library.h"
#include "isakern/query.h"
#include "detect.h"

#define X(isa, ...)                                                                                          \
	size_t isk_get_vec_length__##isa(void);                                                                  \
	size_t isk_get_vec_length__##isa(void)                                                                   \
	{                                                                                                        \
		return ISK_ISA_##isa;                                                                                \
	}
ISK_ISAS(X)
#undef X

size_t isk_get_vec_length__ref(void);
size_t isk_get_vec_length__ref(void)
{
	return ISK_ISA_COUNT;
}

int main(void)
{
	struct isk_candidate c[32] = {{.size = sizeof(c[0])}};
	struct isk_features glibc, raw;
	const int count = isk_candidates("get_vec_length", c, 32);

	isk_detect(&glibc);
	isk_detect_raw(&raw);
	for (int i = 0; i < count; i++)
		printf("%s: %d %s\n", c[i].isa, (int)c[i].state, c[i].reason);
	printf("called=%zu glibc=%#x raw=%#x current=%s cpu=%s binary=%s\n", isk_get_vec_length(),
	       isk_isa_set(&glibc.active), isk_isa_set(&raw.active), isk_isa_current(), isk_isa_cpu(),
	       isk_isa_binary());
	return 0;
}
