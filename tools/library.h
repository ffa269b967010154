/* SPDX-License-Identifier: MIT */
#ifndef LIBRARY_H
#define LIBRARY_H

/* Asks that library from now on, with the references beside it; ends the program where it is none that can be asked. */
void library_open(const char *path);

/* The option that asks the same library again, behind a space: " --library=FILE", or "" for isakern itself. */
const char *library_option(void);

/* The path of a library beside isakern, such as libisakern-sleef.so.0, that has this kernel; NULL if none has it. */
const char *library_beside(const char *kernel);

#endif
