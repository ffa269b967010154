/* SPDX-License-Identifier: MIT */
/* A second library with the tables and the resolver of isakern. */
#ifndef TST_H
#define TST_H

#include <tst/samples.h>

#endif
