/* SPDX-License-Identifier: MIT */
/*
 * Matrix kernels of isakern beside Debian's other libraries. A row is a problem
 * with a goal; its field is everybody who can compute it. A contestant that
 * computes something else is shown as wrong and not timed.
 */
#ifndef PEERS_H
#define PEERS_H

#include <stddef.h>
#include <stdint.h>

#include "isakern.h"

enum type { F32, BF16, F16, U8, S8, S32, F64 };

size_t type_bytes(enum type type);
const char *type_name(enum type type);
double value_get(enum type type, const void *x, size_t i);
void value_set(enum type type, void *x, size_t i, double value);

/* What a row computes; all matrices are row-major and dense. */
enum op {
	PRODUCT,   /* C = A * B */
	LINEAR,    /* C = gelu(A * B + bias) + residual */
	CONV,      /* images A, weights B (OIHW), C is m output pixels by n channels, k what a sum has */
	TRANSPOSE, /* C = A transposed, of m by n */
};

struct goal {
	const char *against; /* who: "best" (of all peers), "peak", or a contestant's name */
	double ratio;        /* isakern is to be this many times as fast */
};

enum { MOST_GOALS = 3, MOST_ENTRIES = 24, MOST_ROUNDS = 31 };

struct row {
	const char *kernel, *group;
	char shape[40]; /* MxNxK, or the input of a convolution, its output channels and its stride */
	enum op op;
	enum type a, b, c;
	size_t m, n, k;
	struct isk_conv conv;
	struct goal goals[MOST_GOALS];
	int capped; /* whether the goals hold under the cap to AVX2 too */
};

/* Row i of the table, or 0. */
int row_get(size_t i, struct row *row);

/* A result in 8 bits is the sum divided by this, rounded and saturated. */
enum { OUT_SCALE = 4096 };

struct problem {
	const struct row *row;
	void *a, *b; /* m by k, k by n */
	float *bias, *residual;
	double work; /* operations, or bytes read and written */
};

void problem_make(struct problem *p, const struct row *row);
void problem_free(struct problem *p);
/* Compares samples of c with what op gives in double precision; NULL if they are right, else a sentence. */
const char *problem_check(const struct problem *p, enum op op, const void *c);

enum role {
	OURS,      /* what the row is about */
	COMPANION, /* something of isakern that a goal compares with */
	PEER,
	LIMIT,     /* of the machine: has no result */
};

struct entry {
	enum role role;
	enum op op; /* that of the row, but for some companions */
	const char *who, *how;
	void (*call)(void *state);
	void (*fetch)(void *state); /* brings the result into c where the call leaves it elsewhere; or NULL */
	void (*release)(void *state);
	void *state;
	void *c;           /* where the result is; not for limits */
	const char *wrong; /* a sentence, if it is */
	int dropped;       /* another entry of the same name is much faster */
	size_t times;      /* calls in a sample */
	double ns[MOST_ROUNDS], peak[MOST_ROUNDS];
	double median_ns, spread, of_peak;
};

struct field {
	const struct problem *problem;
	struct entry entries[MOST_ENTRIES];
	size_t count;
	int rounds;
};

/* Adds a contestant and gives it room for the result; the state is freed by release, or by free() if that is NULL. */
struct entry *field_add(struct field *f, enum role role, const char *who, const char *how, void (*call)(void *),
                        void *state);
/* Takes the last one back, with its state if it has one. */
void field_drop_last(struct field *f);
struct entry *field_find(struct field *f, const char *who);
/* The fastest of all peers that computed the right thing; NULL if there is none. */
struct entry *field_best_peer(struct field *f);
/* How many times as fast a is as b: the median over rounds, in which both ran side by side. */
double field_ratio(const struct field *f, const struct entry *a, const struct entry *b);
void field_free(struct field *f);

struct effort {
	int rounds;
	double sample_ns, budget_ns;
};

void field_time(struct field *f, const struct effort *effort);

/* A peer: what it says of itself, and its contestants for a problem. */
struct peer {
	const char *name, *package;
	int uncapped; /* nothing caps it to AVX2 */
	/* Its version and what it runs on, or NULL if it is not there. */
	const char *(*open)(void);
	void (*enter)(struct field *f, const struct problem *p);
};

extern const struct peer openblas, blis, xsmm, onednn, xnnpack, torch;

void ours_enter(struct field *f, const struct problem *p);
void limits_enter(struct field *f, const struct problem *p);

/* Operations that the FMA units do at most, in the type of the problem, in 1 ns: measured now, in registers; 0 for work
 * that has none. */
double peak_now(const struct problem *p);
/* Whether --isa avx2 is in force. */
int capped(void);

void *allocate(size_t bytes);

#endif
