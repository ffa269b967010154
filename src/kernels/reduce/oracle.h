/* SPDX-License-Identifier: MIT */
/* The operations by their definitions: a line or a short function each. */

/* Element i of an array of integers, widened to 64 bits. */
ISK_UNUSED static uint64_t R(whole)(struct isk_array x, size_t i)
{
	const uint64_t bits = isk_element_bits(x.type, x.x, i * x.step);

	return x.type == ISK_S64 ? bits : (uint64_t)(int64_t)isk_element_value(x.type, bits);
}

ISK_UNUSED static REAL R(sum_of)(struct isk_array x, size_t n, REAL *scale) SUM_OF(AT(x, i))

REDUCE_AS(sum)
{
	uint64_t sum = 0;

	if (isk_element_is_float(x.type))
		return R(sum_of)(x, n, scale);
	*scale = 0;
	for (size_t i = 0; i < n; i++)
		sum += R(whole)(x, i);
	return (REAL)(int64_t)sum;
}

REDUCE_AS(xor_sum)
{
	uint64_t sum = 0;

	*scale = 0;
	for (size_t i = 0; i < n; i++)
		sum ^= R(whole)(x, i);
	return (REAL)(int64_t)sum;
}

REDUCE(asum, fabs(AT(x, i)))
REDUCE(sumsq, AT(x, i) * AT(x, i))
REDUCE2(dot, AT(a, i) * AT(b, i))
REDUCE2(l2sq, (AT(a, i) - AT(b, i)) * (AT(a, i) - AT(b, i)))
REDUCE2(l1, fabs(AT(a, i) - AT(b, i)))

REDUCE_AS(mean)
{
	const REAL sum = R(oracle_sum)(x, n, scale);

	*scale /= (REAL)n;
	return sum / (REAL)n;
}

/*
 * If the product of the elements above 1, or of those below 1, is out of the range of the lanes, no error is promised. The
 * product is exact to a long double in any case, because its exponent is counted apart.
 */
REDUCE_AS(prod)
{
	const long double least = ISK_WIDE ? 0x1p-1022L : 0x1p-126L, most = ISK_WIDE ? 0x1p1023L : 0x1p127L;
	long double prod = 1, up = 1, down = 1, others = 1;
	int64_t exponent = 0;

	for (size_t i = 0; i < n; i++) {
		const long double e = (long double)AT(x, i), size = fabsl(e);
		int more;

		if (!isfinite(e) || e == 0) {
			others *= e;
			continue;
		}
		prod = frexpl(prod * e, &more);
		exponent += more;
		up *= size > 1 ? size : 1;
		down *= size < 1 ? size : 1;
	}
	/* Beyond the exponents of a long double, the product is 0 or infinite. */
	exponent = exponent < -20000 ? -20000 : exponent > 20000 ? 20000 : exponent;
	prod = ldexpl(prod, (int)exponent);
	*scale = up > most || down < least ? (REAL)INFINITY : (REAL)(fabsl(prod) * (long double)n);
	return (REAL)(isfinite(others) && others != 0 ? prod : others * copysignl(1, prod));
}

REDUCE_AS(max)
{
	REAL max = -(REAL)INFINITY;

	*scale = 0;
	for (size_t i = 0; i < n; i++)
		if (isnan(AT(x, i)))
			return AT(x, i);
		else if (AT(x, i) > max)
			max = AT(x, i);
	return max;
}

REDUCE_AS(min)
{
	REAL min = (REAL)INFINITY;

	*scale = 0;
	for (size_t i = 0; i < n; i++)
		if (isnan(AT(x, i)))
			return AT(x, i);
		else if (AT(x, i) < min)
			min = AT(x, i);
	return min;
}

/* Kernels whose elements are computed in f32 sum in lanes of f64, so that the norm errs by one rounding only. */
REDUCE_AS(nrm2)
{
	long double sum = 0, norm;

	for (size_t i = 0; i < n; i++)
		sum += (long double)AT(x, i) * (long double)AT(x, i);
	norm = sqrtl(sum);
	*scale = ISK_WIDE ? (REAL)norm * R(depth)(n) : (REAL)ISK_ULP;
	return (REAL)norm;
}

REDUCE_AS(logsumexp)
{
	REAL unused;
	const REAL most = R(oracle_max)(x, n, &unused);
	long double sum = 0;

	*scale = 0;
	if (!isfinite(most))
		return most;
	for (size_t i = 0; i < n; i++)
		sum += expl((long double)AT(x, i) - (long double)most);
	*scale = fabs(most) + (REAL)logl(sum) + R(depth)(n);
	return most + (REAL)logl(sum);
}

REDUCE2_AS(linf)
{
	REAL most = 0;

	*scale = (REAL)ISK_ULP;
	for (size_t i = 0; i < n; i++)
		if (isnan(AT(a, i) - AT(b, i)))
			return (REAL)NAN;
		else
			most = fmax(most, fabs(AT(a, i) - AT(b, i)));
	return most;
}

REDUCE2_AS(cosine)
{
	/* Sums of squares outside these bounds may leave the range of the lanes, of f64 or of f32. */
	const REAL least = ISK_WIDE ? 0x1p-960L : 0x1p-100L, most = ISK_WIDE ? 0x1p1023L : 0x1p127L;
	REAL ab_size, unused;
	const REAL ab = R(oracle_dot)(a, b, n, &ab_size);
	const REAL aa = R(oracle_dot)(a, a, n, &unused), bb = R(oracle_dot)(b, b, n, &unused);

	*scale = !isnan(aa + bb) && fmin(aa, bb) > 0 && (fmin(aa, bb) < least || fmax(aa, bb) > most) ? (REAL)INFINITY : 0;
	if (aa == 0 || bb == 0 || *scale > 0)
		return 0;
	*scale = (ab_size + fabs(ab) * R(depth)(n)) / sqrt(aa * bb);
	return ab / sqrt(aa * bb);
}

/* The number of bits of a byte that are 1. */
ISK_UNUSED static int R(ones)(uint64_t byte)
{
	int count = 0;

	for (; byte; byte &= byte - 1)
		count++;
	return count;
}

#define BYTE(array, i) isk_element_bits((array).type, (array).x, i)

REDUCE2_AS(jaccard)
{
	REAL both = 0, either = 0;

	*scale = 0;
	for (size_t i = 0; i < n; i++) {
		both += R(ones)(BYTE(a, i) & BYTE(b, i));
		either += R(ones)(BYTE(a, i) | BYTE(b, i));
	}
	return either > 0 ? both / either : 1;
}

ISK_SHARED static void R(form_reduce_to)(struct isk_sink *s, const enum isk_type *types, struct isk_args_reduce_to *a,
                                         REAL (*oracle)(struct isk_array x, size_t n, REAL *scale))
{
	REAL scale;
	const REAL value = oracle((struct isk_array){a->x, types[0], 1}, a->n, &scale);

	R(put_result)(s, &a->result, types[1], value, scale, a->n);
}

/* An integer result is the lower 32 bits of the sum, which is far below 2^53. */
ISK_SHARED static void R(form_reduce2_to)(struct isk_sink *s, const enum isk_type *types,
                                          struct isk_args_reduce2_to *z,
                                          REAL (*oracle)(struct isk_array a, struct isk_array b, size_t n,
                                                         REAL *scale))
{
	REAL scale;
	const struct isk_array a = {z->a, types[0], 1}, b = {z->b, types[1], 1};
	const REAL value = oracle(a, b, z->n, &scale);

	if (isk_element_is_float(types[2]))
		s->put(s, &z->result, 0, types[2], (long double)value, ISK_ULP, 0);
	else
		s->put_bits(s, &z->result, 0, types[2], (uint32_t)(int64_t)value);
}

ISK_SHARED static void R(form_reduce_strided)(struct isk_sink *s, const enum isk_type *types,
                                              struct isk_args_reduce_strided *a,
                                              REAL (*oracle)(struct isk_array x, size_t n, REAL *scale))
{
	REAL scale;
	const REAL value = oracle((struct isk_array){a->x, types[0], a->incx}, a->n, &scale);

	R(put_result)(s, &a->result, types[0], value, scale, a->n);
}

/* The same operation for rows, columns, or elements a stride apart. */
#define REDUCE_LIKE(op, other)                                                 \
	REDUCE_AS(op)                                                              \
	{                                                                          \
		return R(oracle_##other)(x, n, scale);                                 \
	}
REDUCE_LIKE(sum_strided, sum)
REDUCE_LIKE(asum_strided, asum)
REDUCE_LIKE(mean_strided, mean)
REDUCE_LIKE(prod_strided, prod)
REDUCE_LIKE(sumsq_strided, sumsq)
REDUCE_LIKE(nrm2_strided, nrm2)
REDUCE_LIKE(logsumexp_strided, logsumexp)
REDUCE_LIKE(max_strided, max)
REDUCE_LIKE(min_strided, min)
REDUCE_LIKE(xor_sum_strided, xor_sum)
REDUCE_LIKE(sum_rows, sum)
REDUCE_LIKE(mean_rows, mean)
REDUCE_LIKE(asum_rows, asum)
REDUCE_LIKE(prod_rows, prod)
REDUCE_LIKE(max_rows, max)
REDUCE_LIKE(min_rows, min)
REDUCE_LIKE(sumsq_rows, sumsq)
REDUCE_LIKE(nrm2_rows, nrm2)
REDUCE_LIKE(logsumexp_rows, logsumexp)
REDUCE_LIKE(xor_sum_rows, xor_sum)
REDUCE_LIKE(sum_cols, sum)
REDUCE_LIKE(mean_cols, mean)
REDUCE_LIKE(max_cols, max)
REDUCE_LIKE(min_cols, min)
REDUCE_LIKE(sumsq_cols, sumsq)
REDUCE_LIKE(asum_cols, asum)
REDUCE_LIKE(prod_cols, prod)
REDUCE_LIKE(logsumexp_cols, logsumexp)
REDUCE_LIKE(xor_sum_cols, xor_sum)

/* All types have the bound that isk_nrm2_f64 has, because columns of f32 are summed in lanes of f32. */
REDUCE_AS(nrm2_cols)
{
	const REAL norm = R(oracle_nrm2)(x, n, scale);

	*scale = norm * R(depth)(n);
	return norm;
}

ISK_SHARED static void R(form_reduce_rows)(struct isk_sink *s, const enum isk_type *types,
                                           struct isk_args_reduce_rows *a,
                                           REAL (*oracle)(struct isk_array x, size_t n, REAL *scale))
{
	const size_t bytes = isk_element_bytes(types[0]);

	for (size_t r = 0; r < a->rows; r++) {
		REAL scale;
		const struct isk_array x = {(const char *)a->x + r * a->ldx * bytes, types[0], 1};
		const REAL value = oracle(x, a->cols, &scale);

		R(put_one)(s, a->y, r, types[0], value, scale, a->cols);
	}
}

ISK_SHARED static void R(form_reduce_cols)(struct isk_sink *s, const enum isk_type *types,
                                           struct isk_args_reduce_cols *a,
                                           REAL (*oracle)(struct isk_array x, size_t n, REAL *scale))
{
	const size_t bytes = isk_element_bytes(types[0]);

	for (size_t i = 0; i < a->cols; i++) {
		REAL scale;
		const struct isk_array x = {(const char *)a->x + i * bytes, types[0], a->ldx};
		const REAL value = oracle(x, a->rows, &scale);

		R(put_one)(s, a->y, i, types[0], value, scale, a->rows);
	}
}

INDEX(argmax)
{
	size_t best = 0;

	for (size_t i = 0; i < n; i++)
		if (isnan(AT(x, i)))
			return i;
		else if (AT(x, i) > AT(x, best))
			best = i;
	return best;
}

INDEX(argmin)
{
	size_t best = 0;

	for (size_t i = 0; i < n; i++)
		if (isnan(AT(x, i)))
			return i;
		else if (AT(x, i) < AT(x, best))
			best = i;
	return best;
}

INDEX(argmax_rows)
{
	return R(oracle_argmax)(x, n);
}

INDEX(argmin_rows)
{
	return R(oracle_argmin)(x, n);
}

ISK_SHARED static void R(form_index_rows)(struct isk_sink *s, const enum isk_type *types,
                                          struct isk_args_index_rows *a,
                                          size_t (*oracle)(struct isk_array x, size_t n))
{
	const size_t bytes = isk_element_bytes(types[0]);

	for (size_t r = 0; r < a->rows; r++)
		s->put_bits(s, a->y, r, ISK_S64,
		            oracle((struct isk_array){(const char *)a->x + r * a->ldx * bytes, types[0], 1}, a->cols));
}

ISK_SHARED static void R(form_index_cols)(struct isk_sink *s, const enum isk_type *types,
                                          struct isk_args_index_cols *a,
                                          size_t (*oracle)(struct isk_array x, size_t n))
{
	const size_t bytes = isk_element_bytes(types[0]);

	for (size_t i = 0; i < a->cols; i++)
		s->put_bits(s, a->y, i, ISK_S64,
		            oracle((struct isk_array){(const char *)a->x + i * bytes, types[0], a->ldx}, a->rows));
}

INDEX(argmax_strided)
{
	return R(oracle_argmax)(x, n);
}

INDEX(argmin_strided)
{
	return R(oracle_argmin)(x, n);
}

ISK_SHARED static void R(form_index_strided)(struct isk_sink *s, const enum isk_type *types,
                                             struct isk_args_index_strided *a,
                                             size_t (*oracle)(struct isk_array x, size_t n))
{
	s->put_bits(s, &a->result, 0, ISK_S64, oracle((struct isk_array){a->x, types[0], a->incx}, a->n));
}

INDEX(argmax_cols)
{
	return R(oracle_argmax)(x, n);
}

INDEX(argmin_cols)
{
	return R(oracle_argmin)(x, n);
}

INDEX(count_nonzero_rows)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		count += AT(x, i) != 0;
	return count;
}

INDEX(count_nonzero_cols)
{
	return R(oracle_count_nonzero_rows)(x, n);
}

/* The count that element i adds. */
#define COUNTED(op, f)                                                           \
	ISK_UNUSED static size_t R(oracle_##op)(struct isk_array x, size_t i)      \
	{                                                                          \
		return (size_t)(f);                                                    \
	}
#define COUNTED2(op, f)                                                          \
	ISK_UNUSED static size_t R(oracle_##op)(struct isk_array a, struct isk_array b, size_t i) \
	{                                                                          \
		return (size_t)(f);                                                    \
	}
COUNTED(count_nonzero, AT(x, i) != 0)
COUNTED(popcount, R(ones)(BYTE(x, i)))
COUNTED2(hamming, R(ones)(BYTE(a, i) ^ BYTE(b, i)))
COUNTED2(and_popcount, R(ones)(BYTE(a, i) & BYTE(b, i)))

ISK_SHARED static void R(form_count)(struct isk_sink *s, const enum isk_type *types, struct isk_args_count *a,
                                     size_t (*oracle)(struct isk_array x, size_t i))
{
	size_t count = 0;

	for (size_t i = 0; i < a->n; i++)
		count += oracle((struct isk_array){a->x, types[0], 1}, i);
	s->put_bits(s, &a->result, 0, ISK_S64, count);
}

ISK_SHARED static void R(form_count2)(struct isk_sink *s, const enum isk_type *types, struct isk_args_count2 *z,
                                      size_t (*oracle)(struct isk_array a, struct isk_array b, size_t i))
{
	size_t count = 0;

	for (size_t i = 0; i < z->n; i++)
		count += oracle((struct isk_array){z->a, types[0], 1}, (struct isk_array){z->b, types[0], 1}, i);
	s->put_bits(s, &z->result, 0, ISK_S64, count);
}

/* One oracle gives the least and the largest element. */
#define EXTREMES(op)                                                           \
	ISK_UNUSED static void R(oracle_##op)(struct isk_array x, size_t n, REAL *low, REAL *high)
EXTREMES(minmax)
{
	REAL unused;

	*low = R(oracle_min)(x, n, &unused);
	*high = R(oracle_max)(x, n, &unused);
}

ISK_SHARED static void R(form_minmax)(struct isk_sink *s, const enum isk_type *types, struct isk_args_minmax *a,
                                      void (*oracle)(struct isk_array x, size_t n, REAL *low, REAL *high))
{
	const size_t bytes = isk_element_bytes(types[0]);

	for (size_t r = 0; r < a->rows; r++) {
		REAL low, high;

		oracle((struct isk_array){(const char *)a->x + r * a->ldx * bytes, types[0], 1}, a->cols, &low, &high);
		s->put(s, a->low, r, types[0], (long double)low, 0, 0);
		s->put(s, a->high, r, types[0], (long double)high, 0, 0);
	}
}

EXTREMES(minmax_cols)
{
	R(oracle_minmax)(x, n, low, high);
}

ISK_SHARED static void R(form_minmax_cols)(struct isk_sink *s, const enum isk_type *types, struct isk_args_minmax_cols *a,
                                           void (*oracle)(struct isk_array x, size_t n, REAL *low, REAL *high))
{
	const size_t bytes = isk_element_bytes(types[0]);

	for (size_t i = 0; i < a->cols; i++) {
		REAL low, high;

		oracle((struct isk_array){(const char *)a->x + i * bytes, types[0], a->ldx}, a->rows, &low, &high);
		s->put(s, a->low, i, types[0], (long double)low, 0, 0);
		s->put(s, a->high, i, types[0], (long double)high, 0, 0);
	}
}

/* The divisor of the sum of the squared distances from the mean. */
#define MOMENTS(op, divisor)                                                   \
	ISK_UNUSED static long double R(oracle_##op)(long double n)                \
	{                                                                          \
		return divisor;                                                        \
	}
MOMENTS(meanvar, n)
MOMENTS(meanvar_unbiased, n - (n > 0))
MOMENTS(meanm2, n - n + 1)
MOMENTS(meanm2_wide, n - n + 1)
MOMENTS(meanvar_cols, n)
MOMENTS(meanvar_unbiased_cols, n - (n > 0))
MOMENTS(meanm2_cols, n - n + 1)
MOMENTS(meanm2_wide_cols, n - n + 1)

/*
 * Puts the moments of count elements as element i of mean and of variance. If the sizes of the elements, or the squares of
 * their deviations, add up to more than most, the kernel may leave the range of its lanes, and no error is promised.
 */
ISK_SHARED static void R(put_moments)(struct isk_sink *s, void *mean, void *variance, size_t i, enum isk_type type,
                                      struct isk_array x, size_t count, long double divisor, long double most)
{
	const long double n = (long double)count, eps = ISK_WIDE ? 0x1p-53L : 0x1p-24L;
	const long double depth = (long double)R(depth)(count);
	long double sum = 0, sizes = 0, squares = 0, m2 = 0, scale;

	for (size_t j = 0; j < count; j++) {
		const long double e = (long double)AT(x, j);

		sum += e;
		sizes += isfinite(e) ? fabsl(e) : 0;
		squares += isfinite(e) ? e * e : 0;
	}
	for (size_t j = 0; j < count; j++) {
		const long double d = (long double)AT(x, j) - sum / n;

		m2 += d * d;
	}
	scale = sizes / n * depth;
	s->put(s, mean, i, type, sum / n, sizes > most ? (long double)INFINITY : scale, count + 64);
	scale = depth * (m2 + eps * depth * squares) / divisor;
	s->put(s, variance, i, type, m2 / divisor, sizes > most || m2 > most ? (long double)INFINITY : scale, count + 64);
}

/* Moments of elements of types[0] as types[1]. */
ISK_SHARED static void R(form_moments_to)(struct isk_sink *s, const enum isk_type *types, struct isk_args_moments_to *a,
                                          long double (*oracle)(long double n))
{
	const size_t bytes = isk_element_bytes(types[0]);

	for (size_t r = 0; r < a->rows; r++)
		R(put_moments)(s, a->mean, a->variance, r, types[1],
		               (struct isk_array){(const char *)a->x + r * a->ldx * bytes, types[0], 1}, a->cols,
		               oracle((long double)a->cols), ISK_WIDE ? 0x1p1022L : 0x1p16000L);
}

/* The range is less than that of rows, because columns of f32 and of 16 bits are computed in f32. */
ISK_SHARED static void R(form_moments_cols_to)(struct isk_sink *s, const enum isk_type *types,
                                               struct isk_args_moments_cols_to *a, long double (*oracle)(long double n))
{
	const size_t bytes = isk_element_bytes(types[0]);

	for (size_t i = 0; i < a->cols; i++)
		R(put_moments)(s, a->mean, a->variance, i, types[1],
		               (struct isk_array){(const char *)a->x + i * bytes, types[0], a->ldx}, a->rows,
		               oracle((long double)a->rows), ISK_WIDE ? 0x1p500L : 0x1p60L);
}

ISK_SHARED static void R(form_moments_cols)(struct isk_sink *s, const enum isk_type *types, struct isk_args_moments_cols *a,
                                            long double (*oracle)(long double n))
{
	const enum isk_type both[] = {types[0], types[0]};
	struct isk_args_moments_cols_to to = {.mean = a->mean, .variance = a->variance, .x = a->x, .rows = a->rows,
	                                      .cols = a->cols, .ldx = a->ldx};

	R(form_moments_cols_to)(s, both, &to, oracle);
}

ISK_SHARED static void R(form_moments)(struct isk_sink *s, const enum isk_type *types, struct isk_args_moments *a,
                                       long double (*oracle)(long double n))
{
	const enum isk_type both[] = {types[0], types[0]};
	struct isk_args_moments_to to = {.mean = a->mean, .variance = a->variance, .x = a->x, .rows = a->rows, .cols = a->cols,
	                                 .ldx = a->ldx};

	R(form_moments_to)(s, both, &to, oracle);
}

/* The share of b's elements: the mean of both parts is that of a, moved by this share of its distance from that of b. */
#define COMBINE(op, f)                                                         \
	ISK_UNUSED static long double R(oracle_##op)(long double a, long double b) \
	{                                                                          \
		return f;                                                              \
	}
COMBINE(combine_moments, b / (a + b))

ISK_SHARED static void R(form_combine)(struct isk_sink *s, const enum isk_type *types, struct isk_args_combine *c,
                                       long double (*oracle)(long double a, long double b))
{
	const struct isk_array mean_a = {c->mean_a, types[0], 1}, mean_b = {c->mean_b, types[0], 1};
	const struct isk_array m2_a = {c->m2_a, types[0], 1}, m2_b = {c->m2_b, types[0], 1};
	const long double count = (long double)c->count_a, part = oracle(count, (long double)c->count_b);

	for (size_t i = 0; i < c->n; i++) {
		const long double a = (long double)AT(mean_a, i), b = (long double)AT(mean_b, i), far = b - a;
		const long double square = far * far * count * part;
		const long double own_a = (long double)AT(m2_a, i), own_b = (long double)AT(m2_b, i);

		if (c->count_a && c->count_b) {
			s->put(s, c->mean, i, types[0], a + far * part, fabsl(a) + fabsl(b), 4);
			s->put(s, c->m2, i, types[0], own_a + own_b + square, fabsl(own_a) + fabsl(own_b) + square,
			       4 + (size_t)count);
		} else {
			s->put(s, c->mean, i, types[0], c->count_b ? b : a, 0, 0);
			s->put(s, c->m2, i, types[0], c->count_b ? own_b : own_a, 0, 0);
		}
	}
}

/*
 * The f32 nearest to a sum of f64 that are multiples of 2^-298, or the f64 nearest to a sum of long double. Pairs of numbers
 * are added without an error until none of them overlap (Shewchuk); the result is then rounded from the top. Parts of 53
 * bits or more that do not overlap are at most 80, since a product of f64 has a place for 4196 bits.
 */
struct R(parts) {
	REAL part[128];
	int count;
	REAL special;
};

ISK_UNUSED static void R(add_part)(struct R(parts) *p, REAL x)
{
	int kept = 0;

	if (!isfinite(x)) {
		p->special += x;
		return;
	}
	for (int i = 0; i < p->count; i++) {
		const REAL y = p->part[i], high = x + y, back = high - x, low = (x - (high - back)) + (y - back);

		if (low != 0)
			p->part[kept++] = low;
		x = high;
	}
	if (x != 0)
		p->part[kept++] = x;
	p->count = kept;
}

/* x rounded to f32, or to f64; with a direction, the next one from there. */
ISK_UNUSED static REAL R(narrow)(REAL x, REAL direction)
{
	if (ISK_WIDE)
		return (REAL)(direction ? nextafter((double)x, (double)direction) : (double)x);
	return (REAL)(direction ? nextafterf((float)x, (float)direction) : (float)x);
}

ISK_UNUSED static REAL R(rounded_parts)(const struct R(parts) *p)
{
	const long double beyond = ISK_WIDE ? 0x1p1024L : 0x1p128L;
	REAL top = 0, below = 0, near, other;
	long double middle;

	if (p->special != 0)
		return p->special;
	/* If large parts cancelled, a part may lie right below the next: their sum is one number until it has a remainder. */
	for (int i = p->count - 1; i >= 0 && below == 0; i--) {
		const REAL sum = top + p->part[i];

		below = p->part[i] - (sum - top);
		top = sum;
	}
	near = R(narrow)(top, 0);
	if (below == 0 || near == top)
		return near;
	/* The remainder decides only halfway between two numbers, of which one may be above the range. */
	other = R(narrow)(near, top > near ? (REAL)INFINITY : -(REAL)INFINITY);
	middle = ((isinf(near) ? copysignl(beyond, (long double)top) : (long double)near) + (long double)other) / 2;
	if ((long double)top == middle)
		return (below > 0) == (other > near) ? other : near;
	return near;
}

REDUCE_AS(sum_exact)
{
	struct R(parts) p = {.count = 0};

	*scale = 0;
	for (size_t i = 0; i < n; i++)
		R(add_part)(&p, AT(x, i));
	return R(rounded_parts)(&p);
}

REDUCE2_AS(dot_exact)
{
	struct R(parts) p = {.count = 0};

	*scale = 0;
	for (size_t i = 0; i < n; i++) {
		const REAL product = AT(a, i) * AT(b, i);

		R(add_part)(&p, product);
		/* A product of f32 is a f64. */
		if (ISK_WIDE && isfinite(product))
			R(add_part)(&p, fma(AT(a, i), AT(b, i), -product));
	}
	return R(rounded_parts)(&p);
}
