/* SPDX-License-Identifier: MIT */
/* Packs the weights of convolutions (OIHW) for their transposes, in the order of transpose.h. */
#include "conv_transpose_pack_kernels.h"
#include "pack_groups.h"
#include "transpose.h"

/* The index of the tap at a place of the packed order along a side. */
ISK_INLINE size_t tap_at(const struct axis *x, size_t place)
{
	const size_t phases = isk_phases(x);
	size_t phase = 0;

	while (place >= isk_taps_before(x, phases, phase + 1))
		phase++;
	place -= isk_taps_before(x, phases, phase);
	return phase + (isk_phase_taps(x, phases, phase) - 1 - place) * phases;
}

/* The packed order of taps: phases of rows, in these phases of columns, in these rows and in these columns of taps. */
ISK_INLINE void find_tap(const struct isk_conv_sizes *s, size_t place, size_t *u, size_t *v)
{
	const size_t along = s->along.taps, phases = isk_phases(&s->down), columns = isk_phases(&s->along);
	size_t row = 0, col = 0, rows;

	while (place >= isk_taps_before(&s->down, phases, row + 1) * along)
		row++;
	place -= isk_taps_before(&s->down, phases, row) * along;
	rows = isk_phase_taps(&s->down, phases, row);
	while (place >= isk_taps_before(&s->along, columns, col + 1) * rows)
		col++;
	place -= isk_taps_before(&s->along, columns, col) * rows;
	*u = tap_at(&s->down, isk_taps_before(&s->down, phases, row) + place / isk_phase_taps(&s->along, columns, col));
	*v = tap_at(&s->along, isk_taps_before(&s->along, columns, col) + place % isk_phase_taps(&s->along, columns, col));
}

/* The weights of a group, w[channel of x][channel of y][row][column], from element (at, j) on. */
ISK_INLINE void fill(int32_t *line, const struct packing *p, size_t at, size_t j, size_t rows, size_t columns,
                     const enum isk_type type)
{
	const size_t wide = isk_packed_wide(type), element = isk_element_bytes(type);
	const struct isk_transpose *t = p->sizes;
	const size_t out = t->s.columns / t->joined, taps = t->s.down.taps * t->s.along.taps * t->joined;
	size_t u = 0, v = 0;

	__builtin_memset(line, 0, isk_packed_depth(type, rows) * ISK_PACKED_LINE);
	for (size_t i = 0; i < rows; i++) {
		const size_t channel = (at + i) % t->s.in_group;

		if (i == 0 || channel == 0)
			find_tap(&t->s, (at + i) / t->s.in_group, &u, &v);
		for (size_t c = 0; c < columns; c++) {
			const size_t o = (j + c) % out, tap = u * t->s.along.taps * t->joined + (t->joined > 1 ? (j + c) / out : v);

			__builtin_memcpy((unsigned char *)(line + i * PANEL + c * wide), p->b + ((channel * out + o) * taps + tap) * element,
			                 element);
		}
	}
}

ISK_INLINE int pack(unsigned char *packed, const unsigned char *w, size_t space, const struct isk_conv *conv,
                    const enum isk_type type)
{
	struct isk_transpose t;
	const int status = isk_transpose_measure(conv, 1, 1, &t);

	return pack_groups((struct packing){.packed = packed, .b = w, .sizes = &t}, space, conv, &t.s, status, type, fill);
}

#define PACK(kernel, T, ...)                                                   \
	int ISK_FN(kernel)(void *packed, const ISK_C_##T *w, size_t bytes, const struct isk_conv *conv) \
	{                                                                          \
		return pack(packed, (const unsigned char *)w, bytes, conv, ISK_ENUM_##T); \
	}

ISK_EACH_conv_transpose_pack(PACK, )
