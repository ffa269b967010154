/* SPDX-License-Identifier: MIT */
/*
 * The emulator of AMX against the manual, computed here in another way. If the CPU has AMX, the same tests
 * run on it and say so: they then test this file's reading of the manual.
 */
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include <immintrin.h>

#include <cmocka.h>

#include "amx.h"
#include "emulator.h"
#include "faults.h"

struct tile {
	uint8_t b[16][64];
};

static int real; /* the CPU itself runs these tests */

static uint64_t draws = 0x1234567;

static uint32_t draw(void)
{
	draws = draws * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(draws >> 33 ^ draws >> 20);
}

static void draw_bytes(void *to, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((uint8_t *)to)[i] = (uint8_t)draw();
}

/* The instructions, which take literals, by the number of a tile. */
#define EACH_TILE(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)

static void load(int t, const void *from, size_t stride)
{
#define X(n)                                                                                                 \
	if (t == n)                                                                                              \
		tile_load(n, from, stride);
	EACH_TILE(X)
#undef X
}

static void load_once(int t, const void *from, size_t stride)
{
#define X(n)                                                                                                 \
	if (t == n)                                                                                              \
		tile_load_once(n, from, stride);
	EACH_TILE(X)
#undef X
}

static void store(void *to, size_t stride, int t)
{
#define X(n)                                                                                                 \
	if (t == n)                                                                                              \
		tile_store(to, stride, n);
	EACH_TILE(X)
#undef X
}

static void zero(int t)
{
#define X(n)                                                                                                 \
	if (t == n)                                                                                              \
		tile_zero(n);
	EACH_TILE(X)
#undef X
}

/* All tiles of full size, so that all bytes of a tile can be stored. */
static struct isk_amx_config full(void)
{
	struct isk_amx_config c = {.palette = 1};

	for (int t = 0; t < 8; t++) {
		c.rows[t] = 16;
		c.bytes[t] = 64;
	}
	return c;
}

static struct isk_amx_config shape(int t, int rows, int bytes)
{
	struct isk_amx_config c = full();

	c.rows[t] = (uint8_t)rows;
	c.bytes[t] = (uint16_t)bytes;
	return c;
}

static void configure(const struct isk_amx_config c)
{
	tile_config(&c);
}

static struct isk_amx_config configured(void)
{
	struct isk_amx_config c;

	memset(&c, 0xee, sizeof(c));
	tile_config_store(&c);
	return c;
}

#define SAME(a, b) assert_memory_equal(&(a), &(b), sizeof(a))

static void test_config(void)
{
	static const struct isk_amx_config none;
	struct isk_amx_config c = full(), got = configured();

	SAME(got, none);
	for (int i = 0; i < 50; i++) {
		for (int t = 0; t < 8; t++) {
			c.rows[t] = (uint8_t)(draw() % 17);
			c.bytes[t] = (uint16_t)(c.rows[t] ? 1 + draw() % 64 : 0);
		}
		c.start_row = (uint8_t)(i % 2 ? draw() % 16 : 0);
		configure(c);
		got = configured();
		SAME(got, c);
	}
	tile_release();
	got = configured();
	SAME(got, none);
	configure(full());
	/* With palette 0 nothing else is read. */
	memset(&c, 0xff, sizeof(c));
	c.palette = 0;
	configure(c);
	got = configured();
	SAME(got, none);
}

/* A new configuration, or none, clears the tiles. */
static void test_config_clears(void)
{
	struct tile from, to, nothing = {0};

	for (int how = 0; how < 3; how++)
		for (int t = 0; t < 8; t++) {
			draw_bytes(&from, sizeof(from));
			configure(full());
			load(t, &from, 64);
			store(&to, 64, t);
			SAME(to, from);
			if (how == 1)
				tile_release();
			if (how == 2)
				configure((struct isk_amx_config){0});
			configure(full());
			store(&to, 64, t);
			SAME(to, nothing);
		}
}

/* Tiles of every shape, at every number, with rows far apart: only their rows are read or written. */
static void test_load_store(void)
{
	enum { STRIDE = 80, ROOM = 16 * STRIDE };
	uint8_t from[ROOM], to[ROOM], want[ROOM];

	for (int i = 0; i < 300; i++) {
		const int t = i % 8;
		const struct isk_amx_config c = shape(t, 1 + (int)(draw() % 16), 4 + 4 * (int)(draw() % 16));

		draw_bytes(from, ROOM);
		draw_bytes(to, ROOM);
		memcpy(want, to, ROOM);
		for (int r = 0; r < c.rows[t]; r++)
			memcpy(want + r * STRIDE, from + r * STRIDE, c.bytes[t]);
		configure(c);
		if (i % 2)
			load(t, from, STRIDE);
		else
			load_once(t, from, STRIDE);
		store(to, STRIDE, t);
		assert_memory_equal(to, want, ROOM);
	}
	tile_release();
}

static void test_zero(void)
{
	struct tile from, to, nothing = {0};

	configure(full());
	for (int t = 0; t < 8; t++) {
		draw_bytes(&from, sizeof(from));
		for (int u = 0; u < 8; u++)
			load(u, &from, 64);
		zero(t);
		for (int u = 0; u < 8; u++) {
			store(&to, 64, u);
			SAME(to, *(u == t ? &nothing : &from));
		}
	}
	tile_release();
}

/* An interrupted load or store continues at start_row; every instruction then sets it to 0. */
static void test_start_row(void)
{
	struct tile from, to, want;
	struct isk_amx_config c = full();

	for (int how = 0; how < 4; how++) {
		draw_bytes(&from, sizeof(from));
		memset(&to, 0x55, sizeof(to));
		want = to;
		c.start_row = 5;
		configure(c);
		if (how == 0) {
			load(3, &from, 64);
			store(&to, 64, 3);
			memset(&want, 0, sizeof(want));
			memcpy(want.b[5], from.b[5], 11 * 64);
		} else if (how == 1) {
			store(&to, 64, 3);
			memset(want.b[5], 0, 11 * 64);
		} else if (how == 2) {
			zero(3);
			want = to;
		} else {
			tile_dpb_uu(0, 1, 2);
			want = to;
		}
		assert_int_equal(configured().start_row, 0);
		SAME(to, want);
	}
	tile_release();
}

/* One load of a 4 by 8 tile in each form of address; base and index must yield `from` and `stride`. */
#define LOAD_FORM(text, base, index, clobber)                                                                \
	do {                                                                                                     \
		configure(shape(1, 4, 8));                                                                           \
		__asm__ volatile("mov %[b], %%" base "\n\tmov %[i], %%" index "\n\ttileloadd " text ", %%tmm1"       \
		                 :                                                                                   \
		                 : [b] "r"(b), [i] "r"(i)                                                            \
		                 : "memory", clobber);                                                               \
		store(to, 8, 1);                                                                                     \
		for (int r = 0; r < 4; r++)                                                                          \
			assert_memory_equal(to + 8 * r, at + r * stride, 8);                                             \
	} while (0)
#define COMMA ,

static void test_addresses(void)
{
	static uint8_t room[4096];
	const uint8_t *at = room + 1024;
	uint8_t to[32];
	intptr_t stride = 24;
	uintptr_t b, i;

	draw_bytes(room, sizeof(room));
	b = (uintptr_t)at, i = 24;
	LOAD_FORM("(%%rax,%%rcx)", "rax", "rcx", "rax" COMMA "rcx");
	LOAD_FORM("(%%rdx,%%rbx)", "rdx", "rbx", "rdx" COMMA "rbx");
	LOAD_FORM("(%%rsi,%%rdi)", "rsi", "rdi", "rsi" COMMA "rdi");
	LOAD_FORM("(%%r8,%%r9)", "r8", "r9", "r8" COMMA "r9");
	LOAD_FORM("(%%r10,%%r11)", "r10", "r11", "r10" COMMA "r11");
	/* r12 is a valid index, and r13 as a base needs a displacement. */
	LOAD_FORM("(%%r13,%%r12)", "r13", "r12", "r12" COMMA "r13");
	LOAD_FORM("(%%r12,%%r13)", "r12", "r13", "r12" COMMA "r13");
	LOAD_FORM("(%%r14,%%r15)", "r14", "r15", "r14" COMMA "r15");
	i = 12;
	LOAD_FORM("(%%rax,%%r9,2)", "rax", "r9", "rax" COMMA "r9");
	i = 6;
	LOAD_FORM("(%%r11,%%rdx,4)", "r11", "rdx", "r11" COMMA "rdx");
	i = 3;
	LOAD_FORM("(%%r13,%%rsi,8)", "r13", "rsi", "r13" COMMA "rsi");
	/* Displacements of 8 and 32 bits. */
	b = (uintptr_t)at - 100, i = 24;
	LOAD_FORM("100(%%rcx,%%rdi)", "rcx", "rdi", "rcx" COMMA "rdi");
	b = (uintptr_t)at + 128;
	LOAD_FORM("-128(%%r8,%%rbx)", "r8", "rbx", "r8" COMMA "rbx");
	b = (uintptr_t)at + 100000;
	LOAD_FORM("-100000(%%r14,%%rax)", "r14", "rax", "r14" COMMA "rax");
	b = (uintptr_t)at - 1000;
	LOAD_FORM("1000(%%r12,%%rax)", "r12", "rax", "r12" COMMA "rax");
	/* Rows downwards; all rows the same. */
	b = (uintptr_t)at, i = (uintptr_t)-40;
	stride = -40;
	LOAD_FORM("(%%rax,%%rcx)", "rax", "rcx", "rax" COMMA "rcx");
	i = 0;
	stride = 0;
	LOAD_FORM("(%%rax,%%rcx)", "rax", "rcx", "rax" COMMA "rcx");
	LOAD_FORM("(%%rax)", "rax", "rcx", "rax" COMMA "rcx");
	LOAD_FORM("(%%r12)", "r12", "rcx", "r12" COMMA "rcx");
	tile_release();
}

/* No base: the rows are at multiples of the index, counted from a displacement. */
static void test_address_without_base(void)
{
	uint8_t *low = mmap((void *)0x20000000, 8192, PROT_READ | PROT_WRITE,
	                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	uint8_t to[32];

	if (low == MAP_FAILED) {
		print_message("# no memory at an address of 32 bits: not tested\n");
		return;
	}
	draw_bytes(low, 8192);
	configure(shape(2, 4, 8));
	__asm__ volatile("tileloadd 0x20000100(,%0,2), %%tmm2" : : "r"((uintptr_t)20) : "memory");
	store(to, 8, 2);
	for (int r = 0; r < 4; r++)
		assert_memory_equal(to + 8 * r, low + 0x100 + 40 * r, 8);
	tile_release();
	munmap(low, 8192);
}

/* A configuration may have any form of address, also relative to RIP. */
static struct isk_amx_config place[4];

static void test_config_addresses(void)
{
	const struct isk_amx_config a = shape(3, 7, 12), b = shape(4, 2, 60);
	const uintptr_t base = (uintptr_t)place, index = 16;
	struct isk_amx_config got;

	memset(place, 0x99, sizeof(place));
	place[1] = a;
	__asm__ volatile("ldtilecfg 64+%0" : : "m"(place[0]) : "memory");
	got = configured();
	SAME(got, a);
	__asm__ volatile("sttilecfg (%0,%1,8)" : : "r"(base), "r"(index) : "memory");
	SAME(place[2], a);
	place[3] = b;
	__asm__ volatile("ldtilecfg 0x80(%0,%1,4)" : : "r"(base), "r"(index) : "memory");
	got = configured();
	SAME(got, b);
	__asm__ volatile("sub $192, %%rsp\n\tsttilecfg 64(%%rsp)\n\tmov 112(%%rsp), %%rax\n\tadd $192, %%rsp\n\t"
	                 "mov %%rax, %0"
	                 : "=m"(place[0])
	                 :
	                 : "rax", "memory");
	assert_memory_equal(&place[0], b.rows, 8);
	__asm__ volatile("ldtilecfg isk_test_config(%%rip)\n\t"
	                 ".pushsection .rodata\n\t.balign 8\nisk_test_config: .byte 1\n\t.fill 15, 1, 0\n\t"
	                 ".short 4\n\t.fill 30, 1, 0\n\t.byte 9\n\t.fill 15, 1, 0\n\t.popsection"
	                 :
	                 :
	                 : "memory");
	got = configured();
	assert_int_equal(got.bytes[0], 4);
	assert_int_equal(got.rows[0], 9);
	assert_int_equal(got.rows[1], 0);
	tile_release();
}

enum product { SS, SU, US, UU, BF16 };

/* Every product with other tiles: the numbers of C, A and B. */
#define OPERANDS(X, ...)                                                                                     \
	X(__VA_ARGS__, 0, 1, 2) X(__VA_ARGS__, 3, 4, 5) X(__VA_ARGS__, 6, 7, 0) X(__VA_ARGS__, 1, 6, 7)          \
	X(__VA_ARGS__, 7, 0, 3) X(__VA_ARGS__, 5, 2, 6) X(__VA_ARGS__, 2, 3, 4) X(__VA_ARGS__, 4, 5, 1)

static void multiply(enum product p, int c)
{
#define X(instruction, c_, a_, b_)                                                                           \
	if (c == c_)                                                                                             \
		instruction(c_, a_, b_);
	switch (p) {
	case SS:
		OPERANDS(X, tile_dpb_ss)
		break;
	case SU:
		OPERANDS(X, tile_dpb_su)
		break;
	case US:
		OPERANDS(X, tile_dpb_us)
		break;
	case UU:
		OPERANDS(X, tile_dpb_uu)
		break;
	case BF16:
		OPERANDS(X, tile_dpbf16)
		break;
	}
#undef X
}

static const int operands[8][3] = {
#define X(unused, c, a, b) {c, a, b},
	OPERANDS(X, )
#undef X
};

static float flushed(float x)
{
	return fpclassify(x) == FP_SUBNORMAL ? copysignf(0, x) : x;
}

static float bf16_at(const uint8_t *p)
{
	const uint32_t bits = (uint32_t)p[0] << 16 | (uint32_t)p[1] << 24;
	float f;

	memcpy(&f, &bits, sizeof(f));
	return flushed(f);
}

/* One element, by the manual. */
static float bf16_element(float c, const struct tile *a, const struct tile *b, int m, int n, int depth)
{
	float chain[2] = {0, 0};

	for (int half = 0; half < 2; half++)
		for (int k = 0; k < depth; k++)
			chain[half] = flushed(
				fmaf(bf16_at(a->b[m] + 4 * k + 2 * half), bf16_at(b->b[k] + 4 * n + 2 * half), chain[half]));
	return flushed(flushed(c) + flushed(chain[0] + chain[1]));
}

static uint32_t integer_element(uint32_t c, const struct tile *a, const struct tile *b, int m, int n,
                                int depth, enum product p)
{
	int64_t sum = c;

	for (int k = 0; k < 4 * depth; k++) {
		const int64_t x = a->b[m][k], y = b->b[k / 4][4 * n + k % 4];

		sum += (x - ((p == SS || p == SU) && x > 127 ? 256 : 0)) *
		       (y - ((p == SS || p == US) && y > 127 ? 256 : 0));
	}
	return (uint32_t)sum;
}

static int same_float(uint32_t got, float want)
{
	uint32_t bits;

	memcpy(&bits, &want, sizeof(bits));
	return got == bits || (isnan(want) && (got & 0x7fffffff) > 0x7f800000);
}

static void check_product(enum product p, const int *o, int rows, int depth, int columns,
                          const struct tile *c, const struct tile *a, const struct tile *b)
{
	struct isk_amx_config config = full();
	struct tile got = *c;

	config.rows[o[0]] = config.rows[o[1]] = (uint8_t)rows;
	config.bytes[o[0]] = config.bytes[o[2]] = (uint16_t)(4 * columns);
	config.bytes[o[1]] = (uint16_t)(4 * depth);
	config.rows[o[2]] = (uint8_t)depth;
	configure(config);
	load(o[0], c, 64);
	load(o[1], a, 64);
	load(o[2], b, 64);
	multiply(p, o[0]);
	store(&got, 64, o[0]);
	for (int m = 0; m < 16; m++)
		for (int n = 0; n < 16; n++) {
			uint32_t was, is, want;
			float f;

			memcpy(&was, c->b[m] + 4 * n, 4);
			memcpy(&is, got.b[m] + 4 * n, 4);
			memcpy(&f, &was, 4);
			want = m < rows && n < columns ? integer_element(was, a, b, m, n, depth, p) : was;
			if (p == BF16 && m < rows && n < columns) {
				f = bf16_element(f, a, b, m, n, depth);
				if (!same_float(is, f))
					fail_msg("%d by %d by %d, element %d, %d: %#x, must be %.9g", rows, depth, columns, m, n,
					         is, (double)f);
			} else if (is != want) {
				fail_msg("product %d, %d by %d by %d, element %d, %d: %#x, must be %#x", (int)p, rows, depth,
				         columns, m, n, is, want);
			}
		}
}

static void products(enum product p)
{
	struct tile a, b, c;

	for (int i = 0; i < 200; i++) {
		draw_bytes(&a, sizeof(a));
		draw_bytes(&b, sizeof(b));
		draw_bytes(&c, sizeof(c));
		/* The extremes: nothing saturates, sums wrap. */
		if (i % 5 == 0) {
			memset(&a, i % 2 ? 0x80 : 0xff, sizeof(a));
			memset(&b, i % 3 ? 0x80 : 0x7f, sizeof(b));
			memset(&c, i % 4 ? 0x80 : 0x7f, sizeof(c));
		}
		check_product(p, operands[i % 8], i < 8 ? 16 : 1 + (int)(draw() % 16),
		              i < 8 ? 16 : 1 + (int)(draw() % 16), i < 8 ? 16 : 1 + (int)(draw() % 16), &c, &a, &b);
	}
	tile_release();
}

static void test_ss(void)
{
	products(SS);
}

static void test_su(void)
{
	products(SU);
}

static void test_us(void)
{
	products(US);
}

static void test_uu(void)
{
	products(UU);
}

static void put_bf16(uint8_t *p, float x)
{
	uint32_t bits;

	memcpy(&bits, &x, sizeof(bits));
	p[0] = (uint8_t)(bits >> 16);
	p[1] = (uint8_t)(bits >> 24);
}

/* Numbers of similar size, so that the order of additions shows; then any bits, with NaN, infinity and denormals. */
static void test_bf16(void)
{
	struct tile a, b, c;

	for (int i = 0; i < 300; i++) {
		for (int n = 0; n < 1024; n += 2) {
			put_bf16(&a.b[0][0] + n, (float)((int)(draw() % 2001) - 1000) / 64);
			put_bf16(&b.b[0][0] + n, (float)((int)(draw() % 2001) - 1000) / 37);
		}
		for (int n = 0; n < 256; n++) {
			const float f = (float)((int)(draw() % 200001) - 100000) / 11;

			memcpy(&c.b[0][0] + 4 * n, &f, 4);
		}
		if (i % 3 == 1) {
			draw_bytes(&a, sizeof(a));
			draw_bytes(&b, sizeof(b));
			draw_bytes(&c, sizeof(c));
		}
		/* Close to the size at which results become denormal. */
		for (int n = 0; i % 3 == 2 && n < 1024; n += 2) {
			put_bf16(&a.b[0][0] + n, ldexpf((float)((int)(draw() % 256) - 128), -70 - (int)(draw() % 8)));
			put_bf16(&b.b[0][0] + n, ldexpf((float)((int)(draw() % 256) - 128), -64 - (int)(draw() % 8)));
			if (n < 512) {
				const float f = ldexpf((float)((int)(draw() % 4096) - 2048), -135);

				memcpy(&c.b[0][0] + 2 * n, &f, 4);
			}
		}
		check_product(BF16, operands[i % 8], i < 8 ? 16 : 1 + (int)(draw() % 16),
		              i < 8 ? 16 : 1 + (int)(draw() % 16), i < 8 ? 16 : 1 + (int)(draw() % 16), &c, &a, &b);
	}
	tile_release();
}

/* Three sums by hand: the order, a denormal input, a denormal output. */
static void test_bf16_by_hand(void)
{
	struct tile a = {0}, b = {0};
	float c[16] = {0};
	struct isk_amx_config config = full();

	config.rows[0] = config.rows[1] = 1;
	configure(config);
	/*
	 * Even: 2^24 + 1 = 2^24, to even. Odd: 1 - 2^24 + 1 = 2 - 2^24. A single chain in the order of k would
	 * give 2 or 1.
	 */
	put_bf16(a.b[0] + 0, 0x1p24f), put_bf16(b.b[0] + 0, 1);
	put_bf16(a.b[0] + 4, 1), put_bf16(b.b[1] + 0, 1);
	put_bf16(a.b[0] + 2, 1), put_bf16(b.b[0] + 2, 1);
	put_bf16(a.b[0] + 6, -0x1p24f), put_bf16(b.b[1] + 2, 1);
	put_bf16(a.b[0] + 10, 1), put_bf16(b.b[2] + 2, 1);
	/* Column 1: 2^-130 * 2^20; column 2: 2^-64 * 2^-64, and C 2^-127. */
	put_bf16(a.b[0] + 12, 0x1p-130f), put_bf16(b.b[3] + 4, 0x1p20f);
	put_bf16(a.b[0] + 16, 0x1p-64f), put_bf16(b.b[4] + 8, 0x1p-64f);
	c[2] = 0x1p-127f;
	load(0, c, 64);
	load(1, &a, 64);
	load(2, &b, 64);
	tile_dpbf16(0, 1, 2);
	store(c, 64, 0);
	assert_true(c[0] == 2);
	assert_true(c[1] == 0);
	assert_true(c[2] == 0);
	tile_release();
}

/* The instruction rounds and flushes in its own way, and the code's MXCSR is kept. */
static void test_mxcsr(void)
{
	const unsigned before = _mm_getcsr();

	for (unsigned rounding = 0; rounding < 4; rounding++) {
		unsigned after;
		struct tile a, b, c = {0}, got = {0}, want = {0};

		for (int n = 0; n < 1024; n += 2) {
			put_bf16(&a.b[0][0] + n, (float)(int)(draw() % 1000));
			put_bf16(&b.b[0][0] + n, (float)(int)(draw() % 1000) / 7);
		}
		for (int m = 0; m < 16; m++)
			for (int n = 0; n < 16; n++) {
				const float f = bf16_element(0, &a, &b, m, n, 16);

				memcpy(want.b[m] + 4 * n, &f, 4);
			}
		configure(full());
		load(0, &c, 64);
		load(1, &a, 64);
		load(2, &b, 64);
		_mm_setcsr((before & ~0x603fu) | rounding << 13 | 2);
		tile_dpbf16(0, 1, 2);
		after = _mm_getcsr();
		_mm_setcsr(before);
		assert_int_equal(after, (before & ~0x603fu) | rounding << 13 | 2);
		store(&got, 64, 0);
		SAME(got, want);
	}
	tile_release();
}

/* Faults: each in a process of its own, which must end with the line listed. */
static void unconfigured_load(void)
{
	static const struct tile t;

	tile_load(0, &t, 64);
}

static void unconfigured_store(void)
{
	static struct tile t;

	tile_store(&t, 64, 0);
}

static void unconfigured_zero(void)
{
	tile_zero(0);
}

static void unconfigured_product(void)
{
	tile_dpb_ss(0, 1, 2);
}

static void released(void)
{
	configure(full());
	tile_release();
	tile_zero(0);
}

static void bad_palette(void)
{
	struct isk_amx_config c = full();

	c.palette = 2;
	configure(c);
}

static void reserved(int at)
{
	struct isk_amx_config c = full();

	((uint8_t *)&c)[at] = 1;
	configure(c);
}

static void reserved_2(void)
{
	reserved(2);
}

static void reserved_15(void)
{
	reserved(15);
}

static void reserved_32(void)
{
	reserved(32);
}

static void reserved_47(void)
{
	reserved(47);
}

static void reserved_56(void)
{
	reserved(56);
}

static void reserved_63(void)
{
	reserved(63);
}

static void too_many_rows(void)
{
	configure(shape(5, 17, 64));
}

static void too_many_columns(void)
{
	configure(shape(7, 16, 65));
}

static void too_many_columns_high(void)
{
	configure(shape(7, 16, 256 + 4));
}

static void rows_alone(void)
{
	configure(shape(1, 3, 0));
}

static void columns_alone(void)
{
	configure(shape(1, 0, 3));
}

static void one_not_configured(void)
{
	configure(shape(2, 0, 0));
	tile_dpb_us(0, 1, 2);
}

static void zero_not_configured(void)
{
	configure(shape(6, 0, 0));
	tile_zero(6);
}

static void odd_bytes(void)
{
	static const struct tile t;

	configure(shape(4, 16, 62));
	tile_load(4, &t, 64);
}

static void start_row_beyond(void)
{
	static const struct tile t;
	struct isk_amx_config c = shape(4, 3, 64);

	c.start_row = 3;
	configure(c);
	tile_load(4, &t, 64);
}

static void start_row_beyond_store(void)
{
	static struct tile t;
	struct isk_amx_config c = shape(4, 3, 64);

	c.start_row = 4;
	configure(c);
	tile_store(&t, 64, 4);
}

static void rows_differ(void)
{
	configure(shape(1, 15, 64));
	tile_dpb_uu(0, 1, 2);
}

static void columns_differ(void)
{
	configure(shape(0, 16, 60));
	tile_dpb_su(0, 1, 2);
}

static void depths_differ(void)
{
	configure(shape(2, 15, 64));
	tile_dpbf16(0, 1, 2);
}

/* tdpbssd and tdpbf16ps in forms that no assembler writes. */
static void c_is_a(void)
{
	configure(full());
	__asm__ volatile(".byte 0xc4, 0xe2, 0x6b, 0x5e, 0xc9" : : : "memory");
}

static void c_is_b(void)
{
	configure(full());
	__asm__ volatile(".byte 0xc4, 0xe2, 0x73, 0x5e, 0xca" : : : "memory");
}

static void a_is_b(void)
{
	configure(full());
	__asm__ volatile(".byte 0xc4, 0xe2, 0x6a, 0x5c, 0xca" : : : "memory");
}

/* tileloadd (%rax), tmm1 with no SIB byte; tilerelease with vvvv; tilezero of tile 8. */
static void no_sib(void)
{
	configure(full());
	__asm__ volatile(".byte 0xc4, 0xe2, 0x7b, 0x4b, 0x08" : : : "memory");
}

static void relative_tile(void)
{
	configure(full());
	__asm__ volatile(".byte 0xc4, 0xe2, 0x7b, 0x4b, 0x0d, 0, 0, 0, 0" : : : "memory");
}

static void with_vvvv(void)
{
	__asm__ volatile(".byte 0xc4, 0xe2, 0x70, 0x49, 0xc0" : : : "memory");
}

static void tile_8(void)
{
	configure(full());
	__asm__ volatile(".byte 0xc4, 0x62, 0x7b, 0x49, 0xc0" : : : "memory");
}

static const struct fault {
	const char *name;
	void (*run)(void);
	const char *line; /* its message */
} faults[] = {
#define FAULT(run, line)                                                                                     \
	{                                                                                                        \
		"fault: " #run, run, line                                                                            \
	}
	FAULT(unconfigured_load, "#UD of tileloadd at "),
	FAULT(unconfigured_store, "#UD of tilestored at "),
	FAULT(unconfigured_zero, "#UD of tilezero at "),
	FAULT(unconfigured_product, "tiles are not configured"),
	FAULT(released, "tiles are not configured"),
	FAULT(bad_palette, "#GP of ldtilecfg"),
	FAULT(bad_palette, "no such palette"),
	FAULT(reserved_2, "bytes 2 to 15"),
	FAULT(reserved_15, "bytes 2 to 15"),
	FAULT(reserved_32, "bytes 32 to 47"),
	FAULT(reserved_47, "bytes 32 to 47"),
	FAULT(reserved_56, "bytes 56 to 63"),
	FAULT(reserved_63, "bytes 56 to 63"),
	FAULT(too_many_rows, "more than 16 rows"),
	FAULT(too_many_columns, "more than 64 bytes"),
	FAULT(too_many_columns_high, "more than 64 bytes"),
	FAULT(rows_alone, "rows and no columns"),
	FAULT(columns_alone, "rows and no columns"),
	FAULT(one_not_configured, "#UD of tdpbusd at "),
	FAULT(one_not_configured, "the tile is not configured"),
	FAULT(zero_not_configured, "the tile is not configured"),
	FAULT(odd_bytes, "no multiple of 4"),
	FAULT(start_row_beyond, "start_row is beyond the tile"),
	FAULT(start_row_beyond_store, "start_row is beyond the tile"),
	FAULT(rows_differ, "#UD of tdpbuud at "),
	FAULT(rows_differ, "the rows of C and A differ"),
	FAULT(columns_differ, "#UD of tdpbsud at "),
	FAULT(columns_differ, "the columns of C and B differ"),
	FAULT(depths_differ, "#UD of tdpbf16ps at "),
	FAULT(depths_differ, "the columns of A and the rows of B differ"),
	FAULT(c_is_a, "#UD of tdpbssd at "),
	FAULT(c_is_a, "the same tile twice"),
	FAULT(c_is_b, "the same tile twice"),
	FAULT(a_is_b, "the same tile twice"),
	FAULT(no_sib, "no SIB"),
	FAULT(relative_tile, "no SIB"),
	FAULT(with_vvvv, "#UD of tilerelease at "),
	FAULT(tile_8, "tiles 0 to 7"),
};

#define FAULTS (sizeof(faults) / sizeof(faults[0]))

static const char *during(void)
{
	return "this test";
}

static void test_fault(const struct fault *f)
{
	char text[FAULT_ROOM];
	const int status = fault_of(f->run, during, text);

	if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT)
		fail_msg("ended with status %#x: %s", status, text);
	if (!strstr(text, f->line) || strncmp(text, "emulator: ", 10) ||
	    !strstr(text, "; during this test\n") || strchr(text, '\n') != text + strlen(text) - 1)
		fail_msg("said '%s'", text);
}

/* A SIGILL of any other instruction reaches the previous handler. */
static sigjmp_buf out;
static volatile int others;

static void other_handler(int number)
{
	(void)number;
	others++;
	siglongjmp(out, 1);
}

static void test_other_instructions(void)
{
	struct sigaction action = {.sa_handler = other_handler}, old;
	struct tile from, to;

	sigaction(SIGILL, &action, &old);
	assert_null(emulator_install());
	others = 0;
	configure(full());
	draw_bytes(&from, sizeof(from));
	load(5, &from, 64);
	if (!sigsetjmp(out, 1))
		__asm__ volatile("ud2");
	/* Prefix, opcode and fields of AMX, with another W, L or map; and 4B without a prefix, which is no tileloadd. */
	if (!sigsetjmp(out, 1))
		__asm__ volatile(".byte 0xc4, 0xe2, 0xf8, 0x49, 0xc0");
	if (!sigsetjmp(out, 1))
		__asm__ volatile(".byte 0xc4, 0xe2, 0x7c, 0x49, 0xc0");
	if (!sigsetjmp(out, 1))
		__asm__ volatile(".byte 0xc4, 0xe2, 0x78, 0x4b, 0x0c, 0x08");
	if (!sigsetjmp(out, 1))
		__asm__ volatile(".byte 0xc4, 0xe2, 0x78, 0x49, 0xc1");
	assert_int_equal(others, 5);
	store(&to, 64, 5);
	SAME(to, from);
	tile_release();
	sigaction(SIGILL, &old, NULL);
	assert_null(emulator_install());
}

/* A load from inaccessible memory is a memory fault at its address; AMX continues afterwards. */
static void *volatile fault_at;

static void memory_handler(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)context;
	fault_at = info->si_addr;
	siglongjmp(out, 1);
}

static void test_memory_faults(void)
{
	uint8_t *two = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct sigaction action = {.sa_sigaction = memory_handler, .sa_flags = SA_SIGINFO | SA_NODEFER}, old;
	struct tile from, to;

	assert_true(two != MAP_FAILED);
	assert_int_equal(mprotect(two + 4096, 4096, PROT_NONE), 0);
	sigaction(SIGSEGV, &action, &old);
	draw_bytes(&from, sizeof(from));
	configure(full());
	load(0, &from, 64);
	/* The last rows that fit, and one byte more. */
	load(1, two + 4096 - 1024, 64);
	load(1, two + 4096 - 15 * 200 - 64, 200);
	for (int i = 0; i < 2; i++) {
		fault_at = NULL;
		/* The signal mask must be unchanged then, as after cmocka's handler. */
		if (!sigsetjmp(out, 0)) {
			if (i)
				store(two + 4096 - 1024 + 4, 64, 0);
			else
				load(1, two + 4096 - 15 * 200 - 60, 200);
			fail_msg("no fault");
		}
		assert_true((uint8_t *)fault_at >= two + 4096 && (uint8_t *)fault_at < two + 4096 + 64);
	}
	sigaction(SIGSEGV, &old, NULL);
	store(&to, 64, 0);
	SAME(to, from);
	tile_release();
	munmap(two, 8192);
}

/* A handler that uses tiles and restores them may interrupt at any time. */
static volatile unsigned alarms;

static void alarm_handler(int number)
{
	struct isk_amx_config found;
	struct tile kept[8], mine, back;

	(void)number;
	tile_config_store(&found);
	if (found.palette)
		for (int t = 0; t < 8; t++)
			store(&kept[t], 64, t);
	memset(&mine, (int)alarms, sizeof(mine));
	configure(full());
	load(2, &mine, 64);
	store(&back, 64, 2);
	if (memcmp(&mine, &back, sizeof(mine)))
		abort();
	tile_config(&found);
	if (found.palette)
		for (int t = 0; t < 8; t++)
			load(t, &kept[t], 64);
	alarms++;
}

static void test_signals(void)
{
	struct sigaction action = {.sa_handler = alarm_handler, .sa_flags = SA_RESTART}, old;
	const struct itimerval often = {{0, 700}, {0, 700}}, never = {{0, 0}, {0, 0}};
	unsigned rounds = 0;

	alarms = 0;
	sigaction(SIGALRM, &action, &old);
	setitimer(ITIMER_REAL, &often, NULL);
	while ((alarms < 200 || rounds < 50) && rounds < 5000) {
		struct tile a, b, c;

		draw_bytes(&a, sizeof(a));
		draw_bytes(&b, sizeof(b));
		draw_bytes(&c, sizeof(c));
		/* A signal between configurations would meet other shapes, which the handler does not expect. */
		check_product(US, operands[rounds % 8], 16, 16, 16, &c, &a, &b);
		rounds++;
	}
	setitimer(ITIMER_REAL, &never, NULL);
	sigaction(SIGALRM, &old, NULL);
	tile_release();
	assert_true(alarms >= 200);
}

/* Each thread has its own tiles, of another shape. */
static pthread_barrier_t barrier;

static void *thread(void *argument)
{
	const int number = (int)(intptr_t)argument, rows = 3 + number, quads = 16 - 2 * number;
	struct tile from, to, want;
	struct isk_amx_config got;
	intptr_t wrong = 0;

	tile_config_store(&got);
	wrong += got.palette != 0;
	configure(shape(number, rows, 4 * quads));
	for (int i = 0; i < 200; i++) {
		memset(&from, number * 50 + i % 50, sizeof(from));
		memset(&to, 0, sizeof(to));
		memset(&want, 0, sizeof(want));
		for (int r = 0; r < rows; r++)
			memset(want.b[r], number * 50 + i % 50, (size_t)(4 * quads));
		load(number, &from, 64);
		pthread_barrier_wait(&barrier);
		store(&to, 64, number);
		wrong += memcmp(&to, &want, sizeof(to)) != 0;
		pthread_barrier_wait(&barrier);
	}
	tile_release();
	return (void *)wrong;
}

static void test_threads(void)
{
	pthread_t threads[4];
	void *wrong;

	configure(full());
	pthread_barrier_init(&barrier, NULL, 4);
	for (intptr_t i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, thread, (void *)i), 0);
	for (int i = 0; i < 4; i++) {
		pthread_join(threads[i], &wrong);
		assert_null(wrong);
	}
	assert_int_equal(configured().rows[0], 16);
	tile_release();
}

/* ldtilecfg loads a configuration built in pieces right before; gcc's own intrinsic drops these stores. */
static void test_wrappers_keep_stores(void)
{
	struct tile from;
	float out_c[16] = {0};

	for (int i = 0; i < 20; i++) {
		const int rows = 1 + i % 16;
		struct isk_amx_config c = {.palette = 1};

		c.rows[0] = 1;
		c.bytes[0] = 64;
		c.rows[1] = 1;
		c.bytes[1] = (uint16_t)(4 * rows);
		c.rows[2] = (uint8_t)rows;
		c.bytes[2] = 64;
		tile_config(&c);
		for (int r = 0; r < rows; r++)
			for (int n = 0; n < 32; n++)
				put_bf16(from.b[r] + 2 * n, n % 2 ? 0 : (float)(n / 2));
		tile_load(2, &from, 64);
		for (int n = 0; n < 2 * rows; n++)
			put_bf16(from.b[0] + 2 * n, 2);
		tile_load(1, &from, 64);
		tile_zero(0);
		tile_dpbf16(0, 1, 2);
		tile_store(out_c, 64, 0);
		for (int n = 0; n < 16; n++)
			assert_true(out_c[n] == (float)(2 * rows * n));
	}
	tile_release();
}

/* Every instruction is counted, so that a program can tell that it was emulated. */
static void test_count(void)
{
	const unsigned long was = emulator_count();
	struct tile t = {0};

	assert_int_equal(amx_emulator_configured(), 0);
	configure(full());
	assert_int_equal(amx_emulator_configured(), !real);
	load(0, &t, 64);
	tile_release();
	assert_int_equal(amx_emulator_configured(), 0);
	assert_int_equal(emulator_count() - was, real ? 0 : 3);
}

/* cmocka sets its own handler of SIGILL before a test. */
static void run(void **state)
{
	assert_null(emulator_install());
	(*(void (**)(void)) * state)();
}

static void run_fault(void **state)
{
	assert_null(emulator_install());
	test_fault(*state);
}

static void run_nothing(void **state)
{
	(void)state;
}

static void (*const plain[])(void) = {
	test_config,
	test_config_clears,
	test_load_store,
	test_zero,
	test_start_row,
	test_addresses,
	test_address_without_base,
	test_config_addresses,
	test_ss,
	test_su,
	test_us,
	test_uu,
	test_bf16,
	test_bf16_by_hand,
	test_mxcsr,
	test_wrappers_keep_stores,
	test_count,
	test_other_instructions,
	test_memory_faults,
	test_signals,
	test_threads,
};

static const char *const names[] = {
	"ldtilecfg, sttilecfg, tilerelease",
	"a configuration clears tiles",
	"tileloadd, tileloaddt1, tilestored",
	"tilezero",
	"start_row",
	"addresses of tiles",
	"addresses without a base",
	"addresses of configurations",
	"tdpbssd",
	"tdpbsud",
	"tdpbusd",
	"tdpbuud",
	"tdpbf16ps",
	"tdpbf16ps by hand",
	"MXCSR has no say",
	"the wrappers keep stores",
	"instructions are counted",
	"other instructions trap as before",
	"faults of memory",
	"signals",
	"threads",
};

#define PLAIN (sizeof(plain) / sizeof(plain[0]))

_Static_assert(sizeof(names) / sizeof(names[0]) == PLAIN, "a name for each test");

int main(int argc, char **argv)
{
	struct CMUnitTest tests[PLAIN + FAULTS];
	char skipped[FAULTS][80];
	const char *why = emulator_install();

	if (why) {
		printf("1..0 # SKIP %s\n", why);
		return 0;
	}
	/* ARCH_REQ_XCOMP_PERM of XTILEDATA */
	real = syscall(SYS_arch_prctl, 0x1023, 18) == 0;
	printf("# AMX is %s\n", real ? "the CPU's own: the emulator is not used" : "emulated");
	for (size_t i = 0; i < PLAIN; i++)
		tests[i] = (struct CMUnitTest){names[i], run, NULL, NULL, (void *)(uintptr_t)&plain[i]};
	for (size_t i = 0; i < FAULTS; i++) {
		snprintf(skipped[i], sizeof(skipped[i]), "%s # SKIP the CPU has AMX", faults[i].name);
		tests[PLAIN + i] = (struct CMUnitTest){real ? skipped[i] : faults[i].name, run_fault, NULL, NULL,
		                                       (void *)(uintptr_t)&faults[i]};
		if (real)
			tests[PLAIN + i].test_func = run_nothing;
	}
	if (argc > 1)
		cmocka_set_test_filter(argv[1]);
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return _cmocka_run_group_tests("amx", tests, PLAIN + FAULTS, NULL, NULL) != 0;
}
