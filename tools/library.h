/* SPDX-License-Identifier: MIT */
#ifndef LIBRARY_H
#define LIBRARY_H

/* From now on all questions go to this library and its references. Ends the program if it cannot be used. */
void library_open(const char *path);

/*
 * The option that repeats the question to the same library: " --library=FILE", with a blank in front, or ""
 * for isakern.
 */
const char *library_option(void);

/* The path of a library beside isakern, such as libisakern-sleef, that has this kernel; NULL if none has it. */
const char *library_beside(const char *kernel);

#endif
