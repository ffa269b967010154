/* SPDX-License-Identifier: MIT */
#ifndef LIBRARY_H
#define LIBRARY_H

/* Asks that library from now on, and its references beside it; ends the program where it is none that this one understands. */
void library_open(const char *path);

#endif
