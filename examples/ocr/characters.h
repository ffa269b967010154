/* SPDX-License-Identifier: MIT */
/* The characters that the network reads, from a file with one on each line. */
#ifndef CHARACTERS_H
#define CHARACTERS_H

#include <stddef.h>

struct characters {
	char *text;
	char **of; /* of a class; class 0 is no character, the last one a space */
	size_t classes;
};

/* Exits with a message if the file cannot be read. */
struct characters characters_read(const char *path);
void characters_free(struct characters *c);

/*
 * The text of `steps` rows of probabilities, one for each class: the likeliest class of each row, where equal ones side
 * by side are one character, and class 0 none (connectionist temporal classification). free() frees it.
 */
char *characters_text(const struct characters *c, const float *rows, size_t steps, double *probability);

#endif
