/* SPDX-License-Identifier: MIT */
/*
 * The blocking of all products. C is cut into blocks of MC rows by NC columns, a
 * block into strips (rows of tiles), and k into parts of KC words of A, so that the
 * panels of B that a block reads for a part of k stay in the second-level cache from
 * one strip to the next. A strip packs its rows of A, a part of k at a time. Between
 * parts, sums wait in C if its type holds them, else in SUM_WORDS words of the stack.
 *
 * If the second-level cache has room for the panels of two parts of k, blocks are tall: they have
 * all rows of C, so that each line of B comes from a farther cache once, not once every MC rows,
 * and strips prefetch the panels of the next part of k or of the next block, a few lines at a
 * time. Otherwise the first strip of a block would wait for all of them: a strip of 14 rows uses
 * up a line every 7 cycles, and a core of Sapphire Rapids gets one from its third level in about
 * as many.
 *
 * If C is a single strip, it reads B only once, and a part of k is as long as the copy
 * of A has room for.
 */
#include "bf16_pairs.h"
#include "micro.h"
#include "second_level.h"
#include "thresholds.h"

drive_fn ISK_FN(drive);
ISK_EXTERN correct_fn ISK_PART(epilogue, correct);

/*
 * MC: rows of a block whose sums wait in C. HELD_ROWS: rows of a block whose sums wait on
 * the stack. AMX_COLS: the columns of a strip of AMX tiles.
 */
#define MC        (SUM_WORDS / NR / MR * MR)
#define HELD_ROWS (SUM_WORDS / HELD_COLS / MR * MR)
#define AMX_COLS  (SUM_WORDS / AMX_ROWS / PANEL * PANEL)

/*
 * If panel lines of B have to be widened, tiles of a block are one panel wide and twice as
 * high, as far as the copy of A has room, so that each line is widened half as often: f16
 * takes 0.89 times the time, bf16 0.95 (Zen 4).
 */
#define TALL (FLAT > MR ? FLAT - 2 : MR)

_Static_assert(HELD_ROWS <= MC && HELD_ROWS * HELD_COLS <= SUM_WORDS && FLAT * HELD_COLS <= SUM_WORDS && MC * NR <= SUM_WORDS
                   && FLAT * WIDE_PANELS * PANEL <= SUM_WORDS,
               "each way of blocking has room for its sums");

static int suit_pairs(const struct product *p, size_t row, size_t rows)
{
	return meet_no_denormal((const isk_bf16 *)p->a + row * p->lda, rows, p->k, p->lda, p->least);
}

/* Whether all elements of these rows of A, divided by 2^24, are 0 or normal numbers. */
static int suit_raised(const struct product *p, size_t row, size_t rows)
{
	const float *a = (const float *)p->a + row * p->lda;
	const vi least = vf_bits(vf_set1(0x1p-126f * (1 << 24)));
	vm small = vm_first(0);

	for (; rows; rows--, a += p->lda)
		for (size_t i = 0; i < p->k; i += VL) {
			const vi x = vf_bits(vf_abs(vf_load_as(a, i, p->k - i, ISK_F32)));

			small = vm_or(small, vm_and(vi_gt(x, vi_set1(0)), vi_gt(least, x)));
		}
	return !vm_any(small);
}

/* Whether p may multiply these rows of A; if not, p->wide must. */
static int suit(const struct product *p, size_t row, size_t rows)
{
	return !p->wide || (p->kind == PAIRS ? suit_pairs : suit_raised)(p, row, rows);
}

/* Whether tiles read rows of A as 32-bit words in place. */
static int in_place(const struct product *p)
{
	return !p->pack && !is_amx(p->kind);
}

/* The 32-bit words from one row of an A that is read in place to the next. */
static size_t row_words(const struct product *p)
{
	return element_words(p->kind) * p->lda;
}

/* How a product is cut into blocks, strips and parts of k. */
struct cut {
	const struct product *p;
	int suits;      /* all rows of A suit p: see suit() */
	int flat;       /* C is a single strip */
	int in_c;       /* sums can wait in C */
	int by_tile;    /* between parts of k only incomplete tiles, with columns beyond C, keep their sums on the stack */
	int plain;      /* complete sums are the elements of C */
	struct finish *finish; /* tiles make elements of C of their sums, as far as they can: see finishes(); NULL: none does */
	int corrected;  /* complete sums go through correct(), which subtracts terms of zero points and makes them f32 for C */
	int looks_ahead; /* tiles prefetch for the next ones */
	int tall;       /* a block of whole tiles has all rows of C */
	size_t part;    /* number of k multiplied at once */
	size_t high;    /* rows of the highest tile */
	size_t rows, cols; /* size of a block */
	size_t run;     /* columns of tiles multiplied by one call, a multiple of each tile width */
	size_t ldsums;  /* words from one row of sums on the stack to the next */
};

/* The most k for which packed rows of A have room, in whole groups of scales. */
static size_t most_k(const struct product *p, size_t rows, int suits)
{
	const size_t words = (a_stride(rows) - PANEL) / 128 * 128;

	return words / (suits ? (size_t)p->words : (size_t)p->wide->words) * line_k(p->kind);
}

/*
 * The size of parts of k that are about equal, in whole groups of scales and of at most KC
 * words. FOURS, and a single strip, take as much as the copy of A has room for. FOURS gain
 * because half as many strips are packed, from longer rows, which the CPU fetches ahead by
 * itself: 512x4096x4096 takes 0.92 times the time (Zen 3).
 */
static size_t even_part(const struct product *p, size_t rows, int flat, int suits)
{
	const size_t room = most_k(p, rows, suits), kc = KC / (size_t)p->words * line_k(p->kind);
	const size_t most = flat || p->kind == FOURS || kc > room ? room : kc, whole = 128 / element_words(p->kind);

	return p->k > most ? (p->k / ((p->k + most - 1) / most) + whole - 1) / whole * whole : most;
}

/* Columns of a single strip whose sums have room on the stack, in whole tiles of any width. */
static size_t flat_cols(size_t rows)
{
	const size_t wide = WIDE_PANELS * PANEL, most = SUM_WORDS / rows / wide * wide;

	return most < FLAT_COLS ? most : FLAT_COLS;
}

/* Whether each element of C of f64 is to be fma(other_scale, C, scale * sum), with one scale or none. */
static int adds_to_c(const struct product *p)
{
	const struct isk_post *post = p->post;

	return post->binary == ISK_BINARY_AXPY && post->other == p->c && post->ldother * element_words(p->kind) == p->ldc
	       && post->act == ISK_ACT_NONE && post->scales <= 1 && !post->row_scale && !post->bias;
}

/* Whether tiles can finish elements of C; sets what they need for it. */
static int can_finish(const struct product *p, struct finish *finish)
{
	if (p->kind == F64) {
		finish->post = p->post;
		return adds_to_c(p);
	}
	return p->kind == WIDE_F32 && p->c_type == ISK_F32 && !sums_are_c(p) && can_finish_f32(finish, p->post);
}

/*
 * Whether up to FLAT rows that are more than MR become two strips of tiles of two panels, not one tile of one panel.
 * A tile of one panel loads an element of A for each instruction, which CPUs with two loads and two such instructions a
 * cycle do not do at their peak. Two strips read B twice, so for FOURS it must be in the second-level cache. Zen 5 (loaded),
 * 8 bits, time of two strips: 16x256x256 0.90, 16x512x512 0.92, 16x768x768 0.91, 28x768x768 0.88 to 0.95; f32 gains nothing
 * there, and takes 1.06 at 16x4096x4096. PAIRS of one panel take 1.2 times the time at 16 rows (Zen 4).
 * Row: gemm_s8s8_s32/16x768x768
 */
static int takes_two_panels(const struct product *p)
{
	const size_t bytes = (p->n + PANEL - 1) / PANEL * p->panel;

	return p->kind == PAIRS || (p->kind == FOURS && bytes <= isk_second_level());
}

static struct cut cut_of(const struct product *p, struct finish *finish)
{
	const struct isk_post *post = p->post;
	const int amx = is_amx(p->kind), amx_integers = amx && has_integers(p->kind);
	const int corrected = post->b_zeros || post->row_zero || (amx_integers && p->c_type != ISK_S32);
	const int in_c = !corrected && holds_sums(p->c_type)
	                 && (!post->binary || post->other != p->c);
	const size_t most_flat = amx || !p->pack ? 0 : takes_two_panels(p) ? MR : FLAT;
	const int flat = p->m <= most_flat, suits = suit(p, 0, p->m);
	const size_t high = amx           ? AMX_ROWS
	                    : flat        ? most_flat
	                    : in_place(p) ? rows_in_place(row_words(p))
	                    : p->kind < PAIRS && line_k(p->kind) > 1 ? TALL : MR;
	const size_t part = amx ? p->pack ? (a_stride(AMX_ROWS) - PANEL) * line_k(p->kind) : SIZE_MAX
	                    : even_part(p, flat ? p->m : high, flat, suits);
	const int by_tile = in_c || p->k <= part;
	struct cut cut = {.p = p, .suits = suits, .flat = flat, .in_c = in_c, .by_tile = by_tile, .corrected = corrected,
	                  .part = part, .high = high};

	cut.plain = sums_are_c(p) && !corrected;
	cut.finish = !flat && p->k <= part && can_finish(p, finish) ? finish : NULL;
	cut.looks_ahead = !flat && !amx && p->pack && !p->copy && (p->words == 1 || p->kind == F64);
	cut.tall = cut.looks_ahead && by_tile && suits && !post->b_zeros && p->m >= TALL_ROWS && isk_second_level() >= TALL_LEVEL;
	cut.rows = amx ? AMX_ROWS : flat ? most_flat : by_tile ? MC : HELD_ROWS;
	cut.cols = amx ? AMX_COLS : flat ? (p->k > part ? flat_cols(p->m) : p->n) : by_tile ? NC : HELD_COLS;
	cut.run = amx || !by_tile || cut.plain ? cut.cols : HELD_COLS;
	cut.ldsums = amx || !in_c ? cut.run : p->m <= wide_rows(p->kind) ? WIDE_PANELS * PANEL : NR;
	return cut;
}

/* A strip: rows of C, one tile high, and a part of k. */
struct strip {
	const struct product *p; /* multiplies these rows: the cut's p or its wide */
	size_t row, at; /* first row of C, first k */
	int last;       /* this is the last part of k */
	int straight;   /* whole tiles go to C without an epilogue */
	struct tile tile; /* the fields that all tiles share */
	float *c;               /* first row of the strip in C */
	const unsigned char *b; /* first line of this part of k in the first panel */
	const float *scales;    /* first scales of this part of k in the first panel */
	struct ahead *ahead; /* NULL: tiles do not look ahead */
};

/* Sets the fields that all strips share in the part of k that begins at s->at. */
static void begin_part(const struct cut *cut, struct strip *s)
{
	const struct product *p = cut->p;
	struct tile *tile = &s->tile;

	tile->k = p->k - s->at < cut->part ? p->k - s->at : cut->part;
	s->last = s->at + tile->k == p->k;
	s->straight = s->last && cut->plain;
	s->b = p->panels + lines_of(p->kind, s->at) * ISK_PACKED_LINE;
	tile->as_float = s->last && p->c_type != ISK_S32 && !cut->corrected;
	tile->lines = lines_of(p->kind, tile->k);
	tile->group = 0;
	if (p->scales && tile->lines) {
		tile->group = p->group / line_k(p->kind);
		tile->scales_panel = (p->k + p->group - 1) / p->group * PANEL;
		s->scales = p->scales + s->at / p->group * PANEL;
	}
}

/*
 * Multiplies tiles of a strip from column col on; `left` columns remain. They are whole tiles
 * of one width, or one incomplete tile. Sums may wait in t. row_sums has the sums over k of
 * the strip's rows of A. Returns the number of columns done.
 */
static size_t run_of_tiles(const struct cut *cut, struct strip *s, size_t col, size_t left, float *t,
                           const int32_t *row_sums)
{
	const struct product *p = s->p;
	const int one_stream = p->kind == FOURS && s->tile.rows == 1 && s->tile.lines < WIDE_LINES;
	const size_t room = is_amx(p->kind) ? (left + PANEL - 1) / PANEL * PANEL
	                    : one_stream    ? PANEL
	                                    : tile_width(s->tile.rows, left, p->kind, cut->flat);
	const int whole = left >= room, waits_in_c = cut->in_c && whole;
	const int finish = cut->finish && whole && finishes(s->tile.rows, room, p->kind, in_place(p));
	const int straight = (s->straight && whole) || finish;
	const size_t run = finish ? left : cut->run, tiles = whole ? (left < run ? left : run) / room : 1;
	const size_t width = whole ? tiles * room : left;
	float *const sums = waits_in_c ? s->c + col : t;
	const size_t ldsums = waits_in_c ? p->ldc : cut->ldsums;
	struct tile *tile = &s->tile;

	tile->c = straight ? s->c + col : sums;
	tile->ldc = straight ? p->ldc : ldsums;
	tile->t = s->at ? sums : NULL;
	tile->ldt = ldsums;
	tile->b = s->b + col / PANEL * p->panel;
	tile->ahead = room == NR ? s->ahead : NULL;
	if (tile->ahead)
		tile->ahead->c = cut->in_c ? (const char *)(s->c + col + NR) : (const char *)t;
	tile->panels = room / PANEL;
	tile->more = tiles - 1;
	tile->finish = NULL;
	if (finish) {
		tile->finish = cut->finish;
		tile->finish->row = s->row;
		tile->finish->col = col;
	}
	if (p->sums)
		tile->start = p->sums + col;
	if (tile->group)
		tile->scales = s->scales + col / PANEL * tile->scales_panel;
	if (s->last && !straight)
		prefetch_other(p->post, s->row, col, s->tile.rows, width, p->c_type);
	p->micro(tile);
	if (s->last && !straight) {
		const struct epilogue e = {p->c, p->ldc, sums, ldsums, s->row, col, s->tile.rows, width, p->post};

		if (cut->corrected)
			ISK_PART(epilogue, correct)(&e, p, row_sums, p->c_type != ISK_S32);
		p->epilogue(&e);
	}
	return width;
}

/*
 * The address in A that strip n prefetches: the next strip's rows, after the last strip the
 * rows of the first one (row `first`) in the next part of k, after the last whole part its own
 * rows again.
 */
static const char *next_a(const struct cut *cut, const struct strip *s, size_t n, size_t strips, size_t first)
{
	const struct product *p = cut->p;
	size_t row = s->row, at = s->at;

	if (n + 1 < strips) {
		row += s->tile.rows;
	} else if (p->k - at >= 2 * cut->part) {
		row = first;
		at += cut->part;
	}
	return (const char *)p->a + (row * p->lda + at) * isk_element_bytes(p->a_type);
}

/* Whether a block of these columns has no incomplete tile, so that no sums of its rows wait on the stack. */
static int is_tall(const struct cut *cut, size_t cols)
{
	return cut->tall && cols % PANEL == 0;
}

/* Has a tall block of some strips prefetch the panels of the next part of k or, in its last part, of the next block. */
static void prefetch_after(struct ahead *next, const struct cut *cut, const struct strip *s, size_t col, size_t cols, size_t strips)
{
	const struct product *p = cut->p;
	const size_t after = p->n - col - cols, width = !s->last ? cols : after < cut->cols ? after : cut->cols;

	next->b = s->last ? p->panels + (col + cols) / PANEL * p->panel : s->b + col / PANEL * p->panel + s->tile.lines * ISK_PACKED_LINE;
	next->panel = p->panel;
	next->lines = s->tile.lines;
	next->line = 0;
	next->left = width / PANEL * next->lines;
	/* The first strip has its own panels to wait for. */
	next->each = next->left / ((strips - 1) * STRIPS * ((cols + NR - 1) / NR)) + 1;
}

/* Computes a block: rows by cols of C from (row, col) on. */
static void drive_block(const struct cut *cut, size_t row, size_t col, size_t rows, size_t cols)
{
	const struct product *p = cut->p;
	float sums[SUM_WORDS] __attribute__((aligned(64))), packed[PACKED_WORDS + VL] __attribute__((aligned(64)));
	int32_t row_sums[MC > AMX_ROWS ? MC : AMX_ROWS]; /* a tall block, which may have more rows, needs none */
	const size_t strips = (rows + cut->high - 1) / cut->high;
	/*
	 * wide[i]: strip i of A needs p->wide (see suit()). A p->wide is only there if A is copied; strips then have MR rows
	 * or more, and a block at most MC. Strips read in place, and those of a tall block, may outnumber this array, but never need it.
	 */
	unsigned char wide[MC / MR + 1] = {0};
	struct strip s;
	const size_t a_bytes = isk_element_bytes(p->a_type);
	const int tall = is_tall(cut, cols);
	struct ahead next = {.lda = p->lda * a_bytes, .ldc = p->ldc * sizeof(float)};
	int looks_ahead = cut->looks_ahead;
	struct taps taps = {.height = 1, .width = 1};

	for (size_t n = 0, i = 0, height; !cut->suits && n < strips; n++, i += height) {
		height = tile_height(rows - i, strips - n);
		wide[n] = !suit(p, row + i, height);
		looks_ahead &= !wide[n];
	}
	for (size_t i = 0; i < rows && p->post->b_zeros; i++)
		row_sums[i] = 0;
	s.at = 0;
	s.tile.factor = -p->a_zero;
	s.tile.panel = p->panel;
	s.tile.taps = in_place(p) ? &taps : NULL;
	do {
		begin_part(cut, &s);
		next.left = 0;
		s.row = row;
		for (size_t n = 0; n < strips; n++, s.row += s.tile.rows) {
			const size_t i = s.row - row;

			s.p = !cut->suits && wide[n] ? p->wide : p;
			s.tile.rows = tile_height(rows - i, strips - n);
			s.c = (float *)p->c + s.row * p->ldc;
			if (p->pack) {
				const size_t stride = a_stride(s.tile.rows);

				s.tile.a = packed;
				s.tile.lda = stride * sizeof(float);
				s.p->pack(packed, stride, s.p, s.row, s.tile.rows, s.at, s.tile.k);
			} else {
				s.tile.lda = in_place(p) ? row_words(p) : p->lda * a_bytes;
				s.tile.a = (const float *)(const void *)((const char *)p->a + (s.row * p->lda + s.at) * a_bytes);
				taps.lines = s.tile.lines;
			}
			if (p->post->b_zeros)
				p->row_sums(row_sums + i, s.tile.a, s.tile.lda, s.tile.rows, s.tile.k, p);
			s.ahead = NULL;
			if (looks_ahead && s.tile.lines >= LOOKS_AHEAD && s.tile.rows + 1 >= MR && s.tile.rows > wide_rows(p->kind)) {
				next.row = next_a(cut, &s, n, strips, row);
				next.at = 0;
				next.bytes = s.tile.k * a_bytes;
				next.step = next.bytes * NR / cols;
				if (tall && n == 1)
					prefetch_after(&next, cut, &s, col, cols, strips);
				s.ahead = &next;
			}
			for (size_t j = 0, width; j < cols; j += width) {
				float *t = sums + ((cut->in_c && !tall) || !cut->by_tile ? i * cut->ldsums : 0) + (cut->by_tile ? 0 : j);

				width = run_of_tiles(cut, &s, col + j, cols - j, t, row_sums + i);
			}
		}
		s.at += s.tile.k;
	} while (s.at < p->k);
}

/*
 * Products of few rows and columns take all of k at once and skip cut_of(), because deciding how
 * to block a product this small takes as long as computing it.
 */
#define SMALL_ROWS ((ISK_REGISTERS - 1) / WIDE_VECTORS)

static int is_small(const struct product *p)
{
	const size_t words = element_words(p->kind) * p->k;

	/* The term with PACKED_WORDS says that packed rows have room for their words, without the division of a_stride(). */
	return p->n <= SMALL_COLS && p->m <= SMALL_ROWS && p->m * (words + 4 * PANEL) <= PACKED_WORDS && p->pack
	       && !is_amx(p->kind) && !p->scales && !p->post->b_zeros && !p->post->row_zero;
}

/* Not inlined, because its stack would add to that of a block. */
__attribute__((noinline)) static void drive_small(const struct product *p)
{
	float sums[SMALL_ROWS * SMALL_COLS] __attribute__((aligned(64)));
	float packed[PACKED_WORDS + VL] __attribute__((aligned(64)));
	const int plain = sums_are_c(p);
	const size_t stride = a_stride(p->m);
	struct tile tile = {.factor = -p->a_zero, .as_float = p->c_type != ISK_S32, .a = packed, .lda = stride * sizeof(float),
	                    .panel = p->panel, .lines = lines_of(p->kind, p->k), .rows = p->m};
	size_t done = 0; /* columns already in C */

	p = suit(p, 0, p->m) ? p : p->wide;
	p->pack(packed, stride, p, 0, p->m, 0, p->k);
	for (size_t j = 0, room; j < p->n; j += room) {
		room = tile_width(p->m, p->n - j, p->kind, 1);
		tile.c = sums + j;
		tile.ldc = SMALL_COLS;
		if (plain && p->n - j >= room) {
			tile.c = (float *)p->c + j;
			tile.ldc = p->ldc;
			done = j + room;
		}
		tile.b = p->panels + j / PANEL * p->panel;
		tile.start = p->sums + j;
		tile.panels = room / PANEL;
		p->micro(&tile);
	}
	if (done < p->n) {
		const struct epilogue e = {p->c, p->ldc, sums + done, SMALL_COLS, 0, done, p->m, p->n - done, p->post};

		p->epilogue(&e);
	}
}

/* Computes all of C: all rows of some columns before the next columns, so that the panels of B may stay in a cache. */
void ISK_FN(drive)(const struct product *p)
{
	struct finish finish;
	struct cut cut;
	size_t rows;

	if (!p->m || !p->n)
		return;
	if (is_small(p)) {
		drive_small(p);
		return;
	}
	cut = cut_of(p, &finish);
	for (size_t j = 0; j < p->n; j += cut.cols) {
		const size_t cols = p->n - j < cut.cols ? p->n - j : cut.cols, most = is_tall(&cut, cols) ? p->m : cut.rows;

		for (size_t i = 0, left = (p->m + most - 1) / most; left; i += rows, left--) {
			rows = tile_height(p->m - i, left);
			drive_block(&cut, i, j, rows, cols);
		}
	}
}
