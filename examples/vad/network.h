/* SPDX-License-Identifier: MIT */
/* Silero VAD v5: the probability of speech, for one chunk of sound after another. */
#ifndef NETWORK_H
#define NETWORK_H

enum { RATE = 16000, CHUNK = 512 };

struct network;

/* Reads the model from a file. Exits with a message if it is another model. */
struct network *network_open(const char *path);
void network_close(struct network *n);

/* The probability for the next CHUNK samples in [-1, 1], of a sound whose chunks are given in order. */
float network_next(struct network *n, const float samples[CHUNK]);

#endif
