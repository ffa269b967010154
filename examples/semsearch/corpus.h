/* SPDX-License-Identifier: MIT */
/* The sentences that are searched: lines of text, and what the tokenizer and the model make of them. */
#ifndef CORPUS_H
#define CORPUS_H

#include <stddef.h>
#include <stdint.h>

#include "model.h"
#include "tokenizer.h"

struct sentence {
	char *text; /* NUL-terminated, but may hold others */
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
 * Reads a file, or standard input for "-". Blank lines are passed over. Exits
 * with a message for a file that cannot be read, a line that is not UTF-8 or a
 * corpus without a sentence.
 */
void corpus_read(struct corpus *c, const char *path);

/* Takes one sentence; 0, with a message and nothing taken, when it is not UTF-8. */
int corpus_add(struct corpus *c, const char *text, size_t bytes, size_t line);

/* Tokenizes what was read. A sentence too long for the model is cut, with a message. */
void corpus_tokenize(struct corpus *c, const struct tokenizer *t);

/*
 * The vectors of all sentences, MODEL_DIM numbers each, computed by so many
 * threads; progress is shown on standard error if show is set.
 */
float *corpus_embed(const struct corpus *c, const struct model *m, size_t threads, int show);

void corpus_free(struct corpus *c);

#endif
