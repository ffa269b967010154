/* SPDX-License-Identifier: MIT */
#include <err.h>
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "alloc.h"
#include "isakern.h"
#include "ladder.h"

struct rung {
	const char *isa;
	char why_not[112]; /* empty if it ran */
	double speed;	   /* sentences a second */
	char bits[24];	   /* checksum of all embeddings */
};

/* Kernels are bound once in a process, so each ISA needs a process of its own. */
static cJSON *run_capped(const char *isa, char **argv)
{
	size_t used = 0, space = 0;
	char *text = NULL;
	int pipes[2], status;
	ssize_t n;
	pid_t pid;
	cJSON *json;

	if (pipe(pipes) != 0)
		err(1, "pipe");
	pid = fork();
	if (pid < 0)
		err(1, "fork");
	if (pid == 0) {
		setenv("ISAKERN_MAX_ISA", isa, 1);
		dup2(pipes[1], STDOUT_FILENO);
		close(pipes[0]);
		close(pipes[1]);
		execv("/proc/self/exe", argv);
		err(1, "/proc/self/exe");
	}
	close(pipes[1]);
	do {
		text = grow(text, &space, used + 4096, 1);
		n = read(pipes[0], text + used, space - used);
		used += n > 0 ? (size_t)n : 0;
	} while (n > 0);
	close(pipes[0]);
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
		if (WIFEXITED(status))
			exit(WEXITSTATUS(status)); /* the child has printed the reason */
		errx(1, "the run at %s was ended by signal %d", isa, WTERMSIG(status));
	}
	json = cJSON_ParseWithLength(text, used);
	if (!json)
		errx(1, "the run at %s did not write JSON", isa);
	free(text);
	return json;
}

/*
 * get_vec_length is compiled for every ISA, so the state of its variant is that of the ISA on this CPU and in
 * this binary.
 */
static int can_run(const struct isk_candidate *c, struct rung *r)
{
	r->isa = c->isa;
	switch (c->state) {
	case ISK_USABLE:
	case ISK_CAPPED:
	case ISK_DEMOTED:
	case ISK_PINNED:
		return 1;
	default:
		snprintf(r->why_not, sizeof(r->why_not), "%s", c->reason);
		return 0;
	}
}

static void run_rung(struct rung *r, char **argv)
{
	cJSON *json = run_capped(r->isa, argv);
	const char *got = cJSON_GetStringValue(cJSON_GetObjectItem(json, "isa"));
	const char *bits = cJSON_GetStringValue(cJSON_GetObjectItem(json, "bits"));
	const cJSON *speed = cJSON_GetObjectItem(json, "sentences_per_second");

	if (!got || !bits || !cJSON_IsNumber(speed))
		errx(1, "the run at %s did not tell its speed", r->isa);
	if (strcmp(got, r->isa) != 0)
		snprintf(r->why_not, sizeof(r->why_not), "not reached: such a run binds to %.24s", got);
	r->speed = speed->valuedouble;
	snprintf(r->bits, sizeof(r->bits), "%s", bits);
	cJSON_Delete(json);
}

static int columns(void)
{
	struct winsize size;
	const char *env = getenv("COLUMNS");

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 60)
		return size.ws_col < 120 ? size.ws_col : 120;
	return env && atoi(env) >= 60 && atoi(env) <= 120 ? atoi(env) : 80;
}

static void draw(const struct rung *rungs, size_t count)
{
	const char *mark = strcmp(nl_langinfo(CODESET), "UTF-8") == 0 ? "\u2588" : "#";
	const int width = columns() - 48;
	const struct rung *last = NULL;
	double most = 0;

	for (size_t i = 0; i < count; i++) {
		if (rungs[i].why_not[0])
			continue;
		last = &rungs[i];
		most = rungs[i].speed > most ? rungs[i].speed : most;
	}
	printf("%-12s  %11s  bits\n", "ISA", "sentences/s");
	for (size_t i = 0; i < count; i++) {
		const struct rung *r = &rungs[i];

		if (r->why_not[0]) {
			printf("%-12s  %11s  %s\n", r->isa, "-", r->why_not);
			continue;
		}
		printf("%-12s  %11.1f  %-16s  ", r->isa, r->speed, r->bits);
		for (int j = 0; j < (int)(r->speed / most * width + 0.5); j++)
			fputs(mark, stdout);
		putchar('\n');
	}
	if (last)
		printf("fastest: %.1f times baseline\n", most / rungs[0].speed);
}

struct isk_candidate *candidates_of(const char *kernel, size_t *count)
{
	const int found = isk_candidates(kernel, NULL, 0);
	struct isk_candidate *candidate = alloc(found > 0 ? (size_t)found : 1, sizeof(*candidate));

	*count = found > 0 ? (size_t)found : 0;
	candidate->size = sizeof(*candidate);
	isk_candidates(kernel, candidate, *count);
	return candidate;
}

void ladder(char **argv)
{
	size_t count;
	struct isk_candidate *candidate = candidates_of("get_vec_length", &count);
	struct rung *rung = alloc(count, sizeof(*rung));
	const int show = isatty(STDERR_FILENO);

	memset(rung, 0, count * sizeof(*rung));
	for (size_t i = 0; i < count; i++) {
		if (show)
			fprintf(stderr, "\r\033[K%s ...", candidate[i].isa);
		if (can_run(&candidate[i], &rung[i]))
			run_rung(&rung[i], argv);
		if (show)
			fprintf(stderr, "\r\033[K");
	}
	draw(rung, count);
	free(rung);
	free(candidate);
}
