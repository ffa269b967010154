/* SPDX-License-Identifier: MIT */
/*
 * The emulator of AVX512-FP16: results by hand, all inputs or many pairs against f32 rounded by F16C, and every form of an
 * operand. If the CPU has AVX512-FP16, the same tests run on it and say so: they then test this file's reading of the manual.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <immintrin.h>

#include <cmocka.h>

#include "emulator.h"
#include "faults.h"

enum { LANES = 32 };

typedef struct {
	_Alignas(64) uint16_t h[LANES];
} vector;

/* On functions with instructions of AVX512-FP16 in asm; the rest of this file must not contain any. */
#define FP16 __attribute__((target("avx512fp16"), noinline))

static int real; /* the CPU itself runs these tests */

static uint64_t draws = 0x1234567;

static uint32_t draw(void)
{
	draws = draws * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(draws >> 33 ^ draws >> 20);
}

/* z2 = z0 op z1, or op z1. */
#define OF_TWO(name, instruction)                                                                            \
	static FP16 vector name(const vector *a, const vector *b)                                                \
	{                                                                                                        \
		vector y;                                                                                            \
                                                                                                             \
		__asm__ volatile("vmovdqu64 %1, %%zmm0\n\tvmovdqu64 %2, %%zmm1\n\t" instruction                      \
		                 "\n\tvmovdqu64 %%zmm2, %0"                                                          \
		                 : "=m"(y) : "m"(*a), "m"(*b) : "xmm0", "xmm1", "xmm2");                             \
		return y;                                                                                            \
	}
OF_TWO(add, "vaddph %%zmm1, %%zmm0, %%zmm2")
OF_TWO(sub, "vsubph %%zmm1, %%zmm0, %%zmm2")
OF_TWO(mul, "vmulph %%zmm1, %%zmm0, %%zmm2")
OF_TWO(divide, "vdivph %%zmm1, %%zmm0, %%zmm2")
OF_TWO(max, "vmaxph %%zmm1, %%zmm0, %%zmm2")
OF_TWO(root, "vsqrtph %%zmm1, %%zmm2")
OF_TWO(nearest, "vrndscaleph $0, %%zmm1, %%zmm2")
OF_TWO(floors, "vrndscaleph $9, %%zmm1, %%zmm2")
OF_TWO(ceils, "vrndscaleph $2, %%zmm1, %%zmm2")
OF_TWO(truncs, "vrndscaleph $11, %%zmm1, %%zmm2")

/* The same of f32, in scalars, rounded by F16C. */
static __attribute__((noinline)) float wide(uint16_t x)
{
	return _cvtsh_ss(x);
}

static __attribute__((noinline)) uint16_t narrow(float x)
{
	return (uint16_t)_cvtss_sh(x, _MM_FROUND_TO_NEAREST_INT);
}

#define BY_F32(name, value)                                                                                  \
	static uint16_t name##_by_f32(uint16_t p, uint16_t q)                                                    \
	{                                                                                                        \
		const volatile float a = wide(p), b = wide(q);                                                       \
                                                                                                             \
		(void)a;                                                                                             \
		return narrow(value);                                                                                \
	}
BY_F32(add, a + b)
BY_F32(sub, a - b)
BY_F32(mul, a *b)
BY_F32(divide, a / b)
BY_F32(max, a > b ? a : b)
BY_F32(root, __builtin_sqrtf(b))
BY_F32(nearest, __builtin_rintf(b))
BY_F32(floors, __builtin_floorf(b))
BY_F32(ceils, __builtin_ceilf(b))
BY_F32(truncs, __builtin_truncf(b))

static const struct operation {
	const char *name;
	vector (*run)(const vector *a, const vector *b);
	uint16_t (*by_f32)(uint16_t a, uint16_t b);
	int operands;
} operations[] = {
	{"vaddph", add, add_by_f32, 2},
	{"vsubph", sub, sub_by_f32, 2},
	{"vmulph", mul, mul_by_f32, 2},
	{"vdivph", divide, divide_by_f32, 2},
	{"vmaxph", max, max_by_f32, 2},
	{"vsqrtph", root, root_by_f32, 1},
	{"vrndscaleph to nearest", nearest, nearest_by_f32, 1},
	{"vrndscaleph down", floors, floors_by_f32, 1},
	{"vrndscaleph up", ceils, ceils_by_f32, 1},
	{"vrndscaleph to 0", truncs, truncs_by_f32, 1},
};

#define OPERATIONS (sizeof(operations) / sizeof(operations[0]))

static vector all(uint16_t x)
{
	vector v;

	for (int i = 0; i < LANES; i++)
		v.h[i] = x;
	return v;
}

/* Numbers: 3c00 1, 4000 2, 4200 3, 3555 1/3, 7bff 65504, 0001 2^-24, 0400 2^-14, 7c00 infinity, 7e00 a NaN, fe00 the NaN of an
 * invalid operation. */
static const struct {
	vector (*run)(const vector *a, const vector *b);
	uint16_t a, b, wanted;
} by_hand[] = {
	{add, 0x3c00, 0x3c00, 0x4000}, /* 1 + 1 */
	{add, 0x3c00, 0x1000, 0x3c00}, /* 1 + 2^-11, a tie: the even one, 1 */
	{add, 0x3c01, 0x1000, 0x3c02}, /* 1 + 2^-10 + 2^-11, a tie: the even one above */
	{add, 0x3c00, 0x1001, 0x3c01}, /* a little more than the tie */
	{add, 0x0001, 0x0001, 0x0002}, /* denormals */
	{add, 0x03ff, 0x0001, 0x0400}, /* the least normal number */
	{add, 0x7bff, 0x7bff, 0x7c00}, /* overflow */
	{add, 0x7bff, 0x4bff, 0x7bff}, /* 65504 + 15.99: less than half an ulp */
	{add, 0x7bff, 0x4c00, 0x7c00}, /* 65504 + 16: the tie with 65536, which is even */
	{add, 0x7c00, 0xfc00, 0xfe00}, /* invalid */
	{add, 0x0000, 0x8000, 0x0000},
	{add, 0x8000, 0x8000, 0x8000},
	{add, 0x7d01, 0x7e02, 0x7f01}, /* the first NaN, quiet */
	{add, 0x3c00, 0xfd02, 0xff02}, /* the second NaN, quiet */
	{sub, 0x3c00, 0x3c00, 0x0000},
	{sub, 0x0001, 0x0400, 0x83ff},
	{sub, 0x7c00, 0x7c00, 0xfe00},
	{mul, 0x4200, 0x3555, 0x3c00}, /* 3 * 0.33325 = 0.99976, a tie between 0.99951 and 1 */
	{mul, 0x0001, 0x3800, 0x0000}, /* 2^-25: the tie with 0, which is even */
	{mul, 0x0001, 0x3801, 0x0001}, /* more than the tie */
	{mul, 0x0003, 0x3800, 0x0002}, /* 1.5 denormals */
	{mul, 0x8001, 0x0001, 0x8000}, /* underflow to -0 */
	{mul, 0x7bff, 0xc000, 0xfc00}, /* overflow */
	{mul, 0x0000, 0x7c00, 0xfe00}, /* invalid */
	{divide, 0x3c00, 0x4200, 0x3555}, /* 1 / 3 */
	{divide, 0x3c00, 0x7bff, 0x0100}, /* 1 / 65504 = 256.125 denormals */
	{divide, 0x0001, 0x4000, 0x0000}, /* half a denormal: the tie with 0 */
	{divide, 0x0003, 0x4000, 0x0002}, /* 1.5 denormals */
	{divide, 0x3c00, 0x8000, 0xfc00},
	{divide, 0x0000, 0x0000, 0xfe00},
	{divide, 0x7c00, 0x7c00, 0xfe00},
	{divide, 0x7bff, 0x0001, 0x7c00},
	{max, 0x3c00, 0x4000, 0x4000},
	{max, 0xbc00, 0xc000, 0xbc00},
	{max, 0x0000, 0x8000, 0x8000}, /* of zeros, the second */
	{max, 0x8000, 0x0000, 0x0000},
	{max, 0x7e00, 0x3c00, 0x3c00}, /* of NaN and anything, the second */
	{max, 0x3c00, 0x7d01, 0x7d01}, /* not made quiet */
	{root, 0, 0x4400, 0x4000},     /* 4 */
	{root, 0, 0x4000, 0x3da8},     /* 2: 1.41421 is 1448.15 units of 2^-10 */
	{root, 0, 0x0001, 0x0c00},     /* 2^-24: 2^-12 */
	{root, 0, 0x8000, 0x8000},
	{root, 0, 0xbc00, 0xfe00},
	{root, 0, 0x7c00, 0x7c00},
	{root, 0, 0x7c01, 0x7e01},
	{nearest, 0, 0x3e00, 0x4000}, /* 1.5 */
	{nearest, 0, 0x4100, 0x4000}, /* 2.5 */
	{nearest, 0, 0xb800, 0x8000}, /* -0.5 */
	{floors, 0, 0x8001, 0xbc00},
	{floors, 0, 0x3bff, 0x0000},
	{ceils, 0, 0x8001, 0x8000},
	{ceils, 0, 0x0001, 0x3c00},
	{truncs, 0, 0xbe00, 0xbc00}, /* -1.5 */
	{truncs, 0, 0xfc00, 0xfc00},
	{truncs, 0, 0x7d00, 0x7f00},
};

static void test_by_hand(void)
{
	for (size_t i = 0; i < sizeof(by_hand) / sizeof(by_hand[0]); i++) {
		const vector a = all(by_hand[i].a), b = all(by_hand[i].b), y = by_hand[i].run(&a, &b);

		for (int n = 0; n < LANES; n++)
			if (y.h[n] != by_hand[i].wanted)
				fail_msg("line %zu, lane %d: got %04x of %04x and %04x, wanted %04x", i, n, y.h[n], by_hand[i].a,
				         by_hand[i].b, by_hand[i].wanted);
	}
}

static void compare(const struct operation *o, const vector *a, const vector *b)
{
	const vector y = o->run(a, b);

	for (int n = 0; n < LANES; n++) {
		const uint16_t wanted = o->by_f32(a->h[n], b->h[n]), got = y.h[n];

		/* max by a > b ? a : b gives b as it is, but narrow() makes it quiet. */
		if ((got | (o->run == max && (got & 0x7fff) > 0x7c00 ? 0x200 : 0)) != wanted)
			fail_msg("%s of %04x and %04x: got %04x, wanted %04x", o->name, a->h[n], b->h[n], got, wanted);
	}
}

/* All 65,536 inputs, for operations of two operands as the one and as the other beside random ones. */
static void test_all_inputs(void)
{
	for (size_t o = 0; o < OPERATIONS; o++)
		for (uint32_t x = 0; x < 0x10000; x += LANES) {
			vector a, b;

			for (int n = 0; n < LANES; n++) {
				a.h[n] = (uint16_t)(x + (uint32_t)n);
				b.h[n] = (uint16_t)draw();
			}
			compare(&operations[o], &a, &b);
			compare(&operations[o], &b, &a);
		}
}

/* All pairs of signs and exponents, with all pairs of five fractions that are near powers of 2 or their middles. */
static void test_pairs(void)
{
	static const uint16_t fractions[5] = {0, 1, 0x1ff, 0x200, 0x3ff};

	for (size_t o = 0; o < OPERATIONS && operations[o].operands == 2; o++)
		for (int p = 0; p < 25; p++)
			for (int x = 0; x < 64; x++)
				for (int y = 0; y < 64; y += LANES) {
					const vector a = all((uint16_t)(x << 10 | fractions[p % 5]));
					vector b;

					for (int n = 0; n < LANES; n++)
						b.h[n] = (uint16_t)((y + n) << 10 | fractions[p / 5]);
					compare(&operations[o], &a, &b);
				}
}

/* Numbers 1 to 31, so that all results are exact. */
static vector counted(int from)
{
	vector v;

	for (int i = 0; i < LANES; i++)
		v.h[i] = narrow((float)(from + i));
	return v;
}

static void expect(const vector *y, int lane, float wanted)
{
	if (wide(y->h[lane]) != wanted)
		fail_msg("lane %d is %g, wanted %g", lane, (double)wide(y->h[lane]), (double)wanted);
}

/* a + b is 2 i + 101 in lane i. Every kind of register, as source and as destination. */
#define WITH(a_, b_, y_)                                                                                     \
	do {                                                                                                     \
		vector y = all(0);                                                                                   \
                                                                                                             \
		__asm__ volatile("vmovdqu64 %1, %%" a_ "\n\tvmovdqu64 %2, %%" b_ "\n\tvaddph %%" b_ ", %%" a_ ", %%" y_ \
		                 "\n\tvmovdqu64 %%" y_ ", %0"                                                        \
		                 : "=m"(y) : "m"(a), "m"(b) : a_, b_, y_);                                           \
		for (int i = 0; i < LANES; i++)                                                                      \
			expect(&y, i, (float)(2 * i + 101));                                                             \
	} while (0)

static FP16 void test_registers(void)
{
	const vector a = counted(1), b = counted(100);

	WITH("zmm0", "zmm7", "zmm3");
	WITH("zmm8", "zmm15", "zmm12");
	WITH("zmm16", "zmm23", "zmm20");
	WITH("zmm24", "zmm31", "zmm29");
	WITH("zmm5", "zmm26", "zmm11");
	WITH("zmm31", "zmm2", "zmm17");
}

/* Elements beyond the length of the vector become 0. */
#define OF_LENGTH(word, lanes)                                                                               \
	do {                                                                                                     \
		vector y;                                                                                            \
                                                                                                             \
		__asm__ volatile("vmovdqu64 %1, %%zmm4\n\tvmovdqu64 %2, %%zmm5\n\tvmovdqu64 %1, %%zmm6\n\t"          \
		                 "vaddph %%" word "mm5, %%" word "mm4, %%" word "mm6\n\tvmovdqu64 %%zmm6, %0"        \
		                 : "=m"(y) : "m"(a), "m"(b) : "xmm4", "xmm5", "xmm6");                               \
		for (int i = 0; i < LANES; i++)                                                                      \
			expect(&y, i, i < (lanes) ? (float)(2 * i + 101) : 0);                                           \
	} while (0)

static FP16 void test_lengths(void)
{
	const vector a = counted(1), b = counted(100);

	OF_LENGTH("x", 8);
	OF_LENGTH("y", 16);
	OF_LENGTH("z", 32);
}

static FP16 void test_masks(void)
{
	const vector a = counted(1), b = counted(100);
	const uint32_t mask = 0x80f0a5c3;
	vector merged, zeroed;

	__asm__ volatile("kmovd %4, %%k3\n\tvmovdqu64 %2, %%zmm4\n\tvmovdqu64 %3, %%zmm5\n\tvmovdqu64 %2, %%zmm6\n\t"
	                 "vmovdqu64 %2, %%zmm7\n\tvaddph %%zmm5, %%zmm4, %%zmm6%{%%k3%}\n\t"
	                 "vaddph %%zmm5, %%zmm4, %%zmm7%{%%k3%}%{z%}\n\tvmovdqu64 %%zmm6, %0\n\tvmovdqu64 %%zmm7, %1"
	                 : "=m"(merged), "=m"(zeroed) : "m"(a), "m"(b), "r"(mask) : "xmm4", "xmm5", "xmm6", "xmm7", "k3");
	for (int i = 0; i < LANES; i++) {
		expect(&merged, i, (float)(mask >> i & 1 ? 2 * i + 101 : i + 1));
		expect(&zeroed, i, (float)(mask >> i & 1 ? 2 * i + 101 : 0));
	}
}

/* b is at offset 192 of a place, so that addresses below find it. */
static FP16 void test_addresses(void)
{
	static struct {
		vector before[3], b, after[3];
	} place;
	const vector a = counted(1);
	vector y[8];
	const char *base = (const char *)&place;
	const uintptr_t index = 24;

	place.b = counted(100);
	for (int i = 0; i < 3; i++)
		place.before[i] = place.after[i] = all(0x7e00);
	__asm__ volatile("vmovdqu64 %1, %%zmm4\n\t"
	                 "vaddph 192(%2), %%zmm4, %%zmm5\n\tvmovdqu64 %%zmm5, %0\n\t"            /* one byte, times 64 */
	                 "vaddph -192(%4), %%zmm4, %%zmm5\n\tvmovdqu64 %%zmm5, 64+%0\n\t"        /* negative */
	                 "vaddph (%2,%3,8), %%zmm4, %%zmm5\n\tvmovdqu64 %%zmm5, 128+%0\n\t"      /* an index */
	                 "vaddph 0x90(%2,%3,2), %%zmm4, %%zmm5\n\tvmovdqu64 %%zmm5, 192+%0\n\t"  /* four bytes */
	                 "vaddph 64(%2), %%zmm4, %%zmm6\n\t"
	                 "vaddph 128(%2,%3,1), %%zmm4, %%zmm6\n\t"
	                 : "+m"(y) : "m"(a), "r"(base), "r"(index), "r"(base + 384) : "xmm4", "xmm5", "xmm6", "memory");
	for (int i = 0; i < LANES; i++)
		for (int n = 0; n < 4; n++)
			expect(&y[n], i, (float)(2 * i + 101));
	/* Relative to the next instruction, with an immediate between. */
	__asm__ volatile("vrndscaleph $9, %1, %%zmm5\n\tvmovdqu64 %%zmm5, %0" : "=m"(y[0]) : "m"(place.b) : "xmm5");
	/* Shorter vectors have smaller units. */
	__asm__ volatile("vrndscaleph $8, 192(%1), %%xmm5\n\tvmovdqu64 %%zmm5, %0" : "=m"(y[1]) : "r"(base) : "xmm5");
	/* One element for all lanes; its displacement counts elements. */
	__asm__ volatile("vmovdqu64 %1, %%zmm4\n\tvaddph 194(%2)%{1to32%}, %%zmm4, %%zmm5\n\tvmovdqu64 %%zmm5, %0"
	                 : "=m"(y[2]) : "m"(a), "r"(base) : "xmm4", "xmm5", "memory");
	for (int i = 0; i < LANES; i++) {
		expect(&y[0], i, (float)(i + 100));
		expect(&y[1], i, i < 8 ? (float)(i + 100) : 0);
		expect(&y[2], i, (float)(i + 102));
	}
}

/* Elements outside a mask are not read; a read beyond memory is a fault at its address. */
static sigjmp_buf out;
static void *volatile at_fault;

static void on_fault(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)context;
	at_fault = info->si_addr;
	siglongjmp(out, 1);
}

static FP16 void test_memory_faults(void)
{
	const long page = sysconf(_SC_PAGESIZE);
	struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO}, old;
	char *memory = mmap(NULL, 2 * (size_t)page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const char *last = memory + page - 16;
	vector y;

	assert_true(memory != MAP_FAILED);
	assert_int_equal(mprotect(memory + page, (size_t)page, PROT_NONE), 0);
	sigaction(SIGSEGV, &action, &old);
	memset(memory, 0, (size_t)page);
	__asm__ volatile("kmovd %2, %%k1\n\tvsqrtph (%1), %%zmm5%{%%k1%}%{z%}\n\tvmovdqu64 %%zmm5, %0"
	                 : "=m"(y) : "r"(last), "r"(0xff) : "xmm5", "k1", "memory");
	expect(&y, 31, 0);
	if (!sigsetjmp(out, 1)) {
		__asm__ volatile("vsqrtph (%0), %%zmm5" : : "r"(last) : "xmm5", "memory");
		fail_msg("a read beyond memory was no fault");
	}
	assert_true((char *)at_fault >= memory + page - 16 && (char *)at_fault < memory + page + 48);
	sigaction(SIGSEGV, &old, NULL);
	munmap(memory, 2 * (size_t)page);
}

/* An instruction of AVX512-FP16 that is not emulated reaches the previous handler. */
static volatile int others;

static void other_handler(int number)
{
	(void)number;
	others++;
	siglongjmp(out, 1);
}

static FP16 void test_other_instructions(void)
{
	struct sigaction action = {.sa_handler = other_handler}, old;

	sigaction(SIGILL, &action, &old);
	assert_null(emulator_install());
	others = 0;
	if (!sigsetjmp(out, 1))
		__asm__ volatile("vfmadd213ph %%zmm0, %%zmm0, %%zmm0" : : : "xmm0");
	if (!sigsetjmp(out, 1))
		__asm__ volatile("ud2");
	assert_int_equal(others, real ? 1 : 2);
	sigaction(SIGILL, &old, NULL);
}

static void test_count(void)
{
	const unsigned long was = emulator_count();
	const vector x = all(0x3c00);

	(void)add(&x, &x);
	(void)root(&x, &x);
	assert_int_equal(emulator_count() - was, real ? 0 : 2);
}

/* Each ends the process with a message that contains its line. */
static FP16 void embedded_rounding(void)
{
	__asm__ volatile("vaddph %{rd-sae%}, %%zmm0, %%zmm0, %%zmm0" : : : "xmm0");
}

static FP16 void fraction(void)
{
	__asm__ volatile("vrndscaleph $0x10, %%zmm0, %%zmm0" : : : "xmm0");
}

static FP16 void mode_of_mxcsr(void)
{
	__asm__ volatile("vrndscaleph $4, %%zmm0, %%zmm0" : : : "xmm0");
}

static FP16 void down(void)
{
	_mm_setcsr(_mm_getcsr() | 0x2000);
	__asm__ volatile("vaddph %%zmm0, %%zmm0, %%zmm0" : : : "xmm0");
}

static FP16 void with_vvvv(void)
{
	__asm__ volatile(".byte 0x62, 0xf5, 0x74, 0x48, 0x51, 0xc0");
}

static const struct fault {
	const char *name, *line;
	void (*run)(void);
} faults[] = {
	{"a rounding of its own", "a form not emulated of vaddph at ", embedded_rounding},
	{"a fraction", "a form not emulated of vrndscaleph at ", fraction},
	{"the mode of MXCSR", "MXCSR's mode", mode_of_mxcsr},
	{"MXCSR rounds down", "MXCSR does not round to nearest", down},
	{"vvvv without a first source", "#UD of vsqrtph at ", with_vvvv},
};

static void test_faults(void)
{
	for (size_t i = 0; !real && i < sizeof(faults) / sizeof(faults[0]); i++) {
		char text[FAULT_ROOM];
		const int status = fault_of(faults[i].run, NULL, text);

		if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT || !strstr(text, faults[i].line))
			fail_msg("%s: ended with status %#x, said '%s'", faults[i].name, status, text);
	}
}

/* cmocka sets its own handler of SIGILL before a test. */
static void run(void **state)
{
	assert_null(emulator_install());
	(*(void (**)(void)) * state)();
}

static void (*const functions[])(void) = {
	test_by_hand, test_all_inputs,    test_pairs,              test_registers, test_lengths, test_masks,
	test_addresses, test_memory_faults, test_other_instructions, test_count,     test_faults,
};

static const char *const names[] = {
	"results by hand",
	"all inputs",
	"pairs of all exponents",
	"registers",
	"lengths of vectors",
	"masks",
	"addresses",
	"faults of memory",
	"other instructions trap as before",
	"instructions are counted",
	"forms that are refused",
};

#define COUNT (sizeof(functions) / sizeof(functions[0]))

_Static_assert(sizeof(names) / sizeof(names[0]) == COUNT, "a name for each test");

static int is_real(void)
{
	const unsigned long was = emulator_count();
	const vector x = all(0);

	(void)add(&x, &x);
	return emulator_count() == was;
}

int main(void)
{
	struct CMUnitTest tests[COUNT];
	const char *why = emulator_install();

	if (!why && !__builtin_cpu_supports("avx512bw"))
		why = "the vectors of AVX512-FP16 need AVX-512";
	if (why) {
		printf("1..0 # SKIP %s\n", why);
		return 0;
	}
	real = is_real();
	printf("# AVX512-FP16 is %s\n", real ? "the CPU's own: the emulator is not used" : "emulated");
	for (size_t i = 0; i < COUNT; i++)
		tests[i] = (struct CMUnitTest){names[i], run, NULL, NULL, (void *)(uintptr_t)&functions[i]};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return _cmocka_run_group_tests("fp16", tests, COUNT, NULL, NULL) != 0;
}
