/* SPDX-License-Identifier: MIT */
/*
 * What the drivers know of a kernel: the shape it has, its oracle, and how to
 * call a variant of it. All of it comes from the generated table; there is no
 * kernel's name in this directory but those in the self-test.
 */
#ifndef KERNELS_H
#define KERNELS_H

#include "isakern.h"
#include "numbers.h"
#include "oracle.h"

typedef void (*function)(void);

/* The arguments of a call, of any shape but those of matrix products and convolutions. */
struct args {
	void *y;
	const void *x[3]; /* norm: x, weight, bias */
	size_t n;         /* or rows, or images */
	size_t cols, ldy, ldx; /* images: channels, nothing, pixels */
	float scale; /* or epsilon */
	int32_t zero;
	uint64_t result; /* bits of what the call returned */
};

/* The arguments of matmul and matmul_batch; the former has a batch of one. */
struct product {
	void *c;
	const void *a, *b;
	size_t batch, m, n, depth, ldc, lda, ldb, stride_c, stride_a, stride_b;
	unsigned transposed;
	const struct isk_post *post;
};

/* Room for the rows of the table of ISAs. */
enum { MOST_ISAS = 32 };

struct variant;

struct kernel {
	const char *name, *shape;
	void (*drive)(struct variant *v);
	enum elem in, in2, out; /* in2: B of a matrix product */
	int inputs;
	int exact_nan; /* the payload of a NaN is promised */
	void (*call)(function fn, struct args *args);
	/* The oracles: of the elements of a map or zip, of a conversion, of the one result of a reduction, */
	double (*map)(double x);
	double (*zip)(double a, double b);
	void (*convert)(void *y, const void *x, size_t n, float scale, int32_t zero);
	double (*reduce)(const struct args *args, double *scale);
	/* of a row (rows of one column for pool): exact results and their scales. */
	void (*row)(const struct args *args, size_t row, double *exact, double *scale);
	/* of what only moves elements: where one comes from; see oracle.h */
	size_t (*from)(size_t j, size_t i, size_t ldx);
	/* matrices */
	double (*gemm)(const void *a, const struct isk_column *b, size_t k, size_t row, size_t col,
	               const struct isk_post *post, double *scale);
	int (*check)(const void *c, const void *a, const void *packed, size_t m, size_t n, size_t k, size_t ldc,
	             size_t lda, const struct isk_post *post);
	int (*pack)(void *packed, const void *b, size_t bytes, size_t k, size_t n, size_t ldb, int transposed);
	/* convolutions, their weights as OIHW; without fn: the oracle of packing, the status by the oracle */
	double (*conv)(const void *x, const void *w, const struct isk_conv *conv, size_t pixel, size_t o,
	               const struct isk_post *post, double *scale);
	int (*convolve)(function fn, void *y, const void *x, const void *packed, const struct isk_conv *conv,
	                const struct isk_post *post);
	int (*conv_pack)(function fn, void *packed, const void *w, size_t bytes, const struct isk_conv *conv);
	enum isk_type type;
	double (*matmul)(const void *a, size_t step_a, const void *b, size_t step_b, size_t k, size_t row,
	                 size_t col, const struct isk_post *post, double *scale);
	int (*multiply)(function fn, const struct product *p); /* without fn: the status, by the oracle */
};

struct variant {
	const struct kernel *kernel;
	struct isk_kernel_info info;
	char id[64]; /* "exp_f32/avx512" */
	const char *isa;
	function fn; /* NULL: cannot run here, because of this: */
	char reason[128];
	int emulated; /* AMX that the CPU lacks, by test/amx */
	function twin; /* whose bits these must be: of the lowest row from avx2 up; NULL: bounded only */
	function other; /* that one where only some of the bits must be its; else NULL */
	int exact;     /* bit for bit the oracle's result */
	double bound;
	double worst; /* error seen, in the unit of the shape */
	uint64_t worst_at[2], calls, checks;
};

/*
 * Whether it is AMX by bf16, which has an order of its own, of k alone, and takes
 * denormals for 0 in A, in B and in sums: it must come near the sum of what is left.
 */
int has_amx_order(const struct variant *v);
/* bf16 without its denormals. */
uint64_t without_denormal(uint64_t bits);

/* The kernel's entry, or NULL for one whose shape has no driver. */
const struct kernel *kernel_find(const char *name);

/* Whether calling it directly is safe here, be it chosen or not. */
int candidate_runs(const struct isk_candidate *c);

/*
 * All variants of all kernels of the library, runnable or not; returns how many. With emulation AMX counts as
 * runnable where test/amx can stand in for it: not if ISK_TEST_AMX is "off".
 */
enum amx { AMX_OF_THE_CPU, AMX_EMULATED };
size_t variants_all(struct variant **variants, enum amx amx);

/* Calls under the eyes of the harness: machine state, memory. */
void variant_call(struct variant *v, function fn, struct args *args);
/*
 * Fail unless a result is what the contract allows; the two words at0 and at1 say
 * where it stands: of map, zip and conversions the bits of the inputs, of reductions
 * n and nothing, of convolutions the pixel and the output channel, of others the row
 * and the column. The first is for errors in ulp, the others for those in
 * eps * scale; there slack is what underflow alone may cost, absolutely.
 */
void check_ulps(struct variant *v, uint64_t bits, double exact, uint64_t at0, uint64_t at1);
void check_scaled(struct variant *v, uint64_t bits, double exact, double scale, double slack, uint64_t at0,
                  uint64_t at1);
/* The same for an error that the caller has measured. */
void check_error(struct variant *v, uint64_t bits, double exact, double error, double scale, double slack,
                 uint64_t at0, uint64_t at1);
/* The very bits; what says whose. */
void check_bits(const struct variant *v, uint64_t bits, uint64_t wanted, const char *what, uint64_t at0,
                uint64_t at1);
/* Those of the twin. */
void check_same(const struct variant *v, uint64_t bits, uint64_t twin, uint64_t at0, uint64_t at1);
/* Where that is, for people: "x = 1.5 (0x3fc00000)", "row 0, column 64". */
struct text place(const struct variant *v, uint64_t at0, uint64_t at1);

/* A row of A or a column of B: where it begins, a step from one to the next. */
struct terms {
	enum elem elem;
	const void *x;
	size_t step;
};

/*
 * Whether the contract leaves no choice of the bits of C, and which they are then:
 * where nothing follows the sum, or what does is a choice between two values.
 */
int bits_named(const struct variant *v, const struct terms *a, const struct terms *b, size_t k, size_t col,
               const struct isk_post *post, uint64_t *bits);
/*
 * How far the exact value is from those that round to this result: C is a value
 * within the bound, rounded to its type. Quantizing divides by the output scale
 * first, and rounds the quotient.
 */
double distance(const struct variant *v, uint64_t bits, double exact, const struct isk_post *post);

void drive_elementwise(struct variant *v);
void drive_reduce(struct variant *v);
void drive_rows(struct variant *v);
void drive_pool(struct variant *v);
void drive_pack(struct variant *v);
void drive_gemm(struct variant *v);
void drive_transpose(struct variant *v);
void drive_images(struct variant *v);
void drive_matmul(struct variant *v);
void drive_matmul_batch(struct variant *v);
void drive_conv_pack(struct variant *v);
void drive_conv(struct variant *v);
void drive_query(struct variant *v);

#endif
