/* SPDX-License-Identifier: MIT */
/* Peers are loaded at run time, each for itself: OpenBLAS and BLIS both define cblas_sgemm. */
#ifndef LIBRARY_H
#define LIBRARY_H

/* Loads a library, and again under another environment: every copy reads it anew. NULL if it is not there. */
void *library_open(const char *name);
void *library_copy(const char *name, const char *variable, const char *value);

#endif
