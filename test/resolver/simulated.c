/* SPDX-License-Identifier: MIT */
/*
 * Prints isakern's answers about the CPU, and whether glibc and the CPU itself agree. It runs under cpuidsim
 * on CPUs other than this machine, so it calls no kernel, except with -DPRODUCT. Without an argument it only
 * has its references bound.
 *
 * -DRELU_ONLY: refers to a kernel without an AMX variant, and to no other. -DPRODUCT: calls a kernel with
 * one, which test/emulator runs here. -DDETECT: compiled with detect.c, which the library does not
 * export.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../candidates.h"

#ifdef PRODUCT
/* 2 by 3 by 20, all ones and twos: exact in any order. */
int main(void)
{
	isk_bf16 a[40], b[60];
	unsigned char packed[4096];
	float c[6];

	for (int i = 0; i < 60; i++)
		b[i] = i % 3 == 2 ? 0x4000 : 0x3f80;
	for (int i = 0; i < 40; i++)
		a[i] = i < 20 ? 0x3f80 : 0x4000;
	if (isk_gemm_pack_bf16(packed, b, sizeof(packed), 20, 3, 3, 0)
	    || isk_gemm_bf16_f32(c, a, packed, 2, 3, 20, 3, 20, NULL))
		return 1;
	printf("%g %g %g %g %g %g\n", (double)c[0], (double)c[1], (double)c[2], (double)c[3], (double)c[4],
	       (double)c[5]);
	return 0;
}
#else

#ifndef RELU_ONLY
size_t (*const volatile length)(void) = isk_get_vec_length;
#endif
void (*const volatile relu)(float *, const float *, size_t) = isk_relu_f32;

#ifdef DETECT
#include "detect.h"

static const struct {
	const char *name;
	int word, bit;
} features[] = {
#define F(name, word, bit, state, isas) {name, word, bit},
#include "x86_64.def"
#undef F
};

static void detected(void)
{
	struct isk_features glibc, raw;

	memset(&glibc, 0, sizeof(glibc));
	memset(&raw, 0, sizeof(raw));
	isk_detect(&glibc);
	isk_detect_raw(&raw);
	printf("glibc=%#x raw=%#x glibc_cpu=%#x raw_cpu=%#x signature=%d differ=", isk_isa_set(&glibc.active),
	       isk_isa_set(&raw.active), isk_isa_set(&glibc.cpu), isk_isa_set(&raw.cpu),
	       glibc.cpu.signature == raw.cpu.signature);
	for (size_t i = 0; i < sizeof(features) / sizeof(features[0]); i++) {
		const int w = features[i].word;

		if ((glibc.active.word[w] ^ raw.active.word[w]) >> features[i].bit & 1)
			printf("%s,", features[i].name);
		if ((glibc.cpu.word[w] ^ raw.cpu.word[w]) >> features[i].bit & 1)
			printf("cpu:%s,", features[i].name);
	}
	printf("\n");
}
#endif

static void candidates(const char *kernel, const void *reference)
{
	struct isk_candidate *c;
	const int n = candidates_of(isk_candidates, kernel, &c);
	const char *slot = "unbound";

	for (int i = 0; i < n; i++) {
		if ((const void *)(uintptr_t)c[i].fn == reference)
			slot = c[i].isa;
		printf("%s/%s state=%d bound=%d fn=%d same=%d reason=%s\n", kernel, c[i].isa, (int)c[i].state,
		       c[i].bound, c[i].fn != NULL, c[i].fn == isk_bound(kernel), c[i].reason);
	}
	printf("slot %s %s\n", kernel, slot);
	free(c);
}

#ifndef RELU_ONLY
/* The variant to which each kernel of the library is bound. */
static void all_bound(void)
{
	struct isk_kernel_info info = {.size = sizeof(info)};

	for (size_t k = 0; isk_kernel_info(k, &info) == ISK_OK; k++)
		printf("bound %s %s\n", info.name, bound_isa(isk_candidates, info.name));
}
#endif

int main(int argc, char **argv)
{
	(void)argv;
	if (argc < 2)
		return 0;
	printf("level %s %s %s\n", isk_isa_current(), isk_isa_cpu(), isk_isa_binary());
	if (strcmp(argv[1], "level") == 0)
		return 0;
#ifdef DETECT
	detected();
#endif
	candidates("relu_f32", (const void *)(uintptr_t)relu);
#ifndef RELU_ONLY
	candidates("get_vec_length", (const void *)(uintptr_t)length);
	all_bound();
#endif
	return 0;
}
#endif
