/* SPDX-License-Identifier: MIT */
/* The picture of sound that Whisper sees: for every 10 ms the loudness in 80 bands. */
#ifndef MEL_H
#define MEL_H

#include <stddef.h>

enum { MEL_BANDS = 80, MEL_FRAMES = 3000, MEL_SAMPLES = 480000 };

struct mel;

struct mel *mel_new(void);
void mel_free(struct mel *m);

/*
 * Stores bands[MEL_BANDS][MEL_FRAMES] of `count` samples of 16 kHz, at most MEL_SAMPLES, behind which the sound is
 * silent: spectra of 400 samples by Hann's window, in triangular bands of the scale of mel, as logarithms that are at
 * most 8 decades below the loudest, scaled to about -1 to 1.
 */
void mel_bands(struct mel *m, float *bands, const float *samples, size_t count);

#endif
