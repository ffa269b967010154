/* SPDX-License-Identifier: MIT */
#ifndef STATUS_H
#define STATUS_H

/* Exit statuses of isakern. */
enum { DONE = 0, FAILED = 1, USAGE = 2 };

#endif
