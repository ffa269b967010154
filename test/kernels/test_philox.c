/* SPDX-License-Identifier: MIT */
/*
 * Philox4x32-10 against the known answers that its authors publish (Random123 1.14, tests/kat_vectors), and
 * random_b32 against it. Numbers must be the same however a call is split. Masks of dropout at the ends of a
 * probability, and at the uniform number of each element.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../candidates.h"

static int tests, failed;

static void ok(int passed, const char *what)
{
	printf("%sok %d - %s\n", passed ? "" : "not ", ++tests, what);
	failed |= !passed;
}

static const struct {
	uint32_t counter[4], key[2], words[4];
} known[] = {
	{{0}, {0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
	{{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
     {0xffffffff, 0xffffffff},
     {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
	{{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
     {0xa4093822, 0x299f31d0},
     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
};

static int is_known(void)
{
	int same = 1;

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		uint32_t words[4];

		isk_philox_block(words, known[i].counter, known[i].key);
		same &= memcmp(words, known[i].words, sizeof(words)) == 0;
	}
	return same;
}

enum { MOST = 300 };

/* Numbers from any offset on are those of their blocks. Beyond 2^34 numbers the second word of the counter is needed. */
static int is_of_blocks(uint64_t seed, uint64_t offset)
{
	uint32_t y[MOST], words[4];
	int same = 1;

	isk_random_b32(y, MOST, (int64_t)seed, (int64_t)offset);
	for (uint64_t i = 0; i < MOST; i++) {
		const uint64_t block = (offset + i) / 4;

		isk_philox_block(words, (const uint32_t[4]){(uint32_t)block, (uint32_t)(block >> 32)},
		                 (const uint32_t[2]){(uint32_t)seed, (uint32_t)(seed >> 32)});
		same &= y[i] == words[(offset + i) % 4];
	}
	return same;
}

/* Element e of f64 is made of half the block e / 2, from e = 2^63 on as well, where 2 e is no word of 64 bits. */
static int is_f64_of_blocks(uint64_t seed, uint64_t offset)
{
	double y[MOST];
	uint32_t words[4];
	int same = 1;

	isk_uniform_f64(y, MOST, (int64_t)seed, (int64_t)offset);
	for (uint64_t i = 0; i < MOST; i++) {
		const uint64_t e = offset + i, block = e / 2;
		const uint32_t *pair = words + e % 2 * 2;
		double wanted;

		isk_philox_block(words, (const uint32_t[4]){(uint32_t)block, (uint32_t)(block >> 32)},
		                 (const uint32_t[2]){(uint32_t)seed, (uint32_t)(seed >> 32)});
		wanted = (double)(((uint64_t)pair[1] << 32 | pair[0]) >> 12) * 0x1p-52;
		same &= memcmp(&y[i], &wanted, sizeof(wanted)) == 0;
	}
	return same;
}

/* Draws n numbers from an offset on, by a kernel with some seed. */
typedef void draw_fn(void *y, size_t n, int64_t offset);

#define DRAW(kernel)                                                           \
	static void draw_##kernel(void *y, size_t n, int64_t offset)               \
	{                                                                          \
		isk_##kernel(y, n, 42, offset);                                        \
	}
DRAW(random_b32)
DRAW(uniform_f32)
DRAW(uniform_f64)
DRAW(normal_f32)

static int is_split(draw_fn *draw, size_t bytes)
{
	_Alignas(double) unsigned char all[MOST * sizeof(double)], parts[MOST * sizeof(double)];
	int same = 1;

	draw(all, MOST, -7);
	for (size_t first = 0; first <= MOST; first++) {
		draw(parts, first, -7);
		draw(parts + first * bytes, MOST - first, -7 + (int64_t)first);
		same &= memcmp(all, parts, MOST * bytes) == 0;
	}
	return same;
}

typedef void dropout_mask_function(uint8_t *y, size_t n, float p, int64_t seed, int64_t offset);

/* Whether all elements from offset on are `kept` at this probability. */
static int is_all(dropout_mask_function *fn, float p, int64_t offset, int kept)
{
	uint8_t y[MOST];
	int same = 1;

	fn(y, MOST, p, 42, offset);
	for (size_t i = 0; i < MOST; i++)
		same &= y[i] == kept;
	return same;
}

/*
 * An element is dropped if its number is less than p. So it is kept if both are equal, and dropped if p is the next larger
 * float. Element 21,467,145 of seed 42 is the first whose number is 0.
 */
static void check_mask(const void *to, const char *isa, void (*kernel)(void))
{
	enum { ZERO = 21467145 };
	dropout_mask_function *const fn = (dropout_mask_function *)kernel;
	float numbers[MOST];
	uint8_t y;
	int same = 1;

	(void)to;
	isk_uniform_f32(numbers, 1, 42, ZERO);
	same &= numbers[0] == 0 && is_all(fn, 0, ZERO - 7, 1) && is_all(fn, -0.0f, ZERO - 7, 1) && is_all(fn, -1, ZERO - 7, 1)
	        && is_all(fn, NAN, ZERO - 7, 1) && is_all(fn, 1, 0, 0) && is_all(fn, INFINITY, 0, 0);
	isk_uniform_f32(numbers, MOST, 42, 0);
	for (int i = 0; i < MOST; i++) {
		fn(&y, 1, numbers[i], 42, i);
		same &= y == 1;
		fn(&y, 1, nextafterf(numbers[i], 2), 42, i);
		same &= y == 0;
	}
	tests++;
	printf("%sok %d - dropout_mask/%s: the ends of a probability\n", same ? "" : "not ", tests, isa);
	failed |= !same;
}

int main(void)
{
	int of_blocks = 1;

	ok(is_known(), "the known answers");
	for (uint64_t i = 0; i < 9; i++)
		of_blocks &= is_of_blocks(0x123456789abcdef0 * i, (i << 34) - 5 * i);
	ok(of_blocks, "words are those of blocks");
	ok(is_f64_of_blocks(42, 3) && is_f64_of_blocks(42, (1ull << 63) - 5) && is_f64_of_blocks(42, UINT64_MAX - 5),
	   "numbers of f64 are those of blocks");
	ok(is_split(draw_random_b32, sizeof(uint32_t)), "random_b32 is the same whatever the split");
	ok(is_split(draw_uniform_f32, sizeof(float)), "uniform_f32 is");
	ok(is_split(draw_uniform_f64, sizeof(double)), "uniform_f64 is");
	ok(is_split(draw_normal_f32, sizeof(float)), "normal_f32 is");
	each_variant("dropout_mask", &tests, check_mask, NULL);
	printf("1..%d\n", tests);
	return failed;
}
