/* SPDX-License-Identifier: MIT */
/* Fingerprints that were printed before: the committed ones, or those of another host. */
#ifndef RECORD_H
#define RECORD_H

#include <stddef.h>
#include <stdint.h>

struct record;

/*
 * What `isakern fingerprint` printed: a line a name and its checksum; what follows is kept as text. Lines of # are
 * comments, and an ISA after the kernel of a name is left out. NULL where a line is none of that, which error tells:
 * name is of the file.
 */
struct record *record_of(const char *name, const char *text, char *error, size_t size);
/* The same of a file, or of one that `isakern fingerprint --json` printed. */
struct record *record_read(const char *path, char *error, size_t size);
/* What is committed for the library with functions of that prefix; NULL: nothing is. */
struct record *record_committed(const char *own);
void record_free(struct record *r);

/* Whether it has that name; its checksum, and what follows in the line. */
int record_find(const struct record *r, const char *name, uint64_t *checksum, const char **rest);

enum { RECORD_ERROR = 300 };

#endif
