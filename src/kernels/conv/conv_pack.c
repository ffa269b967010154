/* SPDX-License-Identifier: MIT */
/*
 * Weights of convolutions (OIHW) into the layout of packed.h. It is a gather
 * with hardly any arithmetic, done once: one compilation serves every CPU.
 */
#include "conv_pack_kernels.h"
#include "packed_check.h"
#include "sizes.h"

#define PANEL ISK_PACKED_PANEL

/* Where element kk of output o is in w. */
ISK_INLINE size_t place(size_t kk, size_t o, size_t channels, size_t taps)
{
	return (o * channels + kk % channels) * taps + kk / channels;
}

/* One matrix of k by columns from w, whose elements have so many bytes. */
ISK_INLINE void pack_matrix(unsigned char *packed, const unsigned char *w, const enum isk_type type,
                            const size_t bytes, size_t k, size_t columns, size_t taps)
{
	const size_t group = isk_packed_group(type), lines = isk_packed_depth(type, k), channels = k / taps;
	const size_t all = isk_packed_bytes(type, k, columns, 0);
	unsigned char *to = packed + ISK_PACKED_LINE;
	unsigned char *sums_to = to + lines * isk_packed_panels(columns) * ISK_PACKED_LINE;
	unsigned least = 255;

	for (size_t j = 0; j < columns; j += PANEL) {
		int32_t sums[PANEL] = {0};

		for (size_t i = 0; i < k; i += group, to += ISK_PACKED_LINE) {
			unsigned char line[ISK_PACKED_LINE] = {0};

			for (size_t c = 0; c < PANEL && j + c < columns; c++)
				for (size_t e = 0; e < group && i + e < k; e++) {
					const unsigned char *from = w + place(i + e, j + c, channels, taps) * bytes;
					const unsigned magnitude = (from[0] | from[bytes - 1] << 8) & 0x7fff;

					__builtin_memcpy(line + (c * group + e) * bytes, from, bytes);
					sums[c] += (int8_t)*from;
					if (magnitude && magnitude >> 7 < least)
						least = magnitude >> 7;
					if (magnitude >> 7 == 255)
						least = 0;
				}
			__builtin_memcpy(to, line, sizeof(line));
		}
		if (type == ISK_S8) {
			__builtin_memcpy(sums_to, sums, sizeof(sums));
			sums_to += sizeof(sums);
		}
	}
	*(struct isk_packed *)packed = isk_packed_header(type, k, columns, 0, type == ISK_BF16 ? least : 0,
	                                                 isk_packed_payload_check(packed, all));
}

ISK_INLINE int pack(unsigned char *packed, const unsigned char *w, size_t space, const struct isk_conv *conv,
                    const enum isk_type type, const size_t bytes)
{
	struct isk_conv_sizes s;
	const int status = isk_conv_measure(conv, 1, 1, &s);
	const size_t need = status ? 0 : isk_conv_packed_bytes(type, &s);
	size_t elements;

	if (!packed || !conv || (!w && !status && s.k && s.columns))
		return ISK_ERR_NULL;
	if (status)
		return status;
	if (!need || __builtin_mul_overflow(s.k, conv->out_channels, &elements)
	    || __builtin_mul_overflow(elements, bytes, &elements))
		return ISK_ERR_SIZE;
	if (space < need)
		return ISK_ERR_SPACE;
	for (size_t g = 0; g < s.matrices; g++)
		pack_matrix(packed + g * (need / s.matrices), w + g * s.k * s.columns * bytes, type, bytes, s.k,
		            s.columns, conv->kernel_h * conv->kernel_w);
	return ISK_OK;
}

#define PACK(kernel, T, ...)                                                   \
	int ISK_FN(kernel)(void *packed, const ISK_C_##T *w, size_t bytes, const struct isk_conv *conv) \
	{                                                                          \
		return pack(packed, (const unsigned char *)w, bytes, conv, ISK_ENUM_##T, sizeof(*w)); \
	}

ISK_EACH_conv_pack(PACK, )
