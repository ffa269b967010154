/* SPDX-License-Identifier: MIT */
/*
 * Variants of kernels, as the drivers see them, and what is demanded of a result.
 * What a kernel is comes from the tables (call.h), its oracle from its family
 * (results.h); there is no kernel's name in this directory but in the self-test.
 */
#ifndef KERNELS_H
#define KERNELS_H

#include "args.h"
#include "isakern.h"
#include "results.h"
#include "values.h"

/* Where a result stands: for elementwise kernels the bits of the inputs, else what the driver's text counts. */
enum { MOST_WORDS = 4 };
struct at {
	uint64_t word[MOST_WORDS];
};
#define AT(...) ((struct at){{__VA_ARGS__}})

struct variant;

/* How kernels of a shape are tested. */
struct driver {
	const char *shape; /* NULL: of any that none is named for */
	void (*drive)(struct variant *v);
	struct text (*place)(const struct variant *v, struct at at);
};

struct variant {
	const struct isk_kernel *kernel;
	isk_form *form;
	const struct driver *driver;
	struct isk_kernel_info info;
	char id[64]; /* "exp_f32/avx512" */
	const char *isa;
	isk_function fn; /* NULL: cannot run here, because of this: */
	char reason[128];
	int emulated; /* AMX that the CPU lacks, by test/amx */
	isk_function twin; /* whose bits these must be: of the lowest row from avx2 up; NULL: bounded only */
	size_t one_of;     /* of calls on many elements one of this number is made; 0: all */
	isk_function other; /* that one where only some of the bits must be its; else NULL */
	int exact;     /* bit for bit the oracle's result */
	double bound;
	double worst; /* error seen, in the unit of the shape */
	struct at worst_at;
	uint64_t calls, checks;
	int cut; /* ended by ISK_TEST_SECONDS */
};

/*
 * Whether it is AMX by bf16, which has an order of its own, of k alone, and takes
 * denormals for 0 in A, in B and in sums: it must come near the sum of what is left.
 */
int has_amx_order(const struct variant *v);
/* bf16 without its denormals. */
uint64_t without_denormal(uint64_t bits);

/* Fills in what the library says of a kernel, and the tables: NULL where this program was made without it. */
void variant_of(struct variant *v, const char *kernel);
/* The plain form of a kernel, which keeps the contract too. */
struct variant reference_of(const char *kernel);
int is_reference(const struct variant *v);

/* Whether calling it directly is safe here, be it chosen or not. */
int candidate_runs(const struct isk_candidate *c);
/* The candidates of a kernel, and how many there are: allocated. */
size_t candidates_of(const char *kernel, struct isk_candidate **candidates);

/*
 * All variants of all kernels of the library, runnable or not; returns how many. With emulation AMX counts as
 * runnable where test/amx can stand in for it: not if ISK_TEST_AMX is "off".
 */
enum amx { AMX_OF_THE_CPU, AMX_EMULATED };
size_t variants_all(struct variant **variants, enum amx amx);

/* What one_of is in fast suites: what has another ISA's bits, or is its own oracle, needs fewer answers of that. */
size_t one_of_calls(const struct variant *v);
/* Whether its bits must be those of another variant. */
int has_twin(const struct variant *v);
/*
 * From an element of a product that the oracle is asked for to the next: about half of parts, which is what all take of
 * the work of one test; eight times as far in fast suites where all bits are the twin's.
 */
size_t step_to_next(const struct variant *v, size_t parts);
/* Whether to leave this product out: fast suites try one in four of a reference, whose lines are the oracle's. */
int is_spared(const struct variant *v);

/* Calls under the eyes of the harness: machine state, memory. */
void variant_call(struct variant *v, isk_function fn, union isk_args *args);

/*
 * Fail unless a result is what the contract allows. The first is for what an oracle
 * gave; the second for errors in ulp; the third for those in eps * scale, where slack
 * is what underflow alone may cost, absolutely; the fourth for an error of the third
 * kind that the caller has measured.
 */
void check_exact(struct variant *v, enum isk_type type, uint64_t bits, const struct exact *exact, struct at at);
void check_ulps(struct variant *v, enum isk_type type, uint64_t bits, long double exact, struct at at);
void check_scaled(struct variant *v, enum isk_type type, uint64_t bits, long double exact, long double scale,
                  long double slack, struct at at);
void check_error(struct variant *v, enum isk_type type, uint64_t bits, long double exact, long double error,
                 long double scale, long double slack, struct at at);
/* The very bits, but for the payload of a NaN; what says whose. */
void check_bits(const struct variant *v, enum isk_type type, uint64_t bits, uint64_t wanted, const char *what,
                struct at at);
/* Those of the twin. */
void check_same(const struct variant *v, enum isk_type type, uint64_t bits, uint64_t twin, struct at at);
/* Where that is, for people: "x = 1.5 (0x3fc00000)", "row 0, column 64". */
struct text place(const struct variant *v, struct at at);

extern const struct driver drivers[];

struct text place_in_any(const struct variant *v, struct at at);
/* The words are bits of the inputs; a row and a column; a pixel and an output channel. */
struct text place_of_inputs(const struct variant *v, struct at at);
struct text place_in_rows(const struct variant *v, struct at at);
struct text place_in_image(const struct variant *v, struct at at);

void drive_elementwise(struct variant *v);
void drive_any(struct variant *v);
void drive_pack(struct variant *v);
void drive_gemm(struct variant *v);
void drive_matmul(struct variant *v);
void drive_matmul_batch(struct variant *v);
void drive_conv_pack(struct variant *v);
void drive_conv(struct variant *v);
void drive_query(struct variant *v);

#endif
