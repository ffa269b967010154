/* SPDX-License-Identifier: MIT */
/*
 * C = post(A * B) with both matrices as they are, for sizes that packing does
 * not pay for, and for callers who have B only once. The chains of additions are
 * those of multiply.h, so the bits are too.
 *
 * A tile of C is up to 16 rows by up to CHUNK columns, its number of columns
 * rounded up to 4 only: the last of them share vectors of eight lanes, two rows
 * in one, instead of filling a wide one with nothing. A CPU that does a wide FMA
 * in two halves has less to do so, at 20 columns by a third. Vectors of two
 * widths are not mixed in a tile: their FMAs then get into each other's way (24
 * columns took 20.5 cycles a step of 12 rows with both, 18 with eight lanes
 * alone, on Zen 4).
 *
 * Tiles read A, transposed or not, and B where they are. Where rows of A fall into
 * the same sets of the first-level cache, a tile has no more of them than fit
 * there. Beyond that cache B is copied to the stack, KC by CHUNK at a time; a
 * transposed B always is. Blocks of MC rows of A by KC stay in the
 * second-level cache while B goes by; sums of so much of k wait in C, or on the
 * stack where C is read as the other operand.
 */
#include "matmul_kernels.h"
#include "check.h"
#include "squares.h"
#include "vec_pair.h"

ISK_EXTERN epilogue_fn ISK_PART(epilogue, epilogue_f32);
ISK_EXTERN column_fn ISK_PART(columns, one_column);

#define CHUNK (2 * VL)
#define KINDS (CHUNK / 4)

#define KC        256
#define MC        192
#define HELD_ROWS 80

/*
 * What every function of a tile takes, so that the kernel can jump to it with
 * the arguments it was called with. To a tile transposed is ISK_TRANSPOSED_A,
 * or not, and MORE where the sums begin with what stands in C.
 */
#define PARAMETERS                                                             \
	float *c, const float *a, const float *b, size_t m, size_t n, size_t k, size_t ldc, size_t lda, \
	    size_t ldb, unsigned transposed, const struct isk_post *post
#define ARGUMENTS c, a, b, m, n, k, ldc, lda, ldb, transposed, post
#define MORE      4u

/* Every fourth row of A, and how far the three after it are. */
struct rows {
	const char *at[4];
	size_t stride, twice, thrice;
};

ISK_INLINE float element(struct rows a, const int row)
{
	const char *p = a.at[row / 4];

	return *(const float *)(row % 4 == 0   ? p
	                        : row % 4 == 1 ? p + a.stride
	                        : row % 4 == 2 ? p + a.twice
	                                       : p + a.thrice);
}

/* Keeps the compiler from seeing where a value comes from, and so from computing it anew or otherwise. */
#define OPAQUE(x) __asm__("" : "+r"(x))

/*
 * rows by n columns; kind is (n - 1) / 4. Either wide: a full vector or none and
 * one with left columns; or eights: so many vectors of eight lanes, and then, if
 * pairs, those that hold two rows of left columns, or else the last eight is not
 * full. exact: it is full all the same.
 */
ISK_INLINE int multiply(float *c, const float *a, const float *b, size_t n, size_t k, size_t ldc, size_t lda,
                        size_t ldb, unsigned flags, const int rows, const int kind, const int exact)
{
	const int wide = VL == 4 || (VL == 16 && kind % 4 == 3), full = wide && kind >= KINDS / 2;
	const int eights = wide ? 0 : (kind + 1) / 2, pairs = !wide && kind % 2 == 0;
	const int at = wide ? full * VL : 8 * (eights - !pairs);
	const size_t left = n - (size_t)at, stride = flags & ISK_TRANSPOSED_A ? 4 : 4 * lda;
	const size_t step = flags & ISK_TRANSPOSED_A ? 4 * lda : 4;
	struct rows from = {{(const char *)a}, stride, 2 * stride, 3 * stride};
	vf first[16], last[16];
	v8 acc[16][3], pair[8];

#pragma GCC unroll 16
	for (int r = 0; r < rows; r++) {
		first[r] = last[r] = vf_set1(0);
		acc[r][0] = acc[r][1] = acc[r][2] = pair[r / 2] = v8_set1(0);
	}
	if (__builtin_expect((flags & MORE) != 0, 0)) {
		const float *p = c;

#pragma GCC unroll 16
		for (int r = 0; r < rows; r++, p += ldc) {
			if (full)
				first[r] = vf_load(p);
			if (wide)
				last[r] = exact ? vf_load(p + at) : vf_load_n(p + at, left);
#pragma GCC unroll 3
			for (int e = 0; e < eights; e++)
				acc[r][e] = v8_load_n(p + 8 * e, pairs || e + 1 < eights ? 8 : left);
			if (pairs && r % 2 == 0)
				pair[r / 2] = v8_load_n(p + at, left);
			if (pairs && r % 2)
				pair[r / 2] = v8_pair(pair[r / 2], v8_twice_n(p + at, left));
		}
	}
	OPAQUE(c);
	OPAQUE(from.twice);
	OPAQUE(from.thrice);
#pragma GCC unroll 4
	for (int i = 1; i < 4; i++) {
		from.at[i] = from.at[i - 1] + 4 * stride;
		OPAQUE(from.at[i]);
	}
	for (; k; k--, b += ldb) {
		const vf bf = full ? vf_load(b) : vf_set1(0);
		const vf bl = !wide ? vf_set1(0) : exact ? vf_load(b + at) : vf_load_n(b + at, left);
		const v8 bp = pairs ? v8_twice_n(b + at, left) : v8_set1(0);
		v8 be[3];

#pragma GCC unroll 3
		for (int e = 0; e < eights; e++)
			be[e] = exact || pairs || e + 1 < eights ? v8_load(b + 8 * e) : v8_load_n(b + 8 * e, left);
#pragma GCC unroll 8
		for (int r = 0; r < rows; r += 2) {
			const int two = r + 1 < rows;
			const float x = element(from, r), y = element(from, two ? r + 1 : r);
			const vf xv = vf_set1(wide ? x : 0), yv = vf_set1(wide ? y : 0);
			const v8 x8 = v8_set1(wide ? 0 : x), y8 = v8_set1(wide ? 0 : y);

			if (full) {
				first[r] = vf_fma(xv, bf, first[r]);
				first[r + two] = two ? vf_fma(yv, bf, first[r + two]) : first[r];
			}
			if (wide) {
				last[r] = vf_fma(xv, bl, last[r]);
				last[r + two] = two ? vf_fma(yv, bl, last[r + two]) : last[r];
			}
#pragma GCC unroll 3
			for (int e = 0; e < eights; e++) {
				acc[r][e] = v8_fma(x8, be[e], acc[r][e]);
				acc[r + two][e] = two ? v8_fma(y8, be[e], acc[r + two][e]) : acc[r][e];
			}
			if (pairs)
				pair[r / 2] = v8_fma(two ? v8_pair(x8, y8) : x8, bp, pair[r / 2]);
		}
#pragma GCC unroll 4
		for (int i = 0; i < 4; i++)
			from.at[i] += step;
	}
#pragma GCC unroll 16
	for (int r = 0; r < rows; r++, c += ldc) {
		if (full)
			vf_store(c, first[r]);
		if (wide && exact)
			vf_store(c + at, last[r]);
		if (wide && !exact)
			vf_store_n(c + at, last[r], left);
#pragma GCC unroll 3
		for (int e = 0; e < eights; e++)
			if (exact || pairs || e + 1 < eights)
				v8_store(c + 8 * e, acc[r][e]);
			else
				v8_store_n(c + 8 * e, acc[r][e], left);
		if (pairs && r % 2 == 0)
			v8_store_first_n(c + at, pair[r / 2], left);
		if (pairs && r % 2)
			v8_store_second_n(c + at, pair[r / 2], left);
	}
	return ISK_OK;
}

/* X(rows, kind) for all tiles, and the most rows that the registers hold of each kind. */
#define ROWS_4(X, kind)  X(1, kind) X(2, kind) X(3, kind) X(4, kind)
#define ROWS_6(X, kind)  ROWS_4(X, kind) X(5, kind) X(6, kind)
#define ROWS_8(X, kind)  ROWS_6(X, kind) X(7, kind) X(8, kind)
#define ROWS_12(X, kind) ROWS_8(X, kind) X(9, kind) X(10, kind) X(11, kind) X(12, kind)
#define ROWS_16(X, kind) ROWS_12(X, kind) X(13, kind) X(14, kind) X(15, kind) X(16, kind)

#if VL == 16
#define TILES(X)                                                               \
	ROWS_16(X, 0) ROWS_16(X, 1) ROWS_12(X, 2) ROWS_16(X, 3) ROWS_8(X, 4) ROWS_8(X, 5) ROWS_6(X, 6) \
	ROWS_12(X, 7)
static const unsigned char most_rows[KINDS] = {16, 16, 12, 16, 8, 8, 6, 12};
#elif VL == 8
#define TILES(X) ROWS_12(X, 0) ROWS_12(X, 1) ROWS_6(X, 2) ROWS_6(X, 3)
static const unsigned char most_rows[KINDS] = {12, 12, 6, 6};
#else
#define TILES(X) ROWS_8(X, 0) ROWS_4(X, 1)
static const unsigned char most_rows[KINDS] = {8, 4};
#endif

/*
 * "used" keeps the parameters as they are. A masked vector costs nothing where
 * masks are registers; elsewhere a full one is worth its own code.
 */
#define DEFINE(rows, kind)                                                     \
	__attribute__((used, noinline)) static int tile_##kind##_##rows(PARAMETERS) \
	{                                                                          \
		(void)m;                                                               \
		(void)post;                                                            \
		if (VL < 16 && (kind) % 2 == (VL == 8) && n % VL == 0)                 \
			return multiply(c, a, b, n, k, ldc, lda, ldb, transposed, rows, kind, 1); \
		return multiply(c, a, b, n, k, ldc, lda, ldb, transposed, rows, kind, 0); \
	}
TILES(DEFINE)

#define CASE(rows, kind)                                                       \
	case (rows)*KINDS + (kind):                                                \
		return tile_##kind##_##rows(ARGUMENTS);

/* One tile: n is at most CHUNK, m at most most_rows[(n - 1) / 4]. */
ISK_INLINE int tile(PARAMETERS)
{
	switch (m * KINDS + (n - 1) / 4) {
		TILES(CASE)
	default:
		__builtin_unreachable();
	}
}

static __attribute__((noinline)) int any_tile(PARAMETERS)
{
	return tile(ARGUMENTS);
}

/* Whether rows so far apart meet in the sets of the first-level cache, or nearly. */
ISK_INLINE int collides(size_t ld)
{
	return ld >= 256 && (ld + 16) % 512 <= 32;
}

/* Rows of the next tile: as many as may be, but the last two alike. */
ISK_INLINE size_t next_rows(size_t left, size_t n, int few)
{
	const size_t held = most_rows[(n - 1) / 4], most = few && held > 6 ? 6 : held;

	return left <= most ? left : left < 2 * most ? (left + 1) / 2 : most;
}

/* A product, for what is not in a hurry. */
struct matmul {
	float *c;
	const float *a, *b;
	size_t m, n, k, ldc, lda, ldb;
	unsigned transposed;
	const struct isk_post *post;
};

/* Where everything is read and written in its place. */
static __attribute__((noinline)) int tiles(PARAMETERS)
{
	const int few = !(transposed & ISK_TRANSPOSED_A) && collides(lda);

	for (size_t j = 0; j < n; j += CHUNK) {
		const size_t width = n - j < CHUNK ? n - j : CHUNK;
		size_t height;

		for (size_t i = 0; i < m; i += height) {
			height = next_rows(m - i, width, few);
			any_tile(c + i * ldc + j, a + i * (transposed & ISK_TRANSPOSED_A ? 1 : lda), b + j, height, width,
			         k, ldc, lda, ldb, transposed, post);
		}
	}
	return ISK_OK;
}

/* The columns that come next are prefetched into the second-level cache. */
static void copy_rows(float *to, size_t stride, const float *from, size_t ld, size_t rows, size_t cols)
{
	for (; rows; rows--, from += ld, to += stride)
		for (size_t i = 0; i < cols; i += VL) {
			__builtin_prefetch(from + i + CHUNK, 0, 2);
			vf_store_as(to, i, vf_load_as(from, i, cols - i, ISK_F32), cols - i, ISK_F32);
		}
}

/* More of B than this does not stay in the first-level cache from one row of tiles to the next. */
#define NEAR_DEPTH 192
/* As many rows make so few rows of tiles that B is not worth a copy. */
#define FEW_ROWS 24

/* The buffers of one call, and what it has decided. */
struct work {
	float b[KC * CHUNK] __attribute__((aligned(64)));
	float sums[HELD_ROWS * CHUNK] __attribute__((aligned(64)));
	int few, copy_b, plain, in_c;
	size_t depth;
};

/* depth of k, from at on, of rows by up to CHUNK columns of C from (row, col) on. */
static void panel(struct work *w, const struct matmul *p, size_t row, size_t col, size_t rows, size_t at)
{
	const int a_transposed = p->transposed & ISK_TRANSPOSED_A, b_transposed = p->transposed & ISK_TRANSPOSED_B;
	const size_t width = p->n - col < CHUNK ? p->n - col : CHUNK, deep = p->k - at < w->depth ? p->k - at : w->depth;
	const float *b = p->b + (b_transposed ? col * p->ldb + at : at * p->ldb + col);
	const int last = at + deep == p->k;
	const unsigned flags = (unsigned)a_transposed | (at ? MORE : 0);
	const size_t ldb = w->copy_b ? CHUNK : p->ldb;
	size_t height;

	/* What is copied has one column beside the other. */
	if (b_transposed)
		squares_transpose(w->b, 4 * CHUNK, b, 4 * p->ldb, width, deep, 4);
	else if (w->copy_b)
		copy_rows(w->b, CHUNK, b, p->ldb, deep, width);
	b = w->copy_b ? w->b : b;
	for (size_t r = 0; r < rows; r += height) {
		const float *from = a_transposed ? p->a + at * p->lda + row + r : p->a + (row + r) * p->lda + at;
		float *to = p->c + (row + r) * p->ldc + col, *t = w->in_c ? w->sums : w->sums + r * CHUNK;
		const int straight = w->plain || (w->in_c && !last);

		height = next_rows(rows - r, width, w->few);
		/* The epilogue takes whole vectors: those of few columns have zeros beyond. */
		for (size_t i = 0; i < height && !straight && (w->in_c || !at) && width % VL; i++)
			vf_store(t + i * CHUNK + width / VL * VL, vf_set1(0));
		if (!straight && w->in_c && at)
			copy_rows(t, CHUNK, to, p->ldc, height, width);
		any_tile(straight ? to : t, from, b, height, width, deep, straight ? p->ldc : CHUNK, p->lda, ldb, flags, NULL);
		if (last && !straight)
			ISK_PART(epilogue, epilogue_f32)(&(struct epilogue){p->c, p->ldc, t, CHUNK, row + r, col, height, width,
			                                                    p->post});
	}
}

static __attribute__((noinline)) void blocks(const struct matmul *p)
{
	struct work w;
	size_t rows;

	w.plain = post_is_plain(p->post);
	w.in_c = !p->post->binary || p->post->other != p->c;
	w.few = !(p->transposed & ISK_TRANSPOSED_A) && collides(p->lda);
	w.copy_b = p->transposed & ISK_TRANSPOSED_B || (p->m > FEW_ROWS && (p->k > NEAR_DEPTH || collides(p->ldb)));
	w.depth = w.copy_b ? KC : p->k ? p->k : 1;
	for (size_t i = 0; i < p->m; i += rows) {
		const size_t most = w.in_c ? MC : HELD_ROWS;
		size_t at = 0;

		rows = p->m - i < most ? p->m - i : most;
		/* Of all columns so much of k, or of so many columns all k. */
		for (size_t j = 0; !w.in_c && j < p->n; j += CHUNK)
			for (at = 0; at == 0 || at < p->k; at += w.depth)
				panel(&w, p, i, j, rows, at);
		for (at = 0; w.in_c && (at == 0 || at < p->k); at += w.depth)
			for (size_t j = 0; j < p->n; j += CHUNK)
				panel(&w, p, i, j, rows, at);
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
	if (extent_overflows(a_transposed ? k : m, p->lda, sizeof(float))
	    || extent_overflows(b_transposed ? n : k, p->ldb, sizeof(float)) || extent_overflows(m, p->ldc, sizeof(float)))
		return ISK_ERR_SIZE;
	return check_post(p->post, m, n, ISK_F32, ISK_F32);
}

/* Of so many products a column is up to twice as fast by columns.c, but not where k is short (Zen 3). */
ISK_INLINE int suits_columns(size_t m, size_t n, size_t k)
{
	return n == 1 && m > MR && k >= 16 && m * k >= 800;
}

static void one_column(const struct matmul *p)
{
	const struct product column = {.c = p->c, .a = p->a, .m = p->m, .n = 1, .k = p->k, .ldc = p->ldc, .lda = p->lda,
	                               .post = p->post, .epilogue = ISK_PART(epilogue, epilogue_f32)};

	ISK_PART(columns, one_column)(&column, p->b, p->transposed & ISK_TRANSPOSED_B ? 1 : p->ldb);
}

/* With what check() finds to be in order. */
static void checked(const struct matmul *p)
{
	if (!p->m || !p->n)
		return;
	if (suits_columns(p->m, p->n, p->k) && !(p->transposed & ISK_TRANSPOSED_A))
		one_column(p);
	else if (!(p->transposed & ISK_TRANSPOSED_B) && post_is_plain(p->post)
	         && (p->m <= FEW_ROWS || (p->k <= NEAR_DEPTH && !collides(p->ldb))))
		tiles(p->c, p->a, p->b, p->m, p->n, p->k, p->ldc, p->lda, p->ldb, p->transposed, p->post);
	else
		blocks(p);
}

static __attribute__((noinline)) int any(PARAMETERS)
{
	const struct matmul p = {c, a, b, m, n, k, ldc, lda, ldb, transposed, post ? post : &isk_no_post};
	const int status = check(&p);

	if (!status)
		checked(&p);
	return status;
}

/* A small product meets few instructions on its way: what is not plainly in order is looked at elsewhere. */
int ISK_FN(matmul_f32)(PARAMETERS)
{
	if (!c || !a || !b || lda < k || ldb < n || ldc < n || (lda | ldb | ldc | m) >> 31 || transposed || post)
		return any(ARGUMENTS);
	if (n - 1 < CHUNK && m - 1 < most_rows[(n - 1) / 4])
		return tile(ARGUMENTS);
	if ((lda | ldb | ldc) < 256 && k <= NEAR_DEPTH && !suits_columns(m, n, k))
		return tiles(ARGUMENTS);
	return any(ARGUMENTS);
}

/* Whether batch matrices of that extent and distance can be counted in bytes. */
ISK_INLINE int batch_overflows(size_t batch, size_t stride, size_t rows, size_t ld)
{
	size_t all, one;

	return __builtin_mul_overflow(batch, stride, &all) || __builtin_mul_overflow(rows, ld, &one)
	       || __builtin_add_overflow(all, one, &all) || __builtin_mul_overflow(all, sizeof(float), &all);
}

int ISK_FN(matmul_batch_f32)(float *c, const float *a, const float *b, size_t batch, size_t m, size_t n,
                             size_t k, size_t ldc, size_t lda, size_t ldb, size_t stride_c, size_t stride_a,
                             size_t stride_b, unsigned transposed, const struct isk_post *post)
{
	struct matmul p = {c, a, b, batch ? m : 0, n, k, ldc, lda, ldb, transposed, post ? post : &isk_no_post};
	const int status = check(&p);
	struct isk_post each;

	if (status || !p.m || !n)
		return status;
	each = *p.post; /* not before: it may be shorter */
	p.post = &each;
	/* One below the other, or side by side. */
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
			each.other = (const float *)each.other + stride_c;
	}
	return ISK_OK;
}
