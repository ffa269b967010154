/* SPDX-License-Identifier: MIT */
/*
 * The cost of isakern and isakern-sleef before the first call, compared with libm and libsleef in the same
 * run: dlopen, and the start of a program. Every sample is a fresh process, so that only the page cache is
 * warm, and the contestants take turns.
 *
 *     load START_EMPTY START_LIBM START_LIBSLEEF START_ISAKERN LIBISAKERN LIBISAKERN_SLEEF
 */
#include <dlfcn.h>
#include <err.h>
#include <gnu/libc-version.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stats.h"

enum { ROUNDS = 400 };

extern char **environ;

/* In the child: opens the last library, after the others are loaded, and prints its time. */
static int time_dlopen(int count, char **libraries)
{
	double ns = 0;

	for (int i = 0; i < count; i++) {
		const double begin = clock_ns(CLOCK_MONOTONIC);

		if (!dlopen(libraries[i], RTLD_NOW))
			errx(1, "%s", dlerror());
		ns = clock_ns(CLOCK_MONOTONIC) - begin;
	}
	return write(STDOUT_FILENO, &ns, sizeof(ns)) != (ssize_t)sizeof(ns);
}

struct usage {
	double wall, cpu;
	int status;
};

static struct usage run(char *const *argv, int out)
{
	const double begin = clock_ns(CLOCK_MONOTONIC);
	posix_spawn_file_actions_t actions;
	struct rusage used;
	struct usage u;
	int status;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	if (out >= 0)
		posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	if (posix_spawn(&pid, argv[0], &actions, NULL, argv, environ) || wait4(pid, &status, 0, &used) != pid
	    || !WIFEXITED(status))
		errx(1, "%s does not run", argv[0]);
	posix_spawn_file_actions_destroy(&actions);
	u.wall = clock_ns(CLOCK_MONOTONIC) - begin;
	u.cpu = 1e9 * (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec)
	      + 1e3 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
	u.status = WEXITSTATUS(status);
	return u;
}

static void header(const char *title)
{
	printf("\n%s\n", title);
}

static void dlopens(char *self, char *isakern, char *isakern_sleef)
{
	char mode[] = "--dlopen", m[] = "libm.so.6", sleef[] = "libsleef.so.3";
	char *const contestants[][6] = {
		{self, mode, m, NULL},
		{self, mode, sleef, NULL},
		{self, mode, isakern, NULL},
		{self, mode, isakern_sleef, NULL},
		{self, mode, sleef, isakern_sleef, NULL},
	};
	const char *const names[] = {"libm", "libsleef", "libisakern", "libisakern-sleef, and what it needs",
		"libisakern-sleef alone"};
	enum { CONTESTANTS = sizeof(names) / sizeof(names[0]) };
	static double samples[CONTESTANTS][ROUNDS];
	double libm;
	int ends[2];

	if (pipe(ends))
		err(1, "pipe");
	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < CONTESTANTS; i++)
			if (run(contestants[i], ends[1]).status
			    || read(ends[0], &samples[i][round], sizeof(double)) != (ssize_t)sizeof(double))
				errx(1, "%s was not loaded", names[i]);
	header("dlopen(RTLD_NOW), each in a fresh process");
	libm = median(samples[0], ROUNDS);
	for (int i = 0; i < CONTESTANTS; i++) {
		const double ns = median(samples[i], ROUNDS);

		printf("  %-35s %8.1f us   %5.2f of libm   (least %.1f)\n", names[i], ns / 1e3, ns / libm,
		       samples[i][0] / 1e3);
	}
	puts("  \"alone\": libsleef is loaded before, as in a program that uses it");
}

enum { EMPTY, LIBM, LIBSLEEF, ISAKERN, PROGRAMS };

static void starts(char **programs)
{
	static const char *const names[PROGRAMS] = {"empty", "libm", "libsleef", "libisakern"};
	static double wall[PROGRAMS][ROUNDS], cpu[PROGRAMS][ROUNDS];
	double w[PROGRAMS], c[PROGRAMS];
	int imports[PROGRAMS] = {0};

	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < PROGRAMS; i++) {
			char *const argv[] = {programs[i], NULL};
			const struct usage u = run(argv, -1);

			wall[i][round] = u.wall;
			cpu[i][round] = u.cpu;
			imports[i] = u.status;
		}
	header("start to end of a program that imports functions, BIND_NOW, and ends");
	for (int i = 0; i < PROGRAMS; i++) {
		w[i] = median(wall[i], ROUNDS) / 1e3;
		c[i] = median(cpu[i], ROUNDS) / 1e3;
		printf("  %-17s %3d imports   wall %6.0f us (+%4.0f)   CPU %6.0f us (+%4.0f)\n", names[i], imports[i], w[i],
		       w[i] - w[EMPTY], c[i], c[i] - c[EMPTY]);
	}
}

static const char *cpu_name(void)
{
	static char line[256];
	FILE *file = fopen("/proc/cpuinfo", "re");
	char *name = NULL;

	while (file && !name && fgets(line, sizeof(line), file))
		if (strncmp(line, "model name", 10) == 0)
			name = strchr(line, ':');
	if (file)
		fclose(file);
	if (!name)
		return "unknown CPU";
	line[strcspn(line, "\n")] = '\0';
	return name + 2;
}

int main(int argc, char **argv)
{
	char self[] = "/proc/self/exe";
	struct utsname system;

	if (argc > 2 && strcmp(argv[1], "--dlopen") == 0)
		return time_dlopen(argc - 2, argv + 2);
	if (argc != 7)
		errx(2, "usage: load START_EMPTY START_LIBM START_LIBSLEEF START_ISAKERN LIBISAKERN LIBISAKERN_SLEEF");
	uname(&system);
	printf("%s, %s %s, glibc %s; medians of %d\n", cpu_name(), system.sysname, system.release,
	       gnu_get_libc_version(), ROUNDS);
	dlopens(self, argv[5], argv[6]);
	starts(argv + 1);
	return 0;
}
