/* SPDX-License-Identifier: MIT */
#include "rules.h"

#include <math.h>

#include "isakern.h"

/* Signs that are no speech, such as brackets and notes of music: those that the model's authors leave out. */
static const unsigned short unspoken[] = {
	1,     2,     7,     8,     9,     10,    14,    25,    26,    27,    28,    29,    31,    58,
	59,    60,    61,    62,    63,    90,    91,    92,    93,    359,   503,   522,   542,   873,
	893,   902,   918,   922,   931,   1350,  1853,  1982,  2460,  2627,  3246,  3253,  3268,  3536,
	3846,  3961,  4183,  4667,  6585,  6647,  7273,  9061,  9383,  10428, 10929, 11938, 12033, 12331,
	12562, 13793, 14157, 14635, 15265, 15618, 16553, 16604, 18362, 18956, 20075, 21675, 22520, 26130,
	26161, 26435, 28279, 29464, 31650, 32302, 32470, 36865, 42863, 47425, 49870, 50254};
static const size_t SPACE = 220, MOST_FIRST_TIME = 50;

static void forbid(float *logits, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		logits[i] = -INFINITY;
}

static int is_time(const struct heard *h, size_t from_end)
{
	return h->count >= from_end && h->token[h->count - from_end] >= TOKEN_TIME;
}

/* The earliest time that may follow. */
static size_t earliest(const struct heard *h)
{
	for (size_t i = h->count; i-- > 0;)
		if (h->token[i] >= TOKEN_TIME)
			/* The end of a text may begin the next one, but no text is without length. */
			return (size_t)h->token[i] + (is_time(h, 1) && !is_time(h, 2) ? 0 : 1);
	return TOKEN_TIME;
}

int64_t rules_next(const struct heard *h, float *logits)
{
	for (size_t i = 0; i < sizeof(unspoken) / sizeof(*unspoken); i++)
		logits[unspoken[i]] = -INFINITY;
	forbid(logits, TOKEN_START, TOKEN_TIME);
	if (h->count == 0) {
		forbid(logits, 0, TOKEN_TIME);
		forbid(logits, TOKEN_TIME + MOST_FIRST_TIME + 1, TOKENS);
	} else if (is_time(h, 1) && (h->count == 1 || is_time(h, 2))) {
		forbid(logits, TOKEN_TIME, TOKENS);
		if (h->count == 1)
			logits[SPACE] = logits[TOKEN_END] = -INFINITY;
	} else if (is_time(h, 1))
		forbid(logits, 0, TOKEN_END);
	forbid(logits, TOKEN_TIME, earliest(h));
	if (isk_logsumexp_f32(logits + TOKEN_TIME, TOKENS - TOKEN_TIME) > isk_max_f32(logits, TOKEN_TIME))
		forbid(logits, 0, TOKEN_TIME);
	return (int64_t)isk_argmax_f32(logits, TOKENS);
}
