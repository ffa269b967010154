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

static struct {
	struct variant variant;
	int passed;
} *shared;

void alone_passed(void)
{
	shared->passed = 1;
	exit(EXIT_SUCCESS);
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
		if (!shared->variant.is_calling || shared->variant.calls != call) {
			call = shared->variant.calls;
			began = cpu_seconds(pid);
		} else if (cpu_seconds(pid) - began > seconds_of_a_call) {
			kill(pid, SIGVTALRM);
		}
		sigtimedwait(child, NULL, &second);
	}
	return status;
}

enum outcome run_alone(void (*test)(struct variant *v), struct variant *v)
{
	static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGSYS};
	sigset_t child, before;
	int status;
	pid_t pid;

	if (!v->fn)
		return NOT_RUN;
	if (!shared)
		shared = shared_memory(sizeof(*shared));
	shared->variant = *v;
	shared->passed = 0;
	tried_all();
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
		test(&shared->variant);
		alone_passed();
	}
	status = status_of(pid, &child);
	sigprocmask(SIG_SETMASK, &before, NULL);
	/* Copies nothing else, because the test may have destroyed the rest. */
	v->worst = shared->variant.worst;
	v->worst_at = shared->variant.worst_at;
	v->calls = shared->variant.calls;
	v->checks = shared->variant.checks;
	v->cut = shared->variant.cut;
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
