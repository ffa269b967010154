/* SPDX-License-Identifier: MIT */
#include "alone.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
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

enum outcome run_alone(void (*test)(struct variant *v), struct variant *v)
{
	static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGSYS};
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
	pid = fork();
	if (pid < 0) {
		perror("no process for a test");
		exit(99);
	}
	if (pid == 0) {
		/* Ends with the parent: otherwise the child would go on with nobody waiting for it. */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		/* cmocka's handlers of crashes would jump back into the parent's code. */
		for (size_t i = 0; i < sizeof(crashes) / sizeof(crashes[0]); i++)
			signal(crashes[i], SIG_DFL);
		test(&shared->variant);
		alone_passed();
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
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
		finding("the call does not end within %d s of CPU time", SECONDS_OF_A_CALL);
	else if (WIFSIGNALED(status))
		finding("a signal: %s", strsignal(WTERMSIG(status)));
	else
		finding("the process ended with status %d", WEXITSTATUS(status));
	return CRASHED;
}
