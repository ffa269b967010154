/* SPDX-License-Identifier: MIT */
/* What the emulator says when it ends a process. */
#ifndef FAULTS_H
#define FAULTS_H

#include "../child.h"
#include "emulator.h"

enum { FAULT_ROOM = 1024 };

/* Runs a function in a child with this context. text becomes what the child printed. Returns the child's status. */
static int fault_of(void (*run)(void), const char *(*context)(void), char text[FAULT_ROOM])
{
	int output;
	const pid_t child = child_begin(&output);

	if (child == 0) {
		emulator_context = context;
		run();
		_exit(0);
	}
	return child_end(child, output, text, FAULT_ROOM);
}

#endif
