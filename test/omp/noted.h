/* SPDX-License-Identifier: MIT */
/* The kernels of noted.py, which stand in front of the library's, call this before they work. */
#ifndef NOTED_H
#define NOTED_H

void noted(void);

#endif
