/* SPDX-License-Identifier: MIT */
/*
 * C = post(A * B) without packing, for products too small to repay it, and for
 * callers who use each B only once. Sums are the chains of additions of multiply.h,
 * so the bits are the same.
 *
 * A tile of C is up to 16 rows by up to CHUNK columns. The last vector of a row
 * overlaps the one before it, so that it is full; some columns are multiplied twice.
 * The reason is that a masked store takes AMD's CPUs a dozen cycles if masks are
 * vectors. A CPU that executes a wide FMA in two halves has narrow tiles, of vectors of
 * eight lanes. If their last vector needs only four lanes, it is half a vector of eight
 * that two rows share, which is a third less work at 20 columns. A tile does not mix
 * vectors of two widths, because their FMAs hinder each other (Zen 4, 24 columns by 12
 * rows: 20.5 cycles a step with both widths, 18 with eight lanes alone).
 *
 * Tiles read A, transposed or not, and B in place. If rows of A fall into the same
 * sets of the first-level cache, a tile has fewer rows than a set has ways. A large B
 * (see suits_copy()) is copied to the stack, UNPACKED_KC by CHUNK at a time; a transposed
 * B always is. Blocks of UNPACKED_MC rows by UNPACKED_KC of A stay in the second-level
 * cache while all of B passes. Sums over a part of k wait in C; they wait on the stack if
 * the epilogue reads C as its other operand, or would write beyond the last column.
 */
#include "matmul_kernels.h"
#include "check.h"
#include "thresholds.h"
#include "transpose_tile.h"
#include "vec_pair.h"

ISK_EXTERN epilogue_fn ISK_PART(epilogue, epilogue_f32);
ISK_EXTERN column_fn ISK_PART(columns, few_columns);

#define CHUNK (2 * VL)

/*
 * A tile is of a kind for each STEP columns. If IS_WHOLE, tiles of more than eight columns are vectors of 16 lanes; a
 * single one is masked. Their time relative to narrow tiles, Zen 5, as many rows, columns and k: 0.93 with 9 to 12, 0.6 to
 * 0.85 with 17 to 28. Rows: matmul_f32/17x17x17, matmul_f32/25x25x25
 */
#define STEP  (IS_WHOLE ? 8 : 4)
#define KINDS (CHUNK / STEP)

/*
 * The parameters of the kernel, of tiles() and of any_tile(). A tile's `transposed` is
 * ISK_TRANSPOSED_A or 0, plus MORE if its sums continue from the values in C.
 */
#define PARAMETERS                                                             \
	float *c, const float *a, const float *b, size_t m, size_t n, size_t k, size_t ldc, size_t lda, \
	    size_t ldb, unsigned transposed
#define ARGUMENTS c, a, b, m, n, k, ldc, lda, ldb, transposed
#define MORE      4u

/* Hides from the compiler where a value comes from, so that it neither computes the value again nor in another way. */
#define OPAQUE(x) __asm__("" : "+r"(x))

/* IS_WHOLE: no tile is of kind 2, because two whole vectors are needed for 17 columns as for 32. */
ISK_INLINE size_t kind_of(size_t n)
{
	return (n - 1) / STEP | (IS_WHOLE ? (n - 1) / 16 : 0);
}

/* The number of lanes of the vectors of a kind of tile. */
ISK_INLINE int lanes_of(const int kind)
{
	return VL == 4 || (IS_WHOLE ? kind > 0 : VL == 16 && kind % 4 == 3) ? VL : 8;
}

/*
 * A tile of rows by n columns. A row is `vectors` vectors of VL lanes (wide) or of eight,
 * plus, if pairs, half a vector that it shares with the next row. If full is 0, the row is
 * one vector or one half, of which n lanes are loaded and stored.
 */
ISK_INLINE int multiply(float *c, const float *a, const float *b, unsigned flags, size_t n, size_t k,
                        size_t ldc, size_t lda, size_t ldb, const int rows, const int kind, const int full)
{
	const int lanes = lanes_of(kind), wide = VL != 8 && lanes == VL;
	const int vectors = STEP * (kind + 1) / lanes, pairs = STEP * (kind + 1) % lanes != 0;
	const size_t stride = flags & ISK_TRANSPOSED_A ? 4 : 4 * lda;
	const size_t step = flags & ISK_TRANSPOSED_A ? 4 * lda : 4;
	const char *fourth[4] = {(const char *)a}; /* rows 0, 4, 8 and 12 of A */
	size_t twice = 2 * stride, thrice = 3 * stride;
	size_t at[] = {0, (size_t)lanes, 2 * (size_t)lanes, 3 * (size_t)lanes};
	vf sums[16][2];
	v8 eights[16][3], halves[8];

	if (vectors + pairs > 1)
		at[vectors + pairs - 1] = n - (pairs ? 4 : (size_t)lanes);
#pragma GCC unroll 16
	for (int r = 0; r < rows; r++) {
		sums[r][0] = sums[r][1] = vf_set1(0);
		eights[r][0] = eights[r][1] = eights[r][2] = halves[r / 2] = v8_set1(0);
	}
	if (__builtin_expect((flags & MORE) != 0, 0)) {
		const float *p = c;

#pragma GCC unroll 16
		for (int r = 0; r < rows; r++, p += ldc) {
#pragma GCC unroll 3
			for (int v = 0; v < vectors; v++)
				if (wide)
					sums[r][v] = full ? vf_load(p + at[v]) : vf_load_n(p, n);
				else
					eights[r][v] = full ? v8_load(p + at[v]) : v8_load_n(p, n);
			if (pairs) {
				const v8 half = full ? v8_twice(p + at[vectors]) : v8_twice_n(p, n);

				halves[r / 2] = r % 2 ? v8_pair(halves[r / 2], half) : half;
			}
		}
	}
	OPAQUE(c);
	OPAQUE(twice);
	OPAQUE(thrice);
#pragma GCC unroll 4
	for (int i = 1; i < 4; i++) {
		fourth[i] = fourth[i - 1] + 4 * stride;
		OPAQUE(fourth[i]);
	}
	for (; k; k--, b += ldb) {
		const size_t apart[4] = {0, stride, twice, thrice}; /* bytes from a fourth row to itself and the next three */
		const v8 half = !pairs ? v8_set1(0) : full ? v8_twice(b + at[vectors]) : v8_twice_n(b, n);
		vf line[2];
		v8 eight[3], before = v8_set1(0);

#pragma GCC unroll 3
		for (int v = 0; v < vectors; v++)
			if (wide)
				line[v] = full ? vf_load(b + at[v]) : vf_load_n(b, n);
			else
				eight[v] = full ? v8_load(b + at[v]) : v8_load_n(b, n);
#pragma GCC unroll 16
		for (int r = 0; r < rows; r++) {
			const float x = *(const float *)(fourth[r / 4] + apart[r % 4]);
			const v8 x8 = v8_set1(x);

#pragma GCC unroll 3
			for (int v = 0; v < vectors; v++)
				if (wide)
					sums[r][v] = vf_fma(vf_set1(x), line[v], sums[r][v]);
				else
					eights[r][v] = v8_fma(x8, eight[v], eights[r][v]);
			if (pairs && (r % 2 || r + 1 == rows))
				halves[r / 2] = v8_fma(r % 2 ? v8_pair(before, x8) : x8, half, halves[r / 2]);
			before = x8;
		}
#pragma GCC unroll 4
		for (int i = 0; i < 4; i++)
			fourth[i] += step;
	}
#pragma GCC unroll 16
	for (int r = 0; r < rows; r++, c += ldc) {
#pragma GCC unroll 3
		for (int v = 0; v < vectors; v++)
			if (wide && full)
				vf_store(c + at[v], sums[r][v]);
			else if (wide)
				vf_store_n(c, sums[r][v], n);
			else if (full)
				v8_store(c + at[v], eights[r][v]);
			else
				v8_store_n(c, eights[r][v], n);
		if (pairs)
			v8_store_half(c + at[vectors], halves[r / 2], r % 2, full ? 4 : n);
	}
	return ISK_OK;
}

/* TILES(X) expands X(rows, kind) for each tile; most_rows[kind] is the largest number of rows whose sums fit registers. */
#define ROWS_4(X, kind)  X(1, kind) X(2, kind) X(3, kind) X(4, kind)
#define ROWS_6(X, kind)  ROWS_4(X, kind) X(5, kind) X(6, kind)
#define ROWS_8(X, kind)  ROWS_6(X, kind) X(7, kind) X(8, kind)
#define ROWS_12(X, kind) ROWS_8(X, kind) X(9, kind) X(10, kind) X(11, kind) X(12, kind)
#define ROWS_14(X, kind) ROWS_12(X, kind) X(13, kind) X(14, kind)
#define ROWS_16(X, kind) ROWS_14(X, kind) X(15, kind) X(16, kind)

#if IS_WHOLE
#define TILES(X) ROWS_16(X, 0) ROWS_16(X, 1) ROWS_14(X, 3)
static const unsigned char most_rows[KINDS] = {16, 16, 0, 14};
#elif VL == 16
#define TILES(X)                                                               \
	ROWS_16(X, 0) ROWS_16(X, 1) ROWS_12(X, 2) ROWS_16(X, 3) ROWS_8(X, 4) ROWS_8(X, 5) ROWS_6(X, 6) \
	ROWS_12(X, 7)
static const unsigned char most_rows[KINDS] = {16, 16, 12, 16, 8, 8, 6, 12};
#elif VL == 8
#define TILES(X) ROWS_12(X, 0) ROWS_12(X, 1) ROWS_8(X, 2) ROWS_6(X, 3)
static const unsigned char most_rows[KINDS] = {12, 12, 8, 6};
#else
#define TILES(X) ROWS_8(X, 0) ROWS_4(X, 1)
static const unsigned char most_rows[KINDS] = {8, 4};
#endif

/*
 * Takes its arguments in the registers in which the kernel got them (m excepted), so that the
 * kernel can tail-call it. `used` keeps gcc from changing the signature. A single vector that is
 * full has its own code, except if masks are registers and cost nothing (VL 16).
 */
#define DEFINE(rows, kind)                                                     \
	__attribute__((used, noinline)) static int tile_##kind##_##rows(           \
	    float *c, const float *a, const float *b, unsigned flags, size_t n, size_t k, size_t ldc, size_t lda, \
	    size_t ldb)                                                            \
	{                                                                          \
		if (STEP * (kind) >= lanes_of(kind) || (VL < 16 && n == STEP * ((kind) + 1))) \
			return multiply(c, a, b, flags, n, k, ldc, lda, ldb, rows, kind, 1); \
		return multiply(c, a, b, flags, n, k, ldc, lda, ldb, rows, kind, 0);   \
	}
TILES(DEFINE)

#define CASE(rows, kind)                                                       \
	case (rows)*KINDS + (kind):                                                \
		return tile_##kind##_##rows(c, a, b, transposed, n, k, ldc, lda, ldb);

/* One tile: n is at most CHUNK, m at most most_rows[kind_of(n)]. */
ISK_INLINE int tile(PARAMETERS)
{
	switch (m * KINDS + kind_of(n)) {
		TILES(CASE)
	default:
		__builtin_unreachable();
	}
}

static __attribute__((noinline)) int any_tile(PARAMETERS)
{
	return tile(ARGUMENTS);
}

/* Whether rows ld floats apart fall into the same few sets of the first-level cache. */
ISK_INLINE int collides(size_t ld)
{
	return ld >= COLLIDING && (ld + 16) % 512 <= 32;
}

/*
 * The columns of a C of one or two rows that fill `vectors` vectors at a time: rows * vectors chains of additions, of which
 * eight hide the latency of an FMA, while a tile has two for each row. Returns the number of these columns. Time relative
 * to tiles, Zen 5: 1x512x128 0.65, 1x4096x4096 0.38, 2x512x128 0.86; at AVX2 0.46 for 1x512x128. Its whole k is
 * multiplied at once: a C whose sums continue has at most CHUNK columns, which are fewer than a step.
 */
ISK_INLINE size_t few_rows(PARAMETERS, const int rows, const int vectors)
{
	const size_t a_step = transposed & ISK_TRANSPOSED_A ? 1 : lda, k_step = transposed & ISK_TRANSPOSED_A ? lda : 1;
	const size_t width = (size_t)(vectors * VL);
	size_t j = 0;

	(void)m;
	for (; n - j >= width; j += width) {
		const float *x = a, *line = b + j;
		vf sums[2][8];

#pragma GCC unroll 2
		for (int r = 0; r < rows; r++)
#pragma GCC unroll 8
			for (int v = 0; v < vectors; v++)
				sums[r][v] = vf_set1(0);
		for (size_t i = 0; i < k; i++, x += k_step, line += ldb)
#pragma GCC unroll 8
			for (int v = 0; v < vectors; v++) {
				const vf y = vf_load(line + v * VL);

#pragma GCC unroll 2
				for (int r = 0; r < rows; r++)
					sums[r][v] = vf_fma(vf_set1(x[(size_t)r * a_step]), y, sums[r][v]);
			}
#pragma GCC unroll 2
		for (int r = 0; r < rows; r++)
#pragma GCC unroll 8
			for (int v = 0; v < vectors; v++)
				vf_store(c + (size_t)r * ldc + j + (size_t)(v * VL), sums[r][v]);
	}
	return j;
}

/* Reads A and B in place. Tiles are as tall as allowed; the last two share the remaining rows evenly. */
static __attribute__((noinline)) int tiles(PARAMETERS)
{
	const size_t done = m == 1 ? few_rows(ARGUMENTS, 1, 8) : m == 2 ? few_rows(ARGUMENTS, 2, 4) : 0;
	const size_t a_step = transposed & ISK_TRANSPOSED_A ? 1 : lda;
	const size_t step = m * n > LARGE_C && k * n <= LARGE_C ? most_rows[KINDS - 1] : m;
	const int few = collides(a_step);

	for (size_t top = 0; top < m; top += step)
		for (size_t j = done; j < n; j += CHUNK) {
			const size_t width = n - j < CHUNK ? n - j : CHUNK, end = m - top < step ? m : top + step;
			const size_t held = most_rows[kind_of(width)], most = few && held > WAY_ROWS ? WAY_ROWS : held;
			size_t height;

			for (size_t i = top; i < end; i += height) {
				height = end - i <= most ? end - i : end - i < 2 * most ? (end - i + 1) / 2 : most;
				any_tile(c + i * ldc + j, a + i * a_step, b + j, height, width, k, ldc, lda, ldb, transposed);
			}
		}
	return ISK_OK;
}

/* The arguments of a product, for paths long enough to afford passing a struct. */
struct matmul {
	float *c;
	const float *a, *b;
	size_t m, n, k, ldc, lda, ldb;
	unsigned transposed;
	const struct isk_post *post;
};

/* The buffers and decisions of one call. */
struct work {
	float b[UNPACKED_KC * CHUNK] __attribute__((aligned(64)));
	float sums[UNPACKED_MC * CHUNK] __attribute__((aligned(64)));
	int copy_b,   /* tiles read B from b[] */
	    plain,    /* post changes nothing, so there is no epilogue */
	    reads_c;  /* the epilogue reads C as its other operand */
	size_t depth; /* number of k multiplied at once */
};

_Static_assert(sizeof(struct work) <= 60 << 10, "a kernel takes at most 64 KiB of stack");

ISK_INLINE int suits_copy(const struct matmul *p)
{
	return p->transposed & ISK_TRANSPOSED_B
	       || (p->m > FEW_ROWS && !is_near(p->m, p->n, p->k, p->ldb, collides(p->ldb)));
}

/* Copies rows by cols of B, and prefetches the next CHUNK columns into the second-level cache. */
static void copy_rows(float *to, const float *from, size_t ld, size_t rows, size_t cols)
{
	for (; rows; rows--, from += ld, to += CHUNK)
		for (size_t i = 0; i < cols; i += VL) {
			__builtin_prefetch(from + i + CHUNK, 0, 2);
			vf_store(to + i, vf_load_as(from, i, cols - i, ISK_F32));
		}
}

/* Multiplies up to `depth` of k, from `at` on, into `rows` by up to CHUNK columns of C from (row, col) on. */
static void panel(struct work *w, const struct matmul *p, size_t row, size_t col, size_t rows, size_t at)
{
	const unsigned a_transposed = p->transposed & ISK_TRANSPOSED_A;
	const unsigned b_transposed = p->transposed & ISK_TRANSPOSED_B;
	const size_t width = p->n - col < CHUNK ? p->n - col : CHUNK;
	const size_t deep = p->k - at < w->depth ? p->k - at : w->depth;
	const float *a = p->a + (a_transposed ? at * p->lda + row : row * p->lda + at);
	const float *b = p->b + (b_transposed ? col * p->ldb + at : at * p->ldb + col);
	const int held = !w->plain && (w->reads_c || width % VL);
	const size_t ldc = held ? CHUNK : p->ldc;
	float *c = held ? w->sums : p->c + row * p->ldc + col;

	if (b_transposed)
		squares_transpose(w->b, 4 * CHUNK, b, 4 * p->ldb, width, deep, 4);
	else if (w->copy_b)
		copy_rows(w->b, b, p->ldb, deep, width);
	/* The epilogue reads whole vectors, so the last one of each row is filled with zeros. */
	for (size_t i = 0; i < rows && held && !at && width % VL; i++)
		vf_store(w->sums + i * CHUNK + width / VL * VL, vf_set1(0));
	tiles(c, a, w->copy_b ? w->b : b, rows, width, deep, ldc, p->lda, w->copy_b ? CHUNK : p->ldb,
	      a_transposed | (at ? MORE : 0));
	if (!w->plain && at + deep == p->k)
		ISK_PART(epilogue, epilogue_f32)(
		    &(struct epilogue){p->c, p->ldc, c, ldc, row, col, rows, width, p->post});
}

static __attribute__((noinline)) void blocks(const struct matmul *p)
{
	struct work w;
	size_t rows, group;

	w.plain = post_is_plain(p->post);
	w.reads_c = p->post->binary && p->post->other == p->c;
	w.copy_b = suits_copy(p);
	w.depth = w.copy_b ? UNPACKED_KC : SIZE_MAX;
	/* Either `depth` of k for all columns at a time or, if sums wait on the stack, all of k for CHUNK columns at a time. */
	group = w.reads_c ? CHUNK : p->n;
	for (size_t i = 0; i < p->m; i += rows) {
		rows = p->m - i < UNPACKED_MC ? p->m - i : UNPACKED_MC;
		for (size_t j = 0; j < p->n; j += group)
			for (size_t at = 0; at == 0 || at < p->k; at += w.depth)
				for (size_t col = j; col < j + group; col += CHUNK)
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
	if (extent_overflows(a_transposed ? k : m, p->lda, sizeof(float))
	    || extent_overflows(b_transposed ? n : k, p->ldb, sizeof(float)) || extent_overflows(m, p->ldc, sizeof(float)))
		return ISK_ERR_SIZE;
	return check_post(p->post, m, n, ISK_F32, ISK_F32);
}

static void few_columns(const struct matmul *p)
{
	const int transposed = !!(p->transposed & ISK_TRANSPOSED_B);
	const struct product columns = {.c = p->c, .a = p->a, .m = p->m, .n = p->n, .k = p->k, .ldc = p->ldc, .lda = p->lda,
	                               .post = p->post, .epilogue = ISK_PART(epilogue, epilogue_f32)};

	ISK_PART(columns, few_columns)(&columns, p->b, transposed ? 1 : p->ldb, transposed ? p->ldb : 1);
}

/* A product whose arguments have passed check(). */
static void checked(const struct matmul *p)
{
	if (!p->m || !p->n)
		return;
	if (suits_columns(p->m, p->n, p->k) && !(p->transposed & ISK_TRANSPOSED_A))
		few_columns(p);
	else if (post_is_plain(p->post) && !suits_copy(p))
		tiles(p->c, p->a, p->b, p->m, p->n, p->k, p->ldc, p->lda, p->ldb, p->transposed);
	else
		blocks(p);
}

static __attribute__((noinline)) int any(PARAMETERS, const struct isk_post *post)
{
	const struct matmul p = {c, a, b, m, n, k, ldc, lda, ldb, transposed, post ? post : &isk_no_post};
	const int status = check(&p);

	if (!status)
		checked(&p);
	return status;
}

/*
 * A small product runs few instructions before its tile: any() looks at all calls that are not plainly in order. It
 * also takes COLLIDING_ROWS rows or more that share a set of the first-level cache.
 */
int ISK_FN(matmul_f32)(PARAMETERS, const struct isk_post *post)
{
	if (!c || !a || !b || lda < k || ldb < n || ldc < n || (lda | ldb | ldc | m) >> 31 || transposed || post)
		return any(ARGUMENTS, post);
	if (n - 1 < CHUNK && m - 1 < most_rows[kind_of(n)] && (m < COLLIDING_ROWS || !share_a_set(lda)))
		return tile(ARGUMENTS);
	if ((lda | ldb | ldc) < COLLIDING && k <= NEAR_DEPTH && !suits_columns(m, n, k))
		return tiles(ARGUMENTS);
	return any(ARGUMENTS, post);
}

/* Whether the bytes that a batch of matrices spans, stride elements apart, overflow size_t. */
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
			each.other = (const float *)each.other + stride_c;
	}
	return ISK_OK;
}
