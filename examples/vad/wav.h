/* SPDX-License-Identifier: MIT */
/* Sound from WAV files: RIFF, PCM of 16 bits or floats of 32, 16 kHz; of several channels the mean. */
#ifndef WAV_H
#define WAV_H

#include <stddef.h>
#include <stdio.h>

struct sound {
	float *samples; /* in [-1, 1] */
	size_t count;
};

/* All of a file, which messages call name; a message and exit where it is no such sound. */
struct sound wav_read(FILE *f, const char *name);

#endif
