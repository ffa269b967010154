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

/* Columns of a block: of f32, KC of k by NC are 256 or 384 KiB. */
#define NC (VL == 16 ? 384 : 256)
/*
 * Rows of a block whose sums wait in C, and the rows and columns of one whose sums
 * wait on the stack. As many columns of a strip go through the epilogue at once:
 * a call for each tile costs as much as what it does.
 */
#define MC        (SUM_WORDS / NR / MR * MR)
#define HELD_COLS 128
#define HELD_ROWS (SUM_WORDS / HELD_COLS / MR * MR)
/* Columns of a single row of tiles, and of one of AMX. */
#define FLAT_COLS (SUM_WORDS / FLAT / PANEL * PANEL < 256 ? SUM_WORDS / FLAT / PANEL * PANEL : 256)
#define AMX_COLS  (SUM_WORDS / AMX_ROWS / PANEL * PANEL)

/*
 * Where lines of B have to be widened, tiles of a block are one panel by twice the
 * rows, as far as their copy has room, and each line is widened half as often: f16
 * is an eighth faster, bf16 a twentieth (Zen 4).
 */
#define TALL (FLAT > MR ? FLAT - 2 : MR)

/* Two parts of a tile that is MR high, or one less, are side by side. */
#define SECOND (KC + PANEL)

_Static_assert(HELD_ROWS * HELD_COLS <= SUM_WORDS && FLAT * HELD_COLS <= SUM_WORDS && FLAT * FLAT_COLS <= SUM_WORDS
                   && MC * NR <= SUM_WORDS && WIDE_PANELS * PANEL * MR <= SUM_WORDS,
               "each way of blocking has room for its sums");
_Static_assert((PACKED_WORDS / PANEL / MR - 1) / 2 * 2 * PANEL + PANEL >= SECOND + KC, "room for two parts");
_Static_assert((PACKED_WORDS / PANEL / TALL - 1) / 2 * 2 * PANEL + PANEL >= KC, "room for the highest tile of a block");

/* A call, and how it is cut. */
struct cut {
	const struct product *p;
	int flat;       /* into one row of tiles */
	int in_c;       /* sums can wait in C */
	int by_tile;    /* none wait on the stack but those of a tile that is not all of its columns */
	int plain;      /* sums are C */
	int corrected;  /* complete sums lose what zero points take, and become f32: AMX leaves them integers */
	int looks_ahead; /* tiles bring closer what comes next, */
	int packs_ahead; /* and pack it, which is copying */
	size_t part;    /* k that is done at once */
	size_t high;    /* rows of the highest tile */
	size_t rows, cols; /* of a block, */
	size_t run;     /* those of a strip that go through the epilogue at once, a multiple of each width of tiles, */
	size_t ldsums;  /* and words from one row of its sums to the next */
};

/* Most k of packed rows of A, in whole groups of scales. */
static size_t most_k(const struct product *p, size_t rows)
{
	const size_t words = (a_stride(rows) - PANEL) / 128 * 128;

	/* PAIRS with denormals are widened, to two words. */
	return words / (p->kind == PAIRS ? 2 : (size_t)p->words) * line_k(p->kind);
}

/*
 * FOURS that become two words: parts of k of a size, as large as the copy of A has
 * room for. Half as many strips are packed as with parts of KC, and from longer
 * rows, which the CPU fetches ahead itself: 512x4096x4096 takes a twelfth less (Zen 3).
 */
static size_t even_part(const struct product *p)
{
	const size_t parts = p->k / most_k(p, MR) + 1;

	return (p->k / parts / 64 + 1) * 64;
}

static struct cut cut_of(const struct product *p)
{
	const struct isk_post *post = p->post;
	const int amx = is_amx(p->kind), amx_integers = amx && has_integers(p->kind);
	const int corrected = post->b_zeros || post->row_zero || (amx_integers && p->c_type != ISK_S32);
	const int in_c = !corrected && (p->c_type == ISK_F32 || p->c_type == ISK_S32)
	                 && (!post->binary || post->other != p->c);
	/* vdpbf16ps wants two panels: one wide, 16 rows are a fifth slower (Zen 4). */
	const size_t most_flat = amx ? 0 : p->kind == PAIRS ? MR : FLAT;
	const int flat = p->m <= most_flat;
	const size_t part = amx ? p->pack ? (a_stride(AMX_ROWS) - PANEL) * line_k(p->kind) : SIZE_MAX
	                    : flat ? most_k(p, p->m ? p->m : 1)
	                    : p->kind == FOURS && p->words > 1 ? even_part(p)
	                           : KC / (size_t)p->words * line_k(p->kind);
	const int by_tile = in_c || p->k <= part;
	struct cut cut = {.p = p, .flat = flat, .in_c = in_c, .by_tile = by_tile, .corrected = corrected, .part = part};

	cut.plain = post_is_plain(post) && !corrected && (p->c_type == ISK_F32 || p->c_type == ISK_S32);
	cut.packs_ahead = !flat && !amx && p->pack && !p->copy && p->words == 1 && p->kind != FOURS
	                  && (p->kind == PAIRS || p->a_type == ISK_F32);
	cut.looks_ahead = cut.packs_ahead || (!flat && p->kind == FOURS && p->words == 1 && !p->copy);
	cut.high = amx ? AMX_ROWS : flat ? most_flat : p->kind < PAIRS && line_k(p->kind) > 1 ? TALL : MR;
	cut.rows = amx ? AMX_ROWS : flat ? most_flat : by_tile ? MC : HELD_ROWS;
	cut.cols = amx ? AMX_COLS : flat ? (p->k > part ? FLAT_COLS : p->n) : by_tile ? NC : HELD_COLS;
	cut.run = amx || !by_tile ? cut.cols : HELD_COLS;
	cut.ldsums = amx || !in_c ? cut.run : p->m <= wide_rows(p->kind) ? WIDE_PANELS * PANEL : NR;
	return cut;
}

/* Rows of C, one tile high, and a part of k. */
struct strip {
	const struct product *p; /* how they are multiplied */
	size_t row, rows, at, k;
	const float *a; /* as micro-kernels read them, */
	size_t lda;     /* AMX: bytes apart */
	int last;       /* part of k, */
	int straight;   /* whose whole tiles are C */
	struct tile tile; /* what all tiles have in common */
	float *c;               /* rows of C, */
	const unsigned char *b; /* lines of the first panel */
	const float *scales;
};

/* What is worked out once for all tiles of a strip. */
static void begin_strip(const struct cut *cut, struct strip *s)
{
	const struct product *p = s->p;
	const size_t group = line_k(p->kind);

	s->straight = s->last && cut->plain;
	/* Not as a struct: gcc clears one with rep stos first, a fiftieth of the time of 64^3 (Zen 3). */
	s->tile.factor = -p->a_zero;
	s->tile.as_float = s->last && p->c_type != ISK_S32 && !cut->corrected;
	s->tile.a = s->a;
	s->tile.lda = s->lda;
	s->tile.panel = p->panel;
	s->tile.lines = (s->k + group - 1) / group;
	s->tile.k = s->k;
	s->tile.rows = s->rows;
	s->c = (float *)p->c + s->row * p->ldc;
	s->b = p->panels + s->at / group * ISK_PACKED_LINE;
	if (p->scales && s->tile.lines) {
		s->tile.group = p->group / group;
		s->tile.scales_panel = (p->k + p->group - 1) / p->group * PANEL;
		s->scales = p->scales + s->at / p->group * PANEL;
	}
}

/*
 * The tile of a strip that begins with a column, of which left are there; its sums
 * may wait in t. Returns how many columns it has.
 */
ISK_INLINE size_t one_tile(const struct cut *cut, struct strip *s, size_t col, size_t left, float *t,
                           const struct ahead *ahead)
{
	const struct product *p = s->p;
	const size_t room = is_amx(p->kind) ? (left + PANEL - 1) / PANEL * PANEL
	                                    : tile_width(s->rows, left, p->kind, cut->flat);
	const int whole = left >= room, waits_in_c = cut->in_c && whole, straight = s->straight && whole;
	float *const sums = waits_in_c ? s->c + col : t;
	const size_t ldsums = waits_in_c ? p->ldc : cut->ldsums, width = whole ? room : left;
	struct tile *tile = &s->tile;

	tile->c = straight ? s->c + col : sums;
	tile->ldc = straight ? p->ldc : ldsums;
	tile->t = s->at ? sums : NULL;
	tile->ldt = ldsums;
	tile->b = s->b + col / PANEL * p->panel;
	tile->ahead = room == NR ? ahead : NULL;
	tile->panels = room / PANEL;
	if (p->sums)
		tile->start = p->sums + col;
	if (tile->group)
		tile->scales = s->scales + col / PANEL * tile->scales_panel;
	if (s->last && p->post->binary)
		prefetch_other(p->post, s->row, col, s->rows, width, isk_element_bytes(p->c_type));
	p->micro(tile);
	return width;
}

/* Columns of a strip from col to end, whose sums are complete: in C up to in_t, then in t. */
static void finish(const struct cut *cut, const struct strip *s, size_t col, size_t in_t, size_t end, float *t,
                   const int32_t *row_sums)
{
	const struct product *p = s->p;
	struct epilogue e = {p->c, p->ldc, s->c + col, p->ldc, s->row, col, s->rows, in_t - col, p->post};

	if (e.cols && !cut->plain)
		p->epilogue(&e);
	e.t = t;
	e.ldt = cut->ldsums;
	e.col = in_t;
	e.cols = end - in_t;
	if (e.cols && cut->corrected)
		ISK_PART(epilogue, correct)(&e, p, row_sums, p->c_type != ISK_S32);
	if (e.cols)
		p->epilogue(&e);
}

/*
 * The rows of A, and the part of k, that come after a strip of a block: those of the
 * next strip, those of the first one in the next part, or in the end the same again.
 */
static struct ahead next_strip(const struct cut *cut, const struct strip *s, size_t first, size_t end)
{
	const struct product *p = cut->p;
	const size_t bytes = isk_element_bytes(p->a_type), after = s->row + s->rows;
	struct ahead next = {.lda = p->lda * bytes, .ldc = p->ldc * sizeof(float)};
	size_t row = s->row, at = s->at;

	if (after < end && p->k - at >= cut->part) {
		row = after;
		next.rows = tile_height(end - row, (end - row + cut->high - 1) / cut->high);
	} else if (p->k - at >= 2 * cut->part) {
		row = first;
		at += cut->part;
		next.rows = tile_height(end - first, (end - first + cut->high - 1) / cut->high);
	}
	next.from = (const char *)p->a + (row * p->lda + at) * bytes;
	return next;
}

/* Whether these rows of A meet no denormal, nor make one: see bf16_pairs.h. */
static int are_clean(const struct product *p, size_t row, size_t rows)
{
	const int least = least_exponent((const isk_bf16 *)p->a + row * p->lda, rows, p->k, p->lda);

	return least && p->least && least + p->least >= DOT_EXPONENTS;
}

/* A block: rows by cols of C from (row, col) on. */
static void drive_block(const struct cut *cut, size_t row, size_t col, size_t rows, size_t cols)
{
	const struct product *p = cut->p;
	float sums[SUM_WORDS] __attribute__((aligned(64))), copies[PACKED_WORDS + VL] __attribute__((aligned(64)));
	int32_t row_sums[MC > AMX_ROWS ? MC : AMX_ROWS];
	const size_t strips = (rows + cut->high - 1) / cut->high;
	unsigned char wide[MC / MR + 1] = {0}; /* by strip: its A has denormals */
	int looks_ahead = cut->looks_ahead, is_packed = 0;
	struct strip s = {.at = 0};
	float *packed = copies;

	for (size_t n = 0, i = 0, height; p->wide && n < strips; n++, i += height) {
		height = tile_height(rows - i, strips - n);
		wide[n] = !are_clean(p, row + i, height);
		looks_ahead &= !wide[n];
	}
	for (size_t i = 0; i < rows && p->post->b_zeros; i++)
		row_sums[i] = 0;
	do {
		s.k = p->k - s.at < cut->part ? p->k - s.at : cut->part;
		s.last = s.at + s.k == p->k;
		s.row = row;
		for (size_t n = 0; n < strips; n++, s.row += s.rows) {
			const size_t i = s.row - row;
			struct ahead next, *ahead = NULL;
			float *in_rows = sums + (cut->by_tile && !cut->in_c ? 0 : i * cut->ldsums);
			size_t width, next_rows = 0;

			s.p = wide[n] ? p->wide : p;
			s.rows = tile_height(rows - i, strips - n);
			s.lda = p->lda * isk_element_bytes(p->a_type);
			s.a = (const float *)(const void *)((const char *)p->a + s.row * s.lda);
			if (p->pack) {
				s.a = packed;
				s.lda = a_stride(s.rows) * sizeof(float);
				if (!is_packed)
					s.p->pack(packed, a_stride(s.rows), s.p, s.row, s.rows, s.at, s.k);
			}
			is_packed = 0;
			begin_strip(cut, &s);
			if (p->post->b_zeros)
				p->row_sums(row_sums + i, s.a, s.lda, s.rows, s.k, p);
			if (looks_ahead && s.k == cut->part && s.rows + 1 >= MR && s.rows > wide_rows(p->kind)) {
				next = next_strip(cut, &s, row, row + rows);
				next_rows = cut->packs_ahead && next.rows + 1 >= MR ? next.rows : 0;
				next.to = packed == copies ? copies + SECOND : copies;
				ahead = &next;
			}
			for (size_t j = 0, first = 0; j < cols; j += width) {
				float *t = in_rows + (cut->in_c ? 0 : j % cut->run);

				if (ahead) {
					const char *c = (const char *)((float *)p->c + s.row * p->ldc + col);
					const size_t left = cols - j;
					const int ends = left <= 2 * NR - PANEL; /* it is the last tile that is NR wide, or behind it */

					next.a = next.from + 2 * j * sizeof(float) % (KC * sizeof(float));
					next.c = !cut->in_c ? (const char *)t
					                    : c + (ends ? s.rows * p->ldc : j + NR) * sizeof(float);
					next.rows = ends && left > NR - PANEL ? next_rows : 0;
					is_packed |= next.rows != 0;
				}
				width = one_tile(cut, &s, col + j, cols - j, t, ahead);
				if (j + width == cols || j + width - first == cut->run) {
					/* The tile that is not all of its columns is the last one, and never whole panels. */
					const size_t in_t = !cut->in_c ? first : width % PANEL ? j : j + width;

					if (s.last)
						finish(cut, &s, col + first, col + in_t, col + j + width,
						       in_rows + (cut->in_c ? 0 : first % cut->run), row_sums + i);
					first = j + width;
				}
			}
			packed = is_packed ? next.to : packed;
		}
		s.at += s.k;
	} while (s.at < p->k);
}

/* All of C: all rows first, so what some columns take of B may stay in a cache. */
void ISK_FN(drive)(const struct product *p)
{
	const struct cut cut = cut_of(p);
	size_t rows;

	for (size_t j = 0; p->m && j < p->n; j += cut.cols)
		for (size_t i = 0, left = (p->m + cut.rows - 1) / cut.rows; left; i += rows, left--) {
			rows = tile_height(p->m - i, left);
			drive_block(&cut, i, j, rows, p->n - j < cut.cols ? p->n - j : cut.cols);
		}
}
