/* SPDX-License-Identifier: MIT */
/*
 * Looks up every kernel by number and by name, and names that are none. Refers
 * to isk_relu_f32 alone: -DLINKED=1 in a static program, which has no other;
 * -DLINKED=0 where all are there.
 */
#include <stdio.h>
#include <string.h>

#include "isakern.h"
#include "isk_tables.h"

#define X(name, shape, bits, error, baseline, summary) {#name, #shape, bits, error, baseline, summary},
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

static int is_kernel(const char *name)
{
	int found = 0;

	for (int i = 0; i < KERNELS; i++)
		found |= strcmp(table[i].name, name) == 0;
	return found;
}

static void unknown(const char *name)
{
	if (is_kernel(name))
		return;
	check(isk_candidates(name, NULL, 0) == ISK_ERR_KERNEL, "has candidates", name);
	check(!isk_bound(name), "is bound", name);
	check(!isk_reference(name), "has a reference", name);
}

/* Names that are found beside a kernel's, were a look-up to stop too early or too late. */
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

static void kernel(int i)
{
	const char *name = table[i].name;
	const int linked = !LINKED || strcmp(name, "relu_f32") == 0;
	struct isk_candidate c[32];
	struct isk_kernel_info info;
	int bound = 0, count;

	check(isk_kernel_info((size_t)i, &info) == ISK_OK && strcmp(info.name, name) == 0 &&
	          strcmp(info.shape, table[i].shape) == 0 && strcmp(info.bits, table[i].bits) == 0 &&
	          strcmp(info.error, table[i].error) == 0 &&
	          strcmp(info.error_baseline, table[i].error_baseline) == 0 &&
	          strcmp(info.summary, table[i].summary) == 0,
	      "isk_kernel_info differs from the table", name);
	count = isk_candidates(name, c, 32);
	check(count > 0, "has no candidates", name);
	for (int j = 0; j < count; j++) {
		check(linked != (c[j].state == ISK_NOT_LINKED), "is linked or not", name);
		if (c[j].bound)
			bound += c[j].fn == isk_bound(name);
	}
	check(bound == linked && !linked == !isk_bound(name), "is bound or not", name);
	check(linked == (isk_reference(name) != NULL), "has a reference or not", name);
}

int main(void)
{
	struct isk_kernel_info info;
	float x[2] = {-1, 1};

	isk_relu_f32(x, x, 2);
	check(x[0] == 0 && x[1] == 1, "computes something else", "relu_f32");
	check(isk_kernel_count() == KERNELS, "the number of kernels differs", "");
	for (int i = 0; i < KERNELS; i++) {
		kernel(i);
		neighbours(table[i].name);
	}
	check(isk_kernel_info(KERNELS, &info) == ISK_ERR_KERNEL, "one kernel too many", "");
	check(isk_kernel_info((size_t)-1, &info) == ISK_ERR_KERNEL, "one kernel too many", "-1");
	unknown("zzzz");
	check(isk_candidates(NULL, NULL, 0) == ISK_ERR_KERNEL, "has candidates", "NULL");
	return failed;
}
