/* SPDX-License-Identifier: MIT */
/* A child process of a test, and its output. */
#ifndef CHILD_H
#define CHILD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/* Returns 0 in the child, which writes to *output what it prints on stdout and stderr. */
static pid_t child_begin(int *output)
{
	int pipes[2];
	pid_t child;

	fflush(stdout);
	assert_int_equal(pipe(pipes), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		dup2(pipes[1], STDOUT_FILENO);
		dup2(pipes[1], STDERR_FILENO);
		close(pipes[0]);
	}
	close(pipes[1]);
	*output = pipes[0];
	return child;
}

/* Waits for the child. text becomes its output, as much as there is room for. Returns its status. */
static int child_end(pid_t child, int output, char *text, size_t room)
{
	size_t length = 0;
	ssize_t got;
	int status;

	while ((got = read(output, text + length, room - 1 - length)) > 0)
		length += (size_t)got;
	text[length] = '\0';
	close(output);
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

#endif
