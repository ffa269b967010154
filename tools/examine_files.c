/* SPDX-License-Identifier: MIT */
/* The libraries and headers that other programs find on this machine. */
#include <dlfcn.h>
#include <err.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"
#include "examine.h"

const char *library_file(void)
{
	void *const library = dlopen(LIBRARY, RTLD_LAZY | RTLD_NOLOAD);
	struct link_map *map;

	if (!library || dlinfo(library, RTLD_DI_LINKMAP, &map))
		errx(FAILED, "%s", dlerror());
	return map->l_name;
}

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The first line that a shell command prints and that begins with a text: what follows it. NULL: there is none. */
static char *line_of(const char *command, const char *begin)
{
	FILE *const pipe = popen(command, "re");
	char *line = NULL, *found = NULL;
	size_t size = 0;

	while (pipe && getline(&line, &size, pipe) > 0)
		if (!found && strncmp(line, begin, strlen(begin)) == 0)
			found = strdup(line + strlen(begin));
	free(line);
	if (pipe)
		pclose(pipe);
	if (found)
		found[strcspn(found, "\n")] = '\0';
	return found;
}

/*
 * The file that the dynamic linker finds for a program without a path of its own: it is told to preload the name into a
 * program of the system, and to list what it loads. NULL: it finds none.
 */
static char *found_by_loader(const char *name)
{
	char command[512], begin[256], *path;

	snprintf(command, sizeof(command), "exec env LD_PRELOAD=%s LD_TRACE_LOADED_OBJECTS=1 /bin/sh 2>/dev/null", name);
	snprintf(begin, sizeof(begin), "\t%s => ", name);
	path = line_of(command, begin);
	if (path && strstr(path, " (0x"))
		*strstr(path, " (0x") = '\0';
	return path;
}

static int is_same_file(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Whether LD_LIBRARY_PATH has the folder of the file. */
static int is_by_variable(const char *path)
{
	const char *folders = getenv("LD_LIBRARY_PATH");
	const size_t length = (size_t)(base_of(path) - path) - 1;

	for (size_t n; folders && *folders; folders += n + (folders[n] != '\0')) {
		n = strcspn(folders, ":;");
		if (n == length && strncmp(folders, path, n) == 0)
			return 1;
	}
	return 0;
}

void examine_loader(struct findings *all)
{
	char *const own = realpath(library_file(), NULL), *const found = found_by_loader(LIBRARY);
	char to_do[FINDING];
	int folder;

	if (!own)
		err(FAILED, "%s", library_file());
	folder = (int)(base_of(own) - own) - 1;
	if (!found) {
		snprintf(to_do, sizeof(to_do), "run ldconfig as root, or set LD_LIBRARY_PATH=%.*s", folder, own);
		found_that(all, "loader", TO_DO, to_do, "programs do not find %s, while this command uses %s", LIBRARY, own);
	} else if (!is_same_file(found, own)) {
		snprintf(to_do, sizeof(to_do), "remove one of them, or set LD_LIBRARY_PATH=%.*s", folder, own);
		found_that(all, "loader", TO_DO, to_do, "programs find %s, while this command uses %s", found, own);
	} else {
		found_that(all, "loader", WELL, NULL, "programs find %s by %s", found,
		           is_by_variable(found) ? "LD_LIBRARY_PATH" : "the folders and the cache of the dynamic linker");
	}
	free(found);
	free(own);
}

/* The version in the headers of a folder, as text. Returns 0 if there are none. */
static int version_in(const char *folder, char version[32])
{
	static const char *const parts[] = {"MAJOR", "MINOR", "PATCH"};
	char path[4096], line[256], name[16];
	unsigned number[3] = {0}, value;
	int found = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/isakern/types.h", folder);
	f = fopen(path, "re");
	if (!f)
		return 0;
	while (fgets(line, sizeof(line), f))
		for (int i = 0; i < 3; i++)
			if (sscanf(line, "#define ISK_VERSION_%15s %u", name, &value) == 2 && strcmp(name, parts[i]) == 0) {
				number[i] = value;
				found++;
			}
	fclose(f);
	snprintf(version, 32, "%u.%u.%u", number[0], number[1], number[2]);
	return found == 3;
}

void examine_versions(struct findings *all)
{
	char *const named = line_of("pkg-config --variable=includedir isakern 2>/dev/null", "");
	const char *const folders[] = {named, "/usr/local/include", "/usr/include"};
	char built_with[32], version[32];

	snprintf(built_with, sizeof(built_with), "%d.%d.%d", ISK_VERSION_MAJOR, ISK_VERSION_MINOR, ISK_VERSION_PATCH);
	if (strcmp(isk_version(), built_with) != 0)
		found_that(all, "version", TO_DO, "install the command and the library of one version",
		           "the library is %s, this command was made for %s", isk_version(), built_with);
	else
		found_that(all, "version", WELL, NULL, "the library and this command are %s", built_with);
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		if (!folders[i] || !version_in(folders[i], version))
			continue;
		if (strcmp(version, isk_version()) != 0)
			found_that(all, "headers", TO_DO, "install the headers of the library, and compile programs again",
			           "those in %s are of %s, the library is %s", folders[i], version, isk_version());
		else
			found_that(all, "headers", WELL, NULL, "those in %s are of the library's version", folders[i]);
		free(named);
		return;
	}
	found_that(all, "headers", CHOICE, NULL, "none are installed, so programs run here and are not compiled");
	free(named);
}
