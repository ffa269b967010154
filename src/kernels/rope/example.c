/* SPDX-License-Identifier: MIT */
/* The score of a query and a key depends only on the distance of their positions, in either layout. */
#include <isakern.h>
#include <stdio.h>

enum { ROWS = 3, COLS = 8, PAIRS = COLS / 2 };

int main(void)
{
	const int32_t position[ROWS] = {0, 5, 1000};
	float cosine[ROWS * PAIRS], sine[ROWS * PAIRS], query[ROWS * COLS], key[ROWS * COLS], y[ROWS * COLS];
	float halves[ROWS], pairs[ROWS];

	isk_rope_table(cosine, sine, position, ROWS, PAIRS, PAIRS, 10000);
	for (int i = 0; i < ROWS * COLS; i++) {
		query[i] = (float)(i % COLS) / 4;
		key[i] = (float)(COLS - i % COLS) / 8;
	}
	for (int r = 0; r < ROWS; r++) {
		/* Query and key take the same row of the tables, so that their angles are equal. */
		isk_rope_halves_f32(y, query + r * COLS, cosine + r * PAIRS, sine + r * PAIRS, 1, COLS, PAIRS, COLS,
		                    COLS, 0);
		isk_rope_halves_f32(y + COLS, key + r * COLS, cosine + r * PAIRS, sine + r * PAIRS, 1, COLS, PAIRS,
		                    COLS, COLS, 0);
		halves[r] = isk_dot_f32(y, y + COLS, COLS);
		isk_rope_pairs_f32(y, query + r * COLS, cosine + r * PAIRS, sine + r * PAIRS, 1, COLS, PAIRS, COLS,
		                   COLS, 0);
		isk_rope_pairs_f32(y + COLS, key + r * COLS, cosine + r * PAIRS, sine + r * PAIRS, 1, COLS, PAIRS,
		                   COLS, COLS, 0);
		pairs[r] = isk_dot_f32(y, y + COLS, COLS);
	}
	printf("%.3f %.3f %.3f\n", (double)halves[0], (double)halves[1], (double)halves[2]);
	printf("%.3f %.3f %.3f\n", (double)pairs[0], (double)pairs[1], (double)pairs[2]);
	return 0;
}

/*
 * prints
 *
 *     2.625 2.625 2.625
 *     2.625 2.625 2.625
 */
