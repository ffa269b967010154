/* SPDX-License-Identifier: MIT */
/*
 * The reductions of block.h by name:
 *
 * LINES_OF(name, T, part)      a function that reduces elements of T to lines
 * PART_OF(name, T, part)       a function that reduces them to one number: name(a, b, n, step);
 *                              b is NULL if the reduction takes one array
 * OF_ARRAY(kernel, T, part)    the kernel for one array, which calls part_T, a PART_OF
 * OF_STRIDED(kernel, T, part)  the same for elements a stride apart
 */
#ifndef ISK_BLOCKS_H
#define ISK_BLOCKS_H

#include "sum_tree.h"

/*
 * Reductions of one array, which take elements a and b in pairs 4 lines apart: SUM a + b; SIZE
 * |a| + |b|; NONZERO, the number of elements that are not 0; PRODUCT; LEAST; MOST. Reductions of
 * one array without pairs: SCALED (a * centre)^2 and, for f64, DEVIATION, two sums: a - centre and
 * its square. Reductions of two arrays: DOT, L2SQ and COSINE as in sum_tree.h; L1 |a - b|;
 * FARTHEST, the greatest |a - b|.
 */
enum part {
	P_SUM, P_SIZE, P_NONZERO, P_PRODUCT, P_LEAST, P_MOST, P_SCALED, P_DEVIATION, P_DOT, P_L2SQ, P_COSINE, P_L1,
	P_FARTHEST
};

ISK_INLINE int in_pairs(const enum part part)
{
	return part <= P_MOST;
}

ISK_INLINE int of_two(const enum part part)
{
	return part >= P_DOT;
}

/* Whether there are kernels of elements a stride apart. */
ISK_INLINE int may_be_strided(const enum part part)
{
	return part == P_SUM || part == P_SIZE || part == P_PRODUCT || part == P_LEAST || part == P_MOST
	       || part == P_SCALED;
}

/* Whether part is a sum, whose error grows with its depth. A product rounds equally often in any order. */
ISK_INLINE int is_sum(const enum part part)
{
	return part != P_PRODUCT && part != P_LEAST && part != P_MOST && part != P_FARTHEST;
}

ISK_INLINE int part_sums(const enum part part)
{
	return part == P_COSINE ? 3 : part == P_DEVIATION ? 2 : 1;
}

ISK_INLINE int part_nothing_is_0(const enum part part)
{
	return part != P_PRODUCT && part != P_LEAST && part != P_MOST && part != P_DEVIATION;
}

/* The bits of 8 bytes of elements that change nothing. */
ISK_INLINE uint64_t nothing_bits(const enum part part, const enum isk_type type, double centre)
{
	const uint64_t sign = part == P_MOST, size = part != P_PRODUCT;
	uint64_t bits = 0;

	if (part == P_DEVIATION)
		__builtin_memcpy(&bits, &centre, sizeof(bits));
	if (part_nothing_is_0(part) || part == P_DEVIATION)
		return bits;
	switch (type) {
	case ISK_F64:
		return sign << 63 | (size ? 0x7ff0000000000000 : 0x3ff0000000000000);
	case ISK_F32:
		return (sign << 31 | (size ? 0x7f800000 : 0x3f800000)) * 0x100000001;
	case ISK_BF16:
		return (sign << 15 | (size ? 0x7f80 : 0x3f80)) * 0x1000100010001;
	default:
		return (sign << 15 | (size ? 0x7c00 : 0x3c00)) * 0x1000100010001;
	}
}

/* Whether the ISA has a masked load. For elements of 16 bits, only AVX-512 has one. */
ISK_INLINE int masked(size_t bytes)
{
	return VL == 16 || (VL == 8 && bytes > 2);
}

/* Room for a round: 8 lines. */
struct room {
	char bytes[8 * 64] __attribute__((aligned(64)));
};

/* A copy of n elements, step apart, padded to a round with elements that change nothing. */
__attribute__((noinline, unused)) static const char *copied(struct room *room, const char *p, size_t n, size_t step,
                                                            size_t bytes, size_t round, uint64_t nothing)
{
	const vi fill = (vi)((vul){0} + nothing);
	char *to = room->bytes;

	if (step == 1 && !nothing) {
		for (size_t at = 0; at < round * bytes; at += sizeof(vi))
			vi_store_bytes(to + at, vi_load_bytes(p + at, at < n * bytes ? n * bytes - at : 0), sizeof(vi));
		return to;
	}
	for (size_t at = 0; at < round * bytes; at += sizeof(vi))
		vi_store_bytes(to + at, fill, sizeof(vi));
	if (step == 1) {
		for (size_t at = 0; at < n * bytes; at += sizeof(vi))
			vi_store_bytes(to + at, vi_load_bytes(p + at, n * bytes - at), n * bytes - at);
		return to;
	}
	for (size_t i = 0; i < n; i++, p += step * bytes, to += bytes)
		if (bytes == 8)
			__builtin_memcpy(to, p, 8);
		else if (bytes == 4)
			__builtin_memcpy(to, p, 4);
		else
			__builtin_memcpy(to, p, 2);
	return room->bytes;
}

#define TREE      vf
#define TREE_MASK vm
#include "block.h"

#define TREE      vd
#define TREE_MASK vmd
#include "block.h"

/* The C type in which elements and results are computed. */
#define LANE_OF(T) TREE_OF(lane, T)

#define LINES_OF(name, T, part)                                                \
	__attribute__((noinline)) static void name(struct TREE_OF(line, T) *out, const void *a, const void *b, size_t n, \
	                                           size_t step, LANE_OF(T) centre) \
	{                                                                          \
		TREE_OF(part_lines, T)(out, a, b, n, step, centre, part, ISK_ENUM_##T); \
	}

/* The kernel of an operation and a type in another source, for the same ISA. */
#define SIBLING(op, T) ISK_PASTE4(ISK_PREFIX, _##op##_##T, __, ISK_ISA)

/* Element 0 of x. */
#define FIRST_OF(T, x) ISK_PASTE2(ISK_VECTOR(T), _load_as)(x, 0, 1, ISK_ENUM_##T)[0]

#define PART_OF(name, T, part)                                                 \
	LINES_OF(lines_##name, T, part)                                            \
	ISK_INLINE LANE_OF(T) name(const void *a, const void *b, size_t n, size_t step) \
	{                                                                          \
		LANE_OF(T) out[MAX_SUMS];                                              \
                                                                               \
		TREE_OF(part_all, T)(out, lines_##name, a, b, n, step, 1, part, ISK_ENUM_##T); \
		return out[0];                                                         \
	}

#define OF_ARRAY(kernel, T, part)                                              \
	LANE_OF(T) ISK_FN(kernel)(const ISK_C_##T *x, size_t n)                    \
	{                                                                          \
		return part##_##T(x, NULL, n, 1);                                      \
	}
#define OF_STRIDED(kernel, T, part)                                            \
	LANE_OF(T) ISK_FN(kernel)(const ISK_C_##T *x, size_t n, size_t incx)       \
	{                                                                          \
		return part##_##T(x, NULL, n, incx);                                   \
	}

#endif
