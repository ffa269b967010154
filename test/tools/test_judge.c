/* SPDX-License-Identifier: MIT */
/* The judgement of isakern bench and isakern tune on given times. */
#include <stdio.h>
#include <string.h>

#include "bench.h"

enum { TIMED = 3, SIZES = 2 };

static struct timing timings[SIZES][TIMED];
static struct isk_candidate candidates[TIMED] = {{.isa = "low"}, {.isa = "middle"}, {.isa = "high"}};
static struct result result = {.candidates = candidates, .count = TIMED, .bound = 1, .point_count = SIZES};

/* Nanoseconds of the variants at both sizes, and the spread of each. */
struct times {
	double ns[TIMED], spread;
};

/* The results of the next measurements. */
static struct times next[2];
static int measured;

static void set(const struct times *t)
{
	for (int size = 0; size < SIZES; size++)
		for (int v = 0; v < TIMED; v++)
			timings[size][v] = (struct timing){.ns = t->ns[v], .least = t->ns[v], .spread = t->spread};
}

void result_time(struct result *r, int quick, size_t done, size_t all)
{
	(void)r, (void)quick, (void)done, (void)all;
	set(&next[measured++]);
}

static int count, failed;

static void ok(int condition, const char *name)
{
	failed += !condition;
	printf("%sok %d - %s\n", condition ? "" : "not ", ++count, name);
}

static struct verdict verdict_of(double low, double middle, double high, double spread)
{
	set(&(struct times){{low, middle, high}, spread});
	return judge(&result);
}

/* The advice after two measurements; NULL: none. */
static const char *advised(struct times first, struct times second, double *factor)
{
	struct advice advice;

	next[0] = first;
	next[1] = second;
	measured = 0;
	advice = advise(&result, 0, 0, 1);
	*factor = advice.factor;
	return advice.isa;
}

static int near(double a, double b)
{
	return a > b * (1 - 1e-9) && a < b * (1 + 1e-9);
}

static void judged(void)
{
	struct verdict v = verdict_of(200, 100, 100, 0);

	ok(v.overall < 0 && v.places == 0, "the bound variant is as fast as the others");
	v = verdict_of(90, 100, 80, 0);
	ok(v.overall == 2 && near(v.overall_factor, 1.25) && v.places == SIZES && v.by == 2 && near(v.factor, 1.25),
	   "the fastest of two faster variants");
	ok(verdict_of(100, 100, 98, 0).overall < 0, "2 % faster is no difference");
	ok(verdict_of(100, 100, 96, 0).overall == 2, "4 % faster is one");
	ok(verdict_of(100, 100, 80, 0.12).overall < 0, "noise of both variants counts");
	ok(verdict_of(100, 100, 80, 0.1).overall == 2, "a difference beyond the noise");
	/* Twice as fast at one size, half as fast at the other. */
	verdict_of(100, 100, 100, 0);
	timings[0][2].ns = timings[0][2].least = 50;
	timings[1][2].ns = timings[1][2].least = 200;
	v = judge(&result);
	ok(v.overall < 0 && v.places == 1 && v.by == 2 && near(v.factor, 2) && v.where == &result.points[0],
	   "the mean over all sizes is geometric; a faster size is told");
	timings[0][2].least = 100;
	ok(judge(&result).places == 0, "a size counts if the least times differ as well");
	result.bound = -1;
	ok(judge(&result).overall < 0 && judge(&result).places == 0, "nothing is judged without the bound variant");
	result.bound = 1;
}

static void tuned(void)
{
	const struct times slower = {{200, 100, 110}, 0}, faster = {{200, 100, 50}, 0}, less = {{200, 100, 80}, 0};
	const struct times low = {{50, 100, 200}, 0}, both = {{50, 100, 60}, 0}, noisy = {{50, 100, 60}, 0.4};
	double factor;
	const char *isa = advised(faster, less, &factor);

	ok(isa && strcmp(isa, "high") == 0 && near(factor, 1.25) && measured == 2, "a pin if both measurements agree, with the lower factor");
	isa = advised(less, faster, &factor);
	ok(isa && near(factor, 1.25), "in whatever order they come");
	ok(!advised(faster, slower, &factor) && near(factor, 1), "no pin if the second one disagrees");
	ok(!advised(faster, low, &factor) && near(factor, 1), "no pin if each measurement has another variant");
	isa = advised(faster, both, &factor);
	ok(isa && strcmp(isa, "high") == 0 && near(factor, 100.0 / 60), "the variant that is faster in both, not the second one's fastest");
	isa = advised(both, low, &factor);
	ok(isa && strcmp(isa, "low") == 0 && near(factor, 2), "of two faster ones in the first, that of the second");
	ok(!advised(faster, noisy, &factor), "no pin if the second one is within noise");
	ok(!advised(slower, faster, &factor) && measured == 1, "no second measurement if the first one finds nothing");
}

int main(void)
{
	for (int size = 0; size < SIZES; size++)
		result.points[size].timings = timings[size];
	judged();
	tuned();
	printf("1..%d\n", count);
	return failed != 0;
}
