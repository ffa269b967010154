/* SPDX-License-Identifier: MIT */
/* The sentences to search: lines of text, with their tokens. */
#ifndef CORPUS_H
#define CORPUS_H

#include <stddef.h>
#include <stdint.h>

#include "model.h"
#include "tokenizer.h"

struct sentence {
	char *text; /* NUL-terminated, but may contain NULs */
	size_t bytes;
	size_t line; /* counted from 1 */
};

struct corpus {
	const char *name;
	struct sentence *sentence;
	size_t count, space;
	uint32_t *ids; /* of all tokens */
	size_t ids_space;
	size_t *start; /* count + 1 places in ids */
	size_t start_space;
};

/*
 * Reads a file, or standard input for "-". Blank lines are passed over. Exits with a message if the file
 * cannot be read, a line is not UTF-8, or there is no sentence.
 */
void corpus_read(struct corpus *c, const char *path);

/* Adds one sentence. Returns 0, with a message and nothing added, if it is not UTF-8. */
int corpus_add(struct corpus *c, const char *text, size_t bytes, size_t line);

/* Tokenizes all sentences. One too long for the model is cut, with a message. */
void corpus_tokenize(struct corpus *c, const struct tokenizer *t);

/*
 * The vectors of all sentences, with MODEL_DIM numbers each, computed by `threads` threads. Shows progress on
 * standard error if show is set.
 */
float *corpus_embed(const struct corpus *c, const struct model *m, size_t threads, int show);

void corpus_free(struct corpus *c);

#endif
