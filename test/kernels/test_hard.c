/* SPDX-License-Identifier: MIT */
/*
 * Correctly rounded kernels on inputs whose exact results lie next to a tie: every variant that can run here,
 * and the reference.
 *
 *     test_hard hard.tbl
 *
 * A line of the table is a kernel, an input and its result, as bits. src/kernels/exact/derive/hard.c finds
 * them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isakern.h"

enum { MOST_INPUTS = 4096, MOST_ISAS = 32 };

typedef void map(float *y, const float *x, size_t n);

static char kernel[64];
static uint32_t inputs[MOST_INPUTS], results[MOST_INPUTS];
static size_t count;
static int tests, failed;

static void skip(const char *isa, const char *why)
{
	printf("ok %d - %s/%s # SKIP %s\n", ++tests, kernel, isa, why);
}

static void try(map *fn, const char *isa)
{
	static float x[MOST_INPUTS], y[MOST_INPUTS];
	size_t wrong = 0;

	memcpy(x, inputs, sizeof(x));
	fn(y, x, count);
	for (size_t i = 0; i < count; i++)
		if (memcmp(&y[i], &results[i], sizeof(y[i])) != 0 && wrong++ == 0)
			printf("# %s/%s: at %a (0x%08x): got %a, wanted the f32 of bits 0x%08x\n", kernel, isa, (double)x[i],
			       (unsigned)inputs[i], (double)y[i], (unsigned)results[i]);
	failed += wrong != 0;
	printf("%sok %d - %s/%s: %zu inputs, %zu wrong\n", wrong ? "not " : "", ++tests, kernel, isa, count, wrong);
}

static void try_all(void)
{
	static struct isk_candidate candidates[MOST_ISAS];
	int variants;

	candidates[0].size = sizeof(candidates[0]);
	variants = isk_candidates(kernel, candidates, MOST_ISAS);
	if (variants <= 0) {
		failed++;
		printf("not ok %d - %s: no such kernel\n", ++tests, kernel);
		return;
	}
	for (int i = 0; i < variants; i++)
		if (candidates[i].state == ISK_USABLE)
			try((map *)candidates[i].fn, candidates[i].isa);
		else
			skip(candidates[i].isa, candidates[i].reason);
	try((map *)isk_reference(kernel), "reference");
}

int main(int argc, char **argv)
{
	FILE *f = argc == 2 ? fopen(argv[1], "r") : NULL;
	char line[256], name[64];
	unsigned input, result;

	if (!f) {
		fprintf(stderr, "usage: test_hard hard.tbl\n");
		return 2;
	}
	while (fgets(line, sizeof(line), f)) {
		if (line[0] == '#')
			continue;
		if (sscanf(line, "%63s %x %x", name, &input, &result) != 3) {
			printf("Bail out! no kernel, input and result: %s", line);
			return 1;
		}
		if (count && (strcmp(name, kernel) != 0 || count == MOST_INPUTS)) {
			try_all();
			count = 0;
		}
		strcpy(kernel, name);
		inputs[count] = input;
		results[count++] = result;
	}
	fclose(f);
	if (count)
		try_all();
	printf("1..%d\n", tests);
	return failed || !tests;
}
