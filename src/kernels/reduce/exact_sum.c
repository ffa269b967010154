/* SPDX-License-Identifier: MIT */
/*
 * Sums of f32, and of products of f32, rounded once, so that their order does not matter.
 *
 * In f64 an element, or a product of two, is exact. If the largest of a block of
 * 256 is below 2^(e + 1), each is the sum of a multiple of 2^(e - 43), of a multiple
 * of 2^(e - 88) and of a rest; sums of 256 of either kind are exact in f64. If all
 * rests are 0, which they are unless elements are 2^40 apart, the two sums go into a
 * fixed-point number, else all elements of the block do. That number has a place for
 * every bit that a product can have, and room for 2^64 of the largest; it is rounded
 * at the end.
 */
#include "exact_sum_kernels.h"

#define BLOCK 256

/* Bit 0 of the first limb is worth 2^-352, below the last bit of a f64 that holds a product. */
#define LOWEST (-352)
#define LIMBS  23

/* A limb has 32 bits of the number, and above them those that are yet to be carried. */
struct fixed {
	int64_t limb[LIMBS];
	unsigned added;
	double special; /* the sum of the terms that are infinite or NaN */
};

static void carry(struct fixed *f)
{
	for (int i = 0; i < LIMBS - 1; i++) {
		f->limb[i + 1] += f->limb[i] >> 32;
		f->limb[i] &= 0xffffffff;
	}
	f->added = 0;
}

__attribute__((noinline)) static void add(struct fixed *f, double x)
{
	uint64_t bits, fraction;
	unsigned __int128 shifted;
	int exponent, limb;

	__builtin_memcpy(&bits, &x, sizeof(bits));
	exponent = (int)(bits >> 52 & 0x7ff);
	if (exponent == 0x7ff) {
		f->special += x;
		return;
	}
	if (exponent == 0)
		return;
	fraction = (bits & 0xfffffffffffff) | 0x10000000000000;
	exponent -= 1023 + 52 + LOWEST;
	limb = exponent / 32;
	shifted = (unsigned __int128)fraction << exponent % 32;
	for (int i = 0; i < 3; i++, shifted >>= 32) {
		const int64_t part = (int64_t)(shifted & 0xffffffff);

		f->limb[limb + i] += bits >> 63 ? -part : part;
	}
	if (++f->added == 1u << 30)
		carry(f);
}

/* The nearest f32, ties to even. */
static float rounded(struct fixed *f)
{
	int negative, top = LIMBS - 1, last;
	uint64_t kept = 0, below = 0;
	double unit;

	if (f->special != 0)
		return (float)f->special;
	carry(f);
	negative = f->limb[LIMBS - 1] < 0;
	if (negative) {
		for (int i = 0; i < LIMBS; i++)
			f->limb[i] = -f->limb[i];
		carry(f);
	}
	while (top > 0 && !f->limb[top])
		top--;
	if (!f->limb[top])
		return 0;
	/* The last bit of the result: 23 below the first one, but not below that of the least denormal. */
	last = 32 * top + 63 - __builtin_clzll((uint64_t)f->limb[top]) - 23;
	last = last > -149 - LOWEST ? last : -149 - LOWEST;
	for (int i = LIMBS - 1; i >= 0; i--) {
		const int at = 32 * i - last;

		if (at >= 0)
			kept += at < 32 ? (uint64_t)f->limb[i] << at : 0;
		else if (at > -32)
			kept += (uint64_t)f->limb[i] >> -at;
	}
	/* The fraction below that bit, times 2^62. If any bit still lower is 1, the last place is 1. */
	for (int i = 0; i < LIMBS && 32 * i < last; i++) {
		const int bits = last - 32 * i;
		const uint64_t part = bits >= 32 ? (uint64_t)f->limb[i] : (uint64_t)f->limb[i] & ((1ull << bits) - 1);

		if (bits > 32)
			below |= part != 0;
		else
			below |= part << (62 - bits);
	}
	kept += below > 1ull << 61 || (below == 1ull << 61 && (kept & 1));
	/* A power of two that is normal in f64. */
	below = (uint64_t)(1023 + last + LOWEST) << 52;
	__builtin_memcpy(&unit, &below, sizeof(unit));
	return (float)((negative ? -1 : 1) * (double)kept * unit);
}

/* Rounds x to a multiple of the last place of much, because the sum is rounded to it. */
ISK_INLINE vd multiples(vd x, vd much)
{
	return x + much - much;
}

/* 1.5 * 2^e */
ISK_INLINE vd much(int e)
{
	return (vd)((vl){0} + ((int64_t)(1023 + e) << 52 | (int64_t)1 << 51));
}

/* Adds n elements or products: at most a block, and a multiple of 16. */
__attribute__((noinline)) static void add_block(struct fixed *f, const double *x, size_t n)
{
	vd sum[2][8 / VD], most = vd_set1(0), zeros = vd_set1(0);
	double lanes[VD], largest = 0;
	uint64_t bits;
	int e;

	for (size_t i = 0; i < n; i += VD)
		most = vd_max(vd_abs(vd_load(x + i)), most);
	/* 0, or NaN if an element is infinite or NaN. */
	for (size_t i = 0; i < n; i += VD)
		zeros += vd_load(x + i) * 0;
	vd_store(lanes, most);
	for (int i = 0; i < VD; i++)
		largest = lanes[i] > largest ? lanes[i] : largest;
	if (largest == 0 && !vmd_any(vd_unordered(zeros, zeros)))
		return;
	__builtin_memcpy(&bits, &largest, sizeof(bits));
	e = (int)(bits >> 52) - 1023;
	for (int v = 0; v < 8 / VD; v++)
		sum[0][v] = sum[1][v] = vd_set1(0);
	if (!vmd_any(vd_unordered(zeros, zeros))) {
		const vd high = much(e - 43 + 52), low = much(e - 88 + 52);
		/* Tested as integers, because rests that are or-ed can have the bits of a NaN, which no comparison tells from 0. */
		vl rests = {0};

		for (size_t i = 0; i < n; i += 8)
			for (int v = 0; v < 8 / VD; v++) {
				const vd all = vd_load(x + i + (size_t)(v * VD)), first = multiples(all, high);
				const vd second = multiples(all - first, low);

				sum[0][v] += first;
				sum[1][v] += second;
				rests |= (vl)(all - first - second);
			}
		if (!vmd_any(vl_lt((vl){0}, (vl)vd_abs((vd)rests)))) {
			add(f, vd_fold_add(sum[0]));
			add(f, vd_fold_add(sum[1]));
			return;
		}
	}
	for (size_t i = 0; i < n; i++)
		add(f, x[i]);
}

ISK_INLINE float exact(const float *a, const float *b, size_t n)
{
	struct fixed f = {.special = 0};
	double x[BLOCK] __attribute__((aligned(64)));

	for (size_t at = 0; at < n; at += BLOCK) {
		const size_t now = n - at < BLOCK ? n - at : BLOCK, filled = (now + 15) / 16 * 16;

		for (size_t i = 0; i < filled; i += VL) {
			const size_t m = now > i ? now - i : 0;
			const vf p = vf_load_as(a, at + i, m, ISK_F32);
			vd low = vf_low_half(p), high = vf_high_half(p);

			if (b) {
				const vf q = vf_load_as(b, at + i, m, ISK_F32);

				low *= vf_low_half(q);
				high *= vf_high_half(q);
			}
			vd_store(x + i, low);
			vd_store(x + i + VD, high);
		}
		add_block(&f, x, filled);
	}
	return rounded(&f);
}

#define SUM_EXACT(kernel, T, ...)                                              \
	float ISK_FN(kernel)(const float *x, size_t n)                             \
	{                                                                          \
		return exact(x, NULL, n);                                              \
	}
ISK_EACH_sum_exact(SUM_EXACT, )

#define DOT_EXACT(kernel, T, ...)                                              \
	float ISK_FN(kernel)(const float *a, const float *b, size_t n)             \
	{                                                                          \
		return exact(a, b, n);                                                 \
	}
ISK_EACH_dot_exact(DOT_EXACT, )
