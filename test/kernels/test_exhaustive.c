/* SPDX-License-Identifier: MIT */
/*
 * All 2^32 inputs of every kernel of one f32: the widest variant against the
 * oracle, the others bit for bit against it, or against the oracle where the
 * row promises a bound only.
 *
 *     test_exhaustive [PATTERN [STRIDE]]    kernels to test; every STRIDE-th input
 *
 * Two processes share the inputs of a kernel. Progress goes to stderr.
 */
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"
#include "kernels.h"
#include "run.h"

#define CHUNK     ((uint64_t)1 << 16)
#define PROCESSES 2
#define MOST      16 /* variants of a kernel */

/* What one process finds about one variant. */
struct tally {
	double worst;
	uint32_t worst_at, failed_at;
	uint64_t failures;
};

struct work {
	uint64_t done;
	struct tally tallies[MOST];
};

static struct work *works; /* PROCESSES of them, shared */
static uint64_t stride = 1;

/* The variants of one kernel that can run here. */
struct group {
	struct variant *variants[MOST];
	size_t count;
};

static void tally(struct tally *t, double error, double bound, uint32_t input)
{
	if (!(error <= bound) && t->failures++ == 0)
		t->failed_at = input;
	if (error > t->worst) {
		t->worst = error;
		t->worst_at = input;
	}
}

/* Chunk number i of the inputs. */
static void chunk(const struct group *group, uint64_t i, struct work *work)
{
	static float x[CHUNK];
	static double exact[CHUNK];
	static uint32_t want[CHUNK], widest[CHUNK], y[CHUNK];
	const struct kernel *k = group->variants[0]->kernel;

	for (uint64_t j = 0; j < CHUNK; j++) {
		x[j] = f32_of((uint32_t)((i * CHUNK + j) * stride));
		if (k->map)
			exact[j] = k->map((double)x[j]);
	}
	if (k->map)
		for (uint64_t j = 0; j < CHUNK; j++)
			elem_set(k->out, want, j, exact[j]);
	else
		k->convert(want, x, CHUNK, 0, 0);

	/* The last variant is the widest. */
	for (size_t v = group->count; v--;) {
		struct variant *variant = group->variants[v];
		struct args args = {.y = v + 1 == group->count ? widest : y, .x = {x}, .n = CHUNK};
		struct tally *t = &work->tallies[v];

		k->call(variant->fn, &args);
		for (uint64_t j = 0; j < CHUNK; j++) {
			const uint64_t bits = elem_bits(k->out, args.y, j);
			const uint32_t input = bits_of(x[j]);

			if (args.y == y && variant->twin) {
				const uint64_t must = elem_bits(k->out, widest, j);

				tally(t, (k->exact_nan ? bits == must : elem_same(k->out, bits, must)) ? 0 : HUGE_VAL, 0,
				      input);
			} else if (variant->exact) {
				const uint64_t must = elem_bits(k->out, want, j);

				tally(t, (k->exact_nan ? bits == must : elem_same(k->out, bits, must)) ? 0 : HUGE_VAL, 0,
				      input);
			} else {
				tally(t, elem_ulps(k->out, bits, exact[j]), variant->bound, input);
			}
		}
	}
	work->done += CHUNK;
}

static void show_progress(const char *name, uint64_t inputs)
{
	uint64_t done = 0;

	for (int p = 0; p < PROCESSES; p++)
		done += __atomic_load_n(&works[p].done, __ATOMIC_RELAXED);
	fprintf(stderr, "\r%s: %5.1f %%", name, 100 * (double)done / (double)inputs);
}

static void test_all(void **state)
{
	const struct group *group = *state;
	const char *name = group->variants[0]->info.name;
	const uint64_t inputs = ((uint64_t)1 << 32) / stride / CHUNK * CHUNK;
	pid_t children[PROCESSES];
	int failed = 0;

	memset(works, 0, PROCESSES * sizeof(*works));
	fflush(stdout);
	for (int p = 0; p < PROCESSES; p++) {
		children[p] = fork();
		assert_true(children[p] >= 0);
		if (children[p] == 0) {
			for (uint64_t i = (uint64_t)p; i < inputs / CHUNK; i += PROCESSES)
				chunk(group, i, &works[p]);
			_exit(0);
		}
	}
	for (int p = 0; p < PROCESSES; p++) {
		int status;
		pid_t done;

		while ((done = waitpid(children[p], &status, WNOHANG)) == 0) {
			show_progress(name, inputs);
			usleep(500000);
		}
		assert_int_equal(done, children[p]);
		assert_int_equal(status, 0);
	}
	fprintf(stderr, "\r");
	for (size_t v = 0; v < group->count; v++) {
		const struct variant *variant = group->variants[v];
		struct tally t = works[0].tallies[v];

		for (int p = 1; p < PROCESSES; p++) {
			const struct tally *other = &works[p].tallies[v];

			if (other->worst > t.worst) {
				t.worst = other->worst;
				t.worst_at = other->worst_at;
			}
			if (other->failures && !t.failures)
				t.failed_at = other->failed_at;
			t.failures += other->failures;
		}
		printf("# %s: %llu inputs, ", variant->id, (unsigned long long)inputs);
		if (v + 1 < group->count && variant->twin)
			printf("bits of %s", group->variants[group->count - 1]->isa);
		else if (variant->exact)
			printf("exact");
		else
			printf("worst error %.6g ulp of %g allowed, at %#x (%.9g)", t.worst, variant->bound, t.worst_at,
			       (double)f32_of(t.worst_at));
		if (t.failures)
			printf("; WRONG for %llu inputs, first %#x (%.9g)", (unsigned long long)t.failures, t.failed_at,
			       (double)f32_of(t.failed_at));
		printf("\n");
		failed += t.failures != 0;
	}
	fflush(stdout);
	assert_int_equal(failed, 0);
}

int main(int argc, char **argv)
{
	struct variant *variants;
	const size_t count = variants_all(&variants, AMX_EMULATED);
	struct group *groups = calloc(count + 1, sizeof(*groups));
	struct CMUnitTest *tests = calloc(count + 1, sizeof(*tests));
	size_t kernels = 0;

	works = mmap(NULL, PROCESSES * sizeof(*works), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (!groups || !tests || works == MAP_FAILED)
		return 99;
	if (argc > 2)
		stride = strtoull(argv[2], NULL, 0);
	if (stride == 0 || stride > ((uint64_t)1 << 32) / CHUNK) {
		fprintf(stderr, "the stride must be from 1 to 65536\n");
		return 2;
	}
	for (size_t i = 0; i < count; i++) {
		const struct kernel *k = variants[i].kernel;
		const int cvt = strcmp(variants[i].info.shape, "cvt") == 0;
		struct group *group = &groups[kernels];

		if (!k || k->in != ELEM_f32 || !(k->map || cvt) || !variants[i].fn ||
		    (argc > 1 && fnmatch(argv[1], k->name, 0)))
			continue;
		if (group->count && group->variants[0]->kernel != k)
			group = &groups[++kernels];
		group->variants[group->count++] = &variants[i];
		tests[kernels] = (struct CMUnitTest){k->name, test_all, NULL, NULL, group};
	}
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return _cmocka_run_group_tests("exhaustive", tests, groups[0].count ? kernels + 1 : 0, NULL, NULL) != 0;
}
