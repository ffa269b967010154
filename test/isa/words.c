/* SPDX-License-Identifier: MIT */
/*
 * Every function of vec.h against its comment, lane by lane. Those that load and store are in words_memory.c.
 * The compiler computes the definitions for the same ISA, but one number at a time and with libm.
 */
#include <math.h>
#include <string.h>

#include "kernel.h"
#include "vec_pair.h"
#include "words.h"

#define ROUNDS 3000

/* Vectors with any values; loops over them. */
#define ANY(V, any)                                                            \
	static V any_##V(void)                                                     \
	{                                                                          \
		V v;                                                                   \
                                                                               \
		for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++)                  \
			v[i] = any();                                                      \
		return v;                                                              \
	}
ANY(vf, any_f32)
ANY(vd, any_f64)
ANY(vi, any_s32)

static int64_t any_s64(void)
{
	const uint64_t r = any_bits();

	return (int64_t)r >> (r % 8 * 8);
}
ANY(vl, any_s64)

#define EACH(count) for (size_t i = 0; i < (count); i++)
#define TEST(name, ...)                                                        \
	test_begin(name);                                                          \
	for (int round = 0; round < ROUNDS; round++) {                             \
		__VA_ARGS__                                                            \
	}

static float least_f32(float a, float b)
{
	return a < b ? a : b;
}

static float most_f32(float a, float b)
{
	return a > b ? a : b;
}

static double least_f64(double a, double b)
{
	return a < b ? a : b;
}

static double most_f64(double a, double b)
{
	return a > b ? a : b;
}

static float fma_f32(float a, float b, float c)
{
	return ISK_FMA ? fmaf(a, b, c) : a * b + c;
}

static double fma_f64(double a, double b, double c)
{
	return ISK_FMA ? fma(a, b, c) : a * b + c;
}

/* With a sum of 0 only the product is rounded, once: if it underflows, fma() of musl 1.2.3 gives 0 for -0. */
static double fused_f64(double a, double b, double c)
{
	return a != 0 && b != 0 && c == 0 ? a * b : fma(a, b, c);
}

/* Minimum and maximum order the zeros by their signs. */
static double ordered(double a, double b, int most)
{
	if (isnan(a) || isnan(b))
		return __builtin_nan("");
	if (a == b)
		return signbit(a) != most ? a : b;
	return (a < b) != most ? a : b;
}

static int32_t to_s32(double rounded)
{
	return rounded >= INT32_MIN && rounded <= INT32_MAX ? (int32_t)rounded : INT32_MIN;
}

#define ONE(V, same, word, definition)                                         \
	TEST(#word,                                                                \
		const V v = any_##V(); const V y = word(v);                            \
		EACH(sizeof(v) / sizeof(v[0])) same(y[i], definition(v[i]), i);)
#define TWO(V, same, word, definition)                                         \
	TEST(#word,                                                                \
		const V v = any_##V(); const V w = round % 5 ? any_##V() : v;          \
		const V y = word(v, w);                                                \
		EACH(sizeof(v) / sizeof(v[0])) same(y[i], definition(v[i], w[i]), i);)
#define THREE(V, same, word, definition)                                       \
	TEST(#word,                                                                \
		const V v = any_##V(); const V w = any_##V();                          \
		const V x = round % 3 ? any_##V() : -v * w;                            \
		const V y = word(v, w, x);                                             \
		EACH(sizeof(v) / sizeof(v[0])) same(y[i], definition(v[i], w[i], x[i]), i);)

static void test_floats(void)
{
	ONE(vf, same_f32, vf_sqrt, sqrtf)
	ONE(vd, same_f64, vd_sqrt, sqrt)
	ONE(vf, same_f32, vf_nearest, nearbyintf)
	ONE(vd, same_f64, vd_nearest, nearbyint)
	ONE(vf, same_f32, vf_floor, floorf)
	ONE(vd, same_f64, vd_floor, floor)
	ONE(vf, same_f32, vf_ceil, ceilf)
	ONE(vd, same_f64, vd_ceil, ceil)
	ONE(vf, same_f32, vf_trunc, truncf)
	ONE(vd, same_f64, vd_trunc, trunc)
	ONE(vf, same_f32, vf_abs, fabsf)
	ONE(vd, same_f64, vd_abs, fabs)
	ONE(vf, same_f32, vf_neg_abs, -fabsf)
	ONE(vf, same_f32, vf_now, )
	ONE(vf, same_f32, vf_here, )
	TWO(vf, same_f32, vf_min, least_f32)
	TWO(vd, same_f64, vd_min, least_f64)
	TWO(vf, same_f32, vf_max, most_f32)
	TWO(vd, same_f64, vd_max, most_f64)
	TWO(vf, same_f32, vf_copysign, copysignf)
	TWO(vd, same_f64, vd_copysign, copysign)
#define MINIMUM(a, b) ordered((double)(a), (double)(b), 0)
#define MAXIMUM(a, b) ordered((double)(a), (double)(b), 1)
	TWO(vf, same_f32, vf_minimum, (float)MINIMUM)
	TWO(vd, same_f64, vd_minimum, MINIMUM)
	TWO(vf, same_f32, vf_maximum, (float)MAXIMUM)
	TWO(vd, same_f64, vd_maximum, MAXIMUM)
	THREE(vf, same_f32, vf_fma, fma_f32)
	THREE(vd, same_f64, vd_fma, fma_f64)
	THREE(vf, same_f32, vf_fused, fmaf)
	THREE(vd, same_f64, vd_fused, fused_f64)
#define FNMA(a, b, c) fma_f32(-(a), b, c)
	THREE(vf, same_f32, vf_fnma, FNMA)

	TEST("vf_word vf_fma_word", const float a = any_f32(); const vf b = any_vf(); const vf c = any_vf();
		const vf y = vf_fma_word(vf_word(&a), b, c);
		EACH(VL) same_f32(y[i], fma_f32(a, b[i], c[i]), i);)

	/* Neither the products nor their rounding errors may be denormal. */
	TEST("vf_mul_low", vf a; vf b;
		EACH(VL) { a[i] = (float)any_in(-4, 4); b[i] = (float)any_in(-4, 4); }
		const vf h = a * b; const vf y = vf_mul_low(a, b, h);
		EACH(VL) same_f32(y[i], fmaf(a[i], b[i], -h[i]), i);)
	TEST("vd_mul_low", vd a; vd b;
		EACH(VD) { a[i] = any_in(-4, 4); b[i] = any_in(-4, 4); }
		const vd h = a * b; const vd y = vd_mul_low(a, b, h);
		EACH(VD) same_f64(y[i], fma(a[i], b[i], -h[i]), i);)
	TEST("vd_mul_minus", vd a;
		EACH(VD) a[i] = (double)(float)any_in(-4, 4);
		const vd h = vd_nearest(a * 0x1.7154765p+0);
		const vd y = vd_mul_minus(a, 0x1.7154765p+0, 0x1.5c17f0bbbe88p-31, h);
		EACH(VD) {
			const long double x = (long double)a[i];
			const long double want = x * 0x1.7154765p+0L - (long double)h[i] + x * 0x1.5c17f0bbbe88p-31L;

			same_bits(fabsl((long double)y[i] - want) > 0x1p-51L, 0, i);
		})
	TEST("vf_scale2", vf v; vf sum; int n[VL];
		EACH(VL) {
			n[i] = (int)(any_bits() % 507) - 252;
			v[i] = (float)any_in(0.5, 2);
			sum[i] = (float)n[i] + VF_ROUND(VF_BIAS);
		}
		const vf y = vf_scale2(v, sum);
		EACH(VL) same_f32(y[i], ldexpf(v[i], n[i]), i);)
	TEST("vf_scale8", vf v; vf sum; int n[VL];
		EACH(VL) {
			n[i] = (int)(any_bits() % 2800) - 1400;
			v[i] = (float)any_in(0.5, 2);
			sum[i] = (float)n[i] / 8 + VF_ROUND8(VF_BIAS);
		}
		const vf y = vf_scale8(v, sum);
		EACH(VL) same_f32(y[i], ldexpf(v[i], n[i] >> 3), i);)
	TEST("vf_scalable and vf_rest", const vf x = any_vf(); const vf v = vf_scalable(x, -104, 89);
		const vf clamped = vf_min(vf_set1(89), vf_max(vf_set1(-104), x));
		EACH(VL) same_bits(v[i] == x[i] || v[i] == clamped[i] || isnan(x[i]), 1, i);
		const vf r = vf_rest(vf_set1(0.125f), 0.25f);
		EACH(VL) same_f32(r[i], 0.125f, i);)
	TEST("vf_swap_pairs", const vf v = any_vf(); const vf y = vf_swap_pairs(v);
		EACH(VL) same_f32(y[i], v[i ^ 1], i);)
}

static void test_conversions(void)
{
	TEST("vf_to_vi", const vf v = any_vf(); const vi y = vf_to_vi(v);
		EACH(VL) same_bits((uint32_t)y[i], (uint32_t)to_s32(nearbyint((double)v[i])), i);)
	TEST("vi_to_vf", const vi v = any_vi(); const vf y = vi_to_vf(v);
		EACH(VL) same_f32(y[i], (float)v[i], i);)
	TEST("vf_low_half", const vf v = any_vf(); const vd y = vf_low_half(v);
		EACH(VD) same_f64(y[i], (double)v[i], i);)
	TEST("vf_high_half", const vf v = any_vf(); const vd y = vf_high_half(v);
		EACH(VD) same_f64(y[i], (double)v[VD + i], i);)
	TEST("vd_halves", const vd a = any_vd(); const vd b = any_vd(); const vf y = vd_halves(a, b);
		EACH(VL) same_f32(y[i], (float)(i < VD ? a[i] : b[i - VD]), i);)
	TEST("vi_low_half", const vi v = any_vi(); const vd y = vi_low_half(v);
		EACH(VD) same_f64(y[i], v[i], i);)
	TEST("vi_high_half", const vi v = any_vi(); const vd y = vi_high_half(v);
		EACH(VD) same_f64(y[i], v[VD + i], i);)
	TEST("vd_halves_to_vi", const vd a = any_vd(); const vd b = any_vd(); const vi y = vd_halves_to_vi(a, b);
		EACH(VL) same_bits((uint32_t)y[i], (uint32_t)to_s32(nearbyint(i < VD ? a[i] : b[i - VD])), i);)
	TEST("vl_to_vd", const vl v = any_vl(); const vd y = vl_to_vd(v);
		EACH(VD) same_f64(y[i], (double)v[i], i);)
	TEST("vd_to_vl", vd v = any_vd();
		EACH(VD) v[i] = v[i] >= -0x1p63 && v[i] < 0x1p63 ? v[i] : 0.5;
		const vl y = vd_to_vl(v);
		EACH(VD) same_bits((uint64_t)y[i], (uint64_t)(int64_t)nearbyint(v[i]), i);)
}

#define ALL(lanes) ((1u << (lanes)) - 1)

/* A random mask. */
static vm any_vm(uint64_t *bits)
{
	vi v;

	*bits = any_bits() % 4 ? any_bits() & ALL(VL) : any_bits() % 2 ? 0 : ALL(VL);
	EACH(VL) v[i] = *bits >> i & 1;
	return vi_gt(v, vi_set1(0));
}

static vmd any_vmd(uint64_t *bits)
{
	vl v;

	*bits = any_bits() % 4 ? any_bits() & ALL(VD) : any_bits() % 2 ? 0 : ALL(VD);
	EACH(VD) v[i] = -(int64_t)(*bits >> i & 1);
	return vl_lt(v, (vl){0});
}

static uint64_t bits_of(vmd m)
{
	const vd v = vd_sel(m, vd_set1(1), vd_set1(0));
	uint64_t bits = 0;

	EACH(VD) bits |= (uint64_t)(v[i] == 1) << i;
	return bits;
}

#define COMPARE(V, bits_of, word, truth)                                       \
	TEST(#word,                                                                \
		const V a = any_##V(); const V b = round % 3 ? any_##V() : a; uint64_t want = 0;  \
		EACH(sizeof(a) / sizeof(a[0])) want |= (uint64_t)(truth) << i;         \
		same_bits(bits_of(word(a, b)), want, 0);)

static void test_masks(void)
{
	COMPARE(vf, vm_bits, vf_lt, a[i] < b[i])
	COMPARE(vf, vm_bits, vf_le, a[i] <= b[i])
	COMPARE(vf, vm_bits, vf_gt, a[i] > b[i])
	COMPARE(vf, vm_bits, vf_ge, a[i] >= b[i])
	COMPARE(vf, vm_bits, vf_eq, a[i] == b[i])
	COMPARE(vf, vm_bits, vf_unordered, isnan(a[i]) || isnan(b[i]))
	COMPARE(vi, vm_bits, vi_eq, a[i] == b[i])
	COMPARE(vi, vm_bits, vi_gt, a[i] > b[i])
	COMPARE(vd, bits_of, vd_lt, a[i] < b[i])
	COMPARE(vd, bits_of, vd_le, a[i] <= b[i])
	COMPARE(vd, bits_of, vd_eq, a[i] == b[i])
	COMPARE(vd, bits_of, vd_unordered, isnan(a[i]) || isnan(b[i]))
	COMPARE(vl, bits_of, vl_lt, a[i] < b[i])
	COMPARE(vl, bits_of, vl_eq, a[i] == b[i])
	TEST("vf_isnan", const vf v = any_vf(); uint64_t want = 0;
		EACH(VL) want |= (uint64_t)(isnan(v[i]) != 0) << i;
		same_bits(vm_bits(vf_isnan(v)), want, 0);)
	TEST("vm_first", const size_t n = (size_t)round % (VL + 1);
		same_bits(vm_bits(vm_first(n)), (1u << n) - 1, n);)
	TEST("vmd_first", const size_t n = (size_t)round % (VD + 1);
		same_bits(bits_of(vmd_first(n)), (1u << n) - 1, n);)
	TEST("vm_and or not any all", uint64_t a; uint64_t b; const vm m = any_vm(&a); const vm w = any_vm(&b);
		same_bits(vm_bits(vm_and(m, w)), a & b, 0);
		same_bits(vm_bits(vm_or(m, w)), a | b, 1);
		same_bits(vm_bits(vm_not(m)), a ^ ALL(VL), 2);
		same_bits(vm_any(m) != 0, a != 0, 3);
		same_bits(vm_all(m) != 0, a == ALL(VL), 4);)
	TEST("vmd_any", uint64_t a; const vmd m = any_vmd(&a); same_bits(vmd_any(m) != 0, a != 0, 0);)
	TEST("vm_halves", uint64_t a; uint64_t b; const vmd low = any_vmd(&a); const vmd high = any_vmd(&b);
		same_bits(vm_bits(vm_halves(low, high)), a | b << VD, 0);)
	TEST("vf_sel", uint64_t a; const vm m = any_vm(&a); const vf v = any_vf(); const vf w = any_vf();
		const vf y = vf_sel(m, v, w);
		EACH(VL) same_f32(y[i], a >> i & 1 ? v[i] : w[i], i);)
	TEST("vi_sel", uint64_t a; const vm m = any_vm(&a); const vi v = any_vi(); const vi w = any_vi();
		const vi y = vi_sel(m, v, w);
		EACH(VL) same_bits((uint32_t)y[i], (uint32_t)(a >> i & 1 ? v[i] : w[i]), i);)
	TEST("vd_sel", uint64_t a; const vmd m = any_vmd(&a); const vd v = any_vd(); const vd w = any_vd();
		const vd y = vd_sel(m, v, w);
		EACH(VD) same_f64(y[i], a >> i & 1 ? v[i] : w[i], i);)
	TEST("vm_store_four", uint64_t a[4]; uint8_t want[4 * VL]; uint8_t got[4 * VL];
		const vm m[4] = {any_vm(&a[0]), any_vm(&a[1]), any_vm(&a[2]), any_vm(&a[3])};
		EACH(4 * VL) want[i] = a[i / VL] >> i % VL & 1;
		vm_store_four(got, m);
		same_bytes(got, want, sizeof(want));)
}

static void test_lanes(void)
{
	float t[16];

	EACH(16) t[i] = (float)i + 0.5f;
	TEST("vf_set1 vd_set1 vi_set1 vi_set1_u8 vi_iota",
		const float x = any_f32(); const double d = any_f64(); const int32_t n = any_s32();
		EACH(VL) {
			same_f32(vf_set1(x)[i], x, i);
			same_f64(vd_set1(d)[i / 2], d, i);
			same_bits((uint32_t)vi_set1(n)[i], (uint32_t)n, i);
			same_bits((uint32_t)vi_set1_u8((uint8_t)n)[i], (uint8_t)n * 0x01010101u, i);
			same_bits((uint32_t)vi_iota()[i], i, i);
		})
	TEST("vf_lanes", vi from; const vf v = any_vf();
		EACH(VL) from[i] = (int32_t)(any_bits() % VL);
		const vf y = vf_lanes(v, from);
		EACH(VL) same_f32(y[i], v[from[i]], i);)
	TEST("vf_lookup16", const vi at = any_vi(); const vf y = vf_lookup16(t, at);
		EACH(VL) same_f32(y[i], t[at[i] & 15], i);)
	TEST("vf_lookup8", const vi at = any_vi(); const vf y = vf_lookup8(t, at);
		EACH(VL) same_f32(y[i], t[at[i] & 7], i);)
#if VL == 16
	double d[16];

	EACH(16) d[i] = (double)i + 0.25;
	TEST("vd_lookup16", const vl at = any_vl(); const vd y = vd_lookup16(d, at);
		EACH(VD) same_f64(y[i], d[at[i] & 15], i);)
#endif
	TEST("vf_fold_add vf_fold_max", vf v[16 / VL]; float add[16]; float most[16];
		EACH(16) { add[i] = any_f32(); most[i] = add[i]; v[i / VL][i % VL] = add[i]; }
		for (size_t half = 8; half; half /= 2)
			EACH(half) { add[i] += add[i + half]; most[i] = most_f32(most[i], most[i + half]); }
		same_f32(vf_fold_add(v), add[0], 0);
		same_f32(vf_fold_max(v), most[0], 1);)
	TEST("vd_fold_add vd_fold_max", vd v[8 / VD]; double add[8]; double most[8];
		EACH(8) { add[i] = any_f64(); most[i] = add[i]; v[i / VD][i % VD] = add[i]; }
		for (size_t half = 4; half; half /= 2)
			EACH(half) { add[i] += add[i + half]; most[i] = most_f64(most[i], most[i + half]); }
		same_f64(vd_fold_add(v), add[0], 0);
		same_f64(vd_fold_max(v), most[0], 1);)
}

/* A vector as bytes, and back. */
union bytes {
	vi v;
	uint8_t u8[4 * VL];
	int8_t s8[4 * VL];
	int16_t s16[2 * VL];
	uint16_t u16[2 * VL];
	uint32_t u32[VL];
	int64_t s64[VL / 2];
};

static int32_t clamped(int32_t x, int32_t low, int32_t high)
{
	return x < low ? low : x > high ? high : x;
}

static void test_integers(void)
{
	union bytes a, b, y, want;

#define UNPACK(width, upper, word)                                             \
	TEST(#word " " #width,                                                     \
		a.v = any_vi(); b.v = any_vi(); y.v = word(a.v, b.v, width);           \
		EACH(4 * VL) {                                                         \
			const size_t element = i % 16 / width;                             \
			const union bytes *of = element % 2 ? &b : &a;                     \
                                                                               \
			want.u8[i] = of->u8[i / 16 * 16 + (upper) + element / 2 * width + i % width]; \
		}                                                                      \
		same_bytes(&y, &want, sizeof(y));)
	UNPACK(1, 0, vi_unpack_low)
	UNPACK(2, 0, vi_unpack_low)
	UNPACK(4, 0, vi_unpack_low)
	UNPACK(8, 0, vi_unpack_low)
	UNPACK(1, 8, vi_unpack_high)
	UNPACK(2, 8, vi_unpack_high)
	UNPACK(4, 8, vi_unpack_high)
	UNPACK(8, 8, vi_unpack_high)
#define SATURATED(word, op)                                                    \
	TEST(#word,                                                                \
		a.v = any_vi(); b.v = any_vi(); y.v = word(a.v, b.v, 1, 0);            \
		EACH(4 * VL) same_bits(y.u8[i], (uint8_t)clamped(a.u8[i] op b.u8[i], 0, UINT8_MAX), i); \
		y.v = word(a.v, b.v, 1, 1);                                            \
		EACH(4 * VL) same_bits(y.u8[i], (uint8_t)clamped(a.s8[i] op b.s8[i], INT8_MIN, INT8_MAX), i); \
		y.v = word(a.v, b.v, 2, 1);                                            \
		EACH(2 * VL) same_bits(y.u16[i], (uint16_t)clamped(a.s16[i] op b.s16[i], INT16_MIN, INT16_MAX), i);)
	SATURATED(vi_add_saturated, +)
	SATURATED(vi_sub_saturated, -)
	TEST("vi_min_u16", a.v = any_vi(); b.v = any_vi(); y.v = vi_min_u16(a.v, b.v);
		EACH(2 * VL) same_bits(y.u16[i], a.u16[i] < b.u16[i] ? a.u16[i] : b.u16[i], i);)
	TEST("vi_multiply_pairs", a.v = any_vi(); b.v = any_vi(); y.v = vi_multiply_pairs(a.v, b.v);
		EACH(VL) {
			const int low = a.s16[2 * i] * b.s16[2 * i];
			const int high = a.s16[2 * i + 1] * b.s16[2 * i + 1];

			same_bits(y.u32[i], (uint32_t)low + (uint32_t)high, i);
		})
	TEST("vi_raise", a.v = any_vi();
		EACH(VL) {
			same_bits((uint32_t)vi_raise(a.v, 0)[i], (uint32_t)a.u8[4 * i] << 24, i);
			same_bits((uint32_t)vi_raise(a.v, 1)[i], (uint32_t)a.u8[4 * i + 1] << 24, i);
			same_bits((uint32_t)vi_raise(a.v, 2)[i], (uint32_t)a.u8[4 * i + 2] << 24, i);
			same_bits((uint32_t)vi_raise(a.v, 3)[i], (uint32_t)a.u8[4 * i + 3] << 24, i);
		})
	TEST("vul_mul_low", a.v = any_vi(); b.v = any_vi(); y.v = (vi)vul_mul_low((vul)a.v, (vul)b.v);
		EACH(VD) same_bits((uint64_t)y.s64[i], (uint64_t)(uint32_t)a.s64[i] * (uint32_t)b.s64[i], i);)
	TEST("vi_exchange_lanes", union bytes v[VL / 4]; vi all[VL / 4];
		EACH(VL / 4) { v[i].v = any_vi(); all[i] = v[i].v; }
		vi_exchange_lanes(all);
		EACH(VL / 4) {
			y.v = all[i];
			for (size_t l = 0; l < VL / 4; l++)
				same_bytes(y.u8 + 16 * l, v[l].u8 + 16 * i, 16);
		})
	TEST("vi_here", a.v = any_vi(); y.v = vi_here(a.v); same_bytes(&y, &a, sizeof(y));)
	TEST("vi_dot vi_dot_a vi_dot_b vi_dot_word", const vi start = any_vi(); a.v = vi_set1(any_s32()); b.v = any_vi(); y.v = start;
		for (int s = 0; s < VI_DOT_STEPS; s++) {
			const int32_t word = vi_dot_a(a.v, s)[0];

			y.v = vi_dot(y.v, vi_dot_word(&word), vi_dot_b(b.v, s));
		}
		EACH(VL) {
			uint32_t sum = (uint32_t)start[i];

			for (size_t j = 4 * i; j < 4 * i + 4; j++)
				sum += (uint32_t)((VI_DOT_IS_SIGNED ? a.s8[j] : a.u8[j]) * b.s8[j]);
			same_bits(y.u32[i], sum, i);
		})
	TEST("vi_dot_sum", uint32_t sum = 0; a.v = any_vi(); y.v = vi_set1(0);
		for (int s = 0; s < VI_DOT_STEPS; s++)
			y.v = vi_dot_sum(y.v, vi_dot_a(a.v, s));
		EACH(4 * VL) sum += (uint32_t)(VI_DOT_IS_SIGNED ? a.s8[i] : a.u8[i]);
		EACH(VL) sum -= y.u32[i];
		same_bits(sum, 0, 0);)
	TEST("vi_dot_one vi_dot_one_b", const vi start = any_vi(); a.v = any_vi() & 255; b.v = any_vi(); y.v = start;
		const size_t byte = (size_t)round % 4;
		y.v = vi_dot_one(start, a.v, vi_dot_one_b(b.v, byte));
		EACH(VL) same_bits(y.u32[i], (uint32_t)start[i] + (uint32_t)(a.u8[4 * i] * b.s8[4 * i + byte]), i);)
}

static float bf16(uint32_t bits)
{
	const uint32_t word = bits << 16;
	float x;

	memcpy(&x, &word, sizeof(x));
	return x;
}

static void test_dot_bf16(void)
{
	union bytes a, b;

	/* No product and no sum may be denormal. */
	TEST("vf_dot_bf16", vf c;
		EACH(VL) c[i] = (float)any_in(-4, 4);
		EACH(2 * VL) {
			a.u16[i] = (uint16_t)(0x3f00 + any_bits() % 0x200 + (any_bits() & 0x8000));
			b.u16[i] = (uint16_t)(0x3f00 + any_bits() % 0x200 + (any_bits() & 0x8000));
		}
		const vf y = vf_dot_bf16(c, (vf)a.v, (vf)b.v);
		EACH(VL) same_f32(y[i], fma_f32(bf16(a.u16[2 * i]), bf16(b.u16[2 * i]),
		                                fma_f32(bf16(a.u16[2 * i + 1]), bf16(b.u16[2 * i + 1]), c[i])), i);)
}

static void test_eights(void)
{
	TEST("v8", float x[8]; float w[8]; float got[8]; float want[8];
		const float s = any_f32(); const size_t n = 5 + (size_t)round % 4;
		EACH(8) { x[i] = any_f32(); w[i] = any_f32(); }
		v8_store(got, v8_fma(v8_set1(s), v8_load(x), v8_load(w)));
		EACH(8) same_f32(got[i], fma_f32(s, x[i], w[i]), i);
		memcpy(want, w, sizeof(want));
		memcpy(got, w, sizeof(got));
		memcpy(want, x, n * sizeof(*want));
		v8_store_n(got, v8_load_n(x, n), n);
		same_bytes(got, want, sizeof(want));
		const v8 pair = v8_pair(v8_twice(x), v8_twice_n(w, n - 4));
		memcpy(got, w, sizeof(got));
		v8_store_half(got, pair, 0, n - 4);
		v8_store_half(got + 4, pair, 1, n - 4);
		memcpy(want, w, sizeof(want));
		memcpy(want, x, (n - 4) * sizeof(*want));
		memcpy(want + 4, w, (n - 4) * sizeof(*want));
		same_bytes(got, want, sizeof(want));)
}

void test_words_in_memory(void);

void test_words(void)
{
	test_floats();
	test_conversions();
	test_masks();
	test_lanes();
	test_integers();
	test_dot_bf16();
	test_eights();
	test_words_in_memory();
}
