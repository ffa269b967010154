/* SPDX-License-Identifier: MIT */
/*
 * The ISAKERN_ variables of the environment, found without libc, however a program
 * is linked and loaded.
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

struct isk_environ {
	uint64_t value[ISK_VARIABLES]; /* an address, or an offset in /proc/self/environ; 0: not set, or empty */
	int file;                      /* 1: the values are offsets */
};

/* Fills *e; everything is unset in a process that runs with another's rights. */
void isk_environ_find(struct isk_environ *e);

/* Reads a value one character after the other. */
struct isk_reader {
	uint64_t next;    /* the address of the next character, or the offset of the next bytes to read into the window */
	int file;         /* the open file; -1: next is an address */
	int left, at;     /* left: the bytes in the window; at: the index of the next character there */
	int ended;        /* 1: the end of the value was reached */
	char window[256]; /* bytes of the file */
};

void isk_reader_open(struct isk_reader *r, uint64_t value, int file);
/* The next character; 0 at the end and after it. */
char isk_reader_next(struct isk_reader *r);
void isk_reader_close(struct isk_reader *r);

#endif
