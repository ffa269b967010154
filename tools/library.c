/* SPDX-License-Identifier: MIT */
#include "library.h"

#include <dlfcn.h>
#include <err.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asked.h"
#include "command.h"

/* Loads libmy-ref.so from the place of libmy.so or libmy.so.0. */
static void *references_open(const char *path, void *library)
{
	struct link_map *map;
	const char *base, *end;
	char *name;
	void *references;

	if (dlinfo(library, RTLD_DI_LINKMAP, &map) != 0)
		errx(FAILED, "%s: %s", path, dlerror());
	base = strrchr(map->l_name, '/');
	base = base ? base + 1 : map->l_name;
	end = strstr(base, ".so");
	if (!end || asprintf(&name, "%.*s-ref.so", (int)(end - map->l_name), map->l_name) < 0)
		errx(FAILED, "%s is no library of kernels: its name does not end in .so", path);
	references = dlopen(name, RTLD_NOW);
	if (!references)
		errx(FAILED, "%s is no library of kernels, or its references are missing: %s", path, dlerror());
	free(name);
	return references;
}

static void *function(const char *path, void *library, const char *name)
{
	char symbol[96];
	void *found;

	snprintf(symbol, sizeof(symbol), "%s_%s", asked.described->own, name);
	found = dlsym(library, symbol);
	if (!found)
		errx(FAILED, "%s has no %s: it and its references were not made together", path, symbol);
	return found;
}

static const char *option = "";

const char *library_option(void)
{
	return option;
}

const char *library_beside(const char *kernel)
{
	static const struct {
		const char *file, *find;
	} beside[] = {ISK_BESIDE};

	for (size_t i = 0; i < sizeof(beside) / sizeof(beside[0]); i++) {
		void *library = dlopen(beside[i].file, RTLD_LAZY);
		__typeof(isk_kernel_find) *find = NULL;
		struct link_map *map;

		if (library)
			find = (__typeof(find))(uintptr_t)dlsym(library, beside[i].find);
		if (find && find(kernel) >= 0 && dlinfo(library, RTLD_DI_LINKMAP, &map) == 0)
			return map->l_name;
	}
	return NULL;
}

void library_open(const char *path)
{
	/* Global, because `why` looks for the kernels as a program would. */
	void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
	const struct isk_description *description;

	if (!library)
		errx(FAILED, "%s", dlerror());
	description = dlsym(references_open(path, library), "isakern_description");
	if (!description)
		errx(FAILED, "%s is no library of kernels: nothing describes them", path);
	if (description->size != sizeof(*description) || strcmp(description->version, isk_version()) != 0)
		errx(FAILED, "%s was made by isakern %s, this is %s: make it anew", path, description->version, isk_version());
	if (asprintf((char **)&option, " --library=%s", path) < 0)
		errx(FAILED, "out of memory");
	asked.described = description;
#define X(name) asked.name = (__typeof(asked.name))(uintptr_t)function(path, library, #name);
	ASKED_FUNCTIONS(X)
#undef X
	if (asked.kernel_count() != description->count)
		errx(FAILED, "%s and its references were not made together", path);
}
