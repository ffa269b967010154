/* SPDX-License-Identifier: MIT */
/*
 * C = post(A * B) without packing, for products too small to repay it, and for
 * callers who use each B only once. Sums are the chains of additions of multiply.h,
 * so the bits are the same.
 *
 * Tiles read A, transposed or not, and B in place. If rows of A fall into the same
 * sets of the first-level cache, a tile has fewer rows than a set has ways. A large B
 * (see is_near()) is copied to the stack, UNPACKED_KC by COLUMNS at a time; a transposed
 * B always is. Blocks of UNPACKED_MC rows by UNPACKED_KC of A stay in the second-level
 * cache while all of B passes. Sums over a part of k wait in C; they wait on the stack if
 * the epilogue reads C as its other operand, or would write beyond the last column.
 */
#include "matmul_kernels.h"
#include "of_type.h"
#include "add_rows.h"
#include "check.h"
#include "plan.h"
#include "tile.h"
#include "transpose_tile.h"
#include "unpacked.h"

ISK_EXTERN epilogue_fn ISK_PART(epilogue, epilogue_f32), ISK_PART(epilogue_f64, epilogue_f64);
ISK_EXTERN column_fn ISK_PART(columns, few_columns_f32), ISK_PART(columns, few_columns_f64);

/* The kind of a tile of n columns. */
ISK_INLINE size_t kind_for(size_t n)
{
	return kind_of(n * WORDS);
}

ISK_INLINE int tile_of(elem *c, const elem *a, const elem *b, unsigned flags, size_t n, size_t k, size_t ldc, size_t lda,
                       size_t ldb, const int rows, const int kind)
{
	return one_tile((float *)(void *)c, (const float *)(const void *)a, (const float *)(const void *)b, flags, WORDS * n, k,
	                WORDS * ldc, lda, WORDS * ldb, rows, kind, TYPE);
}

/* The parameters of the kernel, of tile() and of tiles(). */
#define PARAMETERS                                                             \
	elem *c, const elem *a, const elem *b, size_t m, size_t n, size_t k, size_t ldc, size_t lda, \
	    size_t ldb, unsigned transposed
#define ARGUMENTS c, a, b, m, n, k, ldc, lda, ldb, transposed

/*
 * Takes its arguments in the registers in which the kernel got them (m excepted), so that the
 * kernel can tail-call it. `used` keeps gcc from changing the signature.
 */
#define DEFINE(rows, kind)                                                     \
	__attribute__((used, noinline)) static int tile_##kind##_##rows(           \
	    elem *c, const elem *a, const elem *b, unsigned flags, size_t n, size_t k, size_t ldc, size_t lda, \
	    size_t ldb)                                                            \
	{                                                                          \
		return tile_of(c, a, b, flags, n, k, ldc, lda, ldb, rows, kind);       \
	}
TILES(DEFINE)

#define CASE(rows, kind)                                                       \
	case (rows)*KINDS + (kind):                                                \
		return tile_##kind##_##rows(c, a, b, transposed, n, k, ldc, lda, ldb);

/* One tile: n is at most COLUMNS, m at most most_rows[kind_for(n)]. */
ISK_INLINE int tile(PARAMETERS)
{
	switch (m * KINDS + kind_for(n)) {
		TILES(CASE)
	default:
		__builtin_unreachable();
	}
}

/* The functions of plans that are one tile, and of all tiles but those that are called by the kernel at once. */
#define DEFINE_TILE(rows, kind)                                                \
	static int plan_##kind##_##rows(const struct isk_matmul_plan *p, void *c, const void *a, const void *b) \
	{                                                                          \
		return tile_of(c, a, b, p->transposed, p->n, p->k, p->ldc, p->lda, p->ldb, rows, kind); \
	}
TILES(DEFINE_TILE)

/* gcc would make a table of the addresses, which would be relocated at each load, if it knew them. */
#define CASE_TILE(rows, kind)                                                  \
	case (rows)*KINDS + (kind):                                                \
		fn = plan_##kind##_##rows;                                             \
		OPAQUE(fn);                                                            \
		return fn;

/* The function of a tile; a struct of its arguments costs less than nine arguments if there are several tiles. */
ISK_INLINE isk_matmul_fn *tile_function(size_t rows, size_t n)
{
	isk_matmul_fn *fn;

	switch (rows * KINDS + kind_for(n)) {
		TILES(CASE_TILE)
	default:
		__builtin_unreachable();
	}
}

/* Whether rows ld elements apart fall into the same few sets of the first-level cache. */
ISK_INLINE int collides(size_t ld)
{
	ld *= WORDS;
	return ld >= COLLIDING && (ld + 16) % 512 <= 32;
}

/*
 * The columns of a C of one or two rows that fill `vectors` vectors at a time: rows * vectors chains of additions, of which
 * eight hide the latency of an FMA, while a tile has two for each row. Returns the number of these columns. Time relative
 * to tiles, Zen 5: 1x512x128 0.65, 1x4096x4096 0.38, 2x512x128 0.86; at AVX2 0.46 for 1x512x128. Its whole k is
 * multiplied at once: a C whose sums continue has at most COLUMNS columns, which are fewer than a step.
 */
ISK_INLINE size_t few_rows(PARAMETERS, const int rows, const int vectors)
{
	const size_t a_step = transposed & ISK_TRANSPOSED_A ? 1 : lda, k_step = transposed & ISK_TRANSPOSED_A ? lda : 1;
	const size_t width = (size_t)vectors * COUNT;
	size_t j = 0;

	(void)m;
	for (; n - j >= width; j += width) {
		const elem *x = a, *line = b + j;
		vec sums[2][8];

#pragma GCC unroll 2
		for (int r = 0; r < rows; r++)
#pragma GCC unroll 8
			for (int v = 0; v < vectors; v++)
				sums[r][v] = splat(0);
		for (size_t i = 0; i < k; i++, x += k_step, line += ldb)
#pragma GCC unroll 8
			for (int v = 0; v < vectors; v++) {
				const vec y = load(line, (size_t)v * COUNT, COUNT);

#pragma GCC unroll 2
				for (int r = 0; r < rows; r++)
					sums[r][v] = multiply_add(splat(x[(size_t)r * a_step]), y, sums[r][v]);
			}
#pragma GCC unroll 2
		for (int r = 0; r < rows; r++)
#pragma GCC unroll 8
			for (int v = 0; v < vectors; v++)
				store(c + (size_t)r * ldc, j + (size_t)v * COUNT, sums[r][v], COUNT);
	}
	return j;
}

/*
 * The columns of a C of one row that fill vectors, if B lies beyond the second-level cache. Whole rows of B are read, TOGETHER
 * at a time, because the CPU prefetches rows, and the sums of ROW_COLUMNS columns stay in the first-level cache, as
 * elements of C. Returns the number of these columns.
 */
ISK_INLINE size_t far_row(elem *c, const elem *a, const elem *b, size_t n, size_t k, size_t ldb)
{
	const size_t whole = n / COUNT * COUNT;

	for (size_t at = 0, count; at < whole; at += count) {
		const elem *line = b + at;
		size_t i = 0;

		count = whole - at < ROW_COLUMNS / WORDS ? whole - at : ROW_COLUMNS / WORDS;
		__builtin_memset(c + at, 0, count * sizeof(elem));
		for (; k - i >= TOGETHER; i += TOGETHER, line += TOGETHER * ldb)
			add_rows(c + at, line, ldb, a + i, count, 1, TOGETHER);
		for (; i < k; i++, line += ldb)
			add_rows(c + at, line, ldb, a + i, count, 1, 1);
	}
	return whole;
}

ISK_INLINE int is_far_row(size_t m, size_t n, size_t k, unsigned transposed)
{
	return m == 1 && !transposed && k * n > FAR_B / WORDS;
}

/* Rows `from` to `end` of as many columns as a tile has, of a product by a plan. */
ISK_INLINE void column_of_tiles(const struct isk_matmul_plan *p, elem *c, const elem *a, const elem *b, size_t from,
                                size_t end)
{
	const size_t a_step = p->transposed & ISK_TRANSPOSED_A ? 1 : p->lda, held = most_rows[kind_for(p->n)];
	const size_t most = collides(a_step) && held > WAY_ROWS ? WAY_ROWS : held;
	size_t height;

	for (size_t i = from; i < end; i += height) {
		height = next_height(end - i, most);
		tile_function(height, p->n)(p, c + i * p->ldc, a + i * a_step, b);
	}
}

/* Reads A and B in place. */
static __attribute__((noinline)) int tiles(PARAMETERS)
{
	const size_t done = is_far_row(m, n, k, transposed) ? far_row(c, a, b, n, k, ldb)
	                    : m == 1                          ? few_rows(ARGUMENTS, 1, 8)
	                    : m == 2                          ? few_rows(ARGUMENTS, 2, 4)
	                                                      : 0;
	const size_t step = m * n > LARGE_C / WORDS && k * n <= LARGE_C / WORDS ? most_rows[KINDS - 1] : m;
	struct isk_matmul_plan p; /* what tiles read of it */

	p.k = k;
	p.ldc = ldc;
	p.lda = lda;
	p.ldb = ldb;
	p.transposed = transposed;
	for (size_t top = 0; top < m; top += step)
		for (size_t j = done; j < n; j += COLUMNS) {
			p.n = n - j < COLUMNS ? n - j : COLUMNS;
			column_of_tiles(&p, c + j, a, b + j, top, m - top < step ? m : top + step);
		}
	return ISK_OK;
}

/* The buffers and decisions of one call. */
struct work {
	elem b[UNPACKED_KC * COLUMNS] __attribute__((aligned(64)));
	elem sums[UNPACKED_MC * COLUMNS] __attribute__((aligned(64)));
	int copy_b,   /* tiles read B from b[] */
	    plain,    /* post changes nothing, so there is no epilogue */
	    reads_c;  /* the epilogue reads C as its other operand */
	size_t depth; /* number of k multiplied at once */
};

_Static_assert(sizeof(struct work) <= 60 << 10, "a kernel takes at most 64 KiB of stack");

/* Copies rows by cols of B, and prefetches the next COLUMNS columns into the second-level cache. */
static void copy_rows(elem *to, const elem *from, size_t ld, size_t rows, size_t cols)
{
	for (; rows; rows--, from += ld, to += COLUMNS)
		for (size_t i = 0; i < cols; i += COUNT) {
			__builtin_prefetch(from + i + COLUMNS, 0, 2);
			store(to, i, load(from, i, cols - i), COUNT);
		}
}

/* The function that makes elements of C of sums. */
ISK_INLINE epilogue_fn *epilogue(void)
{
	return TYPE == ISK_F64 ? ISK_PART(epilogue_f64, epilogue_f64) : ISK_PART(epilogue, epilogue_f32);
}

/* Multiplies up to `depth` of k, from `at` on, into `rows` by up to COLUMNS columns of C from (row, col) on. */
static void panel(struct work *w, const struct matmul *p, size_t row, size_t col, size_t rows, size_t at)
{
	const unsigned a_transposed = p->transposed & ISK_TRANSPOSED_A;
	const unsigned b_transposed = p->transposed & ISK_TRANSPOSED_B;
	const size_t width = p->n - col < COLUMNS ? p->n - col : COLUMNS;
	const size_t deep = p->k - at < w->depth ? p->k - at : w->depth;
	const elem *a = p->a + (a_transposed ? at * p->lda + row : row * p->lda + at);
	const elem *b = p->b + (b_transposed ? col * p->ldb + at : p->copy ? 0 : at * p->ldb + col);
	const int held = !w->plain && (w->reads_c || width % COUNT);
	const size_t ldc = held ? COLUMNS : p->ldc;
	elem *c = held ? w->sums : p->c + row * p->ldc + col;

	if (p->copy)
		p->copy(w->b, p, at, col, deep, width);
	else if (b_transposed)
		squares_transpose(w->b, sizeof(elem) * COLUMNS, b, sizeof(elem) * p->ldb, width, deep, sizeof(elem));
	else if (w->copy_b)
		copy_rows(w->b, b, p->ldb, deep, width);
	/* The epilogue reads whole vectors, so the last one of each row is filled with zeros. */
	for (size_t i = 0; i < rows && held && !at && width % COUNT; i++)
		store(w->sums, i * COLUMNS + width / COUNT * COUNT, splat(0), COUNT);
	tiles(c, a, w->copy_b ? w->b : b, rows, width, deep, ldc, p->lda, w->copy_b ? COLUMNS : p->ldb,
	      a_transposed | (at ? MORE : 0));
	if (!w->plain && at + deep == p->k)
		epilogue()(&(struct epilogue){p->c, p->ldc * WORDS, (float *)(void *)c, ldc * WORDS, row, col * WORDS, rows, width * WORDS,
		                              p->post});
}

static __attribute__((noinline)) void blocks(const struct matmul *p, int copy_b)
{
	struct work w;
	size_t rows, group;

	w.plain = post_is_plain(p->post);
	w.reads_c = p->post->binary && p->post->other == p->c;
	w.copy_b = copy_b;
	w.depth = w.copy_b ? UNPACKED_KC : SIZE_MAX;
	/* Either `depth` of k for all columns at a time or, if sums wait on the stack, all of k for COLUMNS columns at a time. */
	group = w.reads_c ? COLUMNS : p->n;
	for (size_t i = 0; i < p->m; i += rows) {
		rows = p->m - i < UNPACKED_MC ? p->m - i : UNPACKED_MC;
		for (size_t j = 0; j < p->n; j += group)
			for (size_t at = 0; at == 0 || at < p->k; at += w.depth)
				for (size_t col = j; col < j + group; col += COLUMNS)
					panel(&w, p, i, col, rows, at);
	}
}

static int check(const struct matmul *p)
{
	const int a_transposed = p->transposed & ISK_TRANSPOSED_A, b_transposed = p->transposed & ISK_TRANSPOSED_B;
	const size_t m = p->m, n = p->n, k = p->k;

	if (p->post->size != sizeof(*p->post) || p->post->first_column)
		return ISK_ERR_POST;
	if (p->transposed > (ISK_TRANSPOSED_A | ISK_TRANSPOSED_B))
		return ISK_ERR_SHAPE;
	if (m && n && (!p->c || (k && (!p->a || !p->b))))
		return ISK_ERR_NULL;
	if (p->lda < (a_transposed ? m : k) || p->ldb < (b_transposed ? k : n) || p->ldc < n)
		return ISK_ERR_STRIDE;
	if (extent_overflows(a_transposed ? k : m, p->lda, sizeof(elem))
	    || extent_overflows(b_transposed ? n : k, p->ldb, sizeof(elem)) || extent_overflows(m, p->ldc, sizeof(elem)))
		return ISK_ERR_SIZE;
	return check_post(p->post, m, n, TYPE, TYPE);
}

static void few_columns(const struct matmul *p)
{
	const int transposed = !!(p->transposed & ISK_TRANSPOSED_B);
	const struct product columns = {.c = p->c, .a = p->a, .m = p->m, .n = p->n, .k = p->k, .ldc = p->ldc, .lda = p->lda,
	                               .post = p->post, .epilogue = epilogue()};
	column_fn *const fn = TYPE == ISK_F64 ? ISK_PART(columns, few_columns_f64) : ISK_PART(columns, few_columns_f32);

	fn(&columns, p->b, transposed ? 1 : p->ldb, transposed ? p->ldb : 1);
}

/* Whether a product can go a way. All of them give the same bits. */
static int is_possible(const struct matmul *p, enum isk_way way)
{
	const int in_place = !(p->transposed & ISK_TRANSPOSED_B), some = p->m && p->n;

	switch (way) {
	case ISK_WAY_TILE:
		return some && in_place && post_is_plain(p->post) && p->n <= COLUMNS && p->m <= most_rows[kind_for(p->n)];
	case ISK_WAY_TILES:
		return some && in_place && post_is_plain(p->post);
	case ISK_WAY_BLOCKS:
		return in_place;
	case ISK_WAY_COPIED:
		return 1;
	case ISK_WAY_COLUMNS:
		return p->n && p->n <= FEW_COLUMNS_OF(COUNT) && p->m >= COUNT && !(p->transposed & ISK_TRANSPOSED_A);
	default:
		return 0;
	}
}

/* The way that was the fastest where it was measured (thresholds.h); never ISK_WAY_TILE. */
static enum isk_way way_of(const struct matmul *p)
{
	const int far = p->m > FEW_ROWS && !is_near(p->m, p->n * WORDS, p->k, p->ldb * WORDS, collides(p->ldb));

	if (suits_columns(p->m, p->n, p->k, COUNT) && is_possible(p, ISK_WAY_COLUMNS))
		return ISK_WAY_COLUMNS;
	if (far || p->transposed & ISK_TRANSPOSED_B)
		return ISK_WAY_COPIED;
	return is_possible(p, ISK_WAY_TILES) ? ISK_WAY_TILES : ISK_WAY_BLOCKS;
}

ISK_INLINE void multiply_by(const struct matmul *p, const enum isk_way way)
{
	if (way == ISK_WAY_COLUMNS)
		few_columns(p);
	else if (way == ISK_WAY_TILES)
		tiles(p->c, p->a, p->b, p->m, p->n, p->k, p->ldc, p->lda, p->ldb, p->transposed);
	else
		blocks(p, way == ISK_WAY_COPIED);
}

/* A product whose arguments have passed check(). */
static void checked(const struct matmul *p)
{
	if (p->m && p->n)
		multiply_by(p, way_of(p));
}

static __attribute__((noinline)) int any_product(PARAMETERS, const struct isk_post *post)
{
	const struct matmul p = {c, a, b, m, n, k, ldc, lda, ldb, transposed, post ? post : &isk_no_post, NULL, NULL};
	const int status = check(&p);

	if (!status)
		checked(&p);
	return status;
}

/*
 * A small product runs few instructions before its tile: any_product() looks at all calls that are not plainly in order. It
 * also takes COLLIDING_ROWS rows or more that share a set of the first-level cache.
 */
int KERNEL(matmul)(PARAMETERS, const struct isk_post *post)
{
	if (!c || !a || !b || lda < k || ldb < n || ldc < n || (lda | ldb | ldc | m) >> 31 || transposed || post)
		return any_product(ARGUMENTS, post);
	if (n - 1 < COLUMNS && m - 1 < most_rows[kind_for(n)] && (m < COLLIDING_ROWS || !share_a_set(lda * WORDS)))
		return tile(ARGUMENTS);
	if ((lda | ldb | ldc) < COLLIDING / WORDS && k <= NEAR_DEPTH && !suits_columns(m, n, k, COUNT))
		return tiles(ARGUMENTS);
	return any_product(ARGUMENTS, post);
}

/* Whether the bytes that a batch of matrices spans, stride elements apart, overflow size_t. */
ISK_INLINE int batch_overflows(size_t batch, size_t stride, size_t rows, size_t ld)
{
	size_t all, one;

	return __builtin_mul_overflow(batch, stride, &all) || __builtin_mul_overflow(rows, ld, &one)
	       || __builtin_add_overflow(all, one, &all) || __builtin_mul_overflow(all, sizeof(elem), &all);
}

int KERNEL(matmul_batch)(elem *c, const elem *a, const elem *b, size_t batch, size_t m, size_t n, size_t k, size_t ldc,
                         size_t lda, size_t ldb, size_t stride_c, size_t stride_a, size_t stride_b, unsigned transposed,
                         const struct isk_post *post)
{
	struct matmul p = {c, a, b, batch ? m : 0, n, k, ldc, lda, ldb, transposed, post ? post : &isk_no_post,
	                   NULL, NULL};
	const int status = check(&p);
	struct isk_post each;

	if (status || !p.m || !n)
		return status;
	each = *p.post; /* only after check(), because a post of another version may be shorter */
	p.post = &each;
	/* The matrices C lie one below the other, or side by side. */
	if (batch > 1 && (stride_c < n || (stride_c < (m - 1) * ldc + n && stride_c > (ldc - n) / (batch - 1))))
		return ISK_ERR_STRIDE;
	if (batch_overflows(batch, stride_c, m, ldc)
	    || batch_overflows(batch, stride_a, transposed & ISK_TRANSPOSED_A ? k : m, lda)
	    || batch_overflows(batch, stride_b, transposed & ISK_TRANSPOSED_B ? n : k, ldb)
	    || (each.binary && batch_overflows(batch, stride_c, m, each.ldother)))
		return ISK_ERR_SIZE;
	for (; batch; batch--) {
		checked(&p);
		p.c += stride_c;
		p.a += stride_a;
		p.b += stride_b;
		if (each.binary)
			each.other = (const elem *)each.other + stride_c;
	}
	return ISK_OK;
}

/* The plan's product of c, a and b. A plan has no operand yet when it is checked: then they are the plan. */
ISK_INLINE struct matmul planned(const struct isk_matmul_plan *plan, void *c, const void *a, const void *b)
{
	return (struct matmul){c, a, b, plan->m, plan->n, plan->k, plan->ldc, plan->lda, plan->ldb, plan->transposed,
	                       plan->post ? plan->post : &isk_no_post, NULL, NULL};
}

/* The functions of plans of the other ways. */
#define DEFINE_WAY(way, name)                                                  \
	static int plan_##name(const struct isk_matmul_plan *plan, void *c, const void *a, const void *b) \
	{                                                                          \
		const struct matmul p = planned(plan, c, a, b);                        \
                                                                               \
		multiply_by(&p, ISK_WAY_##way);                                        \
		return ISK_OK;                                                         \
	}
DEFINE_WAY(BLOCKS, blocks)
DEFINE_WAY(COPIED, copied)
DEFINE_WAY(COLUMNS, columns)

static int plan_tiles(const struct isk_matmul_plan *p, void *c, const void *a, const void *b)
{
	if (p->n > COLUMNS)
		return tiles(c, a, b, p->m, p->n, p->k, p->ldc, p->lda, p->ldb, p->transposed);
	column_of_tiles(p, c, a, b, 0, p->m);
	return ISK_OK;
}

static isk_matmul_fn *function_of(const struct isk_matmul_plan *plan, enum isk_way way)
{
	switch (way) {
	case ISK_WAY_TILES:
		return plan_tiles;
	case ISK_WAY_BLOCKS:
		return plan_blocks;
	case ISK_WAY_COPIED:
		return plan_copied;
	case ISK_WAY_COLUMNS:
		return plan_columns;
	default:
		return tile_function(plan->m, plan->n);
	}
}

multiply_copied_fn KERNEL(multiply_copied);

void KERNEL(multiply_copied)(const struct matmul *p)
{
	blocks(p, 1);
}

multiply_in_place_fn KERNEL(multiply_in_place);

void KERNEL(multiply_in_place)(const struct matmul *p)
{
	tiles(p->c, p->a, p->b, p->m, p->n, p->k, p->ldc, p->lda, p->ldb, p->transposed);
}

isk_planner KERNEL(plan_matmul);

/* Whether one tile is a fast way: see COLLIDING_ROWS. */
ISK_INLINE int suits_tile(const struct matmul *p)
{
	return is_possible(p, ISK_WAY_TILE)
	       && (p->m < COLLIDING_ROWS || p->transposed & ISK_TRANSPOSED_A || !share_a_set(p->lda * WORDS));
}

int KERNEL(plan_matmul)(struct isk_matmul_plan *plan, enum isk_way *way)
{
	const struct matmul p = planned(plan, (void *)plan, plan, plan);
	const int status = check(&p);

	if (status)
		return status;
	if (*way == ISK_WAY_ANY)
		*way = suits_tile(&p) ? ISK_WAY_TILE : way_of(&p);
	if (!is_possible(&p, *way))
		return ISK_ERR_STRUCT;
	plan->multiply = function_of(plan, *way);
	return ISK_OK;
}
