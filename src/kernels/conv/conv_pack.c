/* SPDX-License-Identifier: MIT */
/*
 * Packs the weights of convolutions (OIHW) into the layout of packed.h. One compilation
 * serves every CPU, because this is a gather with hardly any arithmetic, done once.
 */
#include "conv_pack_kernels.h"
#include "pack_b.h"
#include "sizes.h"

ISK_INLINE int pack(unsigned char *packed, const unsigned char *w, size_t space, const struct isk_conv *conv,
                    const enum isk_type type)
{
	struct isk_conv_sizes s;
	const int status = isk_conv_measure(conv, 1, 1, &s);
	const size_t need = status ? 0 : isk_conv_packed_bytes(type, &s), element = isk_element_bytes(type);
	size_t bytes;

	if (!packed || !conv || (!w && !status && s.k && s.columns))
		return ISK_ERR_NULL;
	if (status)
		return status;
	if (!need || __builtin_mul_overflow(s.k, conv->out_channels, &bytes)
	    || __builtin_mul_overflow(bytes, element, &bytes))
		return ISK_ERR_SIZE;
	if (space < need)
		return ISK_ERR_SPACE;
	for (size_t g = 0; g < s.matrices; g++)
		pack_b(&(struct packing){.packed = packed + g * (need / s.matrices), .bytes = need / s.matrices,
		                         .b = w + g * (bytes / s.matrices), .k = s.k, .n = s.columns, .ldb = s.k,
		                         .transposed = 1, .taps = s.down.taps * s.along.taps},
		       type, pack_weights);
	return ISK_OK;
}

#define PACK(kernel, T, ...)                                                   \
	int ISK_FN(kernel)(void *packed, const ISK_C_##T *w, size_t bytes, const struct isk_conv *conv) \
	{                                                                          \
		return pack(packed, (const unsigned char *)w, bytes, conv, ISK_ENUM_##T); \
	}

ISK_EACH_conv_pack(PACK, )
