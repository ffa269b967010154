/* SPDX-License-Identifier: MIT */
/*
 * The micro-kernel of AMX. 16 panel lines fill a tile register of B, 64 bytes of 16 rows
 * one of A; both are loaded in place. It multiplies up to 32 rows by all panels of the
 * tile: more than 16 rows as two registers of A by two panels at a time, other tiles as one
 * register by four panels. The last bytes of k, if fewer than 64, come from copies padded
 * with 0, because a panel is followed by the next one. The tile configuration sets the
 * number of rows.
 *
 * tdpbf16ps adds to an element of C the sum of two chains of 16 fused
 * multiply-adds, from +0, over even and over odd k. The first terms are exact, so
 * there are ceil(k / 2) roundings up to k = 32 and 15 + ceil(k / 32) beyond: within
 * the bound of k. The order depends on k alone. Denormals are taken for 0.
 */
#include "amx.h"
#include "micro.h"

micro_fn ISK_FN(micro_amx_bf16), ISK_FN(micro_amx_us), ISK_FN(micro_amx_ss);
row_sums_fn ISK_FN(row_sums_amx);

#define STEP_BYTES 64
#define GROUP      4 /* panels at a time */

static void configure(size_t rows)
{
	const size_t upper = rows > ISK_AMX_ROWS ? (rows + 1) / 2 : rows;
	struct isk_amx_config config = {.palette = 1};

	for (int t = 0; t < ISK_AMX_TILES; t++) {
		const int lower = rows > ISK_AMX_ROWS && (t == 2 || t == 3 || t == 5);

		config.bytes[t] = STEP_BYTES;
		config.rows[t] = t >= 6 ? ISK_AMX_ROWS : (uint8_t)(lower ? rows - upper : upper);
	}
	tile_config(&config);
}

#define AMX_PRODUCT(c, a, b)                                                                                 \
	do {                                                                                                     \
		if (kind == TILES_US)                                                                                \
			tile_dpb_us(c, a, b);                                                                            \
		else if (kind == TILES_SS)                                                                           \
			tile_dpb_ss(c, a, b);                                                                            \
		else                                                                                                 \
			tile_dpbf16(c, a, b);                                                                            \
	} while (0)

/*
 * Multiplies 64 bytes of k. Registers 0 to 3 are C, row by row if A has two; 4 is the
 * upper rows of A, 5 the lower ones (if two); 6 and 7 are B.
 */
ISK_INLINE void step(const unsigned char *a, size_t lda, size_t upper, const unsigned char *b, size_t panel,
                     size_t panels, const int two, const enum operand kind)
{
	tile_load(4, a, lda);
	if (two)
		tile_load(5, a + upper * lda, lda);
	tile_load(6, b, ISK_PACKED_LINE);
	AMX_PRODUCT(0, 4, 6);
	if (two)
		AMX_PRODUCT(2, 5, 6);
	if (panels < 2)
		return;
	tile_load(7, b + panel, ISK_PACKED_LINE);
	AMX_PRODUCT(1, 4, 7);
	if (two)
		AMX_PRODUCT(3, 5, 7);
	if (two || panels < 3)
		return;
	tile_load(6, b + 2 * panel, ISK_PACKED_LINE);
	AMX_PRODUCT(2, 4, 6);
	if (panels < 4)
		return;
	tile_load(7, b + 3 * panel, ISK_PACKED_LINE);
	AMX_PRODUCT(3, 4, 7);
}

/* Whether register c of C is used. The registers of C are two rows of two panels, or four panels side by side. */
ISK_INLINE int is_used(const size_t c, size_t panels, const int two)
{
	return (two ? c % 2 : c) < panels;
}

/* The index in t, which has rows of ld floats, of the first sum of register c of C. */
ISK_INLINE size_t place_of(const size_t c, size_t ld, size_t upper, const int two)
{
	return two ? c / 2 * upper * ld + c % 2 * PANEL : c * PANEL;
}

#define EACH_OF_C(MOVE) MOVE(0) MOVE(1) MOVE(2) MOVE(3)

static void load_sums(const float *t, size_t ld, size_t upper, size_t panels, const int two)
{
#define LOAD(c)                                                                                              \
	if (is_used(c, panels, two))                                                                             \
		tile_load(c, t + place_of(c, ld, upper, two), ld * sizeof(*t));
	EACH_OF_C(LOAD)
}

static void store_sums(float *t, size_t ld, size_t upper, size_t panels, const int two)
{
#define STORE(c)                                                                                             \
	if (is_used(c, panels, two))                                                                             \
		tile_store(t + place_of(c, ld, upper, two), ld * sizeof(*t), c);
	EACH_OF_C(STORE)
}

/* Starts sums from 0, or from factor * start: a line for each panel, which all rows load (stride 0). */
static void start_sums(const struct tile *t, size_t col, size_t upper, size_t panels, const int two)
{
	float line[GROUP * PANEL] __attribute__((aligned(ISK_PACKED_LINE))) = {0};

	for (size_t i = 0; i < panels * PANEL && t->factor; i += VL)
		vf_store(line + i, vi_float((vi)((vu)vi_load(t->start + col + i) * (uint32_t)t->factor)));
	load_sums(line, 0, upper, panels, two);
}

/* Copies the last bytes of each row of A, after the whole steps, padded with 0. */
static void copy_tail(unsigned char *to, const unsigned char *from, size_t ld, size_t rows, size_t bytes)
{
	for (; rows; rows--, from += ld, to += STEP_BYTES)
		vi_store((int32_t *)(void *)to, vi_load_bytes(from, bytes));
}

/* Multiplies all taps of an image whose channels are whole steps and whose rows are 32-bit words. */
ISK_INLINE void multiply_taps_amx(const unsigned char *a, const unsigned char *b, const struct tile *t, size_t upper,
                                  size_t panels, const int two, const enum operand kind)
{
	const struct taps *taps = t->taps;

	for (size_t u = taps->height; u; u--, a += 4 * taps->row, b += taps->skip)
		for (size_t v = taps->width; v; v--, a += 4 * taps->tap)
			for (size_t i = taps->lines; i; i -= 16, a += STEP_BYTES, b += 16 * ISK_PACKED_LINE)
				step(a, 4 * t->lda, upper, b, t->panel, panels, two, kind);
}

ISK_INLINE void multiply_panels(const struct tile *t, const unsigned char *tail, size_t bytes, const int two,
                                const enum operand kind)
{
	const size_t upper = two ? (t->rows + 1) / 2 : t->rows, whole = bytes / STEP_BYTES * STEP_BYTES;
	const size_t size = ISK_AMX_ROWS * ISK_PACKED_LINE, lines = (bytes - whole + 3) / 4;
	unsigned char last[GROUP * ISK_AMX_ROWS * ISK_PACKED_LINE] __attribute__((aligned(ISK_PACKED_LINE)));
	size_t panels;

	for (size_t p = 0; p < t->panels; p += panels) {
		const unsigned char *a = (const unsigned char *)t->a, *b = t->b + p * t->panel;

		panels = t->panels - p < (two ? 2 : GROUP) ? t->panels - p : two ? 2 : GROUP;
		if (t->t)
			load_sums(t->t + p * PANEL, t->ldt, upper, panels, two);
		else
			start_sums(t, p * PANEL, upper, panels, two);
		if (t->taps)
			multiply_taps_amx(a, b, t, upper, panels, two, kind);
		/* A step of 64 bytes of k is 16 panel lines, each 4 bytes of k. */
		for (size_t at = 0; at < whole; at += STEP_BYTES)
			step(a + at, t->lda, upper, b + at * ISK_PACKED_LINE / 4, t->panel, panels, two, kind);
		for (size_t i = 0; i < panels && lines; i++)
			for (size_t line = 0; line < ISK_AMX_ROWS; line++)
				vi_store((int32_t *)(void *)(last + i * size + line * ISK_PACKED_LINE),
				         line < lines ? vi_load_bytes(b + i * t->panel + (whole / 4 + line) * ISK_PACKED_LINE, 64)
				                      : vi_set1(0));
		if (lines)
			step(tail, STEP_BYTES, upper, last, size, panels, two, kind);
		store_sums(t->c + p * PANEL, t->ldc, upper, panels, two);
	}
}

ISK_INLINE void amx(const struct tile *t, const enum operand kind)
{
	const size_t bytes = kind == TILES_BF16 ? 2 * t->k : t->k, whole = bytes / STEP_BYTES * STEP_BYTES;
	unsigned char tail[AMX_ROWS * STEP_BYTES] __attribute__((aligned(ISK_PACKED_LINE)));

	if (whole < bytes)
		copy_tail(tail, (const unsigned char *)t->a + whole, t->lda, t->rows, bytes - whole);
	configure(t->rows);
	if (t->rows > ISK_AMX_ROWS)
		multiply_panels(t, tail, bytes, 1, kind);
	else
		multiply_panels(t, tail, bytes, 0, kind);
	tile_release();
}

void ISK_FN(micro_amx_bf16)(struct tile *t)
{
	amx(t, TILES_BF16);
}

void ISK_FN(micro_amx_us)(struct tile *t)
{
	amx(t, TILES_US);
}

void ISK_FN(micro_amx_ss)(struct tile *t)
{
	amx(t, TILES_SS);
}

void ISK_FN(row_sums_amx)(int32_t *sums, const float *a, size_t lda, size_t rows, size_t k,
                          const struct product *p)
{
	const unsigned char *row = (const unsigned char *)a;
	const vi ones = vi_set1(0x01010101);

	for (; rows; rows--, row += lda, sums++) {
		uint32_t total = (uint32_t)*sums;
		vi sum = vi_set1(0);

		for (size_t i = 0; i < k; i += 4 * VL) {
			const vi x = vi_load_bytes(row + i, k - i);

			sum = p->kind == TILES_SS ? vi_dot(sum, ones, x) : vi_dot(sum, x, ones);
		}
		for (int i = 0; i < VL; i++)
			total += (uint32_t)sum[i];
		*sums = (int32_t)total;
	}
}
