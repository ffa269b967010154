/* SPDX-License-Identifier: MIT */
/*
 * The blocking of all products. C is cut into blocks of MC rows by NC columns, a
 * block into tiles, and k into parts of KC words of A, so that the panels of B
 * which a part of a block reads stay in the second-level cache from one row of
 * tiles to the next. A row of tiles packs its rows of A, a part of k at a time.
 * Sums wait from one part to the next in C, where C can hold them, else in
 * SUM_WORDS words of the stack.
 *
 * One row of tiles reads B only once, and takes as much k as fits its copy of A.
 */
#include "bf16_pairs.h"
#include "micro.h"

drive_fn ISK_FN(drive);
ISK_EXTERN correct_fn ISK_PART(epilogue, correct);

/*
 * Columns of a block: of f32, KC of k by NC are 768 KiB. With 128 instead of
 * 256 up to a tenth is lost, with 512 nothing won (Zen 3).
 */
#define NC (VL == 16 ? 384 : 256)
/*
 * Rows of a block whose sums wait in C, and the rows and columns of one whose sums
 * wait on the stack. As many columns of a strip go through the epilogue at once:
 * a call for each tile costs as much as what it does.
 */
#define MC        (SUM_WORDS / NR / MR * MR)
#define HELD_COLS 128
#define HELD_ROWS (SUM_WORDS / HELD_COLS / MR * MR)
/*
 * Columns of a single row of tiles at most, if k is more than a part: with 256 4x768x3072
 * takes 4 % more, with 1600 4x8192x8192 of 8 bits 5 % (Zen 4). And of a row of AMX tiles.
 */
#define FLAT_COLS 512
#define AMX_COLS  (SUM_WORDS / AMX_ROWS / PANEL * PANEL)

/*
 * Where lines of B have to be widened, tiles of a block are one panel by twice the
 * rows, as far as their copy has room, and each line is widened half as often: f16
 * is an eighth faster, bf16 a twentieth (Zen 4).
 */
#define TALL (FLAT > MR ? FLAT - 2 : MR)

_Static_assert(HELD_ROWS <= MC && HELD_ROWS * HELD_COLS <= SUM_WORDS && FLAT * HELD_COLS <= SUM_WORDS && MC * NR <= SUM_WORDS
                   && FLAT * WIDE_PANELS * PANEL <= SUM_WORDS,
               "each way of blocking has room for its sums");

static int suit_pairs(const struct product *p, size_t row, size_t rows)
{
	return meet_no_denormal((const isk_bf16 *)p->a + row * p->lda, rows, p->k, p->lda, p->least);
}

/* Whether no element of these rows of A but 0 is a denormal once it is 2^24 times smaller. */
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

/* Whether these rows of A can be multiplied as p says, and need not be as p->wide does. */
static int suit(const struct product *p, size_t row, size_t rows)
{
	return !p->wide || (p->kind == PAIRS ? suit_pairs : suit_raised)(p, row, rows);
}

/* Whether tiles read rows of f32 where they are. */
static int in_place(const struct product *p)
{
	return !p->pack && !is_amx(p->kind);
}

/* A call, and how it is cut. */
struct cut {
	const struct product *p;
	int suits;      /* all rows of A do: see suit() */
	int flat;       /* into one row of tiles */
	int in_c;       /* sums can wait in C */
	int by_tile;    /* none wait on the stack but those of a tile that is not all of its columns */
	int plain;      /* sums are C */
	int corrected;  /* complete sums lose what zero points take, and become f32: AMX leaves them integers */
	int looks_ahead; /* tiles bring closer what comes next */
	size_t part;    /* k that is done at once */
	size_t high;    /* rows of the highest tile */
	size_t rows, cols; /* of a block, */
	size_t run;     /* those whose tiles are multiplied in one call, a multiple of each width of tiles, */
	size_t ldsums;  /* and words from one row of its sums to the next */
};

/* Most k of packed rows of A, in whole groups of scales. */
static size_t most_k(const struct product *p, size_t rows, int suits)
{
	const size_t words = (a_stride(rows) - PANEL) / 128 * 128;

	return words / (suits ? (size_t)p->words : (size_t)p->wide->words) * line_k(p->kind);
}

/*
 * Parts of k of a size, in whole groups of scales: of KC words, but FOURS, which may
 * be two each, as large as the copy of A has room for. Half as many strips are packed
 * then, and from longer rows, which the CPU fetches ahead itself: 512x4096x4096
 * takes a twelfth less (Zen 3).
 */
static size_t even_part(const struct product *p, size_t rows, int flat, int suits)
{
	const size_t room = most_k(p, rows, suits), kc = KC / (size_t)p->words * line_k(p->kind);
	const size_t most = flat || p->kind == FOURS || kc > room ? room : kc;

	return p->k > most ? (p->k / ((p->k + most - 1) / most) + 127) / 128 * 128 : most;
}

/* Whole tiles of any width whose sums have room. */
static size_t flat_cols(size_t rows)
{
	const size_t wide = WIDE_PANELS * PANEL, most = SUM_WORDS / rows / wide * wide;

	return most < FLAT_COLS ? most : FLAT_COLS;
}

static struct cut cut_of(const struct product *p)
{
	const struct isk_post *post = p->post;
	const int amx = is_amx(p->kind), amx_integers = amx && has_integers(p->kind);
	const int corrected = post->b_zeros || post->row_zero || (amx_integers && p->c_type != ISK_S32);
	const int in_c = !corrected && (p->c_type == ISK_F32 || p->c_type == ISK_S32)
	                 && (!post->binary || post->other != p->c);
	/* vdpbf16ps wants two panels: one wide, 16 rows are a fifth slower (Zen 4). */
	const size_t most_flat = amx || !p->pack ? 0 : p->kind == PAIRS ? MR : FLAT;
	const int flat = p->m <= most_flat, suits = suit(p, 0, p->m);
	const size_t high = amx           ? AMX_ROWS
	                    : flat        ? most_flat
	                    : in_place(p) ? rows_in_place(p->lda)
	                    : p->kind < PAIRS && line_k(p->kind) > 1 ? TALL : MR;
	const size_t part = amx ? p->pack ? (a_stride(AMX_ROWS) - PANEL) * line_k(p->kind) : SIZE_MAX
	                    : even_part(p, flat ? p->m : high, flat, suits);
	const int by_tile = in_c || p->k <= part;
	struct cut cut = {.p = p, .suits = suits, .flat = flat, .in_c = in_c, .by_tile = by_tile, .corrected = corrected,
	                  .part = part, .high = high};

	cut.plain = sums_are_c(p) && !corrected;
	cut.looks_ahead = !flat && !amx && p->pack && !p->copy && p->words == 1;
	cut.rows = amx ? AMX_ROWS : flat ? most_flat : by_tile ? MC : HELD_ROWS;
	cut.cols = amx ? AMX_COLS : flat ? (p->k > part ? flat_cols(p->m) : p->n) : by_tile ? NC : HELD_COLS;
	cut.run = amx || !by_tile || cut.plain ? cut.cols : HELD_COLS;
	cut.ldsums = amx || !in_c ? cut.run : p->m <= wide_rows(p->kind) ? WIDE_PANELS * PANEL : NR;
	return cut;
}

/* Rows of C, one tile high, and a part of k. */
struct strip {
	const struct product *p; /* how they are multiplied */
	size_t row, at;
	int last;       /* part of k, */
	int straight;   /* whose whole tiles are C */
	struct tile tile; /* what all tiles have in common */
	float *c;               /* rows of C, */
	const unsigned char *b; /* lines of the first panel */
	const float *scales;
	struct ahead *ahead; /* NULL: tiles do not look ahead */
};

/* What all strips of a part of k, which begins at s->at, have in common. */
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
 * Tiles of a strip from a column on, of which left are there: whole ones of one
 * width, or one that is not all of its columns. Their sums may wait in t, and those
 * over k of their rows of A are in row_sums. Returns how many columns they have.
 */
static size_t run_of_tiles(const struct cut *cut, struct strip *s, size_t col, size_t left, float *t,
                           const int32_t *row_sums)
{
	const struct product *p = s->p;
	const size_t room = is_amx(p->kind) ? (left + PANEL - 1) / PANEL * PANEL
	                                    : tile_width(s->tile.rows, left, p->kind, cut->flat);
	const int whole = left >= room, waits_in_c = cut->in_c && whole, straight = s->straight && whole;
	const size_t tiles = whole ? (left < cut->run ? left : cut->run) / room : 1, width = whole ? tiles * room : left;
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
	if (p->sums)
		tile->start = p->sums + col;
	if (tile->group)
		tile->scales = s->scales + col / PANEL * tile->scales_panel;
	if (s->last)
		prefetch_other(p->post, s->row, col, s->tile.rows, width, isk_element_bytes(p->c_type));
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
 * Where the rows of A, and the part of k, begin that come after strip n of a block,
 * whose first row is first: those of the next strip, those of the first one in the
 * next part, or in the end the same again.
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

/* A block: rows by cols of C from (row, col) on. */
static void drive_block(const struct cut *cut, size_t row, size_t col, size_t rows, size_t cols)
{
	const struct product *p = cut->p;
	float sums[SUM_WORDS] __attribute__((aligned(64))), packed[PACKED_WORDS + VL] __attribute__((aligned(64)));
	int32_t row_sums[MC > AMX_ROWS ? MC : AMX_ROWS];
	const size_t strips = (rows + cut->high - 1) / cut->high;
	/*
	 * wide[i]: strip i of A needs p->wide (see suit()). A p->wide is only there if A is copied; strips then have MR rows
	 * or more, and a block at most MC. Strips read in place may outnumber this array, but never need it.
	 */
	unsigned char wide[MC / MR + 1] = {0};
	struct strip s;
	const size_t a_bytes = isk_element_bytes(p->a_type);
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
				s.tile.lda = in_place(p) ? p->lda : p->lda * a_bytes;
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
				s.ahead = &next;
			}
			for (size_t j = 0, width; j < cols; j += width) {
				float *t = sums + (cut->in_c || !cut->by_tile ? i * cut->ldsums : 0) + (cut->by_tile ? 0 : j);

				width = run_of_tiles(cut, &s, col + j, cols - j, t, row_sums + i);
			}
		}
		s.at += s.tile.k;
	} while (s.at < p->k);
}

/*
 * Few rows by few columns, and all of k at once. To look at what larger products may
 * need takes as long as such a product: without, 1x16x64 takes a quarter less (Zen 4).
 */
#define SMALL_COLS 512
#define SMALL_ROWS ((ISK_REGISTERS - 1) / WIDE_VECTORS)

static int is_small(const struct product *p)
{
	/* Packed rows have room for k, an element a word at most: said without the division of a_stride(). */
	return p->n <= SMALL_COLS && p->m <= SMALL_ROWS && p->m * (p->k + 4 * PANEL) <= PACKED_WORDS && p->pack
	       && !is_amx(p->kind) && !p->scales && !p->post->b_zeros && !p->post->row_zero;
}

/* Not inlined: its stack would be taken beside that of a block. */
__attribute__((noinline)) static void drive_small(const struct product *p)
{
	float sums[SMALL_ROWS * SMALL_COLS] __attribute__((aligned(64)));
	float packed[PACKED_WORDS + VL] __attribute__((aligned(64)));
	const int plain = sums_are_c(p);
	const size_t stride = a_stride(p->m);
	struct tile tile = {.factor = -p->a_zero, .as_float = p->c_type != ISK_S32, .a = packed, .panel = p->panel,
	                    .lines = lines_of(p->kind, p->k), .rows = p->m};
	size_t done = 0; /* columns that are in C */

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

/* All of C: all rows first, so what some columns take of B may stay in a cache. */
void ISK_FN(drive)(const struct product *p)
{
	struct cut cut;
	size_t rows;

	if (!p->m || !p->n)
		return;
	if (is_small(p)) {
		drive_small(p);
		return;
	}
	cut = cut_of(p);
	for (size_t j = 0; j < p->n; j += cut.cols)
		for (size_t i = 0, left = (p->m + cut.rows - 1) / cut.rows; left; i += rows, left--) {
			rows = tile_height(p->m - i, left);
			drive_block(&cut, i, j, rows, p->n - j < cut.cols ? p->n - j : cut.cols);
		}
}
