/* SPDX-License-Identifier: MIT */
/*
 * A packed matrix B (k by n): one layout for every ISA, to be stored, mapped and moved
 * between machines. Multi-byte fields are little-endian.
 *
 *     header    64 bytes, struct isk_packed
 *     panels    ceil(n / 16) of them (f64: n / 8); each is ceil(k / group) lines of 64 bytes
 *     sums      s8 only: one line a panel
 *     scales    only if groups of k have scales: for each panel a line of f32 a group
 *
 * A line holds one group of k for the 16 columns of its panel: element
 * (kk, j) is element (kk % group) + group * (j % 16) of line kk / group of panel
 * j / 16. A group fills one 32-bit lane: 1 f32, 2 bf16 or f16, 4 s8. So a line is one
 * register of vdpbf16ps or vpdpbusd and one row of an AMX tile; wider tiles take several
 * panels. Elements with kk >= k or j >= n are 0.
 *
 * A panel of f64 has 8 columns, so that a line still has 64 bytes: a vector of AVX-512, two of
 * AVX2, four of NEON. In units of 32 bits it is the panel of a matrix with 2n columns of f32.
 *
 * The sums of s8 are the 16 int32 sums over k of each column of a panel. They
 * correct for the zero point of A, and for the 128 that turns a signed A into
 * the unsigned one of vpdpbusd. They stand after all panels, as scales do, so that
 * panels have one stride for every type.
 *
 * least is the smallest exponent field of the elements of a bf16 matrix that are not 0. It
 * is 0 if there are denormals and 255 if all elements are 0. From it and that of A, a
 * kernel knows whether an instruction that takes denormals for 0 can meet one. It is 0 as
 * well if there is an infinity or a NaN, because otherwise a convolution may skip
 * multiplications by 0.
 *
 * A matrix without scales is version 1, one with scales version 2. Magic and version keep
 * their place in every later version. A change that a reader of today would misread needs
 * a new version; a new element type does not, since its unknown number is refused.
 */
#ifndef ISK_PACKED_H
#define ISK_PACKED_H

#include "isakern/matrix_types.h"

#define ISK_PACKED_MAGIC   0x4b505349u /* "ISPK" */
#define ISK_PACKED_VERSION 2
#define ISK_PACKED_PANEL   16
#define ISK_PACKED_LINE    64

struct isk_packed {
	uint32_t magic;
	uint16_t version;
	uint8_t type;  /* enum isk_type */
	uint8_t panel; /* columns of a panel: 16, f64 8 */
	uint8_t group; /* number of k in a line */
	uint8_t least; /* bf16 only: see above */
	uint16_t scale_k; /* number of k that share a scale; 0: there are no scales */
	uint8_t unused[4];
	uint64_t k;
	uint64_t n;
	uint64_t bytes; /* of everything, this header included */
	uint64_t payload_check; /* of all lines after the header */
	uint64_t unused2;
	uint64_t header_check; /* of the 56 bytes before it */
} __attribute__((packed, may_alias)); /* because buffers need not be aligned */

_Static_assert(sizeof(struct isk_packed) == ISK_PACKED_LINE, "the header is one line");

/* The number of k in a line of this type; 0 for a type that is not packed. */
static inline size_t isk_packed_group(unsigned type)
{
	switch (type) {
	case ISK_F32:
	case ISK_F64:
		return 1;
	case ISK_BF16:
	case ISK_F16:
		return 2;
	case ISK_S8:
		return 4;
	}
	return 0;
}

/* The number of lines that hold k elements of a column. The shift is by log2(group), which is group / 2 for 1, 2 and 4. */
static inline size_t isk_packed_lines(size_t group, size_t k)
{
	return (k >> group / 2) + ((k & (group - 1)) != 0);
}

/* The number of lines of a panel. */
static inline size_t isk_packed_depth(unsigned type, size_t k)
{
	return isk_packed_lines(isk_packed_group(type), k);
}

/* The 32-bit words of a line that belong to one column. */
static inline size_t isk_packed_wide(unsigned type)
{
	return type == ISK_F64 ? 2 : 1;
}

/* The number of columns of a panel. The shift is by log2(words), which is words / 2 for 1 and 2. */
static inline size_t isk_packed_columns(unsigned type)
{
	return (size_t)ISK_PACKED_PANEL >> isk_packed_wide(type) / 2;
}

/*
 * The number of panels that n columns fill. A shift, because a call of conv asks three times: with divisions, a convolution
 * of 1x1x64>128 by three taps takes 1.02 to 1.04 of the time (Zen 5).
 */
static inline size_t isk_packed_full_panels(unsigned type, size_t n)
{
	return n >> __builtin_ctzll(isk_packed_columns(type));
}

/* The number of panels that hold n columns. */
static inline size_t isk_packed_panels(unsigned type, size_t n)
{
	return isk_packed_full_panels(type, n) + ((n & (isk_packed_columns(type) - 1)) != 0);
}

/* The number of groups of k that have a scale each. */
static inline size_t isk_packed_groups(size_t scale_k, size_t k)
{
	return scale_k ? k / scale_k + (k % scale_k != 0) : 0;
}

/* Bytes of everything; 0 for an unknown type or an overflow. */
static inline size_t isk_packed_bytes(unsigned type, size_t k, size_t n, size_t scale_k)
{
	size_t lines, bytes;

	if (!isk_packed_group(type))
		return 0;
	lines = isk_packed_depth(type, k) + (type == ISK_S8) + isk_packed_groups(scale_k, k);
	if (__builtin_mul_overflow(lines, isk_packed_panels(type, n), &lines)
	    || __builtin_mul_overflow(lines, (size_t)ISK_PACKED_LINE, &bytes)
	    || __builtin_add_overflow(bytes, sizeof(struct isk_packed), &bytes))
		return 0;
	return bytes;
}

/*
 * The payload check: 16 lanes of 32 bits, lane i fed with word i of every line
 * in order by h = rotl(h ^ word, 13) * ISK_PACKED_MUL, then folded into 64 bits.
 * A step is a bijection of h and of the word, so damage within one lane of one
 * line is always found, and any other with odds of 2^32 to 1. The rotation is
 * there because a product carries the top bit to no other bit: two flipped signs must
 * not cancel. 16 lanes are whole vectors at every ISA. The multipliers are odd and
 * arbitrary: 2^32 and 2^64 over the golden ratio, and below bits of pi.
 */
#define ISK_PACKED_MUL   0x9e3779b1u
#define ISK_PACKED_MUL64 0x9e3779b97f4a7c15u

static inline uint32_t isk_packed_step(uint32_t h, uint32_t word)
{
	h ^= word;
	return (h << 13 | h >> 19) * ISK_PACKED_MUL;
}

static inline uint64_t isk_packed_fold(const uint32_t h[ISK_PACKED_PANEL])
{
	uint64_t sum = 0;

	for (int i = 0; i < ISK_PACKED_PANEL; i++) {
		sum = (sum ^ h[i]) * ISK_PACKED_MUL64;
		sum ^= sum >> 29;
	}
	return sum;
}

/*
 * The words of the header are hashed side by side, not one after the other, because every
 * call of a kernel computes this check.
 */
static inline uint64_t isk_packed_header_check(const struct isk_packed *header)
{
	typedef uint64_t word __attribute__((aligned(1), may_alias));
	const word *words = (const word *)header;
	uint64_t sum = 0;

	for (unsigned i = 0; i < offsetof(struct isk_packed, header_check) / 8; i++) {
		uint64_t w = (words[i] ^ (i + 1) * ISK_PACKED_MUL64) * 0x243f6a8885a308d3u;

		w = (w ^ w >> 29) * ISK_PACKED_MUL64;
		sum += w ^ w >> 32;
	}
	return sum;
}

static inline struct isk_packed isk_packed_header(unsigned type, size_t k, size_t n, size_t scale_k, unsigned least,
                                                  uint64_t payload_check)
{
	struct isk_packed header = {
		.magic = ISK_PACKED_MAGIC,
		.version = scale_k ? 2 : 1,
		.type = (uint8_t)type,
		.panel = (uint8_t)isk_packed_columns(type),
		.group = (uint8_t)isk_packed_group(type),
		.least = (uint8_t)least,
		.scale_k = (uint16_t)scale_k,
		.k = k,
		.n = n,
		.bytes = isk_packed_bytes(type, k, n, scale_k),
		.payload_check = payload_check,
	};

	header.header_check = isk_packed_header_check(&header);
	return header;
}

/* Whether scale_k is a possible size of groups: groups must begin with a panel line and with a part of k. */
static inline int isk_packed_scalable(unsigned type, size_t scale_k)
{
	return type == ISK_S8 && (scale_k == 32 || scale_k == 64 || scale_k == 128);
}

/* Checks that this header is one that isk_packed_header() writes for the type. */
static inline int isk_packed_check_header(const struct isk_packed *header, unsigned type)
{
	if (header->magic != ISK_PACKED_MAGIC)
		return ISK_ERR_PACKED;
	if (header->version > ISK_PACKED_VERSION)
		return ISK_ERR_VERSION;
	if (header->version == 0 || header->header_check != isk_packed_header_check(header))
		return ISK_ERR_PACKED;
	if (header->type != type)
		return ISK_ERR_TYPE;
	if (header->panel != isk_packed_columns(type) || header->group != isk_packed_group(type)
	    || header->version != (header->scale_k ? 2 : 1)
	    || (header->scale_k && !isk_packed_scalable(type, header->scale_k)) || header->bytes == 0
	    || header->bytes != isk_packed_bytes(type, header->k, header->n, header->scale_k))
		return ISK_ERR_PACKED;
	return ISK_OK;
}

#endif
