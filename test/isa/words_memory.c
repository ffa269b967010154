/* SPDX-License-Identifier: MIT */
/*
 * The functions that load and store, for every number of elements at either edge of memory: they touch
 * nothing outside, and lanes not loaded are 0.
 */
#include <math.h>
#include <string.h>

#include "kernel.h"
#include "words.h"

void test_words_in_memory(void);

#define ROUNDS 200

/* Runs the body for each n up to most, at both edges; then for whole vectors. */
#define EACH(count) for (size_t i = 0; i < (count); i++)
#define TEST_N(name, most, ...)                                                \
	test_begin(name);                                                          \
	for (int round = 0; round < ROUNDS; round++)                               \
		for (size_t n = 0; n <= (most); n++)                                   \
			for (enum edge edge = AT_START; edge <= AT_END; edge++) {          \
				__VA_ARGS__                                                    \
			}

static uint8_t data[4 * 4 * VL + 64];

static void fill(void)
{
	for (size_t i = 0; i < sizeof(data); i += 4) {
		const float x = any_f32();
		const int32_t n = any_s32();

		memcpy(data + i, any_bits() & 1 ? (const void *)&x : (const void *)&n, 4);
	}
}

/* Fails unless v holds the first bytes of data, and 0 in the rest. */
static void is_loaded(const void *v, size_t bytes, size_t all)
{
	static const uint8_t none[4 * VL];

	same_bytes(v, data, bytes);
	same_bytes((const uint8_t *)v + bytes, none, all - bytes);
}

#define LOADS(V, T, word)                                                      \
	TEST_N(#word " " #word "_n", sizeof(V) / sizeof(T),                        \
		fill();                                                                \
		const V v = word##_n(memory_put(edge, data, n * sizeof(T)), n);        \
		is_loaded(&v, n * sizeof(T), sizeof(v));                               \
		const V w = word(memory_put(edge, data, sizeof(w)));                   \
		is_loaded(&w, sizeof(w), sizeof(w));)
#define STORES(V, T, load, word)                                               \
	TEST_N(#word " " #word "_n", sizeof(V) / sizeof(T),                        \
		fill();                                                                \
		const V v = load((const void *)data);                                  \
		word##_n(memory_put(edge, NULL, n * sizeof(T)), v, n);                 \
		memory_expect(data, n * sizeof(T));                                    \
		word(memory_put(edge, NULL, sizeof(v)), v);                            \
		memory_expect(data, sizeof(v));)
#define WIDENS(word, T)                                                        \
	TEST_N(#word " " #word "_n", VL,                                           \
		T x[VL];                                                               \
		fill();                                                                \
		memcpy(x, data, sizeof(x));                                            \
		const vi v = word##_n(memory_put(edge, x, n * sizeof(T)), n);          \
		const vi w = word(memory_put(edge, x, sizeof(x)));                     \
		EACH(VL) {                                                             \
			same_bits((uint32_t)v[i], (uint32_t)(i < n ? (int32_t)x[i] : 0), i); \
			same_bits((uint32_t)w[i], (uint32_t)(int32_t)x[i], i);             \
		})
#define NARROWS(word, T, shift)                                                \
	TEST_N(#word " " #word "_n", VL,                                           \
		T x[VL]; uint32_t u[VL];                                               \
		fill();                                                                \
		memcpy(u, data, sizeof(u));                                            \
		EACH(VL) x[i] = (T)(u[i] >> (shift));                                  \
		word##_n(memory_put(edge, NULL, n * sizeof(T)), vi_load((const void *)data), n); \
		memory_expect(x, n * sizeof(T));                                       \
		word(memory_put(edge, NULL, sizeof(x)), vi_load((const void *)data));  \
		memory_expect(x, sizeof(x));)

/* binary16 by its definition; NaNs are quiet and keep the rest of their bits. */
static uint32_t from_f16(uint16_t h)
{
	const uint32_t sign = (uint32_t)(h & 0x8000) << 16;
	const int exponent = h >> 10 & 31;
	const float fraction = (float)(h & 1023);
	uint32_t bits;
	float x;

	if (exponent == 31)
		return sign | 0x7f800000 | (uint32_t)(h & 1023) << 13 | (h & 1023 ? 0x400000 : 0);
	x = exponent ? ldexpf(1024 + fraction, exponent - 25) : ldexpf(fraction, -24);
	memcpy(&bits, &x, sizeof(bits));
	return sign | bits;
}

static uint16_t to_f16(uint32_t bits)
{
	const uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
	uint32_t size = bits & INT32_MAX;
	double units;
	float x;
	int e;

	memcpy(&x, &size, sizeof(x));
	if (isnan(x))
		return (uint16_t)(sign | 0x7e00 | (size >> 13 & 0x3ff));
	frexp((double)x, &e);
	e = x == 0 || e < -13 ? -13 : e;
	/* units count multiples of 2^(e - 11); numbers with this exponent have at least 1024 of them. */
	units = isinf(x) ? 0x1p30 : nearbyint(ldexp((double)x, 11 - e));
	if (isinf(x) || ldexp(units, e - 11) > 65504)
		return sign | 0x7c00;
	return (uint16_t)(sign | (uint16_t)((e + 13) * 1024 + (int)units));
}

static uint16_t to_bf16(uint32_t bits)
{
	const uint32_t size = bits & INT32_MAX, rest = bits & 0xffff;
	uint32_t high = bits >> 16;

	if (size > 0x7f800000)
		return (uint16_t)(high | 0x40);
	return (uint16_t)(high + (rest > 0x8000 || (rest == 0x8000 && high & 1)));
}

static void test_halves(void)
{
	uint32_t u[4 * VL];
	uint16_t h[4 * VL];

#define LOADS_HALF(word, value)                                                \
	TEST_N(#word " " #word "_n", VL,                                           \
		EACH(VL) h[i] = (uint16_t)any_bits();                                  \
		const vi v = (vi)word##_n(memory_put(edge, h, 2 * n), n);              \
		const vi w = (vi)word(memory_put(edge, h, 2 * VL));                    \
		EACH(VL) {                                                             \
			same_bits((uint32_t)v[i], i < n ? value(h[i]) : 0, i);             \
			same_bits((uint32_t)w[i], value(h[i]), i);                         \
		})
#define FROM_BF16(x) ((uint32_t)(x) << 16)
	LOADS_HALF(vf_load_f16, from_f16)
	LOADS_HALF(vf_load_bf16, FROM_BF16)
#define STORES_HALF(word, value)                                               \
	TEST_N(#word " " #word "_n", VL,                                           \
		fill();                                                                \
		memcpy(u, data, sizeof(u));                                            \
		EACH(VL) h[i] = value(u[i]);                                           \
		word##_n(memory_put(edge, NULL, 2 * n), vf_load((const void *)data), n); \
		memory_expect(h, 2 * n);                                               \
		word(memory_put(edge, NULL, 2 * VL), vf_load((const void *)data));     \
		memory_expect(h, 2 * VL);)
	STORES_HALF(vf_store_f16, to_f16)
	STORES_HALF(vf_store_bf16, to_bf16)
	TEST_N("vf_store_bf16_four", 0,
		vf v[4];
		fill();
		if (round % 2)
			EACH(4 * VL) { const float x = (float)any_in(-4, 4); memcpy(data + 4 * i, &x, 4); }
		memcpy(u, data, sizeof(u));
		memcpy(v, data, sizeof(v));
		EACH(4 * VL) h[i] = to_bf16(u[i]);
		vf_store_bf16_four(memory_put(edge, NULL, sizeof(h)), v);
		memory_expect(h, sizeof(h));)
	TEST_N("vf_store_bf16_rows", 4,
		vf v[4];
		fill();
		memcpy(u, data, sizeof(u));
		memcpy(v, data, sizeof(v));
		EACH(4 * VL) h[i] = to_bf16(u[i]);
		/* One to n of four consecutive rows. */
		uint16_t *const p = memory_put(edge, NULL, sizeof(h));
		uint16_t before[4 * VL];
		memcpy(before, p, sizeof(before));
		EACH(4 * VL) h[i] = i >= VL && i < n * VL ? h[i] : before[i];
		vf_store_bf16_rows(p, VL, v, 4, 1, n);
		memory_expect(h, sizeof(h));)
	TEST_N("vf_from_f16_pairs", 0,
		vf even; vf odd; vi v;
		EACH(2 * VL) h[i] = (uint16_t)any_bits();
		memcpy(&v, h, sizeof(v));
		vf_from_f16_pairs(v, &even, &odd);
		EACH(VL) {
			same_bits(((vu)even)[i], from_f16(h[2 * i]), i);
			same_bits(((vu)odd)[i], from_f16(h[2 * i + 1]), i);
		})
}

#define WIDEN_U8(bytes)                                                        \
	TEST_N("vi_widen_u8 " #bytes, 4 * VL / bytes,                              \
		uint8_t want[4 * VL];                                                  \
		fill();                                                                \
		const vi v = vi_widen_u8(memory_put(edge, data, n), n, bytes);         \
		EACH(4 * VL) want[i] = i % bytes == 0 && i / bytes < n ? data[i / bytes] : 0; \
		same_bytes(&v, want, sizeof(v));)

static void test_bytes(void)
{
	WIDENS(vi_load_u16, uint16_t)
	WIDENS(vi_load_u8, uint8_t)
	WIDENS(vi_load_s8, int8_t)
	NARROWS(vi_store_8, uint8_t, 0)
	NARROWS(vi_store_high16, uint16_t, 16)
	WIDEN_U8(1)
	WIDEN_U8(2)
	WIDEN_U8(4)
	WIDEN_U8(8)
	TEST_N("vi_load_bytes", 4 * VL + 9,
		const size_t bytes = n < sizeof(vi) ? n : sizeof(vi);
		fill();
		const vi v = vi_load_bytes(memory_put(edge, data, bytes), n);
		is_loaded(&v, bytes, sizeof(v));)
	TEST_N("vi_store_bytes", 4 * VL + 9,
		const size_t bytes = n < sizeof(vi) ? n : sizeof(vi);
		fill();
		vi_store_bytes(memory_put(edge, NULL, bytes), vi_load((const void *)data), n);
		memory_expect(data, bytes);)
	TEST_N("vi_store_high16_two", 0,
		uint32_t u[2 * VL]; uint16_t want[2 * VL];
		fill();
		memcpy(u, data, sizeof(u));
		EACH(2 * VL) want[i] = (uint16_t)(u[i] >> 16);
		vi_store_high16_two(memory_put(edge, NULL, sizeof(want)), vi_load((const void *)data),
		                    vi_load((const void *)(data + 4 * VL)));
		memory_expect(want, sizeof(want));)
	TEST_N("vi_store_8_four", 1,
		int32_t s[4 * VL]; int8_t want[4 * VL]; vi v[4];
		fill();
		memcpy(s, data, sizeof(s));
		memcpy(v, data, sizeof(v));
		EACH(4 * VL) {
			const int32_t low = n ? INT8_MIN : 0;
			const int32_t high = n ? INT8_MAX : UINT8_MAX;

			want[i] = (int8_t)(s[i] < low ? low : s[i] > high ? high : s[i]);
		}
		if (n)
			vi_store_8_four(memory_put(edge, NULL, sizeof(want)), v, 1);
		else
			vi_store_8_four(memory_put(edge, NULL, sizeof(want)), v, 0);
		memory_expect(want, sizeof(want));)
	TEST_N("vi_store_pairs", 0,
		int32_t s[2 * VL]; int32_t want[2 * VL];
		fill();
		memcpy(s, data, sizeof(s));
		EACH(2 * VL) want[i] = s[i / 2 + i % 2 * VL];
		vi_store_pairs(memory_put(edge, NULL, sizeof(want)), vi_load((const void *)data),
		               vi_load((const void *)(data + 4 * VL)));
		memory_expect(want, sizeof(want));)
	TEST_N("vi_load_exchanged", 3,
		vi v[VL / 4]; vi w[VL / 4];
		const size_t step = 4 * VL + n;
		fill();
		EACH(VL / 4) memcpy(&w[i], data + i * step, sizeof(vi));
		vi_exchange_lanes(w);
		vi_load_exchanged(v, memory_put(edge, data, (VL / 4 - 1) * step + sizeof(vi)), step);
		same_bytes(v, w, sizeof(v));)
	TEST_N("vi_stream vi_streamed", 0,
		fill();
		vi_stream(memory_put(edge, NULL, 4 * VL), data, 4 * VL);
		vi_streamed();
		memory_expect(data, 4 * VL);
		vi_stream(memory_put(edge, NULL, 2 * VL), data, 2 * VL);
		vi_streamed();
		memory_expect(data, 2 * VL);)
}

void test_words_in_memory(void)
{
	LOADS(vf, float, vf_load)
	LOADS(vi, int32_t, vi_load)
	LOADS(vd, double, vd_load)
	STORES(vf, float, vf_load, vf_store)
	STORES(vi, int32_t, vi_load, vi_store)
	STORES(vd, double, vd_load, vd_store)
	test_bytes();
	test_halves();
}
