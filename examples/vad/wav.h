/* SPDX-License-Identifier: MIT */
/* Sound from WAV files: RIFF, 16-bit PCM or 32-bit floats, at 16 kHz; several channels are averaged. */
#ifndef WAV_H
#define WAV_H

#include <stddef.h>

struct sound {
	float *samples; /* in [-1, 1] */
	size_t count;
};

/* Reads a whole file, - is standard input. Exits with a message if it is no such sound. */
struct sound wav_open(const char *name);

#endif
