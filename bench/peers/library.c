/* SPDX-License-Identifier: MIT */
#include "library.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

void *library_open(const char *name)
{
	return dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

/* The same file under another inode is another library to the dynamic linker. */
static void *open_copy(const char *path)
{
	const int from = open(path, O_RDONLY | O_CLOEXEC), to = memfd_create("peer", MFD_CLOEXEC);
	void *library = NULL;
	struct stat file;
	char name[32];

	if (from >= 0 && to >= 0 && fstat(from, &file) == 0) {
		off_t left = file.st_size;

		while (left > 0) {
			const ssize_t sent = sendfile(to, from, NULL, (size_t)left);

			if (sent <= 0)
				break;
			left -= sent;
		}
		snprintf(name, sizeof(name), "/proc/self/fd/%d", to);
		library = left ? NULL : dlopen(name, RTLD_NOW | RTLD_LOCAL);
	}
	/* The copy lives on in its mapping. */
	if (from >= 0)
		close(from);
	if (to >= 0)
		close(to);
	return library;
}

void *library_copy(const char *name, const char *variable, const char *value)
{
	void *first = library_open(name), *copy;
	struct link_map *map;

	if (!first || dlinfo(first, RTLD_DI_LINKMAP, &map))
		return NULL;
	setenv(variable, value, 1);
	copy = open_copy(map->l_name);
	unsetenv(variable);
	return copy;
}
