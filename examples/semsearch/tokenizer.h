/* SPDX-License-Identifier: MIT */
/* The WordPiece tokenizer of tokenizer.json. */
#ifndef TOKENIZER_H
#define TOKENIZER_H

#include <stddef.h>
#include <stdint.h>

struct tokenizer;

/* Exits with a message if the file is missing or is not such a tokenizer. */
struct tokenizer *tokenizer_open(const char *path);
void tokenizer_close(struct tokenizer *t);

/* All ids are below this. */
size_t tokenizer_size(const struct tokenizer *t);

/*
 * Turns a line of valid UTF-8 into the ids of [CLS], its tokens and [SEP], at most max of them, with [SEP]
 * last. Returns the number without that limit.
 */
size_t tokenize(const struct tokenizer *t, const char *line, size_t bytes, uint32_t *ids, size_t max);

#endif
