/* SPDX-License-Identifier: MIT */
#include "library.h"

#include <dlfcn.h>
#include <err.h>
#include <fcntl.h>
#include <gelf.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "asked.h"
#include "command.h"

/* Whether the program headers promise bytes that the file does not have: ld.so would map them, and reading them is a SIGBUS. */
static int is_cut_off(const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *elf = elf_version(EV_CURRENT) != EV_NONE && fd >= 0 ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
	struct stat about;
	size_t count = 0;
	int cut_off = 0;

	if (elf && fstat(fd, &about) == 0 && elf_getphdrnum(elf, &count) == 0) {
		for (size_t i = 0; i < count; i++) {
			const uint64_t size = (uint64_t)about.st_size;
			GElf_Phdr part;

			if (!gelf_getphdr(elf, (int)i, &part) || part.p_offset > size || part.p_filesz > size - part.p_offset)
				cut_off = 1;
		}
	}
	elf_end(elf);
	if (fd >= 0)
		close(fd);
	return cut_off;
}

/* dlopen() of a file that is whole. A name without a slash is looked for by ld.so. */
static void *file_open(const char *path, int mode)
{
	if (strchr(path, '/') && is_cut_off(path))
		errx(FAILED, "%s is cut off: its program headers name more bytes than the file has", path);
	return dlopen(path, mode);
}

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
	references = file_open(name, RTLD_NOW);
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

static char *option; /* NULL: isakern itself is asked */

const char *library_option(void)
{
	return option ? option : "";
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
			return realpath(map->l_name, NULL);
	}
	return NULL;
}

void library_open(const char *path)
{
	/* Global, because `why` looks for the kernels as a program would. */
	void *library = file_open(path, RTLD_NOW | RTLD_GLOBAL);
	const struct isk_description *description;

	if (!library)
		errx(FAILED, "%s", dlerror());
	description = dlsym(references_open(path, library), "isakern_description");
	if (!description)
		errx(FAILED, "%s is no library of kernels: nothing describes them", path);
	if (description->size != sizeof(*description) || strcmp(description->version, isk_version()) != 0)
		errx(FAILED, "%s was made by isakern %s, this is %s: make it anew", path, description->version, isk_version());
	if (asprintf(&option, " --library=%s", path) < 0)
		errx(FAILED, "out of memory");
	asked.described = description;
#define X(name) asked.name = (__typeof(asked.name))(uintptr_t)function(path, library, #name);
	ASKED_FUNCTIONS(X)
#undef X
	if (asked.kernel_count() != description->count)
		errx(FAILED, "%s and its references were not made together", path);
}
