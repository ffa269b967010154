/* SPDX-License-Identifier: MIT */
/* Fingerprints printed earlier: the committed ones, or those of another host. */
#ifndef RECORD_H
#define RECORD_H

#include <stddef.h>
#include <stdint.h>

struct record;

/*
 * Reads the output of `isakern fingerprint`: each text line has a name and a checksum, and the rest is kept
 * as text. Lines that begin with # are comments. An ISA after the kernel's name is dropped. Returns NULL if a
 * line is anything else, with a message in error that begins with the file's name.
 */
struct record *record_of(const char *name, const char *text, char *error, size_t size);
/* The same for a file. */
struct record *record_read(const char *path, char *error, size_t size);
/* The committed fingerprints of the library whose functions have this prefix; NULL: there are none. */
struct record *record_committed(const char *own);
void record_free(struct record *r);

/* Whether the record has this name; sets its checksum and the rest of its line. */
int record_find(const struct record *r, const char *name, uint64_t *checksum, const char **rest);

enum { RECORD_ERROR = 300 };

#endif
