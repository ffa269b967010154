/* SPDX-License-Identifier: MIT */
/* What the operations compute of a column. */
POOL(meanpool)
{
	long double sum = 0, size = 0;

	for (size_t r = 0; r < rows; r++) {
		sum += (long double)AT(x, r);
		size += isfinite(AT(x, r)) ? fabsl((long double)AT(x, r)) : 0;
	}
	*scale = (REAL)(size / (long double)rows) * R(depth)(rows);
	return (REAL)(sum / (long double)rows);
}
