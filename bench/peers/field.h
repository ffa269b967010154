/* SPDX-License-Identifier: MIT */
/* The field of a row: all contestants that compute its problem, their times, and how they compare to the goals. */
#ifndef FIELD_H
#define FIELD_H

#include <stddef.h>

#include "row.h"

struct problem;
struct way;

enum role {
	OURS,      /* the subject of the row */
	OLD,       /* the isakern of --old */
	COMPANION, /* another kernel of isakern, to which a goal compares */
	PEER,
	LIMIT, /* a limit of the machine, without a result */
};

enum { MOST_ENTRIES = 32, MOST_ROUNDS = 31 };

struct entry {
	enum role role;
	enum op op;         /* the row's, and its kernel, except for some companions */
	const char *kernel;
	const char *who, *how;
	void (*call)(void *state);
	void (*fetch)(void *state); /* moves the result into c if the call leaves it elsewhere; or NULL */
	void (*release)(void *state);
	void *state;
	const char *wrong; /* a sentence if it is wrong, else NULL */
	double ulp;        /* of vectors: the largest error */
	int inexact;       /* too inexact to count */
	int dropped;       /* another entry of the same name is much faster */
	size_t times;      /* calls in a sample */
	double ns[MOST_ROUNDS], peak[MOST_ROUNDS];
	double median_ns, spread, of_peak;
};

struct field {
	struct problem *problem;
	struct entry entries[MOST_ENTRIES];
	size_t count;
	int rounds;
};

/* Adds a contestant. The state is freed by release, or by free() if that is NULL. */
struct entry *field_add(struct field *f, enum role role, const char *who, const char *how, void (*call)(void *),
                        void *state);
/* A release function for a state that belongs to the problem. */
void field_keep(void *state);
/* Adds the ways of a list that compute the row's kernel. */
void field_add_ways(struct field *f, const char *who, const struct way *ways);
/* Removes the last entry, with its state if it has one. */
void field_drop_last(struct field *f);
/* The fastest of that name that was timed, or NULL. */
struct entry *field_find(struct field *f, const char *who);
/* The fastest of all peers that count; NULL if there is none. */
struct entry *field_best_peer(struct field *f);
/* The fastest of the inexact peers. */
struct entry *field_best_inexact(struct field *f);
/* How many times as fast a is as b: the median over rounds, in which both ran side by side. */
double field_ratio(const struct field *f, const struct entry *a, const struct entry *b);
void field_free(struct field *f);

struct effort {
	int rounds, least; /* rounds; `least` of them if long samples use up budget_ns */
	double sample_ns, budget_ns;
};

void field_time(struct field *f, const struct effort *effort);

struct judged {
	double ratio;
	int known, met;
};

/* The share of the goal that isakern reaches. */
struct judged goal_judge(struct field *f, const struct entry *us, const struct goal *goal);

/*
 * How near an entry is to the machine's limit, and which limit: "peak", "read" or "copy", whichever is
 * nearest; or NULL.
 */
struct share {
	const char *of;
	double share;
};

struct share share_of(struct field *f, const struct entry *e);

#endif
