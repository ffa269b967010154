/* SPDX-License-Identifier: MIT */
/* The rules that a token must follow: text within times, and times that never go back. */
#ifndef RULES_H
#define RULES_H

#include "whisper.h"

/*
 * The likeliest token by its logit that may follow those heard. Text is between two times, the second of which is the
 * first of the next text or the end; times never go back, and the first is at most 1 s. If the times together are
 * likelier than each piece of text, it is a time. Changes the logits, of which there are TOKENS.
 */
int64_t rules_next(const struct heard *h, float *logits);

#endif
