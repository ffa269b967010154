/* SPDX-License-Identifier: MIT */
/*
 * test_cpus TABLE XCR0
 *
 * Computes the ISA set of every CPU in a table like cpus.tbl with the resolvers' own functions, under an OS
 * that enables no more than these bits (hexadecimal), and checks conditions that hold on any CPU. Prints a
 * line for each CPU, "NAME: ISAs", followed by a complaint if a condition fails. The exit status is 1 if any
 * fails, and 2 if the table is malformed: FILE:LINE: reason.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "detect.h"

static const char *const isa_names[] = {
#define X(isa, ...) #isa,
	ISK_ISAS(X)
#undef X
};

/* The columns after the name. */
enum column { MAX, EAX_1, ECX_1, EDX_1, EBX_7, ECX_7, EDX_7, EAX_7_1, EDX_7_1, XCR0, ECX_80000001, COLUMNS };

struct cpu {
	char name[128];
	uint32_t value[COLUMNS];
};

static const char *path;
static uint32_t os_enables;
static int line_number;

static void malformed(const char *reason, const char *word)
{
	fprintf(stderr, "%s:%d: %s%s%s%s\n", path, line_number, reason, *word ? " '" : "", word,
	        *word ? "'" : "");
	exit(2);
}

/* Removes the last word of a line. Names contain blanks, so lines are read from the end. */
static char *take_last(char *line)
{
	size_t end = strlen(line), begin;

	while (end && isspace((unsigned char)line[end - 1]))
		end--;
	line[end] = 0;
	for (begin = end; begin && !isspace((unsigned char)line[begin - 1]); begin--)
		;
	if (begin == end || begin == 0)
		malformed("a row has a name and 11 numbers", "");
	line[begin - 1] = 0;
	return line + begin;
}

static struct cpu parse(char *line)
{
	struct cpu cpu;
	size_t end;

	for (int i = COLUMNS - 1; i >= 0; i--) {
		const char *word = take_last(line);
		char *rest;
		const unsigned long value = strtoul(word, &rest, 16);

		if (*rest || strlen(word) > 8 || !isxdigit((unsigned char)*word))
			malformed("not a number of up to 8 hexadecimal digits:", word);
		cpu.value[i] = (uint32_t)value;
	}
	end = strlen(line);
	while (end && isspace((unsigned char)line[end - 1]))
		line[--end] = 0;
	if (!end)
		malformed("a CPU without a name", "");
	snprintf(cpu.name, sizeof(cpu.name), "%s", line);
	return cpu;
}

/* The features that isk_detect_raw() would fill in from the CPU's answers. */
static struct isk_features features_of(const struct cpu *cpu)
{
	struct isk_features f;

	memset(&f, 0, sizeof(f));
	f.cpu.signature = cpu->value[EAX_1];
	f.cpu.word[ISK_1_ECX] = cpu->value[ECX_1];
	f.cpu.word[ISK_7_EBX] = cpu->value[EBX_7];
	f.cpu.word[ISK_7_ECX] = cpu->value[ECX_7];
	f.cpu.word[ISK_7_EDX] = cpu->value[EDX_7];
	f.cpu.word[ISK_7_1_EAX] = cpu->value[EAX_7_1];
	f.cpu.word[ISK_80000001_ECX] = cpu->value[ECX_80000001];
	isk_apply_xcr0(&f, cpu->value[XCR0] & os_enables);
	return f;
}

static void print_set(uint32_t set)
{
	for (int i = 0; i < ISK_ISA_COUNT; i++)
		if (set >> i & 1)
			printf("%s%s", i ? "," : "", isa_names[i]);
}

/* Family and model of some CPUs as their makers' manuals and /proc/cpuinfo give them. */
static int right_family_model(uint32_t signature)
{
	static const struct {
		uint32_t signature, family, model;
	} known[] = {
		{0x0000f41, 15, 4},   /* Pentium 4, Cranford */
		{0x000006fe, 6, 15},  /* Isaiah */
		{0x00010fc0, 15, 28}, /* K8, Winchester */
		{0x00100f52, 16, 5},  /* K10, Propus */
		{0x00500f01, 20, 0},  /* Bobcat */
		{0x00600f01, 21, 0},  /* Bulldozer */
		{0x00660f01, 21, 96}, /* Carrizo */
		{0x00800f00, 23, 0},  /* Zen */
		{0x00a60f12, 25, 97}, /* Zen 4, Raphael */
		{0x00b00f21, 26, 2},  /* Zen 5, Turin */
		{0x00206a2, 6, 42},   /* Sandy Bridge */
		{0x00306c3, 6, 60},   /* Haswell */
		{0x0050654, 6, 85},   /* Skylake-X */
		{0x0050671, 6, 87},   /* Knights Landing */
		{0x00606a6, 6, 106},  /* Ice Lake-SP */
		{0x00806f8, 6, 143},  /* Sapphire Rapids */
		{0x0090672, 6, 151},  /* Alder Lake */
		{0x00c06f2, 6, 207},  /* Emerald Rapids */
	};
	uint32_t family, model;

	isk_family_model(signature, &family, &model);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (known[i].signature == signature)
			return known[i].family == family && known[i].model == model;
	return 1;
}

/* Conditions that hold on every CPU. Returns NULL or the complaint. */
static const char *wrong(const struct cpu *cpu)
{
	const struct isk_features f = features_of(cpu);
	const uint32_t all = isk_isa_set(&f.active);

	for (int i = 0; i < ISK_ISA_COUNT; i++)
		if ((isk_isa_lacks(&f.active, (enum isk_isa)i) == NULL) != (all >> i & 1))
			return "isk_isa_lacks and isk_isa_set disagree";
	if ((all & ~isk_isa_set(&f.cpu)) != 0)
		return "the OS gives what the CPU has not";
	if (!right_family_model(cpu->value[EAX_1]))
		return "wrong family or model";
	return NULL;
}

int main(int argc, char **argv)
{
	int count = 0, failed = 0;
	char line[1024];
	FILE *table;

	if (argc != 3) {
		fprintf(stderr, "Usage: test_cpus TABLE XCR0\n");
		return 2;
	}
	path = argv[1];
	os_enables = (uint32_t)strtoul(argv[2], NULL, 16);
	table = fopen(path, "r");
	if (!table) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		return 2;
	}
	while (fgets(line, sizeof(line), table)) {
		struct isk_features f;
		const char *complaint;
		struct cpu cpu;

		line_number++;
		if (!strchr(line, '\n') && !feof(table))
			malformed("the line is too long", "");
		if (line[0] == '#' || line[strspn(line, " \t\n")] == 0)
			continue;
		cpu = parse(line);
		f = features_of(&cpu);
		complaint = wrong(&cpu);
		count++;
		failed += complaint != NULL;
		printf("%s: ", cpu.name);
		print_set(isk_isa_set(&f.active));
		printf("%s%s\n", complaint ? " " : "", complaint ? complaint : "");
	}
	fclose(table);
	if (count == 0)
		malformed("no CPUs", "");
	return failed != 0;
}
