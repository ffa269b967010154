/* SPDX-License-Identifier: MIT */
/*
 * Loads or finds probe() in the ways a program can:
 *
 *      loader [NAME=VALUE | -NAME]... lazy|now|new LIBRARY     dlopen, dlmopen
 *      loader global                                           what was preloaded
 *
 * after changing its own environment as told. With -DLINKED it just calls it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef LINKED
void probe(void);

int main(void)
{
	probe();
	return 0;
}
#else
int main(int argc, char **argv)
{
	void *library = RTLD_DEFAULT;
	void (*probe)(void);
	int i = 1;

	for (; i < argc; i++) {
		if (strchr(argv[i], '='))
			putenv(argv[i]);
		else if (argv[i][0] == '-')
			unsetenv(argv[i] + 1);
		else
			break;
	}
	if (i + 1 < argc && strcmp(argv[i], "new") == 0)
		library = dlmopen(LM_ID_NEWLM, argv[i + 1], RTLD_NOW);
	else if (i + 1 < argc)
		library = dlopen(argv[i + 1], strcmp(argv[i], "lazy") == 0 ? RTLD_LAZY : RTLD_NOW);
	if (i + 1 < argc && !library) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	*(void **)&probe = dlsym(library, "probe");
	if (!probe) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	probe();
	return 0;
}
#endif
