/* SPDX-License-Identifier: MIT */
/*
 * Loads or finds probe() in all ways that a program has:
 *
 *     loader [NAME=VALUE | -NAME]... lazy|now|new LIBRARY     dlopen, dlmopen
 *     loader global                                           a preloaded one
 *     loader again LIBRARY NAME=VALUE                         dlopen, dlclose, putenv, dlopen
 *
 * after changing its own environment by the arguments. With -DLINKED it just calls it.
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
static int again(char *path, char *variable)
{
	for (int i = 0; i < 2; i++) {
		void *library = dlopen(path, RTLD_NOW);
		void (*probe)(void);

		if (!library)
			return 1;
		*(void **)&probe = dlsym(library, "probe");
		probe();
		if (dlclose(library) || dlopen(path, RTLD_NOW | RTLD_NOLOAD) || putenv(variable))
			return 1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	void *library = RTLD_DEFAULT;
	void (*probe)(void);
	int i = 1;

	if (argc == 4 && strcmp(argv[1], "again") == 0)
		return again(argv[2], argv[3]);
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
