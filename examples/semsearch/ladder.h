/* SPDX-License-Identifier: MIT */
/* The same work at every ISA this CPU can run, one process each, drawn as bars. */
#ifndef LADDER_H
#define LADDER_H

/*
 * Runs this program with argv, which must make it write its JSON summary, under
 * ISAKERN_MAX_ISA=<isa> for each ISA, and draws the sentences per second that
 * each tells of.
 */
void ladder(char **argv);

#endif
