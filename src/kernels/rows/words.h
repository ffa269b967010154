/* SPDX-License-Identifier: MIT */
/*
 * Sorts different 64-bit integers in place: quicksort, whose partitions do not branch on the integers, so that nothing is
 * mispredicted. Pivots are medians of three. If partitions are uneven so often that the time could become that of n^2, pivots
 * are the middle of the range of values instead, which halves with each partition.
 */
#ifndef ISK_WORDS_H
#define ISK_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include "kernel.h"

/* Parts of at most FEW_WORDS are sorted by insertion. */
enum { FEW_WORDS = 24 };

/* A part of the array. Its integers are from low to high. `allowed` more of its partitions may be uneven. */
struct word_part {
	uint64_t *words;
	size_t n;
	uint64_t low, high;
	int allowed;
};

ISK_INLINE void insert_words(uint64_t *words, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		const uint64_t word = words[i];
		size_t to = i;

		for (; to && words[to - 1] > word; to--)
			words[to] = words[to - 1];
		words[to] = word;
	}
}

/* Moves the integers below the pivot to the front, and returns their number. */
ISK_INLINE size_t move_below(uint64_t *words, size_t n, uint64_t pivot)
{
	size_t below = 0;

	for (size_t i = 0; i < n; i++) {
		const uint64_t word = words[i];

		words[i] = words[below];
		words[below] = word;
		below += word < pivot;
	}
	return below;
}

ISK_INLINE uint64_t median_word(uint64_t a, uint64_t b, uint64_t c)
{
	const uint64_t least = a < b ? a : b, most = a < b ? b : a;

	return c < least ? least : c > most ? most : c;
}

/* An integer of the part that is not the least one, or the upper middle of its range. */
ISK_INLINE uint64_t pivot_of(const struct word_part *p)
{
	const uint64_t *w = p->words;
	const size_t eighth = p->n / 8;

	if (p->allowed < 0)
		return p->low + (p->high - p->low) / 2 + 1;
	return median_word(median_word(w[0], w[eighth], w[2 * eighth]), median_word(w[3 * eighth], w[4 * eighth], w[5 * eighth]),
	                   median_word(w[6 * eighth], w[7 * eighth], w[p->n - 1]));
}

static void sort_words(uint64_t *words, size_t n)
{
	struct word_part parts[64]; /* each has at most half the integers of the one before */
	int count = 0;
	struct word_part p = {words, n, 0, UINT64_MAX, 8};

	for (;;) {
		uint64_t pivot;
		size_t below, fewer;
		struct word_part lower, upper;

		if (p.n <= FEW_WORDS) {
			insert_words(p.words, p.n);
			if (!count)
				return;
			p = parts[--count];
			continue;
		}
		pivot = pivot_of(&p);
		below = move_below(p.words, p.n, pivot);
		fewer = below < p.n - below ? below : p.n - below;
		p.allowed -= fewer < p.n / 16;
		lower = (struct word_part){p.words, below, p.low, pivot - 1, p.allowed};
		upper = (struct word_part){p.words + below, p.n - below, pivot, p.high, p.allowed};
		parts[count++] = below == fewer ? upper : lower;
		p = below == fewer ? lower : upper;
	}
}

#endif
