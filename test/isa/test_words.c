/* SPDX-License-Identifier: MIT */
/* The functions of an ISA's vocabulary, each against a plain definition. The ISA's name is the argument. */
#include "words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "isakern.h"

static int tests, failed;
static const char *name;
static int wrong;

static void tell(void)
{
	if (name)
		printf("%sok %d %s\n", wrong ? "not " : "", ++tests, name);
	failed += wrong != 0;
}

void test_begin(const char *next)
{
	tell();
	name = next;
	wrong = 0;
}

int tests_end(void)
{
	test_begin(NULL);
	printf("1..%d\n", tests);
	return failed;
}

void same_bits(uint64_t got, uint64_t want, size_t at)
{
	if (got != want && wrong++ < 3)
		printf("# %s: element %zu is %#llx, not %#llx\n", name, at, (unsigned long long)got, (unsigned long long)want);
}

void same_f32(float got, float want, size_t at)
{
	uint32_t bits, wanted;

	memcpy(&bits, &got, sizeof(bits));
	memcpy(&wanted, &want, sizeof(wanted));
	if (!isnan(got) || !isnan(want))
		same_bits(bits, wanted, at);
}

void same_f64(double got, double want, size_t at)
{
	uint64_t bits, wanted;

	memcpy(&bits, &got, sizeof(bits));
	memcpy(&wanted, &want, sizeof(wanted));
	if (!isnan(got) || !isnan(want))
		same_bits(bits, wanted, at);
}

void same_bytes(const void *got, const void *want, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		same_bits(((const uint8_t *)got)[i], ((const uint8_t *)want)[i], i);
}

/* splitmix64 */
uint64_t any_bits(void)
{
	static uint64_t state;
	uint64_t z = state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

double any_in(double low, double high)
{
	return low + (high - low) * ((double)(any_bits() >> 11) * 0x1p-53);
}

float any_f32(void)
{
	static const float special[] = {
		0, -0.0f, 1, -1, 0.5f, -0.5f, 1.5f, 2.5f, -2.5f, 0x1p-149f, -0x1p-149f, 0x1p-126f,
		0x1.fffffep-127f, 0x1p23f, 0x1.000002p23f, 0x1p22f, 0x1.fffffep21f, 0x1.fffffep30f, 0x1p31f,
		-0x1p31f, -0x1.000002p31f, 0x1p63f, -0x1p63f, 0x1.fffffep127f, -0x1.fffffep127f, 65504, 65519.996f,
		65520, -65520, 0x1p-24f, 0x1p-25f, 0x1.000002p-25f, 0x1.ffcp-15f, 0x1.ffep-15f, 0x1p-14f, INFINITY,
		-INFINITY, NAN, 127.5f, 128, -128.5f, 255.5f, 0x1.01p0f, 0x1.03p0f
	};
	const uint64_t r = any_bits();
	const uint32_t bits = (uint32_t)(r >> 32);
	float x;

	switch (r & 3) {
	case 0:
		return special[r % 1000003 % (sizeof(special) / sizeof(*special))];
	case 1:
		return (float)(int32_t)(r >> 40) / 2 - 0x1p22f;
	case 2:
		return (float)any_in(-4, 4);
	default:
		memcpy(&x, &bits, sizeof(x));
		return x;
	}
}

double any_f64(void)
{
	static const double special[] = {
		0, -0.0, 1, -1, 0.5, -0.5, 1.5, 2.5, 0x1p-1074, -0x1p-1022, 0x1p52, 0x1p52 + 1, 0x1p51 + 0.5,
		0x1p31 - 1, 0x1p31 - 0.5, 0x1.fffffffbfffffp30, 0x1p31, 0x1p31 + 1, -0x1p31, -0x1p31 - 0.5,
		-0x1p31 - 0.75, 0x1p32, 0x1p63, -0x1p63, 0x1.fffffep127, 0x1.ffffffp127, -0x1.ffffffp127, 0x1p-149,
		0x1p-150, 0x1.0000000000001p-150, 0x1.000001p0, 0x1.000003p0, 0x1.fffffffffffffp1023, (double)INFINITY,
		-(double)INFINITY, (double)NAN
	};
	const uint64_t r = any_bits(), bits = any_bits();
	double x;

	switch (r & 3) {
	case 0:
		return special[r % 1000003 % (sizeof(special) / sizeof(*special))];
	case 1:
		return (double)(int64_t)bits / 2 * (r & 4 ? 0x1p-30 : 1);
	case 2:
		return any_in(-4, 4);
	default:
		memcpy(&x, &bits, sizeof(x));
		return x;
	}
}

int32_t any_s32(void)
{
	static const int32_t special[] = {
		0, 1, -1, INT32_MAX, INT32_MIN, 127, 128, -128, -129, 255, 256, 0x7f7f7f7f, (int32_t)0x80808080,
		(int32_t)0xff00ff00, 0x7fff, 0x8000, -0x8000, (int32_t)0x80008000, 0x7fff7fff, 0x1000001
	};
	const uint64_t r = any_bits();

	return (r & 3) == 0   ? special[r % 1000003 % (sizeof(special) / sizeof(*special))]
	       : (r & 3) == 1 ? (int32_t)(r >> 32) % 300
	                      : (int32_t)(r >> 32);
}

/* An accessible page between two inaccessible ones. */
static size_t page;
static uint8_t *memory, *put, noise[4096];

void *memory_put(enum edge edge, const void *data, size_t bytes)
{
	if (!memory) {
		page = (size_t)sysconf(_SC_PAGESIZE);
		memory = mmap(NULL, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (memory == MAP_FAILED || mprotect(memory + page, page, PROT_READ | PROT_WRITE)) {
			perror("memory for the test");
			exit(1);
		}
		memory += page;
		for (size_t i = 0; i < sizeof(noise); i++)
			noise[i] = (uint8_t)any_bits();
	}
	for (size_t i = 0; i < page; i += sizeof(noise))
		memcpy(memory + i, noise, page - i < sizeof(noise) ? page - i : sizeof(noise));
	put = edge == AT_START ? memory : memory + page - bytes;
	if (data)
		memcpy(put, data, bytes);
	return put;
}

void memory_expect(const void *want, size_t bytes)
{
	same_bytes(put, want, bytes);
	for (uint8_t *p = memory; p < memory + page; p++)
		if (p < put || p >= put + bytes)
			same_bits(*p, noise[(size_t)(p - memory) % sizeof(noise)], (size_t)(p - put));
}

/* Why this CPU cannot run code that is compiled for an ISA, or NULL. */
static const char *reason_against(const char *isa)
{
	static struct isk_candidate all[32];

	for (size_t i = 0; i < isk_kernel_count(); i++) {
		struct isk_kernel_info info = {.size = sizeof(info)};
		int n;

		all[0].size = sizeof(all[0]);
		isk_kernel_info(i, &info);
		n = isk_candidates(info.name, all, 32);
		for (int c = 0; c < n; c++)
			if (!strcmp(all[c].isa, isa))
				return all[c].state == ISK_USABLE || all[c].state >= ISK_CAPPED ? NULL : all[c].reason;
	}
	return "no kernel has a variant for it";
}

int main(int argc, char **argv)
{
	const char *reason;

	if (argc != 2) {
		fprintf(stderr, "%s: one argument is wanted, the name of an ISA\n", argv[0]);
		return 2;
	}
	reason = reason_against(argv[1]);
	if (reason) {
		printf("1..0 # SKIP %s: %s\n", argv[1], reason);
		return 0;
	}
	test_words();
	return tests_end() != 0;
}
