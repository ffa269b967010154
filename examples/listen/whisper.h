/* SPDX-License-Identifier: MIT */
/* Whisper: from 30 seconds of sound to tokens. */
#ifndef WHISPER_H
#define WHISPER_H

#include <stddef.h>
#include <stdint.h>

#include "mel.h"
#include "vocabulary.h"

struct whisper;

/* Opens the networks in a folder; exits with a message if one is missing. */
struct whisper *whisper_open(const char *folder);
void whisper_close(struct whisper *w);

/* Tokens of a window of sound, without those at its start. */
struct heard {
	size_t count;
	int64_t token[224];
	int64_t language;
};

/* Listens to the bands of 30 seconds. Silence gives no tokens. */
struct heard whisper_listen(struct whisper *w, const float bands[MEL_BANDS * MEL_FRAMES]);

/* A checksum of all logits that the networks have computed. */
uint64_t whisper_checksum(const struct whisper *w);

#endif
