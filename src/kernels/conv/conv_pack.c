/* SPDX-License-Identifier: MIT */
/*
 * Packs the weights of convolutions (OIHW) into the layout of packed.h. One compilation
 * serves every CPU, because this is a gather with hardly any arithmetic, done once.
 */
#include "conv_pack_kernels.h"
#include "pack_groups.h"

ISK_INLINE int pack(unsigned char *packed, const unsigned char *w, size_t space, const struct isk_conv *conv,
                    const enum isk_type type)
{
	struct isk_conv_sizes s;
	const int status = isk_conv_measure(conv, 1, 1, &s);
	const struct packing p = {.packed = packed, .b = w, .taps = status ? 0 : s.down.taps * s.along.taps};

	return pack_groups(p, space, conv, &s, status, type, pack_weights);
}

#define PACK(kernel, T, ...)                                                   \
	int ISK_FN(kernel)(void *packed, const ISK_C_##T *w, size_t bytes, const struct isk_conv *conv) \
	{                                                                          \
		return pack(packed, (const unsigned char *)w, bytes, conv, ISK_ENUM_##T); \
	}

ISK_EACH_conv_pack(PACK, )
