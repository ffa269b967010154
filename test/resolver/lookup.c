/* SPDX-License-Identifier: MIT */
/*
 * Looks up every kernel by number and by name, and names that do not exist. Refers to isk_relu_f32 alone.
 * -DLINKED=X(name) ...: in a static program, which contains these kernels, those of the same source; without it: all kernels.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../candidates.h"
#include "kernels.h"

#define X(name, ...) {sizeof(struct isk_kernel_info), #name, __VA_ARGS__},
static const struct isk_kernel_info table[] = {ISK_KERNELS(X)};
#undef X

enum { KERNELS = sizeof(table) / sizeof(table[0]) };

static int failed;

static void check(int right, const char *what, const char *which)
{
	failed |= !right;
	if (!right)
		printf("%s: '%s'\n", what, which);
}

static const char *sorted[KERNELS];

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int is_kernel(const char *name)
{
	return bsearch(&name, sorted, KERNELS, sizeof(sorted[0]), by_name) != NULL;
}

static void unknown(const char *name)
{
	if (is_kernel(name))
		return;
	check(isk_kernel_find(name) == ISK_ERR_KERNEL, "has a number", name);
	check(isk_candidates(name, NULL, 0) == ISK_ERR_KERNEL, "has candidates", name);
	check(!isk_bound(name), "is bound", name);
	check(!isk_reference(name), "has a reference", name);
}

/* Names near a kernel's, which a look-up would find if it stopped too early or too late. */
static void neighbours(const char *name)
{
	char other[64];
	const size_t length = strlen(name);

	for (size_t cut = 0; cut < length; cut++) {
		snprintf(other, sizeof(other), "%.*s", (int)cut, name);
		unknown(other);
	}
	for (int c = 1; c < 256; c++) {
		snprintf(other, sizeof(other), "%s%c", name, c);
		unknown(other);
		snprintf(other, sizeof(other), "%c%s", c, name);
		unknown(other);
		snprintf(other, sizeof(other), "%s", name);
		other[length / 2] = (char)c;
		unknown(other);
	}
}

/* Whether this program contains the kernel. */
static int is_linked(const char *name)
{
#ifdef LINKED
#define X(kernel) #kernel,
	static const char *const linked[] = {LINKED};
#undef X

	for (size_t i = 0; i < sizeof(linked) / sizeof(linked[0]); i++)
		if (strcmp(linked[i], name) == 0)
			return 1;
	return 0;
#else
	(void)name;
	return 1;
#endif
}

static void kernel(int i)
{
	const char *name = table[i].name;
	const int linked = is_linked(name);
	struct isk_kernel_info info = {.size = sizeof(info)};
	struct isk_candidate *c;
	int bound = 0, count;

	check(isk_kernel_info((size_t)i, &info) == ISK_OK && strcmp(info.name, name) == 0 &&
	          strcmp(info.shape, table[i].shape) == 0 && strcmp(info.family, table[i].family) == 0 &&
	          strcmp(info.since, table[i].since) == 0 && strcmp(info.bits, table[i].bits) == 0 &&
	          strcmp(info.error, table[i].error) == 0 &&
	          strcmp(info.error_baseline, table[i].error_baseline) == 0 &&
	          strcmp(info.summary, table[i].summary) == 0,
	      "isk_kernel_info differs from the table", name);
	check(isk_kernel_find(name) == i, "has another number", name);
	count = candidates_of(isk_candidates, name, &c);
	check(count > 0, "has no candidates", name);
	for (int j = 0; j < count; j++) {
		check(linked != (c[j].state == ISK_NOT_LINKED), "is linked or not", name);
		if (c[j].bound)
			bound += c[j].fn == isk_bound(name);
	}
	free(c);
	check(bound == linked && !linked == !isk_bound(name), "is bound or not", name);
	check(linked == (isk_reference(name) != NULL), "has a reference or not", name);
}

/*
 * Structs of callers compiled with another version. For an older one nothing is written beyond its size, for
 * a newer one only the members that exist; an impossible size is refused and nothing is written.
 */
static void sizes(void)
{
	struct {
		struct isk_kernel_info info;
		char behind[64];
	} room, poison;
	struct {
		struct isk_candidate c;
		char behind[64];
	} candidate[2], poisoned[2];

	memset(&poison, 0x5a, sizeof(poison));
	room = poison;
	room.info.size = sizeof(room);
	check(isk_kernel_info(0, &room.info) == ISK_OK && room.info.size == sizeof(room) &&
	          strcmp(room.info.name, table[0].name) == 0 &&
	          memcmp(room.behind, poison.behind, sizeof(room.behind)) == 0,
	      "a larger struct", "isk_kernel_info");
	room = poison;
	room.info.size = sizeof(room.info) - 1;
	check(isk_kernel_info(0, &room.info) == ISK_ERR_STRUCT && room.info.name == poison.info.name,
	      "a smaller struct", "isk_kernel_info");
	memset(poisoned, 0x5a, sizeof(poisoned));
	memcpy(candidate, poisoned, sizeof(candidate));
	candidate[0].c.size = sizeof(candidate[0]);
	check(isk_candidates("relu_f32", &candidate[0].c, 2) >= 2 && candidate[1].c.size == sizeof(candidate[0]) &&
	          strcmp(candidate[0].c.isa, isk_isa_name(0)) == 0 && strcmp(candidate[1].c.isa, isk_isa_name(1)) == 0 &&
	          memcmp(candidate[1].behind, poisoned[1].behind, sizeof(candidate[1].behind)) == 0,
	      "larger structs", "isk_candidates");
	memcpy(candidate, poisoned, sizeof(candidate));
	candidate[0].c.size = sizeof(candidate[0].c) - 1;
	check(isk_candidates("relu_f32", &candidate[0].c, 2) == ISK_ERR_STRUCT && candidate[0].c.isa == poisoned[0].c.isa,
	      "smaller structs", "isk_candidates");
}

int main(void)
{
	struct isk_kernel_info info = {.size = sizeof(info)};
	float x[2] = {-1, 1};

	isk_relu_f32(x, x, 2);
	check(x[0] == 0 && x[1] == 1, "computes something else", "relu_f32");
	check(isk_kernel_count() == KERNELS, "the number of kernels differs", "");
	for (int i = 0; i < KERNELS; i++)
		sorted[i] = table[i].name;
	qsort(sorted, KERNELS, sizeof(sorted[0]), by_name);
	for (int i = 0; i < KERNELS; i++) {
		kernel(i);
		neighbours(table[i].name);
	}
	check(isk_kernel_info(KERNELS, &info) == ISK_ERR_KERNEL, "one kernel too many", "");
	check(isk_kernel_info((size_t)-1, &info) == ISK_ERR_KERNEL, "one kernel too many", "-1");
	unknown("zzzz");
	check(isk_candidates(NULL, NULL, 0) == ISK_ERR_KERNEL, "has candidates", "NULL");
	check(isk_kernel_find(NULL) == ISK_ERR_KERNEL, "has a number", "NULL");
	sizes();
	return failed;
}
