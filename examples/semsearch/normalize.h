/* SPDX-License-Identifier: MIT */
/*
 * From a line of text to the words that WordPiece cuts up: BERT's normalizer (clean, space out CJK, strip
 * accents, lower case) and its split at white space and punctuation, in one pass.
 */
#ifndef NORMALIZE_H
#define NORMALIZE_H

#include <stddef.h>

struct words {
	char *text;	 /* all words, UTF-8, one after the other */
	size_t *end; /* end[i]: the end of word i in text, where the next word begins */
	size_t count;
	size_t bytes; /* of text */
	size_t text_space, end_space;
};

/* Appends the words of line, which must be valid UTF-8 and may contain NUL. */
void normalize(struct words *words, const char *line, size_t bytes);

void words_free(struct words *words);

#endif
