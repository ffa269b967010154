/* SPDX-License-Identifier: MIT */
/* Output whose errors count: a failed write is reported, and makes the command fail. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdio.h>

/* Call it first. From then on the end of the program checks standard output. */
void output_start(void);

/* Closes a stream. Returns 0, or the error of any write to it. */
int output_close(FILE *stream);

/* Writes all pending output. Ends the program if that fails, so that no further work is wasted. */
void output_flush(void);

#endif
