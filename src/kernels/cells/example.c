/* SPDX-License-Identifier: MIT */
/* Two steps of an LSTM and of a GRU of two units, and the best path of two labels. */
#include <isakern.h>
#include <stdio.h>

int main(void)
{
	const unsigned acts = ISK_CELL_ACTS(ISK_CELL_SIGMOID, ISK_CELL_TANH, ISK_CELL_TANH);
	/* gates holds candidate, input, forget and output, and gru holds update, reset and state, each of 2 units. */
	const float gates[8] = {1, -1, 0, 2, 1, 1, 0, 0}, gru[6] = {0, 1, 2, 0, 1, -1};
	const float x[4] = {1, 0, 0, 3}, start[2] = {0, 0.5f}, transition[4] = {1, -1, 0, 0};
	float c[2], h[2], alpha[4];
	int32_t track[4];

	isk_lstm_c1h1_f32(c, h, gates, gates + 2, gates + 6, NULL, 2, acts);
	isk_lstm_ctht_f32(c, h, gates, gates + 2, gates + 4, gates + 6, c, NULL, NULL, NULL, 2, acts);
	printf("LSTM: %.4f %.4f\n", (double)h[0], (double)h[1]);
	isk_gru_h1_f32(h, gru, gru + 4, 2, acts);
	isk_gru_ht_part2_f32(h, gru, gru + 4, h, 2, acts);
	printf("GRU: %.4f %.4f", (double)h[0], (double)h[1]);
	isk_gru_ht_part1_f32(h, gru + 2, h, 2, acts);
	printf(", reset: %.4f %.4f\n", (double)h[0], (double)h[1]);
	isk_crf_decoding_f32(alpha, track, x, start, transition, 2, 2);
	printf("best: label 1 with %g, from label %d\n", (double)alpha[3], (int)track[3]);
	return 0;
}

/*
 * prints
 *
 *     LSTM: 0.2889 -0.4107
 *     GRU: 0.5712 -0.7065, reset: 0.5031 -0.3533
 *     best: label 1 with 3.5, from label 1
 */
