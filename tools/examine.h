/* SPDX-License-Identifier: MIT */
/* What isakern doctor examines. Each examination adds one finding or more to the list. */
#ifndef EXAMINE_H
#define EXAMINE_H

#include <stddef.h>

enum need {
	WELL,
	CHOICE, /* somebody chose it, or it cannot be had here */
	TO_DO, /* something needs doing */
};

enum { FINDING = 640 };

struct finding {
	const char *about; /* in one word */
	enum need need;
	char text[FINDING];
	char to_do[FINDING]; /* "" if there is nothing to do */
};

struct findings {
	struct finding *list;
	size_t count;
};

/* Adds a finding. to_do is NULL or a sentence's predicate: "unset LD_PRELOAD". */
void found_that(struct findings *all, const char *about, enum need need, const char *to_do, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* The library that this command and other programs load. */
#define LIBRARY "libisakern.so.0"
/* Its file in this process. */
const char *library_file(void);

/* The LIBRARY that programs find, and where. */
void examine_loader(struct findings *all);
/* The versions of this command, of the library and of the headers that a compiler finds. */
void examine_versions(struct findings *all);
/* The ISA that kernels are bound up to, and why it is not a higher one. */
void examine_isas(struct findings *all);
/* Features of the CPU whose registers the OS does not save. */
void examine_os(struct findings *all);
/* The threads of libisakern-omp. */
void examine_threads(struct findings *all);
/* The variables that are set, unknown ones, and wrong values. */
void examine_environment(struct findings *all);
/* Other libraries that define the names of kernels or of the API. */
void examine_names(struct findings *all);

#endif
