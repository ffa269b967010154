/* SPDX-License-Identifier: MIT */
/* What the emulator says when it ends a process. */
#ifndef FAULTS_H
#define FAULTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "emulator.h"

enum { FAULT_ROOM = 1024 };

/* Runs a function in a child with this context. text becomes what the child wrote on stderr. Returns the child's status. */
static int fault_of(void (*run)(void), const char *(*context)(void), char text[FAULT_ROOM])
{
	size_t length = 0;
	ssize_t got;
	int pipes[2], status;
	pid_t child;

	fflush(stdout);
	assert_int_equal(pipe(pipes), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		dup2(pipes[1], STDERR_FILENO);
		emulator_context = context;
		run();
		_exit(0);
	}
	close(pipes[1]);
	while ((got = read(pipes[0], text + length, FAULT_ROOM - 1 - length)) > 0)
		length += (size_t)got;
	text[length] = '\0';
	close(pipes[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

#endif
