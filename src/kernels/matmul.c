/* SPDX-License-Identifier: MIT */
/*
 * C = post(A * B) with both matrices as they are, for sizes that packing does
 * not pay for, and for callers who have B only once. The chains of additions are
 * those of gemm_float.h, so the bits are too.
 *
 * A tile of C is up to 16 rows by up to CHUNK columns, its number of columns
 * rounded up to 4 only: the last of them share vectors of eight lanes, two rows
 * in one, instead of filling a wide one with nothing. On CPUs that do a wide
 * FMA in two halves this is what decides at 8, 12 and 20 columns; elsewhere it
 * is for 12 and 20. Tiles read A and B where they are. Beyond the first-level
 * cache B is copied to the stack, DEPTH by CHUNK at a time, and A where its rows
 * would fall into the same sets of that cache; transposed ones always.
 */
#include "gemm_post.h"
#include "tile.h"
#include "vec_pair.h"

#define CHUNK (2 * VL)
#define KINDS (CHUNK / 4)

#define DEPTH     256
#define STRIDE    (DEPTH + 16)
#define SUMS_ROWS 80

DEFINE_FINISH(finish, C_F32)

/*
 * What every function of a tile takes, so that the kernel can jump to it with
 * the arguments it was called with. Where transposed is not 0 the sums begin
 * with what stands in C.
 */
#define PARAMETERS                                                             \
	float *c, const float *a, const float *b, size_t m, size_t n, size_t k, size_t ldc, size_t lda, \
	    size_t ldb, unsigned transposed, const struct isk_post *post
#define ARGUMENTS c, a, b, m, n, k, ldc, lda, ldb, transposed, post

/* Row r of A: multiples of its stride that addresses can take, from the row r & ~7. */
struct rows {
	const char *low, *high;
	size_t stride, stride3, stride5, stride7;
};

ISK_INLINE float row(struct rows a, const int r)
{
	const char *p = r < 8 ? a.low : a.high;

	switch (r & 7) {
	case 1:
		return *(const float *)(p + a.stride);
	case 2:
		return *(const float *)(p + 2 * a.stride);
	case 3:
		return *(const float *)(p + a.stride3);
	case 4:
		return *(const float *)(p + 4 * a.stride);
	case 5:
		return *(const float *)(p + a.stride5);
	case 6:
		return *(const float *)(p + 2 * a.stride3);
	case 7:
		return *(const float *)(p + a.stride7);
	default:
		return *(const float *)p;
	}
}

/* Keeps the compiler from seeing where a value comes from, and so from computing it anew, or another in its place. */
#define OPAQUE(x) __asm__("" : "+r"(x))

/*
 * rows by n columns; kind is (n - 1) / 4. The columns are full vectors, eight
 * lanes, and a last part: left columns of a vector, of eight lanes, or of pairs.
 * exact: the last vector is full.
 */
ISK_INLINE int multiply(float *c, const float *a, const float *b, size_t n, size_t k, size_t ldc, size_t lda,
                        size_t ldb, unsigned more, const int rows, const int kind, const int exact)
{
	const int full = kind >= KINDS / 2, rest = kind % (KINDS / 2), whole = rest == KINDS / 2 - 1;
	const int pairs = !whole && rest % 2 == 0, eight = !whole && rest >= 1, eight_full = rest == 2;
	const int wide = full || whole, at_eight = full * VL, at_pairs = at_eight + eight_full * 8;
	const size_t left = n - (size_t)(pairs ? at_pairs : at_eight), eights = eight_full ? 8 : left;
	struct rows at = {(const char *)a, (const char *)(a + 8 * lda), 4 * lda, 12 * lda, 20 * lda, 28 * lda};
	vf acc[16], last[16];
	v8 acc8[16], pair[8];

#pragma GCC unroll 16
	for (int r = 0; r < rows; r++) {
		const float *p = c + (size_t)r * ldc;

		acc[r] = more && full ? vf_load(p) : vf_set1(0);
		last[r] = more && whole ? exact ? vf_load(p + at_eight) : vf_load_n(p + at_eight, left) : vf_set1(0);
		acc8[r] = more && eight ? v8_load_n(p + at_eight, eights) : v8_set1(0);
		if (r % 2 == 0)
			pair[r / 2] = more && pairs ? v8_pair(v8_load_n(p + at_pairs, left),
			                                      v8_twice_n(p + (r + 1 < rows ? ldc : 0) + at_pairs, left))
			                            : v8_set1(0);
	}
	OPAQUE(at.high);
	OPAQUE(at.stride3);
	OPAQUE(at.stride5);
	OPAQUE(at.stride7);
	for (; k; k--, at.low += 4, at.high += 4, b += ldb) {
		const vf bv = full ? vf_load(b) : vf_set1(0);
		const vf bw = !whole ? vf_set1(0) : exact ? vf_load(b + at_eight) : vf_load_n(b + at_eight, left);
		const v8 b8 = eight ? v8_load_n(b + at_eight, eights) : v8_set1(0);
		const v8 bp = pairs ? v8_twice_n(b + at_pairs, left) : v8_set1(0);
		v8 even = v8_set1(0);

#pragma GCC unroll 16
		for (int r = 0; r < rows; r++) {
			const float x = row(at, r);
			const vf xv = vf_set1(wide ? x : 0);
			const v8 x8 = wide ? v8_first(xv) : v8_set1(x);

			if (full)
				acc[r] = vf_fma(xv, bv, acc[r]);
			if (whole)
				last[r] = vf_fma(xv, bw, last[r]);
			if (eight)
				acc8[r] = v8_fma(x8, b8, acc8[r]);
			if (pairs && (r % 2 || r + 1 == rows))
				pair[r / 2] = v8_fma(r % 2 ? v8_pair(even, x8) : x8, bp, pair[r / 2]);
			even = x8;
		}
	}
#pragma GCC unroll 16
	for (int r = 0; r < rows; r++, c += ldc) {
		if (full)
			vf_store(c, acc[r]);
		if (whole && exact)
			vf_store(c + at_eight, last[r]);
		if (whole && !exact)
			vf_store_n(c + at_eight, last[r], left);
		if (eight)
			v8_store_n(c + at_eight, acc8[r], eights);
		if (pairs && r % 2 == 0)
			v8_store_first_n(c + at_pairs, pair[r / 2], left);
		if (pairs && r % 2)
			v8_store_second_n(c + at_pairs, pair[r / 2], left);
	}
	return ISK_OK;
}

/* X(rows, kind) for all tiles, and the most rows that the registers hold of each kind. */
#define ROWS_4(X, kind)  X(1, kind) X(2, kind) X(3, kind) X(4, kind)
#define ROWS_6(X, kind)  ROWS_4(X, kind) X(5, kind) X(6, kind)
#define ROWS_8(X, kind)  ROWS_6(X, kind) X(7, kind) X(8, kind)
#define ROWS_10(X, kind) ROWS_8(X, kind) X(9, kind) X(10, kind)
#define ROWS_12(X, kind) ROWS_10(X, kind) X(11, kind) X(12, kind)
#define ROWS_16(X, kind) ROWS_12(X, kind) X(13, kind) X(14, kind) X(15, kind) X(16, kind)

#if VL == 16
#define TILES(X)                                                               \
	ROWS_16(X, 0) ROWS_16(X, 1) ROWS_16(X, 2) ROWS_16(X, 3) ROWS_12(X, 4) ROWS_12(X, 5) ROWS_10(X, 6) \
	ROWS_12(X, 7)
static const unsigned char most_rows[KINDS] = {16, 16, 16, 16, 12, 12, 10, 12};
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
		if (VL < 16 && n % VL == 0)                                            \
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

/* Rows of the next tile: as many as may be, but the last two alike. */
ISK_INLINE size_t next_rows(size_t left, size_t n)
{
	const size_t most = most_rows[(n - 1) / 4];

	return left <= most ? left : left < 2 * most ? (left + 1) / 2 : most;
}

/* Where everything is read and written in its place. */
static __attribute__((noinline)) int tiles(PARAMETERS)
{
	for (size_t j = 0; j < n; j += CHUNK) {
		const size_t width = n - j < CHUNK ? n - j : CHUNK;
		size_t height;

		for (size_t i = 0; i < m; i += height) {
			height = next_rows(m - i, width);
			any_tile(c + i * ldc + j, a + i * lda, b + j, height, width, k, ldc, lda, ldb, transposed, post);
		}
	}
	return ISK_OK;
}

static void copy_rows(float *to, size_t stride, const float *from, size_t ld, size_t rows, size_t cols)
{
	for (; rows; rows--, from += ld, to += stride)
		for (size_t i = 0; i < cols; i += VL)
			vf_store_upto(to + i, vf_load_upto(from + i, cols - i), cols - i);
}

/* to[j][i] = from[i][j] */
static void transpose(float *to, size_t stride, const float *from, size_t ld, size_t rows, size_t cols)
{
	for (size_t i = 0; i < rows; i += VL)
		for (size_t j = 0; j < cols; j += VL) {
			const size_t height = rows - i < VL ? rows - i : VL, width = cols - j < VL ? cols - j : VL;

			tile_transpose(to + j * stride + i, 4 * stride, from + i * ld + j, 4 * ld, height, width, 4);
		}
}

/* Whether rows so far apart meet in the sets of the first-level cache, or nearly. */
ISK_INLINE int collides(size_t ld)
{
	return ld >= 256 && (ld + 16) % 512 <= 32;
}

/* B beyond this is not in the first-level cache from one row of tiles to the next. */
#define NEAR 6144

static __attribute__((noinline)) void blocks(PARAMETERS)
{
	const int plain = post_is_plain(post), a_transposed = transposed & ISK_TRANSPOSED_A;
	const int b_transposed = transposed & ISK_TRANSPOSED_B, copy_a = a_transposed || collides(lda);
	const int copy_b = b_transposed || (m > 24 && (k * (n < CHUNK ? n : CHUNK) > NEAR || collides(ldb)));
	const size_t depth = copy_a || copy_b ? DEPTH : k;
	float b_copy[DEPTH * CHUNK] __attribute__((aligned(64))), a_copy[16 * STRIDE] __attribute__((aligned(64)));
	float sums[SUMS_ROWS * CHUNK] __attribute__((aligned(64)));
	size_t rows;

	for (size_t j = 0; j < n; j += CHUNK) {
		const size_t width = n - j < CHUNK ? n - j : CHUNK;

		for (size_t i = 0; i < m; i += rows) {
			float *t = plain ? c + i * ldc + j : sums;
			const size_t ldt = plain ? ldc : CHUNK;
			size_t at = 0, height;

			rows = plain || m - i < SUMS_ROWS ? m - i : SUMS_ROWS;
			/* What finish() reads of a last vector beyond the columns. */
			for (size_t r = 0; r < rows && !plain && width % VL; r++)
				vf_store(sums + r * CHUNK + width / VL * VL, vf_set1(0));
			do {
				const size_t deep = k - at < depth ? k - at : depth;
				const float *from = b_transposed ? b + j * ldb + at : b + at * ldb + j;

				if (b_transposed)
					transpose(b_copy, CHUNK, from, ldb, width, deep);
				else if (copy_b)
					copy_rows(b_copy, CHUNK, from, ldb, deep, width);
				for (size_t r = 0; r < rows; r += height) {
					const float *rows_of_a = a_transposed ? a + at * lda + i + r : a + (i + r) * lda + at;

					height = next_rows(rows - r, width);
					if (a_transposed)
						transpose(a_copy, STRIDE, rows_of_a, lda, deep, height);
					else if (copy_a)
						copy_rows(a_copy, STRIDE, rows_of_a, lda, height, deep);
					any_tile(t + r * ldt, copy_a ? a_copy : rows_of_a, copy_b ? b_copy : from, height, width,
					         deep, ldt, copy_a ? STRIDE : lda, copy_b ? CHUNK : ldb, at != 0, NULL);
				}
				at += deep;
			} while (at < k);
			if (!plain)
				finish(c, ldc, sums, CHUNK, i, j, rows, width, post);
		}
	}
}

static int check(PARAMETERS)
{
	const size_t a_rows = transposed & ISK_TRANSPOSED_A ? k : m, a_cols = transposed & ISK_TRANSPOSED_A ? m : k;
	const size_t b_rows = transposed & ISK_TRANSPOSED_B ? n : k, b_cols = transposed & ISK_TRANSPOSED_B ? k : n;

	if (post->size != sizeof(*post) || post->first_column)
		return ISK_ERR_POST;
	if (transposed > (ISK_TRANSPOSED_A | ISK_TRANSPOSED_B))
		return ISK_ERR_SHAPE;
	if ((!c && m && n) || (m && n && k && (!a || !b)))
		return ISK_ERR_NULL;
	if (lda < a_cols || ldb < b_cols || ldc < n)
		return ISK_ERR_STRIDE;
	if (extent_overflows(a_rows, lda, sizeof(*a)) || extent_overflows(b_rows, ldb, sizeof(*b))
	    || extent_overflows(m, ldc, sizeof(*c)))
		return ISK_ERR_SIZE;
	return check_post(post, m, n, C_F32, 0, 0, 0);
}

/* With what check() finds to be in order. */
static void checked(PARAMETERS)
{
	const int in_place = !transposed && post_is_plain(post)
	                     && (m <= 24 || (k <= NEAR / CHUNK && !collides(lda) && !collides(ldb)));

	if (!m || !n)
		return;
	if (in_place)
		tiles(ARGUMENTS);
	else
		blocks(ARGUMENTS);
}

static __attribute__((noinline)) int any(PARAMETERS)
{
	int status;

	if (!post)
		post = &isk_no_post;
	status = check(ARGUMENTS);
	if (!status)
		checked(ARGUMENTS);
	return status;
}

/* A small product meets few instructions on its way: what is not plainly in order is looked at elsewhere. */
int ISK_FN(matmul_f32)(PARAMETERS)
{
	if (n - 1 >= CHUNK || m - 1 >= most_rows[(n - 1) / 4] || k >= 1024 || !c || !a || !b || lda < k || ldb < n
	    || ldc < n || (lda | ldb | ldc) >> 31 || transposed || post)
		return any(ARGUMENTS);
	return tile(ARGUMENTS);
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
	struct isk_post each = post ? *post : isk_no_post;
	int status;

	if (!batch)
		m = 0;
	status = check(c, a, b, m, n, k, ldc, lda, ldb, transposed, &each);
	if (status || !m || !n)
		return status;
	/* One below the other, or side by side. */
	if (batch > 1 && (stride_c < n || (stride_c < (m - 1) * ldc + n && stride_c > (ldc - n) / (batch - 1))))
		return ISK_ERR_STRIDE;
	if (batch_overflows(batch, stride_c, m, ldc)
	    || batch_overflows(batch, stride_a, transposed & ISK_TRANSPOSED_A ? k : m, lda)
	    || batch_overflows(batch, stride_b, transposed & ISK_TRANSPOSED_B ? n : k, ldb)
	    || (each.binary && batch_overflows(batch, stride_c, m, each.ldother)))
		return ISK_ERR_SIZE;
	for (; batch; batch--) {
		checked(c, a, b, m, n, k, ldc, lda, ldb, transposed, &each);
		c += stride_c;
		a += stride_a;
		b += stride_b;
		if (each.binary)
			each.other = (const float *)each.other + stride_c;
	}
	return ISK_OK;
}
