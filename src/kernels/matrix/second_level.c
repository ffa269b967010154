/* SPDX-License-Identifier: MIT */
#include <unistd.h>

#include "second_level.h"

/* Asked for once, because a C library may execute CPUID for each answer, which takes 20 us or more in a virtual machine. */
size_t isk_second_level(void)
{
	static size_t known;
	size_t bytes = __atomic_load_n(&known, __ATOMIC_RELAXED);

	if (!bytes) {
#ifdef _SC_LEVEL2_CACHE_SIZE
		const long told = sysconf(_SC_LEVEL2_CACHE_SIZE);
#else
		const long told = 0; /* musl */
#endif

		bytes = told > 0 ? (size_t)told : (size_t)1 << 20;
		__atomic_store_n(&known, bytes, __ATOMIC_RELAXED);
	}
	return bytes;
}
