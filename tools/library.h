/* SPDX-License-Identifier: MIT */
#ifndef LIBRARY_H
#define LIBRARY_H

/* Asks that library from now on, with the references beside it; ends the program where it is none that can be asked. */
void library_open(const char *path);

#endif
