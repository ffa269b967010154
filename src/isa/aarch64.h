/* SPDX-License-Identifier: MIT */
/* The facts about AArch64 that detect.h and resolve.h need: the words in which Linux lists the features of the CPU. */
#ifndef ISK_AARCH64_H
#define ISK_AARCH64_H

#include <stdint.h>

#define ISK_FEATURES "aarch64.def"

enum isk_feature_word {
	ISK_HWCAP,
	ISK_HWCAP2,
	ISK_SVE_BYTES, /* the bytes of an SVE vector if they are a power of 2, so that one bit is set; else 0 */
	ISK_FEATURE_WORDS,
};

/* __ifunc_arg_t of <sys/ifunc.h>, which glibc 2.30 and later have. */
struct isk_ifunc_argument {
	uint64_t size, hwcap, hwcap2;
};

/* ld.so passes the features to a resolver. They never change, so they are kept for the questions of the API. */
#define ISK_RESOLVER_ARGUMENTS uint64_t hwcap, const struct isk_ifunc_argument *more
#define ISK_RESOLVER_IS_TOLD() isk_told(hwcap, more)

void isk_told(uint64_t hwcap, const struct isk_ifunc_argument *more);

/* How the message about a missing feature begins. Linux hides features whose registers it does not save, so the CPU or the
 * OS may lack it. */
#define ISK_LACKS "CPU or OS lacks "

/* No row needs a permission. */
#define ISK_ASKED 0u

static inline int isk_granted(void)
{
	return 1;
}

#endif
