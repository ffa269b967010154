/* SPDX-License-Identifier: MIT */
/*
 * All inputs of every elementwise kernel of one array of floats of at most 32 bits, and 2^30 random inputs of
 * those of several arrays of f32, bf16 or f16. The widest variant is compared with the oracle. The others
 * must have its bits, or are compared with the oracle as well if the row promises only a bound. If a function
 * has several names, one is tested.
 *
 *     test_exhaustive [PATTERN [STRIDE]]    kernels to test; every STRIDE-th input of 32 bits, or as many fewer
 *
 * Two processes share the inputs of a kernel. Progress goes to stderr.
 */
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "arguments.h"
#include "bulk.h"
#include "run.h"

/* So few that all arrays of a chunk stay in the second-level cache. */
#define CHUNK       BULK_MOST
#define MOST_STRIDE ((uint64_t)1 << 16)
#define DRAWN       ((uint64_t)1 << 30)
#define PROCESSES   2

/* The findings of one process about one variant. */
struct tally {
	double worst;
	struct at worst_at, failed_at, off_at;
	uint64_t failures, misrounded;
	uint64_t off; /* inputs for which the answer in bulk disagrees with the oracle */
};

/* Shared memory: the number of inputs that each process has done, and its tallies, one for each variant. */
static uint64_t *done;
static struct tally *tallies[PROCESSES];
static size_t most; /* variants of a kernel */
static uint64_t stride = 1;

/* The variants of one kernel that can run here, the widest last. */
struct group {
	const struct isk_kernel *kernel;
	struct variant **variants;
	size_t count;
};

static enum isk_type in_of(const struct isk_kernel *k)
{
	return argument_type(k, arguments_of(k).ins[0]);
}

static enum isk_type out_of(const struct isk_kernel *k)
{
	return argument_type(k, arguments_of(k).outs[0]);
}

static int is_tested(const struct variant *v)
{
	const int inputs = v->driver && v->driver->drive == drive_elementwise ? arguments_of(v->kernel).in_count : 0;

	return (inputs == 1 && isk_element_is_float(in_of(v->kernel)) && isk_element_bytes(in_of(v->kernel)) <= 4)
	       || (inputs > 1 && inputs <= BULK_INPUTS && bulk_is_there(v->kernel));
}

/* The step from one input to the next, and the number of inputs; 16-bit types always take all. */
static uint64_t step_of(const struct isk_kernel *k)
{
	return element_values(in_of(k)) ? 1 : stride;
}

static uint64_t inputs_of(const struct isk_kernel *k)
{
	if (arguments_of(k).in_count > 1)
		return DRAWN / stride;
	return ((uint64_t)1 << 8 * isk_element_bytes(in_of(k))) / step_of(k);
}

/* A scale and a zero point that round, clamp and saturate. */
static void set_values(const struct isk_kernel *k, union isk_args *args)
{
	const struct arguments all = arguments_of(k);

	for (int i = 0; i < all.value_count; i++) {
		const enum isk_type type = argument(k, all.values[i])->type;
		void *at = isk_argument_at(args, argument(k, all.values[i]));

		if (isk_element_is_float(type))
			isk_element_set(type, at, 0, (long double)0.0123f);
		else
			*(int32_t *)at = 3;
	}
}

static int is_before(struct at a, struct at b)
{
	for (int i = 0; i < MOST_WORDS; i++)
		if (a.word[i] != b.word[i])
			return a.word[i] < b.word[i];
	return 0;
}

/* Adds to a count, and keeps the first of its inputs. */
static void tell(uint64_t *counted, struct at *at, uint64_t more, struct at input)
{
	if (more && (!*counted || is_before(input, *at)))
		*at = input;
	*counted += more;
}

static void add_worst(struct tally *t, double error, struct at input)
{
	if (error > t->worst || (error == t->worst && is_before(input, t->worst_at))) {
		t->worst = error;
		t->worst_at = input;
	}
}

static void add(struct tally *t, double error, double bound, struct at input)
{
	if (!(error <= bound))
		tell(&t->failures, &t->failed_at, 1, input);
	add_worst(t, error, input);
}

static double wrong_unless(int right)
{
	return right ? 0 : HUGE_VAL;
}

/* The error against the oracle, in ulp; infinite if only the oracle's bits are allowed and these differ. */
static double error_of(const struct variant *v, enum isk_type type, uint64_t bits, const struct exact *exact)
{
	if (exact->given == BITS)
		return wrong_unless(bits == exact->bits);
	if (v->exact)
		return wrong_unless(element_same(type, bits, isk_element_round(type, exact->value)));
	return (double)element_ulps(type, bits, exact->value);
}

/* Whether the result is not the exact result rounded once. */
static int is_misrounded(enum isk_type type, uint64_t bits, const struct exact *exact)
{
	return exact->given == VALUE && !element_same(type, bits, isk_element_round(type, exact->value));
}

/* Whether a variant must have the bits of the widest. */
static int has_bits_of_widest(const struct group *group, size_t v)
{
	return v + 1 < group->count && group->variants[v]->twin;
}

/* Whether a chunk needs no further check: the results are those of the widest variant, in which nothing was wrong. */
static int is_known(const struct group *group, size_t v, const struct tally *t, const void *got, const void *widest,
                    size_t bytes)
{
	const size_t last = group->count - 1;

	return v < last && !t[last].failures && (has_bits_of_widest(group, v) || group->variants[v]->exact)
	       && memcmp(got, widest, bytes) == 0;
}

/* A call: its inputs, the results of the widest variant, and the answers in bulk. */
struct chunk {
	const struct group *group;
	uint64_t first, step, count;
	union isk_args args;
	enum isk_type in;
	int inputs;
	uint64_t *x[BULK_INPUTS], *widest;
	int in_bulk;
	struct bulk bulk;
	struct tally *tallies;
};

static struct at input(const struct chunk *c, uint64_t i)
{
	struct at at = AT(0);

	for (int j = 0; j < c->inputs; j++)
		at.word[j] = isk_element_bits(c->in, c->x[j], i);
	return at;
}

/* A single input takes all values in order; several get values of all pairs of kinds. */
static void set_inputs(struct chunk *c)
{
	for (int j = 0; j < c->inputs; j++)
		for (uint64_t i = 0; i < c->count; i++) {
			const uint32_t bits = c->inputs == 1 ? (uint32_t)((c->first + i) * c->step)
			                                     : (uint32_t)random_element(c->in, (i + (uint64_t)j * (i / KINDS)) % KINDS);

			/* A copy of constant size, because f32 has the most elements. */
			if (c->in == ISK_F32)
				memcpy((unsigned char *)c->x[j] + i * sizeof(bits), &bits, sizeof(bits));
			else
				isk_element_set_bits(c->in, c->x[j], i, bits);
		}
}

/* The oracle's answers to `count` inputs: those of index[], or the first ones if index is NULL. */
static struct answers ask(const struct chunk *c, const uint32_t *index, uint64_t count)
{
	static uint64_t x[BULK_INPUTS][CHUNK], y[CHUNK];
	const struct isk_kernel *k = c->group->kernel;
	const struct arguments all = arguments_of(k);
	union isk_args args = c->args;

	for (int j = 0; j < c->inputs; j++) {
		for (uint64_t i = 0; i < count; i++)
			isk_element_set_bits(c->in, x[j], i, isk_element_bits(c->in, c->x[j], index ? index[i] : i));
		*pointer_at(k, &args, all.ins[j]) = x[j];
	}
	*size_at(k, &args, all.sizes[0]) = count;
	*pointer_at(k, &args, all.outs[0]) = y;
	return answers_of(c->group->variants[0], &args);
}

/* Compares with the widest variant, whose bits must be equal, apart from those of NaNs that the oracle does not name. */
static void compare(struct chunk *c, size_t v, const uint64_t *got)
{
	const struct isk_kernel *k = c->group->kernel;
	const enum isk_type out = out_of(k);
	struct answers answers = ask(c, NULL, c->count);
	const struct exact *exact = answers.of[arguments_of(k).outs[0]];

	for (uint64_t i = 0; i < c->count; i++) {
		const uint64_t bits = isk_element_bits(out, got, i), same = isk_element_bits(out, c->widest, i);
		const int right = exact[i].given == BITS ? bits == same : element_same(out, bits, same);

		add(&c->tallies[v], wrong_unless(right), 0, input(c, i));
	}
	answers_free(&answers);
}

/* Compares with the oracle the results of the `count` inputs in index[], or of the first ones if index is NULL. */
static void judge(struct chunk *c, size_t v, const uint64_t *got, const uint32_t *index, uint64_t count)
{
	const struct isk_kernel *k = c->group->kernel;
	const struct variant *variant = c->group->variants[v];
	const enum isk_type out = out_of(k);
	struct answers answers = ask(c, index, count);
	const struct exact *exact = answers.of[arguments_of(k).outs[0]];
	struct tally *t = &c->tallies[v];

	for (uint64_t i = 0; i < count; i++) {
		const uint64_t at = index ? index[i] : i, bits = isk_element_bits(out, got, at);

		if (!variant->exact)
			t->misrounded += is_misrounded(out, bits, &exact[i]);
		add(t, error_of(variant, out, bits, &exact[i]), variant->bound, input(c, at));
		if (index && !bulk_agrees(&c->bulk, at, &exact[i]))
			tell(&t->off, &t->off_at, 1, input(c, at));
	}
	answers_free(&answers);
}

static void chunk(const struct group *group, uint64_t first, uint64_t count, struct tally *found)
{
	static uint64_t x[BULK_INPUTS][CHUNK], widest[CHUNK], y[CHUNK];
	static uint32_t left[CHUNK + 1];
	static struct chunk c;
	const struct isk_kernel *k = group->kernel;
	const struct arguments all = arguments_of(k);
	const enum isk_type out = out_of(k);

	c.group = group;
	c.first = first;
	c.step = step_of(k);
	c.count = count;
	c.in = in_of(k);
	c.inputs = all.in_count;
	c.widest = widest;
	c.in_bulk = bulk_is_there(k);
	c.tallies = found;
	memset(&c.args, 0, sizeof(c.args));
	set_values(k, &c.args);
	*size_at(k, &c.args, all.sizes[0]) = count;
	for (int j = 0; j < c.inputs; j++)
		*pointer_at(k, &c.args, all.ins[j]) = c.x[j] = x[j];
	set_inputs(&c);
	if (c.in_bulk)
		bulk_ask(&c.bulk, k, &c.args);

	for (size_t v = group->count; v--;) {
		const struct variant *variant = group->variants[v];
		uint64_t *got = v + 1 == group->count ? widest : y;
		struct tally *t = &found[v];

		*pointer_at(k, &c.args, all.outs[0]) = got;
		k->call(variant->fn, &c.args);
		if (is_known(group, v, found, got, widest, count * isk_element_bytes(out)))
			continue;
		if (has_bits_of_widest(group, v))
			compare(&c, v, got);
		else if (c.in_bulk)
			judge(&c, v, got, left, bulk_left(&c.bulk, variant, got, t->worst, left, &t->misrounded));
		else
			judge(&c, v, got, NULL, count);
	}
}

/*
 * Runs the chunks of one process in a scattered order that meets large errors soon. In the natural order each
 * error could be the worst so far where errors grow with the input. The factor is prime, so that every chunk
 * is taken once.
 */
static void run(const struct group *group, int process)
{
	const uint64_t prime = 2654435761, inputs = inputs_of(group->kernel), chunks = (inputs + CHUNK - 1) / CHUNK;
	char name[80];

	snprintf(name, sizeof(name), "%s, process %d", group->kernel->name, process);
	random_start(name);
	for (uint64_t i = (uint64_t)process; i < chunks; i += PROCESSES) {
		const uint64_t first = i * prime % chunks * CHUNK, most_left = inputs - first;
		const uint64_t some = most_left < CHUNK ? most_left : CHUNK;

		chunk(group, first, some, tallies[process]);
		__atomic_fetch_add(&done[process], some, __ATOMIC_RELAXED);
	}
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void show_progress(const struct group *group, double began)
{
	const double all = (double)inputs_of(group->kernel);
	uint64_t sum = 0;

	for (int p = 0; p < PROCESSES; p++)
		sum += __atomic_load_n(&done[p], __ATOMIC_RELAXED);
	fprintf(stderr, "\r%s: %5.1f %%", group->kernel->name, 100 * (double)sum / all);
	if (sum)
		fprintf(stderr, ", %.0f s left ", (seconds() - began) * (all / (double)sum - 1));
}

/* Runs all processes, and demands that they end well. */
static void run_all(const struct group *group)
{
	const double began = seconds();
	pid_t children[PROCESSES];

	memset(done, 0, PROCESSES * sizeof(*done));
	for (int p = 0; p < PROCESSES; p++)
		memset(tallies[p], 0, most * sizeof(*tallies[p]));
	fflush(stdout);
	for (int p = 0; p < PROCESSES; p++) {
		children[p] = fork();
		assert_true(children[p] >= 0);
		if (children[p] == 0) {
			run(group, p);
			_exit(0);
		}
	}
	for (int p = 0; p < PROCESSES; p++) {
		int status;
		pid_t ended;

		while ((ended = waitpid(children[p], &status, WNOHANG)) == 0) {
			show_progress(group, began);
			usleep(100000);
		}
		assert_int_equal(ended, children[p]);
		assert_int_equal(status, 0);
	}
	fprintf(stderr, "\r");
}

static struct tally sum_of(size_t v)
{
	struct tally sum = tallies[0][v];

	for (int p = 1; p < PROCESSES; p++) {
		const struct tally *other = &tallies[p][v];

		add_worst(&sum, other->worst, other->worst_at);
		sum.misrounded += other->misrounded;
		tell(&sum.failures, &sum.failed_at, other->failures, other->failed_at);
		tell(&sum.off, &sum.off_at, other->off, other->off_at);
	}
	return sum;
}

static struct text text_of(const struct variant *v, struct at at)
{
	return arguments_of(v->kernel).in_count > 1 ? place_of_inputs(v, at) : element_text(in_of(v->kernel), at.word[0]);
}

static void print(const struct group *group, size_t v, const struct tally *t)
{
	const struct variant *variant = group->variants[v];

	printf("# %s: %llu inputs, ", variant->id, (unsigned long long)inputs_of(group->kernel));
	if (has_bits_of_widest(group, v))
		printf("bits of %s", group->variants[group->count - 1]->isa);
	else if (variant->exact)
		printf("exact");
	else
		printf("worst error %.6g of %g allowed, at %s; %llu misrounded", t->worst, variant->bound,
		       text_of(variant, t->worst_at).s, (unsigned long long)t->misrounded);
	if (t->failures)
		printf("; WRONG for %llu inputs, first %s", (unsigned long long)t->failures,
		       text_of(variant, t->failed_at).s);
	if (t->off)
		printf("; ANSWERS IN BULK are not those of the oracle for %llu inputs, first %s", (unsigned long long)t->off,
		       text_of(variant, t->off_at).s);
	printf("\n");
}

static void test_all(void **state)
{
	const struct group *group = *state;
	int failed = 0;

	run_all(group);
	for (size_t v = 0; v < group->count; v++) {
		const struct tally t = sum_of(v);

		print(group, v, &t);
		failed += t.failures || t.off;
	}
	fflush(stdout);
	assert_int_equal(failed, 0);
}

/* Puts the variants of one kernel, which are adjacent, into one group. Returns the number of groups. */
static size_t groups_of(struct variant *variants, size_t count, const char *pattern, struct group *groups)
{
	size_t kernels = 0;

	for (size_t i = 0; i < count; i++) {
		struct variant *v = &variants[i];
		struct group *group = &groups[kernels];

		if (!v->fn || !v->kernel || !is_tested(v) || fnmatch(pattern, v->kernel->name, 0))
			continue;
		if (kernels && group[-1].kernel == v->kernel)
			group--;
		else
			kernels++;
		group->kernel = v->kernel;
		if (!group->variants && !(group->variants = calloc(most, sizeof(struct variant *))))
			abort();
		group->variants[group->count++] = v;
	}
	return kernels;
}

/*
 * Leaves out kernels with the same functions as one before, since they are further names of it. Returns how
 * many remain.
 */
static size_t of_different_functions(struct group *groups, size_t count)
{
	size_t kept = 0, before;

	for (size_t i = 0; i < count; i++) {
		for (before = 0; before < kept; before++)
			if (groups[before].variants[0]->fn == groups[i].variants[0]->fn)
				break;
		if (before == kept)
			groups[kept++] = groups[i];
	}
	return kept;
}

int main(int argc, char **argv)
{
	struct variant *variants;
	const size_t count = variants_all(&variants, NOT_RUN_HERE);
	struct group *groups = calloc(count + 1, sizeof(*groups));
	struct CMUnitTest *tests = calloc(count + 1, sizeof(*tests));
	size_t kernels;

	if (!groups || !tests)
		return 99;
	most = isk_isa_count();
	done = shared_memory(PROCESSES * sizeof(*done));
	for (int p = 0; p < PROCESSES; p++)
		tallies[p] = shared_memory(most * sizeof(*tallies[p]));
	if (argc > 2)
		stride = strtoull(argv[2], NULL, 0);
	if (stride == 0 || stride > MOST_STRIDE) {
		fprintf(stderr, "test_exhaustive: the stride must be from 1 to %llu\n", (unsigned long long)MOST_STRIDE);
		return 2;
	}
	kernels = of_different_functions(groups, groups_of(variants, count, argc > 1 ? argv[1] : "*", groups));
	if (!kernels) {
		fprintf(stderr, "test_exhaustive: '%s' is no kernel of one array of floats\n", argc > 1 ? argv[1] : "*");
		return 2;
	}
	for (size_t i = 0; i < kernels; i++)
		tests[i] = (struct CMUnitTest){groups[i].kernel->name, test_all, NULL, NULL, &groups[i]};
	test_seed();
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return _cmocka_run_group_tests("exhaustive", tests, kernels, NULL, NULL) != 0;
}
