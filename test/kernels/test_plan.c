/* SPDX-License-Identifier: MIT */
/*
 * Plans: for each ISA, each way and many products, the bits are those of the kernel's variant of that ISA, and nothing
 * is read or written outside the matrices. isk_matmul_plan() refuses wrong sizes, strides and demands, and then the plan
 * stays as it was.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "isakern.h"

static int tests, failed;

static void check(int right, const char *what, const char *which)
{
	failed += !right;
	printf("%sok %d - %s%s%s\n", right ? "" : "not ", ++tests, what, *which ? ": " : "", which);
}

enum { ROOM = 1 << 20, PAGE = 1 << 16 };

/* Memory whose end is followed by a page that cannot be touched. */
static char *guarded(void)
{
	char *p = mmap(NULL, ROOM + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED || mprotect(p + ROOM, PAGE, PROT_NONE)) {
		perror("memory with a guard page");
		exit(1);
	}
	return p;
}

/* The kernels of both types take their pointers in the same registers. */
typedef int kernel_fn(void *c, const void *a, const void *b, size_t m, size_t n, size_t k, size_t ldc, size_t lda,
                      size_t ldb, unsigned transposed, const struct isk_post *post);

static size_t extent(size_t rows, size_t cols, size_t ld)
{
	return rows && cols ? (rows - 1) * ld + cols : 0;
}

static char *rooms[3];

/* The kernel whose plans are tried, and the bytes of its elements. */
static const char *kernel_name;
static size_t bytes;

/* The last `count` elements before the guard page of a room, filled with numbers that follow from seed. */
static void *elements(int room, size_t count, unsigned seed)
{
	char *x = rooms[room] + ROOM - count * bytes;

	for (size_t i = 0; i < count; i++) {
		seed = seed * 1664525 + 1013904223;
		if (bytes == sizeof(float))
			((float *)(void *)x)[i] = (float)(seed >> 8) / (1 << 23) - 1;
		else
			((double *)(void *)x)[i] = (double)seed / (1u << 31) - 1;
	}
	return x;
}

/*
 * Plans the product with the demands in *plan, computes it, and computes it by the kernel too. Returns 1 if C has the same
 * bits, also between its rows, 0 if it has others, and -1 if there is no such plan.
 */
static int same_bits(struct isk_matmul_plan *plan, kernel_fn *kernel)
{
	const int a_turned = plan->transposed & ISK_TRANSPOSED_A, b_turned = plan->transposed & ISK_TRANSPOSED_B;
	const size_t count = extent(plan->m, plan->n, plan->ldc);
	const void *a = elements(0, a_turned ? extent(plan->k, plan->m, plan->lda) : extent(plan->m, plan->k, plan->lda), 1);
	const void *b = elements(1, b_turned ? extent(plan->n, plan->k, plan->ldb) : extent(plan->k, plan->n, plan->ldb), 2);
	void *c = elements(2, count, 3), *wanted = malloc((count + 1) * bytes);
	int same;

	if (!wanted) {
		perror("memory");
		exit(1);
	}
	memcpy(wanted, c, count * bytes);
	if (isk_matmul_plan(plan)) {
		free(wanted);
		return -1;
	}
	same = plan->multiply(plan, c, a, b) == ISK_OK;
	kernel(wanted, a, b, plan->m, plan->n, plan->k, plan->ldc, plan->lda, plan->ldb, plan->transposed, plan->post);
	same &= memcmp(c, wanted, count * bytes) == 0;
	free(wanted);
	return same;
}

enum { MOST_WAYS = 8 };

/* How many products took each way, and how many of them had other bits than the kernel. */
struct tally {
	unsigned taken[MOST_WAYS], wrong[MOST_WAYS];
	char example[128];
};

static size_t number_of(const char *way)
{
	size_t i = 0;

	while (strcmp(isk_matmul_way(i), way))
		i++;
	return i;
}

static void try(struct tally *t, const struct isk_candidate *variant, size_t m, size_t n, size_t k)
{
	static const double bias[512];
	const struct isk_post post = {.size = sizeof(post), .bias = bias, .act = ISK_ACT_RELU};

	/* The bits of form: A turned, B turned, strides with gaps, post, and from the fifth on the way; 0 demands no way. */
	for (unsigned form = 0; form < 16 * MOST_WAYS; form++) {
		const unsigned turned = form & 3, gap = form & 4 ? 3 : 0, way = form >> 4;
		struct isk_matmul_plan plan = {.size = sizeof(plan), .kernel = kernel_name, .m = m, .n = n, .k = k, .ldc = n + gap,
		                               .lda = (turned & 1 ? m : k) + gap, .ldb = (turned & 2 ? k : n) + gap,
		                               .transposed = turned, .post = form & 8 ? &post : NULL, .isa = variant->isa,
		                               .way = way ? isk_matmul_way(way - 1) : NULL};
		int same;

		if (way && !plan.way)
			break;
		same = same_bits(&plan, (kernel_fn *)variant->fn);
		if (same < 0)
			continue;
		t->taken[number_of(plan.way)]++;
		t->wrong[number_of(plan.way)] += !same;
		if (!same && !*t->example)
			snprintf(t->example, sizeof(t->example), "%zux%zux%zu, transposed %u, %sgaps, %spost, way %s", m, n, k, turned,
			         gap ? "" : "no ", plan.post ? "" : "no ", plan.way);
	}
}

static void check_variant(const struct isk_candidate *variant)
{
	static const size_t shapes[][3] = {{1, 512, 128}, {2, 300, 40}, {17, 2, 256}, {64, 1, 300}, {40, 8, 260}, {100, 90, 80},
	                                   {200, 33, 270}, {30, 300, 300}, {3, 500, 1}, {5, 7, 0}, {0, 5, 5}, {5, 0, 5}, {16, 16, 512}};
	struct tally t = {{0}, {0}, ""};

	for (size_t s = 1; s <= 34; s++)
		try(&t, variant, s, s, s);
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
		try(&t, variant, shapes[i][0], shapes[i][1], shapes[i][2]);
	for (size_t m = 1; m <= 17; m++)
		for (size_t n = 1; n <= 33; n += 2)
			try(&t, variant, m, n, 5);
	for (size_t way = 0; isk_matmul_way(way); way++) {
		char which[64];

		snprintf(which, sizeof(which), "%s: %s at %s, %u plans", kernel_name, isk_matmul_way(way), variant->isa, t.taken[way]);
		check(t.taken[way] && !t.wrong[way], "the bits of the kernel", which);
		if (t.wrong[way])
			printf("# %u of %u differ, for example %s\n", t.wrong[way], t.taken[way], t.example);
	}
}

/* A plan of 4x4x4 with one field changed of p by `change` is refused with this status, and stays as it was. */
#define REFUSED(status, what, change)                                          \
	do {                                                                       \
		struct isk_matmul_plan p = four(), before;                             \
		change;                                                                \
		before = p;                                                            \
		check(isk_matmul_plan(&p) == (status) && memcmp(&p, &before, sizeof(p)) == 0, "refused", what); \
	} while (0)

static struct isk_matmul_plan four(void)
{
	struct isk_matmul_plan plan;

	memset(&plan, 0, sizeof(plan));
	plan.size = sizeof(plan);
	plan.kernel = kernel_name;
	plan.m = plan.n = plan.k = plan.ldc = plan.lda = plan.ldb = 4;
	return plan;
}

static void check_refusals(void)
{
	const struct isk_post old = {.size = 8};

	check(isk_matmul_plan(NULL) == ISK_ERR_NULL, "refused", "no plan");
	REFUSED(ISK_ERR_STRUCT, "a struct of another version", p.size--);
	REFUSED(ISK_ERR_KERNEL, "no kernel", p.kernel = NULL);
	REFUSED(ISK_ERR_KERNEL, "a kernel without plans", p.kernel = "gemm_f32");
	REFUSED(ISK_ERR_STRUCT, "an unknown ISA", p.isa = "avx3");
	REFUSED(ISK_ERR_STRUCT, "an unknown way", p.way = "fast");
	REFUSED(ISK_ERR_STRUCT, "one tile of 400 rows", p.way = "tile"; p.m = 400);
	REFUSED(ISK_ERR_STRIDE, "a stride below n", p.ldc = 3);
	REFUSED(ISK_ERR_STRIDE, "a stride below k", p.lda = 3);
	REFUSED(ISK_ERR_STRIDE, "a stride below m, A transposed", p.transposed = 1; p.m = 5);
	REFUSED(ISK_ERR_SIZE, "more bytes than size_t counts", p.lda = SIZE_MAX / 8);
	REFUSED(ISK_ERR_SHAPE, "transposed that is no flag", p.transposed = 4);
	REFUSED(ISK_ERR_POST, "a post of another version", p.post = &old);
	check(isk_matmul_way(MOST_WAYS - 1) == NULL, "the ways end", "");
}

/* All plans of a kernel, at each ISA. */
static void check_kernel(const char *name, size_t element)
{
	struct isk_candidate variants[32] = {{.size = sizeof(variants[0])}};
	const int count = isk_candidates(name, variants, 32);
	struct isk_matmul_plan plan;

	kernel_name = name;
	bytes = element;
	check_refusals();
	plan = four();
	check(isk_matmul_plan(&plan) == ISK_OK && plan.multiply && *plan.reason, "a plan of 4x4x4", plan.reason);
	for (int i = 0; i < count; i++) {
		const char *isa = variants[i].isa;

		if (variants[i].bound)
			check(strcmp(plan.isa, isa) == 0, "planned by the ISA of the kernel", isa);
		if (variants[i].state == ISK_USABLE || variants[i].state == ISK_DEMOTED || variants[i].state == ISK_PINNED)
			check_variant(&variants[i]);
		else
			REFUSED(ISK_ERR_STRUCT, variants[i].reason, p.isa = isa);
	}
}

int main(void)
{
	for (int room = 0; room < 3; room++)
		rooms[room] = guarded();
	check_kernel("matmul_f32", sizeof(float));
	check_kernel("matmul_f64", sizeof(double));
	printf("1..%d\n", tests);
	return failed != 0;
}
