/* SPDX-License-Identifier: MIT */
/* The peers of speed.js in WebAssembly, with its vectors of 128 bits. Its memory is that of the arrays. */
typedef float f4 __attribute__((vector_size(16), aligned(4)));

float dot(const float *a, const float *b, unsigned n)
{
	f4 sums[4] = {{0}};
	unsigned i = 0;
	float sum = 0;

	for (; i + 16 <= n; i += 16)
		for (int j = 0; j < 4; j++)
			sums[j] += *(const f4 *)(a + i + 4 * j) * *(const f4 *)(b + i + 4 * j);
	sums[0] = sums[0] + sums[1] + (sums[2] + sums[3]);
	for (int j = 0; j < 4; j++)
		sum += sums[0][j];
	for (; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

/* c += a * b: four rows of c and eight columns at a time; m is a multiple of 4, and n of 8. */
void matmul(float *c, const float *a, const float *b, unsigned m, unsigned n, unsigned k)
{
	for (unsigned i = 0; i < m; i += 4)
		for (unsigned j = 0; j < n; j += 8) {
			f4 sums[4][2] = {{{0}}};

			for (unsigned p = 0; p < k; p++)
				for (int r = 0; r < 4; r++)
					for (int s = 0; s < 2; s++)
						sums[r][s] += a[(i + r) * k + p] * *(const f4 *)(b + p * n + j + 4 * s);
			for (int r = 0; r < 4; r++)
				for (int s = 0; s < 2; s++)
					*(f4 *)(c + (i + r) * n + j + 4 * s) = sums[r][s];
		}
}
