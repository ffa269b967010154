/* SPDX-License-Identifier: MIT */
#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Copies the text after the colon of the first line of a /proc file that begins with key. Returns whether
 * there is one.
 */
static int lookup(const char *path, const char *key, char *value, size_t size)
{
	FILE *file = fopen(path, "re");
	char line[512];
	int found = 0;

	while (file && !found && fgets(line, sizeof(line), file)) {
		char *colon = strchr(line, ':');

		if (!colon || strncmp(line, key, strlen(key)) != 0)
			continue;
		colon += strspn(colon, ": \t");
		snprintf(value, size, "%.*s", (int)strcspn(colon, "\n"), colon);
		found = 1;
	}
	if (file)
		fclose(file);
	return found;
}

const char *machine_cpu(void)
{
	static char name[128];
	char implementer[16], part[16];

	if (*name || lookup("/proc/cpuinfo", "model name", name, sizeof(name)))
		return name;
	/* Linux does not know the names of Arm's CPUs. */
	if (lookup("/proc/cpuinfo", "CPU implementer", implementer, sizeof(implementer)) &&
	    lookup("/proc/cpuinfo", "CPU part", part, sizeof(part)))
		snprintf(name, sizeof(name), "implementer %s, part %s", implementer, part);
	else
		strcpy(name, "unknown");
	return name;
}

/* A number of /proc/cpuinfo, decimal or, behind 0x, hexadecimal; 0 if it is not there. */
static unsigned cpuinfo_number(const char *key)
{
	char number[32];

	return lookup("/proc/cpuinfo", key, number, sizeof(number)) ? (unsigned)strtoul(number, NULL, 0) : 0;
}

void machine_family_model(unsigned *family, unsigned *model)
{
#ifdef __aarch64__
	*family = cpuinfo_number("CPU implementer");
	*model = cpuinfo_number("CPU part");
#else
	*family = cpuinfo_number("cpu family");
	*model = cpuinfo_number("model\t");
#endif
}

/* One word from /sys about a cache of the first CPU; empty if there is none. */
static const char *cache_word(int index, const char *what)
{
	static char word[32];
	char path[96];
	FILE *file;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu0/cache/index%d/%s", index, what);
	file = fopen(path, "re");
	if (!file || fscanf(file, "%31s", word) != 1)
		*word = '\0';
	if (file)
		fclose(file);
	return word;
}

static size_t cache_from_sysfs(int level)
{
	for (int index = 0; *cache_word(index, "level"); index++)
		if (atoi(cache_word(index, "level")) == level && strcmp(cache_word(index, "type"), "Instruction") != 0)
			return strtoul(cache_word(index, "size"), NULL, 10) * 1024;
	return 0;
}

/* From /sys: sysconf() computes from CPUID, and in virtual machines it takes the host's cache for the guest's. */
size_t machine_cache(int level)
{
	static const int names[] = {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE};
	const size_t size = cache_from_sysfs(level);
	const long guess = sysconf(names[level - 1]);

	return size ? size : guess > 0 ? (size_t)guess : 0;
}

size_t machine_memory(void)
{
	char kilobytes[64];

	if (!lookup("/proc/meminfo", "MemAvailable", kilobytes, sizeof(kilobytes)))
		return 0;
	return strtoul(kilobytes, NULL, 10) * 1024;
}
