/* SPDX-License-Identifier: MIT */
#include "values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness.h"

size_t element_values(enum isk_type type)
{
	const int width = isk_element_width(type);

	return width > 16 ? 0 : (size_t)1 << width;
}

float f32_of(uint32_t bits)
{
	float x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

uint32_t bits_of(float x)
{
	uint32_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

struct text element_text(enum isk_type type, uint64_t bits)
{
	struct text text;

	snprintf(text.s, sizeof(text.s), "%.*g (%#llx)", type == ISK_F64 ? 17 : 9, isk_element_value(type, bits),
	         (unsigned long long)bits);
	return text;
}

static const uint32_t f32_specials[] = {
	/* zeros; least, other and greatest denormals; least normals and neighbours */
	0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x00000002, 0x00012345, 0x80400000, 0x007fffff,
	0x807fffff, 0x00800000, 0x80800000, 0x00800001, 0x01000000, 0x80ffffff,
	/* infinities; NaNs: quiet, signalling, with payloads */
	0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x7f800001, 0xff800001, 0x7fa00000, 0xffbfffff,
	0x7fc12345, 0x7fffffff, 0xffffffff, 0x7f812000, 0x7f80ffff,
	/* greatest numbers; those whose squares are about the greatest number, the least normal or the least denormal one */
	0x7f7fffff, 0xff7fffff, 0x7f000000, 0xfe967699, 0x7e967699, 0x5f3504f3, 0x20000001, 0x1a3504f3,
	/* around 1 */
	0x3f800000, 0xbf800000, 0x3f800001, 0x3f7fffff, 0xbf800001, 0x40000000, 0xc0000000, 0x3f000000,
	0xbf000000, 0x3dcccccd, 0x40490fdb, 0xc0490fdb, 0x3fc90fdb,
	/* integers: the ends of halves, odd numbers, int32 and int64 */
	0x4affffff, 0x4b000000, 0xcb000001, 0x4b800000, 0x4b800001, 0x4effffff, 0x4f000000, 0xcf000000,
	0x4f800000, 0x5f000000, 0xdf000000,
	/* ends of exp: overflow, least normal, half of the least denormal; the same of base 2 */
	0x42b17217, 0x42b17218, 0xc2aeac4f, 0xc2aeac50, 0xc2ce8ecf, 0xc2ce8ed0, 0xc2cff1b5, 0x42d00000,
	0x42fe0000, 0x43000000, 0xc2fc0000, 0xc3150000,
	/* saturation of tanh, sigmoid, erf */
	0x41102cb3, 0xc1102cb4, 0x41851591, 0xc1851592, 0x407ad447, 0xc15b0000, 0x39800000, 0xb9800000,
	/* f16: overflow, its tie, greatest, least normal, least denormal, half of it and neighbours */
	0x477ff000, 0x477fefff, 0x477fe000, 0xc77ff000, 0x38800000, 0x387fffff, 0xb8800001, 0x33800000,
	0x33000000, 0x33000001, 0xb3000000, 0x32ffffff, 0x33c00000,
	/* bf16: overflow and its tie; ties to even, both ways; f16 ties likewise */
	0x7f7f8000, 0x7f7f7fff, 0xff7f8000, 0x3f808000, 0x3f818000, 0x3f808001, 0x3f807fff, 0x00008000,
	0x00018000, 0x3f801000, 0x3f803000, 0x3f801001, 0x3f800fff,
};
#define F32_SPECIALS (sizeof(f32_specials) / sizeof(f32_specials[0]))

static const uint64_t f64_specials[] = {
	/* zeros; least, other and greatest denormals; least normals and neighbours */
	0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x8000000000000001, 0x0000000000000002,
	0x0000123456789abc, 0x8008000000000000, 0x000fffffffffffff, 0x800fffffffffffff, 0x0010000000000000,
	0x8010000000000000, 0x0010000000000001, 0x0020000000000000, 0x801fffffffffffff,
	/* infinities; NaNs: quiet, signalling, with payloads */
	0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0xfff8000000000000, 0x7ff0000000000001,
	0xfff0000000000001, 0x7ff8000012345678, 0x7fffffffffffffff, 0xffffffffffffffff,
	/* greatest numbers; squares of these overflow, or vanish, or are about the greatest or the least denormal number */
	0x7fefffffffffffff, 0xffefffffffffffff, 0x7fe0000000000000, 0xffd2345678000000, 0x5ff0000000000000,
	0x2000000000000000, 0x5fe6a09e667f3bcc, 0x1e66a09e667f3bcd,
	/* around 1 */
	0x3ff0000000000000, 0xbff0000000000000, 0x3ff0000000000001, 0x3fefffffffffffff, 0xbff0000000000001,
	0x4000000000000000, 0xc000000000000000, 0x3fe0000000000000, 0x3fb999999999999a, 0x400921fb54442d18,
	0xc00921fb54442d18,
	/* the ends of halves, odd numbers, int32 and int64 */
	0x432fffffffffffff, 0x4330000000000000, 0xc330000000000001, 0x4340000000000000, 0x4340000000000001,
	0x41e0000000000000, 0xc1e0000000000000, 0x43e0000000000000, 0xc3e0000000000000,
	/* f32: overflow and its tie, greatest, least normal, least denormal and half of it; a tie near 1 */
	0x47efffffe0000000, 0x47effffff0000000, 0x47efffffefffffff, 0x47f0000000000000, 0x3810000000000000,
	0x380fffffffffffff, 0x36a0000000000000, 0x3690000000000000, 0x3690000000000001, 0x3ff0000010000000,
	0x3ff0000030000000,
	/* ends of exp: overflow, least normal, half of the least denormal; the same of base 2; those of 10^x and of sinh */
	0x40862e42fefa39ef, 0x40862e42fefa39f0, 0xc086232bdd7abcd2, 0xc0874910d52d3051, 0xc0874910d52d3053,
	0x4090000000000000, 0xc08ff00000000000, 0xc090c80000000000, 0x40734413509f79ff, 0x408633ce8fb9f87d,
	/* bf16, then f16: neighbours of ties near 1, of denormals, of overflow */
	0x3ff0100000000001, 0x3ff02fffffffffff, 0x3790000000000001, 0x47efefffffffffff, 0x3ff0020000000001,
	0xbff005ffffffffff, 0x3e60000000000001, 0x40effdffffffffff,
	/* nearest to the zeros of the derivatives of gelu and silu */
	0xbfe80ead197f00b4, 0xbff474973c84120b,
};
#define F64_SPECIALS (sizeof(f64_specials) / sizeof(f64_specials[0]))

static const uint64_t s64_specials[] = {
	/* zero, ends; the ends of s32, f64 and f32 */
	0, 1, UINT64_MAX, INT64_MAX, (uint64_t)INT64_MIN, (uint64_t)INT64_MIN + 1, 0x7fffffff, 0x80000000, 0xffffffff,
	0x100000000, 0x001fffffffffffff, 0x0020000000000000, 0x0020000000000001, 0xffdfffffffffffff, 0x0020000000000003,
	/* ties of f64, and ties of f32 that the last bit decides, which f64 cannot hold */
	0x4000000000000200, 0x4000000000000600, 0x7ffffffffffffe00, 0x4000004000000000, 0x4000004000000001,
	0x400000bfffffffff, 0xbfffffbfffffffff, 0xbfffff4000000001, 0x0040000040000001, 0x7fffffbfffffffff,
};
#define S64_SPECIALS (sizeof(s64_specials) / sizeof(s64_specials[0]))

size_t special_count(enum isk_type type)
{
	return type == ISK_F64 ? F64_SPECIALS : type == ISK_S64 ? S64_SPECIALS : F32_SPECIALS;
}

/* f32 values are rounded to narrower types; NaNs, infinities and zeros remain as they are. */
uint64_t special(enum isk_type type, size_t i)
{
	return type == ISK_F64   ? f64_specials[i]
	       : type == ISK_F32 ? f32_specials[i]
	       : type == ISK_S64 ? s64_specials[i]
	                         : isk_element_round(type, (long double)f32_of(f32_specials[i]));
}

static float near_threshold(void)
{
	const double steps[] = {0.34657359027997264, 0.69314718055994531, 0.78539816339744831, 0.5, 0.0625};
	const double step = steps[random_below(sizeof(steps) / sizeof(steps[0]))];
	const size_t count = random_below(4) ? 400 : 1000000;
	uint32_t bits = random_below(3) ? bits_of((float)(step * (double)random_below(count)))
	                                : f32_specials[random_below(F32_SPECIALS)];

	bits += (uint32_t)random_below(33) - 16;
	return f32_of(bits ^ (uint32_t)random_bits() << 31);
}

float random_f32(enum kind kind)
{
	switch (kind) {
	case KIND_UNIT:
		return (float)random_in(-1, 1);
	case KIND_TEN:
		return (float)random_in(-10, 10);
	case KIND_HUNDRED:
		return (float)random_in(-110, 110);
	case KIND_THRESHOLD:
		return near_threshold();
	case KIND_TINY:
		return f32_of((uint32_t)random_bits() & 0x81ffffff);
	case KIND_SPECIAL:
		return f32_of(f32_specials[random_below(F32_SPECIALS)]);
	default:
		return f32_of((uint32_t)random_bits());
	}
}

uint64_t random_element(enum isk_type type, enum kind kind)
{
	const uint64_t any = random_bits();
	const size_t bits = (size_t)isk_element_width(type);

	/* Integers of every size, and of both signs. */
	if (!isk_element_is_float(type) && kind != KIND_BITS)
		return (uint64_t)((int64_t)any >> random_below(64)) & (UINT64_MAX >> (64 - bits));
	if (kind == KIND_BITS)
		return bits < 64 ? any & (((uint64_t)1 << bits) - 1) : any;
	if (kind == KIND_SPECIAL)
		return special(type, random_below(special_count(type)));
	if (type == ISK_F32)
		return bits_of(random_f32(kind));
	if (kind == KIND_TINY)
		return any & (isk_sign_bit(type) | (((uint64_t)4 << isk_format_of(type).fraction) - 1));
	if (type == ISK_F64 && kind != KIND_THRESHOLD)
		return isk_element_round(type, (long double)random_in(-1, 1) * (kind == KIND_UNIT ? 1 : kind == KIND_TEN ? 10 : 750));
	/* Thresholds of f32, with random bits below them for f64. */
	return isk_element_round(type, (long double)random_f32(kind)) ^ (type == ISK_F64 ? any >> 60 : 0);
}

int64_t random_whole(void)
{
	const uint64_t any = random_bits();

	switch (random_below(3)) {
	case 0:
		return (int64_t)(any % 100);
	case 1:
		return (int64_t)any;
	default:
		return (int64_t)((any % 16 << 32) - random_below(100));
	}
}

size_t random_gap(enum isk_type type)
{
	static const size_t gaps[] = {0, 0, 1, 3, 16, 29};

	return gaps[random_below(sizeof(gaps) / sizeof(gaps[0]))] * (isk_shares_byte(type) ? 2 : 1);
}
