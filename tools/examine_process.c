/* SPDX-License-Identifier: MIT */
/* The environment, and the libraries that it puts in front of ours. */
#include <dlfcn.h>
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "examine.h"
#include "names.h"
#include "reached.h"
#include "settings.h"

extern char **environ;

/*
 * What the library tells on stderr about the environment of a process that asks for a kernel and a plan. The library tells
 * each mistake once, and this process may have heard it already, so it is another one.
 */
static FILE *complaints(pid_t *child)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		err(FAILED, "pipe");
	fflush(NULL);
	*child = fork();
	if (*child < 0)
		err(FAILED, "fork");
	if (*child == 0) {
		unsetenv("ISAKERN_VERBOSE");
		unsetenv("LD_PRELOAD");
		if (!freopen("/dev/null", "w", stdout) || dup2(ends[1], STDERR_FILENO) < 0)
			_exit(FAILED);
		execl("/proc/self/exe", "isakern", "why", "matmul_f32", "4x4x4", (char *)NULL);
		_exit(FAILED);
	}
	close(ends[1]);
	return fdopen(ends[0], "r");
}

static void examine_values(struct findings *all)
{
	static const char begin[] = "isakern: ";
	char *line = NULL;
	size_t size = 0;
	pid_t child;
	FILE *const told = complaints(&child);

	while (told && getline(&line, &size, told) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (strncmp(line, begin, strlen(begin)) == 0)
			found_that(all, "environment", TO_DO, "correct the value, or unset the variable", "%s", line + strlen(begin));
	}
	free(line);
	if (told)
		fclose(told);
	waitpid(child, NULL, 0);
}

/* Whether a text is a name with this character behind it. */
static int is_name(const char *name, const char *text, char behind)
{
	const size_t length = strlen(name);

	return strncmp(name, text, length) == 0 && text[length] == behind;
}

static int has_complaint(const struct findings *all, const char *variable)
{
	for (size_t i = 0; i < all->count; i++)
		if (is_name(variable, all->list[i].text, ':'))
			return 1;
	return 0;
}

static int is_known(const char *variable)
{
	for (const struct setting *s = settings; s->name; s++)
		if (is_name(s->name, variable, '='))
			return 1;
	return 0;
}

/* The setting whose name is nearest to that of a variable; NULL if every name differs in more than two letters. */
static const char *nearest_setting(const char *variable)
{
	const char *nearest = NULL;
	size_t least = 3;
	char name[64];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(variable, "="), variable);
	for (const struct setting *s = settings; s->name; s++) {
		const size_t far = names_distance(name, s->name);

		if (far < least) {
			least = far;
			nearest = s->name;
		}
	}
	return nearest;
}

void examine_environment(struct findings *all)
{
	static const char ours[] = "ISAKERN_";
	const size_t before = all->count;

	examine_values(all);
	for (const struct setting *s = settings; s->name; s++)
		if (getenv(s->name) && !has_complaint(all, s->name))
			found_that(all, "environment", CHOICE, NULL, "%s=%s: %s", s->name, getenv(s->name), s->effect);
	for (char **variable = environ; *variable; variable++)
		if (strncmp(*variable, ours, strlen(ours)) == 0 && !is_known(*variable)) {
			const char *const near = nearest_setting(*variable);

			found_that(all, "environment", TO_DO, "correct its name, or unset it", "isakern has no variable %.*s%s%s",
			           (int)strcspn(*variable, "="), *variable, near ? "; there is " : "", near ? near : "");
		}
	if (all->count == before)
		found_that(all, "environment", WELL, NULL, "no variable of isakern is set");
}

/* The file that defines a symbol for this process. */
static const char *definer(const char *symbol)
{
	void *const found = dlsym(RTLD_DEFAULT, symbol);
	Dl_info info;

	return found && dladdr(found, &info) && info.dli_fname ? info.dli_fname : "nobody";
}

/* The first function of the API that another file than the library defines; NULL: there is none. */
static const char *replaced_in_api(void)
{
	static const char *const names[] = {
		"isk_version",
#define X(name) "isk_" #name,
		ASKED_FUNCTIONS(X)
#undef X
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(definer(names[i]), library_file()) != 0)
			return names[i];
	return NULL;
}

void examine_names(struct findings *all)
{
	const char *const to_do = getenv("LD_PRELOAD") ? "unset LD_PRELOAD unless that is wanted" : "see /etc/ld.so.preload and LD_AUDIT";
	const char *first = NULL, *object = NULL, *other;
	const char *const function = replaced_in_api();
	size_t count = 0, kernels = 0;
	struct isk_kernel_info info;

	for (; kernel_info(kernels, &info); kernels++) {
		other = reached_elsewhere(info.name);
		if (other && !first) {
			first = info.name;
			object = other;
		}
		count += other != NULL;
	}
	if (first)
		found_that(all, "names", TO_DO, to_do, "calls of %zu of %zu kernels, %s the first of them, reach %s", count, kernels, first, object);
	else
		found_that(all, "names", WELL, NULL, "calls of all %zu kernels reach %s", kernels, library_file());
	if (function)
		found_that(all, "names", TO_DO, to_do, "%s is that of %s", function, definer(function));
}
