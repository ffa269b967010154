/* SPDX-License-Identifier: MIT */
/* Checks whether the contract allows a result. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness.h"
#include "kernels.h"

/*
 * Whether the error is allowed. With ISK_TEST_MEASURE in the environment every error below 1e9 passes, so
 * that the author of a kernel sees which bound it needs.
 */
static int allowed(double error, double bound)
{
	static int measure = -1;

	if (measure < 0)
		measure = getenv("ISK_TEST_MEASURE") != NULL;
	return error <= bound || (measure && error < 1e9);
}

static void remember(struct variant *v, double error, struct at at)
{
	if (error > v->worst) {
		v->worst = error;
		v->worst_at = at;
	}
}

/* "a = 1, b = 2" */
struct text place_of_inputs(const struct variant *v, struct at at)
{
	const struct isk_shape *shape = v->kernel->shape;
	struct text text = {""};
	size_t used = 0;

	for (int i = 0, input = 0; i < shape->count && input < MOST_WORDS; i++) {
		const struct isk_argument *a = &shape->arguments[i];

		if (a->role != ISK_IN)
			continue;
		used += (size_t)snprintf(text.s + used, sizeof(text.s) - used, "%s%s = %.44s", input ? ", " : "", a->name,
		                         element_text(isk_argument_type(v->kernel, a), at.word[input]).s);
		input++;
	}
	return text;
}

static struct text pair(const char *first, const char *second, struct at at)
{
	struct text text;

	snprintf(text.s, sizeof(text.s), "%s %llu, %s %llu", first, (unsigned long long)at.word[0], second,
	         (unsigned long long)at.word[1]);
	return text;
}

struct text place_in_rows(const struct variant *v, struct at at)
{
	(void)v;
	return pair("row", "column", at);
}

struct text place_in_image(const struct variant *v, struct at at)
{
	(void)v;
	return pair("pixel", "output channel", at);
}

struct text place(const struct variant *v, struct at at)
{
	return v->driver->place(v, at);
}

/* Text to add if the element still has the bits from before the call. */
static const char *unwritten(enum isk_type type, uint64_t bits)
{
	const size_t bytes = isk_element_bytes(type);

	if (!is_unwritten(bits, bytes))
		return "";
	/* A single byte may be a result by chance. */
	return bytes > 1 ? ", not written" : ", perhaps not written";
}

static void must_be(const struct variant *v, enum isk_type type, int same, uint64_t bits, uint64_t wanted,
                    const char *what, struct at at)
{
	if (!same)
		wrong("at %s: got %s%s, wanted %s, %s", place(v, at).s, element_text(type, bits).s, unwritten(type, bits),
		      element_text(type, wanted).s, what);
}

void check_bits(const struct variant *v, enum isk_type type, uint64_t bits, uint64_t wanted, const char *what,
                struct at at)
{
	must_be(v, type, element_same(type, bits, wanted), bits, wanted, what, at);
}

static const char of_the_twin[] = "the bits of the lowest ISA with the same promise";

void check_same(const struct variant *v, enum isk_type type, uint64_t bits, uint64_t twin, struct at at)
{
	check_bits(v, type, bits, twin, of_the_twin, at);
}

static void wrong_value(const struct variant *v, enum isk_type type, uint64_t bits, long double exact, double error,
                        const char *unit, struct at at)
{
	wrong("at %s: got %s%s, wanted %.20Lg within %g %s; error %.4g %s", place(v, at).s, element_text(type, bits).s,
	      unwritten(type, bits), exact, v->bound, unit, error, unit);
}

void check_ulps(struct variant *v, enum isk_type type, uint64_t bits, long double exact, struct at at)
{
	const double error = isk_element_is_float(type)
	                         ? (double)element_ulps(type, bits, exact)
	                         : fabs((double)((long double)isk_element_value(type, bits) - exact));

	v->checks++;
	if (!allowed(error, v->bound))
		wrong_value(v, type, bits, exact, error, "ulp", at);
	remember(v, error, at);
}

void check_error(struct variant *v, enum isk_type type, uint64_t bits, long double exact, long double error,
                 long double scale, long double slack, struct at at)
{
	const long double unit = (long double)element_eps(type) * scale;
	const double units = error > slack ? (double)((error - slack) / unit) : 0;

	v->checks++;
	if (!(error <= slack) && !allowed(units, v->bound))
		wrong_value(v, type, bits, exact, (double)(error / unit), "units", at);
	remember(v, units, at);
}

void check_scaled(struct variant *v, enum isk_type type, uint64_t bits, long double exact, long double scale,
                  long double slack, struct at at)
{
	check_error(v, type, bits, exact, element_distance(type, bits, exact), scale, slack, at);
}

void check_exact(struct variant *v, enum isk_type type, uint64_t bits, const struct exact *exact, struct checked *last,
                 struct at at)
{
	const int is_bits = exact_is_bits(exact, v->exact);
	const int known = has_known_error(v, bits, last);
	const double error = known ? last->error : exact_error(type, bits, exact, v->exact);

	v->checks++;
	if (is_bits && !known)
		must_be(v, type, error <= 0, bits, exact_bits(type, exact), "the only result allowed", at);
	else if (!is_bits && !allowed(error, v->bound))
		wrong_value(v, type, bits, exact->value, error, exact->scale < 0 ? "ulp" : "units", at);
	if (!is_bits && !v->exact)
		remember(v, error, at);
	*last = (struct checked){bits, error, 1, v->exact, known && last->same};
}
