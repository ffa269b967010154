/* SPDX-License-Identifier: MIT */
/* The contestants of a row: the peers, isakern itself, an older isakern, and the limits of the machine. */
#ifndef PEER_H
#define PEER_H

struct effort;
struct field;
struct problem;
struct row;

/* A peer: its description, and its contestants for a problem. */
struct peer {
	const char *name, *package;
	int uncapped; /* no setting caps it to AVX2 */
	/* Its version and the code that it runs, or NULL if it is not there. */
	const char *(*open)(void);
	void (*enter)(struct field *f, const struct problem *p);
};

extern const struct peer openblas, blis, xsmm, onednn, xnnpack, torch, eigen, sleef_u10, sleef_u35, glibc;

enum { PEERS = 10 };

extern const struct peer *const peers[PEERS];

/* Enters isakern and the peers that have a version, checks and times them. Returns NULL, or why the row was not timed. */
const char *field_measure(struct field *f, struct problem *p, const struct row *row,
                          const struct effort *effort, const char *const *versions);

void ours_enter(struct field *f, const struct problem *p);
void limits_enter(struct field *f, const struct problem *p);

/*
 * From now on enters a second isakern in each row. Returns a line about it. Ends the program if there is no
 * such library.
 */
const char *old_open(const char *path);

#endif
