/* SPDX-License-Identifier: MIT */
/* What the kernels of noted.py, in front of those of the library, call before they work. */
#ifndef NOTED_H
#define NOTED_H

void noted(void);

#endif
