/* SPDX-License-Identifier: MIT */
/*
 * The kernels of isakern against Debian's other libraries. A row is a problem with its goals, and its field
 * is all contestants that can compute it. A contestant that computes something else is shown as wrong and not
 * timed.
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

/* The operation of a row; all matrices are row-major and dense. */
enum op {
	PRODUCT,   /* C = A * B */
	GROUPED,   /* C = A * B, B with a scale for each group of k and column */
	LINEAR,    /* C = gelu(A * B + bias) + residual */
	CONV,      /* images A, weights B (OIHW); C has m output pixels by n channels, and each sum has k terms */
	TRANSPOSE, /* C (m by n) = A transposed */
	/* The shapes of isakern.h, on m rows of n elements. */
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
	BAG,     /* m sums of rows with n elements from a table of k rows */
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

/*
 * CPUs for which goals are known. Under --isa the machine is ANY_MACHINE, because goals are those of a whole
 * CPU. WHOLE_CPU is any uncapped CPU.
 */
enum machine { ANY_MACHINE, WHOLE_CPU, EMERALD_RAPIDS, ZEN4, ZEN3 };

enum machine machine_here(void);
const char *machine_text(enum machine machine);

struct goal {
	const char *against; /* "best" (of all peers), "peak", or a contestant's name */
	double ratio;        /* the multiple of its speed that isakern should reach */
	enum machine machine;
	const char *from; /* the source of the goal */
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
	struct goal goals[MOST_GOALS]; /* those that hold here, ended by one against nobody */
};

static inline int is_nhwc(const struct row *row)
{
	return strstr(row->kernel, "_nhwc_") != NULL;
}

/* Gets row i of the table. Returns 0 if there is none. */
int row_get(size_t i, struct row *row);
/*
 * Selects the stated goals that hold on this machine: those for this machine before those for any, and always
 * one against the best peer.
 */
void goals_here(const struct goal *stated, struct goal *here);

/* An 8-bit result is the sum divided by this, rounded and saturated. */
enum { OUT_SCALE = 4096 };
/* Rows of B that share scales in a GROUPED product. */
enum { SCALE_GROUP = 32 };

struct problem {
	const struct row *row;
	void *a, *b; /* m by k, k by n */
	float *bias, *residual;
	float *scales; /* of groups of k, by n */
	void *c;       /* the result of all contestants, so that none has better memory */
	struct vectors vectors;
	double result, result_stray; /* of a reduction, and the spread of its partial sums */
	double work;                 /* operations, or bytes read and written, or elements */
};

/* Elements of the operands and of the result. */
struct counts {
	size_t a, b, c;
};

struct counts counts_of(const struct row *row);
/* Returns 0 if this machine lacks the memory for the problem and for packed copies. */
int problem_make(struct problem *p, const struct row *row);
void problem_free(struct problem *p);
/* Spoils the result before a call that is checked. */
void problem_spoil(struct problem *p);
/* Compares samples of c with op in double precision. Returns NULL if they are right, else a sentence. */
const char *problem_check(const struct problem *p, enum op op);

/* The same for problems of vectors. *ulp becomes the largest error, in units in the last place of the result's type. */
void vectors_make(struct problem *p);
void vectors_free(struct problem *p);
/* Element i of a result for which the order of operations is free; *tolerance is the error that a right one may have. */
double result_of(const struct problem *p, size_t i, double *tolerance);
const char *vectors_check(const struct problem *p, const char *kernel, double *ulp);

uint32_t random_next(void);
void random_seed(uint32_t seed);

enum role {
	OURS,      /* the subject of the row */
	OLD,       /* the isakern of --old */
	COMPANION, /* another kernel of isakern, to which a goal compares */
	PEER,
	LIMIT, /* a limit of the machine, without a result */
};

/* A map with a larger error on that many inputs does not count as a peer, at any length. */
enum { MOST_ULP = 4, JUDGED_BY = 65536 };

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

/*
 * The most operations in 1 ns of this core, in the type of the problem, measured now in registers; 0 for work
 * without arithmetic.
 */
double peak_now(const struct problem *p);
/* The peaks of this machine, as a line of text. */
const char *peaks_text(void);

/* Whether --isa avx2 is in force. */
int capped(void);

void *allocate(size_t bytes);

#endif
