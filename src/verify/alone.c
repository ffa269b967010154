/* SPDX-License-Identifier: MIT */
#include "alone.h"

#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness.h"

/* One variant at each ISA, and the reference. */
enum { MOST_TOGETHER = 32 };

static struct {
	struct variant variants[MOST_TOGETHER];
	size_t count;
	int passed, cut;
} *shared;

static _Noreturn void pass(void)
{
	shared->passed = 1;
	exit(EXIT_SUCCESS);
}

void alone_cut(void)
{
	shared->cut = 1;
	pass();
}

time_t seconds_of_a_call = 20;

static time_t cpu_seconds(pid_t pid)
{
	struct timespec taken = {0};
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock) == 0)
		clock_gettime(clock, &taken);
	return taken.tv_sec;
}

/* The number of the call that goes on; 0: none does. */
static uint64_t call_now(void)
{
	uint64_t calls = 0;
	int is_calling = 0;

	for (size_t i = 0; i < shared->count; i++) {
		calls += shared->variants[i].calls;
		is_calling |= shared->variants[i].is_calling;
	}
	return is_calling ? calls : 0;
}

/*
 * Waits for the end of the child and looks at its call each second. A timer in the child would take two system calls for each
 * call of a kernel, a sixth of the time of all tests. SIGCHLD is blocked, so that it ends the wait and is not lost before it.
 */
static int status_of(pid_t pid, const sigset_t *child)
{
	static const struct timespec second = {.tv_sec = 1};
	uint64_t call = 0;
	time_t began = 0;
	int status;

	while (waitpid(pid, &status, WNOHANG) == 0) {
		const uint64_t now = call_now();

		if (!now || now != call) {
			call = now;
			began = cpu_seconds(pid);
		} else if (cpu_seconds(pid) - began > seconds_of_a_call) {
			kill(pid, SIGVTALRM);
		}
		sigtimedwait(child, NULL, &second);
	}
	return status;
}

/* Copies the linked variants for the child, whose counts come back in the copies. */
static void share(const struct variant *v)
{
	if (!shared)
		shared = shared_memory(sizeof(*shared));
	shared->passed = shared->cut = 0;
	for (shared->count = 0; v; v = v->next) {
		struct variant *copy = &shared->variants[shared->count++];

		*copy = *v;
		copy->calls = copy->checks = 0;
		copy->worst = 0;
		if (v->next && shared->count == MOST_TOGETHER)
			abort();
		copy->next = v->next ? copy + 1 : NULL;
	}
}

/* Copies nothing else, because the test may have destroyed the rest. */
static void take_counts(struct variant *v)
{
	for (size_t i = 0; v; i++, v = v->next) {
		const struct variant *copy = &shared->variants[i];

		v->worst = copy->worst;
		v->worst_at = copy->worst_at;
		v->calls = copy->calls;
		v->checks = copy->checks;
		v->cut = shared->cut;
	}
}

static enum outcome run_linked(void (*test)(struct variant *v), struct variant *v)
{
	static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGSYS};
	sigset_t child, before;
	int status;
	pid_t pid;

	share(v);
	tried_all();
	random_start(v->info.name);
	fflush(NULL);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, &before);
	pid = fork();
	if (pid < 0) {
		perror("no process for a test");
		exit(99);
	}
	if (pid == 0) {
		/* Ends with the parent: otherwise the child would go on with nobody waiting for it. */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		sigprocmask(SIG_SETMASK, &before, NULL);
#ifdef __GLIBC__
		/* Freed memory is used again: new pages for each pool and its answers would take a sixth of the time. */
		mallopt(M_MMAP_THRESHOLD, 32 << 20);
		mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
		/* cmocka's handlers of crashes would jump back into the parent's code. */
		for (size_t i = 0; i < sizeof(crashes) / sizeof(crashes[0]); i++)
			signal(crashes[i], SIG_DFL);
		test(shared->variants);
		pass();
	}
	status = status_of(pid, &child);
	sigprocmask(SIG_SETMASK, &before, NULL);
	take_counts(v);
	if (shared->passed && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS)
		return PASSED;
	if (*found())
		return WRONG;
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGVTALRM)
		finding("the call does not end within %d s of CPU time", (int)seconds_of_a_call);
	else if (WIFSIGNALED(status))
		finding("a signal: %s", strsignal(WTERMSIG(status)));
	else
		finding("the process ended with status %d", WEXITSTATUS(status));
	return CRASHED;
}

/* After linked variants have failed together: how many of them are still to be tested alone, and how they failed. */
static struct {
	size_t remaining;
	enum outcome outcome;
	char tried[512], found[512];
} together;

static void unlink_all(struct variant *v, enum outcome outcome)
{
	together.outcome = outcome;
	snprintf(together.tried, sizeof(together.tried), "%s", tried());
	snprintf(together.found, sizeof(together.found), "%s", found());
	for (struct variant *next; v; v = next) {
		next = v->next;
		v->next = NULL;
		together.remaining++;
	}
}

enum outcome run_alone(void (*test)(struct variant *v), struct variant *v)
{
	enum outcome outcome;

	if (!v->fn)
		return NOT_RUN;
	if (v->has_passed)
		return PASSED;
	outcome = run_linked(test, v);
	for (struct variant *each = v; outcome == PASSED && each; each = each->next)
		each->has_passed = 1;
	if (v->next && outcome != PASSED) {
		unlink_all(v, outcome);
		outcome = run_linked(test, v);
	}
	if (!together.remaining)
		return outcome;
	if (outcome != PASSED)
		together.outcome = PASSED;
	/* A fault that no variant has alone is that of the last one. */
	if (--together.remaining || together.outcome == PASSED)
		return outcome;
	trying("%s", together.tried);
	finding("together with the other variants: %.400s", together.found);
	return together.outcome;
}
