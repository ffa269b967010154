/* SPDX-License-Identifier: MIT */
#include "library.h"

#include <dlfcn.h>
#include <err.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

void *library_open(const char *name)
{
	return dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

void *library_beside(const char *name)
{
	char path[PATH_MAX];
	const ssize_t length = readlink("/proc/self/exe", path, sizeof(path));
	const char *slash = length > 0 ? memrchr(path, '/', (size_t)length) : NULL;

	if (!slash || (size_t)(slash - path) + strlen(name) + 2 > sizeof(path))
		return NULL;
	strcpy(path + (slash + 1 - path), name);
	return library_open(path);
}

/*
 * Opens a copy in memory, because the dynamic linker takes a file with another inode and name for another
 * library. The name is that of the descriptor, which therefore stays open: the next copy would otherwise get
 * the same number, and would be taken for this one.
 */
static void *open_copy(const char *path)
{
	const int from = open(path, O_RDONLY | O_CLOEXEC), to = memfd_create("peer", MFD_CLOEXEC);
	struct stat file;
	char name[32];
	off_t left;

	if (from < 0 || to < 0 || fstat(from, &file))
		return NULL;
	for (left = file.st_size; left > 0;) {
		const ssize_t sent = sendfile(to, from, NULL, (size_t)left);

		if (sent <= 0)
			return NULL;
		left -= sent;
	}
	close(from);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", to);
	if (dlopen(name, RTLD_NOW | RTLD_NOLOAD))
		errx(1, "%s is loaded already: a copy of %s would not be a new one", name, path);
	return dlopen(name, RTLD_NOW | RTLD_LOCAL);
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
