/* SPDX-License-Identifier: MIT */
/* Four heads of a decoder, of which two share keys and values: a prompt of three tokens at once, then token by token. */
#include <isakern.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TOKENS = 3, HEADS = 4, SHARED = 2, WIDTH = 8, Q = HEADS * WIDTH, KV = HEADS / SHARED * WIDTH };

/* Queries of tokens `first` to first + count - 1 see all tokens up to their own. */
static void attend(float *y, const float *q, const float *k, const float *v, size_t first, size_t count)
{
	for (size_t head = 0; head < HEADS; head++) {
		const size_t at = first * Q + head * WIDTH, shared = head / SHARED * WIDTH;

		isk_attention_f32(y + at, q + at, k + shared, v + shared, NULL, count, first + count, WIDTH, WIDTH, Q, Q, KV, KV, 0,
		                  1 / sqrtf(WIDTH), 0, (int64_t)first, 0);
	}
}

int main(void)
{
	float q[TOKENS * Q], k[TOKENS * KV], v[TOKENS * KV], prompt[TOKENS * Q], one_by_one[TOKENS * Q];

	for (int i = 0; i < TOKENS * Q; i++)
		q[i] = (float)(i * 7 % 11) / 4 - 1;
	for (int i = 0; i < TOKENS * KV; i++) {
		k[i] = (float)(i * 5 % 13) / 4 - 1;
		v[i] = (float)(i / KV);
	}
	attend(prompt, q, k, v, 0, TOKENS);
	for (size_t token = 0; token < TOKENS; token++)
		attend(one_by_one, q, k, v, token, 1);
	for (int token = 0; token < TOKENS; token++)
		printf("%.3f %.3f\n", (double)prompt[token * Q], (double)prompt[token * Q + 3 * WIDTH]);
	printf("%s\n", memcmp(prompt, one_by_one, sizeof(prompt)) ? "different bits" : "the same bits, token by token");
	return 0;
}

/*
 * prints
 *
 *     0.000 0.000
 *     0.456 0.225
 *     1.313 1.259
 *     the same bits, token by token
 */
