/* SPDX-License-Identifier: MIT */
/* Whisper's tokens: pieces of text, and above them marks. */
#ifndef VOCABULARY_H
#define VOCABULARY_H

#include <stddef.h>
#include <stdio.h>

/* Marks that the models of several languages have in common; those of languages and times are ranges. */
enum {
	TOKEN_END = 50257,
	TOKEN_START,
	TOKEN_FIRST_LANGUAGE,
	TOKEN_TRANSLATE = 50358,
	TOKEN_TRANSCRIBE,
	TOKEN_SILENCE = 50362,
	TOKEN_NO_TIMES,
	TOKEN_TIME, /* 0 seconds; each further one is 20 ms later */
	TOKENS = 51865,
};

struct vocabulary;

/* Reads vocab.json; exits with a message if it is not Whisper's. */
struct vocabulary *vocabulary_open(const char *path);
void vocabulary_close(struct vocabulary *v);
/* Writes the bytes of a piece of text, which may be a part of a character. */
void vocabulary_write(const struct vocabulary *v, size_t token, FILE *to);

#endif
