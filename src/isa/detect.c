/* SPDX-License-Identifier: MIT */
/*
 * From features to ISAs. Runs inside indirect-function resolvers, perhaps before
 * this library is relocated: ../resolve/README.md has the rules.
 */
#include "detect.h"

#include <stddef.h>

struct feature {
	char name[20]; /* the compiler's name; the longest is avx512vp2intersect */
	uint8_t word, bit;
	uint32_t isas;
};

static const struct feature features[] = {
#define F(name, word, bit, state, isas) {name, word, bit, isas},
#include ISK_FEATURES
#undef F
};

#define FEATURES (sizeof(features) / sizeof(features[0]))

static int has(const struct isk_words *words, const struct feature *feature)
{
	return words->word[feature->word] >> feature->bit & 1;
}

uint32_t isk_isa_set(const struct isk_words *words)
{
	uint32_t set = ISK_EVERY_ISA;

	for (size_t i = 0; i < FEATURES; i++)
		if (!has(words, &features[i]))
			set &= ~features[i].isas;
	return set;
}

const char *isk_isa_lacks(const struct isk_words *words, enum isk_isa isa)
{
	for (size_t i = 0; i < FEATURES; i++)
		if (features[i].isas >> isa & 1 && !has(words, &features[i]))
			return features[i].name;
	return NULL;
}
