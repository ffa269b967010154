/* SPDX-License-Identifier: MIT */
/* The inputs of ScaledMatMul and ScaledConv behind those that post.h names. */
#ifndef SCALED_H
#define SCALED_H

#include "post.h"

enum { IN_SCALE = IN_COUNT, IN_A_ZERO, IN_B_ZERO };

#endif
