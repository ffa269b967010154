/* SPDX-License-Identifier: MIT */
/* The oracles of random numbers, from the words of plain_philox.h. */
#include "plain_philox.h"

/* Word w of a block, given by its number. */
ISK_UNUSED static uint32_t R(random_word)(int64_t seed, uint64_t block, unsigned w)
{
	const uint32_t counter[4] = {(uint32_t)block, (uint32_t)(block >> 32)};
	const uint32_t key[2] = {(uint32_t)seed, (uint32_t)((uint64_t)seed >> 32)};
	uint32_t words[4];

	isk_plain_philox(words, counter, key);
	return words[w];
}

/* Defines the oracle of element e. */
#define RANDOM(op) ISK_UNUSED static long double R(oracle_##op)(enum isk_type type, int64_t seed, uint64_t e)
RANDOM(random)
{
	(void)type;
	return (long double)R(random_word)(seed, e / 4, e % 4);
}

RANDOM(uniform)
{
	if (type == ISK_F64)
		return ldexpl((long double)(((uint64_t)R(random_word)(seed, e / 2, e % 2 * 2 + 1) << 32
		                             | R(random_word)(seed, e / 2, e % 2 * 2)) >> 12), -52);
	return ldexpl((long double)(R(random_word)(seed, e / 4, e % 4) >> 8), -24);
}

/* Angles beyond an eighth of a turn are reduced by quarter turns, so that zeros are exact. */
RANDOM(normal)
{
	const unsigned first = e % 4 / 2 * 2;
	const long double u = ldexpl((long double)R(random_word)(seed, e / 4, first) + 1, -32);
	const uint32_t t = R(random_word)(seed, e / 4, first + 1), quarter = (t + 0x20000000) >> 30;
	const long double angle = acosl(0) * 4 * ldexpl((long double)(int32_t)(t - (quarter << 30)), -32);
	const unsigned turns = quarter + (e % 2 ? 3 : 0);
	const long double size = sqrtl(fabsl(2 * logl(u))), value = turns % 2 ? sinl(angle) : cosl(angle);

	(void)type;
	/* cos, -sin, -cos, sin; a sine is the cosine of an angle that is a quarter turn less. */
	return size * (turns % 4 == 1 || turns % 4 == 2 ? -value : value);
}

ISK_SHARED static void R(form_random)(struct isk_sink *s, const enum isk_type *types, struct isk_args_random *a,
                                      long double (*oracle)(enum isk_type type, int64_t seed, uint64_t e))
{
	for (size_t i = 0; i < a->n; i++) {
		const long double value = oracle(types[0], a->seed, (uint64_t)a->offset + i);

		if (types[0] == ISK_B32)
			s->put_bits(s, a->y, i, types[0], (uint64_t)value);
		else
			s->put(s, a->y, i, types[0], value, ISK_ULP, 0);
	}
}

/* Whether an element is kept. */
ISK_UNUSED static int R(oracle_dropout_mask)(float p, int64_t seed, uint64_t e)
{
	return !(R(oracle_uniform)(ISK_F32, seed, e) < (long double)p);
}

ISK_SHARED static void R(form_dropout_mask)(struct isk_sink *s, const enum isk_type *types,
                                            struct isk_args_dropout_mask *a,
                                            int (*oracle)(float p, int64_t seed, uint64_t e))
{
	(void)types;
	for (size_t i = 0; i < a->n; i++)
		s->put_bits(s, a->y, i, ISK_U8, (uint64_t)oracle(a->p, a->seed, (uint64_t)a->offset + i));
}

/* Products are rounded like those of C, to float or double. */
ISK_UNUSED static double R(oracle_dropout)(enum isk_type type, int mask, double x, double alpha)
{
	const float product = (float)x * (float)alpha;

	return !mask ? 0 : type == ISK_F64 ? x * alpha : (double)product;
}

ISK_SHARED static void R(form_masked_scale)(struct isk_sink *s, const enum isk_type *types,
                                            struct isk_args_masked_scale *a,
                                            double (*oracle)(enum isk_type type, int mask, double x, double alpha))
{
	for (size_t i = 0; i < a->n; i++)
		s->put(s, a->y, i, types[0],
		       (long double)oracle(types[0], isk_element_bits(ISK_U8, a->mask, i) != 0,
		                           isk_element_value(types[0], isk_element_bits(types[0], a->x, i)), a->alpha),
		       ISK_ULP, 0);
}
