/* SPDX-License-Identifier: MIT */
/* What is written, as the system sees it: what could not be written is told, and makes the command fail. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdio.h>

/* Before anything else. From then on the end of the program checks standard output. */
void output_start(void);

/* Closes a stream; 0, or the error of any write to it. */
int output_close(FILE *stream);

/* Writes what is there; ends the program if that fails, before more work is done for nothing. */
void output_flush(void);

#endif
