/* SPDX-License-Identifier: MIT */
/* What the operations compute: what is known of a row first, then an element of it. */
ISK_UNUSED static struct R(row) R(softmax_row)(struct isk_array x, size_t cols, REAL epsilon)
{
	REAL max = -(REAL)INFINITY, sum = 0;

	(void)epsilon;
	for (size_t i = 0; i < cols; i++)
		max = isnan(AT(x, i)) || AT(x, i) > max ? AT(x, i) : max;
	for (size_t i = 0; i < cols; i++)
		sum += exp(AT(x, i) - max);
	return (struct R(row)){.centre = max, .factor = 1 / sum, .depth = R(depth)(cols)};
}

ISK_UNUSED static REAL R(softmax_element)(const struct R(row) *row, REAL x, REAL weight, REAL bias, REAL *scale)
{
	const REAL y = exp(x - row->centre) * row->factor;

	(void)weight;
	(void)bias;
	*scale = y * (row->depth + (row->centre - x));
	return isinf(x) && x < 0 && !isnan(y) ? *scale = 0 : y;
}

ISK_UNUSED static struct R(row) R(normalised_row)(struct isk_array x, size_t cols, REAL epsilon, int centred)
{
	struct R(row) row = {.depth = R(depth)(cols)};
	REAL squares = 0, size = 0;

	for (size_t i = 0; i < cols && centred; i++) {
		row.centre += AT(x, i) / (REAL)cols;
		size += fabs(AT(x, i));
	}
	for (size_t i = 0; i < cols; i++) {
		const REAL d = AT(x, i) - row.centre;

		squares += d * d;
		row.reach = fmax(row.reach, centred ? fabs(AT(x, i)) : 0);
	}
	row.factor = 1 / sqrt(squares / (REAL)cols + epsilon);
	row.reach *= row.factor;
	/* Out of the range of the lanes, of f64 or of f32. */
	if (isfinite(squares) && fmax(squares, size) > (REAL)(ISK_WIDE ? 0x1p1023L : 0x1p127L))
		row.depth = (REAL)INFINITY;
	return row;
}

ISK_UNUSED static struct R(row) R(centred_row)(struct isk_array x, size_t cols, REAL epsilon)
{
	return R(normalised_row)(x, cols, epsilon, 1);
}

ISK_UNUSED static struct R(row) R(plain_row)(struct isk_array x, size_t cols, REAL epsilon)
{
	return R(normalised_row)(x, cols, epsilon, 0);
}

ISK_UNUSED static REAL R(normalised)(const struct R(row) *row, REAL x, REAL weight, REAL bias, REAL *scale)
{
	const REAL y = (x - row->centre) * row->factor * weight + bias;

	*scale = isinf(row->depth) ? row->depth : row->depth * (fabs(y) + fabs(bias) + fabs(weight)) * (1 + row->reach);
	return y;
}

ROWS(softmax, R(softmax_row), R(softmax_element))
ROWS(layernorm, R(centred_row), R(normalised))
ROWS(rmsnorm, R(plain_row), R(normalised))
