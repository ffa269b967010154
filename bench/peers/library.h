/* SPDX-License-Identifier: MIT */
/* Peers are loaded at run time, each separately, because OpenBLAS and BLIS both define cblas_sgemm. */
#ifndef LIBRARY_H
#define LIBRARY_H

/* Loads a library, or one in the folder of this program. NULL if it is not there. */
void *library_open(const char *name);
void *library_beside(const char *name);
/* Loads the library again under another environment, which every copy reads for itself. */
void *library_copy(const char *name, const char *variable, const char *value);

#endif
