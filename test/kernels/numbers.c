/* SPDX-License-Identifier: MIT */
#include "numbers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "oracle.h"

/* Bytes, digits of the significand, least and greatest exponent of normal numbers. */
static const struct format {
	int bytes, digits, low, high;
} formats[] = {
	[ELEM_f32] = {4, 24, -126, 127}, [ELEM_bf16] = {2, 8, -126, 127}, [ELEM_f16] = {2, 11, -14, 15},
	[ELEM_s8] = {1, 0, 0, 0},        [ELEM_u8] = {1, 0, 0, 0},        [ELEM_s32] = {4, 0, 0, 0},
	[ELEM_size] = {8, 0, 0, 0},
	[ELEM_b8] = {1, 0, 0, 0},        [ELEM_b16] = {2, 0, 0, 0},       [ELEM_b32] = {4, 0, 0, 0},
	[ELEM_b64] = {8, 0, 0, 0},
};

size_t elem_bytes(enum elem elem)
{
	return (size_t)formats[elem].bytes;
}

int elem_is_float(enum elem elem)
{
	return formats[elem].digits != 0;
}

size_t elem_values(enum elem elem)
{
	return formats[elem].bytes > 2 ? 0 : (size_t)1 << 8 * formats[elem].bytes;
}

uint64_t elem_bits(enum elem elem, const void *x, size_t i)
{
	uint64_t bits = 0;

	memcpy(&bits, (const unsigned char *)x + i * elem_bytes(elem), elem_bytes(elem));
	return bits;
}

void elem_set_bits(enum elem elem, void *x, size_t i, uint64_t bits)
{
	memcpy((unsigned char *)x + i * elem_bytes(elem), &bits, elem_bytes(elem));
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

double elem_value(enum elem elem, uint64_t bits)
{
	switch (elem) {
	case ELEM_f32:
		return (double)f32_of((uint32_t)bits);
	case ELEM_bf16:
		return (double)f32_of((uint32_t)bits << 16);
	case ELEM_f16:
		return (double)isk_oracle_cvt_f16_f32((isk_f16)bits);
	case ELEM_s8:
		return (int8_t)bits;
	case ELEM_s32:
		return (int32_t)bits;
	default:
		return (double)bits;
	}
}

struct text elem_text(enum elem elem, uint64_t bits)
{
	struct text text;

	snprintf(text.s, sizeof(text.s), "%.9g (%#llx)", elem_value(elem, bits), (unsigned long long)bits);
	return text;
}

void elem_set(enum elem elem, void *x, size_t i, double value)
{
	switch (elem) {
	case ELEM_f32:
		elem_set_bits(elem, x, i, bits_of((float)value));
		break;
	case ELEM_bf16:
		elem_set_bits(elem, x, i, isk_oracle_cvt_f32_bf16((float)value));
		break;
	case ELEM_f16:
		elem_set_bits(elem, x, i, isk_oracle_cvt_f32_f16((float)value));
		break;
	default:
		elem_set_bits(elem, x, i, (uint64_t)(int64_t)value);
	}
}

int elem_is_nan(enum elem elem, uint64_t bits)
{
	return elem_is_float(elem) && isnan(elem_value(elem, bits));
}

int elem_same(enum elem elem, uint64_t a, uint64_t b)
{
	return a == b || (elem_is_nan(elem, a) && elem_is_nan(elem, b));
}

/* The exponent of x, for x neither 0, denormal, infinite nor NaN. */
static int exponent(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return (int)(bits >> 52 & 2047) - 1023;
}

static double power(int n)
{
	const uint64_t bits = (uint64_t)(n + 1023) << 52;
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

double elem_least(enum elem elem)
{
	const struct format *f = &formats[elem];

	return power(f->low - f->digits + 1);
}

double elem_ulps(enum elem elem, uint64_t bits, double exact)
{
	const struct format *f = &formats[elem];
	const double got = elem_value(elem, bits), size = fabs(exact);
	int e;

	if (isnan(got) || isnan(exact))
		return isnan(got) && isnan(exact) ? 0 : HUGE_VAL;
	if (signbit(got) != signbit(exact))
		return HUGE_VAL;
	if (isinf(got) && size >= power(f->high + 1))
		return 0;
	if (isinf(exact))
		return HUGE_VAL;
	e = size < power(f->low) ? f->low : exponent(size);
	e = e > f->high ? f->high : e;
	return fabs((isinf(got) ? copysign(power(f->high + 1), got) : got) - exact) * power(f->digits - 1 - e);
}

const uint32_t specials[] = {
	/* zeros; least, other and greatest denormals; least normals and neighbours */
	0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x00000002, 0x00012345, 0x80400000, 0x007fffff,
	0x807fffff, 0x00800000, 0x80800000, 0x00800001, 0x01000000, 0x80ffffff,
	/* infinities; NaNs: quiet, signalling, with payloads */
	0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x7f800001, 0xff800001, 0x7fa00000, 0xffbfffff,
	0x7fc12345, 0x7fffffff, 0xffffffff, 0x7f812000, 0x7f80ffff,
	/* greatest numbers */
	0x7f7fffff, 0xff7fffff, 0x7f000000, 0xfe967699, 0x7e967699,
	/* around 1 */
	0x3f800000, 0xbf800000, 0x3f800001, 0x3f7fffff, 0xbf800001, 0x40000000, 0xc0000000, 0x3f000000,
	0xbf000000, 0x3dcccccd, 0x40490fdb, 0xc0490fdb, 0x3fc90fdb,
	/* integers: where halves, odd numbers, int32 and int64 end */
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
const size_t special_count = sizeof(specials) / sizeof(specials[0]);

static float near_threshold(void)
{
	const double steps[] = {0.34657359027997264, 0.69314718055994531, 0.78539816339744831, 0.5, 0.0625};
	const double step = steps[random_below(sizeof(steps) / sizeof(steps[0]))];
	const size_t count = random_below(4) ? 400 : 1000000;
	uint32_t bits = random_below(3) ? bits_of((float)(step * (double)random_below(count)))
	                                : specials[random_below(special_count)];

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
		return f32_of(specials[random_below(special_count)]);
	default:
		return f32_of((uint32_t)random_bits());
	}
}
