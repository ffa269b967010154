/* SPDX-License-Identifier: MIT */
/* Peers are loaded at run time, each for itself: OpenBLAS and BLIS both define cblas_sgemm. */
#ifndef LIBRARY_H
#define LIBRARY_H

/* Loads a library, or one that lies beside this program. NULL if it is not there. */
void *library_open(const char *name);
void *library_beside(const char *name);
/* Loads it once more under another environment: every copy reads it anew. */
void *library_copy(const char *name, const char *variable, const char *value);

#endif
