/* SPDX-License-Identifier: MIT */
/*
 * The ISAKERN_ variables of the environment, found without libc in every mode
 * a program can be linked and loaded.
 */
#ifndef ISK_ENVIRON_H
#define ISK_ENVIRON_H

#include <stdint.h>

#include "prefix.h"

enum isk_variable {
	ISK_MAX_ISA,
	ISK_DISABLE,
	ISK_BIND,
	ISK_VERBOSE,
	ISK_VARIABLES,
};

/* A value: an address, or an offset in /proc/self/environ. 0: not set, or empty. */
struct isk_environ {
	uint64_t value[ISK_VARIABLES];
	int file;
};

/* Fills *e; everything is unset in a process that runs with another's rights. */
void isk_environ_find(struct isk_environ *e);

/* Reads a value one character after the other. */
struct isk_reader {
	uint64_t next;
	int file; /* -1: next is an address */
	int left, at;
	int ended;
	char window[256];
};

void isk_reader_open(struct isk_reader *r, uint64_t value, int file);
/* The next character; 0 at the end and after it. */
char isk_reader_next(struct isk_reader *r);
void isk_reader_close(struct isk_reader *r);

#endif
