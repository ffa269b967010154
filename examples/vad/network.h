/* SPDX-License-Identifier: MIT */
/* Silero VAD v5: how likely it is that somebody speaks, for one chunk of sound after another. */
#ifndef NETWORK_H
#define NETWORK_H

enum { RATE = 16000, CHUNK = 512 };

struct network;

/* From a file; a message and exit where it is not that model. */
struct network *network_open(const char *path);
void network_close(struct network *n);

/* The probability for the next CHUNK samples in [-1, 1], of a sound whose chunks have been given in order. */
float network_next(struct network *n, const float samples[CHUNK]);

#endif
