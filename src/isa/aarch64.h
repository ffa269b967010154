/* SPDX-License-Identifier: MIT */
/* What detect.h and resolve.h need to know of AArch64: the words by which Linux tells what the CPU has. */
#ifndef ISK_AARCH64_H
#define ISK_AARCH64_H

#include <stdint.h>

#define ISK_FEATURES "aarch64.def"

enum isk_feature_word {
	ISK_HWCAP,
	ISK_HWCAP2,
	ISK_SVE_BYTES, /* of a vector where that is a power of 2, which then is the bit that is set; else 0 */
	ISK_FEATURE_WORDS,
};

/* __ifunc_arg_t of <sys/ifunc.h>, which glibc has from 2.30 on. */
struct isk_ifunc_argument {
	uint64_t size, hwcap, hwcap2;
};

/* A resolver is told by ld.so. What it is told stays the same, so it is kept for the questions of the API. */
#define ISK_RESOLVER_ARGUMENTS uint64_t hwcap, const struct isk_ifunc_argument *more
#define ISK_RESOLVER_IS_TOLD() isk_told(hwcap, more)

void isk_told(uint64_t hwcap, const struct isk_ifunc_argument *more);

/* Linux shows no feature whose registers it does not keep, so that one cannot tell who lacks it. */
#define ISK_LACKS "CPU or OS lacks "

/* Nothing need be asked for. */
#define ISK_ASKED 0u

static inline int isk_granted(void)
{
	return 1;
}

#endif
