/* SPDX-License-Identifier: MIT */
/*
 * The kernels of isakern beside Debian's other libraries. A row is a problem with
 * its goals; its field is everybody who can compute it. A contestant that
 * computes something else is shown as wrong and not timed.
 */
#ifndef PEERS_H
#define PEERS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "isakern.h"
#include "vectors.h"

enum type { F32, BF16, F16, U8, S8, S32, F64 };

size_t type_bytes(enum type type);
const char *type_name(enum type type);
double value_get(enum type type, const void *x, size_t i);
void value_set(enum type type, void *x, size_t i, double value);

/* What a row computes; all matrices are row-major and dense. */
enum op {
	PRODUCT,   /* C = A * B */
	GROUPED,   /* C = A * B, B with a scale for each group of k and column */
	LINEAR,    /* C = gelu(A * B + bias) + residual */
	CONV,      /* images A, weights B (OIHW), C is m output pixels by n channels, k what a sum has */
	TRANSPOSE, /* C = A transposed, of m by n */
	/* The shapes of isakern.h, of m rows of n elements. */
	MAP,
	ZIP,
	REDUCE,
	REDUCE2,
	INDEX,
	SOFTMAX,
	NORM,
	CVT,
	QUANTIZE,
	DEQUANTIZE,
	COMPARE,
	SELECT,
	COLUMNS, /* one result for each column */
	BAG,     /* m sums of rows of n elements, of a table of k rows */
	POOL,    /* m channels of k by k pixels become n by n */
	CELL,    /* n units */
	STEP,    /* n weights */
};

static inline int is_vectors(enum op op)
{
	return op >= MAP;
}

static inline int has_one_result(enum op op)
{
	return op == REDUCE || op == REDUCE2 || op == INDEX;
}

/* CPUs that goals are known of. Where --isa caps everybody it is ANY_MACHINE: goals are of a whole CPU. WHOLE_CPU is
 * any that is not capped. */
enum machine { ANY_MACHINE, WHOLE_CPU, EMERALD_RAPIDS, ZEN4, ZEN3 };

enum machine machine_here(void);
const char *machine_text(enum machine machine);

struct goal {
	const char *against; /* "best" (of all peers), "peak", or a contestant's name */
	double ratio;        /* isakern is to be as fast as this multiple of it */
	enum machine machine;
	const char *from; /* where the goal was set */
};

enum { MOST_GOALS = 6, MOST_ENTRIES = 32, MOST_ROUNDS = 31 };

struct row {
	const char *kernel, *group;
	char
		shape[40]; /* MxNxK, or the input of a convolution, its output channels and its stride, or elements */
	enum op op;
	enum type a, b, c;
	size_t m, n, k;
	struct isk_conv conv;
	struct goal goals[MOST_GOALS]; /* those that hold here, up to one against nobody */
};

static inline int is_nhwc(const struct row *row)
{
	return strstr(row->kernel, "_nhwc_") != NULL;
}

/* Row i of the table, or 0. */
int row_get(size_t i, struct row *row);
/* Of the goals stated for a row those that hold on this machine: its own before those of any, and always one
 * against the best peer. */
void goals_here(const struct goal *stated, struct goal *here);

/* A result in 8 bits is the sum divided by this, rounded and saturated. */
enum { OUT_SCALE = 4096 };
/* Rows of B that have scales of their own in a GROUPED product. */
enum { SCALE_GROUP = 32 };

struct problem {
	const struct row *row;
	void *a, *b; /* m by k, k by n */
	float *bias, *residual;
	float *scales; /* of groups of k, by n */
	void *c;       /* where all contestants leave their result: none has better memory */
	struct vectors vectors;
	double result, result_stray; /* of a reduction, and how far its partial sums stray */
	double work;                 /* operations, or bytes read and written, or elements */
};

/* Elements of the operands and of the result. */
struct counts {
	size_t a, b, c;
};

struct counts counts_of(const struct row *row);
/* 0 where this machine has not the memory for it and for what contestants pack. */
int problem_make(struct problem *p, const struct row *row);
void problem_free(struct problem *p);
/* Before a call whose result is checked. */
void problem_spoil(struct problem *p);
/* Compares samples of c with what op gives in double precision; NULL if they are right, else a sentence. */
const char *problem_check(const struct problem *p, enum op op);

/* Of problems of vectors. *ulp becomes the largest error, in units in the last place of the result's type. */
void vectors_make(struct problem *p);
void vectors_free(struct problem *p);
/* Element i of a result that contestants sum up or compose as they like, and how far a right one may be off. */
double result_of(const struct problem *p, size_t i, double *tolerance);
const char *vectors_check(const struct problem *p, const char *kernel, double *ulp);

uint32_t random_next(void);
void random_seed(uint32_t seed);

enum role {
	OURS,      /* what the row is about */
	OLD,       /* the isakern of --old */
	COMPANION, /* something of isakern that a goal compares with */
	PEER,
	LIMIT, /* of the machine: has no result */
};

/* A map that is farther off than this for one of that many inputs is no peer of isakern's, at any length. */
enum { MOST_ULP = 4, JUDGED_BY = 65536 };

struct entry {
	enum role role;
	enum op op;         /* that of the row, and its kernel, but for some companions */
	const char *kernel;
	const char *who, *how;
	void (*call)(void *state);
	void (*fetch)(void *state); /* brings the result into c where the call leaves it elsewhere; or NULL */
	void (*release)(void *state);
	void *state;
	const char *wrong; /* a sentence, if it is */
	double ulp;        /* of vectors: the largest error */
	int inexact;       /* it does not count */
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

/* Adds a contestant; the state is freed by release, or by free() if that is NULL. */
struct entry *field_add(struct field *f, enum role role, const char *who, const char *how, void (*call)(void *),
                        void *state);
/* For a state that belongs to the problem. */
void field_keep(void *state);
/* Adds the ways of a list that compute the row's kernel. */
void field_add_ways(struct field *f, const char *who, const struct way *ways);
/* Takes the last one back, with its state if it has one. */
void field_drop_last(struct field *f);
/* The fastest of that name that was timed, or NULL. */
struct entry *field_find(struct field *f, const char *who);
/* The fastest of all peers that computed the right thing; NULL if there is none. */
struct entry *field_best_peer(struct field *f);
/* Likewise of those that do not count. */
struct entry *field_best_inexact(struct field *f);
/* How many times as fast a is as b: the median over rounds, in which both ran side by side. */
double field_ratio(const struct field *f, const struct entry *a, const struct entry *b);
void field_free(struct field *f);

struct effort {
	int rounds, least; /* least where samples are so long that budget_ns is spent */
	double sample_ns, budget_ns;
};

void field_time(struct field *f, const struct effort *effort);

struct judged {
	double ratio;
	int known, met;
};

/* What of the goal isakern has reached. */
struct judged goal_judge(struct field *f, const struct entry *us, const struct goal *goal);

/* How near the machine's limit an entry is, and which it is: "peak", "read" or "copy", whichever is nearest;
 * or NULL. */
struct share {
	const char *of;
	double share;
};

struct share share_of(struct field *f, const struct entry *e);

/* A peer: what it says of itself, and its contestants for a problem. */
struct peer {
	const char *name, *package;
	int uncapped; /* nothing caps it to AVX2 */
	/* Its version and what it runs on, or NULL if it is not there. */
	const char *(*open)(void);
	void (*enter)(struct field *f, const struct problem *p);
};

extern const struct peer openblas, blis, xsmm, onednn, xnnpack, torch, eigen, sleef_u10, sleef_u35, glibc;

enum { PEERS = 10 };

extern const struct peer *const peers[PEERS];

/* Enters isakern and the peers that have a version, checks and times them; NULL, or why it was not timed. */
const char *field_measure(struct field *f, struct problem *p, const struct row *row,
                          const struct effort *effort, const char *const *versions);

void ours_enter(struct field *f, const struct problem *p);
void limits_enter(struct field *f, const struct problem *p);

/* Enters a second isakern in each row from now on; a line about it. Ends the program where there is none. */
const char *old_open(const char *path);

/* Operations that this core does at most, in the type of the problem, in 1 ns: measured now, in registers; 0
 * for work that has none. */
double peak_now(const struct problem *p);
/* The peaks of this machine, as a line of text. */
const char *peaks_text(void);

/* Whether --isa avx2 is in force. */
int capped(void);

void *allocate(size_t bytes);

#endif
