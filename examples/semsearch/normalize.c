/* SPDX-License-Identifier: MIT */
/*
 * BERT's normalizer and pre-tokenizer. The order of its steps matters in two places: CJK is recognised before
 * decomposition, and punctuation after it.
 *
 * Decomposition is done for each code point by itself, without the canonical reordering of marks. Reordering
 * would move nonspacing marks, which are dropped anyway, apart from a few musical signs that no word of the
 * vocabulary has.
 */
#include <stdint.h>
#include <stdlib.h>

#include "alloc.h"
#include "normalize.h"
#include "utf8.h"

struct range {
	uint32_t first, last;
};

struct fold {
	uint32_t from;
	uint32_t count;
	uint32_t to[3];
};

#include "unicode_tables.h"

/* The ideographs that BERT separates; hangul and kana have only the spaces of their text. */
static const struct range cjk[] = {
	{0x3400, 0x4DBF},	{0x4E00, 0x9FFF},	{0xF900, 0xFAFF},	{0x20000, 0x2A6DF},
	{0x2A700, 0x2B73F}, {0x2B740, 0x2B81F}, {0x2B920, 0x2CEAF}, {0x2F800, 0x2FA1F},
};

static int in_range(const void *key, const void *element)
{
	const uint32_t c = *(const uint32_t *)key;
	const struct range *r = element;

	return c < r->first ? -1 : c > r->last;
}

#define IS(set, c) (bsearch(&(c), set, sizeof(set) / sizeof(set)[0], sizeof(set)[0], in_range) != NULL)

static int by_from(const void *key, const void *element)
{
	const uint32_t c = *(const uint32_t *)key;
	const struct fold *f = element;

	return c < f->from ? -1 : c > f->from;
}

/* The Unicode standard, 3.12: a syllable is L, V and perhaps T. */
static size_t fold_hangul(uint32_t c, uint32_t to[3])
{
	const uint32_t s = c - 0xAC00;

	to[0] = 0x1100 + s / (21 * 28);
	to[1] = 0x1161 + s / 28 % 21;
	to[2] = 0x11A7 + s % 28;
	return s % 28 ? 3 : 2;
}

/* Decomposed, without accents, in lower case. */
static size_t fold_one(uint32_t c, uint32_t to[3])
{
	const struct fold *f;

	to[0] = c;
	if (c < 0x80) {
		if (c >= 'A' && c <= 'Z')
			to[0] = c - 'A' + 'a';
		return 1;
	}
	if (c >= 0xAC00 && c <= 0xD7A3)
		return fold_hangul(c, to);
	f = bsearch(&c, fold, sizeof(fold) / sizeof(fold[0]), sizeof(fold[0]), by_from);
	if (!f)
		return 1;
	for (size_t i = 0; i < f->count; i++)
		to[i] = f->to[i];
	return f->count;
}

static void put(struct words *w, uint32_t c)
{
	w->text = grow(w->text, &w->text_space, w->bytes + 4, 1);
	w->bytes += utf8_put(w->text + w->bytes, c);
}

static void end_word(struct words *w)
{
	const size_t start = w->count ? w->end[w->count - 1] : 0;

	if (w->bytes == start)
		return;
	w->end = grow(w->end, &w->end_space, w->count + 1, sizeof(w->end[0]));
	w->end[w->count++] = w->bytes;
}

static void put_apart(struct words *w, uint32_t c)
{
	end_word(w);
	put(w, c);
	end_word(w);
}

void normalize(struct words *w, const char *line, size_t bytes)
{
	const char *end = line + bytes;

	while (line < end) {
		const uint32_t c = (uint32_t)utf8_next(&line, end);
		uint32_t to[3];
		size_t n;

		if (c == 0 || c == 0xFFFD || IS(drop, c))
			continue;
		if (IS(space, c)) {
			end_word(w);
			continue;
		}
		n = fold_one(c, to);
		for (size_t i = 0; i < n; i++) {
			if (IS(punct, to[i]) || IS(cjk, c))
				put_apart(w, to[i]);
			else
				put(w, to[i]);
		}
	}
	end_word(w);
}

void words_free(struct words *w)
{
	free(w->text);
	free(w->end);
}
