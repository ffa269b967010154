/* SPDX-License-Identifier: MIT */
/*
 * Variants of kernels, as the drivers see them, and the checks of a result. Kernels are described by the
 * tables (call.h) and have their oracles from their families (results.h). Only the self-test names kernels in
 * this directory.
 */
#ifndef KERNELS_H
#define KERNELS_H

#include "args.h"
#include "isakern.h"
#include "results.h"
#include "values.h"

/*
 * The place of a result: the bits of the inputs of an elementwise kernel, else the numbers that the driver's
 * text shows.
 */
enum { MOST_WORDS = 4 };
struct at {
	uint64_t word[MOST_WORDS];
};
#define AT(...) ((struct at){{__VA_ARGS__}})

struct variant;

/* How kernels of a shape are tested. */
struct driver {
	const char *shape; /* NULL: any shape without a driver of its own */
	void (*drive)(struct variant *v);
	struct text (*place)(const struct variant *v, struct at at);
	int together; /* it tries several variants on the same calls */
};

/*
 * The last result that was right for one answer. Variants of a kernel often give the same bits for the same inputs, and
 * calls repeat inputs; the same bits need no second check.
 */
struct checked {
	uint64_t bits;
	double error;
	int is_right, exact; /* exact: the bits had to be the oracle's */
	int same;            /* they are the twin's */
};

struct variant {
	const struct isk_kernel *kernel;
	isk_form *form;
	const struct driver *driver;
	struct isk_kernel_info info;
	char id[64]; /* "exp_f32/avx512" */
	const char *isa;
	isk_function fn; /* NULL: cannot run here, for this reason: */
	char reason[128];
	int emulated; /* by test/emulator, as the CPU lacks its instructions */
	isk_function twin; /* the variant whose bits it must have, of the lowest ISA from avx2 up; NULL: only bounded */
	struct variant *next; /* the next of the variants that are tried on the same calls; NULL: it is the last one */
	int has_passed;       /* together with others */
	int is_spared;        /* it takes no part in a call */
	size_t one_of;        /* one in one_of calls on many elements is made, in fast suites; 0: all */
	isk_function other; /* the same variant if only some bits must be its; else NULL */
	int exact;     /* the result must be the oracle's, bit for bit */
	double bound;
	double worst; /* the largest error seen, in the unit of the shape */
	struct at worst_at;
	uint64_t calls, checks;
	volatile int is_calling; /* the last one of the calls goes on */
	int cut; /* ended by ISK_TEST_SECONDS */
};

/*
 * Whether the variant is AMX on bf16. Its order of sums is its own and depends on k alone. It takes denormals
 * in A, in B and in sums for 0, so its results are compared with the sum without denormals.
 */
int has_amx_order(const struct variant *v);
/* bf16 bits, with a denormal replaced by 0 of its sign. */
uint64_t without_denormal(uint64_t bits);

/* Fills in what the library and the tables say of a kernel. kernel stays NULL if this program was not built with it. */
void variant_of(struct variant *v, const char *kernel);
/* The reference of a kernel, which keeps the contract too. */
struct variant reference_of(const char *kernel);
int is_reference(const struct variant *v);

/* Whether the candidate can be called directly here, even if it is not chosen. */
int candidate_runs(const struct isk_candidate *c);
/* The number of a kernel's candidates, which are put into an allocated array. */
size_t candidates_of(const char *kernel, struct isk_candidate **candidates);

/*
 * Returns the number of all variants of all kernels of the library, including those that cannot run here.
 * With EMULATED, AMX and AVX512-FP16 count as runnable where test/emulator can emulate them, unless ISK_TEST_EMULATOR is
 * "off".
 */
enum missing { NOT_RUN_HERE, EMULATED };
size_t variants_all(struct variant **variants, enum missing missing);

/*
 * Links a variant to the last one if both can be tried on the same calls, so that the oracle answers once for both. *last
 * becomes the last variant that others can be linked to; it begins as NULL. Emulated variants are tried alone, because they
 * make fewer calls and take more stack, and so is AMX of the CPU, because its products of bf16 have an order of their own.
 */
void variant_link(struct variant **last, struct variant *v);
/* Runs a test on each of the linked variants alone, all with the same random numbers. */
void each_alone(struct variant *v, void (*test)(struct variant *v));

/* Whether its bits must be those of another variant. */
int has_twin(const struct variant *v);
/* Whether the contract names its bits. */
int promises_bits(const struct variant *v);
/* The first one of the linked variants that promises bits; NULL if none does. */
const struct variant *first_promising(const struct variant *v);
/*
 * The step from one element of a product that the oracle checks to the next: on average parts / 2, so that
 * all products of a test take the same work.
 */
size_t step_to_next(size_t parts);
/*
 * Draws which of the linked variants take no part in the next call. Fast suites try a reference on one in 16, because its
 * code is the oracle's.
 */
void spare(struct variant *v);
/* The first one, from v on, that takes part in the call; NULL if none does. */
struct variant *taking_part(struct variant *v);

/* Calls fn; the harness checks memory and machine state. */
void variant_call(struct variant *v, isk_function fn, union isk_args *args);

/*
 * These fail unless the contract allows the result. check_exact() takes an oracle's result, and the last result that was
 * right for it; check_ulps() counts errors in ulp, check_scaled() in eps * scale, where `slack` is the absolute error that
 * underflow alone may cause. check_error() is check_scaled() with an error that the caller has measured.
 */
void check_exact(struct variant *v, enum isk_type type, uint64_t bits, const struct exact *exact, struct checked *last,
                 struct at at);
void check_ulps(struct variant *v, enum isk_type type, uint64_t bits, long double exact, struct at at);
void check_scaled(struct variant *v, enum isk_type type, uint64_t bits, long double exact, long double scale,
                  long double slack, struct at at);
void check_error(struct variant *v, enum isk_type type, uint64_t bits, long double exact, long double error,
                 long double scale, long double slack, struct at at);
/* Fails unless the bits are equal, apart from the payload of a NaN; the message says that they should be `what`. */
void check_bits(const struct variant *v, enum isk_type type, uint64_t bits, uint64_t wanted, const char *what,
                struct at at);
/* The same for the bits of the twin. */
void check_same(const struct variant *v, enum isk_type type, uint64_t bits, uint64_t twin, struct at at);
/* Whether the error of a result is known, because its bits were right before. */
static inline int has_known_error(const struct variant *v, uint64_t bits, const struct checked *last)
{
	return last->is_right && last->bits == bits && last->exact == v->exact;
}
/* Whether such a result needs no check, because its error is not a new worst one and the twin has its bits. */
static inline int was_right(const struct variant *v, uint64_t bits, const struct checked *last)
{
	return has_known_error(v, bits, last) && last->error <= v->worst && (last->same || !v->twin);
}
/* The place for people: "x = 1.5 (0x3fc00000)", "row 0, column 64". */
struct text place(const struct variant *v, struct at at);

extern const struct driver drivers[];

struct text place_in_any(const struct variant *v, struct at at);
/* The words of `at` are the bits of the inputs; a row and a column; a pixel and an output channel. */
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
void drive_conv_transpose_pack(struct variant *v);
void drive_conv_transpose(struct variant *v);
void drive_query(struct variant *v);

#endif
