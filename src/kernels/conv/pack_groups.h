/* SPDX-License-Identifier: MIT */
/* Packs the weights of a convolution or of its transpose: a matrix for each group. */
#ifndef ISK_PACK_GROUPS_H
#define ISK_PACK_GROUPS_H

#include "pack_b.h"
#include "sizes.h"

/*
 * p has the buffer, the weights and what fill takes; status is that of the call which measured conv and set s. Returns the
 * status of the kernel.
 */
ISK_INLINE int pack_groups(struct packing p, size_t space, const struct isk_conv *conv, const struct isk_conv_sizes *s, int status,
                           const enum isk_type type, fill_fn *const fill)
{
	const size_t need = status ? 0 : isk_conv_packed_bytes(type, s);
	unsigned char *const packed = p.packed;
	const unsigned char *const w = p.b;
	size_t bytes;

	if (!packed || !conv || (!w && !status && s->k && s->columns))
		return ISK_ERR_NULL;
	if (status)
		return status;
	if (!need || __builtin_mul_overflow(s->k, s->columns * s->matrices, &bytes)
	    || __builtin_mul_overflow(bytes, isk_element_bytes(type), &bytes))
		return ISK_ERR_SIZE;
	if (space < need)
		return ISK_ERR_SPACE;
	p.bytes = need / s->matrices;
	p.k = p.ldb = s->k;
	p.n = s->columns;
	p.transposed = 1;
	for (size_t g = 0; g < s->matrices; g++) {
		p.packed = packed + g * p.bytes;
		p.b = w + g * (bytes / s->matrices);
		pack_b(&p, type, fill);
	}
	return ISK_OK;
}

#endif
